/* The page for a result set: facts, contents, and links to its reports. */
import { h, figure, moment, plural, link, show } from "./dom.js";
import { aSet, reports, streams, getJson, reportUrl, exportUrl, flameUrl, token, download } from "./api.js";
import { to } from "./route.js";
import { table, columnsOf, usual } from "./table.js";
import { lineChart } from "./chart.js";
import { streamOf, streamLink } from "./stream.js";

const FACTS = [["tool", "Tool"], ["format", "Format"], ["application", "Application"],
	["app_version", "Version"], ["host", "Host"], ["source_name", "Source"], ["run", "Run"], ["commit", "Commit"],
	["environment", "Environment"], ["started_at", "Started"],
	["loaded_at", "Loaded"], ["input_bytes", "Input"], ["state", "State"]];

export const has = {
	objects: s => s.rows?.resource_profiler_objects > 0,
	errors: s => s.rows?.resource_profiler_errors > 0,
	samples: s => s.rows?.samples > 0,
	spans: s => s.rows?.spans > 0,
	profiles: s => s.format === "miniprofiler",
	timings: s => s.format === "chrome",
	tree: s => s.metrics?.some(m => m.family !== "gauges"),
	gauges: s => s.metrics?.some(m => m.family === "gauges"),
};

/* Whether the report applies to this result set. Reports that do not apply are listed separately. */
export function fits(name, s) {
	const of = {
		objects: has.objects, errors: has.errors,
		classes: has.objects, leaks: has.objects, threads: has.objects,
		lines: has.objects, routines: has.objects, modules: has.objects, summary: has.objects,
		marks: has.timings, measures: has.timings, console: has.timings, usertimings: has.timings,
		profiles: has.profiles, requests: has.profiles, profile: has.profiles, commands: has.profiles,
		duplicates: has.profiles, calltypes: has.profiles, clienttimings: has.profiles,
		tree: has.tree, callers: has.tree, hot: has.tree, gauges: has.gauges,
		peak: x => x.metrics?.some(m => m.name === "peak_space"),
		temporary: x => x.metrics?.some(m => m.name === "temporary_objects"),
		issues: x => x.issues?.length > 0, suppressions: x => x.rows?.result_set_suppressions > 0,
	}[name];
	return of ? of(s) : false;
}

/* Reports that are not listed, because they need a parameter or have their own pages. */
const OTHERS = new Set(["dossier", "diff", "trend", "timings-trend", "stack"]);

export function reportNames(all) {
	return [...new Set(all.map(r => r.name))].filter(n => !OTHERS.has(n));
}

/* Returns the name of the report that is most useful for this result set. */
function firstReport(s) {
	return ["leaks", "errors", "requests", "measures", "hot"].find(n => fits(n, s)) || "issues";
}

/* Returns the header that all pages of a result set have; `here` is the current page's name. */
export function head(s, here, title) {
	const at = (...more) => to(["sets", s.inst_id, ...more]);
	const tabs = [
		["summary", at(), "Summary", true],
		["report", at("report", firstReport(s)), "Reports", true],
		["flame", at("flame"), "Flame graph", has.tree(s)],
		["profile", at("profile"), "Profiles", has.profiles(s)],
		["timings", at("timings"), "Timeline", has.timings(s)],
		["compare", at("compare"), "Compare", true],
		["speedscope", at("speedscope"), "Open in speedscope", has.tree(s)],
	].filter(t => t[3]);
	document.title = `${title} – ${s.caption} – profdepot`;
	return h("header", { class: "set-head" },
		h("p", { class: "crumbs" }, link("#/sets", null, "Result sets"), " / ", h("span", null, `No. ${s.inst_id}`)),
		h("h1", null, s.caption || `Result set ${s.inst_id}`),
		h("nav", { class: "tabs", "aria-label": "Result set" }, tabs.map(([name, href, text]) =>
			link(href, { "aria-current": name === here ? "page" : null }, text))));
}

function cards(s) {
	const figures = [
		[s.rows?.resource_profiler_objects, "Objects", "objects"],
		[s.rows?.resource_profiler_errors, "Errors", "errors"],
		[s.rows?.samples, "Samples", null], [s.rows?.spans, "Spans", null],
		[s.rows?.stacks, "Distinct stacks", null], [s.rows?.tracks, "Tracks", null],
	].filter(([n]) => n > 0);
	return h("dl", { class: "cards" }, figures.map(([n, title]) =>
		h("div", { class: "card" }, h("dt", null, title), h("dd", null, figure(n, "count")))));
}

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
			s.metrics?.length && h("div", null, h("dt", null, "Measured"),
				h("dd", null, s.metrics.map(m => m.title || m.name).join(", "))),
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

/* Export formats: name, title, file name extension, and whether the result set can be exported. */
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

/* Returns a link to a file, or a button if there is a token, because a link cannot send a token. */
export function fileLink(url, name, text) {
	/* People open these files in spreadsheets. */
	url = url.replace(/\bformat=csv\b/, "format=csv-safe");
	if (!token())
		return h("a", { href: url, download: name }, text);
	return h("button", { type: "button", class: "link", onclick: () => download(url, name) }, text);
}

/* Shows AQTime's summary panels without the empty ones. */
async function summary(s, all) {
	const r = all.find(x => x.name === "summary");
	const answer = await getJson(reportUrl(s.inst_id, "summary"));
	const rows = answer.result_sets[0].rows;
	const sections = [...new Set(rows.map(x => x.section))];
	const columns = usual(columnsOf(r.columns, rows)).filter(c => c.key !== "section");
	const gaps = (answer.result_sets[0].incomplete || []).map(text => h("p", { class: "notes" }, text));
	return h("div", { class: "sections" }, gaps, sections.map(name => {
		const own = rows.filter(x => x.section === name);
		return h("section", { class: "panel" }, h("h3", null, name), table({ caption: name, rows: own,
			columns: columns.filter(c => own.some(x => x[c.key] !== null && x[c.key] !== "")) }));
	}));
}

const POINTS = 300;

/* Draws a line per gauge, with at most POINTS points. A point is the largest value of its interval. */
async function gauges(s) {
	const answer = await getJson(reportUrl(s.inst_id, "gauges", { by: "time" }));
	const { rows } = answer.result_sets[0];
	return s.metrics.filter(m => m.family === "gauges").map(m => {
		const own = rows.filter(r => r.metric === m.name), size = Math.ceil(own.length / POINTS);
		const points = [];
		for (let i = 0; i < own.length; i += size) {
			const top = own.slice(i, i + size).reduce((a, b) => Number(b.value) > Number(a.value) ? b : a);
			points.push({ value: Number(top.value), name: String(top.at ?? i), title: `at ${top.at ?? i}` });
		}
		return h("section", { class: "panel series" }, h("h3", null, m.title || m.name),
			lineChart(points, { unit: m.unit, width: 640, label: `${m.title || m.name}, over time` }));
	});
}

function issues(s) {
	return s.issues?.length > 0 && h("p", { class: "notes" },
		plural(s.issues.reduce((n, i) => n + Number(i.count ?? i.occurrences ?? 1), 0), "import issue", "import issues"),
		": ", link(to(["sets", s.inst_id, "report", "issues"]), null, "show"));
}

export default async function ({ id }) {
	const [s, all, histories] = await Promise.all([aSet(id), reports(), streams()]);
	const place = h("div");
	if (has.objects(s) || has.errors(s))
		show(place, "the summary", () => summary(s, all));
	const stream = streamOf(s, histories);
	const drawn = h("div");
	if (has.gauges(s))
		show(drawn, "the gauges", () => gauges(s));
	return [head(s, "summary", "Summary"), issues(s), cards(s), exports(s),
		h("div", { class: "two" }, reportLinks(s, all), facts(s, stream)), place, drawn];
}
