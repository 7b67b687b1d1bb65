/* wording.js: reads the texts of pages. Called by wording.sh. */
"use strict";
const { start } = require("./browser.js");

/* In the order in which wording.sh loads them. */
const [, , SECOND, NEWEST, ORDERS] = [1, 2, 3, 4, 5];

(async () => {
const t = await start();
const page = await t.open("#/sets", { trouble: true });
const texts = selector => page.$$eval(selector, all => all.map(e => e.textContent.replace(/\s+/g, " ").trim()));
const message = async () => (await texts(".state.wrong"))[0];

await t.test("a page that finishes late does not change the title of the page that replaced it", async () => {
	let release = null;
	const held = new Promise(resolve => { release = resolve; });
	await page.route(`**/v1/result-sets/${NEWEST}`, async r => { await held; await r.continue(); });
	await page.evaluate(id => { location.hash = `#/sets/${id}/report/hot`; }, NEWEST);
	await page.waitForTimeout(100);
	await t.go(page, "#/sets");
	const answered = page.waitForResponse(`**/v1/result-sets/${NEWEST}`);
	release();
	await answered;
	await page.unroute(`**/v1/result-sets/${NEWEST}`);
	await page.waitForTimeout(300);
	t.is(await page.title(), "Result sets – profdepot", "title");
	await t.go(page, `#/sets/${NEWEST}`);
	t.is(await page.title(), "Summary – second.folded – profdepot", "the title of a page that waits");
	await t.go(page, "#/sets");
});

await t.test("a facet with one value is shown unless all result sets have this value", async () => {
	const shown = await texts(".facet legend");
	t.ok(shown.includes("Branch") && !shown.includes("Loaded in"), `${shown}`);
	t.is(await texts('.facet button[data-facet="branch"]'), ["main 1"], "the only branch");
});

await t.test("each figure of a result set has a title of its own", async () => {
	await t.go(page, `#/sets/${NEWEST}`);
	const titles = await texts(".card dt");
	t.is(titles, [...new Set(titles)], "titles");
	t.is((await texts(".card"))[0], "Samples1,270", "the metric's samples, not the number of rows");
});

await t.test("a chart repeats no name on its axis", async () => {
	await t.go(page, `#/sets/${NEWEST}/entry?routine=read`);
	t.is(await texts(".chart text.name"), ["before", "after"], "versions");
	t.is((await page.$$(".chart circle")).length, 4, "result sets");
});

await t.end();
})();
