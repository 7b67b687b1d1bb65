/* edit.js FOLDER: changes and deletes result sets. FOLDER contains files with tokens. Called by edit.sh. */
"use strict";
const fs = require("fs"), path = require("path");
const { start, base } = require("./browser.js");
const token = name => fs.readFileSync(path.join(process.argv[2], name), "utf8").trim();

(async () => {
const t = await start();
const page = await t.open("#/sets/1", { token: token("boss"), trouble: true });
const deletions = [];
page.on("request", r => r.method() === "DELETE" && deletions.push(r.url()));
const shown = async id => (await page.request.get(`${base}/v1/result-sets/${id}`)).json();
const exists = async id => (await page.request.get(`${base}/v1/result-sets/${id}`)).status() === 200;
const labels = () => page.locator("form .label");

await t.test("caption, application and labels are edited on the page of the result set", async () => {
	await page.click("text=Edit caption, application and labels");
	t.is(await page.evaluate(() => document.activeElement.value), "one", "the caption has the focus");
	t.is(await labels().count(), 2, "labels");
	await t.accessible(page, "the form");
	await t.shot(page, "edit", true);
	await page.keyboard.press("Control+A");
	await page.keyboard.type("The first <b>");
	await t.until(async () => (await page.$$eval("datalist option", all => all.map(o => o.value)))[0] === "Desk", "the known applications");
	await page.locator("form").getByLabel("Application").fill("Shop <2>");
	await labels().nth(0).locator("input").nth(1).fill("feature");
	await page.click("[aria-label='Remove the label old']");
	await page.click("text=Add a label");
	await page.keyboard.type("ticket");
	await labels().nth(1).locator("input").nth(1).fill("A = 7");
	await page.click("text=Save");
	await page.waitForSelector("h1:has-text('The first <b>')");
	const s = await shown(1);
	t.is([s.caption, s.application, s.labels], ["The first <b>", "Shop <2>", { branch: "feature", ticket: "A = 7" }], "the result set");
	t.is(await page.locator("form").count(), 0, "the form is closed");
});

await t.test("without a change nothing is sent; Cancel changes nothing", async () => {
	await page.click("text=Edit caption, application and labels");
	const sent = [];
	page.on("request", r => r.method() === "PATCH" && sent.push(r.url()));
	await page.click("text=Save");
	await page.click("text=Edit caption, application and labels");
	await page.keyboard.type("other");
	await page.click("form >> text=Cancel");
	t.is([sent.length, (await shown(1)).caption], [0, "The first <b>"], "requests and caption");
});

await t.test("a changed application moves the result set to another stream", async () => {
	await t.go(page, "#/");
	t.ok((await page.textContent("main table")).includes("Shop <2>"), "the home page has the application");
	await t.go(page, "#/sets/1");
	await page.click("text=Edit caption, application and labels");
	await page.locator("form").getByLabel("Application").fill("");
	await page.click("text=Save");
	await page.waitForFunction(() => !document.querySelector("form"));
	await t.settled(page);
	t.is((await shown(1)).application, null, "without a name, the application is removed");
});

await t.test("the server's error is shown at the form", async () => {
	await page.click("text=Edit caption, application and labels");
	await page.evaluate(() => document.querySelectorAll("form .label input").forEach(i => i.removeAttribute("maxlength")));
	await page.locator("form input").first().fill("x".repeat(70000));
	await page.click("text=Save");
	await page.waitForFunction(() => document.querySelector("form [role=alert]").textContent.length > 5);
	await page.click("form >> text=Cancel");
});

await t.test("a deletion can be undone, also from another page; until then the server is not asked", async () => {
	await page.click(".exports >> text=Delete");
	await page.waitForSelector("dialog[open]");
	await t.shot(page, "delete-dialog", true);
	await page.click("dialog >> text=Cancel");
	t.is(await page.locator(".notice").count(), 0, "notices after Cancel");
	await page.click(".exports >> text=Delete");
	await page.click("dialog button[value=yes]");
	await page.waitForSelector(".notice:has-text('will be deleted in')");
	await t.go(page, "#/history");
	await t.accessible(page, "a page with a notice");
	await t.shot(page, "delete-undo", true);
	await page.click(".notice >> text=Undo");
	await page.waitForSelector(".notice:has-text('was not deleted')");
	await page.waitForTimeout(11000);
	t.is([deletions, await exists(1)], [[], true], "deletions");
});

await t.test("if the tab is closed, nothing is deleted", async () => {
	const other = await t.open("#/sets/1", { token: token("boss") });
	await other.click(".exports >> text=Delete");
	await other.click("dialog button[value=yes]");
	await other.waitForSelector(".notice");
	await other.context().close();
	await page.waitForTimeout(11000);
	t.ok(await exists(1), "the result set still exists");
});

await t.test("after the countdown, the result set is deleted and the page shows the others", async () => {
	await t.go(page, "#/sets/2");
	await page.click(".exports >> text=Delete");
	await page.check("dialog input");
	await page.click("dialog button[value=yes]");
	await page.waitForSelector(".notice:has-text('is deleted')");
	t.is(deletions, [`${base}/v1/result-sets/2?forget=true`], "requests");
	await page.waitForFunction(() => location.hash === "#/sets");
	await t.settled(page);
	t.is([await exists(1), await exists(2), (await t.rows(page)).length], [true, false, 1], "what is left");
});

await t.test("users see only what they may change", async () => {
	for (const [name, expected] of [["editor", ["Edit caption, application and labels"]], ["reader", []]]) {
		const other = await t.open("#/sets/1", { token: token(name) });
		t.is((await other.locator(".exports button").allTextContents()), expected, name);
		await other.context().close();
	}
});

for (const [name, options] of [["1600", { width: 1600 }], ["400", { width: 400 }], ["400-dark", { width: 400, dark: true }], ["1280-dark", { dark: true }]])
	await t.test(`${name}: nothing is cut off, contrast holds, all controls have names`, async () => {
		const other = await t.open("#/sets/1", { ...options, token: token("boss") });
		await other.click("text=Edit caption, application and labels");
		await t.accessible(other, "the form");
		await other.click(".exports >> text=Delete");
		await other.click("dialog button[value=yes]");
		await other.waitForSelector(".notice");
		await t.accessible(other, "the notice");
		await t.shot(other, `edit-${name}`, true);
		await other.click(".notice >> text=Undo");
		await other.context().close();
	});
await t.end();
})();
