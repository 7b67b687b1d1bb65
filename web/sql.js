/* The page for SQL queries: the statement, its result as a table or a chart, and the relations of the depot. The
 * statement is stored only in the link. */
import { h, fill, show, field, select, empty, figure, link, after, say } from "./dom.js";
import { whoami, runSql, downloadSql, forPages } from "./api.js";
import { change, to } from "./route.js";
import { table, pager, ordered } from "./table.js";
import { lineChart } from "./chart.js";
import { refusal } from "./token.js";

const ROWS = 10000, PAGE = 100, POINTS = 1000;
const FIRST = "SELECT inst_id, caption, format, loaded_at\nFROM instances\nORDER BY inst_id DESC\n";
const EXAMPLES = [
	["Newest result sets", FIRST],
	["Result sets per day", "SELECT loaded_at::date AS day, count(*) AS result_sets\nFROM instances\nGROUP BY day\nORDER BY day\n"],
	["Rows per format", "SELECT i.format, sum(c.row_count) AS row_count\nFROM instances AS i\nJOIN result_set_counts AS c USING (inst_id)\nGROUP BY i.format\nORDER BY 2 DESC\n"],
	["Labels", "SELECT key, value, count(*) AS result_sets\nFROM result_set_labels\nGROUP BY key, value\nORDER BY key, value\n"],
];

/* Partitions are left out: their rows are also in the relations to which they belong. */
const CATALOGUE = `SELECT c.relname AS relation, obj_description(c.oid, 'pg_class') AS about, a.attname AS name,
	format_type(a.atttypid, a.atttypmod) AS type, col_description(c.oid, a.attnum) AS note
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relnamespace = 'profdepot'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
	AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY c.relname COLLATE "C", a.attnum`;

/* --- the relations */

function insert(area, text) {
	area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
	area.focus();
}

async function relations(area) {
	const { rows } = await runSql(CATALOGUE, { limit: 100000 });
	const found = new Map();
	for (const r of rows)
		found.set(r.relation, [...found.get(r.relation) || [], { ...r, about: forPages(r.about), note: forPages(r.note) }]);
	const list = h("div");
	const draw = words => {
		const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
		const fitting = [...found].filter(([, all]) => {
			const text = all.map(r => `${r.relation} ${r.about} ${r.name} ${r.note}`).join(" ").toLowerCase();
			return wanted.every(w => text.includes(w));
		});
		fill(list, fitting.length ? fitting.map(([name, all]) => h("details", { class: "relation" },
			h("summary", null, h("code", null, name), h("span", { class: "in" }, ` ${all[0].about || ""}`)),
			h("p", null, h("button", { type: "button", class: "link", onclick: () => insert(area, name) }, `Insert ${name}`)),
			h("dl", null, all.map(c => h("div", null,
				h("dt", null, h("button", { type: "button", class: "link", title: `Insert ${c.name}`, onclick: () => insert(area, c.name) },
					h("code", null, c.name)), h("span", { class: "in" }, ` ${c.type}`)),
				c.note && h("dd", null, c.note))))))
			: h("p", { class: "in" }, "No relation matches."));
	};
	draw("");
	return [field("Find a relation or column", h("input", { type: "search", oninput: after(e => draw(e.target.value)) })), list];
}

/* --- the result */

const isNumber = c => c.kind === "integer" || c.kind === "decimal";
const cells = { inst_id: r => link(to(["sets", r.inst_id]), null, String(r.inst_id)) };

/* The label and the value of the chart, as chosen in the link. By default: the first column, and the first number that is
 * not an ID. */
function axes(columns, query) {
	const numbers = columns.filter(isNumber);
	const value = numbers.find(c => c.key === query.get("y")) || numbers.find(c => c !== columns[0] && !/(^|_)id$/.test(c.key)) || numbers[0];
	return { numbers, value, label: columns.find(c => c.key === query.get("x")) || columns.find(c => c !== value) || value };
}

function chart(answer, query, redraw) {
	const { numbers, value, label } = axes(answer.columns, query);
	if (!value)
		return empty("A chart needs a column of numbers.");
	const shown = answer.rows.slice(0, POINTS);
	const points = shown.map(r => {
		const name = String(r[label.key] ?? "");
		return { value: r[value.key] === null ? null : Number(r[value.key]), title: name, name: name.length > 10 ? `${name.slice(0, 9)}…` : name };
	});
	const place = h("div", { class: "panel scroll" });
	requestAnimationFrame(() => fill(place, points.some(p => p.value !== null)
		? lineChart(points, { width: Math.max(320, place.clientWidth - 2), unit: "none", label: `${value.title} by ${label.title}` })
		: empty("All values are empty.")));
	const pick = name => e => { change({ [name]: e.target.value }); redraw(); };
	return [h("div", { class: "tools" },
		field("Value", select({ onchange: pick("y") }, numbers.map(c => [c.key, c.title]), value.key)),
		field("Label", select({ onchange: pick("x") }, answer.columns.map(c => [c.key, c.title]), label.key))),
	answer.rows.length > POINTS && h("p", { class: "hint" }, `The chart shows the first ${figure(POINTS, "count")} rows.`), place];
}

function grid(answer, state, redraw) {
	const rows = ordered(answer.rows, state.sort);
	const page = rows.slice(state.skip, state.skip + PAGE);
	return [table({ caption: "Result", columns: answer.columns, rows: page, sort: state.sort, cells, classes: { inst_id: "n" },
		onsort: (key, descending) => {
			Object.assign(state, { sort: { key, descending }, skip: 0 });
			say(`Sorted by ${key}`);
			redraw();
		} }),
	pager(state.skip, page.length, rows.length, PAGE, n => { state.skip = n; redraw(); })];
}

/* Draws the answer. The link contains the kind of view, but not the order or the page. */
function result(answer, seconds, sql) {
	const place = h("div"), state = { sort: null, skip: 0 };
	const redraw = () => {
		const query = new URLSearchParams(location.hash.split("?")[1] || "");
		const view = query.get("view") || "table";
		const button = (name, text) => h("button", { type: "button", "aria-pressed": String(view === name),
			onclick: () => { change({ view: name === "table" ? null : name }); redraw(); } }, text);
		fill(place, h("p", { class: "sum" }, `${figure(answer.rows.length, "count")} ${answer.rows.length === 1 ? "row" : "rows"} in ${seconds} s`),
			(answer.incomplete || []).map(() => h("p", { class: "notes" }, `These are the first ${figure(answer.rows.length, "count")} rows.`)),
			h("p", { class: "exports" }, button("table", "Table"), button("chart", "Chart"),
				h("button", { type: "button", class: "link", onclick: () => downloadSql(sql, "query.csv").catch(e => say(e.message)) }, "Download as CSV")),
			!answer.rows.length ? empty("The query has no rows.") : view === "chart" ? chart(answer, query, redraw) : grid(answer, state, redraw));
	};
	redraw();
	return place;
}

/* Selects the place that an error message names. */
function mark(area, message) {
	const [, line, column] = /\(line (\d+), column (\d+)\)$/.exec(message) || [];
	if (!line)
		return;
	const at = area.value.split("\n").slice(0, line - 1).reduce((n, text) => n + text.length + 1, 0);
	const from = at + [...area.value.slice(at)].slice(0, column - 1).join("").length;
	area.focus();
	area.setSelectionRange(from, from + (/^\w+|^./.exec(area.value.slice(from))?.[0].length || 0));
}

export default async function ({ query }) {
	document.title = "Query – profdepot";
	if (!(await whoami()).scopes.includes("sql"))
		return refusal("Query", "send SQL queries to this server", "sql");
	const area = h("textarea", { id: "statement", class: "code", rows: "7", spellcheck: "false", autocapitalize: "off", value: query.get("q") || FIRST,
		"aria-describedby": "statement-hint" });
	const place = h("div", { class: "results", "aria-live": "polite" });
	const cancel = h("button", { type: "button", disabled: true }, "Cancel");
	let running = null;
	const run = async () => {
		const sql = area.value;
		change({ q: sql });
		running?.abort();
		const mine = running = new AbortController(), began = performance.now();
		cancel.disabled = false;
		await show(place, "the result", async () => {
			try {
				const answer = await runSql(sql, { limit: ROWS }, mine.signal);
				return result(answer, ((performance.now() - began) / 1000).toFixed(2), sql);
			} catch (e) {
				if (e.name === "AbortError")
					return running === mine ? empty("The query was cancelled.") : place.firstChild;
				mark(area, e.message);
				return h("div", { class: "state wrong", role: "alert" }, h("p", null, h("strong", null, "The query failed: "), e.message), e.hint && h("p", { class: "hint" }, e.hint));
			}
		});
		if (running === mine)
			cancel.disabled = true;
	};
	cancel.addEventListener("click", () => running?.abort());
	area.addEventListener("keydown", e => {
		if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) {
			e.preventDefault();
			run();
		}
	});
	const examples = select({ onchange: e => {
		area.value = EXAMPLES[e.target.value][1];
		e.target.value = "";
		change({ view: null, x: null, y: null });
		run();
	} }, [["", "choose"], ...EXAMPLES.map(([text], i) => [i, text])], "");
	const side = h("div", { class: "relations" });
	show(side, "the relations", () => relations(area));
	if (query.get("q"))
		run();
	return [h("div", { class: "title" }, h("h1", null, "Query")), h("div", { class: "query" },
		h("div", null, h("form", { onsubmit: e => { e.preventDefault(); run(); } },
			h("p", { class: "field" }, h("label", { for: "statement" }, "SQL statement"), area),
			h("p", { class: "hint", id: "statement-hint" }, "One SELECT statement. Ctrl+Enter runs it. The address of this page then contains it, so that you can share it."),
			h("div", { class: "tools" }, h("button", { class: "main" }, "Run"), cancel, field("Example", examples))), place),
		h("aside", { class: "panel padded", "aria-labelledby": "relations" }, h("h2", { id: "relations" }, "Relations"), side))];
}
