/* The page for user timings: marks, measures and console timings on a timeline. */
import { h, fill, show, field, after, empty, figure, plural } from "./dom.js";
import { aSet, reports, getJson, reportUrl } from "./api.js";
import { change } from "./route.js";
import { head, fileLink } from "./set.js";
import { table, columnsOf, usual, matching } from "./table.js";

const MOST = 2000;
const KINDS = { mark: "Marks", measure: "Measures", console: "Console timings", stamp: "Time stamps",
	measure_call: "Calls of measure()" };
const ZOOMS = [1, 2, 4, 8, 16, 32, 64];

/* Puts each timing into the first free row, so that timings do not overlap. */
function pack(rows, least) {
	const ends = [];
	return rows.map(r => {
		/* A mark has no duration, but its name needs room. */
		const end = r.start + (r.duration || least * (r.name.length + 2));
		let lane = ends.findIndex(e => e <= r.start);
		if (lane < 0)
			lane = ends.length;
		ends[lane] = end;
		return { ...r, lane };
	});
}

function item(r, from, span) {
	const words = `${r.name}: ${figure(r.start - from, "microseconds")} after the first` +
		(r.duration ? `, ${figure(r.duration, "microseconds")} long` : "") + (r.detail ? `, ${r.detail}` : "");
	return h("li", { class: `timing ${r.kind}${r.duration ? "" : " point"}`, tabindex: "0", title: words,
		"aria-label": words, vars: { "--left": `${(100 * (r.start - from) / span).toFixed(4)}%`,
			"--width": `${(100 * (r.duration || 0) / span).toFixed(4)}%`, "--lane": String(r.lane) } },
	h("span", null, r.name));
}

function lanes(kind, rows, from, span, zoom) {
	const packed = pack(rows, span * 0.008 / zoom);
	const deep = 1 + packed.reduce((m, r) => Math.max(m, r.lane), 0);
	return h("section", { class: "lanes", "aria-label": KINDS[kind] || kind },
		h("h3", null, `${KINDS[kind] || kind} `, h("span", { class: "in" }, plural(rows.length, "entry", "entries"))),
		h("ol", { vars: { "--lanes": String(deep) } }, packed.map(r => item(r, from, span))));
}

function scale(span) {
	return h("div", { class: "scale", "aria-hidden": "true" }, [0, 0.25, 0.5, 0.75, 1].map(part =>
		h("span", { vars: { "--left": `${100 * part}%` } }, figure(span * part, "microseconds") || "0")));
}

function timeline(rows, zoom) {
	const timed = rows.map(r => ({ ...r, start: Number(r.start), duration: Number(r.duration || 0) }))
		.sort((a, b) => a.start - b.start);
	const from = timed[0].start;
	const span = Math.max(1, ...timed.map(r => r.start + r.duration - from));
	const threads = [...new Set(timed.map(r => `${r.pid}/${r.tid}`))];
	return h("div", { class: "scroll timeline", tabindex: "0", role: "region", "aria-label": "Timeline" },
		h("div", { class: "wide-line", vars: { "--zoom": String(zoom) } }, scale(span),
			threads.map(t => {
				const own = timed.filter(r => `${r.pid}/${r.tid}` === t);
				return [threads.length > 1 && h("h2", { class: "thread" }, `Process ${own[0].pid}, thread ${own[0].tid}`),
					Object.keys(KINDS).filter(k => own.some(r => r.kind === k)).map(k =>
						lanes(k, own.filter(r => r.kind === k), from, span, zoom))];
			})));
}

export default async function ({ id, query }) {
	const [s, all] = await Promise.all([aSet(id), reports()]);
	const r = all.find(x => x.name === "usertimings" && x.by === "time");
	const place = h("div", { class: "results" });
	let answer = null;
	const now = () => new URLSearchParams(location.hash.split("?")[1] || "");
	const redraw = () => show(place, "user timings", async () => {
		const q = now(), zoom = Number(q.get("zoom") || 1);
		const ask = { by: "time", top: MOST, name: q.getAll("name"), like_devtools: q.get("devtools") ? "true" : null };
		answer = await getJson(reportUrl(id, "usertimings", ask));
		const set = answer.result_sets[0], rows = matching(set.rows, q.get("q") || "");
		if (!rows.length)
			return empty("No matching user timings.");
		return [set.totals.rows > set.rows.length && h("p", { class: "notes" },
			`Showing the first ${figure(set.rows.length, "count")} of ${figure(set.totals.rows, "count")}. Filter by name to see others.`),
		timeline(rows, zoom),
		h("p", { class: "exports" }, h("span", null, "Export: "), [["json", "JSON"], ["csv", "CSV"]].map(([format, text]) =>
			fileLink(reportUrl(id, "usertimings", { ...ask, top: null, format }), `usertimings-${id}.${format}`, text))),
		table({ caption: "User timings", rows, columns: [...usual(columnsOf(r.columns, rows))] })];
	});
	const zoomBy = by => {
		const at = ZOOMS.indexOf(Number(now().get("zoom") || 1));
		change({ zoom: ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, at + by))] });
		redraw();
	};
	redraw();
	return [head(s, "timings", "Timeline"),
		h("form", { class: "tools", onsubmit: e => e.preventDefault() },
			field("Search", h("input", { type: "search", value: query.get("q") || "",
				oninput: after(e => { change({ q: e.target.value }); redraw(); }) })),
			field("Name", h("input", { size: "14", placeholder: "fetch*", value: query.getAll("name").join(" "),
				oninput: after(e => { change({ name: e.target.value.trim().split(/\s+/) }); redraw(); }, 400) })),
			field("Like DevTools", h("input", { type: "checkbox", checked: query.get("devtools"),
				onchange: e => { change({ devtools: e.target.checked }); redraw(); } })),
			h("button", { type: "button", onclick: () => zoomBy(1) }, "Zoom in"),
			h("button", { type: "button", onclick: () => zoomBy(-1) }, "Zoom out")), place];
}
