/* Looks for rows and profiles that are not on the first page of a list. Called by beyond.sh. */
"use strict";
const { start, base } = require("../browser.js");

/* In the order in which beyond.sh loads them. */
const LEAKS = 1, REQUESTS = 2, HEAP = 3, MARKS = 4, UNSIZED = 7, OPEN = 8;

(async () => {
const t = await start();
const page = await t.open(`#/sets/${LEAKS}/report/objects`);
const text = async selector => (await page.textContent(selector)).replace(/\s+/g, " ").trim();

await t.test("the search of a report finds rows of all pages", async () => {
	await page.waitForSelector(".grid tbody tr");
	t.is((await t.rows(page)).length, 100, "rows of a page");
	const answer = await (await page.request.get(`${base}/v1/result-sets/${LEAKS}/reports/objects?skip=850&top=1`)).json();
	const row = answer.result_sets[0].rows[0], name = row.class;
	const all = (await (await page.request.get(`${base}/v1/result-sets/${LEAKS}/reports/objects`)).json()).result_sets[0].rows;
	const found = all.filter(r => Object.values(r).some(v => typeof v === "string" && v.toLowerCase().includes(name.toLowerCase()))).length;
	await page.getByLabel("Search").fill(name);
	await t.until(async () => (await text("p.sum")).includes(`; ${found} of them contain “${name}”`), `${found} rows with ${name}`);
	t.is((await t.rows(page)).length, Math.min(found, 100), "rows shown");
	t.ok((await text(".grid tbody")).includes(name), name);
	await page.getByLabel("Search").fill("no such word");
	await t.until(async () => (await text("p.sum")).includes("; 0 of them contain"), "no row");
	await page.getByLabel("Search").fill("");
	await t.until(async () => (await t.rows(page)).length === 100, "all rows again");
});

await t.test("a profile that the list does not contain is shown if the link names it", async () => {
	const old = (await (await page.request.get(`${base}/v1/result-sets/${REQUESTS}/reports/profiles?sort=started:asc&top=1`)).json()).result_sets[0].rows[0];
	await t.go(page, `#/sets/${REQUESTS}/profile?track=${old.track}`);
	await page.waitForSelector(".waterfall tr.step");
	t.ok((await text(".waterfall tr.step th")).startsWith(old.name), await text(".waterfall"));
	const select = page.getByLabel("Profile, of the newest 500");
	t.is(await select.inputValue(), String(old.track), "the chosen profile");
	t.is(await select.locator("option").count(), 501, "profiles to choose from");
});

await t.test("pages offer only choices that apply", async () => {
	const options = label => page.getByLabel(label, { exact: true }).locator("option").allTextContents();
	await t.go(page, `#/sets/${HEAP}/flame?metric=rss`);
	await page.waitForSelector(".flame-panel svg");
	const metrics = (await (await page.request.get(`${base}/v1/result-sets/${HEAP}`)).json()).metrics;
	t.ok(metrics.some(m => m.family === "gauges"), JSON.stringify(metrics));
	t.is((await options("Metric")).length, metrics.filter(m => m.family !== "gauges").length, "metrics");
	await t.go(page, `#/sets/${LEAKS}/compare`);
	t.ok((await options("By")).includes("object"), await options("By"));
	await t.go(page, `#/sets/${REQUESTS}/compare`);
	t.ok(!(await options("By")).includes("object"), await options("By"));
	await t.go(page, "#/trend?metric=live_size&statistic=p95");
	await page.waitForSelector(".series svg");
	t.is(await page.getByLabel("Statistic").isVisible(), false, "statistic");
});

await t.test("a comparison begins with the previous result set, even if one load wrote both", async () => {
	const rows = (await (await page.request.get(`${base}/v1/result-sets?label=pair%3Dyes&sort=inst_id:asc`)).json()).result_sets[0].rows;
	t.is(rows.length, 2, "result sets");
	t.is(rows[0].loaded_at, rows[1].loaded_at, "times");
	await t.go(page, `#/sets/${rows[1].inst_id}/compare`);
	await page.waitForSelector("select.wide");
	t.is(await page.inputValue("select.wide"), String(rows[0].inst_id), "base");
});

await t.test("the page of a trace without measures shows its marks, and no empty flame graph", async () => {
	await t.go(page, `#/sets/${MARKS}`);
	await page.waitForSelector(".grid tbody tr");
	t.ok((await text(".grid tbody")).includes("first paint"), await text(".grid"));
	t.is(await page.locator(".tabs a", { hasText: "Flame graph" }).count(), 0, "tabs for flame graphs");
	t.ok(!(await text("main")).includes("empty"), await text("main"));
});

await t.test("a report on user timings says from when times count", async () => {
	await t.go(page, `#/sets/${MARKS}/report/marks`);
	await page.waitForSelector(".grid tbody tr");
	t.ok((await text("main")).includes("Times on this page count from the first timing."), await text("main"));
	await t.go(page, `#/sets/${HEAP}/report/hot`);
	t.ok(!(await text("main")).includes("first timing"), await text("main"));
});

await t.test("sizes that nobody measured are not shown", async () => {
	for (const address of [`#/sets/${UNSIZED}`, `#/sets/${UNSIZED}/report/leaks?by=class`, `#/sets/${UNSIZED}/report/leaks?by=record`, "#/"]) {
		await t.go(page, address);
		await t.settled(page);
		t.ok(/TBasket|definitely lost|Live objects/.test(await text("main")), await text("main"));
		t.ok(!/\b0 (B|bytes)/.test(await text("main")), `${address}: ${await text("main")}`);
	}
});

await t.test("a routine of an open result set has a page with its callers and calls", async () => {
	await t.go(page, `#/sets/${OPEN}/entry?routine=TSettings.OpenKey`);
	await page.waitForSelector(".halves tbody tr");
	t.is(await t.rows(page, ".halves tbody tr"), [["TSettings.ReadWindowState", "34", "100 %"], ["RegOpenKeyExW", "34", "100 %"]], "callers, called");
});

await t.test("speedscope shows the objects of a result set that has tracks", async () => {
	await t.go(page, `#/sets/${HEAP}/speedscope`);
	await page.waitForSelector("iframe.viewer");
	t.ok(!await page.locator("label:has-text('Track')").isVisible(), "objects have no track");
});

await t.test("the trend of durations asks for the name of a span", async () => {
	await t.go(page, "#/trend");
	await page.getByLabel("Metric").selectOption("duration");
	await page.waitForSelector("text=Write the name of a span");
	t.ok(await page.getByLabel("Name").isVisible(), "the filter");
	await page.getByLabel("Name").fill("Request*");
	await page.waitForSelector(".grid tbody tr");
	await t.accessible(page, "the trend of durations");
});
await t.end();
})();
