/* The page for the changes since another result set. */
import { h, fill, show, field, select, empty, figure, link, plural, listInput } from "./dom.js";
import { aSet, reports, getJson, diffUrl } from "./api.js";
import { basePicker } from "./base.js";
import { change, to } from "./route.js";
import { table, columnsOf, isNumber, measured, pager } from "./table.js";
import { head, has, fileLink, gaps, nameOfMetric } from "./set.js";
import { entryLinks } from "./entry.js";

const SIZE = 100, WIDE = 10;
const HIDDEN = new Set(["number", "own_module", "own_class", "own_file", "own_line", "unit"]);
const MARKS = { new: "bad", grown: "bad", gone: "good", shrunk: "good", same: "calm" };

function asked(query, base) {
	return { base, by: query.get("by"), metric: query.get("metric"), match: query.get("match"),
		normalise: query.get("normalise") ? "true" : null, status: query.get("status"),
		class: query.getAll("class"), module: query.getAll("module"), routine: query.getAll("routine") };
}

/* Shows the total changes, if the report contains them. */
function sums(set, columns) {
	const of = columns.filter(c => set.totals?.[c.key] != null && /_delta$/.test(c.key));
	return of.length > 0 && h("dl", { class: "cards" }, of.map(c => {
		const v = set.totals[c.key];
		const what = columns.find(x => x.key === c.key.replace(/_delta$/, ""));
		return h("div", { class: "card" }, h("dt", null, what?.title || c.title),
			h("dd", { class: v > 0 ? "up" : v < 0 ? "down" : null }, v > 0 ? "+" : "", figure(v, c.unit)));
	}));
}

function view(s, r, answer, query, redraw) {
	const set = answer.result_sets[0];
	const skip = Number(query.get("skip") || 0);
	const [key, way] = (query.get("sort") || "").split(":");
	const sort = key ? { key, descending: way === "desc" } : null;
	const rows = set.rows, all = Number(set.totals?.rows ?? rows.length);
	const metric = s.metrics?.find(m => m.name === set.metric?.name);
	const between = h("p", { class: "sum" }, metric && `${nameOfMetric(metric)}: `, metric ? "changes" : "Changes", " since result set ",
		link(to(["sets", set.base_inst_id]), null, `${set.base_inst_id}: ${set.base_caption || "no caption"}`));
	if (!rows.length)
		return [between, gaps(set), empty(skip ? "There are no more changes." : "No changes found.")];
	const measures = measured(r.columns, set.metric), columns = columnsOf(measures, set.rows).filter(c => !HIDDEN.has(c.key) && !/_percent$/.test(c.key) &&
		set.rows.some(x => x[c.key] !== null && x[c.key] !== "" && x[c.key] !== 0));
	/* Columns of names come before columns of numbers. The page omits percentages, and in wide tables the values of the
	 * base and the places of routines, but exports contain them. */
	const shown = columns.length <= WIDE ? columns : columns.filter(c => !/^(base_|file$|line$)/.test(c.key));
	shown.sort((a, b) => isNumber(a) - isNumber(b));
	return [between, gaps(set), sums(set, measures), h("p", { class: "sum" }, plural(all, "change", "changes")),
		table({ caption: r.title, columns: shown, rows, sort, links: entryLinks(s, "diff"),
			cells: { status: x => h("span", { class: `badge ${MARKS[x.status] || "calm"}` }, x.status) },
			onsort: (k, descending) => {
				change({ sort: `${k}:${descending ? "desc" : "asc"}`, skip: null });
				redraw();
			} }),
		pager(skip, rows.length, all, SIZE, n => { change({ skip: n || null }); redraw(); })];
}

export default async function ({ id, query }) {
	const [s, all] = await Promise.all([aSet(id), reports()]);
	const kinds = all.filter(r => r.name === "diff" && (r.by !== "object" || has.objects(s) || s.looked_for?.some(l => l.what === "leaks" && l.degree !== "none")));
	const place = h("div", { class: "results" }), links = h("div");
	const set = (name, value) => { change({ [name]: value, skip: null }); redraw(); };
	const picker = await basePicker({ set: s, label: "With", base: query.get("base"), onpick: v => set("base", v) });
	if (!picker.base)
		return [head(s, "compare", "Compare"), empty("There is no other result set to compare with.")];
	const now = () => new URLSearchParams(location.hash.split("?")[1] || "");
	const redraw = () => {
		const q = now(), base = q.get("base") || picker.base;
		const r = kinds.find(k => k.by === q.get("by")) || kinds[0];
		fill(links, h("p", { class: "exports" },
			s.metrics?.length > 0 && link(to(["sets", id, "flame"], { base }), null, "As a flame graph"),
			h("span", null, "Export: "),
			[["json", "JSON"], ["csv", "CSV"], ["markdown", "Markdown"], ["html", "HTML"]].map(([format, text]) =>
				fileLink(diffUrl(id, { ...asked(q, base), format }), `diff-${base}-${id}.${format}`, text))));
		return show(place, "the comparison", async () =>
			view(s, r, await getJson(diffUrl(id, { ...asked(q, base), top: SIZE, skip: q.get("skip"), sort: q.get("sort") })),
				q, redraw));
	};
	const globs = (name, text, example) => field(text, listInput(query.getAll(name), example, l => set(name, l)));
	redraw();
	return [head(s, "compare", "Compare"),
		h("form", { class: "tools", onsubmit: e => e.preventDefault() },
			picker.controls,
			field("By", select({ onchange: e => set("by", e.target.value) }, kinds.map(k => k.by),
				query.get("by") || kinds[0].by)),
			s.metrics?.length > 1 && field("Metric", select({ onchange: e => set("metric", e.target.value) },
				[["", "all metrics"], ...s.metrics.map(m => [m.name, nameOfMetric(m)])], query.get("metric") || "")),
			field("Show", select({ onchange: e => set("status", e.target.value) },
				[["", "all changes"], "new", "gone", "grown", "shrunk", "same"], query.get("status") || "")),
			h("details", { class: "more", open: ["class", "module", "routine"].some(k => query.get(k)) },
				h("summary", null, "Filters"), h("div", { class: "tools" }, globs("class", "Class", "TForm*"),
					globs("module", "Module", "orders*"), globs("routine", "Routine", "*Paint*"),
					field("Compare shares of the total", h("input", { type: "checkbox", checked: query.get("normalise"),
						onchange: e => set("normalise", e.target.checked) })),
					field("Match line numbers", h("input", { type: "checkbox", checked: query.get("match") === "lines",
						onchange: e => set("match", e.target.checked && "lines") }))))),
		links, place];
}
