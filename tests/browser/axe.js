/* axe.js SRCDIR FOLDER: checks the pages with Axe, first those of an empty depot. Called by axe.sh. */
"use strict";
const fs = require("fs"), path = require("path");
const { start, base } = require("./browser.js");
const [srcdir, folder] = process.argv.slice(2);
const LOOKS = [[400, true], [1280, false]];

(async () => {
const t = await start();
const ids = {};
let names = 0;

/* Opens the address of each state, prepares the page, and checks it in all LOOKS. A state is [hash, what, prepare]. Charts
 * take their width when they are drawn, so the narrow window comes first. */
async function check(what, states) {
	const found = LOOKS.map(() => []);
	const page = await t.open("#/", { trouble: true, token: "pd_reviewer" });
	for (const [hash, state, prepare] of states) {
		let at = 0;
		try {
			await t.look(page, ...LOOKS[0]);
			await t.go(page, "#/another-page");
			await t.go(page, hash);
			await prepare?.(page);
			for (; at < LOOKS.length; at++) {
				await t.look(page, ...LOOKS[at]);
				await t.settled(page);
				await t.accessible(page, `${hash} ${state || ""}`);
			}
		} catch (e) {
			found[at].push(`${hash} ${state || ""}: ${e.message}`);
		}
	}
	for (const [i, [width, dark]] of LOOKS.entries())
		await t.test(`${what}, ${width} pixels, ${dark ? "dark" : "light"}: Axe finds nothing`, async () => t.is(found[i], [], "pages"));
	await page.context().close();
}

async function load(name, file, query) {
	const answer = await fetch(`${base}/v1/result-sets?${new URLSearchParams({ name: path.basename(file), again: "true", ...query })}`, { method: "POST",
		body: fs.readFileSync(file), headers: { "Content-Type": "application/octet-stream", Authorization: "Bearer pd_reviewer" } });
	t.is(answer.status, 201, `status of ${file}`);
	ids[name] = (await answer.json()).result_sets[0].inst_id;
}

await check("an empty depot", ["", "sets", "history", "trend", "events"].map(p => [`#/${p}`]));

await t.test("the examples load", async () => {
	for (const [name, file, query] of [["time", "orders-start.speedscope.json"], ["trace", "orders-page.trace.json"],
		["requests", "orders-requests.miniprofiler.json"], ["events", "orders-host.kernelscope.ndjson"]])
		await load(name, path.join(srcdir, "examples", file), query);
	for (const [name, version] of [["before", "1.0"], ["after", "1.1"]])
		await load(name, path.join(folder, "shop.log"), { application: "Shop", label: "branch=main", run: "ci-1", app_version: version });
});

const frames = page => page.waitForSelector(".d3-flame-graph g.frame");
const at = (name, ...more) => `#/sets/${[ids[name], ...more].join("/")}`;

await check("pages of the depot", [["#/"], ["#/sets"], ["#/sets", "no match", async page => {
	await page.fill("input[type=search]", "no match");
	await page.waitForSelector(".state.empty");
}], ["#/history?stream=Shop+branch%3Dmain"], ["#/trend?metric=live_size"], ["#/events"], ["#/events?view=groups&by=process"],
["#/events?view=flame", "frames", frames], ["#/events", "a condition", page => page.click("text=Add a condition")], ["#/runs/ci-1"], ["#/jobs"],
["#/suppressions"], ["#/budgets"], ["#/categories"], ["#/retention"],
["#/sql", "the examples"], ["#/sql?q=select+inst_id%2C+caption+from+instances", "a result", page => page.waitForSelector(".results table tbody tr")],
["#/sql?q=select+1+as+one%2C+2+as+two&view=chart", "a chart", page => page.waitForSelector(".results svg")],
["#/sql?q=select+nothing", "an error", page => page.waitForSelector(".results [role=alert]")],
["#/tokens"], ["#/tokens", "a new token", async page => {
	await page.getByLabel("Name").fill(`axe-${names++}`);
	await page.click("form >> button.main");
	await page.waitForSelector("section[aria-label='The new token']");
}]]);

await check("pages of a result set", [
	...["time", "trace", "requests", "events", "after"].map(name => [at(name)]),
	[at("after", "report", "leaks"), "an open stack", page => page.click("td details summary")],
	[at("after", "report", "leaks?by=record"), "the menu of columns", page => page.click("details.menu summary")],
	[at("after", "report", "objects?class=no")], [at("time", "report", "hot")], [at("time", "report", "callers")],
	[at("requests", "report", "commands")], [at("trace", "report", "measures")],
	[at("after", `compare?base=${ids.before}`)], [at("after", `compare?base=${ids.before}&status=same`), "filters", page => page.click("summary >> text=Filters")],
	[at("requests", "profile?track=1")], [at("trace", "timings")], [at("trace", "timings?q=no+match")],
	[at("time", "speedscope")], [at("after", "entry?routine=load_orders")], [at("after", "entry?module=no")]]);

await check("flame graphs", [
	[at("after", "flame"), "frames", frames],
	[at("time", "flame?colour=module"), "modules", frames],
	[at("time", "flame?q=Load"), "a search", frames],
	[at("time", "flame?routine=sqlite3_step"), "a selected routine", page => page.waitForSelector("section[aria-label='Callers'] g.frame")],
	[at("time", "flame?calls=5"), "frames are left out", frames],
	[at("time", "flame"), "zoomed", async page => { await frames(page); await page.locator("g.frame").nth(4).click(); }],
	[at("time", "flame"), "the focus on a frame", async page => {
		await frames(page);
		await page.focus("g[tabindex='0']");
		await page.keyboard.press("ArrowDown");
	}],
	[at("after", `flame?base=${ids.before}&invert=1`), "a comparison", frames],
	[at("after", "flame?focus=no"), "no frames"]]);

await check("errors", [
	["#/nonsense"], ["#/sets/99999"], [at("after", "report", "nothing")], ["#/history?stream=Nothing"], ["#/history/nothing?stream=Shop"],
	["#/sets", "a rejected file", async page => {
		await page.setInputFiles("#files", [path.join(srcdir, "configure.ac")]);
		await page.waitForTimeout(100);
		await t.accessible(page, "the offer to upload a file");
		await page.click(".upload button.main");
		await page.waitForSelector(".upload li .wrong-text");
	}],
	["#/trend", "no server", async page => {
		await page.route("**/v1/**", r => r.abort());
		await page.evaluate(() => { location.hash = "#/events"; });
		await page.waitForSelector("[role=alert]");
		await page.unroute("**/v1/**");
	}]]);

await t.test("the dialog for a token: Axe finds nothing", async () => {
	for (const [width, dark] of LOOKS) {
		const context = await t.browser.newContext({ colorScheme: dark ? "dark" : "light", viewport: { width, height: 900 } });
		const page = await context.newPage();
		await page.goto(`${base}/#/sets`);
		await page.waitForSelector("dialog[open]");
		await t.axe(page, `the dialog, ${width} pixels`);
		await page.keyboard.type("pd_nobody");
		await page.keyboard.press("Enter");
		await page.waitForSelector("dialog[open] [role=alert]");
		await t.axe(page, `the dialog with an error, ${width} pixels`);
		await context.close();
	}
});
await t.end();
})();
