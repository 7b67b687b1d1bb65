/* Uses the page of a call tree. Called by tree.sh. */
"use strict";
const { start } = require("../browser.js");

(async () => {
const t = await start();
let page = await t.open("#/sets");
const SMALL = 1, MANY = 2, TREE = `#/sets/${SMALL}/report/tree`;

/* The calls that are visible, each with one dot per level. */
const calls = () => page.$$eval("main tbody tr", all => all.map(r => "·".repeat(Number(/ level (\d+)$/.exec(r.cells[0].textContent)[1])) +
	r.querySelector(".node a, .node").textContent.replace(/( with smaller calls)? level \d+$/, "")));
const toggle = name => page.locator(`button.toggle[aria-label="Calls of ${name}"]`);
const expanded = name => toggle(name).getAttribute("aria-expanded");
const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
const press = async (key, ...expected) => {
	await page.keyboard.press(key);
	t.is([await focused(), await page.evaluate(() => document.activeElement.getAttribute("aria-expanded"))], expected, `after ${key}`);
};
const HEAVIEST = ["all", "·Orders", "··TMainForm.Create", "···TDatabase.Connect", "····sqlite3_step", "···TOrderGrid.LoadColumns",
	"···TSettings.Load", "··TApplication.Run"];

await t.test("a call tree begins with the heaviest path expanded, and its figures are next to the call", async () => {
	await t.go(page, TREE);
	t.is(await calls(), HEAVIEST, "calls");
	t.is(await page.$$eval("main th", all => all.map(e => e.textContent)), ["Call", "Total", "Share", "Self", "Self share", "File"], "columns");
	t.is((await t.rows(page))[2].slice(1), ["51.5 ms", "58.69 %", "0 ms", "0 %", "src/ui/MainForm.pas:88"], "figures");
	t.is(await page.$$eval("button.toggle", all => all.length), 7, "calls with calls below them");
});

await t.test("a click or a key expands and collapses a call", async () => {
	await toggle("TMainForm.Create").click();
	t.is(await calls(), HEAVIEST.filter(c => !c.startsWith("···")), "collapsed");
	t.is(await focused(), "Calls of TMainForm.Create", "the button keeps the focus");
	await press("ArrowRight", "Calls of TMainForm.Create", "true");
	t.is(await calls(), HEAVIEST, "the calls below are as before");
	await press("ArrowRight", "Calls of TDatabase.Connect", "true");
	await press("ArrowLeft", "Calls of TDatabase.Connect", "false");
	await press("ArrowLeft", "Calls of TMainForm.Create", "true");
	await press("ArrowDown", "Calls of TDatabase.Connect", "false");
	await press("Enter", "Calls of TDatabase.Connect", "true");
	await press("ArrowUp", "Calls of TMainForm.Create", "true");
	t.is(await calls(), HEAVIEST, "at the end");
});

await t.test("all levels can be expanded and collapsed", async () => {
	await page.click("text=Expand all");
	t.is((await calls()).length, 14, "all calls");
	await page.click("text=Collapse all");
	t.is(await calls(), ["all"], "the outermost call");
	await page.click("text=Expand the heaviest path");
	t.is(await calls(), HEAVIEST, "as at first");
});

await t.test("sorting, Reload and Back keep the expanded calls", async () => {
	await toggle("TOrderGrid.LoadColumns").click();
	await page.click("th button:text-is('Self')");
	await t.until(async () => (await calls())[1] === "·Orders" && (await calls())[2] === "··TApplication.Run", "the order");
	const sorted = ["all", "·Orders", "··TApplication.Run", "··TMainForm.Create", "···TDatabase.Connect", "····sqlite3_step",
		"···TOrderGrid.LoadColumns", "····TQuery.Open", "···TSettings.Load"];
	t.is(await calls(), sorted, "each call follows its caller");
	await page.reload();
	await t.settled(page);
	t.is(await calls(), sorted, "after Reload");
	await page.click(".node a >> text=TSettings.Load");
	await page.waitForSelector("h2.entry");
	await t.settled(page);
	await page.goBack();
	await t.settled(page);
	t.is(await calls(), sorted, "after Back");
	await t.go(page, `${TREE}?min_share=20`);
	t.is((await calls()).slice(0, 4), HEAVIEST.slice(0, 4), "another tree begins with its heaviest path");
});

await t.test("a search shows the matching calls and their callers", async () => {
	await t.go(page, `${TREE}?q=DrawCell`);
	t.is(await calls(), ["all", "·Orders", "··TApplication.Run", "···TOrderGrid.Paint", "····TOrderGrid.DrawCell"], "calls");
	t.ok((await page.textContent(".sum")).endsWith("; 1 of them contain “DrawCell”"), await page.textContent(".sum"));
	await toggle("TApplication.Run").click();
	t.is(await expanded("TApplication.Run"), "false", "a call can be collapsed");
	await page.click("text=Expand the matches");
	t.is((await calls()).length, 5, "all of them again");
});

await t.test("callers are a tree, too; hidden columns can be selected", async () => {
	await t.go(page, `#/sets/${SMALL}/report/callers`);
	t.is(await page.$$eval("button.toggle", all => all.slice(0, 2).map(e => e.getAttribute("aria-label"))), ["Callers of all", "Callers of sqlite3_step"], "buttons");
	await page.click("details.menu summary");
	await page.click(".menu-box >> text=Level");
	await t.until(async () => (await page.$$eval("main th", all => all.map(e => e.textContent))).includes("Level"), "the column");
});

await t.test("a tree of 10,000 calls is usable", async () => {
	await t.go(page, `#/sets/${MANY}/report/tree?min_share=0`);
	t.ok((await page.textContent(".sum")).startsWith("10,001 rows"), await page.textContent(".sum"));
	t.ok((await calls()).length < 50, "only the heaviest path is expanded");
	const took = await page.evaluate(async () => {
		const begin = performance.now(), press = text => [...document.querySelectorAll("button")].find(b => b.textContent === text).click();
		press("Expand all");
		document.querySelector("button.toggle").focus();
		document.querySelector("main tbody").getBoundingClientRect();
		return performance.now() - begin;
	});
	t.ok((await page.textContent(".pager span")) === "1–500 of 10,001", await page.textContent(".pager span"));
	t.ok(took < 2000, `${Math.round(took)} ms`);
	await page.click(".pager >> text=Next");
	t.ok((await page.textContent(".pager span")) === "501–1,000 of 10,001", await page.textContent(".pager span"));
	await page.click("text=Collapse all");
	t.is(await calls(), ["all"], "all are collapsed");
});

await t.test("figures are visible in a window of 1280 pixels; narrow windows show records", async () => {
	for (const [width, dark] of [[1280, false], [400, true], [400, false], [1280, true]]) {
		page = await t.open("#/sets", { width, dark });
		for (const hash of [TREE, `#/sets/${MANY}/report/tree`, `#/sets/${SMALL}/report/callers`]) {
			await t.go(page, hash);
			await t.accessible(page, `${hash}, ${width} pixels`);
			t.is(await page.$eval(".scroll", e => e.scrollWidth - e.clientWidth), 0, `hidden pixels of ${hash}`);
			t.is(await page.$eval("main td", e => getComputedStyle(e).display), width === 400 ? "block" : "table-cell", "cells");
		}
		await t.go(page, TREE);
		await t.shot(page, `tree-${width}${dark ? "-dark" : ""}`, true);
		await toggle("TMainForm.Create").click();
		t.is(await expanded("TMainForm.Create"), "false", "a call is collapsed");
		await page.context().close();
	}
});
await t.end();
})();
