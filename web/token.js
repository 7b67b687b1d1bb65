/* Where the server asks for a token. It stays in this tab until it is closed. */
import { h } from "./dom.js";
import { keepToken } from "./api.js";

let waiting = null;

export function askToken(why) {
	waiting ||= new Promise(resolve => {
		const input = h("input", { type: "password", id: "token", autocomplete: "off", required: true });
		const form = h("form", { method: "dialog" },
			h("h2", { id: "token-title" }, "This server takes a token"),
			why && h("p", { class: "wrong-text", role: "alert" }, `${why}.`),
			h("p", null, "Whoever runs it makes one with ", h("code", null, "profdepot token add"),
				". This tab keeps it until it is closed."),
			h("p", { class: "field" }, h("label", { for: "token" }, "Token"), input),
			h("p", null, h("button", { class: "main" }, "Go on")));
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
