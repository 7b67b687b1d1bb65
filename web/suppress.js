/* The page for the depot's suppressions, and the dialog that suppresses a leak or an error of a report. */
import { h, fill, field, select, agreed, empty, say } from "./dom.js";
import { ask, getJson, path, reportUrl } from "./api.js";
import { table } from "./table.js";
import { settingsHead, isAdmin, formOf, openDialog } from "./settings.js";

const URL = "/v1/suppressions";

/* Adds the suppressions of a text. A suppression that the depot already has gets the new reason, author and last day.
 * Returns their numbers. */
async function store({ text, reason, author, expires }) {
	const added = await getJson(path(["v1", "suppressions"], { reason, author, expires }), { method: "POST",
		headers: { Accept: "application/json", "Content-Type": "text/plain" }, body: text });
	return added.map(s => s.id);
}

const remove = id => ask(`${URL}/${id}`, { method: "DELETE" });

/* Returns a form for a suppression. before: { pattern, reason, author, expires }, all optional. choices: [[text, title]...]
 * are suppressions to choose from. */
function form({ title, label, before = {}, choices, yes, cancel, saved }) {
	const text = h("textarea", { rows: "6", required: true, spellcheck: "false", class: "code", value: before.pattern || choices?.[0][0] || "" });
	const reason = h("input", { value: before.reason || "", size: "50", required: true });
	const author = h("input", { value: before.author || "", size: "18", autocomplete: "name" });
	const expires = h("input", { type: "date", value: before.expires || "" });
	const chooser = choices?.length > 1 && field("Hide", select({ onchange: e => { text.value = choices[e.target.value][0]; } }, choices.map(([, name], i) => [i, name]), 0));
	return formOf({ title, label, yes, cancel, content: [chooser && h("div", { class: "tools" }, chooser),
		h("div", { class: "tools" }, h("span", { class: "field whole" }, h("label", { for: "suppression" }, "Suppression"), Object.assign(text, { id: "suppression" }))),
		h("p", { class: "hint" }, "In the syntax of valgrind or of the sanitizers. For example, leak:^init_plugins$ hides every leak with the routine init_plugins in its stack."),
		h("div", { class: "tools" }, field("Reason", reason), field("Author", author), field("Last day (optional)", expires))],
	send: async () => saved(await store({ text: text.value, reason: reason.value.trim(), author: author.value.trim(), expires: expires.value })) });
}

/* --- the dialog */

const named = f => [f.class, f.routine].filter(Boolean).join(".");

/* Returns the suppressions for a row of a report on leaks or errors: its stack, and for a leak each routine of the stack.
 * `url(query)` is the address of the report's answer that consists of this row. */
async function choicesOf(url, row, isLeak) {
	const read = async syntax => (await (await ask(url({ gen_suppressions: syntax }))).text()).replace(/^# result set .*\n/, "").trim();
	const [exact, general] = await Promise.all([read("valgrind"), read("lsan")]);
	const routines = isLeak ? row.stack.filter(f => f.routine && f.file).map(f => `leak:^${named(f)}$`) : [];
	return [[exact, "this stack"], ...[...new Set([general, ...routines])].filter(text => text && !text.startsWith("#")).map(text =>
		[text, isLeak ? `all leaks with ${text.replace(/^leak:\^?|\$$/g, "")}` : `all errors like ${text}`])].filter(([text]) => text);
}

async function suppressRow(url, row, isLeak, done) {
	const choices = await choicesOf(url, row, isLeak);
	openDialog("Suppress", close => choices.length ? form({ title: isLeak ? "Suppress this leak" : "Suppress this error", choices, yes: "Suppress", cancel: () => close(),
		saved: () => {
			close("Suppressed");
			done();
		} }) : h("form", { method: "dialog" }, h("h2", null, "Suppress"), h("p", null, "No frame of this stack has a name, so no suppression can match it."), h("button", null, "Close")));
}

/* Returns the button that suppresses a row of a report, or null if the row has no stack. */
export function suppressButton({ id, report, query, at, row, done }) {
	if (!row.stack?.length || !["leaks", "errors"].includes(report))
		return null;
	const url = more => reportUrl(id, report, { ...query, top: 1, skip: Number(query.skip || 0) + at, ...more });
	const wrong = h("span", { class: "wrong-text", role: "alert" });
	return h("p", { class: "below" }, h("button", { type: "button", class: "link", onclick: () =>
		suppressRow(url, row, report === "leaks", done).catch(e => { wrong.textContent = e.message; }) }, "Suppress…"), wrong);
}

/* --- the page */

const COLUMNS = [
	{ key: "pattern", title: "Suppression", kind: "text" },
	{ key: "reason", title: "Reason", kind: "text" },
	{ key: "author", title: "Author", kind: "text" },
	{ key: "created", title: "Added", kind: "time" },
	{ key: "expires", title: "Last day", kind: "text" },
	{ key: "action", title: "Action", kind: "text" },
];

export default async function () {
	const admin = await isAdmin(), list = h("div", { class: "results" }), place = h("div"), wrong = h("p", { class: "wrong-text", role: "alert" });
	const showForm = before => {
		const leave = () => fill(place, newButton);
		fill(place, form({ title: before ? "Edit the suppression" : "New suppression", before, yes: before ? "Save" : "Add", cancel: leave,
			saved: async ids => {
				/* A changed text is another suppression, which replaces the old one. */
				if (before && !ids.includes(before.id))
					await remove(before.id);
				leave();
				say("Saved");
				await draw();
			} }));
		place.querySelector("textarea").focus();
	};
	const newButton = h("button", { type: "button", onclick: () => showForm() }, "Add a suppression");
	const removeOne = async s => {
		if (!await agreed(`Delete the suppression ${s.name}?`, h("p", null, "Reports show the leaks and errors again that it hides."), "Delete"))
			return;
		wrong.textContent = "";
		await remove(s.id).then(() => say("Deleted"), e => { wrong.textContent = e.message; });
		await draw();
	};
	const draw = async () => {
		const { rows } = (await getJson(path(["v1", "suppressions"], { format: "json" }))).result_sets[0];
		fill(list, rows.length ? table({ caption: "Suppressions", rows, columns: COLUMNS.filter(c => c.key === "pattern" || (c.key === "action" ? admin : rows.some(s => s[c.key]))), cells: {
			pattern: s => h("code", { class: "command" }, s.pattern),
			expires: s => s.expires && [s.expires, s.state === "expired" && [" ", h("span", { class: "badge warn" }, "expired")]],
			action: s => [h("button", { type: "button", class: "link", "aria-label": `Edit ${s.name}`, onclick: () => showForm(s) }, "Edit"), " ",
				h("button", { type: "button", class: "link", "aria-label": `Delete ${s.name}`, onclick: () => removeOne(s) }, "Delete")],
		} }) : empty("The depot has no suppressions.", h("p", null, "Unfold a stack in a report on leaks or errors to suppress it.")));
	};
	fill(place, admin && newButton);
	await draw();
	return [settingsHead("suppressions"), h("p", { class: "hint" },
		"Reports on leaks and errors hide what a suppression matches, and show the number of hidden records. An expired suppression hides nothing."),
	wrong, list, place];
}
