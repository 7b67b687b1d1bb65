/* Asks for a token, which this tab keeps until it is closed. */
import { h } from "./dom.js";
import { keepToken } from "./api.js";

let waiting = null;

export function askToken(why) {
	waiting ||= new Promise(resolve => {
		const input = h("input", { type: "password", id: "token", autocomplete: "off", required: true });
		const form = h("form", { method: "dialog" },
			h("h2", { id: "token-title" }, "Access token"),
			why && h("p", { class: "wrong-text", role: "alert" }, `${why}.`),
			h("p", null, "This server needs a token. Its administrator can give you one. " +
				"This page keeps the token until you close its tab."),
			h("p", { class: "field" }, h("label", { for: "token" }, "Token"), input),
			h("p", null, h("button", { class: "main" }, "Continue")));
		const dialog = h("dialog", { "aria-labelledby": "token-title" }, form);
		dialog.addEventListener("cancel", e => e.preventDefault());
		form.addEventListener("submit", () => {
			keepToken(input.value.trim());
			waiting = null;
			dialog.remove();
			resolve();
		});
		document.body.append(dialog);
		dialog.showModal();
		input.focus();
	});
	return waiting;
}
