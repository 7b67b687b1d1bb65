/* Streams and states of findings, as several pages show them. */
import { h, link, labelsOf } from "./dom.js";
import { to } from "./route.js";

/* The name of a stream in links, such as "Orders branch=main". */
export function streamName(s) {
	return `${s.application || ""} ${labelsOf(s.labels).join(" ")}`.trim() || " ";
}

export function streamTitle(name) {
	return name.trim() || "without application";
}

const FINDINGS = ["leaks", "errors", "races"];

/* Returns the name of a result set's stream. If several streams fit, it is the one with the most labels. Returns null
 * if the run looked for no findings. */
export function streamOf(set, streams) {
	if (!set.looked_for?.some(c => FINDINGS.includes(c.what) && c.degree !== "none"))
		return null;
	const own = new Set(labelsOf(set.labels));
	const fits = streams.filter(s => (s.application || "") === (set.application || "") &&
		labelsOf(s.labels).every(l => own.has(l)));
	const best = fits.reduce((a, b) => !a || labelsOf(b.labels).length > labelsOf(a.labels).length ? b : a, null);
	return best && streamName(best);
}

export function streamLink(name, query, text) {
	return link(to(["history"], { stream: name, ...query }), null, text || streamTitle(name));
}

const STATES = { "new": "bad", "came back": "bad", "open": "warn", "not looked for": "calm", "gone": "good" };
const ANSWERS = { "seen": "warn", "not seen": "good" };
const REVIEWS = { "open": "warn", "confirmed": "bad", "false-positive": "calm", "intentional": "calm", "fixed": "good" };

export const stateBadge = (state, text = state) => h("span", { class: `badge ${STATES[state] || "calm"}` }, text);
export const answerBadge = text => h("span", { class: `badge ${ANSWERS[text] || "calm"}` }, text);
export const reviewBadge = text => text && h("span", { class: `badge ${REVIEWS[text] || "calm"}` }, text);

/* Returns the notice for an older answer. It contains the answer's ledger number and a link to the newest answer. */
export function asOfNotice(number, newest) {
	return h("p", { class: "notes" }, `This is the answer as of ledger number ${number}. `,
		link(newest, null, "Show the newest answer"));
}
