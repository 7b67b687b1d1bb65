/* Follows the links of stacks, classes, measures, requests and commands. Called by links.sh. */
"use strict";
const { start } = require("../browser.js");

/* In the order in which links.sh loads them. */
const AFTER = 2, TRACE = 3, REQUESTS = 4, TWINS = 6, MASSIF = 8;

(async () => {
const t = await start();
const page = await t.open("#/sets", { trouble: true });
const texts = selector => page.$$eval(selector, all => all.map(e => e.textContent.replace(/\s+/g, " ").trim()));
const titles = () => page.$$eval(".chart circle", all => all.map(c => c.closest("a, g")?.textContent || c.textContent));
const selected = () => page.$$eval(".d3-flame-graph g.frame", all => all.filter(g => !g.classList.contains("hide")).map(g => g.querySelector("title, .d3-flame-graph-label").textContent));

await t.test("open result sets show what they contain so far, in the list and on the home page", async () => {
	await page.waitForSelector("td >> text=2 samples so far");
	await t.go(page, "#/");
	await page.waitForSelector("td >> text=2 samples so far");
});

await t.test("values of gauges and their times have units", async () => {
	await t.go(page, `#/sets/${MASSIF}/report/gauges?by=time`);
	await page.waitForSelector(".grid td");
	t.is(await texts(".grid th[scope=col]"), ["Metric", "Time", "Value"], "columns");
	t.is((await t.rows(page))[1], ["mem_heap", "100 instructions", "500 B"], "a row");
	await t.go(page, `#/sets/${MASSIF}`);
	await page.waitForSelector(".series circle");
	t.ok((await page.$$eval(".series title", all => all.map(e => e.textContent))).includes("at 100 instructions: 500 B"), "a point");
});

await t.test("the classes and modules of the summary are links", async () => {
	await t.go(page, `#/sets/${AFTER}`);
	const panel = page.locator("section.panel", { has: page.locator("h3:text-is('Most existing instances')") });
	await panel.locator("td a >> text=Registry").first().click();
	await t.until(async () => page.url().includes("/entry?class=Registry"), "the class");
	await page.goBack();
	const module = panel.locator("td a[href*='module=']").first();
	const name = await module.textContent();
	await module.click();
	await t.until(async () => page.url().includes(`/entry?module=${name}`), "the module");
});

await t.test("a chart of gauges has a scale of time", async () => {
	await t.go(page, `#/sets/${MASSIF}`);
	await page.waitForSelector(".series circle");
	const below = await texts(".series .chart .name");
	t.ok(below.includes("time in instructions") && below.length > 4, `${below}`);
	const xs = await page.$$eval(".series:first-child .chart circle", all => all.map(c => Number(c.getAttribute("cx"))));
	const gaps = xs.slice(1).map((x, i) => x - xs[i]);
	t.ok(Math.max(...gaps) > Math.min(...gaps) + 1, `distances ${gaps}`);
});

await t.test("steps and commands of a request are links", async () => {
	await t.go(page, `#/sets/${REQUESTS}/profile`);
	const names = await texts(".waterfall tr.step th a"), commands = await texts(".waterfall tr.call th a");
	t.ok(names.length > 0 && commands.length > 0, `${names} ${commands}`);
	await page.click(".waterfall tr.step th a >> nth=0");
	await page.waitForSelector("h2.entry");
	t.is(await page.textContent("h2.entry"), `Routine ${names[0]}`, "the step's page");
	await page.waitForSelector(".cards dt");
	await page.goBack();
	await page.click(".waterfall tr.call th > a >> nth=0");
	await page.waitForSelector("h2.entry");
	t.is(await page.textContent("h2.entry"), `Command ${commands[0]}`, "the command's page");
	await t.accessible(page, "the page of a command");
});

await t.test("what changed: routines, classes and stacks are links", async () => {
	await t.go(page, `#/sets/${AFTER}`);
	await page.waitForSelector(".changes li a");
	const links = await page.$$eval(".changes a", all => all.map(a => a.getAttribute("href")));
	for (const kind of ["entry?routine=", "entry?class=", "flame?frame="])
		t.ok(links.some(l => l.includes(kind)), `${kind} in ${links}`);
	await page.click(".changes a >> text=stack >> nth=0");
	await page.waitForSelector(".d3-flame-graph g.frame");
});

await t.test("a result set with only gauges shows their highest values", async () => {
	await t.go(page, "#/sets/label:kind=gauges");
	await page.waitForSelector(".cards dt");
	t.ok((await texts(".cards dt")).some(e => e.startsWith("Highest ")), (await texts(".cards dt")).join());
});

await t.test("the items of the summary begin with capital letters", async () => {
	await t.go(page, "#/sets/label:kind=heap");
	const heap = page.locator("section.panel", { has: page.locator("h3:text-is('Heap')") });
	await heap.locator("tbody tr").first().waitFor();
	t.is((await heap.locator("tbody tr > :first-child").allTextContents())[0], "Allocated", "the first item");
});

await t.test("a stack is a link to the flame graph, zoomed to its innermost frame", async () => {
	await t.go(page, `#/sets/${AFTER}/report/leaks?class=Registry`);
	await page.click("td details summary >> nth=0");
	const stack = (await texts("td .frames .fn")).slice(0, 9);
	await page.click("text=Flame graph of this stack");
	await page.waitForSelector(".d3-flame-graph g.frame");
	await t.settled(page);
	const frames = await selected();
	for (const name of stack)
		t.ok(frames.some(f => f.startsWith(name)), `${name} in ${frames}`);
	const wide = await page.$$eval(".d3-flame-graph g.frame", all => all.map(g => g.querySelector("rect").getBoundingClientRect().width));
	t.ok(wide.length <= stack.length + 2 && wide.every(w => w > 0.9 * Math.max(...wide)), `widths ${wide}`);
	await page.click("text=Zoom out");
	await t.until(async () => !page.url().includes("frame="), "the zoom is no longer in the link");
	await t.accessible(page, "the flame graph of a stack");
});

await t.test("an error's stack leads to the flame graph of errors", async () => {
	await t.go(page, `#/sets/${AFTER}/report/errors`);
	await page.click("td details summary >> nth=0");
	await page.click("td >> text=Flame graph of this stack >> nth=0");
	await page.waitForSelector(".d3-flame-graph g.frame");
	t.ok(page.url().includes("metric=errors"), page.url());
});

await t.test("a routine's page has its source line and module", async () => {
	await t.go(page, `#/sets/${AFTER}/entry?routine=TSettings.OpenKey`);
	await page.waitForSelector("text=Source src\\core\\Settings.pas:73");
	await page.click(".kind a");
	await t.settled(page);
	t.ok(page.url().includes("module=Orders.exe"), page.url());
});

await t.test("the history of a routine does not contain routines of other classes", async () => {
	await t.go(page, `#/sets/${TWINS}/entry?routine=A.f&short=f`);
	await page.waitForSelector(".chart circle");
	const all = (await titles()).join(" ");
	t.ok(/\b10\b/.test(all) && /\b20\b/.test(all) && !/510|920|500|900/.test(all), all);
});

await t.test("a class has a flame graph of the places that allocated its objects", async () => {
	await t.go(page, `#/sets/${AFTER}/entry?class=Bitmap`);
	await page.waitForSelector("#allocated");
	await page.waitForSelector(".d3-flame-graph g.frame");
	t.ok((await selected()).some(f => f.startsWith("CreateDIBSection")), "its allocating routine");
	await t.accessible(page, "the page of a class");
	await t.shot(page, "entry-class", true);
});

await t.test("measures, requests and commands are links to pages with their rows and history", async () => {
	await t.go(page, `#/sets/${TRACE}/report/measures?by=name`);
	await page.click("td a >> text=fetch customer");
	await t.settled(page);
	t.is((await texts("h2"))[0], "Measure fetch customer", "the measure's page");
	t.is((await t.rows(page)).length, 3, "its measurements");
	await t.accessible(page, "the page of a measure");
	await page.click("text=On the timeline");
	await page.waitForSelector("input[type=search]");
	t.is(await page.inputValue("input[type=search]"), "fetch customer", "the search on the timeline");
	await t.go(page, `#/sets/${REQUESTS}/report/requests`);
	await page.click("td a >> text=Orders/List");
	await t.settled(page);
	t.is((await texts("h2")).slice(0, 3), ["Request Orders/List", "Requests", "Profiles"], "the request's page");
	await page.waitForSelector(".chart circle");
	t.is((await page.$$(".chart circle")).length, 2, "its history");
	await t.accessible(page, "the page of a request");
	await page.click("text=Flame graph focused here");
	await page.waitForSelector(".d3-flame-graph g.frame");
	await t.go(page, `#/sets/${REQUESTS}/report/commands`);
	const asked = [], note = r => /\/reports\/commands\?/.test(r.url()) && asked.push(new URL(r.url()).searchParams);
	page.on("request", note);
	await page.click("td[data-title=Command] a >> nth=0");
	await page.waitForSelector(".chart circle");
	t.is((await page.$$(".chart circle")).length, 2, "the history of a command");
	await t.settled(page);
	page.off("request", note);
	t.is(asked.map(q => q.getAll("set").length).sort(), [0, 2], "one request for its rows, and one for its history");
	t.is(new Set(asked.map(q => q.get("command"))).size, 1, "both have a filter");
	await page.click("text=Flame graph of all requests");
	await page.waitForSelector(".d3-flame-graph g.frame");
});

await t.test("a flame graph has colours by module and by package, if the frames have them", async () => {
	const offered = async () => (await page.getByLabel("Colour by").locator("option").allTextContents());
	await t.go(page, `#/sets/${AFTER}/flame`);
	await page.waitForSelector(".d3-flame-graph g.frame");
	t.is(await offered(), ["routine", "module", "package or class"], "choices");
	const legend = async value => {
		await page.getByLabel("Colour by").selectOption(value);
		await page.waitForSelector(".legend .item");
		await t.settled(page);
		return texts(".legend .item");
	};
	const modules = await legend("module"), packages = await legend("package");
	t.ok(modules.some(m => m.startsWith("advapi32.dll")) && !modules.some(m => m.startsWith("TSettings")), `${modules}`);
	t.ok(packages.some(p => p.startsWith("TOrderForm") || p.startsWith("no package")) && !packages.some(p => p.startsWith("advapi32")), `${packages}`);
	t.ok(page.url().includes("colour=package"), page.url());
	await t.accessible(page, "colours by package");
	await t.go(page, `#/sets/${TWINS}/flame`);
	await page.waitForSelector(".d3-flame-graph g.frame");
	t.is(await offered(), ["routine", "package or class"], "choices without modules");
	await t.go(page, `#/sets/${TWINS}/flame?colour=constructor`);
	await page.waitForSelector(".d3-flame-graph g.frame");
});
await t.end();
})();
