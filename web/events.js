/* The page for a category's events, filtered by groups of conditions, as rows, sums or a flame graph. */
import { h, fill, show, field, select, after, empty, figure, plural, wrong } from "./dom.js";
import { ask, getJson, path } from "./api.js";
import { change } from "./route.js";
import { table } from "./table.js";
import { drawFlame, search } from "./flame.js";

const OPERATORS = ["=", "!=", "<", "<=", ">", ">=", "contains"];
const BUCKETS = [["", "none"], ["60", "minute"], ["3600", "hour"], ["86400", "day"]];
const SIZE = 200;

const now = () => new URLSearchParams(location.hash.split("?")[1] || "");

/* --- conditions: in the link as JSON, [{ oper, of: [[column, operator, value]...] }...] */

function groupsOf(query) {
	try {
		const groups = JSON.parse(query.get("where") || "[]");
		return Array.isArray(groups) ? groups.filter(g => g && Array.isArray(g.of)) : [];
	} catch {
		return [];
	}
}

const complete = c => c && c[0] && OPERATORS.includes(c[1]) && String(c[2] ?? "") !== "";

function constraints(groups) {
	return groups.map(g => ({ oper: g.oper === "or" ? "or" : "and",
		conditions: g.of.filter(complete).map(([column, expr, value]) => ({ [column]: value, expr })) }))
		.filter(g => g.conditions.length);
}

/* Suggests column values; ignores late answers to older requests. */
function suggestions(category, list) {
	let asked = 0;
	return async (column, typed) => {
		const mine = ++asked;
		let options = [];
		try {
			const found = await getJson(path(["v1", "categories", category, "values", column],
				{ contains: typed, limit: 20 }));
			options = found.values.map(v => h("option", { value: String(v[column]) }, `${v[column]} (${v.count})`));
		} catch {
			/* No suggestions. */
		}
		if (mine === asked)
			list.replaceChildren(...options);
	};
}

let lists = 0;

function condition(category, columns, c, changed, remove) {
	const list = h("datalist", { id: `values${++lists}` });
	const value = h("input", { value: c[2] ?? "", list: list.id, "aria-label": "Value",
		oninput: e => { c[2] = e.target.value; changed(); } });
	const offer = suggestions(category, list);
	const suggest = () => {
		const column = columns.find(x => x.name === c[0]);
		if (column && column.type !== "stack")
			offer(c[0], value.value);
	};
	value.addEventListener("focus", suggest);
	value.addEventListener("input", after(suggest, 300));
	return h("div", { class: "condition" },
		select({ "aria-label": "Column", onchange: e => { c[0] = e.target.value; changed(); } },
			columns.map(x => [x.name, x.prettyname]), c[0]),
		select({ "aria-label": "Operator", onchange: e => { c[1] = e.target.value; changed(); } }, OPERATORS, c[1]),
		value, list, h("button", { type: "button", onclick: remove }, "Remove"));
}

function groupBox(category, columns, groups, g, changed, redraw) {
	const add = () => { g.of.push([columns[0].name, "=", ""]); redraw(true); };
	return h("fieldset", null, h("legend", null, "Filter"),
		g.of.length > 1 && field("Match", select({ onchange: e => { g.oper = e.target.value; changed(); } },
			[["and", "all conditions"], ["or", "any condition"]], g.oper)),
		g.of.map((c, i) => condition(category, columns, c, changed, () => {
			g.of.splice(i, 1);
			if (!g.of.length)
				groups.splice(groups.indexOf(g), 1);
			redraw();
			changed();
		})),
		h("button", { type: "button", onclick: add }, "Add a condition"));
}

/* --- the query */

function columnsAsked(columns, query) {
	const names = query.get("columns")?.split(",");
	return names ? columns.filter(c => names.includes(c.name)) : columns;
}

function body(columns, query) {
	const view = query.get("view") || "list";
	const b = { constraints: constraints(groupsOf(query)) };
	for (const key of ["from", "until"])
		if (query.get(key))
			b[key] = query.get(key);
	if (view === "flame")
		return { ...b, format: "flamegraph", invert: Boolean(query.get("invert")),
			...(query.get("weight") ? { weight: query.get("weight") } : {}) };
	const by = query.get("by")?.split(",").filter(Boolean) || [];
	if (view === "groups")
		return { ...b, group_by: by, ...(query.get("bucket") ? { bucket: Number(query.get("bucket")) } : {}),
			order: query.get("order") || (query.get("bucket") ? "bucket" : "-sum"), limit: SIZE,
			offset: Number(query.get("offset") || 0) };
	return { ...b, columns: columnsAsked(columns, query).map(c => c.name), limit: SIZE,
		...(query.get("order") ? { order: query.get("order") } : {}), offset: Number(query.get("offset") || 0) };
}

const question = b => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(b) });
const queryOf = category => path(["v1", "categories", category, "query"]);
/* Numbers in rows must be exact; numbers in trees are only drawn, so they can be rounded. */
const post = (category, b) => getJson(queryOf(category), { ...question(b), rounded: b.format === "flamegraph" });
const postForText = async (category, b) => (await ask(queryOf(category), question(b))).text();

/* --- results */

const KINDS = { int: "integer", elapsed: "integer" };
const described = c => ({ key: c.name, title: c.prettyname,
	kind: c.type === "stack" ? "frames" : KINDS[c.type] || "text",
	unit: c.type === "elapsed" ? "microseconds" : c.type === "int" ? "id" : "none" });

function stackCell(name) {
	return r => {
		const frames = String(r[name] ?? "").split(";");
		return frames.length < 2 ? frames[0] : h("details", { class: "fold" },
			h("summary", null, h("span", { class: "fn" }, frames[0]), h("span", { class: "in" }, ` and ${frames.length - 1} more`)),
			h("ol", { class: "frames" }, frames.map(f => h("li", null, f))));
	};
}

function rowsView(answer, columns, query, redraw) {
	const rows = answer.rows || answer.groups;
	if (!rows.length)
		return empty("No matching events.");
	const keys = Object.keys(rows[0]);
	const shown = keys.map(k => columns.find(c => c.name === k)).map((c, i) => c ? described(c)
		: { key: keys[i], title: { bucket: "From", count: "Events", sum: "Sum" }[keys[i]] || keys[i],
			kind: keys[i] === "bucket" ? "time" : "integer", unit: keys[i] === "count" ? "count"
				: keys[i] === "sum" ? "microseconds" : "none" });
	const order = query.get("order") || "", offset = Number(query.get("offset") || 0);
	const cells = Object.fromEntries(columns.filter(c => c.type === "stack").map(c => [c.name, stackCell(c.name)]));
	const move = n => { change({ offset: n || null }); redraw(); };
	return [table({ caption: "Events", columns: shown, rows, cells,
		sort: order ? { key: order.replace("-", ""), descending: order[0] === "-" } : null,
		onsort: (key, descending) => {
			if (cells[key])
				return;
			change({ order: (descending ? "-" : "") + key, offset: null });
			redraw();
		} }),
	(offset > 0 || answer.more) && h("nav", { class: "pager", "aria-label": "Rows" },
		h("button", { type: "button", disabled: !offset, onclick: () => move(Math.max(0, offset - SIZE)) }, "Previous"),
		h("span", null, `${figure(offset + 1, "count")}–${figure(offset + rows.length, "count")}`),
		h("button", { type: "button", disabled: !answer.more, onclick: () => move(offset + SIZE) }, "Next"))];
}

function flameView(answer, query, keep) {
	if (!answer.tree.children?.length)
		return empty("No matching events with a stack.");
	const inner = h("div");
	const unit = answer.unit || "none";
	requestAnimationFrame(async () => {
		try {
			keep(await drawFlame(inner, answer.tree, { unit, icicle: true }));
		} catch (e) {
			fill(inner, wrong(e));
		}
	});
	return [answer.trimmed > 0 && h("p", { class: "hint" },
		`${plural(answer.trimmed, "narrow frame is", "narrow frames are")} merged into their callers.`),
	h("div", { class: "panel flame-panel" }, inner)];
}

function exportButton(category, columns) {
	const save = async (format, end) => {
		const b = body(columns, now());
		const text = await postForText(category, format === "json" ? b
			: { constraints: b.constraints, from: b.from, until: b.until, format });
		const a = h("a", { href: URL.createObjectURL(new Blob([text])), download: `${category}.${end}` });
		a.click();
		setTimeout(() => URL.revokeObjectURL(a.href), 60000);
	};
	return h("p", { class: "exports" }, h("span", null, "Export: "), [["json", "json", "JSON"],
		["folded", "folded", "Folded stacks"], ["svg", "svg", "Image (SVG)"]].map(([format, end, text]) =>
		h("button", { type: "button", class: "link", onclick: () => save(format, end) }, text)));
}

/* --- the page */

function viewControls(columns, query, set) {
	const view = query.get("view") || "list";
	const checks = (name, chosen, of) => h("fieldset", null, h("legend", null, name === "by" ? "Group by" : "Columns"),
		h("div", { class: "checks" }, of.map(c => h("label", null, h("input", { type: "checkbox",
			checked: chosen.includes(c.name), onchange: e => {
				const names = of.filter(x => x === c ? e.target.checked : chosen.includes(x.name)).map(x => x.name);
				set({ [name]: names.join(","), offset: null, order: null }, true);
			} }), c.prettyname))));
	if (view === "list")
		return checks("columns", columnsAsked(columns, query).map(c => c.name), columns);
	if (view === "groups")
		return [checks("by", query.get("by")?.split(",") || [], columns.filter(c => !["stack", "elapsed", "timestamp"].includes(c.type))),
			field("Time interval", select({ onchange: e => set({ bucket: e.target.value, order: null }, true) }, BUCKETS, query.get("bucket") || ""))];
	return [field("Innermost frames first", h("input", { type: "checkbox", checked: query.get("invert"),
		onchange: e => set({ invert: e.target.checked }) })),
	field("Width", select({ onchange: e => set({ weight: e.target.value }) },
		[["", "elapsed time"], ["count", "number of events"]], query.get("weight") || ""))];
}

/* Returns an object with the columns of each category. The server sends a row per column. */
async function readCategories() {
	const categories = {};
	for (const r of (await getJson(path(["v1", "categories"], { format: "json" }))).result_sets[0].rows)
		(categories[r.category] ||= []).push({ name: r.column, type: r.type, prettyname: r.pretty_name });
	return categories;
}

export default async function ({ query }) {
	document.title = "Events – profdepot";
	const categories = await readCategories();
	const names = Object.keys(categories);
	if (!names.length)
		return [h("h1", null, "Events"), empty("The depot has no event categories.")];
	const category = names.includes(query.get("category")) ? query.get("category") : names[0];
	const columns = categories[category];
	const place = h("div", { class: "results" }), boxes = h("div", { class: "groups" }), controls = h("div", { class: "tools" });
	const groups = groupsOf(query);
	let drawn = null;
	const answer = () => show(place, "events", async () => {
		const q = now();
		const got = await post(category, body(columns, q));
		return got.tree ? flameView(got, q, d => { drawn = d; search(d, q.get("q")); }) : rowsView(got, columns, q, answer);
	});
	const later = after(answer, 400);
	const changed = () => {
		change({ where: groups.length ? JSON.stringify(groups) : null, offset: null });
		later();
	};
	const draw = focusLast => {
		fill(boxes, groups.map(g => groupBox(category, columns, groups, g, changed, draw)),
			h("div", null, h("button", { type: "button", onclick: () => {
				groups.push({ oper: "and", of: [[columns[0].name, "=", ""]] });
				draw(true);
			} }, groups.length ? "Add another filter" : "Add a condition")));
		if (focusLast)
			[...boxes.querySelectorAll("input")].pop()?.focus();
	};
	const set = (what, controlsToo) => {
		change(what);
		if (controlsToo)
			fill(controls, viewControls(columns, now(), set));
		find.hidden = now().get("view") !== "flame";
		answer();
	};
	const find = field("Search", h("input", { type: "search", placeholder: "Regular expression", value: query.get("q") || "",
		oninput: after(e => { change({ q: e.target.value }); search(drawn, e.target.value); }) }));
	find.hidden = query.get("view") !== "flame";
	fill(controls, viewControls(columns, query, set));
	const text = (key, label) => field(label, h("input", { value: query.get(key) || "", placeholder: "2025-11-14 09:30",
		oninput: after(e => set({ [key]: e.target.value, offset: null }), 400) }));
	draw();
	answer();
	return [h("div", { class: "title" }, h("h1", null, "Events")),
		h("form", { class: "tools", onsubmit: e => e.preventDefault() },
			field("Category", select({ onchange: e => { change({ category: e.target.value, where: null, columns: null, by: null });
				dispatchEvent(new Event("hashchange")); } }, names, category)),
			field("Show", select({ onchange: e => set({ view: e.target.value, offset: null, order: null }, true) },
				[["list", "events"], ["groups", "sums"], ["flame", "flame graph"]], query.get("view") || "list")),
			text("from", "From"), text("until", "Until"), find),
		controls, boxes, exportButton(category, columns), place];
}
