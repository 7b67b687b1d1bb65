/* The choice of the base: the result set to compare with. A list shows the most likely result sets. The search field
 * finds any other result set. */
import { h, fill, field, after } from "./dom.js";
import { aSet, listSets, previousSet } from "./api.js";

const MOST = 50;

const named = r => `${r.inst_id}: ${r.caption || "no caption"}`;

/* Returns the previous result set of the stream of `s`, and three groups of result sets: first those with the application
 * and format of `s`, then those with the format of `s`, then the newest ones of any kind. In each group, the result sets
 * that were loaded before `s` come first. */
async function likely(s) {
	const kinds = [...s.application ? [{ format: s.format, application: s.application }] : [], { format: s.format }, {}];
	const [before, ...lists] = await Promise.all([previousSet(s), ...kinds.flatMap(kind => [listSets({ ...kind, limit: MOST }),
		listSets({ ...kind, until: s.loaded_at, limit: MOST })])]);
	const seen = new Set([String(s.inst_id)]);
	const ordered = before ? [before] : [];
	for (let i = 0; i < lists.length; i += 2) {
		const both = [...lists[i], ...lists[i + 1]];
		ordered.push(...both.filter(r => r.inst_id < s.inst_id), ...both.filter(r => r.inst_id > s.inst_id));
	}
	return ordered.filter(r => !seen.has(String(r.inst_id)) && seen.add(String(r.inst_id)));
}

/* Returns the result set that `base` names, even if it is not among the likely ones. `base` can be a number or another
 * name that the server accepts. */
async function chosenOf(base, rows) {
	const known = rows.find(r => String(r.inst_id) === base);
	if (!base || known || !/^\d+$/.test(base))
		return known || (base && { inst_id: base, caption: "as in the link" });
	return aSet(base).catch(() => ({ inst_id: base, caption: "no such result set" }));
}

/*
 * { set, label, base: from the link or null, without: text for the choice "no base", or null without this choice,
 *   onpick(base) }
 * Returns { base, controls }; `base` is the chosen base, or "" if no base is chosen.
 */
export async function basePicker(o) {
	const rows = await likely(o.set);
	const first = await chosenOf(o.base, rows) || (o.without ? null : rows[0]);
	const list = h("select", { class: "wide", onchange: e => o.onpick(e.target.value) });
	const count = h("output", { class: "hint" });
	let chosen = first;
	const offer = found => {
		const all = [chosen, ...found.filter(r => !chosen || String(r.inst_id) !== String(chosen.inst_id))];
		fill(list, o.without && h("option", { value: "" }, o.without), all.filter(Boolean).map(r =>
			h("option", { value: r.inst_id, selected: r === chosen }, named(r))));
	};
	const pick = r => {
		chosen = r;
		list.value = String(r.inst_id);
		o.onpick(list.value);
	};
	list.addEventListener("change", () => {
		chosen = { inst_id: list.value, caption: list.selectedOptions[0].textContent.replace(/^\d+: /, "") };
	});
	const find = async text => {
		const words = text.trim();
		const found = words ? (await listSets({ search: words, limit: MOST }))
			.filter(r => String(r.inst_id) !== String(o.set.inst_id)) : rows;
		offer(found);
		count.textContent = words && (found.length === MOST ? `first ${MOST}` : `${found.length} found`);
		return found;
	};
	const search = h("input", { type: "search", placeholder: "Any word", oninput: after(e => find(e.target.value), 300),
		onkeydown: async e => {
			const found = e.key === "Enter" && await find(e.target.value);
			if (found?.length)
				pick(found[0]);
		} });
	offer(rows);
	return { base: String(first?.inst_id ?? ""), controls: [field(o.label, list), field("Find a result set", search), count] };
}
