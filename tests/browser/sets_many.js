/* sets_many.js: uses the pages of a depot of 10,000 result sets. Called by sets_many.sh. */
"use strict";
const path = require("path");
const { start, base } = require("./browser.js");

(async () => {
const t = await start();
const page = await t.open("#/sets", { trouble: true });
const count = () => page.textContent(".title output");
const search = async (words, expected) => {
	await page.fill("input[type=search]", words);
	await t.until(async () => await count() === expected, `${words}: ${expected}`);
	await t.settled(page);
};

await t.test("10,000 result sets: the page shows 100 of them, and their total number", async () => {
	t.is(await count(), "10,000 result sets", "all");
	t.is((await t.rows(page)).length, 100, "a page");
	t.is(await page.textContent(".pager span"), "1–100 of 10,000", "the pager");
});

await t.test("the search finds a result set that is not among the newest 100", async () => {
	await search("first SMALL", "1 result set");
	t.ok((await t.rows(page))[0].join().includes("the first one"), "the oldest one");
	await search("copy 77", "280 result sets");
	await page.click(".pager >> text=Next");
	await t.until(async () => (await page.textContent(".pager span")).startsWith("101–"), "its second page");
	await page.click(".pager >> text=Next");
	await t.until(async () => (await t.rows(page)).length === 80, "its third page");
	await search("no such words", "0 result sets");
	t.ok((await page.textContent(".state.empty")).includes("No matching"), "nothing matches");
	await search("", "10,000 result sets");
});

await t.test("facets count all result sets, and the order covers all of them", async () => {
	const host = page.locator('.facet button[data-facet="host"][data-value="host 7"]');
	await page.click(".facet:has([data-facet=host]) summary");
	t.is(await host.textContent(), "host 7 167", "a host");
	await host.click();
	await t.until(async () => await count() === "167 result sets", "the host's result sets");
	await t.go(page, "#/sets?sort=caption:asc");
	t.ok((await t.rows(page))[0].join().includes("copy 10"), (await t.rows(page))[0].join());
	await t.go(page, "#/sets?sort=inst_id:asc&skip=9900");
	const rows = await t.rows(page);
	t.is([rows.length, rows[0][0], rows[99][0]], [100, "9901", "10000"], "the last page");
});

await t.test("a comparison has the base that its link names, and any result set can be found and chosen as the base", async () => {
	const chosen = page.locator("label:text-is('With') + select");
	await t.go(page, "#/sets/9000/compare");
	t.is(await chosen.inputValue(), "8960", "the default base is the previous result set of the stream");
	await t.go(page, "#/sets/9000/compare?base=5");
	t.is(await chosen.inputValue(), "5", "chosen");
	t.is(await page.textContent(".results .sum"), "Time: changes since result set 5: copy 5", "compared");
	await page.fill("label:text-is('Find a result set') + input", "first SMALL");
	await t.until(async () => await page.locator("label:text-is('Find a result set') + input >> xpath=../following-sibling::output").textContent() === "1 found", "found");
	t.is(await chosen.inputValue(), "5", "still chosen");
	await chosen.selectOption("1");
	await t.until(async () => (await page.textContent(".results .sum")).endsWith("1: the first one"), "compared with the oldest");
	await t.go(page, "#/sets/9000/flame?base=5");
	const flame = page.locator("label:text-is('Compare with') + select");
	t.is(await flame.inputValue(), "5", "the flame graph's base");
	await page.fill("label:text-is('Find a result set') + input", "copy 77");
	await page.locator("label:text-is('Find a result set') + input").press("Enter");
	await t.until(async () => /copy .*77/.test(await flame.locator("option:checked").textContent()), "Enter chooses the first result set found");
	t.ok(/base=/.test(page.url()) && !/base=5$/.test(page.url()), page.url());
});

/* Opens an address and waits for its content. On idle cores this takes less than two seconds; other tests run at the same
 * time, so the limit is higher. */
async function opens(hash, selector) {
	await t.go(page, "#/jobs");
	await page.evaluate(h => { location.hash = h; }, hash);
	await page.waitForSelector(selector, { timeout: 15000 });
	await t.settled(page);
}

await t.test("the home page of 10,000 result sets shows the newest streams and result sets", async () => {
	await opens("#/", ".tile");
	t.is((await t.rows(page)).length, 30, "20 of 41 streams, and the newest 10 result sets");
	t.ok((await page.textContent("main")).includes("Only the 20 applications and branches with the newest result sets are shown"), "the page says that there are more");
});

await t.test("the page of a result set names what changed since the one before it in its stream", async () => {
	await opens("#/sets/9000", "section[aria-labelledby=changed] a");
	t.is(await page.getAttribute("section[aria-labelledby=changed] a >> nth=0", "href"), "#/sets/8960", "the result set before it");
	await opens("#/sets/9050", "section[aria-labelledby=changed] a");
	t.is(await page.getAttribute("section[aria-labelledby=changed] a >> nth=0", "href"), "#/sets/9001", "the one before it without an application");
	await opens("#/sets/9001", "section[aria-labelledby=changed] p");
	t.is(await page.textContent("section[aria-labelledby=changed] p"), "There is no earlier result set with this application, branch and format.", "there is none before it");
	await opens("#/sets/9000", "section[aria-labelledby=changed] a");
	await page.waitForSelector(".d3-flame-graph g.frame");
	t.ok((await t.rows(page)).length > 0, "its worst entries");
	await opens("#/sets/9000/entry?routine=sqlite3_step", ".series svg");
	t.ok((await page.textContent("main")).includes("Callers"), "the page of a routine");
});

await t.test("flame graphs and their differences appear", async () => {
	await opens("#/sets/9000/flame", ".d3-flame-graph g.frame");
	await opens("#/sets/9000/flame?base=1", ".d3-flame-graph g.frame");
	await opens("#/sets/9000/report/hot", "main table tbody tr");
});

await t.test("a trend has the newest result sets of an application, and as many as asked for", async () => {
	await opens("#/trend?application=app+7", ".series svg");
	const rows = await t.rows(page);
	t.is([rows.length, rows[49].join().includes("9967")], [50, true], "the newest 50");
	await opens("#/trend?last=1000", ".series svg");
	t.is((await t.rows(page)).length, 1000, "1,000 result sets");
});

await t.test("the query page counts and lists 10,000 result sets", async () => {
	await opens("#/sql?q=select+application%2C+count(*)+from+instances+group+by+1+order+by+2+desc%2C+1", ".results table tbody tr");
	t.is((await t.rows(page))[0], ["app 0", "250"], "a count");
	await opens("#/sql?q=select+inst_id%2C+caption+from+instances+order+by+1", ".results table tbody tr");
	t.is((await page.textContent(".results .sum")).replace(/ in .*/, ""), "10,000 rows", "all rows");
});

await t.test("captions are edited, result sets are deleted, and files are loaded among 10,000 result sets", async () => {
	await opens("#/sets/8000", "h1:has-text('copy 8000')");
	await page.click("text=Edit caption, application and labels");
	await page.locator("form").getByLabel("Caption").fill("eight thousand");
	await page.click("text=Save");
	await page.waitForSelector("h1:has-text('eight thousand')");
	await opens("#/sets", ".grid tbody tr");
	await search("eight thousand", "1 result set");
	await opens("#/sets/8001", "h1:has-text('copy 8001')");
	await page.click(".exports >> text=Delete");
	await page.click("dialog button[value=yes]");
	await page.waitForSelector(".notice:has-text('is deleted')");
	t.is((await page.request.get(`${base}/v1/result-sets/8001`)).status(), 404, "the deleted result set");
	await opens("#/", ".tile");
	await page.setInputFiles("#files", [path.join(process.env.srcdir, "examples/orders-page.trace.json")]);
	await page.click(".upload button.main");
	await page.click(".upload li a");
	await page.waitForSelector(".tabs >> text=User timings");
	await page.click(".tabs >> text=User timings");
	await page.waitForSelector("canvas");
	await t.accessible(page, "the timeline of the new result set");
	await opens("#/sets", ".grid tbody tr");
	t.is(await count(), "10,000 result sets", "one is gone, one is new");
});

for (const [name, options] of [["wide", {}], ["narrow", { width: 400 }], ["dark", { dark: true }]])
	await t.test(`10,000 result sets, ${name}: nothing is cut off, the contrast is sufficient`, async () => {
		const other = await t.open("#/sets", options);
		await t.accessible(other, "list");
		await t.shot(other, `sets-many-${name}`, true);
		for (const hash of name === "wide" ? [] : ["#/sets/9000", "#/trend", "#/sets/9000/compare?base=5"]) {
			await t.go(other, hash);
			await t.accessible(other, hash);
		}
	});
await t.end();
})();
