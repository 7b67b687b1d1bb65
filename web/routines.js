/* The table beside a flame graph, and the callers and calls of the selected routine. */
import { h, fill, figure, link, plural } from "./dom.js";
import { table, pager, ordered } from "./table.js";
import { routinesOf, sandwichOf } from "./frames.js";

const SIZE = 50;

/*
 * Returns the table of a tree's routines as an element. A comparison has changes instead of self values. The
 * element's mark(name) marks a routine, and its select(name) marks a routine and shows its row. Both remove the
 * mark if the name is null. The element's filter(text) shows only names that match a regular expression.
 * o: { unit, inverted, selected, sort, onover(name or null), onselect(name or null), onsort(text) }; a sort is
 * "KEY:asc" or "KEY:desc".
 */
export function routineTable(tree, o) {
	const all = routinesOf(tree, o.inverted), place = h("div", { class: "routines" });
	const compared = tree.delta !== undefined, main = compared ? "total" : "self";
	const columns = [["name", "Routine"], !compared && ["self", "Self"], ["total", "Total"], compared && ["delta", "Change"]].filter(Boolean)
		.map(([k, title]) => ({ key: k, title, ...k === "name" ? { kind: "text" } : { kind: "decimal", unit: o.unit } }));
	let selected = o.selected, near = null, skip = 0, wanted = () => true, rows = all;
	let [key, way] = (o.sort || "").split(":");
	const buttons = () => [...place.querySelectorAll("tbody button")];
	const dress = () => buttons().forEach(b => {
		b.setAttribute("aria-pressed", String(b.textContent === selected));
		b.closest("tr").className = b.textContent === selected ? "selected" : b.textContent === near ? "near" : "";
	});
	const draw = () => {
		const sort = columns.some(c => c.key === key) ? { key, descending: way !== "asc" } : { key: main, descending: true };
		rows = ordered(all.filter(r => wanted(r.name)), sort);
		fill(place, h("p", { class: "in" }, plural(rows.length, "routine", "routines")), table({ caption: "Routines", columns, rows: rows.slice(skip, skip + SIZE), sort,
			cells: { name: r => h("button", { type: "button", class: "link", title: r.module || null, onclick: () => o.onselect(r.name === selected ? null : r.name) }, r.name) },
			onsort: (k, descending) => {
				[key, way, skip] = [k, descending ? "desc" : "asc", 0];
				o.onsort(`${key}:${way}`);
				draw();
			} }), pager(skip, Math.min(SIZE, rows.length - skip), rows.length, SIZE, n => { skip = n; draw(); }));
		dress();
	};
	for (const [event, over] of [["pointerover", true], ["pointerleave", false], ["focusin", true], ["focusout", false]])
		place.addEventListener(event, e => o.onover(over ? e.target.closest("tr")?.querySelector("button.link")?.textContent ?? null : null));
	const show = name => {
		const at = rows.findIndex(r => r.name === name);
		if (at >= 0 && (at < skip || at >= skip + SIZE)) {
			skip = at - at % SIZE;
			draw();
		}
		const row = buttons().find(b => b.textContent === name)?.closest("tr"), box = place.querySelector(".scroll");
		if (row && box)
			box.scrollTop += row.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
	};
	draw();
	return Object.assign(place, {
		mark: name => { near = name; dress(); },
		select: name => { selected = name; dress(); if (name) show(name); },
		filter(text) {
			try {
				const pattern = new RegExp(text);
				wanted = name => pattern.test(name);
			} catch {
				return;
			}
			skip = 0;
			draw();
		},
	});
}

/* Shows the callers of a routine above it, and its calls below it. draw(place, tree, icicle) draws a flame graph. */
export function sandwich(tree, name, { unit, inverted, page, draw }) {
	const { total, self, above, below } = sandwichOf(tree, name, inverted), whole = Number(tree.value);
	if (!total && !above.children.length && !below.children.length)
		return h("p", { class: "in" }, `The flame graph does not show ${name}.`);
	const callers = h("div"), calls = h("div");
	requestAnimationFrame(() => { draw(callers, above, false); draw(calls, below, true); });
	return [h("h2", { class: "entry" }, "Callers and calls of ", link(page, null, name)),
		h("p", { class: "hint" }, `Itself ${figure(self, unit)}, with all that it calls ${figure(total, unit)}${whole ? `, ${figure(100 * total / whole, "percent")}` : ""}.`),
		h("section", { class: "panel flame-panel", "aria-label": "Callers" }, h("h3", null, "Callers"), above.children.length ? callers : h("p", { class: "in" }, "No routine calls it.")),
		h("section", { class: "panel flame-panel", "aria-label": "Calls" }, h("h3", null, "Calls"), below.children.length ? calls : h("p", { class: "in" }, "It calls no routine."))];
}
