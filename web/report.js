/* The page for a report on a result set: parameters, rows, exports. */
import { h, fill, show, field, select, after, empty, figure, plural, say, link, listInput } from "./dom.js";
import { aSet, reports, getJson, reportUrl, titled } from "./api.js";
import { change, to, go } from "./route.js";
import { table, pager, columnsOf, filled, isEmpty, measured, usual, matching, ordered } from "./table.js";
import { head, fileLink, reportNames, fits, cellsOf, gaps, sinceFirst, countsFromFirst } from "./set.js";
import { entryLinks } from "./entry.js";
import { suppressButton } from "./suppress.js";
import { isAdmin } from "./settings.js";
import { isTree, treeColumns, usualInTree, callTree } from "./tree.js";

const SIZE = 100, SEARCHED = 2000; /* rows of a page; rows that a search reads at most */
const FORMATS = [["json", "JSON"], ["csv", "CSV"], ["markdown", "Markdown"], ["html", "HTML"], ["text", "Text"]];
const EXTENSION = { json: "json", csv: "csv", markdown: "md", html: "html", text: "txt" };
/* Parameters without a field: only the command line uses them, or another part of the page sets them. */
const NOT_ASKED = new Set(["inst_id", "inst_ids", "by", "excluded_objects", "excluded_errors", "hidden",
	"get_number", "base", "get"]);
const HINTS = { class: "TForm*", module: "orders.*", routine: "*Paint*", thread: "4711", name: "*",
	own: "orders*", owner: "@team*", kind: "definite", host: "web1", user: "anna", type: "sql", since: "2026-01-31",
	until: "2026-12-31", min_count: "10", min_size: "64K", min_share: "0.5", min_duration: "100",
	slower_than: "10", trivial: "2.0", focus: "*Load*", ignore: "*Idle*", profile: "Id", track: "1",
	metric: "live_size" };

/* Converts the link's query to the server's query. With `all`, the query asks for all rows instead of one page, because
 * exports need them. If the user searches for words, it asks for as many rows as a search reads. */
function asked(r, query, all) {
	const q = { by: query.get("by") };
	for (const p of r.parameters)
		if (!NOT_ASKED.has(p.name) && query.getAll(p.name).length)
			q[p.name] = p.type === "boolean" ? "true" : query.getAll(p.name);
	if (!all && r.sortable)
		Object.assign(q, query.get("q") ? { top: SEARCHED } : { top: SIZE, skip: query.get("skip") });
	if (r.sortable)
		q.sort = query.get("sort");
	return q;
}

function sortOf(query) {
	const [key, way] = (query.get("sort") || "").split(":");
	return key ? { key, descending: way === "desc" } : null;
}

function control(p, query, redraw) {
	if (p.type === "boolean")
		return field(titled(p.name), h("input", { type: "checkbox", checked: query.get(p.name),
			onchange: e => { change({ [p.name]: e.target.checked, skip: null }); redraw(); } }));
	const set = value => { change({ [p.name]: value, skip: null }); redraw(); };
	return field(titled(p.name), p.type === "text[]" ? listInput(query.getAll(p.name), HINTS[p.name], set)
		: h("input", { value: query.get(p.name) || "", size: "12", placeholder: HINTS[p.name],
			oninput: after(e => set(e.target.value.trim()), 400) }));
}

function columnChooser(columns, shown, redraw) {
	return h("details", { class: "menu" }, h("summary", null, "Columns"),
		h("div", { class: "menu-box" }, columns.map(c => h("label", null, h("input", { type: "checkbox",
			checked: shown.includes(c), onchange: e => {
				const keys = columns.filter(x => x === c ? e.target.checked : shown.includes(x));
				change({ cols: keys.map(x => x.key).join(",") });
				redraw();
			} }), c.title))));
}

function chosen(columns, query) {
	const keys = query.get("cols")?.split(",");
	return keys ? columns.filter(c => keys.includes(c.key)) : null;
}

function contains(n, words, where) {
	return words && `; ${figure(n, "count")} of ${where} contain “${words}”`;
}

/* Returns the table of the rows, or the tree of the calls. */
function rowsView({ s, r, of, set, columns, sort, words, skip, onsort, move, below }) {
	const entries = entryLinks(s, r.name), links = { ...entries, below: row => [entries.below(row), below(row)] }, common = { caption: r.title, columns, sort, links, onsort };
	if (isTree(r))
		return callTree({ ...common, rows: set.rows, words, of, below: r.name === "callers" ? "Callers" : "Calls" });
	const found = matching(set.rows, words), paged = r.sortable && !words;
	const rows = paged ? found : (r.sortable ? found : ordered(found, sort)).slice(skip, skip + SIZE);
	return [table({ ...common, rows, cells: cellsOf(s, r.name) }),
		pager(skip, rows.length, paged ? Number(set.totals?.rows ?? rows.length) : found.length, SIZE, move)];
}

function totals(answer, columns) {
	const t = answer.result_sets[0].totals || {};
	const sums = columns.filter(c => !isEmpty(t[c.key]) && c.summed)
		.map(c => `${c.title} ${figure(t[c.key], c.unit)}`);
	return [plural(t.rows ?? 0, "row", "rows"), ...sums].join(", ");
}

/* If the link names no variant of the report, the server chooses one. Returns the variant whose columns match the keys
 * of the rows. */
function kindOf(kinds, r, rows) {
	const keys = Object.keys(rows[0] || {});
	return kinds.find(k => keys.every(key => k.columns.some(c => c.key === key))) || r;
}

function view(s, kinds, named, answer, query, redraw, admin) {
	const set = answer.result_sets[0];
	const r = query.get("by") ? named : kindOf(kinds, named, set.rows);
	const all = set.rows, words = query.get("q") || "";
	const skip = Number(query.get("skip") || 0), sort = sortOf(query);
	const found = columnsOf(measured(r.columns, set.metric), all), columns = isTree(r) ? treeColumns(found) : found;
	const shown = chosen(columns, query) || (isTree(r) ? usualInTree(columns, all) : filled(usual(columns), all));
	if (!all.length)
		return [empty(skip ? "There are no more rows." : "No matching rows."), gaps(set)];
	const move = n => { change({ skip: n || null }); redraw(); };
	const onsort = (key, descending) => {
		change({ sort: `${key}:${descending ? "desc" : "asc"}`, skip: null });
		say(`Sorted by ${key}`);
		redraw();
	};
	return [h("p", { class: "sum" }, totals(answer, measured(r.columns, set.metric)),
		words && contains(matching(all, words).length, words, all.length < Number(set.totals?.rows ?? 0) ? `the first ${figure(all.length, "count")}` : "them"),
		set.totals?.suppressed && `; ${figure(set.totals.suppressed.records, "count")} suppressed`), gaps(set),
	columnChooser(columns, shown, redraw),
	rowsView({ s, r, of: reportUrl(s.inst_id, r.name, asked(r, query)), set, columns: shown, sort, words, skip, onsort, move,
		below: row => admin && suppressButton({ id: s.inst_id, report: r.name, query: asked(r, query), at: all.indexOf(row), row, done: redraw }) })];
}

function exportLinks(s, r, query) {
	return h("p", { class: "exports" }, h("span", null, "Export: "), FORMATS.map(([format, text]) =>
		fileLink(reportUrl(s.inst_id, r.name, { ...asked(r, query, true), format }),
			`${r.name}-${s.inst_id}.${EXTENSION[format]}`, text)));
}

function chooser(s, all, r, query) {
	const of = n => all.find(x => x.name === n);
	const names = reportNames(all).filter(n => fits(n, s) || n === r.name);
	const kinds = all.filter(x => x.name === r.name);
	return [field("Report", select({ onchange: e => go(to(["sets", s.inst_id, "report", e.target.value])) },
		names.map(n => [n, of(n).title]), r.name)),
	kinds.length > 1 && field("By", select({ onchange: e =>
		go(to(["sets", s.inst_id, "report", r.name], { by: e.target.value })) },
	[["", "automatic"], ...kinds.map(k => [k.by, titled(k.by)])], query.get("by") || ""))];
}

export default async function ({ id, name, query }) {
	const [s, all, admin] = await Promise.all([aSet(id), reports(), isAdmin()]);
	const r = all.find(x => x.name === name && (!query.get("by") || x.by === query.get("by")));
	if (!r)
		throw Object.assign(new Error(`There is no report ${name}.`), { hint: "The summary lists all reports." });
	const kinds = all.filter(x => x.name === name);
	const place = h("div", { class: "results" }), links = h("div");
	const now = () => new URLSearchParams(location.hash.split("?")[1] || "");
	const redraw = () => {
		const q = now(), at = document.activeElement?.closest?.("th")?.cellIndex;
		fill(links, exportLinks(s, r, q));
		return show(place, r.title, async () => {
			const answer = await getJson(reportUrl(id, name, asked(r, q))), [set] = answer.result_sets;
			set.rows = await sinceFirst(s, name, set.rows);
			return view(s, kinds, r, answer, q, redraw, admin);
		}).then(() => {
			if (at !== undefined)
				place.querySelectorAll("th")[at]?.querySelector("button")?.focus();
		});
	};
	const parameters = r.parameters.filter(p => !NOT_ASKED.has(p.name));
	await redraw();
	return [head(s, "report", r.title), h("h2", null, r.title), r.note && h("p", { class: "hint" }, r.note),
		countsFromFirst(r) && h("p", { class: "hint" }, "Times on this page count from the first timing. Exports keep Chrome's times."),
		h("form", { class: "tools", onsubmit: e => e.preventDefault() }, chooser(s, all, r, query),
			field("Search", h("input", { type: "search", value: query.get("q") || "",
				oninput: after(e => { change({ q: e.target.value, skip: null }); redraw(); }) })),
			parameters.length > 0 && h("details", { class: "more", open: parameters.some(p => query.get(p.name)) },
				h("summary", null, "Filters"), h("div", { class: "tools" },
					parameters.map(p => control(p, query, redraw))))),
		links, place];
}
