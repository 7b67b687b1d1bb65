/* The page for spans, events and samples with times, of any format: a timeline and a table of what it shows. */
import { h, fill, show, field, after, empty, figure, link, plural } from "./dom.js";
import { aSet, reports, getJson, reportUrl } from "./api.js";
import { change, current, to } from "./route.js";
import { head, fileLink, has } from "./set.js";
import { table, pager, isEmpty, matching, ordered } from "./table.js";
import { timeline, viewOf, viewText } from "./timeline.js";

/* The server sends at most MOST entries of an interval, the longest first. It combines the shortest ones. */
const MOST = 10000, SIZE = 50;
const NOUNS = ["entry", "entries"];
/* Different names get different colours where possible. The colours have no other meaning. */
const HUES = ["step", "call", "mark", "stamp"];

function hueOf(name) {
	let n = 0;
	for (const c of name || "")
		n = (n * 31 + c.charCodeAt(0)) >>> 0;
	return HUES[n % HUES.length];
}

const nameOf = r => r.name || (r.entries > 1 ? `${figure(r.entries, "count")} short entries` : r.kind || "entry");

function wordsOf(r) {
	return `${nameOf(r)}: starts at ${figure(r.start, "microseconds")}, ${figure(r.duration, "microseconds")} long` +
		(r.entries > 1 ? `; ${plural(r.entries, ...NOUNS)}, ${figure(r.busy, "microseconds")} in total` : "");
}

/* Numbers of the answer can be BigInts. */
const numbers = r => ({ ...r, start: Number(r.start), duration: Number(r.duration), entries: Number(r.entries), busy: Number(r.busy) });

function tracksOf(rows) {
	const found = new Map();
	for (const r of rows) {
		if (!found.has(r.track))
			found.set(r.track, { key: r.track, thread: r.thread || `track ${r.track}`, items: [] });
		found.get(r.track).items.push({ name: r.entries > 1 && r.name ? `${r.name} × ${r.entries}` : nameOf(r), words: wordsOf(r), start: r.start, duration: r.duration, busy: r.busy,
			entries: r.entries, kind: r.entries > 1 ? "combined" : hueOf(r.name) });
	}
	return [...found.values()].sort((a, b) => a.key - b.key).map(t => ({ ...t,
		title: `${t.thread}: ${plural(t.items.reduce((n, i) => n + i.entries, 0), ...NOUNS)}` }));
}

/* The entries that an answer combined or left out, as a note; null if the answer has all entries. */
function missing(set, rows) {
	const combined = rows.filter(r => r.entries > 1).reduce((n, r) => n + r.entries, 0);
	const left = Number(set.totals?.entries ?? 0) - rows.reduce((n, r) => n + r.entries, 0);
	const parts = [combined > 0 && `${plural(combined, "short entry is", "short entries are")} combined with neighbours`,
		left > 0 && `${plural(left, "of the shortest entries is", "of the shortest entries are")} left out`].filter(Boolean);
	return parts.length ? `Of ${plural(Number(set.totals.entries), ...NOUNS)}, ${parts.join(", and ")}. Zoom in to load them.` : null;
}

export default async function ({ id }) {
	const [s, all] = await Promise.all([aSet(id), reports()]);
	const columns = all.find(r => r.name === "timeline").columns;
	const place = h("div", { class: "results" }), note = h("p", { class: "notes", hidden: true }), list = h("div");
	const ask = async view => {
		const set = (await getJson(reportUrl(id, "timeline", { top: MOST, from: view?.[0].toFixed(3), to: view?.[1].toFixed(3) }))).result_sets[0];
		return { set, view, rows: set.rows.map(numbers) };
	};
	let drawn = null, whole = null, now = null, sort = null, asked = null;

	const wanted = rows => matching(rows, current().query.get("q") || "");
	const visible = () => {
		const [from, to] = viewOf(current().query) || [0, Infinity];
		return wanted(now.rows).filter(r => r.start <= to && r.start + r.duration >= from);
	};
	const drawList = (skip = 0) => {
		const rows = ordered(visible(), sort), part = rows.slice(skip, skip + SIZE);
		const some = columns.filter(c => rows.some(r => !isEmpty(r[c.key])) && c.key !== "track" && (!["entries", "busy"].includes(c.key) || rows.some(r => r.entries > 1)));
		fill(list, rows.length ? table({ caption: "Entries of the timeline", rows: part, columns: some, sort,
			onsort: (key, descending) => { sort = { key, descending }; drawList(); },
			cells: { name: r => r.name && has.tree(s) && ["frame", "sample", "event"].includes(r.kind)
				? link(to(["sets", id, "entry"], { routine: r.name }), null, r.name) : nameOf(r) } }) : empty("There are no matching entries in this interval."),
		pager(skip, part.length, rows.length, SIZE, drawList));
	};
	const drawAll = () => {
		const text = missing(now.set, now.rows);
		fill(note, text);
		note.hidden = !text;
		drawn.replace(tracksOf(wanted(now.rows)));
		drawList();
	};
	/* Loads the details of the visible interval, unless everything in it is known. An answer that is not the last one
	 * that was asked for is ignored. */
	const detail = async () => {
		const view = viewOf(current().query), mine = asked = {};
		const covers = a => !a.view || view && a.view[0] <= view[0] && a.view[1] >= view[1];
		const known = view ? [now, whole].find(a => covers(a) && !missing(a.set, a.rows)) : whole;
		if (!known)
			place.setAttribute("aria-busy", "true");
		const got = known || await ask(view).catch(e => ({ error: e }));
		if (asked !== mine || !document.contains(drawn))
			return;
		place.removeAttribute("aria-busy");
		if (got.error)
			fill(note, `The details cannot be loaded: ${got.error.message}`).hidden = false;
		else {
			now = got;
			drawAll();
		}
	};
	const moved = after(view => {
		if (document.contains(drawn)) {
			change({ view: viewText(view) });
			detail();
		}
	}, 300);

	show(place, "the timeline", async () => {
		now = whole = await ask(null);
		if (!whole.rows.length)
			return empty("This result set has no spans, events or samples with times.");
		drawn = timeline(tracksOf(whole.rows), { view: viewOf(current().query), onchange: moved, nouns: NOUNS,
			label: plural(Number(whole.set.totals.entries), ...NOUNS) });
		requestAnimationFrame(() => { drawAll(); if (current().query.get("view")) detail(); });
		return [note, drawn, h("p", { class: "exports" }, h("span", null, "Times count from the first entry."), h("span", null, "Export: "),
			[["json", "JSON"], ["csv", "CSV"]].map(([format, text]) => fileLink(reportUrl(id, "timeline", { format }), `timeline-${id}.${format}`, text))), list];
	});
	return [head(s, "timeline", "Timeline"),
		h("form", { class: "tools", onsubmit: e => e.preventDefault() },
			field("Search", h("input", { type: "search", placeholder: "Any words", value: current().query.get("q") || "",
				oninput: after(e => { change({ q: e.target.value }); if (drawn) drawAll(); }) })),
			h("button", { type: "button", onclick: () => drawn?.zoom(2) }, "Zoom in"),
			h("button", { type: "button", onclick: () => drawn?.zoom(0.5) }, "Zoom out")), place];
}
