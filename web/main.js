/* Finds the page that a link leads to, and draws the parts that all pages have in common. */
import { h, fill, show, say } from "./dom.js";
import { current } from "./route.js";
import { onTokenWanted, signOut, whoami } from "./api.js";
import { askToken } from "./token.js";
import { acceptDrops } from "./upload.js";
import { SETTINGS } from "./settings.js";
import homePage from "./home.js";
import setsPage from "./sets.js";
import setPage from "./summary.js";
import entryPage from "./entry.js";
import reportPage from "./report.js";
import flamePage from "./flame.js";
import comparePage from "./compare.js";
import trendPage from "./trend.js";
import profilePage from "./profile.js";
import timingsPage from "./timings.js";
import spansPage from "./spans.js";
import historyPage from "./history.js";
import findingPage from "./finding.js";
import runPage from "./run.js";
import eventsPage from "./events.js";
import suppressionsPage from "./suppress.js";
import budgetsPage from "./budgets.js";
import categoriesPage from "./categories.js";
import retentionPage from "./retention.js";
import sqlPage from "./sql.js";
import jobsPage from "./jobs.js";
import tokensPage from "./tokens.js";
import speedscopePage from "./speedscope.js";

/* A page is an async function that returns the page's content. Its argument contains `query` and the values of the
 * path's parts that begin with ":". A page may set document.title before it waits for something. Afterwards, another
 * page may be current, so the title must be in the attribute data-page-title of an element of the content. */
const pages = [
	["", homePage],
	["sets", setsPage],
	["sets/:id", setPage],
	["sets/:id/entry", entryPage],
	["sets/:id/report/:name", reportPage],
	["sets/:id/flame", flamePage],
	["sets/:id/compare", comparePage],
	["sets/:id/profile", profilePage],
	["sets/:id/timings", timingsPage],
	["sets/:id/timeline", spansPage],
	["sets/:id/speedscope", speedscopePage],
	["history", historyPage],
	["history/:id", findingPage],
	["runs/:key", runPage],
	["trend", trendPage],
	["events", eventsPage],
	["suppressions", suppressionsPage],
	["budgets", budgetsPage],
	["categories", categoriesPage],
	["retention", retentionPage],
	["sql", sqlPage],
	["jobs", jobsPage],
	["tokens", tokensPage],
];

const NAV = [["#/", "Home"], ["#/sets", "Result sets"], ["#/history", "History"], ["#/trend", "Trends"], ["#/events", "Events"], ["#/suppressions", "Settings"]];
/* Links that are shown only to users with a scope. */
const SCOPED = [["#/sql", "Query", "sql"], ["#/jobs", "Uploads", "ingest"], ["#/tokens", "Tokens", "admin"]];

function matches(pattern, path) {
	const parts = pattern.split("/").filter(Boolean), found = {};
	if (parts.length !== path.length)
		return null;
	for (let i = 0; i < parts.length; i++)
		if (parts[i].startsWith(":"))
			found[parts[i].slice(1)] = path[i];
		else if (parts[i] !== path[i])
			return null;
	return found;
}

let scopes = [], signedIn = false, hasTokens = false;

/* Status 403 means that the user has signed in, but that the token does not permit reading. */
async function readScopes() {
	const user = await whoami().catch(e => ({ scopes: [], session: e.status === 403 }));
	({ scopes, session: signedIn, tokens: hasTokens } = user);
	drawNav(current().path);
}

function drawNav(path) {
	const area = `#/${path[0] === "runs" ? "sets" : SETTINGS.includes(path[0]) ? "suppressions" : path[0] || ""}`;
	const links = [...NAV, ...SCOPED.filter(([href, , scope]) => scopes.includes(scope) && (href !== "#/tokens" || hasTokens))];
	fill(document.getElementById("nav"), links.map(([href, text]) =>
		h("a", { href, "aria-current": href === area ? "page" : null }, text)),
		signedIn && h("button", { type: "button", onclick: () => signOut().finally(() => location.reload()) }, "Sign out"));
}

function noPage() {
	document.title = "No such page – profdepot";
	return h("div", { class: "state wrong" }, h("h1", null, "There is no such page"),
		h("p", null, "The address ", h("code", null, location.hash.slice(0, 200)),
			" leads nowhere. The link may be incomplete, or from another version of these pages."),
		h("p", null, "Go on with: ", NAV.map(([href, text], i) => [i > 0 && ", ", h("a", { href }, text)]), "."));
}

/* Each entry of the browser's history has a number. When the user goes back to an entry, the page scrolls to the
 * position that it had when the user left it. */
const positions = new Map();
let entry = null;
history.scrollRestoration = "manual";

function enter() {
	if (entry)
		positions.set(entry, window.scrollY);
	if (!history.state?.entry)
		history.replaceState({ entry: crypto.getRandomValues(new Uint32Array(1))[0] || 1 }, "");
	entry = history.state.entry;
}

/* Scrolls to a position. If the page is too short, waits for its parts that are still loading. */
function scrollTo(top) {
	window.scrollTo(0, top);
	if (window.scrollY + 1 >= top)
		return;
	const grown = new ResizeObserver(() => {
		window.scrollTo(0, top);
		if (window.scrollY + 1 >= top)
			grown.disconnect();
	});
	const stop = () => grown.disconnect();
	grown.observe(document.getElementById("content"));
	for (const event of ["wheel", "keydown", "pointerdown", "hashchange"])
		addEventListener(event, stop, { once: true });
	setTimeout(stop, 3000);
}

let first = true, routed = null;

async function route() {
	const mine = routed = {};
	enter();
	const { path, query } = current();
	const main = document.getElementById("content");
	let page = null, parts = null;
	for (const [pattern, f] of pages)
		if ((parts = matches(pattern, path))) {
			page = f;
			break;
		}
	drawNav(path);
	document.title = "profdepot";
	fill(main);
	if (!page)
		fill(main, noPage());
	else
		await show(main, "the page", () => page({ ...parts, query }));
	if (routed !== mine)
		return;
	document.title = main.querySelector("[data-page-title]")?.dataset.pageTitle || document.title;
	/* Screen readers notice the new page because the focus moves. */
	if (!first)
		main.focus({ preventScroll: true });
	/* In a narrow window, the tabs scroll. */
	main.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
	scrollTo(positions.get(entry) || 0);
	first = false;
	say(document.title);
}

document.getElementById("skip").addEventListener("click", e => {
	e.preventDefault();
	document.getElementById("content").focus();
});
onTokenWanted(askToken);
window.addEventListener("hashchange", route);
acceptDrops();
route();
readScopes();
