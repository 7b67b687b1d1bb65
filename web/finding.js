/* The page for one finding: its runs, its newest stack and its reviews. */
import { h, fill, show, moment, figure, plural, link } from "./dom.js";
import { getJson, findingUrl, whoami } from "./api.js";
import { change, current, to } from "./route.js";
import { table, pager, frames } from "./table.js";
import { lineChart } from "./chart.js";
import { streamName, streamLink, stateBadge, answerBadge, reviewBadge, asOfNotice } from "./stream.js";
import { findingName } from "./history.js";
import { reviewForm } from "./review.js";
import { fileLink } from "./set.js";
import { frameLink, stackLink } from "./entry.js";

const SIZE = 100, SHORT = 12, POINTS = 400;

function head(f, answer, query) {
	return h("header", { class: "set-head", "data-page-title": `${findingName(f)} – History – profdepot` },
		h("p", { class: "crumbs" }, streamLink(streamName(answer.stream), { as_of: query.get("as_of") }), " / ",
			h("span", null, f.identity.slice(0, SHORT))),
		h("h1", null, findingName(f)),
		h("p", { class: "badges" }, stateBadge(f.state), " ", h("span", { class: "badge calm" }, f.name ? `${f.kind}: ${f.name}` : f.kind), " ",
			answer.reviews.length > 0 && reviewBadge(`${answer.reviews[0].status}`), " ",
			f.was_fixed && h("span", { class: "badge bad" }, "seen after it was fixed")));
}

function about(f, answer) {
	const seen = name => f[`${name}_inst_id`] && [link(to(["sets", f[`${name}_inst_id`]]), null, `No. ${f[`${name}_inst_id`]}`),
		f[`${name}_version`] && ` (version ${f[`${name}_version`]})`];
	const facts = [["Class", f.class], ["Routine", f.routine], ["Source", f.source_file], ["Module", f.module], ["Owner", f.owner],
		["First seen", seen("first")], ["Last seen", seen("last")],
		["Seen in", `${plural(f.runs, "run", "runs")} of ${figure(answer.stream.runs, "count")}`],
		["Stream", streamLink(streamName(answer.stream))], ["Identity", h("code", null, f.identity)]];
	return h("section", { class: "panel padded", "aria-labelledby": "about" }, h("h2", { id: "about" }, "About"),
		h("dl", { class: "facts" }, facts.filter(([, v]) => v).map(([title, v]) =>
			h("div", null, h("dt", null, title), h("dd", null, v)))));
}

/* Merges consecutive rows of the same run. The count of a run is the highest count of its rows. */
function runsOf(rows) {
	const runs = [];
	for (const r of rows) {
		const before = runs[runs.length - 1];
		if (!before || r.run === null || before.run !== r.run)
			runs.push({ ...r });
		else if (r.count !== null && (before.count === null || r.count > before.count))
			runs[runs.length - 1] = { ...r };
	}
	return runs;
}

/* Returns the count, or null if the run did not look for the finding. */
const valueOf = r => r.count !== null ? Number(r.count) : r.answer === "not seen" ? 0 : null;

/* Divides the runs into groups of `size`. Returns the run with the highest count from each group. */
function thinned(runs, size) {
	const out = [];
	for (let i = 0; i < runs.length; i += size)
		out.push(runs.slice(i, i + size).reduce((a, b) => (valueOf(b) ?? -1) > (valueOf(a) ?? -1) ? b : a));
	return out;
}

function chart(rows) {
	const runs = runsOf(rows).reverse(), size = Math.ceil(runs.length / POINTS);
	const points = thinned(runs, size).map(r => ({ value: valueOf(r),
		name: String(r.version || r.run || r.inst_id).slice(0, SHORT), title: `${r.run || `No. ${r.inst_id}`}, ${moment(r.ran_at)}`,
		href: r.run ? to(["runs", r.run]) : to(["sets", r.inst_id]) }));
	return h("section", { class: "panel series" }, h("h2", { class: "plain" }, size > 1 ? `Count, the highest of every ${size} runs` : "Count"), lineChart(points, { unit: "count",
		width: Math.max(300, document.getElementById("content").clientWidth - 76), label: "Count in each run, oldest first" }));
}

const COLUMNS = [
	{ key: "inst_id", title: "No.", kind: "text" },
	{ key: "run", title: "Run", kind: "text" },
	{ key: "answer", title: "Answer", kind: "text" },
	{ key: "count", title: "Count", kind: "integer", unit: "count" },
	{ key: "size", title: "Size", kind: "integer", unit: "bytes" },
	{ key: "places", title: "Stacks", kind: "integer", unit: "count" },
	{ key: "source_line", title: "Line", kind: "integer", unit: "id" },
	{ key: "version", title: "Version", kind: "text" },
	{ key: "commit", title: "Commit", kind: "text" },
	{ key: "ran_at", title: "Ran at", kind: "time" },
	{ key: "tool", title: "Tool", kind: "text" },
	{ key: "stream", title: "Stream", kind: "text" },
];

function drawRuns(place, rows) {
	const skip = Number(current().query.get("skip") || 0);
	const page = rows.slice(skip, skip + SIZE);
	fill(place, table({ caption: "Runs, newest first", rows: page,
		columns: COLUMNS.filter(c => ["inst_id", "answer"].includes(c.key) || rows.some(r => r[c.key] !== null && r[c.key] !== "")),
		cells: { inst_id: r => link(to(["sets", r.inst_id]), null, r.inst_id),
			run: r => r.run && link(to(["runs", r.run]), null, r.run), answer: r => answerBadge(r.answer),
			commit: r => r.commit && h("code", { title: r.commit }, r.commit.slice(0, SHORT)) } }),
	pager(skip, page.length, rows.length, SIZE, n => { change({ skip: n || null }); drawRuns(place, rows); }));
}

function stack(answer) {
	return h("section", { class: "panel padded", "aria-labelledby": "stack" }, h("h2", { id: "stack" }, "Newest stack"),
		answer.stack ? [h("p", { class: "hint" }, "In ", link(to(["sets", answer.stack.inst_id]), null, `result set ${answer.stack.inst_id}`), "."),
			frames(answer.stack.frames, { frame: f => frameLink(answer.stack.inst_id, f) }),
			h("p", { class: "below" }, link(stackLink(answer.stack.inst_id, answer.stack.frames, answer.finding.kind === "leak" ? null : "errors"), null, "Flame graph of this stack"))]
			: h("p", { class: "in" }, "The result sets that had the finding were removed."));
}

function review(r) {
	const ticket = /^https?:\/\//.test(r.ticket || "") ? h("a", { href: r.ticket, rel: "noreferrer" }, r.ticket) : r.ticket;
	return h("li", null, reviewBadge(r.status), r.fixed_in && ` in ${r.fixed_in}`, r.author && [" by ", h("strong", null, r.author)],
		h("span", { class: "in" }, `, ${moment(r.reviewed_at)}`, r.until && `, until ${r.until}${r.expired ? " (expired)" : ""}`),
		h("p", null, r.reason), ticket && h("p", null, "Ticket: ", ticket));
}

function reviews(answer, form) {
	return h("section", { class: "panel padded", "aria-labelledby": "reviews" }, h("h2", { id: "reviews" }, "Reviews"),
		answer.reviews.length ? h("ol", { class: "reviews" }, answer.reviews.map(review)) : h("p", { class: "in" }, "Nobody has reviewed this finding."), form);
}

const mayReview = async () => (await whoami()).scopes.includes("review");

export default async function ({ id, query }) {
	const asked = { stream: query.get("stream"), as_of: query.get("as_of") };
	const place = h("div");
	const read = async () => {
		const [all, may] = await Promise.all([getJson(findingUrl(id, asked)), mayReview()]);
		const answer = all.result_sets[0], f = answer.finding, stream = streamName(answer.stream), runs = h("div", { class: "results" });
		const form = may && !asked.as_of && reviewForm(f.identity, stream, shown => shown === f.identity ? show(place, "the finding", read)
			: location.assign(to(["history", shown.slice(0, SHORT)], { stream })));
		drawRuns(runs, answer.rows);
		return [asked.as_of && asOfNotice(answer.ledger_no, to(["history", id], { stream })), head(f, answer, query),
			chart(answer.rows),
			h("div", { class: "two" }, h("div", null, stack(answer), reviews(answer, form)), about(f, answer)),
			h("h2", null, "Runs"), runs,
			h("p", { class: "exports" }, h("span", null, "Export: "), ["json", "csv", "html"].map(format =>
				fileLink(findingUrl(id, { stream, as_of: answer.ledger_no, format }), `finding-${f.identity.slice(0, SHORT)}.${format}`, format.toUpperCase())),
			h("span", null, `As of ledger number ${answer.ledger_no}: `),
			link(to(["history", f.identity.slice(0, SHORT)], { stream, as_of: answer.ledger_no }), { class: "as-of" }, "link to this answer"))];
	};
	return show(place, "the finding", read);
}
