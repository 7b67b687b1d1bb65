/* The page for the findings of a stream. */
import { h, fill, show, field, select, after, empty, figure, plural, link } from "./dom.js";
import { getJson, historyUrl, streams } from "./api.js";
import { change, current, to } from "./route.js";
import { table, pager, ordered } from "./table.js";
import { sparkline, valuesOf } from "./chart.js";
import { filtered, drawFacets } from "./facets.js";
import { streamName, streamTitle, stateBadge, reviewBadge, asOfNotice } from "./stream.js";
import { fileLink } from "./set.js";

const SIZE = 100;
/* The page asks for at most this many findings. The server sends the worst findings, so only less important ones are
 * missing. */
const MOST = 20000;

const FACETS = [
	{ key: "state", title: "State", values: r => [r.state], hidden: ["gone"],
		order: ["came back", "new", "open", "not looked for", "gone"] },
	{ key: "kind", title: "Kind", values: r => [r.kind] },
	{ key: "review", title: "Review", values: r => [r.review || "none"] },
	{ key: "owner", title: "Owner", values: r => r.owner ? r.owner.split(" ") : ["no owner"] },
];

const COLUMNS = [
	{ key: "routine", title: "Finding", kind: "text" },
	{ key: "state", title: "State", kind: "text" },
	{ key: "counts", title: "Trend", kind: "frames" },
	{ key: "class", title: "Class", kind: "text" },
	{ key: "count", title: "Count", kind: "integer", unit: "count" },
	{ key: "size", title: "Size", kind: "integer", unit: "bytes" },
	{ key: "first_inst_id", title: "First seen", kind: "text" },
	{ key: "last_inst_id", title: "Last seen", kind: "text" },
	{ key: "review", title: "Review", kind: "text" },
	{ key: "owner", title: "Owner", kind: "text" },
];

/* Returns the name of a finding: the routine of its first own frame, or else the class, or else the detector's word. */
export function findingName(f) {
	return f.routine || f.class || f.name || "unknown";
}

function findingCell(r, query) {
	const at = [r.source_file, r.source_line].filter(x => x !== "" && x !== null).join(":");
	return [link(to(["history", r.finding], { stream: query.get("stream"), as_of: query.get("as_of") }),
		{ class: "strong" }, findingName(r)),
	h("div", { class: "in" }, [r.name ? `${r.kind}: ${r.name}` : r.kind, at, r.module].filter(Boolean).join(", "))];
}

function rowsTable(rows, query, draw) {
	const skip = Math.min(Number(query.get("skip") || 0), Math.max(0, rows.length - 1));
	const [key, order] = (query.get("sort") || "").split(":");
	const sort = key ? { key, descending: order === "desc" } : null;
	const page = ordered(rows, sort).slice(skip, skip + SIZE);
	const seen = name => r => h("span", { class: "in" }, r[`${name}_version`] || (r[`${name}_inst_id`] ? `No. ${r[`${name}_inst_id`]}` : ""));
	return [table({ caption: "Findings", sort, rows: page,
		columns: COLUMNS.filter(c => ["routine", "state", "count", "counts"].includes(c.key) || rows.some(r => r[c.key])),
		onsort: (k, descending) => { change({ sort: `${k}:${descending ? "desc" : "asc"}`, skip: null }); draw(); },
		cells: { routine: r => findingCell(r, query), state: r => stateBadge(r.state),
			counts: r => r.counts && sparkline(valuesOf(r.counts), { gap: "not looked for" }), review: r => reviewBadge(r.review),
			first_inst_id: seen("first"), last_inst_id: seen("last") } }),
	pager(skip, page.length, rows.length, SIZE, n => { change({ skip: n || null }); draw(); })];
}

function foot(answer, query) {
	const asked = { stream: query.get("stream") || streamName(answer.stream), as_of: answer.ledger_no };
	return h("p", { class: "exports" },
		h("span", null, "Export: "), ["json", "csv", "html"].map(format =>
			fileLink(historyUrl({ ...asked, state: "all", format }), `history.${format}`, format.toUpperCase())),
		h("span", null, `As of ledger number ${answer.ledger_no}: `),
		link(to(["history"], { ...Object.fromEntries(query), ...lists(query), ...asked }), { class: "as-of" }, "link to this answer"));
}

const lists = query => Object.fromEntries(FACETS.map(f => [f.key, query.getAll(f.key)]));

/* Draws the facets and the rows. They are drawn again when the facets, the search, the order or the page change. */
function drawList(answer, places) {
	const { query } = current(), { rows } = answer;
	const words = (query.get("q") || "").toLowerCase().split(/\s+/).filter(Boolean);
	const found = words.length ? rows.filter(r => words.every(w => r.text.includes(w))) : rows;
	const chosen = lists(query), shown = filtered(FACETS, found, chosen);
	const gone = chosen.state.length ? 0 : filtered(FACETS, found, { ...chosen, state: ["gone"] }).length;
	const draw = () => drawList(answer, places);
	drawFacets(places.facets, FACETS, found, chosen, (key, values) => {
		change({ [key]: values, skip: null });
		draw();
	});
	places.count.textContent = `${plural(shown.length, "finding", "findings")}${gone ? `, and ${figure(gone, "count")} gone` : ""}`;
	fill(places.rows, shown.length ? rowsTable(shown, query, draw) : empty(rows.length
		? "No finding matches." : "No run of this stream has a finding."), foot(answer, query));
}

async function load(query) {
	const answer = (await getJson(historyUrl({ stream: query.get("stream"), as_of: query.get("as_of"), state: "all", top: MOST })))
		.result_sets[0];
	for (const r of answer.rows)
		r.text = [r.identity, r.state, r.kind, r.name, r.class, r.routine, r.source_file, r.module, r.review, r.owner,
			r.first_version, r.last_version].filter(Boolean).join(" ").toLowerCase();
	return answer;
}

function notices(answer, query) {
	return [query.get("as_of") && asOfNotice(answer.ledger_no, to(["history"], { ...Object.fromEntries(query), ...lists(query), as_of: null })),
		answer.totals.rows > answer.rows.length && h("p", { class: "notes" },
			`The stream has ${figure(answer.totals.rows, "count")} findings. The worst ${figure(answer.rows.length, "count")} are listed.`)];
}

/* Draws the list of streams. Does nothing if the list already shows the stream `now`, because a list that is
 * replaced loses the focus. */
function drawStreams(place, all, now, choose) {
	if (place.now === now)
		return;
	place.now = now;
	fill(place, field("Stream", select({ class: "wide", onchange: e => { place.now = e.target.value; choose(place.now); } },
		[...new Set([...all.map(streamName), now])].map(n => [n, streamTitle(n)]), now)));
}

export default async function ({ query }) {
	document.title = "History – profdepot";
	const all = await streams();
	if (!all.length && !query.get("stream"))
		return [h("div", { class: "title" }, h("h1", null, "History")),
			empty("The depot has no runs.", h("p", null, "Load results of a leak or error detector."))];
	const places = { facets: h("div", { class: "facets" }), rows: h("div", { class: "results" }), count: h("output"), notices: h("div") };
	const chooser = h("span");
	let answer = null;
	const search = h("input", { type: "search", value: query.get("q") || "", placeholder: "Any word",
		oninput: after(e => { change({ q: e.target.value, skip: null }); if (answer) drawList(answer, places); }) });
	const read = async () => {
		const asked = current().query;
		answer = await load(asked);
		drawStreams(chooser, all, asked.get("stream") || streamName(answer.stream), choose);
		fill(places.notices, notices(answer, asked));
		drawList(answer, places);
		return [places.notices, places.facets, places.rows];
	};
	const place = h("div");
	const choose = stream => {
		change({ stream, as_of: null, skip: null, ...Object.fromEntries(FACETS.map(f => [f.key, null])) });
		show(place, "the history", read);
	};
	drawStreams(chooser, all, query.get("stream") || streamName(all[0]), choose);
	await show(place, "the history", read);
	return [h("div", { class: "title" }, h("h1", null, "History"), places.count),
		h("form", { class: "tools", role: "search", onsubmit: e => e.preventDefault() },
			chooser, field("Search", search)), place];
}
