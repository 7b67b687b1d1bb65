/* The page for one run: all its result sets. */
import { h, moment, link, empty, labelsOf } from "./dom.js";
import { listSets, aSet, streams } from "./api.js";
import { to } from "./route.js";
import { table } from "./table.js";
import { holds } from "./sets.js";
import { fits, has } from "./set.js";
import { streamOf, streamLink } from "./stream.js";

const MOST = 100;
const COLUMNS = [
	{ key: "inst_id", title: "No.", kind: "text" },
	{ key: "caption", title: "Caption", kind: "text" },
	{ key: "tool", title: "Tool", kind: "text" },
	{ key: "format", title: "Format", kind: "text" },
	{ key: "holds", title: "Contents", kind: "text" },
	{ key: "looked_for", title: "Looked for", kind: "text" },
	{ key: "finished", title: "Finished", kind: "bool" },
	{ key: "links", title: "Open", kind: "text" },
];
const FACTS = [["application", "Application"], ["app_version", "Version"], ["commit", "Commit"], ["parent_commit", "Parent commit"],
	["environment", "Environment"], ["host", "Host"], ["started_at", "Started"], ["loaded_at", "Loaded"]];

const lookedFor = s => (s.looked_for || []).filter(c => c.degree !== "none")
	.map(c => c.degree === "full" ? c.what : `${c.what} (${c.degree})`).join(", ");

function links(s) {
	const reports = [["leaks", "leaks"], ["errors", "errors"], ["requests", "requests"], ["measures", "measures"], ["hot", "hot routines"]]
		.filter(([n]) => fits(n, s)).slice(0, 3);
	return [...reports.map(([n, title]) => link(to(["sets", s.inst_id, "report", n]), null, title)),
		has.tree(s) && link(to(["sets", s.inst_id, "flame"]), null, "flame graph")].filter(Boolean).flatMap((l, i) => i ? [", ", l] : [l]);
}

/* The result sets of a run usually have the same values. If not, all values are shown. */
function facts(sets) {
	const values = key => [...new Set(sets.map(s => s[key]).filter(v => v !== null && v !== undefined && v !== "")
		.map(v => /_at$/.test(key) ? moment(v) : String(v)))];
	const labels = [...new Set(sets.flatMap(s => labelsOf(s.labels)))];
	return h("dl", { class: "facts" }, FACTS.map(([key, title]) => [title, values(key)]).filter(([, v]) => v.length)
		.map(([title, v]) => h("div", null, h("dt", null, title), h("dd", null, v.join(", ")))),
	labels.length > 0 && h("div", null, h("dt", null, "Labels"), h("dd", null, labels.map(l => h("span", { class: "badge calm" }, l)))));
}

function history(sets, all) {
	const names = [...new Set(sets.map(s => streamOf(s, all)).filter(Boolean))];
	const newest = Math.max(...sets.map(s => s.inst_id));
	return names.length > 0 && h("p", null, "History: ", names.map((n, i) => [i > 0 && ", ", streamLink(n)]), "; ",
		streamLink(names[0], { as_of: `set:${newest}` }, "as of this run"), ".");
}

export default async function ({ key }) {
	document.title = `Run ${key} – profdepot`;
	const head = h("header", { class: "set-head" }, h("p", { class: "crumbs" }, link("#/sets", null, "Result sets"), " / ", h("span", null, "Run")),
		h("h1", null, `Run ${key}`));
	const [rows, all] = await Promise.all([listSets({ run: key, limit: MOST }), streams()]);
	if (!rows.length)
		return [head, empty("The depot has no result set of this run.")];
	const sets = await Promise.all(rows.map(r => aSet(r.inst_id)));
	const shown = rows.map((r, i) => ({ ...r, ...sets[i], rows: r.rows, holds: holds(r), looked_for: lookedFor(sets[i]), links: links(sets[i]) }));
	return [head, h("section", { class: "panel padded", "aria-label": "About" }, facts(sets), history(sets, all)),
		table({ caption: "Result sets", rows: shown, columns: COLUMNS.filter(c => ["inst_id", "caption"].includes(c.key)
			|| shown.some(r => r[c.key] !== null && r[c.key] !== undefined && String(r[c.key]) !== "")),
		cells: { caption: r => link(to(["sets", r.inst_id]), { class: "strong" }, r.caption || "no caption"),
			inst_id: r => h("span", { class: "in" }, r.inst_id),
			format: r => h("span", { class: "badge calm" }, r.format), links: r => r.links } })];
}
