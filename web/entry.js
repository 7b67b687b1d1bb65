/* The page for one routine, class, module or command of a result set, and the links that lead to it. */
import { h, show, figure, link, empty } from "./dom.js";
import { aSet, reports, streams, getJson, reportUrl, flameUrl, trendUrl, listSets } from "./api.js";
import { to } from "./route.js";
import { table, columnsOf, filled, measured, usual } from "./table.js";
import { lineChart } from "./chart.js";
import { drawFlame } from "./flame.js";
import { sandwichOf } from "./frames.js";
import { head, has, fits, cellsOf, nameOfMetric } from "./set.js";
import { streamOf, streamLink } from "./stream.js";

/* --- links: table() asks for the link of a cell and of a stack's frame */

const named = (...parts) => parts.filter(Boolean).join(".");

/* The address of a frame's routine in a result set; null if the routine is unknown. */
export function frameLink(id, f) {
	return f.class || f.routine ? to(["sets", id, "entry"], { routine: named(f.class, f.routine), short: f.class && f.routine }) : null;
}

/* Returns the name of a routine without its class. Links from a flame graph contain only the full name. */
function shortName(name, query) {
	return query.get("short") || /^(?:[^(]*\.)?([^.(]+(?:\(.*)?)$/.exec(name)?.[1] || name;
}

export function entryLinks(s) {
	const at = query => to(["sets", s.inst_id, "entry"], query);
	const routine = (c, name) => has.tree(s) ? frameLink(s.inst_id, { class: c, routine: name }) : null;
	return {
		frame: f => routine(f.class, f.routine),
		cell(key, row) {
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
const SHOWN = 20, MOST_CALLS = 8192;

function neighbours(s, title, map, total, unit) {
	const rows = [...map].map(([name, value]) => ({ name, value, share: total ? 100 * value / total : 0 })).sort((a, b) => b.value - a.value);
	return h("section", { class: "panel" }, h("h3", null, title), rows.length ? table({ caption: title, rows: rows.slice(0, SHOWN), columns: [
		{ key: "name", title: "Routine", kind: "text" }, { key: "value", title: "Value", kind: "decimal", unit },
		{ key: "share", title: "Share", kind: "decimal", unit: "percent" }],
	cells: { name: r => r.name ? link(to(["sets", s.inst_id, "entry"], { routine: r.name }), null, r.name) : "no caller: the outermost call" } })
		: h("p", { class: "padded in" }, "No routines."),
	rows.length > SHOWN && h("p", { class: "padded in" }, `and ${figure(rows.length - SHOWN, "count")} more`));
}

async function routine(s, name) {
	const tree = await getJson(flameUrl(s.inst_id, { format: "json", focus: name }), { rounded: true });
	const metric = s.metrics.find(m => m.family !== "gauges"), { total, self, nodes, callers, called, below } = sandwichOf(tree, name);
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

const MOST = 20;

async function rows(s, all, name, query, keep = () => true) {
	const answer = (await getJson(reportUrl(s.inst_id, name, query))).result_sets[0];
	const kind = all.find(x => x.name === name && Object.keys(answer.rows[0] || {}).every(k => x.columns.some(c => c.key === k)));
	const kept = answer.rows.filter(keep).slice(0, MOST), columns = filled(usual(columnsOf(measured(kind.columns, answer.metric), kept)), kept);
	return kept.length > 0 && h("section", null, h("h2", null, kind.title), table({ caption: kind.title, rows: kept, columns,
		cells: cellsOf(s, name), links: entryLinks(s) }),
	answer.totals?.rows > kept.length && query.top === MOST && h("p", null,
		link(to(["sets", s.inst_id, "report", name], { ...query, top: null }), null, `All ${figure(answer.totals.rows, "count")} rows`)));
}

/* For each kind of entry, the reports about it. */
const REPORTS = { routine: ["leaks", "errors"], class: ["leaks", "objects"], module: ["leaks", "hot"], command: ["duplicates", "commands"] };

function reported(s, all, kind, name, short) {
	const inside = r => r.stack?.some(f => named(f.class, f.routine) === name);
	return REPORTS[kind].filter(r => fits(r, s)).map(r => {
		if (kind === "routine")
			return rows(s, all, r, { routine: [...new Set([name, short])], top: MOST }, inside);
		if (kind === "command")
			return rows(s, all, r, { by: "exact", top: 1000 }, x => x.command === name);
		const takes = all.some(x => x.name === r && x.parameters.some(p => p.name === kind));
		return rows(s, all, r, { [takes ? kind : "focus"]: name, top: MOST });
	});
}

const POINTS = 50;

/* --- its history: the same figure in the newest result sets of this application and branch */

async function trend(s, kind, name, short) {
	const metric = s.metrics?.find(m => m.family !== "gauges");
	if (!metric || kind === "command")
		return null;
	const of = { application: s.application, label: s.labels?.branch && `branch=${s.labels.branch}` };
	const [all, same] = await Promise.all([getJson(trendUrl({ ...of, metric: metric.name, last: POINTS,
		[kind]: kind === "routine" ? [...new Set([name, short])] : name })), listSets({ ...of, format: s.format, limit: POINTS })]);
	const points = all.result_sets[0].rows.filter(r => same.some(x => x.inst_id === r.inst_id)).map(r => ({ value: r.value === null ? null : Number(r.value), name: r.app_version || String(r.inst_id),
		title: `${r.caption || "no caption"} (No. ${r.inst_id})`, href: to(["sets", r.inst_id, "entry"], { [kind]: name }) }));
	return points.length > 1 && h("section", { class: "panel series" }, h("h3", null, `${nameOfMetric(metric)} of ${kind === "routine" && short !== name
		? `stacks with a routine ${short}` : "the same name"} in the newest result sets`),
		lineChart(points, { unit: metric.unit, width: Math.max(300, document.getElementById("content").clientWidth - 76),
			label: `${nameOfMetric(metric)}, oldest first` }));
}

function links(s, kind, name, short, stream) {
	return h("p", { class: "exports" }, kind !== "command" && kind !== "class" && has.tree(s) && [
		link(to(["sets", s.inst_id, "flame"], { focus: name }), null, "Flame graph focused here"),
		link(to(["sets", s.inst_id, "flame"], { focus: name, invert: true }), null, "Callers as a flame graph")],
	stream && kind !== "command" && streamLink(stream, { q: short }, "Findings in the history"));
}

const KINDS = { routine: "Routine", class: "Class", module: "Module", command: "Command" };

export default async function ({ id, query }) {
	const kind = Object.keys(KINDS).find(k => query.get(k));
	const [s, all, histories] = await Promise.all([aSet(id), reports(), streams()]);
	if (!kind)
		return [head(s, "entry", "Entry"), empty("The link names no routine, class, module or command.")];
	const name = query.get(kind), short = kind === "routine" ? shortName(name, query) : name, drawn = h("div"), chart = h("div"), places = [];
	if (kind === "routine" && has.tree(s))
		show(drawn, "the calls", () => routine(s, name));
	for (const made of reported(s, all, kind, name, short)) {
		const place = h("div");
		show(place, "the reports", () => made);
		places.push(place);
	}
	show(chart, "the history", () => trend(s, kind, name, short));
	return [head(s, "entry", name.slice(0, 80)), h("h2", { class: "entry" }, `${KINDS[kind]} `,
		kind === "command" ? h("code", { class: "command" }, name) : name),
	links(s, kind, name, short, streamOf(s, histories)), drawn, chart, places];
}
