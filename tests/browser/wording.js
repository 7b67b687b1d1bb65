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
	t.is((await page.$$(".chart circle")).length, 3, "the result sets without a branch");
});

await t.test("messages are sentences without words of the command line", async () => {
	for (const [address, expected] of [
		["#/sets/9999", "Something went wrong. There is no result set 9999.It may have been deleted. Go on with all result sets or the start page."],
		["#/sets/label:branch=zzz", "Something went wrong. There is no result set \"label:branch=zzz\".It may have been deleted. Go on with all result sets or the start page."],
		[`#/sets/${SECOND}/compare?base=nope`, "Something went wrong. Base: \"nope\" is not the name of a result set.Try again"],
		[`#/sets/${SECOND}/flame?base=nope`, "Something went wrong. Base: \"nope\" is not the name of a result set.Try again"]]) {
		await t.go(page, address);
		t.is(await message(), expected, address);
	}
	await t.go(page, "#/trend?metric=nope");
	t.is(await page.textContent(".state.empty p"), "No result set has a metric nope.", "an unknown metric");
	for (const [hint, expected] of [
		["ask for less; the command line or a server with a larger --memory can answer", "Ask for less."],
		["\"GET /v1/result-sets\" shows the result sets", ""],
		["use one of median, min", "Use one of median, min."]]) {
		await page.route(`**/v1/result-sets/${SECOND}`, r => r.fulfill({ status: 500, contentType: "application/json",
			body: JSON.stringify({ error: { message: "it failed", hint } }) }));
		await t.go(page, "#/");
		await t.go(page, `#/sets/${SECOND}`);
		t.is((await texts(".state.wrong .hint"))[0] || "", expected, hint);
		await page.unroute(`**/v1/result-sets/${SECOND}`);
	}
});

await t.test("an answer that was cut off is rejected", async () => {
	for (const [body, why] of [
		["{\"inst_id\": 2, \"caption\": \"half", "a part of a document"],
		["{\"inst_id\": 2}", "an object without its last member"],
		["", "an empty answer"]]) {
		await page.route(`**/v1/result-sets/${SECOND}`, r => r.fulfill({ status: 200, contentType: "application/json", body }));
		await t.go(page, "#/");
		await t.go(page, `#/sets/${SECOND}`);
		t.is((await message()).startsWith("Something went wrong. A part of the server's answer is missing."), true, why);
		await page.unroute(`**/v1/result-sets/${SECOND}`);
	}
});

await t.test("the numbers of threads, lines and errors are not grouped", async () => {
	for (const [name, column] of [["errors", "Error code"], ["errors", "Thread"], ["objects", "Thread"], ["lines", "Source line"]]) {
		await t.go(page, `#/sets/${ORDERS}/report/${name}`);
		const cells = await texts(`td[data-title="${column}"]`);
		t.ok(cells.some(text => /\d{4}/.test(text)) && !cells.some(text => /,/.test(text)), `${name}, ${column}: ${cells.slice(0, 5)}`);
	}
	await t.go(page, "#/trend?metric=live_count");
	t.is((await texts("main thead th"))[0], "No.", "the title of the numbers of result sets");
});

await t.end();
})();
