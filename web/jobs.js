/* The page for uploads: their state, progress, results and errors. It is updated while an upload runs. With the
 * parameter "job", it shows one upload. */
import { h, fill, figure, moment, link, empty, say } from "./dom.js";
import { getJson, ask, troubleOf, whoami } from "./api.js";
import { to, go } from "./route.js";
import { table } from "./table.js";
import { refusal } from "./token.js";

const POLL_MS = 1000;
const STATES = { queued: ["waiting", "calm"], running: ["loading", "warn"], done: ["loaded", "good"], failed: ["failed", "bad"], cancelled: ["cancelled", "calm"] };

const COLUMNS = [
	{ key: "name", title: "File", kind: "text" },
	{ key: "owner", title: "Sender", kind: "text" },
	{ key: "state", title: "State", kind: "text" },
	{ key: "result", title: "Result", kind: "text" },
	{ key: "bytes", title: "Size", kind: "integer", unit: "bytes" },
	{ key: "created", title: "Sent", kind: "time" },
	{ key: "seconds", title: "Duration", kind: "decimal", unit: "seconds" },
	{ key: "action", title: "Action", kind: "text" },
];

const urlOf = id => `/v1/jobs/${encodeURIComponent(id)}`;
const isActive = j => ["queued", "running"].includes(j.state);

function state(j) {
	const [text, mark] = STATES[j.state] || [j.state, "calm"];
	const known = j.state === "done" && j.result?.result_sets?.length > 0 && j.result.result_sets.every(s => s.state === "known");
	return [h("span", { class: `badge ${mark}` }, known ? "already known" : text),
		j.state === "running" && j.bytes > 0 && h("progress", { max: "1", value: String(j.bytes_read / j.bytes), "aria-label": `Progress of ${j.name}` })];
}

/* Links to the result sets of an upload. */
export function resultLinks(result) {
	const sets = result?.result_sets || (result?.inst_id ? [result] : []);
	return sets.map((s, i) => [i > 0 && ", ", link(to(["sets", s.inst_id]), null, `No. ${s.inst_id}${s.caption ? `, ${s.caption}` : ""}`)]);
}

/* The message and the hint of a failed upload. */
export function reason(j) {
	const { message, hint } = troubleOf(0, j.error);
	return [h("span", { class: "wrong-text" }, message), hint && h("div", { class: "in" }, hint)];
}

function outcome(j) {
	if (j.error)
		return reason(j);
	if (j.state === "running")
		return `${figure(j.rows, "count")} rows so far`;
	return resultLinks(j.result);
}

export default async function ({ query }) {
	const chosen = query.get("job");
	document.title = "Uploads – profdepot";
	if (!(await whoami()).scopes.includes("ingest"))
		return refusal("Uploads", "upload files to this server or see uploads", "ingest");
	const place = h("div"), wrong = h("p", { class: "wrong-text", role: "alert" });
	let states = new Map();
	const remove = async j => {
		wrong.textContent = "";
		try {
			await ask(urlOf(j.id), { method: "DELETE" });
		} catch (e) {
			wrong.textContent = `${j.name}: ${e.message}`;
			return;
		}
		if (chosen && !isActive(j))
			return go("#/jobs");
		await draw();
	};
	const draw = async () => {
		const jobs = chosen ? [await getJson(urlOf(chosen))] : await getJson("/v1/jobs?limit=200");
		for (const j of jobs)
			if (states.get(j.id) && states.get(j.id) !== j.state)
				say(`${j.name}: ${STATES[j.state]?.[0] || j.state}`);
		states = new Map(jobs.map(j => [j.id, j.state]));
		const focused = document.activeElement?.dataset.job;
		fill(place, jobs.length ? table({ caption: "Uploads", rows: jobs, columns: COLUMNS.filter(c => c.key !== "owner" || jobs.some(j => j.owner)),
			classes: { name: "strong", result: "whole" },
			cells: { name: j => j.name, state, result: outcome, action: j => h("button", { type: "button", class: "link", "data-job": j.id,
				"aria-label": `${isActive(j) ? "Cancel" : "Remove"} ${j.name}`, onclick: () => remove(j) }, isActive(j) ? "Cancel" : "Remove") } })
			: empty("There are no uploads.", h("p", null, "Drop a file on any page to upload it.")));
		if (focused)
			place.querySelector(`[data-job="${focused}"]`)?.focus();
		return jobs.some(isActive);
	};
	const poll = async () => {
		const active = await draw().catch(() => true);
		if (place.isConnected)
			setTimeout(() => place.isConnected && poll(), active ? POLL_MS : 5 * POLL_MS);
	};
	const active = await draw();
	setTimeout(poll, active ? POLL_MS : 5 * POLL_MS);
	return [h("div", { class: "title" }, h("h1", null, "Uploads")),
		chosen ? h("p", null, link("#/jobs", null, "All uploads")) : h("p", { class: "hint" }, "Each file that was sent to the depot, with its outcome. An upload stays in the list for 30 days."), wrong, place];
}
