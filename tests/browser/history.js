/* history.js: uses the pages about the history of findings. Called by history.sh. */
"use strict";
const { start, base } = require("./browser.js");

const SHOP = "#/history?stream=Shop+branch%3Dmain";

(async () => {
const t = await start();

const page = await t.open("#/", { token: "pd_reviewer", trouble: true });
const names = async () => (await t.rows(page, ".results tbody tr")).map(r => /^\w+?(?=leak|access)/.exec(r[0])[0]);
const facet = (key, value) => page.locator(`.facet button[data-facet="${key}"][data-value="${value}"]`);

await t.test("history: the menu opens the stream of the newest run; its findings have states and trends", async () => {
	await page.click("nav >> text=History");
	await page.waitForSelector(".facet");
	await t.settled(page);
	t.is(await page.$eval("select", e => e.value), "Shop branch=main", "stream");
	t.is(await names(), ["draw", "save", "load_orders"], "the worst first");
	t.is((await t.rows(page))[0][1], "came back", "state");
	t.is(await page.$$eval(".spark", all => all[0].getAttribute("aria-label")),
		"Counts, oldest first: 1, 0, not looked for, 2", "the picture has words");
	t.ok((await page.textContent(".title output")).includes("3 findings, and 1 gone"), "the number of findings");
});

await t.test("history: facets filter, count, combine, and are kept in the link", async () => {
	t.is(await page.$$eval(".facet legend", all => all.map(e => e.textContent)), ["State", "Kind", "Owner"], "facets");
	t.is(await facet("owner", "@team").textContent(), "@team 2", "owner");
	await facet("state", "gone").click();
	t.is(await names(), ["parse"], "gone findings");
	t.is(await page.evaluate(() => document.activeElement.dataset.value), "gone", "the focus stays");
	await facet("state", "new").focus();
	await page.keyboard.press("Enter");
	t.is((await names()).sort(), ["parse", "save"], "two states");
	t.is(await facet("kind", "leak").textContent(), "leak 1", "kinds are counted within the states");
	await facet("kind", "leak").click();
	t.is(await names(), ["save"], "state and kind");
	await page.reload();
	await t.settled(page);
	t.is(await names(), ["save"], "after a reload");
	t.is(await facet("kind", "leak").getAttribute("aria-pressed"), "true", "pressed");
});

await t.test("history: the search covers all columns; a click on a heading sorts", async () => {
	await t.go(page, SHOP);
	await page.fill("input[type=search]", "load direct");
	await page.waitForFunction(() => document.querySelectorAll(".results tbody tr").length === 1);
	await page.fill("input[type=search]", "no match");
	await page.waitForSelector(".results .state.empty");
	await page.fill("input[type=search]", "");
	await page.waitForFunction(() => document.querySelectorAll(".results tbody tr").length === 3);
	await page.click("th button:text('Count')");
	t.is(await names(), ["load_orders", "draw", "save"], "sorted");
});

await t.test("history: another stream can be selected; many findings are shown in pages", async () => {
	await page.selectOption("select", "Many");
	await t.until(async () => (await page.textContent(".title output")).includes("121 findings"), "the other stream");
	await t.settled(page);
	t.is((await t.rows(page, ".results tbody tr")).length, 100, "a page");
	t.ok((await page.textContent(".results tbody tr")).includes("<b>bold</b>"), "markup is shown as text");
	await page.click(".pager >> text=Next");
	t.is((await t.rows(page, ".results tbody tr")).length, 21, "the next page");
	await page.reload();
	await t.settled(page);
	t.is((await t.rows(page, ".results tbody tr")).length, 21, "after a reload");
});

await t.test("a finding: shows its state, stack, chart and runs", async () => {
	await t.go(page, SHOP);
	await page.click(".results a:text('draw')");
	await page.waitForSelector(".chart circle");
	await t.settled(page);
	t.is(await page.textContent("h1"), "draw", "title");
	t.ok((await page.textContent(".badges")).startsWith("came back leak: direct"), "badges");
	const rows = await t.rows(page, ".results tbody tr");
	t.is(rows.map(r => r.slice(0, 4)), [["5", "ci-4", "seen", "2"], ["4", "ci/3 x", "not looked for", ""],
		["3", "ci-2", "not seen", "0"].slice(0, 3).concat(""), ["2", "ci-1", "seen", "1"]], "runs");
	t.is(await page.$$eval(".chart circle", all => all.length), 3, "a run that did not look for the finding has no point");
	t.is(await page.$$eval(".frames li .fn", all => all.map(e => e.textContent)), ["malloc", "draw", "main"], "stack");
	t.ok((await page.textContent(".facts")).includes("@anna"), "owner");
	t.ok(page.url().includes("stream=Shop"), page.url());
	await t.look(page, 400, false);
	t.ok(await page.$eval(".chart", e => e.getBoundingClientRect().right < innerWidth), "the chart fits in a window that became narrower");
	await t.look(page, 1280, false);
});

await t.test("a review: an error is shown next to the form; a stored review appears immediately", async () => {
	const before = await page.getAttribute(".as-of", "href");
	await page.selectOption("select[name=status]", "fixed");
	await page.fill("input[name=fixed_in]", "1.3");
	await page.fill("textarea", "freed <i>now</i>");
	await page.fill("input[name=author]", "Anna");
	await page.fill("input[name=ticket]", "https://tickets.example/1");
	await page.route("**/reviews", r => r.fulfill({ status: 400, contentType: "application/json",
		body: '{"error": {"status": 400, "code": "usage", "message": "until: \\"x\\" is not a date", "hint": "write it as 2026-12-31"}}' }));
	await page.click("text=Add review");
	await page.waitForSelector(".review [role=alert] .wrong-text");
	t.ok((await page.textContent(".review [role=alert]")).includes("not a date"), "the message");
	t.is(await page.inputValue("textarea"), "freed <i>now</i>", "nothing that was typed is lost");
	await page.unroute("**/reviews");
	await page.click("text=Add review");
	await page.waitForSelector(".reviews li");
	await t.settled(page);
	const text = await page.textContent(".reviews li");
	t.ok(/^fixed in 1\.3 by Anna, .*freed <i>now<\/i>.*tickets\.example/.test(text), text);
	t.ok((await page.textContent(".badges")).includes("fixed"), "the badge");
	t.ok(await page.getAttribute(".as-of", "href") !== before, "the link has a new ledger number");
	await page.click(".crumbs a");
	await page.waitForSelector(".facet");
	await t.settled(page);
	t.is(await facet("review", "fixed").textContent(), "fixed 1", "the list has a facet for reviews");
	await t.go(page, before);
	t.is(await page.$$eval(".reviews li", all => all.length), 0, "the older link repeats the older answer");
	t.is(await page.$$eval(".review", all => all.length), 0, "an older answer has no form");
	await page.click(".notes a");
	await page.waitForSelector(".reviews li");
});

await t.test("the link to an older answer shows it again; the newest answer is one click away", async () => {
	await t.go(page, `${SHOP}&as_of=set:3`);
	t.is((await names()).sort(), ["load_orders", "parse"], "findings as of the second run");
	t.ok((await page.textContent(".notes")).includes("as of ledger number"), "the page says so");
	const href = await page.getAttribute(".as-of", "href");
	t.ok(/as_of=\d+/.test(href), href);
	await t.go(page, href);
	t.is((await names()).sort(), ["load_orders", "parse"], "the same findings");
	await page.click(".notes a");
	await t.until(async () => (await names()).length === 3, "the newest answer");
});

await t.test("a run: its page lists its result sets with links, and leads to the history", async () => {
	await t.go(page, "#/sets/5");
	await page.click(".facts a:text('ci-4')");
	await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Run ci-4");
	await t.settled(page);
	const rows = await t.rows(page);
	t.is(rows.map(r => r[0]), ["6", "5"], "result sets");
	t.ok(rows[1].join().includes("LeakSanitizer") && rows[1].join().includes("leaks"), rows[1].join());
	await page.click("td a:text('leaks')");
	await page.waitForSelector(".tabs");
	t.ok(page.url().endsWith("#/sets/5/report/leaks"), page.url());
	await t.go(page, "#/runs/ci-4");
	await page.click("text=as of this run");
	await page.waitForSelector(".facet");
	t.ok((await page.textContent(".notes")).includes("as of ledger number"), "the answer is as of that run");
	await t.go(page, "#/runs/ci%2F3%20x");
	t.is((await t.rows(page)).length, 1, "a run key with a slash");
	await t.go(page, "#/runs/nothing");
	t.ok((await page.textContent(".empty")).includes("no result set"), "an unknown run");
	await t.go(page, "#/sets/2");
	await page.click(".facts a:text('Shop branch=main')");
	await page.waitForSelector(".facet");
});

await t.test("messages: an unknown stream, finding or number", async () => {
	for (const [hash, text] of [["#/history?stream=Nothing", "no stream"], ["#/history/00000000?stream=Many", "no finding"],
		["#/history/xyz", "not a finding"], ["#/history?as_of=9999", "newest ledger number"]]) {
		await t.go(page, hash);
		t.ok((await page.textContent("[role=alert]")).includes(text), `${hash}: ${await page.textContent("[role=alert]")}`);
	}
});

const finding = (await (await page.request.get(`${base}/v1/history?stream=Shop+branch%3Dmain&routine=draw`,
	{ headers: { Authorization: "Bearer pd_reviewer" } })).json()).result_sets[0].rows[0].finding;

await t.test("without the scope review there is no form", async () => {
	const reader = await t.open(`#/history/${finding}?stream=Shop+branch%3Dmain`, { token: "pd_reader" });
	t.is(await reader.$$eval(".reviews li", all => all.length), 1, "reviews");
	t.is(await reader.$$eval(".review", all => all.length), 0, "forms");
});

for (const [name, options] of [["wide", {}], ["narrow", { width: 400 }], ["dark", { dark: true }], ["narrow-dark", { width: 400, dark: true }]])
	await t.test(`every page, ${name}: nothing is cut off, the contrast is sufficient, all controls have names`, async () => {
		const other = await t.open(SHOP, { ...options, token: "pd_reviewer" });
		for (const [what, hash] of [["list", `${SHOP}&state=gone&state=open`], ["as-of", `${SHOP}&as_of=3`],
			["finding", `#/history/${finding}?stream=Shop+branch%3Dmain`], ["run", "#/runs/ci-4"]]) {
			await t.go(other, hash);
			await t.accessible(other, what);
			await t.shot(other, `history-${what}-${name}`, true);
		}
	});

await t.test("a finding is declared to be the same as another one: the page then shows the other finding", async () => {
	const ask = async query => (await (await page.request.get(`${base}/v1/history?stream=Many&${query}`,
		{ headers: { Authorization: "Bearer pd_reviewer" } })).json()).result_sets[0].rows;
	const [one] = await ask("routine=routine_1"), [two] = await ask("routine=routine_2");
	await t.go(page, `#/history/${one.finding}?stream=Many`);
	t.ok(await page.isHidden("input[name=same_as]"), "the field is hidden at first");
	await page.selectOption("select[name=status]", "same");
	await page.fill("input[name=same_as]", two.finding);
	await page.fill("textarea", "one leak");
	await page.click("text=Add review");
	await page.waitForFunction(id => location.hash.includes(id), two.finding);
	await page.waitForFunction(() => document.querySelector("h1")?.textContent.includes("routine_2"));
	t.is((await ask("routine=routine_1")).length, 0, "history shows one finding for both");
});
await t.end();
})();
