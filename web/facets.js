/* Facets: buttons with the values of some columns. They filter rows and show how many rows have each value. */
import { h, fill, figure } from "./dom.js";

const SHOWN = 12;

/*
 * A facet is { key, title, values(row) -> [text], order: [text] or absent, hidden: [text] or absent }. Rows with a
 * hidden value are left out until a value of this facet is chosen.
 */
function passes(facet, row, chosen) {
	const values = facet.values(row);
	return chosen.length ? values.some(v => chosen.includes(v)) : !values.some(v => facet.hidden?.includes(v));
}

/* Returns the rows that pass all facets. `chosen` maps the key of each facet to its chosen values. */
export function filtered(facets, rows, chosen) {
	return rows.filter(r => facets.every(f => passes(f, r, chosen[f.key])));
}

/* Counts the values of a facet in the rows that pass all other facets. */
function counts(facets, facet, rows, chosen) {
	const others = facets.filter(f => f !== facet);
	const found = new Map([...chosen[facet.key], ...facet.order || []].map(v => [v, 0]));
	for (const r of rows)
		if (others.every(f => passes(f, r, chosen[f.key])))
			for (const v of facet.values(r))
				found.set(v, (found.get(v) || 0) + 1);
	const all = [...found].filter(([v, n]) => n > 0 || chosen[facet.key].includes(v));
	const place = v => facet.order ? facet.order.indexOf(v) : 0;
	return all.sort((a, b) => place(a[0]) - place(b[0]) || b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

/* Draws facets with values that are already counted: { key, title, values: [[value, count]], chosen: [value] }. onchoose(key, values) is called after a click. */
export function drawCounts(place, facets, onchoose) {
	const focused = document.activeElement?.closest(".facet button");
	const before = focused && place.contains(focused) && [focused.dataset.facet, focused.dataset.value].join();
	const button = (f, [value, n]) => {
		const on = f.chosen.includes(value);
		return h("button", { type: "button", "aria-pressed": String(on), "data-facet": f.key, "data-value": value,
			onclick: () => onchoose(f.key, on ? f.chosen.filter(v => v !== value) : [...f.chosen, value]) },
		value, " ", h("span", { class: "in" }, figure(n, "count")));
	};
	fill(place, facets.map(f => h("fieldset", { class: "facet" }, h("legend", null, f.title),
		f.values.slice(0, SHOWN).map(v => button(f, v)),
		f.values.length > SHOWN && h("details", { open: f.values.slice(SHOWN).some(([v]) => f.chosen.includes(v)) },
			h("summary", null, `${f.values.length - SHOWN} more`), f.values.slice(SHOWN).map(v => button(f, v))))));
	for (const b of before ? place.querySelectorAll("button") : [])
		if ([b.dataset.facet, b.dataset.value].join() === before)
			b.focus();
}

/* Counts the values of facets in the rows and draws them; onchoose(key, values) is called after a click. */
export function drawFacets(place, facets, rows, chosen, onchoose) {
	/* Choices in the other facets do not affect whether a facet is shown. */
	const shown = facets.filter(f => new Set(rows.flatMap(f.values)).size >= 2 || chosen[f.key].length);
	drawCounts(place, shown.map(f => ({ key: f.key, title: f.title, values: counts(facets, f, rows, chosen),
		chosen: chosen[f.key] })), onchoose);
}
