/* The page for a result set: what kind of run it was, its figures, its flame graph, its worst entries, and what changed. */
import { h, figure, inUnit, moment, TIMES, plural, link, show, empty } from "./dom.js";
import { aSet, reports, streams, getJson, reportUrl, exportUrl, flameUrl, diffUrl, forPages, previousSet } from "./api.js";
import { to } from "./route.js";
import { table, columnsOf, filled, measured, usual } from "./table.js";
import { lineChart } from "./chart.js";
import { editing } from "./edit.js";
import { drawFlame } from "./flame.js";
import { withoutZero } from "./timings.js";
import { streamOf, streamLink } from "./stream.js";
import { entryLinks, frameLink, stackLink } from "./entry.js";
import { head, has, fits, fileLink, reportNames, worstReport, cellsOf, nameOfMetric, mainMetric, gaps, sinceFirst } from "./set.js";

const FACTS = [["tool", "Tool"], ["format", "Format"], ["application", "Application"],
	["app_version", "Version"], ["host", "Host"], ["source_name", "Source"], ["run", "Run"], ["commit", "Commit"],
	["environment", "Environment"], ["started_at", "Started"],
	["loaded_at", "Loaded"], ["input_bytes", "Input"], ["state", "State"]];

const rowsOf = async (s, name, query) => (await getJson(reportUrl(s.inst_id, name, query))).result_sets[0];

/* --- what kind of run it was */

const KINDS = [["leaks", "leaks"], ["errors", "errors"], ["races", "data races"]];

function kindOf(s) {
	const looked = KINDS.filter(([what]) => s.looked_for?.some(c => c.what === what && c.degree !== "none")).map(([, text]) => text);
	if (has.profiles(s))
		return "Timings of requests";
	if (has.timings(s))
		return "Trace of a browser";
	if (s.metrics?.some(m => m.name === "peak_space" || m.family === "gauges"))
		return "Memory profile";
	if (has.objects(s) || has.errors(s) || !s.metrics?.length && looked.length)
		return `Check for ${new Intl.ListFormat("en").format(looked.length ? looked : [has.objects(s) ? "leaks" : "errors"])}`;
	if (s.format === "kernelscope")
		return "Events of a computer";
	const unit = s.metrics?.find(m => m.family !== "gauges")?.unit;
	return TIMES.includes(unit) ? "Time profile" : unit === "bytes" ? "Memory profile" : has.samples(s) ? "Profile" : "Result set";
}

/* Describes the run, as in "Check for leaks and errors by AQTime: Orders 5.2.2, branch main, on db1, started 2026-11-26,
 * 23:39." */
function kind(s) {
	const where = [[s.application, s.app_version].filter(Boolean).join(" "),
		...Object.entries(s.labels || {}).map(([k, v]) => `${k} ${v}`), s.host && `on ${s.host}`,
		s.started_at ? `started ${moment(s.started_at)}` : `loaded ${moment(s.loaded_at)}`].filter(Boolean);
	return h("p", { class: "kind" }, h("strong", null, kindOf(s)), s.tool && ` by ${s.tool}`, ": ", where.join(", "), ".");
}

/* --- figures: only those that were measured */

const card = (title, value, href) => h("div", { class: "card" }, h("dt", null, title),
	h("dd", null, href ? link(href, null, value) : value));

/* The two metrics of a pair have the same value: they count the blocks that were never released. If a set has both
 * metrics, only the second is shown. */
const REPEATED = { inuse_objects: "live_count", inuse_space: "live_size" };

function totals(s) {
	const names = new Set(s.metrics?.map(m => m.name));
	return (s.metrics || []).filter(m => m.total !== null && m.total !== undefined && m.family !== "gauges" && !names.has(REPEATED[m.name]))
		.map(m => card(nameOfMetric(m), figure(Number(m.total), m.unit), to(["sets", s.inst_id, "flame"], { metric: m.name })));
}

/* The kinds of findings that the run looked for, but did not find. */
function clean(s) {
	const none = [["leaks", "Leaks", has.objects], ["errors", "Errors", has.errors], ["races", "Data races", has.errors]];
	const degree = what => s.looked_for?.find(c => c.what === what && c.degree !== "none")?.degree;
	return none.filter(([what, , found]) => !found(s) && degree(what)).map(([what, title]) =>
		card(title, degree(what) === "full" && s.finished !== false ? "none" : "none, searched in part"));
}

/* Figures that only a report knows: [report, query, (answer) => [title, text, link]]. */
const REPORTED = [
	["duplicates", { by: "exact", top: 1 }, (a, s) => ["N+1 commands", figure(Number(a.totals.rows), "count"), to(["sets", s.inst_id, "report", "duplicates"])]],
	["profiles", { sort: "duration:desc", top: 1 }, (a, s) => a.rows[0].duration !== null && ["Slowest request", `${a.rows[0].name}: ${figure(a.rows[0].duration, "milliseconds")}`,
		to(["sets", s.inst_id, "profile"], { track: a.rows[0].track })]],
	["measures", { by: "each", sort: "duration:desc", top: 1 }, (a, s) => ["Slowest measure",
		`${a.rows[0].name}: ${figure(Number(a.rows[0].duration), "microseconds")}`, to(["sets", s.inst_id, "report", "measures"])]],
];

async function reported(s) {
	const found = await Promise.all(REPORTED.filter(([name]) => fits(name, s)).map(async ([name, query, f]) => {
		const answer = await rowsOf(s, name, query);
		const figures = (answer.rows.length || name === "duplicates") && f(answer, s);
		return figures ? card(...figures) : null;
	}));
	return found.filter(Boolean);
}

const GAUGES = 6;

/* The highest values of a set that has only gauges. */
async function highest(s) {
	if (has.tree(s) || !has.gauges(s))
		return [];
	return (await rowsOf(s, "gauges", {})).rows.slice(0, GAUGES).map(r =>
		card(`Highest ${nameOfMetric({ name: r.metric, title: r.title }).toLowerCase()}`, figure(Number(r.maximum), r.unit), to(["sets", s.inst_id, "report", "gauges"])));
}

async function cards(s) {
	const shown = [...totals(s), ...await highest(s), ...clean(s), ...await reported(s)];
	const counts = [["spans", "Spans"], ["samples", "Samples"], ["stacks", "Distinct stacks"], ["tracks", "Tracks"]];
	/* A metric can count the same things, such as the samples of folded stacks. */
	const titles = new Set(s.metrics?.map(nameOfMetric));
	return h("dl", { class: "cards" }, shown, counts.filter(([key, title]) => s.rows?.[key] > 0 && !titles.has(title)).map(([key, title]) =>
		card(title, figure(Number(s.rows[key]), "count"))));
}

/* --- the worst entries */

const WORST = 10;

async function worst(s, all) {
	const tried = [[worstReport(s)], has.tree(s) && ["hot", { metric: mainMetric(s).name }], has.timings(s) && ["usertimings"]].filter(Boolean);
	let name, query, answer;
	do {
		[name, query] = tried.shift();
		answer = await rowsOf(s, name, { top: WORST, ...query });
	} while (!answer.rows.length && tried.length);
	const r = all.find(x => x.name === name);
	const kind = all.find(x => x.name === name && Object.keys(answer.rows[0] || {}).every(k => x.columns.some(c => c.key === k))) || r;
	const rows = (await sinceFirst(s, name, answer.rows)).map(withoutZero);
	const columns = filled(usual(columnsOf(measured(kind.columns, answer.metric), rows)), rows);
	const total = Number(answer.totals?.rows ?? answer.rows.length), metric = s.metrics?.find(m => m.name === answer.metric?.name);
	return h("section", { "aria-labelledby": "worst" }, h("h2", { id: "worst" }, kind.title, metric && name === "hot" && `: ${nameOfMetric(metric)}`),
		rows.length ? table({ caption: `${kind.title}: the first entries`, columns, rows, cells: cellsOf(s, name), links: entryLinks(s, name) })
			: empty("There are no entries."),
		total > rows.length && h("p", null, link(to(["sets", s.inst_id, "report", name], query), null,
			`All ${figure(total, "count")} rows`)));
}

/* --- what changed since the previous result set of the stream */

const CHANGES = 5, MARKS = { new: "bad", grown: "bad", gone: "good", shrunk: "good" };

async function changes(s) {
	const base = await previousSet(s), drawn = has.tree(s) && base && (await aSet(base.inst_id)).metrics?.some(m => m.name === mainMetric(s).name);
	if (!base)
		return h("p", { class: "in" }, "There is no earlier result set with this application, branch and format.");
	const answer = (await getJson(diffUrl(s.inst_id, { base: base.inst_id, top: CHANGES }))).result_sets[0];
	const counted = Number(answer.totals?.rows ?? answer.rows.length);
	const deltas = Object.entries(answer.totals || {}).filter(([k, v]) => k.endsWith("_delta") && Number(v));
	const counts = answer.columns.find(c => c.key === "count")?.title.toLowerCase();
	const unit = key => key.startsWith("size") ? "bytes" : key.startsWith("count") ? "count" : answer.metric?.unit || "count";
	return [gaps(answer), h("p", null, "Since ", link(to(["sets", base.inst_id]), null, base.app_version || base.caption || `No. ${base.inst_id}`),
		counted ? `: ${plural(counted, "change", "changes")}` : ": nothing changed", deltas.map(([k, v]) => [", ",
			h("span", { class: v > 0 ? "up" : "down" }, `${v > 0 ? "+" : ""}${inUnit(Number(v), unit(k))}`),
			k === "count_delta" ? ` ${counts}` : unit(k) === "none" && ` ${answer.metric.name}`]), "."),
	counted > 0 && h("ul", { class: "changes" }, answer.rows.map(r => change(r.status === "gone" ? base : s, r, unit))),
	counted > 0 && h("p", null, link(to(["sets", s.inst_id, "compare"], { base: base.inst_id }), null, "Compare"),
		drawn && [", ", link(to(["sets", s.inst_id, "flame"], { base: base.inst_id }), null, "flame graph of the change")])];
}

/* Describes a row of the comparison. Its links lead into `s`: the result set, or the base if the entry is gone. */
function change(s, r, unit) {
	const key = ["size", "count", "value", "total", "self"].find(k => r[`${k}_delta`]) || "count", delta = Number(r[`${key}_delta`] ?? r.delta ?? 0);
	const top = r.stack?.find(f => f.file) || r.stack?.[0] || (r.routine && r);
	const name = top && [top.class, top.routine].filter(Boolean).join("."), at = query => to(["sets", s.inst_id, "entry"], query);
	const module = top?.module || r.module;
	const what = r.kind ? [r.kind, r.name].filter(Boolean).join(" ") : !r.routine && r.class && link(at({ class: r.class }), null, r.class);
	return h("li", null, h("span", { class: `badge ${MARKS[r.status] || "calm"}` }, r.status), " ",
		delta !== 0 && h("span", { class: delta > 0 ? "up" : "down" }, `${delta > 0 ? "+" : ""}${inUnit(delta, unit(key))} `),
		what, " ", name ? ["in ", link(frameLink(s.inst_id, top), null, name)]
			: !what && (module ? ["in ", link(at({ module }), null, module)] : "in an unknown routine"),
		r.stack?.length > 0 && [", ", link(stackLink(s.inst_id, r.stack, r.kind ? "errors" : null), null, "stack")]);
}

/* --- the flame graph */

const CALLS = 400;

async function smallFlame(s) {
	const metric = mainMetric(s), inner = h("div");
	const tree = await getJson(flameUrl(s.inst_id, { format: "json", metric: metric.name, max_nodes: CALLS, min_share: "1" }), { rounded: true });
	if (tree.children?.length)
		requestAnimationFrame(() => drawFlame(inner, tree, { unit: metric.unit })
			.catch(e => inner.replaceChildren(h("p", { class: "in" }, e.message))));
	return tree.children?.length ? inner : empty("The call tree is empty.");
}

/* --- facts, reports and exports */

function facts(s, stream) {
	const value = key => key === "run" ? link(to(["runs", s.run]), null, s.run)
		: key === "input_bytes" ? figure(s[key], "bytes")
		: /_at$/.test(key) ? moment(s[key]) : s[key];
	const labels = Object.entries(s.labels || {});
	const lookedFor = (s.looked_for || []).filter(c => c.degree !== "none")
		.map(c => c.degree === "full" ? c.what : `${c.what} (${c.degree})`);
	return h("section", { class: "panel padded", "aria-labelledby": "about" },
		h("h2", { id: "about" }, "About"),
		h("dl", { class: "facts" },
			FACTS.filter(([k]) => s[k] !== null && s[k] !== undefined && s[k] !== "").map(([k, title]) =>
				h("div", null, h("dt", null, title), h("dd", null, value(k)))),
			s.metrics?.length > 0 && h("div", null, h("dt", null, "Measured"),
				h("dd", null, s.metrics.map(nameOfMetric).join(", "))),
			lookedFor.length > 0 && h("div", null, h("dt", null, "Looked for"), h("dd", null, lookedFor.join(", "))),
			stream && h("div", null, h("dt", null, "History"), h("dd", null, streamLink(stream))),
			s.finished === false && h("div", null, h("dt", null, "Finished"), h("dd", null, "no")),
			labels.length > 0 && h("div", null, h("dt", null, "Labels"), h("dd", null,
				labels.map(([k, v]) => h("span", { class: "badge calm" }, `${k}=${v}`))))));
}
function reportLinks(s, all) {
	const of = name => all.find(r => r.name === name);
	const entry = name => h("li", null, link(to(["sets", s.inst_id, "report", name]), null, of(name).title));
	const names = reportNames(all);
	const fitting = names.filter(n => fits(n, s)), others = names.filter(n => !fits(n, s));
	return h("section", { class: "panel padded", "aria-labelledby": "reports" },
		h("h2", { id: "reports" }, "Reports"),
		h("ul", { class: "columns" }, fitting.map(entry)),
		others.length > 0 && h("details", { class: "more" },
			h("summary", null, "Other reports"),
			h("ul", { class: "columns" }, others.map(entry))));
}
const EXPORTS = [["speedscope", "speedscope", "speedscope.json", has.tree],
	["chrome", "Chrome trace", "chrome.json", s => s.format === "chrome"],
	["miniprofiler", "MiniProfiler", "miniprofiler.json", has.profiles],
	["kernelscope", "kernelscope", "kernelscope.json", s => s.format === "kernelscope"]];

function exports(s) {
	const name = `result-set-${s.inst_id}`;
	const links = EXPORTS.filter(e => e[3](s)).map(([format, title, end]) =>
		fileLink(exportUrl(s.inst_id, format), `${name}.${end}`, title));
	if (has.tree(s))
		links.push(fileLink(flameUrl(s.inst_id, { format: "folded" }), `${name}.folded`, "Folded stacks"),
			fileLink(flameUrl(s.inst_id, { format: "svg" }), `${name}.svg`, "Image (SVG)"));
	links.push(fileLink(reportUrl(s.inst_id, "dossier"), `${name}.html`, "Dossier (HTML)"));
	return h("p", { class: "exports" }, h("span", null, "Export: "), links);
}
async function summary(s, all) {
	const r = all.find(x => x.name === "summary");
	const answer = await getJson(reportUrl(s.inst_id, "summary"));
	/* Only the rows of classes have a module, even if its name is empty. The other items begin with a capital letter. */
	const rows = answer.result_sets[0].rows.map(x => x.module === null && x.item ? { ...x, item: x.item[0].toUpperCase() + x.item.slice(1) } : x);
	const sections = [...new Set(rows.map(x => x.section))];
	const columns = usual(columnsOf(r.columns, rows)).filter(c => c.key !== "section");
	const entry = entryLinks(s, "summary");
	const links = { ...entry, cell: (key, row) => key === "item" && row.module !== null ? entry.cell("class", { class: row.item }) : entry.cell(key, row) };
	return [gaps(answer.result_sets[0]), h("div", { class: "sections" }, sections.map(name => {
		const all = rows.filter(x => x.section === name), own = all.length > 1 ? all.filter(x => x.count !== null || x.size !== null) : all;
		if (!own.length)
			return null;
		return h("section", { class: "panel" }, h("h3", null, name), table({ caption: name, rows: own, links,
			columns: columns.filter(c => own.some(x => x[c.key] !== null && x[c.key] !== "")) }));
	}))];
}
const POINTS = 300;

/* The width of each of several charts beside each other, as ".halves" in the styles places them. */
function chartWidth(charts) {
	const room = document.getElementById("content").clientWidth - 40, least = 380, gap = 14;
	const columns = Math.max(1, Math.min(charts, Math.floor((room + gap) / (least + gap))));
	return Math.max(300, Math.floor((room + gap) / columns) - gap - 34);
}

/* Draws a line per gauge, with at most POINTS points. Each point is the largest of several consecutive values. */
async function gauges(s) {
	const answer = await getJson(reportUrl(s.inst_id, "gauges", { by: "time" }));
	const { rows } = answer.result_sets[0];
	const shown = s.metrics.filter(m => m.family === "gauges" && rows.some(r => r.metric === m.name));
	return h("div", { class: "halves" }, shown.map(m => {
		const own = rows.filter(r => r.metric === m.name), size = Math.ceil(own.length / POINTS);
		const points = [];
		for (let i = 0; i < own.length; i += size) {
			const top = own.slice(i, i + size).reduce((a, b) => Number(b.value) > Number(a.value) ? b : a);
			points.push({ value: Number(top.value), at: Number(top.at ?? i), title: `at ${inUnit(top.at ?? i, top.time_unit)}` });
		}
		return h("section", { class: "panel series" }, h("h3", null, nameOfMetric(m)),
			lineChart(points, { unit: m.unit, across: own[0]?.time_unit || "count", width: chartWidth(shown.length), label: `${nameOfMetric(m)}, over time` }));
	}));
}
function issues(s) {
	return s.issues?.length > 0 && h("p", { class: "notes" },
		plural(s.issues.reduce((n, i) => n + Number(i.count ?? i.occurrences ?? 1), 0), "import issue", "import issues"),
		": ", link(to(["sets", s.inst_id, "report", "issues"]), null, "show"));
}

const VERDICTS = { broken: ["exceeded", "bad"], unjudged: ["not judged", "warn"], skipped: ["skipped", "calm"], passed: ["met", "good"] };

/* Shows the verdicts of the last recorded check, exceeded budgets first. */
function budgets(s) {
	const rank = b => Object.keys(VERDICTS).indexOf(b.verdict);
	return s.budgets?.length > 0 && [h("h2", null, link("#/budgets", null, "Budgets")), table({ caption: "Verdicts of the last check", rows: [...s.budgets].sort((a, b) => rank(a) - rank(b)),
		columns: [{ key: "verdict", title: "Verdict", kind: "text" }, { key: "budget", title: "Budget", kind: "text" }, { key: "reason", title: "Reason", kind: "text" }]
			.filter(c => c.key !== "reason" || s.budgets.some(b => b.reason)),
		classes: { reason: "whole" }, cells: { reason: b => forPages(b.reason), verdict: b => h("span", { class: `badge ${VERDICTS[b.verdict][1]}` }, VERDICTS[b.verdict][0]) } })];
}

export default async function ({ id }) {
	const [s, all, histories] = await Promise.all([aSet(id), reports(), streams()]);
	const buttons = await editing(s);
	const filling = (what, make) => {
		const place = h("div");
		show(place, what, make);
		return place;
	};
	const panel = (name, title, place) => h("section", { class: "panel padded", "aria-labelledby": name }, h("h2", { id: name }, title), place);
	return [head(s, "summary", "Summary"), kind(s), issues(s), filling("the figures", () => cards(s)), exports(s), buttons,
		h("div", { class: "two" },
			has.tree(s) ? h("section", { class: "panel padded", "aria-labelledby": "small" },
				h("h2", { id: "small" }, link(to(["sets", id, "flame"]), null, "Flame graph")), filling("the flame graph", () => smallFlame(s)))
				: facts(s, streamOf(s, histories)),
			panel("changed", "What changed", filling("the changes", () => changes(s)))),
		budgets(s),
		worstReport(s) !== "issues" && filling("the worst entries", () => worst(s, all)),
		has.gauges(s) && filling("the gauges", () => gauges(s)),
		h("div", { class: "two" }, reportLinks(s, all), has.tree(s) && facts(s, streamOf(s, histories))),
		(has.objects(s) || has.errors(s)) && filling("the summary", () => summary(s, all))];
}
