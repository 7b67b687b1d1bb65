/* history_many.js: uses the pages about the history of findings over 10,000 runs. Called by history_many.sh. */
"use strict";
const { start } = require("./browser.js");

const STREAM = "stream=order-service+branch%3Dmain";

(async () => {
const t = await start();
const page = await t.open("#/", { trouble: true });
const rows = () => t.rows(page, ".results tbody tr");
const facet = (key, value) => page.locator(`.facet button[data-facet="${key}"][data-value="${value}"]`);

await t.test("a stream of 9,000 runs: the page lists what is new, and counts the rest", async () => {
	await t.go(page, `#/history?${STREAM}`);
	t.is(await facet("state", "new").textContent(), "new 2", "findings of the newest run");
	await facet("state", "new").click();
	t.is((await rows()).map(r => r[0].replace(/leak.*/, "")).sort(), ["another", "brand_new"], "the new findings");
	t.is((await rows()).map(r => r[1]), ["new", "new"], "their states");
	await facet("state", "new").click();
	await facet("state", "gone").click();
	t.is((await rows()).length, 100, "gone findings are shown in pages");
	t.ok(await page.$$eval(".spark", all => all.length) > 0, "with pictures of their counts");
});

await t.test("a finding that 9,000 runs looked for: one chart, and the runs in pages", async () => {
	await t.go(page, `#/history?${STREAM}&state=gone`);
	await page.click(".results tbody td a");
	await page.waitForSelector(".chart .line");
	await t.settled(page);
	const points = await page.$$eval(".chart .line", all => all[0].getAttribute("d").match(/[ML]/g).length);
	t.ok(points > 100 && points <= 400, `${points} points`);
	t.ok(/ of 9,?\d{3}/.test(await page.textContent(".facts")), await page.textContent(".facts"));
	t.is((await rows()).length, 100, "a page of runs");
	await page.click(".pager >> text=Next");
	t.is((await rows()).length, 100, "the next page of runs");
	t.ok((await page.textContent(".pager")).includes("9,0"), await page.textContent(".pager"));
});

await t.test("one of 10,000 runs: its page shows its result sets, and its findings are one click away", async () => {
	await t.go(page, "#/runs/nightly-1");
	t.is((await t.rows(page)).length, 2, "both result sets");
	await page.click("text=as of this run");
	await page.waitForSelector(".facet");
	await t.settled(page);
	t.is(await facet("state", "new").textContent(), "new 2", "findings as of this run");
});

for (const [name, options] of [["wide", {}], ["narrow", { width: 400 }]])
	await t.test(`the pages over 10,000 runs, ${name}: nothing is cut off, the contrast is sufficient`, async () => {
		const other = await t.open(`#/history?${STREAM}`, options);
		await t.accessible(other, "list");
		await t.shot(other, `history-many-list-${name}`, true);
	});
await t.end();
})();
