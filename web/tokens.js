/* The page for tokens, for administrators: a list, a form for a new token, and revocation. */
import { h, fill, field, agreed, empty, say } from "./dom.js";
import { getJson, getPage, ask, path, whoami } from "./api.js";
import { table } from "./table.js";
import { refusal } from "./token.js";

const SCOPES = [["read", "read the depot"], ["ingest", "send files and events, and change labels"], ["review", "review findings"],
	["sql", "send SQL queries"], ["admin", "everything except SQL queries"]];

const COLUMNS = [
	{ key: "name", title: "Name", kind: "text" },
	{ key: "scopes", title: "Scopes", kind: "text" },
	{ key: "expires", title: "Last day", kind: "text" },
	{ key: "action", title: "Action", kind: "text" },
];

/* Reads all pages of the list. */
async function allTokens() {
	const all = [];
	for (let cursor = null; ;) {
		const page = await getPage(path(["v1", "tokens"], { cursor }));
		all.push(...page.answer);
		if (!page.more)
			return all;
		cursor = page.next;
	}
}

/* Shows a new token, which the server cannot show again. */
function secret(made) {
	const text = h("input", { readonly: true, value: made.token, size: "52", onfocus: e => e.target.select() });
	const done = h("span", { role: "status", class: "in" });
	return h("section", { class: "panel padded", "aria-label": "The new token" }, h("h2", null, `The token “${made.name}”`),
		h("p", null, "Copy it now. The depot stores only its digest and cannot show it again."),
		h("div", { class: "tools" }, field("Token", text), h("button", { type: "button", onclick: async () => {
			try {
				await navigator.clipboard.writeText(made.token);
				done.textContent = "Copied";
			} catch {
				text.focus();
				done.textContent = "The token is selected; copy it with the keyboard";
			}
		} }, "Copy"), done));
}

function form(onmade) {
	const name = h("input", { required: true, maxlength: "64", pattern: "[A-Za-z0-9._\\-]+", title: "letters, digits, and . _ -", autocomplete: "off" });
	const day = h("input", { type: "date", min: new Date().toISOString().slice(0, 10) });
	const boxes = SCOPES.map(([scope, text]) => [scope, h("input", { type: "checkbox", value: scope, checked: scope === "read" }), text]);
	const wrong = h("p", { class: "wrong-text", role: "alert" });
	const send = async e => {
		e.preventDefault();
		wrong.textContent = "";
		const scopes = boxes.filter(([, box]) => box.checked).map(([scope]) => scope);
		if (!scopes.length) {
			wrong.textContent = "Choose at least one scope.";
			return;
		}
		try {
			const made = await getJson("/v1/tokens", { method: "POST", headers: { Accept: "application/json", "Content-Type": "application/json" },
				body: JSON.stringify({ name: name.value, scopes, expires: day.value || null }) });
			name.value = "";
			await onmade(made);
		} catch (error) {
			wrong.textContent = `${error.message}.`;
		}
	};
	return h("form", { class: "panel padded", onsubmit: send }, h("h2", null, "New token"),
		h("div", { class: "tools" }, field("Name", name), field("Last day (optional)", day)),
		h("fieldset", null, h("legend", null, "Scopes"), h("div", { class: "checks" }, boxes.map(([scope, box, text]) =>
			h("label", null, box, h("strong", null, scope), h("span", { class: "in" }, text))))),
		wrong, h("p", null, h("button", { class: "main" }, "Create")));
}

export default async function () {
	document.title = "Tokens – profdepot";
	const user = await whoami();
	if (!user.tokens)
		return empty("This server has no tokens: everybody who can reach it may use it.");
	if (!user.scopes.includes("admin"))
		return refusal("Tokens", "see or change the tokens of this server", "admin");
	const list = h("div", { class: "results" }), made = h("div"), wrong = h("p", { class: "wrong-text", role: "alert" });
	const revoke = async t => {
		if (!await agreed(`Revoke the token “${t.name}”?`, t.name === user.user ? h("p", null, "This is your own token: you will be signed out.") :
			h("p", null, "Programs that use it lose access at once, and its sessions end. This cannot be undone."), "Revoke"))
			return;
		wrong.textContent = "";
		try {
			await ask(`/v1/tokens/${encodeURIComponent(t.name)}`, { method: "DELETE" });
			say(`${t.name} is revoked`);
		} catch (e) {
			wrong.textContent = `${t.name}: ${e.message}`;
		}
		await draw();
	};
	const draw = async () => {
		const rows = await allTokens();
		fill(list, table({ caption: "Tokens", rows, columns: COLUMNS, classes: { name: "strong" }, cells: {
			name: t => [t.name, t.name === user.user && h("span", { class: "in" }, " (yours)")],
			scopes: t => h("span", { class: "badges" }, t.scopes.map(s => [h("span", { class: `badge ${s === "admin" || s === "sql" ? "warn" : "calm"}` }, s), " "])),
			expires: t => t.expires === "never" ? "none" : [t.expires, t.expired && [" ", h("span", { class: "badge bad" }, "expired")]],
			action: t => h("button", { type: "button", class: "link", "aria-label": `Revoke ${t.name}`, onclick: () => revoke(t) }, "Revoke"),
		} }));
	};
	await draw();
	return [h("div", { class: "title" }, h("h1", null, "Tokens")),
		h("p", { class: "hint" }, "A token gives a person or a program access to the depot. Its scopes determine what they may do."),
		wrong, list, made, form(async token => {
			fill(made, secret(token));
			made.querySelector("input").focus();
			await draw();
		})];
}
