/* Shows the rows of a call tree. Each call with calls below it has a button that expands and collapses it. */
import { h, fill, figure, say, link } from "./dom.js";
import { change, current } from "./route.js";
import { table, pager, matching, ordered, isNumber, isEmpty } from "./table.js";

const SIZE = 500;

/* At most this many levels are expanded at first. */
const FIRST_LEVELS = 24;

/* Columns that repeat parts of the call or of the place in its file. They are hidden until they are selected. */
const REPEATED = /^(level|class|routine|line|folded)$/;

export function isTree(report) {
	return ["level", "call"].every(key => report.columns.some(c => c.key === key));
}

/* Returns the columns in this order: the call, its figures, other columns. */
export function treeColumns(columns) {
	const place = c => c.key === "call" ? 0 : isNumber(c) && !REPEATED.test(c.key) ? 1 : 2;
	return columns.slice().sort((a, b) => place(a) - place(b));
}

export function usualInTree(columns, rows) {
	return columns.filter(c => !REPEATED.test(c.key) && rows.some(r => !isEmpty(r[c.key])));
}

/* Returns a node for each row: { row, at, caller, called }. In an answer, each row follows its caller. `at` is the
 * row's place in the answer. */
function nodesOf(rows) {
	const path = [];
	return rows.map((row, at) => {
		path.length = Math.min(path.length, row.level);
		const node = { row, at, caller: path.at(-1), called: [] };
		node.caller?.called.push(node);
		path.push(node);
		return node;
	});
}

/* --- expanded calls: the set of their places in the answer */

function heaviestPath(nodes) {
	const open = new Set(), size = n => Math.abs(Number(n.row.total));
	for (let node = nodes[0]; node?.called.length && open.size < FIRST_LEVELS;
		node = node.called.reduce((a, b) => size(b) > size(a) ? b : a))
		open.add(node.at);
	return open;
}

function callersOf(nodes) {
	const open = new Set();
	for (const node of nodes)
		for (let n = node.caller; n && !open.has(n.at); n = n.caller)
			open.add(n.at);
	return open;
}

/* The entry of the browser's history keeps the expanded calls for Back and Reload. */
function kept(of) {
	const tree = history.state?.tree;
	return tree?.of === of ? new Set(tree.open) : null;
}

function keep(of, open) {
	history.replaceState({ ...history.state, tree: { of, open: [...open] } }, "");
}

/* Returns the visible nodes from top to bottom. Calls with the same caller are sorted by a column. */
function visible(nodes, open, sort) {
	const out = [], ranks = sort && new Map(ordered(nodes.map(n => n.row), sort).map((row, i) => [row, i]));
	const lastFirst = list => list.slice().sort((a, b) => ranks ? ranks.get(b.row) - ranks.get(a.row) : b.at - a.at);
	const waiting = lastFirst(nodes.filter(n => !n.caller));
	while (waiting.length) {
		const node = waiting.pop();
		out.push(node);
		if (open.has(node.at))
			waiting.push(...lastFirst(node.called));
	}
	return out;
}

/* --- cells */

function callCell(node, open, words, links, toggle) {
	const name = node.row.call.trimStart(), href = links?.cell("call", node.row);
	return h("span", { class: "node", vars: { "--depth": String(node.row.level) } },
		node.called.length > 0 && h("button", { type: "button", class: "toggle", "data-at": node.at, "aria-label": `${words} of ${name}`,
			"aria-expanded": String(open.has(node.at)), onclick: () => toggle(node) }),
		href ? link(href, { class: "entry" }, name) : name,
		node.row.folded && h("span", { class: "in" }, " with smaller calls"),
		h("span", { class: "unseen" }, ` level ${node.row.level}`));
}

function placeCell(row) {
	return isEmpty(row.file) ? "" : [row.file, !isEmpty(row.line) && `:${row.line}`];
}

/* --- keys: Right expands a call or goes to the first call below it, Left collapses a call or goes to its caller, Up and
 * Down go to the previous and the next button. Returns the next node to focus, or null. */
function move(key, node, buttons, open, toggle) {
	if (key === "ArrowRight" && open.has(node.at))
		return node.called.find(n => n.called.length);
	if (key === "ArrowLeft" && !open.has(node.at))
		return node.caller;
	if (key === "ArrowRight" || key === "ArrowLeft")
		return toggle(node);
	return buttons[buttons.indexOf(node) + (key === "ArrowUp" ? -1 : 1)];
}

const KEYS = ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"];

/*
 * { rows: the whole answer, columns, sort, onsort, caption, links: as for table(), below: what a call contains ("Calls"),
 *   words: only calls with all these words, and their callers, are shown, of: identifies the answer }
 */
export function callTree(t) {
	const place = h("div"), all = nodesOf(t.rows), found = t.words ? new Set(matching(t.rows, t.words)) : null;
	const matches = found && all.filter(n => found.has(n.row)), callers = found && callersOf(matches);
	const nodes = found ? all.filter(n => found.has(n.row) || callers.has(n.at)) : all;
	const of = `${t.of} ${t.words || ""}`, first = () => callers || heaviestPath(all);
	let open = kept(of) || first(), shown = [];
	if (found)
		for (const n of all)
			n.called = n.called.filter(c => found.has(c.row) || callers.has(c.at));
	const focus = node => node && place.querySelector(`button.toggle[data-at="${node.at}"]`)?.focus();
	const set = (opened, said) => {
		open = opened;
		keep(of, open);
		draw();
		say(said || "");
	};
	const toggle = node => {
		const opened = new Set(open);
		if (!opened.delete(node.at))
			opened.add(node.at);
		set(opened);
		focus(node);
	};
	const every = (text, opened) => h("button", { type: "button", onclick: () => {
		change({ skip: null });
		set(opened(), `${text}: ${figure(visible(nodes, open, null).length, "count")} calls are shown`);
	} }, text);
	const rowsPlace = h("div");
	function draw() {
		const calls = visible(nodes, open, t.sort), asked = Number(current().query.get("skip") || 0), skip = asked < calls.length ? asked : 0;
		shown = calls.slice(skip, skip + SIZE);
		const nodeOf = new Map(shown.map(n => [n.row, n]));
		fill(rowsPlace, table({ caption: t.caption, columns: t.columns, rows: shown.map(n => n.row), sort: t.sort, onsort: t.onsort,
			cells: { call: row => callCell(nodeOf.get(row), open, t.below, t.links, toggle), file: placeCell },
			links: { ...t.links, cell: (key, row) => key === "call" ? null : t.links.cell(key, row) } }),
		pager(skip, shown.length, calls.length, SIZE, n => { change({ skip: n || null }); draw(); }));
	}
	rowsPlace.addEventListener("keydown", e => {
		const at = e.target.closest("button.toggle")?.dataset.at;
		if (at === undefined || !KEYS.includes(e.key) || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey)
			return;
		e.preventDefault();
		focus(move(e.key, all[at], shown.filter(n => n.called.length), open, toggle));
	});
	fill(place, h("div", { class: "tools", role: "group", "aria-label": "Levels" }, every("Expand all", () => callersOf(nodes)), every("Collapse all", () => new Set()),
		every(found ? "Expand the matches" : "Expand the heaviest path", first)), rowsPlace);
	draw();
	return place;
}
