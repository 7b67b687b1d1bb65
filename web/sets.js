/* The page for the list of result sets, with search, facets, filters and uploads. The server searches, counts and
 * sorts, and sends one part of the list, so that the page works in the same way for ten result sets and a million. */
import { h, fill, show, field, after, empty, plural, link } from "./dom.js";
import { pageOfSets, facetsOfSets } from "./api.js";
import { change, to } from "./route.js";
import { table, pager, isEmpty } from "./table.js";
import { drawCounts } from "./facets.js";
import { uploadBox } from "./upload.js";

const SIZE = 100;
/* Each filter: its name in the link, its label, and an example. */
const FILTERS = [
	["caption", "Caption", "*orders*"],
	["label", "Label", "branch=main"],
	["since", "Loaded since", "yesterday"],
	["until", "Loaded before", "2026-01-31"],
];
/* Properties whose values are counted. The server has no parameters for two of these properties: filterOf sends a
 * branch as a label, and a month as `since` and `until`. */
const FACETS = [
	["application", "Application"],
	["branch", "Branch"],
	["app_version", "Version"],
	["format", "Format"],
	["host", "Host"],
	["tool", "Profiler"],
	["month", "Loaded in"],
];
const ASKED = ["q", ...FILTERS.map(([k]) => k), ...FACETS.map(([k]) => k)];
const COLUMNS = [
	{ key: "inst_id", title: "No.", kind: "text" },
	{ key: "caption", title: "Caption", kind: "text" },
	{ key: "format", title: "Format", kind: "text" },
	{ key: "application", title: "Application", kind: "text" },
	{ key: "app_version", title: "Version", kind: "text" },
	{ key: "host", title: "Host", kind: "text" },
	{ key: "loaded_at", title: "Loaded", kind: "time" },
	{ key: "holds", title: "Contents", kind: "text" },
	{ key: "labels", title: "Labels", kind: "labels" },
];
const UNSORTED = ["holds", "labels"], DESCENDING = ["inst_id", "loaded_at"];

const FACTS = [["objects", "object", "objects"], ["errors", "error", "errors"], ["samples", "sample", "samples"], ["spans", "span", "spans"]];

const counted = row => FACTS.filter(([key]) => Number(row[key])).map(([key, one, many]) => plural(row[key], one, many)).join(", ");

/* Shows how many objects, errors, samples and spans a result set contains. An open result set still grows. */
export function holds(row) {
	const text = counted(row);
	return row.state === "open" ? h("span", { class: "in" }, text ? `${text} so far` : "nothing yet") : text || "nothing";
}

function nextMonth(month) {
	const [year, number] = month.split("-").map(Number);
	return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, "0")}`;
}

/* Converts the link's query to the server's parameters. */
function filterOf(now) {
	const month = /^\d{4}-\d{2}$/.test(now.month || "") && { since: `${now.month}-01`, until: `${nextMonth(now.month)}-01` };
	return { search: now.q, caption: now.caption, since: now.since, until: now.until, ...month,
		label: [now.label, now.branch && `branch=${now.branch}`].filter(Boolean),
		...Object.fromEntries(["application", "app_version", "format", "host", "tool"].map(k => [k, now[k]])) };
}

function sortOf(text) {
	const [key, way] = (text || "loaded_at:desc").split(":");
	return { key, descending: way ? way === "desc" : DESCENDING.includes(key) };
}

function shown(rows, total, now, draw) {
	if (!rows.length && !ASKED.some(k => now[k]))
		return empty("The depot is empty.", h("p", null, "Drop a profiler's file here."));
	if (!rows.length)
		return empty("No matching result sets.");
	const columns = COLUMNS.filter(c => ["inst_id", "caption", "holds", "loaded_at", "format"].includes(c.key)
		|| rows.some(r => !isEmpty(r[c.key])));
	const skip = Number(now.skip || 0);
	return [table({ caption: "Result sets", columns, rows, sort: sortOf(now.sort), fixed: UNSORTED,
		onsort: (key, descending) => { change({ sort: `${key}:${descending ? "desc" : "asc"}`, skip: null }); draw(); },
		cells: {
			caption: r => link(to(["sets", r.inst_id]), { class: "strong" }, r.caption || "no caption"),
			holds: r => holds(r),
			format: r => h("span", { class: "badge calm" }, r.format, r.state === "open" ? ", open" : ""),
			inst_id: r => h("span", { class: "in" }, r.inst_id),
		} }), pager(skip, rows.length, total, SIZE, n => { change({ skip: n || null }); draw(); })];
}

/* A facet whose only value is that of all rows cannot narrow the list, so it is shown only if this value was chosen. */
function facetsOf(rows, total, now) {
	return FACETS.map(([key, title]) => {
		const values = rows.filter(r => r.facet === key).map(r => [r.value, Number(r.count)]);
		const chosen = now[key] ? [now[key]] : [];
		if (chosen.length && !values.some(([v]) => v === now[key]))
			values.push([now[key], 0]);
		return { key, title, values, chosen };
	}).filter(f => f.values.length > 1 || f.values[0]?.[1] < total || f.chosen.length);
}

export default async function ({ query }) {
	document.title = "Result sets – profdepot";
	const place = h("div", { class: "results" }), facets = h("div", { class: "facets" });
	const count = h("output");
	const draw = () => show(place, "result sets", async () => {
		const now = Object.fromEntries(new URLSearchParams(location.hash.split("?")[1] || ""));
		const filter = filterOf(now);
		const [page, counts] = await Promise.all([
			pageOfSets({ ...filter, limit: SIZE, skip: now.skip, sort: now.sort }), facetsOfSets(filter)]);
		const total = Number(counts.find(r => r.facet === "total").count);
		count.textContent = plural(total, "result set", "result sets");
		/* Only one value of a facet can be chosen, because each filter of the server takes one value. */
		drawCounts(facets, facetsOf(counts, total, now), (key, values) => {
			change({ [key]: values[values.length - 1] || null, skip: null });
			draw();
		});
		return shown(page.answer.result_sets[0].rows, total, now, draw);
	});
	const asked = after(draw);
	const search = h("input", { type: "search", value: query.get("q") || "", placeholder: "Any words",
		oninput: e => { change({ q: e.target.value, skip: null }); asked(); } });
	const filters = FILTERS.map(([key, label, example]) => field(label, h("input", {
		value: query.get(key) || "", placeholder: example, size: "14",
		oninput: e => { change({ [key]: e.target.value, skip: null }); asked(); } })));
	await draw();
	return [h("div", { class: "title" }, h("h1", null, "Result sets"), count),
		h("form", { class: "tools", role: "search", onsubmit: e => e.preventDefault() },
			field("Search", search),
			h("details", { class: "more", open: FILTERS.some(([k]) => query.get(k)) },
				h("summary", null, "Filters"), h("div", { class: "tools" }, filters))),
		facets, place, uploadBox(draw)];
}
