/* The page for one routine, class, module, command, measure or request of a result set, and the links that lead to it. */
import { h, show, figure, link, empty } from "./dom.js";
import { aSet, reports, streams, getJson, path, reportUrl, flameUrl, trendUrl, similarSets, MOST_READ } from "./api.js";
import { to } from "./route.js";
import { table, columnsOf, filled, isEmpty, measured, usual } from "./table.js";
import { lineChart } from "./chart.js";
import { drawFlame } from "./flame.js";
import { sandwichOf, treeOf, frameName } from "./frames.js";
import { head, has, fits, cellsOf, nameOfMetric, sinceFirst } from "./set.js";
import { streamOf, streamLink } from "./stream.js";

/* --- links: table() asks for the link of a cell, of a stack's frame, and of a stack */

const named = (...parts) => parts.filter(Boolean).join(".");

/* Reports whose column "name" is a link to the page of a measure or request. */
const NAMED = { measures: "measure", requests: "request" };
const LONGEST_LINK = 6000;

/* The link to the flame graph that shows this stack, zoomed to its innermost frame. A very deep stack is cut, so that
 * browsers and proxies accept the link. */
export function stackLink(id, stack, metric) {
	const frame = [];
	let length = 0;
	for (const name of stack.map(frameName).reverse())
		if ((length += encodeURIComponent(name).length + 7) < LONGEST_LINK)
			frame.push(name);
	return to(["sets", id, "flame"], { frame, metric });
}

/* The address of a frame's routine in a result set; null if the routine is unknown. */
export function frameLink(id, f) {
	return f.class || f.routine ? to(["sets", id, "entry"], { routine: named(f.class, f.routine), short: f.class && f.routine }) : null;
}

/* Returns the name of a routine without its class. Links from a flame graph contain only the full name. */
function shortName(name, query) {
	return query.get("short") || /^(?:[^(]*\.)?([^.(]+(?:\(.*)?)$/.exec(name)?.[1] || name;
}

/* `report` is the report with the rows that have these links. */
export function entryLinks(s, report) {
	const at = query => to(["sets", s.inst_id, "entry"], query);
	const routine = (c, name) => has.tree(s) ? frameLink(s.inst_id, { class: c, routine: name }) : null;
	return {
		frame: f => routine(f.class, f.routine),
		below: row => has.tree(s) && row.stack?.length > 0 && h("p", { class: "below" },
			link(stackLink(s.inst_id, row.stack, report === "errors" ? "errors" : null), null, "Flame graph of this stack")),
		cell(key, row) {
			if (key === "name" && NAMED[report])
				return at({ [NAMED[report]]: row.name });
			const [, prefix = "", kind] = /^(own_|routine_)?(routine|class|module|command|call)$/.exec(key) || [];
			const of = k => row[`${prefix}${k}`];
			/* If a row has a routine and a class, the class is that of the routine. */
			if (kind === "routine")
				return routine(of("class") || row.routine_class, of("routine"));
			if (kind === "call")
				return routine(row.class, row.routine);
			if (kind === "class" && of("routine") === undefined && !prefix)
				return at({ class: row.class });
			return kind === "module" || kind === "command" ? at({ [kind]: of(kind) }) : null;
		},
	};
}

/* --- a routine: its callers and the routines that it calls, from the part of the call tree that contains it */

/* By default, the server sends only the MOST_CALLS widest calls of a tree. */
const SHOWN = 20, MOST_CALLS = 8192, METRICS = 6;

function neighbours(s, title, map, total, unit) {
	const rows = [...map].map(([name, value]) => ({ name, value, share: total ? 100 * value / total : 0 })).sort((a, b) => b.value - a.value);
	return h("section", { class: "panel" }, h("h3", null, title), rows.length ? table({ caption: title, rows: rows.slice(0, SHOWN), columns: [
		{ key: "name", title: "Routine", kind: "text" }, { key: "value", title: "Value", kind: "decimal", unit },
		{ key: "share", title: "Share", kind: "decimal", unit: "percent" }],
	cells: { name: r => r.name ? link(to(["sets", s.inst_id, "entry"], { routine: r.name }), null, r.name) : "no caller: the outermost call" } })
		: h("p", { class: "padded in" }, "No routines."),
	rows.length > SHOWN && h("p", { class: "padded in" }, `and ${figure(rows.length - SHOWN, "count")} more`));
}

/* The first metric in whose call tree the routine occurs, and the part of the tree that contains it. */
async function treeWith(s, name) {
	/* The totals of an open result set are not known. */
	const metrics = s.metrics.filter(m => m.family !== "gauges" && (isEmpty(m.total) || Number(m.total) !== 0)).slice(0, METRICS);
	const found = { metric: metrics[0] || s.metrics.find(m => m.family !== "gauges"), tree: null };
	for (const metric of metrics) {
		const tree = await getJson(flameUrl(s.inst_id, { format: "json", focus: name, metric: metric.name }), { rounded: true });
		if (tree.children?.length)
			return { metric, tree };
		found.tree ||= tree;
	}
	return found;
}

async function routine(s, name, { metric, tree }) {
	if (!tree)
		return empty("The call tree does not show this routine.");
	const { total, self, nodes, callers, called, below } = sandwichOf(tree, name);
	if (!total)
		return empty("The call tree does not show this routine.");
	const place = h("div");
	requestAnimationFrame(() => drawFlame(place, below, { unit: metric.unit }).catch(e => place.replaceChildren(h("p", { class: "in" }, e.message))));
	const whole = Number(metric.total);
	return [h("dl", { class: "cards" }, [[`${nameOfMetric(metric)}, with all that it calls`, figure(total, metric.unit)],
		["Itself", figure(self, metric.unit)], ["Share of the result set", whole ? `${figure(100 * total / whole, "percent")}` : ""]]
		.filter(([, v]) => v).map(([k, v]) => h("div", { class: "card" }, h("dt", null, k), h("dd", null, v)))),
	nodes >= MOST_CALLS - 1 && h("p", { class: "notes" }, "The call tree has more calls than are summed here. Narrow calls are counted as part of their callers."),
	h("div", { class: "halves" }, neighbours(s, "Callers", callers, total, metric.unit), neighbours(s, "Called routines", called, total, metric.unit)),
	h("section", { "aria-labelledby": "below" }, h("h2", { id: "below" }, "Calls from here"), h("div", { class: "panel flame-panel" }, place))];
}

/* --- rows of reports about the entry */

const MOST = 20, MOST_COMMANDS = 1000, LONGEST_COMMAND = 500;

/* Selects a command, and others that are equal except for their case or after LONGEST_COMMAND characters. "*" and "?" in it match other
 * characters, too. */
const sameCommand = name => ({ by: "exact", command: name.length > LONGEST_COMMAND ? `${name.slice(0, LONGEST_COMMAND)}*` : name, top: MOST_COMMANDS });

const answerOf = async (s, name, query) => (await getJson(reportUrl(s.inst_id, name, query))).result_sets[0];

async function rows(s, all, name, query, { keep = () => true, asked = answerOf(s, name, query) } = {}) {
	const answer = await asked;
	answer.rows = await sinceFirst(s, name, answer.rows);
	const kind = all.find(x => x.name === name && Object.keys(answer.rows[0] || {}).every(k => x.columns.some(c => c.key === k)));
	const kept = answer.rows.filter(keep).slice(0, MOST), columns = filled(usual(columnsOf(measured(kind.columns, answer.metric), kept)), kept);
	return kept.length > 0 && h("section", null, h("h2", null, kind.title), table({ caption: kind.title, rows: kept, columns,
		cells: cellsOf(s, name), links: entryLinks(s, name) }),
	answer.totals?.rows > kept.length && query.top === MOST && h("p", null,
		link(to(["sets", s.inst_id, "report", name], { ...query, top: null }), null, `All ${figure(answer.totals.rows, "count")} rows`)));
}

/* For each kind of entry, the reports about it. */
const REPORTS = { routine: ["leaks", "errors", "peak"], class: ["leaks", "objects"], module: ["leaks", "hot"], command: ["duplicates", "commands"],
	measure: ["measures"], request: ["requests", "profiles"] };

/* Asks for the reports with the stacks that contain a routine: [{ report, query, asked: the answer's promise }]. */
function stacksWith(s, name, short) {
	const query = { routine: [...new Set([name, short])], top: MOST };
	return REPORTS.routine.filter(r => fits(r, s)).map(report => ({ report, query, asked: answerOf(s, report, query) }));
}

function reported(s, all, kind, name) {
	return REPORTS[kind].filter(r => fits(r, s)).map(r => {
		if (kind === "command")
			return rows(s, all, r, sameCommand(name), { keep: x => x.command === name });
		if (kind === "measure" || kind === "request")
			return rows(s, all, r, { name, top: MOST, by: kind === "measure" ? "each" : null });
		const takes = all.some(x => x.name === r && x.parameters.some(p => p.name === kind));
		return rows(s, all, r, { [takes ? kind : "focus"]: name, top: MOST });
	});
}

/* Some formats know the line of each call instead of the line of the routine. Returns the routine's lines in the answers. */
async function linesIn(stacks, name) {
	const answers = await Promise.all(stacks.map(x => x.asked)), lines = new Map();
	for (const f of answers.flatMap(a => a.rows).flatMap(r => r.stack || []))
		if (named(f.class, f.routine) === name && f.file && !isEmpty(f.line))
			lines.set(f.file, (lines.get(f.file) || new Set()).add(Number(f.line)));
	const more = answers.some(a => Number(a.totals?.rows) > a.rows.length);
	return [...lines].map(([file, all]) => `${file}:${[...all].sort((x, y) => x - y).join(", ")}`).join("; ") + (lines.size && more ? " and others" : "");
}

/* The source file and line of a routine, from the report with its cost or from the stacks that contain it. */
async function source(s, name, stacks, metric) {
	const hot = metric ? (await answerOf(s, "hot", { focus: name, metric: metric.name, sort: "total:desc", top: 1000 })).rows : [];
	const own = hot.find(r => named(r.class, r.routine) === name);
	const place = own?.file && !isEmpty(own.line) ? `${own.file}:${own.line}` : await linesIn(stacks, name) || own?.file;
	const module = own?.module;
	return (place || module) && h("p", { class: "kind" }, place && ["Source ", h("strong", { class: "at" }, place)], place && module && ", ",
		module && ["module ", link(to(["sets", s.inst_id, "entry"], { module }), null, module)], ".");
}

/* --- the flame graph of a class: the stacks that allocated its objects */

const MOST_STACKS = 1000;

async function classFlame(s, name) {
	const { rows: found, totals } = (await getJson(reportUrl(s.inst_id, "leaks", { by: "stack", class: name, top: MOST_STACKS }))).result_sets[0];
	const key = found.some(r => Number(r.size)) ? "size" : "count", place = h("div"), tree = treeOf(found.filter(r => r.stack?.length), key);
	if (!tree.children.length)
		return null;
	requestAnimationFrame(() => drawFlame(place, tree, { unit: key === "size" ? "bytes" : "count" }).catch(e => place.replaceChildren(h("p", { class: "in" }, e.message))));
	return h("section", { "aria-labelledby": "allocated" }, h("h2", { id: "allocated" }, "Where its objects were allocated"),
		totals?.rows > found.length && h("p", { class: "notes" }, `The picture shows the ${figure(found.length, "count")} largest of ${figure(totals.rows, "count")} stacks.`),
		h("div", { class: "panel flame-panel" }, place));
}

/* --- its history: the same figure in the newest result sets of this application, branch and format */

const POINTS = 50, SEARCHED = 20;

const sameKind = (s, limit) => similarSets(s, { limit });

/* The total of the stacks with this routine in each result set. The filter compares the whole name, with the class. All
 * of these stacks contain the routine, so no total is larger than that of the routine. */
async function routineTotals(ids, name, metric) {
	const answer = await getJson(path(["v1", "reports", "hot"], { set: ids, focus: name, metric, sort: "total:desc", top: 1 }), { rounded: true });
	return new Map(answer.result_sets.map(r => [String(r.inst_id), Number(r.rows[0]?.total ?? 0)]));
}

async function commandTotals(ids, name) {
	const answer = await getJson(path(["v1", "reports", "commands"], { set: ids, ...sameCommand(name), sort: "total:desc" }), { rounded: true });
	return new Map(answer.result_sets.map(r => [String(r.inst_id), r.rows.filter(x => x.command === name).reduce((sum, x) => sum + Number(x.total), 0)]));
}

/* An open result set has no stored call tree, so its value is not computed, except that of the page's own result set. */
const isCheap = (s, r) => r.inst_id === s.inst_id || r.state !== "open";

/* The values of several result sets; totalsOf(ids) returns a Map of them. If there is no answer for all of them together,
 * asks for one after the other, so that the page does not fill the server's queue. */
async function valued(s, sets, totalsOf) {
	const asked = sets.filter(r => isCheap(s, r)).map(r => r.inst_id);
	let totals = await totalsOf(asked).catch(() => null);
	if (!totals) {
		totals = new Map();
		for (const id of asked)
			totals.set(String(id), await totalsOf([id]).then(t => t.get(String(id)), () => null));
	}
	return sets.map(r => ({ ...r, value: totals.get(String(r.inst_id)) ?? null }));
}

/* The values of a trend in the result sets of the same kind that measured the metric. */
async function trended(s, query, limit) {
	const label = s.labels?.branch && `branch=${s.labels.branch}`, last = s.application && label ? limit : MOST_READ;
	/* If no result set has such a value, the server answers 404. */
	const [all, same] = await Promise.all([getJson(trendUrl({ application: s.application, label, last, ...query })).catch(error => {
		if (error.status === 404)
			return null;
		throw error;
	}), sameKind(s, limit)]);
	if (!all)
		return [];
	const found = new Map(all.result_sets[0].rows.map(r => [r.inst_id, r]));
	return same.filter(r => found.has(r.inst_id)).reverse().map(r => ({ ...r, value: found.get(r.inst_id).value }));
}

/* Only objects have a class and a module in trends. */
async function history(s, kind, name, metric = s.metrics?.find(m => m.family !== "gauges")) {
	const duration = kind === "measure" || kind === "request";
	if (!metric && !duration || ["class", "module"].includes(kind) && !metric.name.startsWith("live_"))
		return null;
	const unit = duration ? kind === "measure" ? "microseconds" : "milliseconds" : kind === "command" ? "milliseconds" : metric.unit;
	const title = duration ? "Median duration" : kind === "command" ? "Total time" : nameOfMetric(metric);
	const found = duration ? await trended(s, { metric: "duration", name }, POINTS)
		: kind === "command" ? await valued(s, (await sameKind(s, SEARCHED)).reverse(), ids => commandTotals(ids, name))
		: kind === "routine" && has.tree(s) ? await valued(s, await trended(s, { metric: metric.name }, SEARCHED), ids => routineTotals(ids, name, metric.name))
		: await trended(s, { metric: metric.name, [kind]: name }, POINTS);
	const points = found.map(r => ({ value: r.value === null ? null : Number(r.value), name: r.app_version || String(r.inst_id),
		title: `${r.caption || "no caption"} (No. ${r.inst_id})`, href: to(["sets", r.inst_id, "entry"], { [kind]: name }) }));
	return points.length > 1 && h("section", { class: "panel series" }, h("h3", null, `${title} of the same ${kind} in the newest result sets`),
		lineChart(points, { unit, width: Math.max(300, document.getElementById("content").clientWidth - 76), label: `${title}, oldest first` }));
}

function links(s, kind, name, stream, metric) {
	const flame = (query, text) => link(to(["sets", s.inst_id, "flame"], query), null, text);
	const focused = has.tree(s) && ["routine", "module", "request"].includes(kind);
	return h("p", { class: "exports" }, focused && [flame({ focus: name, metric: metric?.name }, "Flame graph focused here"),
		kind !== "request" && flame({ focus: name, invert: true, metric: metric?.name }, "Callers as a flame graph")],
		kind === "command" && has.tree(s) && flame({}, "Flame graph of all requests"),
		kind === "measure" && link(to(["sets", s.inst_id, "timings"], { q: name }), null, "On the timeline"),
		stream && !["command", "measure", "request"].includes(kind) && streamLink(stream, { q: name }, "Findings in the history"));
}

const KINDS = { routine: "Routine", class: "Class", module: "Module", command: "Command", measure: "Measure", request: "Request" };

export default async function ({ id, query }) {
	const kind = Object.keys(KINDS).find(k => query.get(k));
	const [s, all, histories] = await Promise.all([aSet(id), reports(), streams()]);
	if (!kind)
		return [head(s, "entry", "Entry"), empty("The link names no routine, class, module, command, measure or request.")];
	const name = query.get(kind), short = kind === "routine" ? shortName(name, query) : name, drawn = h("div"), chart = h("div"), place = h("div"), places = [];
	const stacks = kind === "routine" ? stacksWith(s, name, short) : [], inside = r => r.stack?.some(f => named(f.class, f.routine) === name);
	const stream = streamOf(s, histories), linked = h("div", null, links(s, kind, name, stream));
	if (kind === "routine" && has.tree(s)) {
		const tree = treeWith(s, name);
		show(place, "the source line", async () => source(s, name, stacks, (await tree).metric));
		show(drawn, "the calls", async () => {
			const { metric } = await tree;
			linked.replaceChildren(links(s, kind, name, stream, metric));
			show(chart, "the history", () => history(s, kind, name, metric));
			return routine(s, name, await tree);
		});
	} else
		show(chart, "the history", () => history(s, kind, name));
	if (kind === "class" && has.objects(s))
		show(drawn, "the flame graph", () => classFlame(s, name));
	const found = kind === "routine" ? stacks.map(x => rows(s, all, x.report, x.query, { keep: inside, asked: x.asked })) : reported(s, all, kind, name);
	for (const made of found) {
		const reported = h("div");
		show(reported, "the reports", () => made);
		places.push(reported);
	}
	return [head(s, "entry", name.slice(0, 80)), h("h2", { class: "entry" }, `${KINDS[kind]} `,
		kind === "command" ? h("code", { class: "command" }, name) : name),
	place, linked, drawn, chart, places];
}
