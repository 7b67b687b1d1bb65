/* The page for event categories: their columns, a form for a new category, and deletion of empty ones. */
import { h, fill, field, select, agreed, empty, say, link } from "./dom.js";
import { ask, getJson, path } from "./api.js";
import { to } from "./route.js";
import { table } from "./table.js";
import { settingsHead, isAdmin, formOf } from "./settings.js";

const TYPES = [["string", "text"], ["int", "whole number"], ["elapsed", "duration"], ["timestamp", "time"], ["stack", "stack"]];
const NAME = { pattern: "[a-z_][a-z0-9_]*", title: "lower-case letters, digits and underscores", maxlength: "63", autocomplete: "off", size: "18", required: true };

const COLUMNS = [
	{ key: "name", title: "Category", kind: "text" },
	{ key: "columns", title: "Columns", kind: "text" },
	{ key: "action", title: "Action", kind: "text" },
];

/* The server sends a row per column. */
function categoriesOf(rows) {
	const found = new Map();
	for (const r of rows) {
		if (!found.has(r.category))
			found.set(r.category, { name: r.category, columns: [] });
		found.get(r.category).columns.push(r);
	}
	return [...found.values()];
}

function columnRow() {
	const row = h("div", { class: "tools column" }, field("Column", h("input", { ...NAME, name: "column" })), field("Type", select({ name: "type" }, TYPES, "string")),
		field("Title (optional)", h("input", { name: "title", size: "20" })),
		h("button", { type: "button", onclick: () => row.remove() }, "Remove"));
	return row;
}

function form(made) {
	const name = h("input", NAME), rows = h("div", null, columnRow());
	const columns = () => [...rows.children].map(row => {
		const value = key => row.querySelector(`[name=${key}]`).value.trim();
		return { name: value("column"), type: value("type"), pretty_name: value("title") || null };
	});
	return formOf({ title: "New category", yes: "Add", content: [h("div", { class: "tools" }, field("Name", name)), rows,
		h("p", null, h("button", { type: "button", class: "link", onclick: () => {
			const row = columnRow();
			rows.append(row);
			row.querySelector("input").focus();
		} }, "Add a column")),
		h("p", { class: "hint" }, "Each category also has the columns hostname and time, which apply to a whole batch of events.")],
	send: async () => {
		await getJson(path(["v1", "categories"]), { method: "POST", headers: { Accept: "application/json", "Content-Type": "application/json" },
			body: JSON.stringify({ name: name.value.trim(), columns: columns() }) });
		say("The category is added");
		name.value = "";
		fill(rows, columnRow());
		await made();
	} });
}

export default async function () {
	const admin = await isAdmin(), list = h("div", { class: "results" }), wrong = h("p", { class: "wrong-text", role: "alert" });
	const remove = async c => {
		if (!await agreed(`Delete the category ${c.name}?`, h("p", null, "Only a category without events can be deleted."), "Delete"))
			return;
		wrong.textContent = "";
		await ask(`/v1/categories/${encodeURIComponent(c.name)}`, { method: "DELETE" }).then(() => say("Deleted"), e => { wrong.textContent = `${e.message}.`; });
		await draw();
	};
	const draw = async () => {
		const rows = categoriesOf((await getJson(path(["v1", "categories"], { format: "json" }))).result_sets[0].rows);
		fill(list, rows.length ? table({ caption: "Event categories", rows, columns: COLUMNS.filter(c => c.key !== "action" || admin), classes: { name: "strong", columns: "whole" }, cells: {
			name: c => link(to(["events"], { category: c.name }), null, c.name),
			columns: c => c.columns.map(x => h("div", null, x.pretty_name || x.column, h("span", { class: "in" },
				` ${x.column}, ${TYPES.find(([type]) => type === x.type)?.[1] || x.type}`))),
			action: c => h("button", { type: "button", class: "link", "aria-label": `Delete ${c.name}`, onclick: () => remove(c) }, "Delete"),
		} }) : empty("The depot has no event categories."));
	};
	await draw();
	return [settingsHead("categories"), h("p", { class: "hint" }, "A category names the columns of one kind of event, for example the events of a tracer."),
		wrong, list, admin && form(draw)];
}
