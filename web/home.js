/* The start page: applications and branches with their figures and findings, uploads that failed, and the newest
 * result sets. */
import { h, fill, figure, moment, plural, link, labelsOf } from "./dom.js";
import { overview, pageOfSets, getJson, historyUrl, getOnce, whoami } from "./api.js";
import { to } from "./route.js";
import { table, isEmpty } from "./table.js";
import { sparkline, valuesOf } from "./chart.js";
import { holds } from "./sets.js";
import { nameOfMetric } from "./set.js";
import { streamName, stateBadge } from "./stream.js";
import { uploadBox } from "./upload.js";
import { reason } from "./jobs.js";

const MOST_COUNTED = 1000, FIGURES = 6, LOADS = 10, STREAMS = 20, FAILED = 5, RECENT_MS = 7 * 86400 * 1000;
/* Findings with these states need attention. */
const STATES = ["came back", "new", "open"], UNKNOWN = "not looked for";
const FINDINGS = ["live_size", "live_count", "errors"];

/* --- streams: the server answers with one row per stream, format and figure */

function streamsOf(rows) {
	const found = new Map();
	for (const r of rows) {
		const name = streamName(r);
		if (!found.has(name))
			found.set(name, { ...r, name, kinds: [], figures: [] });
		const s = found.get(name);
		if (!s.kinds.some(k => k.format === r.format))
			s.kinds.push(r);
		if (r.metric)
			s.figures.push(r);
	}
	return [...found.values()];
}

const sum = (rows, key) => rows.reduce((n, r) => n + Number(r[key]), 0);

/* Returns the parameters of a page that lists the result sets of a stream. The page can filter by the branch and by one
 * other label. */
function filterOf(s) {
	const labels = labelsOf(s.labels);
	const branch = labels.find(l => l.startsWith("branch="));
	return { application: s.application, branch: branch?.slice("branch=".length), label: labels.find(l => l !== branch) };
}

const nameOf = f => nameOfMetric({ name: f.metric, title: f.title !== f.metric && f.title, unit: f.unit });

/* Returns a change as "+12 %", or as "× 40" if the percentage would be hard to imagine. */
function changeOf(before, now) {
	const percent = before > 0 ? Math.round(100 * (now - before) / before) : 0;
	return percent !== 0 && h("span", { class: percent > 0 ? "up" : "down" },
		percent >= 1000 ? `× ${figure(Math.round(now / before), "count")}` : `${percent > 0 ? "+" : "−"}${Math.abs(percent)} %`);
}

/* The page of trends can select the result sets of an application, but not those of a format or those without an
 * application. Then the link leads to the newest result set. */
function placeOf(s, f) {
	return s.application && s.figures.every(x => x.metric !== f.metric || x.format === f.format)
		? to(["trend"], { metric: f.metric, application: s.application, label: labelsOf(s.labels) }) : to(["sets", f.inst_id]);
}

/* Shows the newest value, its change since the value before it, and a picture of the values. */
function figureOf(s, f) {
	const values = valuesOf(f.values), measured = values.filter(v => v !== null);
	const [before, now] = measured.length > 1 ? measured.slice(-2) : [null, measured[0]];
	const title = nameOf(f), twice = s.figures.some(x => x !== f && x.format === f.format && nameOf(x) === title);
	return link(placeOf(s, f), { class: "tile" }, h("span", { class: "in" }, `${title}${twice ? ` (${f.unit})` : ""}, ${f.format}`),
		h("span", { class: "fn" }, figure(now, f.unit), " ", changeOf(before, now)),
		measured.length > 1 && sparkline(values, { unit: f.unit, label: nameOf(f) }));
}

/* The list can select an application and its branch, but not the result sets without an application. */
const linkToSets = (s, text, attributes = null) => s.application ? link(to(["sets"], filterOf(s)), attributes, text) : h("span", attributes, text);

function figures(s) {
	const more = s.figures.length - FIGURES;
	return [h("div", { class: "tiles" }, s.figures.slice(0, FIGURES).map(f => figureOf(s, f))),
		more > 0 && linkToSets(s, `${more} more`)];
}

const COLUMNS = [
	{ key: "application", title: "Application", kind: "text" },
	{ key: "labels", title: "Branch", kind: "text" },
	{ key: "build", title: "Newest build", kind: "text" },
	{ key: "findings", title: "Findings", kind: "text" },
	{ key: "budgets", title: "Budgets", kind: "text" },
	{ key: "figures", title: "Figures", kind: "text" },
	{ key: "result_sets", title: "Result sets", kind: "text" },
	{ key: "loaded_at", title: "Loaded", kind: "time" },
];

function build(s) {
	return [link(to(["sets", s.inst_id]), { class: "strong" }, s.app_version || `No. ${s.inst_id}`),
		sum(s.kinds, "versions") > 1 && h("div", { class: "in" }, plural(Math.max(...s.kinds.map(k => k.versions)), "recent build", "recent builds"))];
}

/* For each format, shows the verdicts on the newest result set that was checked. */
function budgets(s) {
	const checked = s.kinds.filter(k => k.checked_inst_id);
	return checked.length > 0 && h("span", { class: "badges" }, checked.map(k => {
		const broken = Number(k.broken), judged = Number(k.budgets);
		return link(to(["sets", k.checked_inst_id]), { class: "bare" }, h("span", { class: `badge ${broken ? "bad" : judged ? "good" : "calm"}` },
			broken ? `${figure(broken, "count")} of ${figure(judged, "count")} exceeded` : judged ? `${figure(judged, "count")} met` : "not judged"));
	}));
}

/* Counts the findings per state. */
async function findings(place, s) {
	const { states } = (await getJson(historyUrl({ stream: s.name, top: 1 }))).result_sets[0];
	const shown = STATES.filter(state => states[state] > 0);
	fill(place, shown.length ? h("span", { class: "badges" }, shown.map(state =>
		link(to(["history"], { stream: s.name, state }), { class: "bare" }, stateBadge(state, `${figure(states[state], "count")} ${state}`))))
		: link(to(["history"], { stream: s.name }), null, states[UNKNOWN] > 0 ? `${figure(states[UNKNOWN], "count")} ${UNKNOWN}` : "none"));
}

/* Sends one request at a time, so that the page does not fill the server's queue. */
async function fillFindings(places) {
	for (const [place, s] of places)
		if (place.isConnected)
			await findings(place, s).catch(e => fill(place, h("span", { class: "in" }, e.message)));
}

function streamTable(streams) {
	const places = new Map();
	const shown = table({ caption: "Applications and branches", rows: streams, columns: COLUMNS.filter(c =>
		(c.key !== "labels" || streams.some(s => !isEmpty(s.labels))) && (c.key !== "budgets" || streams.some(s => s.kinds.some(k => k.checked_inst_id)))),
	classes: { figures: "whole" },
	cells: {
		application: s => s.application ? link(to(["sets"], { application: s.application }), { class: "strong" }, s.application)
			: h("span", { class: "strong" }, "without application"),
		labels: s => !isEmpty(s.labels) && linkToSets(s, labelsOf(s.labels).join(" ").replace(/^branch=/, "")),
		build, figures, budgets,
		findings: s => {
			const place = h("span", { class: "in" }, "");
			if (s.figures.some(f => FINDINGS.includes(f.metric)))
				places.set(place, s);
			return place;
		},
		result_sets: s => [linkToSets(s, [figure(sum(s.kinds, "result_sets"), "count"), s.kinds.some(k => Number(k.result_sets) >= MOST_COUNTED) && " or more"]),
			h("div", { class: "in" }, s.kinds.map(k => k.format).join(", "))],
	} });
	requestAnimationFrame(() => fillFindings(places));
	return shown;
}

/* --- failed uploads */

const FAILURES = [
	{ key: "name", title: "File", kind: "text" },
	{ key: "owner", title: "Sender", kind: "text" },
	{ key: "reason", title: "Reason", kind: "text" },
	{ key: "created", title: "Sent", kind: "time" },
];

/* Returns the uploads that failed in the last seven days, newest first; at most one more than the page shows. The server
 * returns only uploads that the user may see. */
async function failures() {
	if (!(await whoami()).scopes.includes("ingest"))
		return [];
	const jobs = await getJson(`/v1/jobs?state=failed&limit=${FAILED + 1}`);
	return jobs.filter(j => Date.now() - Date.parse(j.created) < RECENT_MS);
}

function failureTable(jobs) {
	return jobs.length > 0 && [h("h2", null, "Failed uploads"), table({ caption: "Uploads that failed in the last seven days", rows: jobs.slice(0, FAILED),
		columns: FAILURES.filter(c => c.key !== "owner" || jobs.some(j => j.owner)), classes: { reason: "whole" },
		cells: { name: j => link(to(["jobs"], { job: j.id }), { class: "strong" }, j.name), reason } }),
	jobs.length > FAILED && h("p", null, link("#/jobs", null, "All uploads"))];
}

/* --- the newest result sets */

const LOADED = [
	{ key: "caption", title: "Result set", kind: "text" },
	{ key: "application", title: "Application", kind: "text" },
	{ key: "labels", title: "Labels", kind: "labels" },
	{ key: "format", title: "Format", kind: "text" },
	{ key: "holds", title: "Contents", kind: "text" },
	{ key: "warnings", title: "Warnings", kind: "text" },
	{ key: "loaded_at", title: "Loaded", kind: "time" },
];

function loadTable(rows) {
	return table({ caption: "Newest result sets", rows, columns: LOADED.filter(c => c.key === "holds" || rows.some(r => c.key === "warnings" ? r.warnings > 0 : !isEmpty(r[c.key]))),
		cells: {
			caption: r => [link(to(["sets", r.inst_id]), { class: "strong" }, r.caption || "no caption"),
				h("span", { class: "in" }, ` No. ${r.inst_id}`)],
			format: r => h("span", { class: "badge calm" }, r.format), holds,
			warnings: r => Number(r.warnings) > 0 && link(to(["sets", r.inst_id, "report", "issues"]), { class: "bare" },
				h("span", { class: "badge warn" }, plural(r.warnings, "warning", "warnings"))),
		} });
}

/* --- an empty depot */

async function welcome(box, failed) {
	const formats = await getOnce("/v1/formats");
	return [h("div", { class: "title" }, h("h1", null, "Welcome")),
		h("section", { class: "panel padded" }, h("h2", null, "The depot is empty"),
			h("p", null, "Load the first result of a profiler, leak detector or tracer. The depot recognises the format by the file's content."),
			h("ol", null, h("li", null, "Drop a file or several files on this page, or choose them below. Compressed files and archives are fine."),
				h("li", null, "The page of each loaded result set shows its figures, its flame graph and its worst entries."),
				h("li", null, "Load the results of the next build, too: the depot then shows what is new, what is gone and how the figures change.")),
			h("p", null, "A build server can send files with POST to ", h("code", null, `${location.origin}/v1/result-sets`), ". ",
				link("/v1/openapi.json", null, "The description of the API"), " lists the parameters, such as the application, its version and labels.")),
		box, failureTable(failed),
		h("section", { class: "panel padded" }, h("h2", null, "Formats"), h("ul", { class: "columns" }, formats.filter(f => f.load && !/, through --/.test(f.title)).map(f =>
			h("li", null, f.title.replace(/,? or a database through --.*$/, "")))))];
}

export default async function () {
	document.title = "profdepot";
	const place = h("div");
	const draw = async () => {
		const [rows, page, failed] = await Promise.all([overview(STREAMS + 1), pageOfSets({ limit: LOADS }), failures()]);
		const loads = page.answer.result_sets[0].rows, box = uploadBox(draw);
		const streams = streamsOf(rows);
		fill(place, loads.length ? [h("div", { class: "title" }, h("h1", null, "Applications")), streamTable(streams.slice(0, STREAMS)),
			streams.length > STREAMS && h("p", { class: "hint" }, `Only the ${STREAMS} applications and branches with the newest result sets are shown. `,
				link("#/sets", null, "All result sets")),
			failureTable(failed), h("h2", null, "Newest result sets"), loadTable(loads),
			page.more && h("p", null, link("#/sets", null, "All result sets")), box] : await welcome(box, failed));
	};
	await draw();
	return place;
}
