/* Shows a report's rows as a table with sorting, pages, foldable stacks and selectable columns. */
import { h, figure, inUnit, moment, labelsOf } from "./dom.js";

const NUMBERS = new Set(["integer", "decimal"]);

/* Keys of columns that are meant for programs; these columns are hidden until they are selected. */
const MACHINE = /^(id|severity|stack_id|position|event|last_event|inner_events|pid|tid|own_(module|class|file|line)|number|rank|thread_id|unit|records|source_id|trace_id|navigation_id|phase|worst_track)$/;

export function isNumber(column) {
	return NUMBERS.has(column.kind) && column.unit !== "hex";
}

/* Returns the columns that occur in the rows, in their given order. */
export function columnsOf(columns, rows) {
	const has = rows.length ? new Set(rows.flatMap(r => Object.keys(r))) : null;
	return columns.filter(c => !has || has.has(c.key));
}

/* Columns that repeat parts of another column. They would take the room of the figures. The name of a profile links to
 * it, so its ID and track are not needed. */
const REPEATED = [["summary", /^(description|threads?)$/], ["dom_complete", /^(profile|track)$/]];

/* Returns the key of the column that has the units of a column's values; null if all of them have the same unit. */
const unitKey = column => /^row(?::|$)/.test(column.unit) ? column.unit.slice(4) || "unit" : null;

export function usual(all) {
	const units = new Set(all.map(unitKey)), columns = all.filter(c => !units.has(c.key));
	const repeated = REPEATED.filter(([key]) => columns.some(c => c.key === key)).map(([, keys]) => keys);
	return columns.length < 6 ? columns : columns.filter(c => !MACHINE.test(c.key) && !repeated.some(keys => keys.test(c.key)));
}

/* Returns the columns that have a value in some row (for conditions: that are true in some row), in this order: one name, the stacks, other names, numbers. The
 * stacks come early because the last columns of a wide table are not visible at first. */
export function filled(columns, rows) {
	const some = columns.filter(c => rows.some(r => !isEmpty(r[c.key]) && !(c.kind === "frames" && !r[c.key].length) && !(c.kind === "bool" && !r[c.key])));
	const stacks = some.filter(c => c.kind === "frames");
	const others = some.filter(c => c.kind !== "frames").sort((a, b) => isNumber(a) - isNumber(b));
	return [...others.slice(0, 1), ...stacks, ...others.slice(1)];
}

export function isEmpty(value) {
	return value === null || value === undefined || value === "" || isLabels(value) && !labelsOf(value).length;
}

/* Of the values in a row, only labels are objects. */
function isLabels(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/* If a column of values has no unit, it gets the unit of the answer's metric. A title contains the unit, or the name of a
 * metric without a unit, unless each value is shown with its unit. */
export function measured(columns, metric) {
	const word = !metric ? "" : metric.unit === "none" ? metric.name : metric.unit;
	const title = c => inUnit(1, word) === `1 ${word}` && !isChange(c) ? `${c.title} (${word})` : c.title;
	return columns.map(c => metric && /^(base_)?(self|total|value)(_delta)?$|^delta$/.test(c.key) && c.unit === "none"
		? { ...c, unit: metric.unit, title: title(c) } : c);
}

/* --- stacks */

function frame(f, links) {
	const name = [f.class, f.routine].filter(Boolean).join(".") || "unknown";
	const at = [f.file, f.line].filter(x => x !== "" && x !== null && x !== undefined).join(":");
	return h("li", null, linked(links?.frame(f), h("span", { class: "fn" }, name)),
		f.module && h("span", { class: "in" }, ` ${f.module}`),
		at && h("span", { class: "at" }, ` ${at}`));
}

/* links.frame(f) returns the address of a frame's page, or null; `links` may be absent. */
export function frames(stack, links) {
	return h("ol", { class: "frames" }, stack.map(f => frame(f, links)));
}

function linked(href, content) {
	return href && content ? h("a", { href, class: "entry" }, content) : content;
}

/* Shows a stack that can be unfolded: its first frame and the number of other frames. links.below(row) returns what
 * follows the frames, such as a button for the row. */
export function foldedStack(stack, links, row) {
	if (!stack?.length)
		return h("span", { class: "none" }, "unknown");
	const first = stack.find(f => f.file) || stack[0];
	const name = [first.class, first.routine].filter(Boolean).join(".") || first.module || "unknown";
	return h("details", { class: "fold" },
		h("summary", null, h("span", { class: "fn" }, name), h("span", { class: "in" },
			stack.length > 1 ? ` and ${stack.length - 1} more` : "")), frames(stack, links), links?.below?.(row));
}

function furtherStacks(stacks, links) {
	if (!stacks?.length)
		return "";
	return stacks.map(s => h("details", { class: "fold" },
		h("summary", null, s.heading || s.role), frames(s.stack || [], links)));
}

/* --- cells */

/* Integers without a unit are line numbers or thread IDs. They are written without commas between their digits. */
const unitOf = column => column.kind === "integer" && (column.unit ?? "none") === "none" ? "id" : column.unit;

function figureOf(column, value, row) {
	const key = unitKey(column);
	return key ? inUnit(value, row[key]) : figure(value, unitOf(column));
}

function content(column, value, links, row) {
	if (isEmpty(value))
		return "";
	if (column.kind === "frames")
		return foldedStack(value, links, row);
	if (Array.isArray(value))
		return furtherStacks(value, links);
	if (isLabels(value))
		return labelsOf(value).join(" ");
	if (column.kind === "time")
		return h("time", { datetime: value, title: value }, moment(value));
	if (column.kind === "bool" || typeof value === "boolean")
		return value ? "yes" : "no";
	return column.unit === "hex" ? value : figureOf(column, value, row);
}

/* If the shown number is rounded, returns the exact number for a tooltip. */
function exact(column, value, row) {
	return isNumber(column) && value !== null && value !== undefined &&
		figureOf(column, value, row) !== String(value) ? String(value) : null;
}

function isChange(column) {
	return /(^|_)(delta|percent)$/.test(column.key) && isNumber(column);
}

function cell(column, row, { largest, long }, links) {
	const value = row[column.key];
	const names = [isNumber(column) && "n", long && "long"];
	if (column.kind === "frames" || Array.isArray(value))
		names.push("stack");
	if (largest && typeof value === "number")
		names.push("fig");
	if (isChange(column) && value)
		names.push(value > 0 ? "up" : "down");
	const shown = linked(isEmpty(value) ? null : links?.cell(column.key, row), content(column, value, links, row));
	return h("td", { role: "cell", "data-title": column.title, class: names.filter(Boolean).join(" ") || null, title: exact(column, value, row),
		vars: largest && typeof value === "number"
			? { "--share": `${(100 * Math.abs(value) / largest).toFixed(2)}%` } : null },
		isChange(column) && value > 0 ? ["+", shown] : shown);
}

/* Returns whether a column has texts that the browser may break within words, such as addresses and file names. */
const LONG = 24;

function isLong(column, rows) {
	return column.kind === "text" && rows.some(r => String(r[column.key] ?? "").length > LONG);
}

/* Returns the value for which a bar is drawn in full width, or 0 if the column has no bars. */
function largestOf(column, rows) {
	if (!isNumber(column) || !["count", "bytes"].includes(column.unit) || isChange(column))
		return 0;
	return rows.reduce((m, r) => Math.max(m, typeof r[column.key] === "number"
		? Math.abs(r[column.key]) : 0), 0);
}

/* Tables with at least this many columns have less space between their columns. */
const CROWDED = 8;

/*
 * { columns, rows, sort: { key, descending } or null, onsort(key, descending) or null,
 *   fixed: [key] of columns without sorting, caption, cells: { KEY: row => node },
 *   classes: { KEY: class of these cells }, links: { cell(key, row), frame(f) } with addresses or null,
 *   and optionally below(row); see foldedStack }
 */
export function table(t) {
	const head = t.columns.map(c => {
		const sorted = t.sort?.key === c.key;
		const title = t.onsort && c.kind !== "frames" && !t.fixed?.includes(c.key)
			? h("button", { type: "button", onclick: () =>
				t.onsort(c.key, sorted ? !t.sort.descending : isNumber(c)) }, c.title)
			: c.title;
		return h("th", { scope: "col", role: "columnheader", class: isNumber(c) ? "n" : null,
			"aria-sort": sorted ? (t.sort.descending ? "descending" : "ascending") : null }, title);
	});
	const looks = t.columns.map(c => ({ largest: largestOf(c, t.rows), long: isLong(c, t.rows) }));
	const body = t.rows.map(row => h("tr", { role: "row" }, t.columns.map((c, i) =>
		t.cells?.[c.key] ? h("td", { role: "cell", "data-title": c.title, class: t.classes?.[c.key] || (looks[i].long ? "long" : null) },
			linked(isEmpty(row[c.key]) ? null : t.links?.cell(c.key, row), t.cells[c.key](row)))
			: cell(c, row, looks[i], t.links))));
	return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t.caption },
		/* On a narrow screen, styles show each row as a record. The roles tell screen readers that it is a row. */
		h("table", { class: `grid records${t.columns.length >= CROWDED ? " crowded" : ""}`, role: "table" }, h("caption", { class: "unseen" }, t.caption),
			h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, head)), h("tbody", { role: "rowgroup" }, body)));
}

/* Shows "1–100 of 2,345" and buttons that call go(skip). If the total is unknown, `all` is null. */
export function pager(skip, shown, all, size, go) {
	const many = n => figure(n, "count");
	if (skip === 0 && all !== null && shown >= all)
		return null;
	return h("nav", { class: "pager", "aria-label": "Rows" },
		h("button", { type: "button", disabled: skip === 0, onclick: () => go(0) }, "First"),
		h("button", { type: "button", disabled: skip === 0,
			onclick: () => go(Math.max(0, skip - size)) }, "Previous"),
		h("span", null, `${many(shown ? skip + 1 : 0)}–${many(skip + shown)}${all === null ? "" : ` of ${many(all)}`}`),
		h("button", { type: "button", disabled: all !== null && skip + shown >= all,
			onclick: () => go(skip + size) }, "Next"));
}

/* Returns the rows that contain all words. Each word can be in any column. */
export function matching(rows, words) {
	const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
	return wanted.length ? rows.filter(r => {
		const text = JSON.stringify(r, (k, v) => typeof v === "bigint" ? String(v) : k === "labels" ? labelsOf(v) : v).toLowerCase();
		return wanted.every(w => text.includes(w));
	}) : rows;
}

/* Returns the rows sorted by a column. */
export function ordered(rows, sort) {
	if (!sort)
		return rows;
	const sign = sort.descending ? -1 : 1;
	return rows.slice().sort((a, b) => {
		const [x, y] = [a, b].map(r => isLabels(r[sort.key]) ? labelsOf(r[sort.key]).join(" ") : r[sort.key]);
		if (x === y)
			return 0;
		if (x === null || x === undefined || y === null || y === undefined)
			return (x === null || x === undefined) ? 1 : -1;
		return sign * (x < y ? -1 : 1);
	});
}
