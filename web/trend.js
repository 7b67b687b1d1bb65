/* The page for the trend of one metric over many result sets. */
import { h, fill, show, field, select, after, empty, link, listInput, sentence } from "./dom.js";
import { aSet, getJson, trendUrl, listSets, reports } from "./api.js";
import { change, to } from "./route.js";
import { table, columnsOf, isEmpty, measured } from "./table.js";
import { lineChart } from "./chart.js";
import { fileLink, nameOfMetric } from "./set.js";

const ALWAYS = [["live_size", "Live size", "bytes"], ["live_count", "Live objects", "count"],
	["errors", "Errors", "count"], ["duration", "Duration of spans", "milliseconds"]];
const FILTERS = [["caption", "Caption", "*orders*"], ["application", "Application", "shop"],
	["label", "Label", "branch=main"], ["class", "Class", "TForm*"], ["module", "Module", "orders*"],
	["routine", "Routine", "*Load*"], ["name", "Name", "fetch*"], ["since", "Since", "2026-01-31"]];
const ONE = new Set(["caption", "application", "since"]); /* the filters that take only one value */

/* Returns the standard metrics and those of the newest result sets. */
async function metrics() {
	const rows = await listSets({ limit: 20 });
	const formats = [...new Map(rows.map(r => [r.format, r])).values()].slice(0, 6);
	const found = new Map(ALWAYS.map(([name, title, unit]) => [name, { name, title, unit }]));
	for (const s of await Promise.all(formats.map(r => aSet(r.inst_id))))
		for (const m of s.metrics || [])
			if (!found.has(m.name))
				found.set(m.name, { name: m.name, title: nameOfMetric(m), unit: m.unit });
	return { list: [...found.values()], likely: rows.length && (await aSet(rows[0].inst_id)).metrics?.[0]?.name || "live_size" };
}

function asked(query, metric) {
	const q = { metric, last: query.get("last") || 50, statistic: metric === "duration" ? query.get("statistic") : null };
	for (const [key] of FILTERS)
		q[key] = query.getAll(key);
	return q;
}

const nothing = (text = "No matching result sets.") => empty(text, link("#/sets", null, "Show all result sets"));

function view(answer, r, metric) {
	const { rows, metric: measure } = answer.result_sets[0];
	if (!rows.length)
		return nothing();
	const points = rows.map(x => ({ value: x.value === null ? null : Number(x.value), name: String(x.inst_id),
		title: `No. ${x.inst_id}, ${x.caption}`, href: to(["sets", x.inst_id]) }));
	const columns = measured(columnsOf(r.columns, rows), measure).filter(c => rows.some(x => !isEmpty(x[c.key])))
		.map(c => c.key === "inst_id" ? { ...c, kind: "text" } : c);
	return [h("div", { class: "panel series" }, lineChart(points, { unit: metric.unit,
		width: Math.max(300, document.getElementById("content").clientWidth - 76), label: `${metric.title}, oldest first` })),
	table({ caption: "Trend", columns, rows,
		cells: { caption: x => link(to(["sets", x.inst_id]), null, x.caption) } })];
}

export default async function ({ query }) {
	document.title = "Trends – profdepot";
	const [all, { list, likely }] = await Promise.all([reports(), metrics()]);
	const r = all.find(x => x.name === "trend");
	const place = h("div", { class: "results" }), links = h("div");
	const now = () => new URLSearchParams(location.hash.split("?")[1] || "");
	const redraw = () => {
		const q = now(), name = q.get("metric") || likely;
		const metric = list.find(m => m.name === name) || { name, title: name, unit: "none" };
		statistic.hidden = name !== "duration";
		fill(links, h("p", { class: "exports" }, h("span", null, "Export: "),
			[["json", "JSON"], ["csv", "CSV"], ["html", "HTML"]].map(([format, text]) =>
				fileLink(trendUrl({ ...asked(q, name), format }), `trend-${name}.${format}`, text))));
		if (name === "duration" && !q.get("name")) {
			more.open = true;
			return fill(place, empty("Write the name of a span, such as fetch*, into the filter Name."));
		}
		return show(place, "the trend", async () => {
			try {
				return view(await getJson(trendUrl(asked(q, name))), r, metric);
			} catch (error) {
				if (error.status !== 404)
					throw error;
				return nothing(sentence(error.message));
			}
		});
	};
	const set = (name, value) => { change({ [name]: value }); redraw(); };
	const statistic = field("Statistic", select({ onchange: e => set("statistic", e.target.value) },
		["median", "min", "max", "p95", "sum"], query.get("statistic") || "median"));
	const more = h("details", { class: "more", open: FILTERS.some(([k]) => query.get(k)) },
		h("summary", null, "Filters"), h("div", { class: "tools" }, FILTERS.map(([key, text, example]) =>
			field(text, ONE.has(key) ? h("input", { size: "12", placeholder: example, value: query.get(key) || "",
				oninput: after(e => set(key, e.target.value.trim()), 400) })
				: listInput(query.getAll(key), example, l => set(key, l))))));
	redraw();
	return [h("div", { class: "title" }, h("h1", null, "Trends")),
		h("form", { class: "tools", onsubmit: e => e.preventDefault() },
			field("Metric", select({ onchange: e => set("metric", e.target.value) },
				list.map(m => [m.name, m.title]), query.get("metric") || likely)),
			statistic,
			field("Last", h("input", { type: "number", min: "1", max: "1000", value: query.get("last") || "50",
				oninput: after(e => set("last", e.target.value), 400) })),
			more),
		links, place];
}
