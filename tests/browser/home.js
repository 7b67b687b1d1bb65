/* home.js SRCDIR FOLDER: uses the home page of an empty depot and of a small one. Called by home.sh. */
"use strict";
const fs = require("fs"), path = require("path");
const { start, base } = require("./browser.js");
const [srcdir, folder] = process.argv.slice(2);

(async () => {
const t = await start();
const page = await t.open("#/", { trouble: true });

async function load(file, query) {
	const answer = await page.request.post(`${base}/v1/result-sets?${new URLSearchParams({ name: path.basename(file), ...query })}`,
		{ data: fs.readFileSync(file), headers: { "Content-Type": "application/octet-stream" } });
	t.is(answer.status(), 201, `status of ${file}`);
}

const row = async (...texts) => {
	const found = page.locator("main table").first().locator("tbody tr");
	for (let i = 0; i < await found.count(); i++) {
		const cells = await found.nth(i).locator("td").allTextContents();
		if (texts.every((text, n) => cells[n] === text))
			return found.nth(i);
	}
	throw new Error(`no row ${texts}`);
};

await t.test("an empty depot explains how to load, and lists the formats", async () => {
	t.ok((await page.textContent("main")).includes("The depot is empty"), await page.textContent("main"));
	t.ok(await page.$$eval(".columns li", all => all.length) > 20, "formats");
	t.ok(!/--|profdepot /.test(await page.textContent("main")), "no command lines");
	await t.accessible(page, "the empty depot");
	await t.shot(page, "home-empty", true);
});

await t.test("after an upload, the page shows the result set with its figures", async () => {
	await page.setInputFiles("#files", [path.join(srcdir, "examples/orders-start.speedscope.json")]);
	await page.click(".upload button.main");
	await page.waitForSelector(".tile");
	await t.settled(page);
	t.ok((await page.textContent(".tile")).includes("87.75 ms"), await page.textContent(".tile"));
	t.is(await page.$$eval(".tile svg", all => all.length), 0, "a single value has no chart");
	await page.click(".upload >> text=Close");
});

for (const [n, file] of ["shop-1.log", "shop-2.log", "shop-3.log", "shop-4.log"].entries())
	await load(path.join(folder, file), { application: "Shop", label: "branch=main", app_version: `1.${n}`, run: `ci-${n}`, looked_for: "leaks,errors" });
await load(path.join(folder, "shop-1.log"), { application: "Shop", label: "branch=draft", again: "true" });
await t.go(page, "#/sets");
await t.go(page, "#/");

await t.test("each branch has its newest build, its findings by state, and its figures with their change", async () => {
	const main = await row("Shop", "main");
	t.ok((await main.textContent()).includes("1.34 recent builds"), await main.textContent());
	await t.until(async () => (await main.locator(".badge").count()) === 3, "the findings");
	t.is(await main.locator(".badge").allTextContents(), ["1 came back", "1 new", "1 open"], "their states");
	const tiles = await main.locator(".tile").allTextContents();
	t.is(tiles.map(text => text.replace(/oldest first.*/, "")), ["Live size, sanitizer600 B +50 %Live size, ", "Errors, sanitizer0 Errors, "], "figures");
	t.ok((await main.locator(".spark").nth(1).getAttribute("aria-label")).endsWith("0, 1, 0, 0"), "a run without errors counts as 0");
	t.ok((await (await row("Shop", "draft")).textContent()).includes("340 B"), "another branch");
	await t.shot(page, "home");
});

await t.test("applications, branches, figures, findings and warnings are links", async () => {
	for (const [click, expected] of [
		[async () => (await row("Shop", "main")).locator(".badge >> text=1 new").click(), /history\?stream=Shop\+branch%3Dmain&state=new$/],
		[async () => (await row("Shop", "main")).locator("td a").first().click(), /sets\?application=Shop$/],
		[async () => (await row("Shop", "main")).locator("td a").nth(1).click(), /sets\?application=Shop&branch=main$/],
		[async () => (await row("Shop", "main")).locator(".tile").first().click(), /trend\?metric=live_size&application=Shop&label=branch%3Dmain$/],
		[() => page.click("text=1 warning"), /report\/issues$/]]) {
		await t.until(async () => await page.locator(".badge").count() > 5, "the findings");
		await click();
		await t.until(async () => expected.test(page.url()), `${page.url()} and ${expected}`);
		await t.settled(page);
		t.is(await page.$$eval(".state.wrong", all => all.length), 0, page.url());
		await page.goBack();
		await page.waitForSelector(".tile");
		await t.settled(page);
	}
});

await t.test("the home page shows exceeded budgets of the newest result set with a recorded check", async () => {
	const check = (set, budgets) => page.request.post(`${base}/v1/check?${new URLSearchParams({ set, record: "true" })}`, { data: { budgets } });
	t.is((await check("4", [{ name: "few leaks", of: "leaks", max_size: 1 }])).status(), 200, "a check of an older result set");
	t.is((await check("5", [{ name: "few leaks", of: "leaks", max_size: 500 }, { name: "no <errors>", of: "errors", max_count: 0 }])).status(), 200, "a check of the newest one");
	t.is((await check("6", [{ name: "few leaks", of: "leaks", max_size: 5000 }, { name: "races", of: "errors", kind: "race", max_count: 0, optional: true }])).status(), 200, "a check of another branch");
	t.is((await check("1", [{ name: "few leaks", of: "leaks", max_size: 1 }])).status(), 200, "a check of a run that did not look for leaks");
	await t.go(page, "#/sets");
	await t.go(page, "#/");
	t.ok(/1 of 2 exceeded/.test(await (await row("Shop", "main")).textContent()), "an exceeded budget");
	t.ok(/1 met/.test(await (await row("Shop", "draft")).textContent()), "a branch that meets its budget");
	t.ok(/not judged/.test(await page.textContent("main table")), "budgets that cannot be judged are not met");
	await page.click("text=1 of 2 exceeded");
	await page.waitForSelector("h2:has-text('Budgets')");
	const shown = page.locator("table", { hasText: "Verdicts of the last check" }).locator("tbody tr");
	t.is(await shown.first().locator("td").allTextContents(), ["exceeded", "few leaks", "600 bytes, allowed: 500"], "the exceeded budget and the reason");
	t.is((await shown.nth(1).locator("td").allTextContents()).slice(0, 2), ["met", "no <errors>"], "the other budget");
	await t.accessible(page, "the page of the result set");
	await t.shot(page, "budgets", true);
	await t.go(page, "#/");
});

await t.test("uploads that failed are listed with their reasons, and link to the upload", async () => {
	for (let i = 0; i < 6; i++)
		t.is((await page.request.post(`${base}/v1/result-sets?name=<b>odd ${i}.json`, { data: Buffer.from(`nonsense-${i}`),
			headers: { "Content-Type": "application/octet-stream" } })).status(), 422, "the upload is refused");
	await t.go(page, "#/sets");
	await t.go(page, "#/");
	const failed = page.locator("table", { hasText: "Uploads that failed in the last seven days" });
	t.is(await failed.locator("tbody tr").count(), 5, "the newest uploads are shown");
	t.ok(/^<b>odd 5.json.*not in a format that profdepot reads/.test(await failed.locator("tbody tr").first().textContent()), await failed.textContent());
	await t.shot(page, "home-failed", true);
	await failed.getByText("<b>odd 3.json").first().click();
	await t.until(async () => (await t.rows(page)).length === 1, "the page shows one upload");
	t.is((await t.rows(page)).map(r => r[0]), ["<b>odd 3.json"], "the page of this upload");
	await t.accessible(page, "one upload");
	await page.click("[aria-label='Remove <b>odd 3.json']");
	await page.waitForFunction(() => location.hash === "#/jobs");
	await t.settled(page);
	t.is((await t.rows(page)).filter(r => r[0].startsWith("<b>odd")).length, 5, "the other uploads are still listed");
	await t.go(page, "#/");
});

await t.test("for an unknown address or a missing result set, the page has a link to the result sets", async () => {
	for (const [hash, text] of [["#/nonsense", "There is no such page"], ["#/%E0%A4%A", "There is no such page"],
		["#/sets/99999", "no result set 99999"], ["#/history?stream=Nothing", "no stream"]]) {
		await t.go(page, hash);
		const shown = await page.textContent("main");
		t.ok(shown.includes(text) && !/"profdepot |--/.test(shown), shown);
		t.ok(await page.$$eval('main .state a[href="#/sets"]', all => all.length) > 0, "the result sets are one click away");
		await t.accessible(page, hash);
	}
});

for (const [name, options] of [["1600", { width: 1600 }], ["400", { width: 400 }], ["1280-dark", { dark: true }], ["400-dark", { width: 400, dark: true }]])
	await t.test(`home page, ${name}: nothing is cut off, contrast holds, all controls have names`, async () => {
		const other = await t.open("#/", options);
		await other.waitForSelector(".badge.bad");
		await t.accessible(other, "#/");
		if (options.width === 400)
			t.ok(await other.evaluate(() => [...document.querySelectorAll("main .scroll")].every(e => e.scrollWidth <= e.clientWidth)),
				"rows are shown as records, which are no wider than the screen");
		await t.shot(other, `home-${name}`, true);
	});
await t.end();
})();
