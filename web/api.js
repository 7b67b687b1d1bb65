/* Sends requests to the server; /v1/openapi.json describes them. */
import { sentence } from "./dom.js";

/* The error of a failed request, with the server's message and hint. */
export class Trouble extends Error {
	constructor(status, message, hint) {
		super(message);
		Object.assign(this, { status, hint });
	}
}

let askForToken = null;

/* Sets the function f(why), which is called when the server needs a token. f must return a promise that resolves after
 * the user has signed in. */
export function onTokenWanted(f) {
	askForToken = f;
}

export function path(parts, query) {
	const q = new URLSearchParams();
	for (const [k, v] of Object.entries(query || {}))
		for (const one of Array.isArray(v) ? v : [v])
			if (one !== null && one !== undefined && one !== "" && one !== false)
				q.append(k, one === true ? "true" : one);
	const text = q.toString();
	return `/${parts.map(encodeURIComponent).join("/")}${text ? `?${text}` : ""}`;
}

/* Converts a name such as "min_share" or "min-share" to the label of a field. */
export const titled = name => name[0].toUpperCase() + name.slice(1).replace(/[_-]/g, " ");

/* Converts a title such as "Worst Profile Id" to the pages' style: "Worst profile ID". */
const plain = title => title === "INST_ID" ? "No." : title.replace(/(?<=[ ,])[A-Z][a-z']+\b/g, word => word.toLowerCase()).replace(/\bid\b/i, "ID");

/* Sentences with these words are for users of the command line or of the API, or for the person who runs the server. */
const FOR_OTHERS = /"load |\bprofdepot [a-z]|\bcommand line\b|\bstart the server\b|\ba larger --|--output\b|\boutput json\b|\b(GET|POST) \/v1|\blatest~1|\bprofdepot-[a-z]+\(\d\)/;

/* Adapts a text to the pages: removes sentences that are for others, and replaces each option by its field's label. */
export function forPages(text) {
	return text?.split(/(?<=[?;.]) /).filter(s => !FOR_OTHERS.test(s)).join(" ").replace(/;$/, "")
		.replace(/--([a-z][a-z-]*)/g, (option, name) => `“${titled(name)}”`);
}

/* Returns the error that an answer of the server describes. */
export function troubleOf(status, error) {
	return new Trouble(status, error.message.replace(/^inst_id in the path: /, ""), sentence(forPages(error.hint)));
}

async function trouble(answer) {
	try {
		return troubleOf(answer.status, (await answer.json()).error);
	} catch {
		return new Trouble(answer.status, `The server answered ${answer.status}.`);
	}
}

/* Returns the response to a request. If the server needs a token, asks the user for it and tries again. */
export async function ask(url, options = {}) {
	for (let tries = 0; ; tries++) {
		let answer;
		try {
			answer = await fetch(url, options);
		} catch (e) {
			if (e.name === "AbortError")
				throw e;
			throw new Trouble(0, "The server is not responding.", "Check that it is running and that the network works.");
		}
		if (answer.ok)
			return answer;
		const t = await trouble(answer);
		if (answer.status !== 401 || tries > 3 || !askForToken)
			throw t;
		await askForToken(/session/.test(t.message) ? t.message : null);
	}
}

/* Parses JSON. Whole numbers beyond 2^53 become BigInts, so they stay exact. */
function parseExact(text) {
	if (!/\d{16}/.test(text))
		return JSON.parse(text);
	return JSON.parse(text, (key, value, context) =>
		typeof value === "number" && !Number.isSafeInteger(value) &&
		/^-?\d+$/.test(context?.source || "") ? BigInt(context.source) : value);
}

/* Parses an answer of the depot. Objects end with "complete": true; if it is missing, the answer was cut off. */
export function parse(text, rounded) {
	let answer = {};
	try {
		answer = rounded ? JSON.parse(text) : parseExact(text);
	} catch {
		/* A part of a document is not JSON. */
	}
	if (Array.isArray(answer) || answer?.complete === true)
		return answer;
	throw new Trouble(0, "A part of the server's answer is missing.", "Try again. A server or a proxy may have ended the request early.");
}

/* Returns the text of an answer; "" if the connection was lost. */
const textOf = answer => answer.text().catch(e => { if (e.name === "AbortError") throw e; return ""; });

/* Returns parsed JSON. With `rounded`, large numbers may be inexact, but are exact enough for drawing. */
export async function getJson(url, { rounded, ...options } = {}) {
	return parse(await textOf(await ask(url, { headers: { Accept: "application/json" }, ...options })), rounded);
}

/* Returns one page of a list, whether there is a next page, and its cursor. */
export async function getPage(url) {
	const answer = await ask(url, { headers: { Accept: "application/json" } });
	return { answer: parse(await textOf(answer)), more: /rel="?next/.test(answer.headers.get("Link") || ""), next: answer.headers.get("Profdepot-Next") };
}

const once = new Map();

/* Like getJson, but fetches each URL only once while the page is open. */
export function getOnce(url) {
	if (!once.has(url))
		once.set(url, getJson(url).catch(e => { once.delete(url); throw e; }));
	return once.get(url);
}

/* --- paths */

/* In the links of pages, the name of a stream without application and labels is " ". The server expects "" instead. */
function withStream(parts, { stream, ...query }) {
	const url = path(parts, query);
	return stream ? `${url}${url.includes("?") ? "&" : "?"}stream=${encodeURIComponent(stream.trim())}` : url;
}

export const reports = () => getOnce("/v1/reports").then(all => all.map(r => ({ ...r, note: forPages(r.note), title: plain(r.title),
	columns: r.columns.map(c => ({ ...c, title: plain(c.title) })) })));
export const listSets = async query => (await getJson(path(["v1", "result-sets"], query))).result_sets[0].rows;

/* The server cannot select the result sets that have no application or no branch, so this many are read then. */
export const MOST_READ = 200;

/* The newest result sets with the application, branch and format of `s`, or the first in the order of the query. */
export async function similarSets(s, { limit, ...query }) {
	const branch = s.labels?.branch, application = s.application;
	const rows = await listSets({ ...query, format: s.format, application, label: branch && `branch=${branch}`,
		limit: application && branch ? limit : MOST_READ });
	return rows.filter(r => (r.application || "") === (application || "") && (r.labels?.branch || "") === (branch || "")).slice(0, limit);
}

/* Returns the newest result set that was loaded before `s` and has the application, format and branch of `s`. */
export async function previousSet(s) {
	const older = await similarSets(s, { until: s.loaded_at, limit: 20 });
	/* Result sets of one load have the same time. */
	const same = await similarSets(s, { since: s.loaded_at, limit: 20, sort: "inst_id:asc" });
	return [...same.filter(r => r.loaded_at === s.loaded_at && r.inst_id < s.inst_id).reverse(), ...older].find(r => r.state !== "open");
}

export const pageOfSets = query => getPage(path(["v1", "result-sets"], query));
export const facetsOfSets = async query => (await getJson(path(["v1", "facets"], query))).result_sets[0].rows;
export const overview = async streams => (await getJson(path(["v1", "overview"], { streams }))).result_sets[0].rows;
export const reportsOf = id => getJson(path(["v1", "result-sets", id, "reports"]));
export const aSet = id => getJson(path(["v1", "result-sets", id]));
export const reportUrl = (id, name, query) => path(["v1", "result-sets", id, "reports", name], query);
export const flameUrl = (id, query) => path(["v1", "result-sets", id, "flame"], query);
export const exportUrl = (id, format, query) => path(["v1", "result-sets", id, "export", format], query);
export const diffUrl = (id, query) => path(["v1", "diff"], { ...query, new: id });
export const whoami = () => getOnce("/v1/whoami");
export const streams = async () => (await getJson("/v1/streams")).result_sets[0].rows;
export const historyUrl = query => withStream(["v1", "history"], query);
export const findingUrl = (id, query) => withStream(["v1", "history", id], query);
export const addReview = (id, review) => getJson(path(["v1", "history", id, "reviews"]),
	{ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(review) });
export const trendUrl = query => path(["v1", "trend"], query);

/* Runs an SQL query. Returns { columns, rows, incomplete }. */
export const runSql = async (sql, query, signal) => (await getJson(path(["v1", "sql"], query),
	{ method: "POST", headers: { Accept: "application/json", "Content-Type": "text/plain" }, body: sql, signal })).result_sets[0];

/* Signs in with a token. A cookie, which scripts cannot read, then identifies the browser. */
export async function signIn(token) {
	const answer = await fetch("/v1/session", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token }) });
	if (!answer.ok)
		throw await trouble(answer);
}
export const signOut = () => ask("/v1/session", { method: "DELETE" });

/* Downloads the answer to a request that a link cannot send. */
export async function download(url, name, options) {
	const blob = await (await ask(url, options)).blob();
	const a = document.createElement("a");
	a.href = URL.createObjectURL(blob);
	a.download = name;
	a.click();
	setTimeout(() => URL.revokeObjectURL(a.href), 60000);
}

/* The format is csv-safe, because people open the file in spreadsheets. */
export const downloadSql = (sql, name) => download(path(["v1", "sql"], { format: "csv-safe", limit: 1000000 }), name,
	{ method: "POST", headers: { "Content-Type": "text/plain" }, body: sql });
