/* What the pages of the depot's settings share: their header, and forms that report errors. */
import { h, fill, link, sentence, say } from "./dom.js";
import { whoami } from "./api.js";

const PAGES = [["suppressions", "Suppressions"], ["budgets", "Budgets"], ["categories", "Event categories"], ["retention", "Retention"]];

/* Names of the pages, the first parts of their addresses. */
export const SETTINGS = PAGES.map(([name]) => name);

export function settingsHead(here) {
	const title = PAGES.find(([name]) => name === here)[1];
	return h("header", { class: "set-head", "data-page-title": `${title} – Settings – profdepot` }, h("h1", null, "Settings"),
		h("nav", { class: "tabs", "aria-label": "Settings" }, PAGES.map(([name, text]) =>
			link(`#/${name}`, { "aria-current": name === here ? "page" : null }, text))));
}

export const isAdmin = async () => (await whoami()).scopes.includes("admin");

/* Returns a form. `send` is called when the user submits it; if it fails, the form shows the error. */
export function formOf({ label, title, content, yes, cancel, send }) {
	const wrong = h("div", { role: "alert" }), main = h("button", { class: "main" }, yes);
	const onsubmit = async e => {
		e.preventDefault();
		fill(wrong);
		main.disabled = true;
		try {
			await send();
		} catch (error) {
			fill(wrong, h("p", { class: "wrong-text" }, sentence(error.message)), error.hint && h("p", { class: "hint" }, error.hint));
		} finally {
			main.disabled = false;
		}
	};
	return h("form", { class: "panel padded setting", onsubmit, "aria-label": title ? null : label }, title && h("h2", null, title), content, wrong,
		h("div", { class: "tools" }, main, cancel && h("button", { type: "button", onclick: cancel }, "Cancel")));
}

/* Shows a form in a dialog. `make(close)` returns the form; close(text) also makes screen readers announce the text. */
export function openDialog(label, make) {
	const dialog = h("dialog", { class: "wide", "aria-label": label });
	const close = text => {
		dialog.close();
		if (text)
			say(text);
	};
	dialog.addEventListener("close", () => dialog.remove());
	fill(dialog, make(close));
	document.body.append(dialog);
	dialog.showModal();
}
