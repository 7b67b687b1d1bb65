/* timeline.js: uses the page with the timeline of spans, events and samples. Called by timeline.sh. */
"use strict";
const { start, base } = require("./browser.js");

(async () => {
const t = await start();
const page = await t.open("#/sets", { height: 1200 });
/* In the order in which timeline.sh loads them. */
const [EVENTS, LEAKS, REQUESTS, CALLS, TRACE] = (await (await page.request.get(`${base}/v1/result-sets?output=json`)).json())
	.result_sets[0].rows.map(r => r.inst_id).sort((a, b) => a - b);
const seen = () => page.$eval(".timeline", e => Object.fromEntries(Object.entries(e.dataset).map(([k, v]) => [k, Number(v)])));
const tabs = () => page.$$eval(".tabs a", all => all.map(a => a.textContent));
const note = async () => await page.isVisible(".results .notes") ? page.textContent(".results .notes") : "";
/* Opens the timeline of a result set, even if the page is open already. */
const open = async (id, query = "") => {
	await t.go(page, "#/sets");
	await t.go(page, `#/sets/${id}/timeline${query}`);
	await page.waitForSelector(".timeline[data-timings], .state.empty");
	await t.settled(page);
};

await t.test("only result sets with times have the page", async () => {
	for (const [id, shown] of [[EVENTS, true], [CALLS, true], [LEAKS, false], [REQUESTS, false]]) {
		await t.go(page, `#/sets/${id}`);
		t.is((await tabs()).includes("Timeline"), shown, `tabs of ${id}: ${await tabs()}`);
	}
	await open(LEAKS);
	t.is(await page.textContent("main .state"), "This result set has no spans, events or samples with times.", "a link to it");
});

await t.test("events: the picture and the table have the same origin, and each process has a track", async () => {
	await open(EVENTS);
	const rows = await t.rows(page), { from, end, timings } = await seen();
	t.is([from, timings, rows.length], [0, 15, 15], "all events");
	t.is(rows[0], ["postgres, thread 812", "event", "schedule", "0 µs", "3.673 s"], "the longest event");
	t.ok(Math.abs(end - (120004835 + 2526000)) < 1, `end: ${end}`);
	t.is(await page.$$eval(".toggles button", all => all.map(b => b.textContent)),
		["postgres, thread 812: 6 entries", "orders-web, thread 1433: 6 entries", "kworker/0:1, thread 17: 3 entries"], "tracks");
	t.is(await note(), "", "nothing is missing");
	const box = await page.locator("canvas.tracks").boundingBox();
	await page.mouse.move(box.x + 5, box.y + 30);
	await t.until(async () => await page.textContent(".detail") === "schedule: starts at 0 µs, 3.673 s long", await page.textContent(".detail"));
	await page.click(".grid a >> text=io_schedule >> nth=0");
	await page.waitForURL(/entry\?routine=io_schedule/);
});

await t.test("many calls: the whole combines short calls and reports that; an interval loads them", async () => {
	const asked = [];
	page.on("request", r => /reports\/timeline/.test(r.url()) && asked.push(new URL(r.url()).searchParams));
	await open(CALLS);
	t.ok(/^Of 60,060 entries, 60,000 short entries are combined with neighbours\. Zoom in to load them\.$/.test(await note()), await note());
	const { end, timings } = await seen();
	t.is(end, 60000000, "the end");
	t.ok(timings < 3000, `${timings} items`);
	t.is((await t.rows(page))[0].slice(2, 5), ["second", "0 µs", "1 s"], "the longest call");
	const box = await page.locator("canvas.tracks").boundingBox();
	await page.keyboard.down("Shift");
	await page.mouse.move(box.x, box.y + 10);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width, box.y + 10, { steps: 3 });
	await page.mouse.up();
	await page.keyboard.up("Shift");
	t.is(await page.textContent(".detail"), "Selected 60 s: 60,060 entries, 90 s in total", "a selection counts what the items combine");
	t.is(asked.length, 1, "requests");
	await open(CALLS, "?view=10000000.000-10100000.000");
	t.is(asked.length, 3, "the interval is loaded, too");
	t.is([asked[2].get("from"), asked[2].get("to")], ["10000000.000", "10100000.000"], "the interval");
	t.is(await note(), "", "nothing is missing in the interval");
	const rows = await t.rows(page);
	t.is(rows[0].slice(2, 5), ["second", "9 s", "1 s"], "times have the same origin as before");
	t.ok(rows.some(r => r[2] === "even" && r[3] === "10 s" && r[4] === "500 µs"), "a short call");
	t.is((await seen()).end, 60000000, "the overview still shows everything");
	await page.focus("canvas.tracks");
	await page.keyboard.press("Home");
	await t.until(async () => (await note()).includes("60,060"), "Home shows everything again");
	t.is(asked.length, 3, "without a request");
	await page.fill("input[type=search]", "second");
	await t.until(async () => (await seen()).timings === 60, "a search");
	t.is((await t.rows(page)).length, 50, "rows of the first page");
});

await t.test("a trace with all events has a timeline beside that of its user timings", async () => {
	await t.go(page, `#/sets/${TRACE}`);
	t.is((await tabs()).filter(x => /tim/i.test(x)), ["Timeline", "User timings"], "tabs");
	await open(TRACE);
	t.is(await note(), "", "nothing is missing");
	t.ok((await seen()).timings > 0 && (await t.rows(page)).length > 0, "entries");
});

await t.test("if the details cannot be loaded, the page says so and keeps what it has", async () => {
	const other = await t.open(`#/sets/${CALLS}/timeline`, { trouble: true });
	await other.waitForSelector(".timeline[data-timings]");
	await other.route("**/reports/timeline*", r => r.abort());
	await other.click("text=Zoom in");
	await other.waitForSelector(".notes:has-text('The details cannot be loaded')");
	t.ok((await t.rows(other)).length > 0, "rows");
});

for (const [look, options] of [["1600 pixels, light", { width: 1600 }], ["1280 pixels, dark", { dark: true }], ["400 pixels, light", { width: 400 }]])
	await t.test(`${look}: Axe finds nothing, and nothing is cut off`, async () => {
		const other = await t.open("#/sets", options);
		for (const id of [EVENTS, CALLS, LEAKS]) {
			await t.go(other, `#/sets/${id}/timeline`);
			await t.settled(other);
			await t.accessible(other, `timeline of ${id}`);
		}
	});
await t.end();
})();
