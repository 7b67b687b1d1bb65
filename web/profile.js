/* The page for a MiniProfiler profile: a timeline, and a tree of steps, with calls as a waterfall. */
import { h, fill, show, select, field, after, empty, figure, moment, plural, link } from "./dom.js";
import { aSet, getJson, reportUrl } from "./api.js";
import { change, to } from "./route.js";
import { head, has, fileLink } from "./set.js";
import { frameLink } from "./entry.js";
import { timeline, viewOf, viewText } from "./timeline.js";

const rowsOf = async (id, name, query) =>
	(await getJson(reportUrl(id, name, query))).result_sets[0].rows;

/* Merges steps and calls by their IDs, which are in tree order. A call is shown below the innermost open
 * step whose name is call.step. */
function outline(steps, calls) {
	const path = [], out = [];
	for (const row of [...steps.map(s => ({ ...s, is: "step" })), ...calls.map(c => ({ ...c, is: "call" }))]
		.sort((a, b) => a.id - b.id)) {
		if (row.is === "step") {
			path.length = row.depth;
			path.push(row.step.trimStart());
			out.push(row);
			continue;
		}
		let depth = path.length;
		while (depth > 1 && path[depth - 1] !== row.step)
			depth--;
		out.push({ ...row, depth });
	}
	return out;
}

function bar(start, width, whole, kind, words) {
	const left = whole ? 100 * start / whole : 0;
	return h("div", { class: "lane", role: "img", "aria-label": words, title: words },
		h("span", { class: `bar ${kind}`, vars: { "--left": `${Math.min(99.6, Math.max(0, left)).toFixed(3)}%`,
			"--width": `${Math.min(100 - left, whole ? 100 * (width || 0) / whole : 0).toFixed(3)}%` } }));
}

function badges(row) {
	return [row.duplicate && h("span", { class: "badge warn" }, "duplicate"),
		row.is === "step" && row.duplicates > 0 &&
			h("span", { class: "badge warn" }, plural(row.duplicates, "duplicate", "duplicates")),
		(row.errored === true || row.errored > 0) && h("span", { class: "badge bad" }, "failed"),
		row.is === "call" && h("span", { class: "badge calm" }, [row.type, row.execute_type].filter(Boolean).join(" ")),
		row.trivial && h("span", { class: "badge calm" }, "trivial")];
}

const commandLink = (s, command, ...content) => link(to(["sets", s.inst_id, "entry"], { command }), null, ...content);

/* The name of a step or the command of a call, with a link to its page. */
function nameOf(s, row) {
	if (row.is === "step") {
		const name = row.step.trimStart(), page = has.tree(s) && frameLink(s.inst_id, { routine: name });
		return h("span", { class: "fn" }, page ? link(page, null, name) : name);
	}
	if (!row.command)
		return h("code", null, "");
	if (row.command.length <= 90 && !row.command.includes("\n"))
		return commandLink(s, row.command, h("code", null, row.command));
	return h("details", { class: "fold" }, h("summary", null, h("code", null, `${row.command.replace(/\s+/g, " ").slice(0, 90)}…`)),
		h("pre", null, row.command), commandLink(s, row.command, "This command in all requests"));
}

function line(s, row, whole) {
	const time = row.is === "step" ? row.total : row.duration;
	const words = `starts at ${figure(row.start, "milliseconds")}, duration ${figure(time, "milliseconds")}`;
	const name = nameOf(s, row);
	return h("tr", { role: "row", class: `${row.is}${row.trivial ? " trivial" : ""}${row.duplicate ? " duplicate" : ""}` },
		h("th", { scope: "row", role: "rowheader", vars: { "--depth": String(row.depth) } }, name, " ", badges(row),
			h("span", { class: "unseen" }, ` level ${row.depth + 1}`)),
		h("td", { class: "n", role: "cell", "data-title": "Start" }, figure(row.start, "milliseconds")),
		h("td", { class: "n", role: "cell", "data-title": "Duration" }, figure(time, "milliseconds")),
		h("td", { class: "n", role: "cell", "data-title": row.is === "step" ? "Self" : "First row" },
			row.is === "step" ? figure(row.self, "milliseconds") : figure(row.first_fetch, "milliseconds")),
		h("td", { class: "whole", role: "cell", "data-title": "Timeline" }, bar(row.start || 0, time, whole, row.is === "call" ? (row.duplicate ? "call twice" : "call") : "step", words)));
}

const MICROSECONDS = 1000; /* in a millisecond */

/* The tracks of the timeline: the steps, and the calls of each type. As in the table, time 0 is the start of the
 * request. The browser's times begin earlier, so they are not in the timeline. */
function tracksOf(steps, calls) {
	const item = (r, name, kind, duration) => ({ name, kind, start: (r.start || 0) * MICROSECONDS, duration: (duration || 0) * MICROSECONDS,
		words: `${name}: starts at ${figure(r.start || 0, "milliseconds")}, ${figure(duration || 0, "milliseconds")} long` });
	const types = [...new Set(calls.map(c => c.type))];
	return [["Steps", steps.map(s => item(s, s.step.trimStart(), "step", s.total))],
		...types.map(type => [`Calls: ${type || "other"}`, calls.filter(c => c.type === type).map(c =>
			item(c, (c.command || c.execute_type || "").replace(/\s+/g, " ").slice(0, 200), c.duplicate ? "repeated" : "call", c.duration))])]
		.filter(([, items]) => items.length).map(([title, items]) => ({ title, items }));
}

/* Shows steps and calls in depth-first order; trivial steps can be hidden. */
function waterfall(s, rows, hideTrivial) {
	const shown = hideTrivial ? rows.filter(r => !r.trivial) : rows;
	const whole = Math.max(...rows.map(r => (r.start || 0) + ((r.is === "step" ? r.total : r.duration) || 0)), 0);
	return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Steps and calls" },
		h("table", { class: "grid waterfall records", role: "table" },
			h("caption", { class: "unseen" }, "Steps and calls, with a bar from start to end"),
			h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, ["Step or call", "Start", "Duration", "Self / first row", "Timeline"].map((t, i) =>
				h("th", { scope: "col", role: "columnheader", class: i > 0 && i < 4 ? "n" : null }, t)))),
			h("tbody", { role: "rowgroup" }, shown.map(r => line(s, r, whole)))));
}

function client(rows) {
	if (!rows.length)
		return null;
	return h("section", { class: "panel", "aria-labelledby": "client" }, h("h2", { id: "client", class: "plain" }, "In the browser"),
		h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Client timings" },
			h("table", { class: "grid waterfall" }, h("caption", { class: "unseen" }, "Client timings"),
			h("tbody", null, rows.map(r => h("tr", { class: "step" },
				h("th", { scope: "row" }, h("span", { class: "fn" }, r.name)),
				h("td", { class: "n" }, figure(r.start, "milliseconds")),
				h("td", { class: "n" }, figure(r.duration, "milliseconds")),
				h("td", null, h("div", { class: "lane" }, h("span", { class: `bar ${r.point ? "point" : "client"}`,
					vars: { "--left": `${Math.min(99.6, r.left)}%`, "--width": `${r.width}%` } })))))))));
}

function duplicates(s, rows) {
	if (!rows.length)
		return null;
	return h("p", { class: "notes" }, h("strong", null, plural(rows.length, "command is", "commands are"), " sent more than once: "),
		rows.slice(0, 3).map(r => h("span", { class: "twice" }, `${r.count} × `, commandLink(s, r.command, h("code", null, r.command.slice(0, 120))), " ")));
}

const LISTED = 500; /* the newest profiles, from which the user can choose */

/* Returns the newest profiles. The profile of the link comes first if it is older. */
async function profilesOf(id, track) {
	const rows = await rowsOf(id, "profiles", { top: LISTED });
	return !track || rows.some(p => String(p.track) === track) ? rows : [...await rowsOf(id, "profiles", { track }), ...rows];
}

export default async function ({ id, query }) {
	const s = await aSet(id);
	const profiles = await profilesOf(id, query.get("track"));
	if (!profiles.length)
		return [head(s, "profile", "Profiles"), empty("This result set has no MiniProfiler profiles.")];
	const place = h("div", { class: "results" }), links = h("div");
	const chosen = () => profiles.find(p => String(p.track) ===
		new URLSearchParams(location.hash.split("?")[1] || "").get("track")) || profiles[0];
	const keepView = after(view => document.contains(place) && change({ view: viewText(view) }), 300);
	const redraw = () => {
		const p = chosen(), q = new URLSearchParams(location.hash.split("?")[1] || "");
		fill(links, h("p", { class: "exports" }, h("span", null, "Export: "),
			[["steps", "json", "Steps (JSON)"], ["calls", "csv", "Calls (CSV)"], ["steps", "html", "Page"]].map(([by, format, text]) =>
				fileLink(reportUrl(id, "profile", { by, track: p.track, format }), `profile-${id}-${p.track}.${format}`, text))));
		return show(place, "the profile", async () => {
			const [steps, calls, twice, inBrowser] = await Promise.all([
				rowsOf(id, "profile", { track: p.track, by: "steps" }), rowsOf(id, "profile", { track: p.track, by: "calls" }),
				rowsOf(id, "duplicates", { track: p.track }), rowsOf(id, "clienttimings", { track: p.track })]);
			const cards = [["Duration", figure(p.duration, "milliseconds")], ["Steps", p.steps],
				["Calls", p.calls], ["In calls", figure(p.call_time, "milliseconds")], ["Host", p.host], ["User", p.user],
				["Started", moment(p.started)]].filter(([, v]) => v !== null && v !== "");
			return [h("dl", { class: "cards" }, cards.map(([k, v]) => h("div", { class: "card" }, h("dt", null, k),
				h("dd", null, String(v))))), duplicates(s, twice),
			steps.length > 0 && timeline(tracksOf(steps, calls), { view: viewOf(q), onchange: keepView, label: plural(steps.length + calls.length, "step or call", "steps and calls") }),
			waterfall(s, outline(steps, calls), q.get("trivial") === "hide"), client(inBrowser)];
		});
	};
	redraw();
	return [head(s, "profile", "Profiles"),
		h("form", { class: "tools", onsubmit: e => e.preventDefault() },
			field(profiles.length < LISTED ? "Profile" : `Profile, of the newest ${LISTED}`, select({ class: "wide", onchange: e => { change({ track: e.target.value, view: null }); redraw(); } },
				profiles.map(p => [p.track, `${p.name}, ${figure(p.duration, "milliseconds")}, ${moment(p.started)}`]),
				chosen().track)),
			field("Hide trivial steps", h("input", { type: "checkbox", checked: query.get("trivial") === "hide",
				onchange: e => { change({ trivial: e.target.checked && "hide" }); redraw(); } }))),
		links, place];
}
