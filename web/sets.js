/* The page for the list of result sets, with search, filters and uploads. */
import { h, show, field, after, empty, plural, link } from "./dom.js";
import { pageOfSets } from "./api.js";
import { change, to } from "./route.js";
import { table, pager, matching } from "./table.js";
import { uploadBox } from "./upload.js";

const SIZE = 100;
/* Each filter: its name in the link, its label, and an example. */
const FILTERS = [
	["caption", "Caption", "*orders*"],
	["application", "Application", "shop"],
	["label", "Label", "branch=main"],
	["since", "Loaded since", "yesterday"],
	["until", "Loaded before", "2026-01-31"],
];
const COLUMNS = [
	{ key: "inst_id", title: "No.", kind: "text" },
	{ key: "caption", title: "Caption", kind: "text" },
	{ key: "format", title: "Format", kind: "text" },
	{ key: "application", title: "Application", kind: "text" },
	{ key: "app_version", title: "Version", kind: "text" },
	{ key: "host", title: "Host", kind: "text" },
	{ key: "loaded_at", title: "Loaded", kind: "time" },
	{ key: "holds", title: "Contents", kind: "text" },
	{ key: "labels", title: "Labels", kind: "text" },
];

export function holds(row) {
	return [["objects", "object", "objects"], ["errors", "error", "errors"],
		["samples", "sample", "samples"], ["spans", "span", "spans"]]
		.filter(([key]) => row[key]).map(([key, one, many]) => plural(row[key], one, many)).join(", ")
		|| "nothing";
}

function shown({ answer, more }, query, draw) {
	const { rows } = answer.result_sets[0];
	const filtered = matching(rows, query.get("q") || "");
	const skip = Number(query.get("skip") || 0);
	const asked = FILTERS.some(([k]) => query.get(k)) || query.get("q");
	if (!rows.length && !asked)
		return empty("The depot is empty.", h("p", null, "Drop a profiler's file here."));
	if (!filtered.length)
		return empty("No matching result sets.");
	const columns = COLUMNS.filter(c => ["inst_id", "caption", "holds", "loaded_at", "format"].includes(c.key)
		|| filtered.some(r => r[c.key]));
	return [table({ caption: "Result sets", columns, rows: filtered, cells: {
		caption: r => link(to(["sets", r.inst_id]), { class: "strong" }, r.caption || "no caption"),
		holds: r => holds(r),
		format: r => h("span", { class: "badge calm" }, r.format, r.state === "open" ? ", open" : ""),
		inst_id: r => h("span", { class: "in" }, r.inst_id),
	} }), pager(skip, rows.length, more ? null : skip + rows.length, SIZE, n => { change({ skip: n || null }); draw(); })];
}

export default async function ({ query }) {
	document.title = "Result sets – profdepot";
	const place = h("div", { class: "results" });
	const count = h("output");
	const draw = () => show(place, "result sets", async () => {
		const now = Object.fromEntries(new URLSearchParams(location.hash.split("?")[1] || ""));
		const page = await pageOfSets({ ...Object.fromEntries(FILTERS.map(([k]) => [k, now[k]])),
			limit: SIZE, skip: now.skip });
		const n = page.answer.result_sets[0].rows.length;
		count.textContent = page.more || now.skip ? "" : plural(n, "result set", "result sets");
		return shown(page, new URLSearchParams(now), draw);
	});
	const asked = after(draw);
	const search = h("input", { type: "search", value: query.get("q") || "", placeholder: "Any word",
		oninput: e => { change({ q: e.target.value }); asked(); } });
	const filters = FILTERS.map(([key, label, example]) => field(label, h("input", {
		value: query.get(key) || "", placeholder: example, size: "14",
		oninput: e => { change({ [key]: e.target.value, skip: null }); asked(); } })));
	await draw();
	return [h("div", { class: "title" }, h("h1", null, "Result sets"), count),
		h("form", { class: "tools", role: "search", onsubmit: e => e.preventDefault() },
			field("Search", search),
			h("details", { class: "more", open: FILTERS.some(([k]) => query.get(k)) },
				h("summary", null, "Filters"), h("div", { class: "tools" }, filters))),
		place, uploadBox(draw)];
}
