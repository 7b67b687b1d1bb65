/* What the pages of a result set share: the header, the reports that apply, and links to files. */
import { h, link, sentence, TIMES } from "./dom.js";
import { titled, forPages, getJson, reportUrl } from "./api.js";
import { to } from "./route.js";
import { isEmpty } from "./table.js";

export const has = {
	objects: s => s.rows?.resource_profiler_objects > 0,
	errors: s => s.rows?.resource_profiler_errors > 0,
	samples: s => s.rows?.samples > 0,
	spans: s => s.rows?.spans > 0,
	profiles: s => s.format === "miniprofiler",
	timings: s => s.format === "chrome",
	/* Requests and user timings have pages of their own. */
	times: s => s.format === "chrome" ? s.metrics?.some(m => /^(event|async|cpu)_/.test(m.name))
		: s.format !== "miniprofiler" && (s.rows?.spans > 0 || s.rows?.samples > 0 && ["kernelscope", "cpuprofile", "perf"].includes(s.format)),
	/* A metric without a total has no calls, such as the measures of a trace that has only marks. */
	tree: s => s.metrics?.some(m => m.family !== "gauges" && (m.total !== null || s.state === "open")),
	gauges: s => s.metrics?.some(m => m.family === "gauges"),
};

/* Returns whether the report applies to this result set. Reports that do not apply are listed separately. */
export function fits(name, s) {
	const of = {
		objects: has.objects, errors: has.errors,
		classes: has.objects, leaks: has.objects, threads: has.objects,
		lines: has.objects, routines: has.objects, modules: has.objects, summary: has.objects,
		marks: has.timings, measures: has.timings, console: has.timings, usertimings: has.timings,
		profiles: has.profiles, requests: has.profiles, profile: has.profiles, commands: has.profiles,
		duplicates: has.profiles, calltypes: has.profiles, clienttimings: has.profiles,
		tree: has.tree, callers: has.tree, hot: has.tree, gauges: has.gauges, timeline: has.times,
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

/* Returns the name of the report with the entries that matter most. */
export function worstReport(s) {
	return ["leaks", "errors", "requests", "measures", "hot"].find(n => fits(n, s)) || "issues";
}

/* Returns the name of a metric as a person writes it: "CPU" for "cpu (nanoseconds)", "In-use space" for "inuse_space". */
export function nameOfMetric(m) {
	if (TIMES.includes(m.name.replace(/_calls$/, "")) && !m.title)
		return m.family === "spans" && m.name.endsWith("_calls") ? "Time of calls" : "Time";
	const name = titled((m.title || m.name).replace(` (${m.unit})`, ""));
	return name.replace(/^Cpu\b/, "CPU").replace(/^Inuse\b/, "In-use").replace(/^Alloc\b/, "Allocated");
}

/* Returns the header that all pages of a result set have; `here` is the current page's name. */
export function head(s, here, title) {
	const at = (...more) => to(["sets", s.inst_id, ...more]);
	const tabs = [
		["summary", at(), "Summary", true],
		["report", at("report", worstReport(s)), "Reports", true],
		["flame", at("flame"), "Flame graph", has.tree(s)],
		["profile", at("profile"), "Profiles", has.profiles(s)],
		["timeline", at("timeline"), "Timeline", has.times(s)],
		["timings", at("timings"), "User timings", has.timings(s)],
		["compare", at("compare"), "Compare", true],
		["speedscope", at("speedscope"), "Open in speedscope", has.tree(s)],
	].filter(t => t[3]);
	return h("header", { class: "set-head", "data-page-title": `${title} – ${s.caption} – profdepot` },
		h("p", { class: "crumbs" }, link("#/sets", null, "Result sets"), " / ", h("span", null, `No. ${s.inst_id}`)),
		h("h1", null, s.caption || `Result set ${s.inst_id}`),
		h("nav", { class: "tabs", "aria-label": "Result set" }, tabs.map(([name, href, text]) =>
			link(href, { "aria-current": name === here ? "page" : null }, text))));
}

/* Returns notes about what an answer does not contain. */
export function gaps(set) {
	return (set.incomplete || []).map(text => h("p", { class: "notes" }, sentence(forPages(text))));
}

/* Returns the metric to show first: the first one with a value. */
export function mainMetric(s) {
	const all = s.metrics?.filter(m => m.family !== "gauges") || [];
	return all.find(m => Number(m.total) > 0) || all[0];
}

/* Returns a link to a file. CSV files are sent as csv-safe, because people open them in spreadsheets. */
export function fileLink(url, name, text) {
	return h("a", { href: url.replace(/\bformat=csv\b/, "format=csv-safe"), download: name }, text);
}

/* Profiles have UUIDs, of which the first part is enough to distinguish them. */
const UUID = /^([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/* Returns functions that make the content of special cells, such as links to other pages. */
export function cellsOf(s, name) {
	const profile = (key, track) => r => r[key] === null ? "" :
		link(to(["sets", s.inst_id, "profile"], { track: r[track] }), { title: r[key] }, String(r[key]).replace(UUID, "$1…"));
	if (name === "profiles")
		return { name: profile("name", "track") };
	if (name === "duplicates" || name === "commands" || name === "requests")
		return { worst: profile("worst", "worst_track"), profile: profile("profile", "track"), command };
	return { command };
}

function command(row) {
	return row.command && h("code", { class: "command" }, row.command);
}

const TIMINGS = ["usertimings", "marks", "measures", "console"], TIME_KEYS = ["start", "call_time"], BEGUN = 100;

/* Whether pages show the report's times since the first timing. */
export const countsFromFirst = r => TIMINGS.includes(r.name) && r.columns.some(c => TIME_KEYS.includes(c.key));

/* Chrome counts times from the start of the computer. Returns the rows of a report on user timings with times since the
 * first timing, as on the timeline. A timing without a begin event has no time of its own. */
export async function sinceFirst(s, report, rows) {
	const keys = TIME_KEYS.filter(key => rows.some(r => !isEmpty(r[key])));
	if (!TIMINGS.includes(report) || !keys.length)
		return rows;
	const begun = (await getJson(reportUrl(s.inst_id, "usertimings", { sort: "start:asc", top: BEGUN }))).result_sets[0].rows.filter(r => r.lost !== "never-begun");
	const first = Number(begun[0]?.start ?? 0);
	const since = value => isEmpty(value) ? value : Number((Number(value) - first).toFixed(3));
	return rows.map(r => r.lost === "never-begun" ? r : { ...r, ...Object.fromEntries(keys.map(key => [key, since(r[key])])) });
}
