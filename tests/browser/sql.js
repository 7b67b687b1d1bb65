/* sql.js: writes queries and reads their results. Called by sql.sh. */
"use strict";
const fs = require("fs");
const { start } = require("./browser.js");

(async () => {
const t = await start();

await t.test("without the scope sql, the page says what is missing, and no page links to it", async () => {
	const page = await t.open("#/sql", { token: "pd_reader" });
	t.ok((await page.textContent("main")).includes("You are not allowed to send SQL queries"), await page.textContent("main"));
	t.is(await page.$$eval('#nav a[href="#/sql"]', all => all.length), 0, "links in the navigation");
	await t.accessible(page, "the refusal");
	await page.context().close();
});

const page = await t.open("#/", { token: "pd_analyst", trouble: true });
const asked = [];
page.on("request", r => r.url().includes("/v1/sql") && asked.push(r.postData()));
/* Replaces the statement and presses Ctrl+Enter. */
const run = async sql => {
	await page.fill("#statement", sql);
	await page.press("#statement", "Control+Enter");
	await t.settled(page);
};

await t.test("the navigation leads to the page; its first query works", async () => {
	await page.click("#nav >> text=Query");
	await page.waitForSelector("#statement");
	await t.settled(page);
	t.is(asked.filter(s => !s.includes("pg_attribute")), [], "nothing runs before the user asks");
	await page.click("button.main");
	await page.waitForSelector(".results tbody tr");
	t.is((await t.rows(page, ".results tbody tr")).map(r => r[0]), ["3", "2", "1"], "result sets");
	await t.accessible(page, "the query page");
	await t.shot(page, "sql");
});

await t.test("Ctrl+Enter runs the statement; cells have the values of their kinds", async () => {
	await run("select 12345678901234567890 as big, 1.25 as part, true as yes, null as nothing, '<b>x</b>' as text");
	t.is(await t.rows(page, ".results tbody tr"), [["12,345,678,901,234,567,890", "1.25", "yes", "", "<b>x</b>"]], "cells");
	t.ok(page.url().includes("q=select+12345678901234567890"), page.url());
});

await t.test("an error names the place, and selects it in the statement", async () => {
	await run("select 1,\n  nothing from instances");
	t.ok((await page.textContent(".results")).includes('column "nothing" does not exist (line 2, column 3)'), await page.textContent(".results"));
	t.is(await page.$eval("#statement", e => e.value.slice(e.selectionStart, e.selectionEnd)), "nothing", "the selected text");
	await t.accessible(page, "an error");
	await t.shot(page, "sql-error", true);
	await run("delete from instances");
	t.ok((await page.textContent(".results")).includes("only queries are accepted"), await page.textContent(".results"));
});

await t.test("Cancel ends a query that runs", async () => {
	await page.fill("#statement", "select pg_sleep(50)");
	await page.press("#statement", "Control+Enter");
	await page.click("text=Cancel");
	await page.waitForSelector("text=The query was cancelled");
	t.ok(await page.$eval("text=Cancel", e => e.disabled), "Cancel is disabled");
});

await t.test("long results have pages, and can be sorted", async () => {
	await run("select n, 1000 - n as back from generate_series(1, 250) as n");
	t.is((await t.rows(page, ".results tbody tr")).length, 100, "rows on a page");
	await page.click("text=Next");
	t.is((await t.rows(page, ".results tbody tr"))[0], ["101", "899"], "first row of the second page");
	await page.click("th >> text=back");
	t.is((await t.rows(page, ".results tbody tr"))[0], ["1", "999"], "first row when sorted");
	await run("select generate_series(1, 10001) as n");
	t.ok((await page.textContent(".results")).includes("These are the first 10,000 rows"), "the limit is mentioned");
});

await t.test("a result can be shown as a chart, and the link contains the view", async () => {
	await run("select 'week ' || n as week, n as inst_id, n * n as total, 5 as fixed from generate_series(1, 8) as n");
	await page.click(".results >> text=Chart");
	await page.waitForSelector(".results svg.chart");
	t.is(await page.$$eval(".results svg circle", all => all.length), 8, "points");
	t.ok((await page.getAttribute(".results svg.chart", "aria-label")) === "total by week", "the chosen columns");
	await page.selectOption(".results select >> nth=0", "fixed");
	await page.waitForSelector("svg[aria-label='fixed by week']");
	await t.accessible(page, "the chart");
	await t.shot(page, "sql-chart", true);
	const other = await t.open(`#${page.url().split("#")[1]}`, { token: "pd_analyst" });
	await other.waitForSelector("svg[aria-label='fixed by week']");
	await other.context().close();
});

await t.test("the result can be downloaded, safe for spreadsheets", async () => {
	await run("select '=1+1' as formula, 2 as two");
	const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Download as CSV")]);
	t.is(fs.readFileSync(await download.path(), "utf8").replace(/\r/g, ""), "formula,two\n'=1+1,2\n", "the file");
});

await t.test("relations and columns have their comments, can be found, and can be inserted", async () => {
	await page.fill(".relations input", "label value");
	await t.until(async () => (await page.locator(".relation").count()) < 30, "fewer relations");
	await page.click(".relation summary >> text=result_set_labels");
	t.ok((await page.textContent(".relation[open]")).includes("a result set's labels"), await page.textContent(".relation[open]"));
	await page.fill("#statement", "");
	await page.click(".relation[open] dt >> text=key");
	t.is(await page.inputValue("#statement"), "key", "the inserted name");
	await page.fill(".relations input", "no such words");
	await page.waitForSelector("text=No relation matches");
});

await t.test("each example runs", async () => {
	for (const label of await page.$$eval(".query form .tools select option", all => all.slice(1).map(o => o.textContent))) {
		await page.selectOption(".query form .tools select", { label });
		await page.waitForTimeout(100);
		await t.settled(page);
		t.ok((await t.rows(page, ".results tbody tr")).length > 0, `${label}: ${await page.textContent(".results")}`);
	}
});

for (const [name, options] of [["1600", { width: 1600 }], ["400", { width: 400 }], ["1280-dark", { dark: true }], ["400-dark", { width: 400, dark: true }]])
	await t.test(`${name}: nothing is cut off, contrast holds, all controls have names`, async () => {
		const other = await t.open("#/sql?q=select+inst_id,+caption,+format,+loaded_at+from+instances", { ...options, token: "pd_analyst" });
		await other.waitForSelector(".results tbody tr");
		await other.click(".relation summary >> nth=3");
		await t.accessible(other, "#/sql");
		await t.shot(other, `sql-${name}`, true);
		await other.context().close();
	});
await t.end();
})();
