/* Asks for a token and signs in with it, and explains which scope a page needs. */
import { h } from "./dom.js";
import { signIn } from "./api.js";

let waiting = null;

export function askToken(why) {
	waiting ||= new Promise(resolve => {
		const input = h("input", { type: "password", id: "token", autocomplete: "off", required: true });
		const wrong = h("p", { class: "wrong-text", role: "alert" }, why && `${why}.`);
		const form = h("form", null,
			h("h2", { id: "token-title" }, "Sign in"), wrong,
			h("p", null, "This server needs a token. Its administrator can give you one. " +
				"You stay signed in until you sign out or the session ends."),
			h("p", { class: "field" }, h("label", { for: "token" }, "Token"), input),
			h("p", null, h("button", { class: "main" }, "Sign in")));
		const dialog = h("dialog", { "aria-labelledby": "token-title" }, form);
		dialog.addEventListener("cancel", e => e.preventDefault());
		form.addEventListener("submit", async e => {
			e.preventDefault();
			try {
				await signIn(input.value.trim());
			} catch (error) {
				wrong.textContent = `${error.message}.`;
				input.select();
				return;
			}
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

/* What a page shows to a user without the scope that it needs. `action` completes "You are not allowed to". */
export function refusal(title, action, scope) {
	return h("div", { class: "state empty" }, h("h1", null, title),
		h("p", null, `You are not allowed to ${action}. If the server requires tokens, your token needs the scope `, h("code", null, scope),
			". Ask the administrator of the server."));
}
