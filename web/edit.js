/* The form that changes the caption, the application and the labels of a result set, and the button that deletes it. */
import { h, fill, field, agreed, say, sentence } from "./dom.js";
import { ask, whoami, facetsOfSets } from "./api.js";
import { current, go } from "./route.js";
import { notice } from "./notices.js";

const UNDO_SECONDS = 10, CLOSE_MS = 4000;

/* Draws the current page again. */
const redraw = () => dispatchEvent(new HashChangeEvent("hashchange"));
const urlOf = s => `/v1/result-sets/${s.inst_id}`;
const nameOf = s => `result set ${s.inst_id}${s.caption ? `, “${s.caption}”` : ""}`;

/* --- caption, application and labels */

function labelRow(key, value) {
	const row = h("div", { class: "tools label" }, field("Label", h("input", { value: key, size: "14", maxlength: "200", autocomplete: "off" })),
		field("Value", h("input", { value, size: "24", autocomplete: "off" })),
		h("button", { type: "button", "aria-label": `Remove the label ${key}`, onclick: () => row.remove() }, "Remove"));
	return row;
}

/* Returns { caption, application, labels } with only what has changed. A deleted label is null. */
function changesOf(s, caption, application, rows) {
	const before = s.labels || {};
	const now = Object.fromEntries(rows.map(r => [...r.querySelectorAll("input")].map(i => i.value.trim())).filter(([key]) => key));
	const labels = Object.fromEntries([...Object.keys(before).filter(k => !(k in now)).map(k => [k, null]),
		...Object.entries(now).filter(([k, v]) => before[k] !== v)]);
	return { ...caption !== (s.caption || "") && { caption }, ...application !== (s.application || "") && { application }, ...Object.keys(labels).length && { labels } };
}

function form(s, close) {
	const caption = h("input", { value: s.caption || "", size: "50" });
	const application = h("input", { value: s.application || "", size: "30", list: "edit-applications", autocomplete: "off" });
	const known = h("datalist", { id: "edit-applications" });
	facetsOfSets({ values: 50 }).then(facets => fill(known, facets.filter(f => f.facet === "application").map(f => h("option", { value: f.value }))), () => {});
	const rows = h("div", null, Object.entries(s.labels || {}).map(([k, v]) => labelRow(k, v)));
	const wrong = h("p", { class: "wrong-text", role: "alert" });
	const save = async e => {
		e.preventDefault();
		const changes = changesOf(s, caption.value.trim(), application.value.trim(), [...rows.children]);
		if (!Object.keys(changes).length)
			return close();
		try {
			await ask(urlOf(s), { method: "PATCH", headers: { "Content-Type": "application/json" }, body: JSON.stringify(changes) });
			say("Saved");
			redraw();
		} catch (error) {
			wrong.textContent = `${sentence(error.message)} ${error.hint || ""}`;
		}
	};
	requestAnimationFrame(() => caption.focus());
	return h("form", { class: "panel padded", onsubmit: save, "aria-label": "Edit the result set" },
		h("div", { class: "tools" }, field("Caption", caption), field("Application", application), known), rows,
		h("p", null, h("button", { type: "button", class: "link", onclick: () => {
			const row = labelRow("", "");
			rows.append(row);
			row.querySelector("input").focus();
		} }, "Add a label")), wrong,
		h("div", { class: "tools" }, h("button", { class: "main" }, "Save"), h("button", { type: "button", onclick: close }, "Cancel")));
}

/* --- deletion */

/* Deletes the result set after some seconds, unless the user changes their mind. Until then no request
 * is sent, so the result set stays if the tab is closed or the computer sleeps. */
function removeLater(s, forget) {
	const shown = notice("Deletion");
	let left = UNDO_SECONDS;
	const leave = text => {
		shown.show(h("p", null, text), shown.closeButton());
		say(text);
	};
	const undo = () => {
		clearInterval(timer);
		leave(`The ${nameOf(s)} was not deleted.`);
		setTimeout(shown.close, CLOSE_MS);
	};
	const remove = async () => {
		shown.show(h("p", null, `Deleting ${nameOf(s)}…`));
		try {
			await ask(`${urlOf(s)}${forget ? "?forget=true" : ""}`, { method: "DELETE" });
		} catch (e) {
			return leave(`The ${nameOf(s)} could not be deleted: ${e.message}.`);
		}
		leave(`The ${nameOf(s)} is deleted.`);
		setTimeout(shown.close, CLOSE_MS);
		const { path } = current();
		if (path[0] === "sets" && path[1] === String(s.inst_id))
			return go("#/sets");
		if (path.length < 2)
			redraw();
	};
	const count = h("span", null, String(left));
	const timer = setInterval(() => {
		count.textContent = String(--left);
		if (left > 0)
			return;
		clearInterval(timer);
		remove();
	}, 1000);
	shown.show(h("p", null, `The ${nameOf(s)} will be deleted in `, count, " s. If you close this tab before then, the result set is kept."),
		h("button", { type: "button", class: "main", onclick: undo }, "Undo"));
	say(`The ${nameOf(s)} will be deleted in ${UNDO_SECONDS} seconds`);
}

async function askToRemove(s) {
	const forget = h("input", { type: "checkbox" });
	if (await agreed(`Delete ${nameOf(s)}?`, [h("p", null, "Its samples, objects and errors are deleted. The history of findings keeps its run."),
		h("p", { class: "checks" }, h("label", null, forget, "Also remove the run from the history of findings")),
		h("p", null, `You can undo this for ${UNDO_SECONDS} seconds.`)], "Delete"))
		removeLater(s, forget.checked);
}

/* Returns the buttons that the user's scopes allow, and a place where the form appears. */
export async function editing(s) {
	const { scopes } = await whoami();
	const place = h("div");
	const edit = h("button", { type: "button", class: "link", onclick: () => fill(place, form(s, () => {
		fill(place);
		edit.focus();
	})) }, "Edit caption, application and labels");
	if (!scopes.includes("ingest") && !scopes.includes("admin"))
		return null;
	return [h("p", { class: "exports" }, h("span", null, "Change: "), scopes.includes("ingest") && edit,
		scopes.includes("admin") && h("button", { type: "button", class: "link", onclick: () => askToRemove(s) }, "Delete")), place];
}
