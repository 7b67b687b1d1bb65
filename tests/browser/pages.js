/* pages.js SRCDIR FOLDER: uses each page by clicks, keys and links. Called by pages.sh. */
"use strict";
const fs = require("fs"), path = require("path");
const { start, base } = require("./browser.js");
const [srcdir, folder] = process.argv.slice(2);

(async () => {
const t = await start();
let page = await t.open("#/sets");
/* In the order in which pages.sh loads them. */
const [SPEEDSCOPE, CHROME, PROFILER, , BEFORE, AFTER, ...ODD] = (await (await page.request.get(`${base}/v1/result-sets?output=json`))
	.json()).result_sets[0].rows.map(r => r.inst_id).sort((a, b) => a - b);
const last = async selector => page.$$eval(selector, all => all.length);

await t.test("a page's policy allows only its own files", async () => {
	const policy = (await page.request.get(`${base}/`)).headers()["content-security-policy"];
	t.ok(/default-src 'none'/.test(policy) && /script-src 'self'[;]/.test(policy) && /style-src 'self'[;]/.test(policy) &&
		!/unsafe/.test(policy), `policy: ${policy}`);
	const viewer = (await page.request.get(`${base}/web/vendor/speedscope/index.html`)).headers()["content-security-policy"];
	t.ok(/default-src 'none'/.test(viewer) && /connect-src 'self' blob:/.test(viewer), `policy: ${viewer}`);
});

await t.test("files outside the pages are not served", async () => {
	for (const name of ["../configure.ac", "%2e%2e/configure.ac", "package-lock.json", "web.mk", "fetch-packages",
		"node_modules/d3/package.json", "vendor/", ".", "main.js/", "vendor%2fd3.min.js%00"]) {
		const status = (await page.request.get(`${base}/web/${name}`, { maxRedirects: 0 })).status();
		t.ok(status === 404 || status === 400, `${name}: ${status}`);
	}
});

await t.test("result sets: all are listed; the search and filters narrow the list; the link keeps the filters", async () => {
	t.is((await t.rows(page)).length, 11, "rows");
	await page.fill("input[type=search]", "5.2.2 build");
	await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
	t.ok(/Orders 5\.2\.2 \(build/.test((await t.rows(page))[0].join()), "the matching row");
	t.ok(page.url().includes("q=5.2.2"), page.url());
	await page.reload();
	await t.settled(page);
	t.is((await t.rows(page)).length, 1, "rows after a reload");
	await page.fill("input[type=search]", "no match");
	await page.waitForSelector(".state.empty");
	await t.go(page, "#/sets?caption=Orders*");
	t.is((await t.rows(page)).length, 5, "rows with the caption");
});

await t.test("result sets: facets count and filter; headings sort; both are kept in the link", async () => {
	await t.go(page, "#/sets");
	const facet = (key, value) => page.locator(`.facet button[data-facet="${key}"][data-value="${value}"]`);
	t.is(await page.textContent(".title output"), "11 result sets", "the number of all");
	const formats = await page.$$eval('.facet button[data-facet="format"]', all => all.map(e => Number(/\d+$/.exec(e.textContent)[0])));
	t.is(formats.reduce((a, b) => a + b), 11, "every result set has a format");
	await facet("format", "aqtime").click();
	await t.until(async () => (await page.textContent(".title output")) !== "11 result sets", "the filter");
	await t.settled(page);
	const rows = await t.rows(page);
	t.is(await page.textContent(".title output"), `${rows.length} result sets`, "the number of matching ones");
	t.is(await page.$$eval('.facet button[data-facet="format"]', all => all.length), formats.length, "another format can be chosen");
	t.ok(page.url().includes("format=aqtime"), page.url());
	await page.click("th button:text('Caption')");
	await t.until(async () => page.url().includes("sort=caption%3Aasc"), "the order is in the link");
	await t.settled(page);
	const captions = (await t.rows(page)).map(r => r[1]);
	t.is(captions, captions.slice().sort((a, b) => a.localeCompare(b)), "sorted by caption");
	await facet("format", "aqtime").click();
	await t.until(async () => (await page.textContent(".title output")) === "11 result sets", "a second click removes the filter");
});

await t.test("result sets: the keyboard reaches everything", async () => {
	await t.go(page, "#/sets");
	await page.reload();
	await t.settled(page);
	await page.keyboard.press("Tab");
	t.is(await page.evaluate(() => document.activeElement.id), "skip", "first");
	await page.keyboard.press("Enter");
	t.is(await page.evaluate(() => document.activeElement.id), "content", "skipped to");
	await page.focus("tbody tr a");
	await page.keyboard.press("Enter");
	await page.waitForSelector(".tabs");
	t.is(await page.evaluate(() => document.activeElement.id), "content", "the new page's content has the focus");
});
await t.go(page, "#/sets");
await t.shot(page, "result-sets");

await t.test("summary: shows figures, matching reports and panels", async () => {
	await page.click("text=Orders 5.2.2 (build 4738)");
	await page.waitForSelector(".sections table");
	await t.settled(page);
	t.is(await page.textContent("h1"), "Orders 5.2.2 (build 4738)", "title");
	t.ok((await page.textContent(".cards")).includes("142"), "objects");
	t.ok((await page.title()).includes("Summary"), await page.title());
	t.is(await last(".sections .panel"), 6, "panels");
	t.ok((await page.textContent("section[aria-labelledby=reports]")).includes("Leaks"), "leaks are among the reports");
});
await t.shot(page, "summary");

const cards = () => page.$$eval(".card", all => all.map(e => [...e.children].map(c => c.textContent).join(": ")));
await t.test("a result set of any format: kind of run, measured figures, flame graph, worst entries, changes", async () => {
	for (const [id, kind, figures, worst] of [[AFTER, "Check for leaks and errors", ["Live objects: 142", "Live size: 87.63 KiB", "Errors: 10"], 10],
		[PROFILER, "Timings of requests", ["Duration: 203.5 ms", "N+1 commands: 1", "Slowest request: Orders/List: 98.4 ms"], 2],
		[CHROME, "Trace of a browser", ["User timings: 522.7 ms", "Slowest measure: fetch orders: 212.4 ms"], 4],
		[SPEEDSCOPE, "Time profile", ["Time: 87.75 ms"], 10]]) {
		await t.go(page, `#/sets/${id}`);
		t.is(await page.textContent(".kind strong"), kind, "kind");
		t.is((await cards()).slice(0, figures.length), figures, "figures");
		await page.waitForSelector("section[aria-labelledby=small] g.frame");
		t.is((await t.rows(page, "section[aria-labelledby=worst] tbody tr")).length, worst, `worst entries of ${id}`);
	}
	await t.go(page, `#/sets/${AFTER}`);
	const changed = await page.textContent("section[aria-labelledby=changed]");
	t.ok(/Since Orders 5\.2\.1 \(build 4711\): 9 changes, \+37\.56 KiB/.test(changed), changed);
	t.ok((await page.textContent("section[aria-labelledby=worst]")).includes("All 46 rows"), "all rows are one click away");
	await t.go(page, `#/sets/${BEFORE}`);
	t.ok((await page.textContent("section[aria-labelledby=changed]")).includes("no earlier result set"), "the first one");
	t.ok(!(await cards()).some(text => /N\+1|Slowest|Spans/.test(text)), "what was not measured is not shown");
});

await t.test("a routine has a page with its callers, the routines it calls, its history and its leaks", async () => {
	await t.go(page, `#/sets/${AFTER}`);
	const stack = page.locator("section[aria-labelledby=worst] td.stack").first();
	await stack.locator("summary").click();
	await stack.locator("li a >> text=TSettings.OpenKey").click();
	await page.waitForSelector(".halves");
	await t.settled(page);
	t.is((await cards()).slice(0, 2), ["Live objects, with all that it calls: 34", "Itself: 0"], "figures");
	t.is(await t.rows(page, ".halves tbody tr"), [["TSettings.ReadWindowState", "34", "100 %"], ["RegOpenKeyExW", "34", "100 %"]], "callers, called");
	t.is(await last(".chart circle"), 2, "both builds");
	t.ok((await t.rows(page)).some(r => r[0] === "Registry" && r.includes("34")), "its leaks");
	await page.click(".halves a >> text=RegOpenKeyExW");
	await t.until(async () => (await page.textContent("h2.entry")).endsWith("RegOpenKeyExW"), "the called routine's page");
	await t.settled(page);
	t.is((await cards())[1], "Itself: 37", "all its calls");
	await page.click("text=Flame graph focused here");
	await page.waitForSelector(".d3-flame-graph g.frame");
	t.ok(page.url().includes("focus=RegOpenKeyExW"), page.url());
	await t.go(page, `#/sets/${AFTER}/entry?routine=no+such+routine`);
	t.ok((await page.textContent("main")).includes("does not show this routine"), "an unknown routine");
});

await t.test("classes, modules and commands are links to their pages", async () => {
	await t.go(page, `#/sets/${AFTER}/report/leaks`);
	await page.click("tbody a >> text=Registry");
	await page.waitForSelector("h2.entry");
	await t.settled(page);
	t.ok((await t.rows(page)).every(r => r.includes("Registry")), "the class's rows");
	t.is(await last(".chart circle"), 2, "the class in both builds");
	await page.click("tbody a >> text=Orders.exe");
	await t.until(async () => (await page.textContent("h2.entry")) === "Module Orders.exe", "the module's page");
	await t.settled(page);
	await t.go(page, `#/sets/${PROFILER}/report/commands`);
	await page.click("tbody a >> text=select name, city");
	await page.waitForSelector("h2.entry code");
	await t.settled(page);
	t.is((await t.rows(page)).filter(r => r.some(c => c.startsWith("select name, city"))).length, 2, "in duplicates and commands");
	await page.click("tbody a >> text=e3ef52e7");
	await page.waitForSelector("tr.duplicate");
});

await t.test("wide tables hide empty columns and show the stack; narrow ones become records", async () => {
	await t.go(page, `#/sets/${AFTER}/report/leaks?by=record`);
	const heads = await page.$$eval("thead th", all => all.map(e => e.textContent));
	t.ok(!heads.includes("Kind") && !heads.includes("Indirect Blocks"), `${heads}`);
	const [right, room] = await page.evaluate(() => [document.querySelector("td.stack").getBoundingClientRect().right, innerWidth]);
	t.ok(right < room, `the stack ends at ${right} of ${room}`);
	await page.setViewportSize({ width: 400, height: 900 });
	const record = await page.$$eval("tbody tr:first-child td", all => all.filter(e => e.offsetParent).map(e =>
		[e.dataset.title, getComputedStyle(e, "::before").content]));
	t.ok(record.length > 3 && record.every(([title, shown]) => shown === JSON.stringify(title)), JSON.stringify(record));
	await page.click("th button:text('Size')");
	await page.waitForSelector("th[aria-sort=descending]");
	await page.setViewportSize({ width: 1280, height: 900 });
});

await t.test("the Back button shows the previous page, scrolled to the same place", async () => {
	await page.setViewportSize({ width: 1280, height: 500 });
	await t.go(page, "#/");
	await page.click("text=All result sets");
	await page.waitForSelector(".facet");
	await t.settled(page);
	await page.click("th button:text('Caption')");
	await t.until(async () => page.url().includes("sort=caption"), "sorted");
	await t.settled(page);
	await page.evaluate(() => window.scrollTo(0, 200));
	await page.waitForTimeout(100);
	const left = page.url();
	await page.click("tbody a >> text=Orders 5.2.2 (build 4738)");
	await page.waitForSelector(".tabs");
	await t.settled(page);
	t.is(await page.evaluate(() => window.scrollY), 0, "a new page begins at its top");
	await page.click(".tabs >> text=Open in speedscope");
	await page.waitForSelector("iframe.viewer");
	await page.waitForTimeout(1500);
	await page.goBack();
	await page.waitForSelector("section[aria-labelledby=small]");
	await page.goBack();
	await page.waitForSelector(".facet");
	await t.settled(page);
	t.is(page.url(), left, "the list as it was sorted");
	t.ok(await page.evaluate(() => window.scrollY) > 100, "at the same place");
	await page.goBack();
	await page.waitForSelector(".tile");
	t.ok(page.url().endsWith("#/"), page.url());
	await page.setViewportSize({ width: 1280, height: 900 });
});

await t.go(page, `#/sets/${AFTER}`);

await t.test("report: sorts by click and key, announces the order, keeps it in the link", async () => {
	await page.click(".tabs >> text=Reports");
	await page.waitForSelector("table.grid thead button");
	await t.settled(page);
	t.is((await t.rows(page)).length, 46, "rows");
	await page.click("th button:text('Size')");
	await page.waitForSelector("th[aria-sort=descending]");
	t.ok((await t.rows(page))[0].includes("81.52 KiB"), "largest first");
	await page.focus("th[aria-sort] button");
	await page.keyboard.press("Enter");
	await page.waitForSelector("th[aria-sort=ascending]");
	t.ok(page.url().includes("sort=size%3Aasc"), page.url());
	t.is(await page.evaluate(() => document.activeElement.textContent), "Size", "focus stays");
	await page.reload();
	await page.waitForSelector("th[aria-sort=ascending]");
});

await t.test("report: stacks unfold, columns can be chosen, the server filters", async () => {
	const fold = page.locator("td details").first();
	await fold.locator("summary").focus();
	await page.keyboard.press("Enter");
	t.ok(await fold.locator("li").first().isVisible(), "frames");
	await page.click("details.menu summary");
	await page.click(".menu-box label:has-text('Module Name')");
	await page.waitForFunction(() => ![...document.querySelectorAll("th")].some(e => e.textContent === "Module Name"));
	await t.go(page, `#/sets/${AFTER}/report/leaks?class=Bitmap`);
	const classes = await t.rows(page);
	t.ok(classes.length > 1 && classes.every(r => r.includes("Bitmap")), "classes");
	t.ok((await page.inputValue("input[placeholder='TForm*']")) === "Bitmap", "the filter shows its value");
	const by = page.locator("label:text-is('By') + select");
	await by.selectOption("module");
	await t.settled(page);
	t.ok(page.url().includes("by=module"), page.url());
});

await t.test("report: rows are shown in pages, exports contain all rows", async () => {
	await t.go(page, `#/sets/${AFTER}/report/objects`);
	t.is((await t.rows(page)).length, 100, "a page");
	await page.click(".pager >> text=Next");
	await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 42);
	t.ok((await page.textContent(".pager")).includes("101–142 of 142"), "pager");
	const href = await page.getAttribute(".exports >> text=CSV", "href");
	const csv = await (await page.request.get(base + href)).text();
	t.is(csv.trim().split("\r\n").length, 143, "lines of CSV");
});

await t.test("the page of a result set links to its dossier", async () => {
	await t.go(page, `#/sets/${AFTER}`);
	const href = await page.getAttribute(".exports >> text=Dossier", "href");
	const dossier = await (await page.request.get(base + href)).text();
	t.ok(dossier.includes("<h1>Dossier</h1>") && dossier.includes('id="leaks"'), "the link leads to the dossier");
	t.is(await page.locator("li >> text=Dossier").count(), 0, "it is not in the list of reports");
});

await t.test("each report page opens for a result set that the report applies to", async () => {
	const reports = await (await page.request.get(`${base}/v1/reports`)).json();
	for (const name of new Set(reports.map(r => r.name))) {
		const id = /profil|request|command|dupl|calltypes|client/.test(name) ? PROFILER
			: /mark|measure|console|timings/.test(name) ? CHROME : AFTER;
		if (["diff", "trend", "timings-trend", "stack", "dossier"].includes(name))
			continue;
		await t.go(page, `#/sets/${id}/report/${name}`);
		t.is(await last(".state.wrong"), 0, `${name} went wrong`);
		await t.fits(page, name);
	}
});
await t.go(page, `#/sets/${AFTER}/report/leaks`);
await page.click("td details summary");
await t.shot(page, "leaks");

const frame = text => page.locator(`.d3-flame-graph g[role=treeitem][name="${text}"]`).first();
const zoomed = async name => Math.abs(await width(name) - await width("all")) < 1;
const width = async name => Number(await frame(name).locator("rect").getAttribute("width"));
await t.test("flame graph: draws, changes metrics, searches, zooms by click", async () => {
	await t.go(page, `#/sets/${AFTER}/flame`);
	await page.waitForSelector(".d3-flame-graph g.frame");
	t.ok(await last(".d3-flame-graph g.frame") > 40, "frames");
	const wide = await frame("TOrderForm.FormShow").locator("rect").getAttribute("width");
	await page.locator("label:text-is('Metric') + select").selectOption("live_size");
	await t.settled(page);
	await page.waitForFunction(w => {
		const e = document.querySelector('.d3-flame-graph g[name="TOrderForm.FormShow"] rect');
		return e && Number(e.getAttribute("width")) > 3 * Number(w);
	}, wide);
	t.ok(page.url().includes("metric=live_size"), page.url());
	await page.fill("input[type=search]", "^VirtualAlloc$");
	await page.waitForFunction(() => /^Found in \d+ calls?: /.test(document.querySelector(".detail").textContent));
	await page.fill("input[type=search]", "(");
	await page.waitForFunction(() => /Invalid regular/.test(document.querySelector(".detail").textContent));
	await frame("TOrderForm.FormShow").click();
	await t.until(() => zoomed("TOrderForm.FormShow"), "zoomed");
	await page.click("text=Zoom out");
});

await t.test("flame graph: a search shows the total of all matches, and colours can show modules", async () => {
	await t.go(page, `#/sets/${AFTER}/flame?metric=live_size&q=Form`);
	await page.waitForFunction(() => /^Found in/.test(document.querySelector(".detail")?.textContent));
	/* A match below another match is not counted again. */
	const tree = await (await page.request.get(`${base}/v1/result-sets/${AFTER}/flame?metric=live_size&format=json`)).json();
	const sum = node => /Form/.test(node.name) ? node.value : (node.children || []).reduce((n, c) => n + sum(c), 0);
	t.ok((await page.textContent(".detail")).endsWith(`KiB, ${(100 * sum(tree) / tree.value).toFixed(2)} %`), await page.textContent(".detail"));
	await page.locator("label:text-is('Colour by') + select").selectOption("module");
	await page.waitForSelector(".legend .swatch");
	await t.settled(page);
	t.ok(page.url().includes("colour=module"), page.url());
	t.ok(/Orders\.exe|kernel32\.dll/.test(await page.textContent(".legend")), await page.textContent(".legend"));
	const fills = await page.$$eval(".d3-flame-graph g.frame rect", all => new Set(all.map(e => e.getAttribute("fill"))).size);
	t.ok(fills > 2 && fills < 15, `${fills} colours`);
	await t.accessible(page, "colours of modules");
});

await t.test("flame graph: keys move between frames, each frame is announced", async () => {
	await t.go(page, `#/sets/${AFTER}/flame?metric=live_size`);
	await page.waitForSelector(".d3-flame-graph g.frame");
	await page.focus(".d3-flame-graph g[tabindex='0']");
	await page.keyboard.press("ArrowDown");
	t.ok(/^BaseThreadInitThunk: 87\.63 KiB, 100\.00 %/.test(await page.evaluate(() =>
		document.activeElement.getAttribute("aria-label"))), "the child frame's label is announced");
	t.ok((await page.textContent(".detail")).includes("BaseThreadInitThunk"), "shown");
	for (let i = 0; i < 5; i++)
		await page.keyboard.press("ArrowDown");
	await page.keyboard.press("ArrowRight");
	t.ok(/^TAttachmentForm/.test(await page.evaluate(() => document.activeElement.getAttribute("aria-label"))), "sibling");
	await page.keyboard.press("Enter");
	await t.until(() => zoomed("TAttachmentForm.ShowFolder"), "zoomed");
	await page.keyboard.press("Escape");
	await t.until(() => width("TAttachmentForm.ShowFolder").then(w => w < 400), "zoomed out");
});
await t.shot(page, "flame");

await t.test("flame graph: the table beside it has the routines' costs; each shows what is selected in the other", async () => {
	await t.go(page, `#/sets/${AFTER}/flame?metric=live_size`);
	await page.waitForSelector(".d3-flame-graph g.frame");
	const beside = await page.evaluate(() => ["g.frame", ".routines table"].map(e => document.querySelector(e).getBoundingClientRect()).map(b => [b.left, b.right]));
	t.ok(beside[0][1] < beside[1][0] && beside[1][1] < 1280, `side by side: ${beside}`);
	/* The report hot has the same figures. */
	const hot = (await (await page.request.get(`${base}/v1/result-sets/${AFTER}/reports/hot?metric=live_size`)).json()).result_sets[0].rows;
	const costs = await page.evaluate(async tree => {
		const { routinesOf } = await import("/web/frames.js");
		return routinesOf(tree).map(r => [r.name, r.self, r.total]);
	}, await (await page.request.get(`${base}/v1/result-sets/${AFTER}/flame?metric=live_size&format=json`)).json());
	const sorted = rows => rows.map(r => JSON.stringify(r)).sort();
	t.is(sorted(costs), sorted(hot.map(r => [[r.class, r.routine].filter(Boolean).join("."), r.self, r.total])), "costs");
	const marked = () => page.$$eval(".d3-flame-graph g.near", all => [...new Set(all.map(e => e.getAttribute("name")))]);
	const row = name => page.locator(".routines tbody tr").filter({ has: page.locator(`button:text-is("${name}")`) });
	await row("VirtualAlloc").hover();
	t.is(await marked(), ["VirtualAlloc"], "the routine's frames are marked");
	await frame("TOrderForm.FormShow").hover();
	t.is(await page.$$eval(".routines tr.near", all => all.map(e => e.cells[0].textContent)), ["TOrderForm.FormShow"], "the frame's routine is marked");
	await page.click(".routines th button:text('Total')");
	t.ok(page.url().includes("order=total"), page.url());
	const totals = (await t.rows(page, ".routines tbody tr")).map(r => r[2]);
	t.is(totals[0], "87.63 KiB", "the largest total");
	await row("VirtualAlloc").locator("button").focus();
	await page.keyboard.press("Enter");
	await page.waitForSelector("section[aria-label='Calls']");
	t.is(await page.$$eval(".routines tr.selected", all => all.map(e => e.cells[0].textContent)), ["VirtualAlloc"], "selected");
});

await t.test("flame graph: the selected routine has its callers above it and its calls below it", async () => {
	await t.go(page, `#/sets/${AFTER}/flame?routine=TSettings.OpenKey`);
	const part = name => page.locator(`section[aria-label='${name}'] g.frame`);
	await part("Calls").first().waitFor();
	const names = async name => part(name).evaluateAll(all => all.map(e => [e.getAttribute("name"), Math.round(e.getBoundingClientRect().top)]));
	const above = new Map(await names("Callers"));
	t.ok(above.get("TSettings.ReadWindowState") < above.get("TSettings.OpenKey"), JSON.stringify([...above]));
	t.is((await names("Calls")).map(([name]) => name), ["TSettings.OpenKey", "RegOpenKeyExW"], "calls");
	t.ok((await page.textContent(".hint >> text=with all that it calls")).startsWith("Itself 0, with all that it calls 34"), "figures");
	await t.accessible(page, "a selected routine");
	await t.shot(page, "flame-routine", true);
	await t.go(page, `#/sets/${AFTER}/flame?routine=TSettings.OpenKey&invert=1`);
	await part("Calls").first().waitFor();
	t.is(new Map(await names("Callers")).size, above.size, "the same callers, if the innermost frames come first");
});

await t.test("flame graph: the link keeps the zoom; further frames are loaded on demand", async () => {
	await t.go(page, `#/sets/${AFTER}/flame?metric=live_size`);
	await frame("TOrderForm.FormShow").click();
	await t.until(async () => /zoom=[\d.]+/.test(page.url()), "the link has the zoom");
	await page.reload();
	await page.waitForSelector(".d3-flame-graph g.frame");
	await t.until(() => zoomed("TOrderForm.FormShow"), "zoomed after a reload");
	await page.click("text=Zoom out");
	await t.until(() => !page.url().includes("zoom="), page.url());
	await t.go(page, `#/sets/${AFTER}/flame?calls=20`);
	await page.waitForSelector(".d3-flame-graph g.frame");
	const few = await last(".flame-table .d3-flame-graph g.frame");
	t.ok(few > 10 && few <= 20, `${few} frames`);
	t.ok((await page.textContent(".notes")).includes("the 20 widest frames"), await page.textContent(".notes"));
	await page.click("text=Show 80");
	await t.until(async () => await last(".flame-table .d3-flame-graph g.frame") > 40, "more frames");
	t.ok(page.url().includes("calls=80"), page.url());
	await t.go(page, `#/sets/${AFTER}/flame?metric=live_size`);
	await page.waitForSelector(".d3-flame-graph g.frame");
});

await t.test("flame graph: inverts, and shows the difference from another result set", async () => {
	await page.locator("label:text-is('Innermost frames first') + input").check();
	await t.settled(page);
	await page.waitForFunction(() => /"VirtualAlloc: /.test(JSON.stringify([...document.querySelectorAll("g[aria-level='2']")]
		.map(e => e.getAttribute("aria-label")))));
	await page.locator("label:text-is('Innermost frames first') + input").uncheck();
	await page.locator("label:text-is('Compare with') + select").selectOption(String(BEFORE));
	await t.settled(page);
	await page.waitForSelector(".differential g.frame");
	await t.until(async () => /was 50\.07 KiB, \+37\.56 KiB/.test(await frame("all").getAttribute("aria-label")),
		"the root shows the old value and the change");
	const fills = await page.$$eval(".differential g.frame rect", all => new Set(all.map(e => e.getAttribute("fill"))).size);
	t.ok(fills > 1, "colours distinguish more from less");
});
await t.shot(page, "flame-diff");

await t.test("comparison: uses the previous result set by default, groups by class, shows only new rows", async () => {
	await t.go(page, `#/sets/${AFTER}/compare`);
	t.is(await page.locator("label:text-is('With') + select").inputValue(), String(BEFORE), "compared with");
	t.is((await t.rows(page)).length, 9, "changes");
	await page.locator("label:text-is('By') + select").selectOption("class");
	await t.settled(page);
	await page.locator("label:text-is('Show') + select").selectOption("shrunk");
	await t.settled(page);
	const rows = await t.rows(page);
	t.ok(rows.length > 0 && rows.every(r => r[0] === "shrunk"), JSON.stringify(rows));
});

await t.test("comparison: the default is the newest result set of the same application and format", async () => {
	const file = fs.readFileSync(path.join(srcdir, "examples/orders-start.speedscope.json"));
	const made = [];
	for (const application of ["one", "other", "one"]) {
		const answer = await page.request.post(`${base}/v1/result-sets?again=true&name=x.speedscope.json&application=${application}`,
			{ data: file, headers: { "Content-Type": "application/octet-stream" } });
		made.push((await answer.json()).result_sets[0].inst_id);
	}
	await t.go(page, `#/sets/${made[2]}/compare`);
	t.is(await page.locator("label:text-is('With') + select").inputValue(), String(made[0]), "the result set of the same application is the default");
	await t.go(page, `#/sets/${made[1]}/compare`);
	t.is(await page.locator("label:text-is('With') + select").inputValue(), String(made[0]), "otherwise the result set of the same format is the default");
	for (const id of made)
		t.is((await page.request.delete(`${base}/v1/result-sets/${id}`)).status() < 300, true, "deleted");
});

await t.test("comparison: self values have the metric's unit", async () => {
	await t.go(page, `#/sets/${CHROME}/compare?base=${SPEEDSCOPE}`);
	t.ok((await t.rows(page)).every(r => r.some(c => / (ns|µs|ms|s)$/.test(c))), JSON.stringify((await t.rows(page))[0]));
});
await t.go(page, `#/sets/${AFTER}/compare?base=${BEFORE}`);
await t.shot(page, "compare");

await t.test("trends: each result set that measured the metric has one point, which links to the result set", async () => {
	await t.go(page, "#/trend?metric=live_size");
	await page.waitForSelector(".chart circle");
	t.is(await last(".chart circle"), 3, "points");
	await page.fill("label:text-is('Last') + input", "2");
	await page.waitForFunction(() => document.querySelectorAll(".chart circle").length === 2);
	await t.go(page, "#/trend?metric=live_size&caption=Orders*build*");
	t.is((await t.rows(page)).length, 2, "rows");
	await t.shot(page, "trend");
	await page.getByLabel("Caption", { exact: true }).fill("Orders * (build *)");
	await page.waitForURL(/caption=Orders\+\*\+%28build\+\*%29/);
	const routine = page.getByLabel("Routine", { exact: true });
	await routine.fill('"no such routine" *');
	await page.waitForURL(/routine=no\+such\+routine&routine=\*/);
	await page.reload();
	t.is(await routine.inputValue(), '"no such routine" *', "quotes keep a filter with blanks together");
	await page.waitForSelector(".series svg");
	t.is((await t.rows(page)).length, 2, "rows");
	await page.focus(".chart a");
	await page.keyboard.press("Enter");
	await page.waitForSelector(".tabs");
	t.ok(page.url().endsWith(`#/sets/${BEFORE}`), page.url());
});

await t.test("profile: shows steps as a tree and calls as a waterfall, marks duplicates", async () => {
	await t.go(page, `#/sets/${PROFILER}/profile?track=1`);
	const rows = await t.rows(page, ".waterfall tbody tr");
	t.ok(rows[0][0].startsWith("Orders/List") && rows[2][0].startsWith("Customers"), "tree");
	t.is(await last("tr.duplicate"), 7, "duplicates");
	t.ok((await page.textContent(".notes")).includes("8 ×"), "shown above");
	const left = await page.$$eval("tr.call .bar", all => all.map(e => parseFloat(e.style.getPropertyValue("--left"))));
	t.ok(left.every((x, i) => i === 0 || x > left[i - 1]), `bars: ${left}`);
	await page.locator("label:text-is('Profile') + select").selectOption("3");
	await t.settled(page);
	t.ok((await t.rows(page, ".waterfall tbody tr"))[0][0].startsWith("Orders/Save"), "another one");
});

await t.test("profile: the timeline has a track per kind of call, which can be collapsed, and the table's origin", async () => {
	await t.go(page, `#/sets/${PROFILER}/profile?track=1`);
	const seen = () => page.$eval(".timeline", e => [e.dataset.from, e.dataset.to, e.dataset.end].map(Number));
	const [from, , end] = await seen();
	t.is(from, 0, "origin");
	const rows = await page.$$eval("[aria-label='Steps and calls'] tbody tr", all => all.map(r => [r.cells[1].textContent, r.cells[2].textContent].map(x => parseFloat(x) || 0)));
	t.ok(Math.abs(end / 1000 - Math.max(...rows.map(([start, duration]) => start + duration))) < 1, `${end}`);
	const toggles = page.locator(".timeline button");
	t.ok((await toggles.allTextContents()).includes("Steps"), "tracks");
	const height = async () => (await page.locator("canvas.tracks").boundingBox()).height;
	const whole = await height();
	await toggles.first().focus();
	await page.keyboard.press("Enter");
	await t.until(async () => await height() < whole, "collapsed");
	t.is(await toggles.first().getAttribute("aria-expanded"), "false", "state");
	const box = await page.locator("canvas.tracks").boundingBox();
	await page.mouse.click(box.x + 20, box.y + 10);
	await t.until(async () => await height() === whole, "a click on the title expands the track");
	await page.mouse.move(box.x + 4, box.y + 30);
	await t.until(async () => /^Orders\/List: starts at 0 ms, 98\.4 ms long/.test(await page.textContent(".detail")), await page.textContent(".detail"));
	await page.mouse.wheel(0, -300);
	await t.until(async () => (await seen())[1] < end, "the wheel");
	await t.until(() => page.url().includes("view="), "the link has the view");
});
await t.go(page, `#/sets/${PROFILER}/profile?track=1`);
await t.shot(page, "profile");

await t.test("user timings: the timeline has round ticks; the wheel, the mouse and keys zoom it and move it", async () => {
	await t.go(page, `#/sets/${CHROME}/timings`);
	const view = () => page.$eval(".timeline", e => [e.dataset.from, e.dataset.to].map(Number));
	const changed = async (old, what) => {
		await t.until(async () => JSON.stringify(await view()) !== JSON.stringify(old), what);
		return view();
	};
	t.is(await page.$eval(".timeline", e => e.dataset.timings), "14", "timings");
	const all = await view();
	t.is((await t.rows(page))[0].slice(1, 3), ["navigationStart", "0 µs"], "times in the list have the same origin as the picture");
	const ticks = await page.evaluate(async () => {
		const { tickStep, tickText } = await import("/web/timeline.js");
		return [[5.4e5, 1200], [1, 900], [2.9e10, 400]].map(([span, width]) => tickStep(span, width)).concat(
			tickText(402010, 10, 402300), tickText(402020, 10, 402300), tickText(0, 10, 402300));
	});
	t.is(ticks, [50000, 0.2, 1e10, "402.01 ms", "402.02 ms", "0"], "ticks");
	const box = await page.locator("canvas.tracks").boundingBox();
	await page.mouse.move(box.x + box.width / 4, box.y + 60);
	await page.mouse.wheel(0, -400);
	const zoomed = await changed(all, "the wheel");
	t.ok(zoomed[1] - zoomed[0] < 0.6 * (all[1] - all[0]) && zoomed[0] < all[1] / 4 && zoomed[1] > all[1] / 4, `around the mouse: ${zoomed}`);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width / 4 - 100, box.y + 60, { steps: 4 });
	await page.mouse.up();
	const moved = await changed(zoomed, "dragging");
	t.ok(moved[0] > zoomed[0] && Math.abs(moved[1] - moved[0] - zoomed[1] + zoomed[0]) < 1, `moved: ${moved}`);
	const linked = () => (new URLSearchParams(page.url().split("?").pop()).get("view") || "").split("-").map(Number);
	await t.until(() => linked().length === 2 && linked().every((v, i) => Math.abs(v - moved[i]) < 1), "the link has the view");
	await page.reload();
	await t.settled(page);
	await t.until(async () => (await view()).every((v, i) => Math.abs(v - moved[i]) < 1), "the view after a reload");
	await page.focus("canvas.tracks");
	await page.keyboard.press("Home");
	await t.until(async () => JSON.stringify(await view()) === JSON.stringify(all), "Home shows everything");
	await page.click("text=Zoom in");
	await changed(all, "the button");
	const overview = await page.locator("canvas.overview").boundingBox();
	await page.mouse.click(overview.x + overview.width - 2, overview.y + 10);
	await t.until(async () => (await view())[1] === all[1], "the overview moves to the end");
	await page.focus("canvas.tracks");
	await page.keyboard.press("Home");
	await page.keyboard.down("Shift");
	await page.mouse.move(box.x + 1, box.y + 100);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width - 1, box.y + 100, { steps: 3 });
	await page.mouse.up();
	await page.keyboard.up("Shift");
	t.ok(/^Selected .* ms: 12 timings, 671 ms in total$/.test(await page.textContent(".detail")), await page.textContent(".detail"));
	await page.fill("input[type=search]", "fetch customer");
	await page.waitForFunction(() => document.querySelector(".timeline")?.dataset.timings === "3");
	const first = await page.locator("canvas.tracks").boundingBox();
	await page.focus("canvas.tracks");
	await page.keyboard.press("Home");
	await page.mouse.move(first.x + 10, first.y + 30);
	await t.until(async () => /^fetch customer: 0 µs after the first, 96\.5 ms long/.test(await page.textContent(".detail")), "the timing below the mouse");
});
await t.go(page, `#/sets/${CHROME}/timings`);
await t.shot(page, "timings");

await t.test("events: offers columns, conditions, sums and a flame graph", async () => {
	await t.go(page, "#/events");
	t.is((await t.rows(page)).length, 16, "events");
	await page.click("text=Add a condition");
	await page.selectOption("select[aria-label=Column]", "process");
	await page.selectOption("select[aria-label=Operator]", "contains");
	await page.fill("input[aria-label=Value]", "POSTG");
	await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 6);
	t.ok((await t.rows(page)).every(r => r.includes("postgres")), "process");
	await page.click(".checks label:has-text('Pid')");
	await page.waitForFunction(() => ![...document.querySelectorAll("th")].some(e => /Pid/.test(e.textContent)));
	await page.reload();
	await t.settled(page);
	t.is((await t.rows(page)).length, 6, "rows after a reload");
	await page.locator("label:text-is('Show') + select").selectOption("flame");
	await page.waitForSelector(".d3-flame-graph g.frame");
	t.is(await page.locator('g[name="schedule"]').count() > 0, true, "the innermost frame has its name");
	await t.go(page, "#/events?view=groups&by=process");
	t.is((await t.rows(page))[0].slice(0, 2), ["postgres", "6"], "the longest event comes first");
});
await t.test("events: the offered values match the text that was typed last", async () => {
	const offered = () => page.$$eval("datalist option", all => all.map(o => o.value));
	let late = 0;
	await t.go(page, "#/events");
	await page.click("text=Add a condition");
	await page.selectOption("select[aria-label=Column]", "process");
	/* Makes the first answer arrive after the second. */
	await page.route("**/values/process**", async r => {
		const typed = /contains=postg/.test(r.request().url());
		if (!typed)
			await new Promise(done => setTimeout(done, 1500));
		await r.continue();
		late += !typed;
	});
	await Promise.all([page.waitForRequest(/values\/process\?.*contains=o&/),
		page.fill("input[aria-label=Value]", "o")]);
	await page.fill("input[aria-label=Value]", "postg");
	await t.until(async () => (await offered()).length === 1, "one value");
	await t.until(() => late > 0, "the late answer");
	await page.waitForTimeout(300);
	t.is(await offered(), ["postgres"], "still");
	await page.unroute("**/values/process**");
});
await t.go(page, "#/events?view=flame");
await page.waitForSelector(".d3-flame-graph g.frame");
await page.waitForTimeout(300);
await t.shot(page, "events");

await t.test("speedscope's viewer, served by this server, shows one metric of one track", async () => {
	const asked = [];
	page.on("request", r => /\/export\//.test(r.url()) && asked.push(new URL(r.url()).search));
	await t.go(page, `#/sets/${SPEEDSCOPE}/speedscope`);
	t.is(asked, ["?metric=milliseconds&track=1"], "the first metric");
	await page.locator("label:text-is('Metric') + select").selectOption("milliseconds_calls");
	await t.until(async () => await page.locator("label:has-text('Track') + select").inputValue() === "2", "the metric's first track");
	t.ok(page.url().endsWith("?metric=milliseconds_calls"), page.url());
	await page.locator("label:has-text('Track') + select").selectOption("1");
	await page.waitForSelector(".state.empty");
	await page.locator("label:has-text('Track') + select").selectOption("2");
	const viewer = page.frameLocator("iframe.viewer");
	await viewer.locator("canvas").first().waitFor({ timeout: 30000 });
	await page.waitForTimeout(500);
	t.ok(!(await viewer.locator("body").textContent()).includes("Something went wrong"), "the viewer shows an error");
});
await t.shot(page, "speedscope");

await t.test("an upload shows its progress; a loaded file is listed, and a rejected file is listed with a reason", async () => {
	await t.go(page, "#/sets");
	await page.setInputFiles("#files", [path.join(srcdir, "tests/golden/inputs/speedscope-evented.speedscope.json")]);
	await page.click(".upload button.main");
	await page.waitForSelector(".upload li a");
	await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 12);
	await page.click(".upload >> text=Close");
	await page.setInputFiles("#files", [path.join(srcdir, "tests/golden/inputs/speedscope-evented.speedscope.json")]);
	await page.click(".upload button.main");
	await page.waitForSelector(".upload li:has-text('already in the depot')");
	await page.click(".upload >> text=Close");
});

await t.test("names that look like markup are shown as text on every page", async () => {
	const seen = [];
	for (const hash of ["#/", "#/sets", "#/history", "#/events", "#/events?view=flame", "#/events?view=groups&by=hostname,process", "#/trend?metric=live_size",
		...ODD.flatMap(id => [`#/sets/${id}`, `#/sets/${id}/flame`, `#/sets/${id}/compare?base=${AFTER}`,
			`#/sets/${id}/report/tree`, `#/sets/${id}/report/hot`, `#/sets/${id}/report/issues`]),
		`#/sets/${ODD[1]}/report/leaks`, `#/sets/${ODD[1]}/report/leaks?by=record`, `#/sets/${ODD[2]}/timings`,
		`#/sets/${ODD[2]}/report/measures?by=each`, `#/sets/${ODD[3]}/profile`, `#/sets/${ODD[3]}/report/commands`,
		`#/sets/${ODD[3]}/report/profiles`]) {
		await t.go(page, hash);
		await page.waitForTimeout(100);
		t.is(await page.$$eval("img, main script, svg[onload], [onerror], main b", all => all.length), 0, `elements on ${hash}`);
		if (/<img|<script|<svg/.test(await page.evaluate(() => document.body.textContent)))
			seen.push(hash);
	}
	t.ok(seen.length > 20, `shown as text on ${seen.length} pages: ${seen}`);
});

await t.test("if a page, a result set or the server is missing, a message shows the next step", async () => {
	const other = await t.open("#/sets/99999", { trouble: true });
	t.ok(/99999/.test(await other.textContent("[role=alert]")), "result set");
	await t.go(other, "#/nowhere/at/all");
	t.ok((await other.textContent("main")).includes("no such page"), "page");
	await t.go(other, `#/sets/${AFTER}/report/nothing`);
	t.ok((await other.textContent("[role=alert]")).includes("no report nothing"), "report");
	await other.route("**/v1/**", r => r.abort());
	await t.go(other, "#/trend");
	t.ok((await other.textContent("[role=alert]")).includes("is not responding"), "server");
	await other.unroute("**/v1/**");
	await other.click("text=Try again");
	await other.waitForSelector(".chart circle");
	const plain = await t.browser.newContext({ javaScriptEnabled: false });
	const p = await plain.newPage();
	await p.goto(`${base}/`);
	t.ok((await p.textContent("main")).includes("need JavaScript"), "a browser without JavaScript shows that the pages need it");
});

await t.end();
})();
