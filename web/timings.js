/* The page for user timings: marks, measures and console timings on a timeline. */
import { h, show, field, after, empty, figure, plural, listInput } from "./dom.js";
import { aSet, reports, getJson, reportUrl } from "./api.js";
import { change } from "./route.js";
import { head, fileLink } from "./set.js";
import { table, pager, columnsOf, usual, isEmpty, matching } from "./table.js";
import { timeline, viewOf, viewText } from "./timeline.js";

const MOST = 20000, SIZE = 100;
const KINDS = { mark: "Marks", measure: "Measures", console: "Console timings", stamp: "Time stamps" };

/* Returns the rows in the order of their times. Times count from the first timing, so that the picture and the table
 * have the same origin. A timing without a begin event has no time, and follows the others. */
function timed(rows) {
	const all = rows.map(r => ({ ...r, start: r.lost === "never-begun" ? null : Number(r.start),
		duration: r.duration === null ? null : Number(r.duration) }));
	const first = all.reduce((least, r) => r.start !== null && r.start < least ? r.start : least, Infinity);
	return { first, rows: all.map(r => ({ ...r, start: r.start === null ? null : Number((r.start - first).toFixed(3)) }))
		.sort((a, b) => (a.start ?? Infinity) - (b.start ?? Infinity) || 0) };
}

function wordsOf(r) {
	return `${r.name}: ${figure(r.start, "microseconds")} after the first${r.duration ? `, ${figure(r.duration, "microseconds")} long` : ""}` +
		`${r.detail ? `, ${r.detail}` : ""}`;
}

/* A mark has no duration, so the table does not show its 0. */
export const withoutZero = r => ["mark", "stamp"].includes(r.kind) ? { ...r, duration: null } : r;

/* Returns a track for each thread and kind. */
function tracksOf(rows) {
	const found = new Map(), threads = new Set(rows.map(r => `${r.pid}/${r.tid}`));
	for (const r of rows) {
		const key = `${r.pid}/${r.tid}/${r.kind}`;
		if (!found.has(key))
			found.set(key, { title: `${KINDS[r.kind] || r.kind}${threads.size > 1 ? `, process ${r.pid}, thread ${r.tid}` : ""}`, items: [] });
		found.get(key).items.push({ ...r, duration: r.duration || 0, words: wordsOf(r) });
	}
	return [...found.values()].map(t => ({ ...t, title: `${t.title}: ${plural(t.items.length, "entry", "entries")}` }));
}

export default async function ({ id, query }) {
	const [s, all] = await Promise.all([aSet(id), reports()]);
	const r = all.find(x => x.name === "usertimings" && x.by === "time");
	const place = h("div", { class: "results" });
	let drawn = null;
	const now = () => new URLSearchParams(location.hash.split("?")[1] || "");
	const keepView = after(view => document.contains(drawn) && change({ view: viewText(view) }), 300);
	const redraw = () => show(place, "user timings", async () => {
		const q = now();
		const ask = { by: "time", top: MOST, name: q.getAll("name"), like_devtools: q.get("devtools") ? "true" : null };
		const set = (await getJson(reportUrl(id, "usertimings", ask))).result_sets[0];
		const found = matching(set.rows, q.get("q") || "");
		if (!found.length)
			return empty("No matching user timings.");
		const { first, rows } = timed(found), list = h("div"), columns = usual(columnsOf(r.columns, rows)).filter(c => rows.some(x => !isEmpty(x[c.key])));
		const drawList = skip => list.replaceChildren(table({ caption: "User timings", rows: rows.slice(skip, skip + SIZE).map(withoutZero), columns }),
			pager(skip, Math.min(SIZE, rows.length - skip), rows.length, SIZE, drawList) || "");
		drawList(0);
		const begun = rows.filter(x => x.start !== null), others = rows.length - begun.length;
		drawn = begun.length ? timeline(tracksOf(begun), { view: viewOf(q), onchange: keepView,
			label: plural(begun.length, "user timing", "user timings") }) : null;
		return [set.totals.rows > set.rows.length && h("p", { class: "notes" },
			`Showing the first ${figure(set.rows.length, "count")} of ${figure(set.totals.rows, "count")}. Filter by name to see others.`),
		drawn, h("p", { class: "exports" }, drawn && h("span", null, `Times count from the first timing, ${figure(first, "microseconds")} into the trace. `,
			others > 0 && `${plural(others, "timing has", "timings have")} no beginning, and ${others > 1 ? "are" : "is"} only in the list.`),
			h("span", null, "Export: "), [["json", "JSON"], ["csv", "CSV"]].map(([format, text]) =>
				fileLink(reportUrl(id, "usertimings", { ...ask, top: null, format }), `usertimings-${id}.${format}`, text))),
		list];
	});
	redraw();
	return [head(s, "timings", "User timings"),
		h("form", { class: "tools", onsubmit: e => e.preventDefault() },
			field("Search", h("input", { type: "search", value: query.get("q") || "",
				oninput: after(e => { change({ q: e.target.value }); redraw(); }) })),
			field("Name", listInput(query.getAll("name"), "fetch*", name => { change({ name }); redraw(); })),
			field("Like DevTools", h("input", { type: "checkbox", checked: query.get("devtools"),
				onchange: e => { change({ devtools: e.target.checked }); redraw(); } })),
			h("button", { type: "button", onclick: () => drawn?.zoom(2) }, "Zoom in"),
			h("button", { type: "button", onclick: () => drawn?.zoom(0.5) }, "Zoom out")), place];
}
