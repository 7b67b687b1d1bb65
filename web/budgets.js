/* The page for the depot's budgets. The depot has one document of budgets per application (share/budget.schema.json). */
import { h, fill, field, select, agreed, empty, say, figure, link, moment } from "./dom.js";
import { ask, getJson, path, listSets, facetsOfSets, titled, forPages, whoami } from "./api.js";
import { to } from "./route.js";
import { table } from "./table.js";
import { settingsHead, isAdmin, formOf } from "./settings.js";

const OTHERS = "All other applications";
const titleOf = application => application || OTHERS;

/* For each kind of budget: its title, the fields that select what it limits, and its limits. */
const GROUPED = ["class", "module", "routine"], GROWTH = what => [`max_${what}`, `max_${what}_growth`, `max_${what}_growth_percent`];
const KINDS = {
	leaks: { title: "Leaks", fields: [...GROUPED, "kind", "each"], limits: [...GROWTH("count"), ...GROWTH("size"), "max_new"] },
	errors: { title: "Errors", fields: [...GROUPED, "kind", "each"], limits: [...GROWTH("count"), "max_new"] },
	metric: { title: "Metric", fields: ["metric", ...GROUPED, "each"], limits: [...GROWTH("value"), "max_new"] },
	duration: { title: "Duration", fields: ["span", "statistic"], limits: GROWTH("value") },
};
const CHOICES = { each: [["", "all together"], ["stack", "each stack"], ["class", "each class"], ["routine", "each routine"], ["module", "each module"], ["own", "each own frame"]],
	statistic: [["", "median"], ["sum", "sum"], ["min", "minimum"], ["max", "maximum"], ["p95", "95th percentile"]] };
const HINTS = { class: "TForm*", module: "orders*", routine: "*Paint*", kind: "definite", metric: "cpu", span: "load page" };
const REQUIRED = ["metric", "span"];

const NOUNS = { count: "count", size: "size", value: "value", new: "number of new stacks" };

/* "max_size_growth_percent" is "growth of the size in per cent". */
function limitTitle(key) {
	const [, what, growth, percent] = /^max_(count|size|value|new)(_growth)?(_percent)?$/.exec(key);
	return `${growth ? "growth of the " : ""}${NOUNS[what]}${percent ? " in per cent" : ""}`;
}

const listed = value => Array.isArray(value) ? value.join(", ") : value || "";

function limitsOf(budget) {
	return Object.keys(budget).filter(k => k.startsWith("max_")).map(key => h("div", null, `${limitTitle(key)}: `,
		h("strong", null, typeof budget[key] === "number" ? figure(budget[key], unitOf(budget, key)) : budget[key])));
}

/* The unit of a metric's limit is that of the metric, whose name is shown. */
const unitOf = (budget, key) => key.endsWith("_percent") ? "count" : key.startsWith("max_size") ? "bytes" : budget.of === "duration" ? "milliseconds" : "count";

function selectionOf(budget) {
	const of = KINDS[budget.of], chosen = [...of.fields, "own"].filter(k => budget[k] !== undefined && k !== "each").map(k => `${k} ${listed(budget[k])}`);
	const each = CHOICES.each.find(([value]) => value && value === budget.each);
	return [of.title, chosen.length > 0 && `, ${chosen.join(", ")}`, each && `, ${each[1]}`, budget.optional && h("span", { class: "in" }, " (skipped if it cannot be judged)")];
}

/* --- the form */

/* Converts the text of a field to the value in a document: a number, or a text such as "64K". */
const amount = text => /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
const globs = text => text.includes(",") ? text.split(/\s*,\s*/).filter(Boolean) : text;

function limitRow(of, key, value) {
	const row = h("div", { class: "tools limit" }, field("Limit", select({ name: "limit" }, of.limits.map(k => [k, limitTitle(k)]), key)),
		field("At most", h("input", { name: "amount", value: value ?? "", size: "10", required: true, placeholder: "0" })),
		h("button", { type: "button", onclick: () => row.parentNode.children.length > 1 && row.remove() }, "Remove"));
	return row;
}

/* Returns the element of a form for one budget. `before` is the budget to edit, or undefined. */
function form({ before, application, applications, save, leave }) {
	const of = () => KINDS[kind.value], fields = h("div", { class: "tools" }), limits = h("div");
	const name = h("input", { value: before?.name || "", size: "28", required: true, maxlength: "200" });
	const target = application === undefined && h("input", { size: "24", list: "budget-applications", autocomplete: "off", placeholder: "all other applications", maxlength: "1000" });
	const optional = h("input", { type: "checkbox", checked: before?.optional });
	const kind = select({ onchange: () => draw({}) }, Object.entries(KINDS).map(([key, k]) => [key, k.title]), before?.of || "leaks");
	const draw = budget => {
		fill(fields, of().fields.map(key => field(CHOICES[key] ? key === "each" ? "Applies to" : titled(key) : titled(key),
			CHOICES[key] ? select({ name: key }, CHOICES[key], budget[key] || "")
				: h("input", { name: key, size: "14", value: listed(budget[key]), placeholder: HINTS[key], required: REQUIRED.includes(key) }))));
		const kept = Object.keys(budget).filter(k => k.startsWith("max_"));
		fill(limits, (kept.length ? kept : [of().limits[0]]).map(key => limitRow(of(), key, budget[key])));
	};
	draw(before || {});
	const made = () => {
		/* Members without a field, such as "own", are kept. */
		const kept = Object.fromEntries(Object.entries(before?.of === kind.value ? before : {}).filter(([k]) => !k.startsWith("max_") && !of().fields.includes(k)));
		const chosen = [...fields.querySelectorAll("[name]")].map(e => [e.name, e.value.trim()]).filter(([, v]) => v)
			.map(([k, v]) => [k, CHOICES[k] || k === "metric" ? v : v === listed(before?.[k]) ? before[k] : globs(v)]);
		const amounts = [...limits.children].map(row => [row.querySelector("[name=limit]").value, amount(row.querySelector("[name=amount]").value.trim())]);
		return { ...kept, name: name.value.trim(), of: kind.value, ...Object.fromEntries([...chosen, ...amounts]), optional: optional.checked || undefined };
	};
	return formOf({ title: before ? `Edit “${before.name}”` : application === undefined ? "New budget" : `New budget for ${application || "all other applications"}`,
		yes: before ? "Save" : "Add", cancel: leave, content: [
			h("div", { class: "tools" }, field("Name", name), target && field("Application", target),
				target && h("datalist", { id: "budget-applications" }, applications.map(value => h("option", { value }))), field("Limits", kind)), fields, limits,
			h("p", null, h("button", { type: "button", class: "link", onclick: () => limits.append(limitRow(of(), of().limits[0])) }, "Add a limit")),
			h("p", { class: "hint" }, "In names, * matches any characters and ? one character; commas separate several names. Sizes can be written as 64K or 10M, and times as 250ms or 1.5s."),
			h("div", { class: "tools" }, field("Skip the budget if it cannot be judged", optional))],
		send: () => save(target ? target.value.trim() : application, made()) });
}

/* --- a check of the newest result set */

const VERDICTS = { broken: ["exceeded", "bad"], unjudged: ["not judged", "warn"], skipped: ["skipped", "calm"], passed: ["met", "good"] };

/* Checks the newest result set of an application, compared with the one before of the same format and branch. */
async function check(application, record) {
	const [newest] = await listSets({ application, limit: 1 });
	if (!newest)
		return h("p", { class: "in" }, "The application has no result sets.");
	const label = newest.labels?.branch && `branch=${newest.labels.branch}`;
	const [, base] = await listSets({ application, format: newest.format, label, limit: 2 });
	const done = await getJson(path(["v1", "check"], { set: newest.inst_id, base: base?.inst_id, base_optional: true, record, format: "json" }), { method: "POST" });
	return [h("p", null, "Result set ", link(to(["sets", newest.inst_id]), null, `No. ${newest.inst_id}, ${newest.caption || "no caption"}`),
		base && [", compared with ", link(to(["sets", base.inst_id]), null, `No. ${base.inst_id}`)], ":"),
	h("ul", { class: "changes" }, done.budgets.map(b => h("li", null, h("span", { class: `badge ${VERDICTS[b.verdict][1]}` }, VERDICTS[b.verdict][0]), " ", b.name,
		b.reason && h("div", { class: "in" }, forPages(b.reason)), b.breaches.map(x => h("div", { class: "in" }, x.text)))))];
}

/* --- the page */

const COLUMNS = [
	{ key: "name", title: "Budget", kind: "text" },
	{ key: "of", title: "Applies to", kind: "text" },
	{ key: "limits", title: "At most", kind: "text" },
	{ key: "action", title: "Action", kind: "text" },
];

/* Replaces the document of an application. If it has no more budgets, deletes it. */
async function store(kept, budgets) {
	if (!budgets.length)
		return ask(path(["v1", "budgets"], { application: kept.application }), { method: "DELETE" });
	const { user } = await whoami();
	return getJson(path(["v1", "budgets"], { application: kept.application, version: kept.version, author: user }), { method: "PUT",
		headers: { Accept: "application/json", "Content-Type": "application/json" }, body: JSON.stringify({ ...kept.budgets, budgets }) });
}

export default async function () {
	const admin = await isAdmin(), { scopes } = await whoami(), list = h("div", { class: "results" }), place = h("div");
	const wrong = h("p", { class: "wrong-text", role: "alert" });
	let all = [], applications = [];
	const newButton = h("button", { type: "button", onclick: () => open({}) }, "Add a budget");
	const leave = () => fill(place, admin && newButton);
	/* Without an application, the form asks for one. */
	const open = ({ kept, at }) => {
		fill(place, form({ before: kept?.budgets.budgets[at], application: kept?.application, applications, leave, save: async (application, budget) => {
			const old = kept || all.find(k => k.application === application) || { application, version: 0, budgets: { budgets: [] } };
			const budgets = [...old.budgets.budgets];
			budgets.splice(at ?? budgets.length, at === undefined ? 0 : 1, budget);
			await store(old, budgets);
			leave();
			say("Saved");
			await draw();
		} }));
		place.querySelector("input").focus();
		place.scrollIntoView({ block: "nearest" });
	};
	const remove = async (kept, at) => {
		const budgets = [...kept.budgets.budgets], [gone] = budgets.splice(at, 1);
		if (!await agreed(`Delete the budget “${gone.name}”?`, h("p", null, `${titleOf(kept.application)}. Verdicts of earlier checks stay.`), "Delete"))
			return;
		wrong.textContent = "";
		await store(kept, budgets).then(() => say("Deleted"), e => { wrong.textContent = `${e.message}. ${e.hint || ""}`; });
		await draw();
	};
	const section = kept => {
		const rows = kept.budgets.budgets.map((b, at) => ({ ...b, name: b.name || `budget ${at + 1}`, at })), verdicts = h("div", { class: "padded", hidden: true });
		const button = (text, row, f) => h("button", { type: "button", class: "link", "aria-label": `${text} ${row.name}`, onclick: f }, text);
		return h("section", { class: "panel budgets" }, h("h2", { class: "plain" }, titleOf(kept.application)),
			h("p", { class: "in" }, `Changed ${moment(kept.changed)}${kept.author ? ` by ${kept.author}` : ""}. `,
				kept.application && [h("button", { type: "button", class: "link", onclick: async () => {
					verdicts.hidden = false;
					fill(verdicts, await check(kept.application, scopes.includes("ingest") || admin).catch(e => h("p", { class: "wrong-text" }, e.message)));
				} }, "Check the newest result set"), " "],
				admin && h("button", { type: "button", class: "link", onclick: () => open({ kept }) }, "Add a budget")), verdicts,
			table({ caption: `Budgets: ${titleOf(kept.application)}`, rows, columns: COLUMNS.filter(c => c.key !== "action" || admin), classes: { name: "strong", of: "whole" },
				cells: { name: r => r.name, of: selectionOf, limits: limitsOf,
					action: r => [button("Edit", r, () => open({ kept, at: r.at })), " ", button("Delete", r, () => remove(kept, r.at))] } }));
	};
	const draw = async () => {
		all = await getJson(path(["v1", "budgets"]));
		fill(list, all.length ? all.map(section) : empty("The depot has no budgets.", h("p", null, "A budget limits the leaks, errors or figures of a result set.")));
	};
	leave();
	await draw();
	if (admin)
		applications = (await facetsOfSets({ values: 50 })).filter(f => f.facet === "application").map(f => f.value);
	return [settingsHead("budgets"), h("p", { class: "hint" },
		"Checks of result sets use these budgets unless they bring their own file. The home page shows which budgets were exceeded."),
	wrong, list, place];
}
