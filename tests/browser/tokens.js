/* tokens.js SRCDIR */
"use strict";
const path = require("path");
const { start, base } = require("./browser.js");

(async () => {
const t = await start();
const context = await t.browser.newContext();
const page = await context.newPage();
page.setDefaultTimeout(20000);
const asked = [];
page.on("request", r => asked.push(r.url()));
t.pages.push(Object.assign(page, { troubles: [] }));

await t.test("the page asks for a token, and asks again after a wrong one", async () => {
	await page.goto(`${base}/#/sets`);
	await page.waitForSelector("dialog[open]");
	t.is(await page.evaluate(() => document.activeElement.id), "token", "focus");
	await page.keyboard.type("pd_nobody");
	await page.keyboard.press("Enter");
	await page.waitForSelector("dialog[open] [role=alert]");
	await page.keyboard.type("pd_reader");
	await page.keyboard.press("Enter");
	await page.waitForSelector("tbody tr");
	t.is(await page.$("dialog"), null, "the dialog is gone");
});

await t.test("the user signs in once: a reload and a new tab need no token, and the token is in no address", async () => {
	await page.reload();
	await page.waitForSelector("tbody tr");
	t.is(asked.filter(u => u.includes("pd_")), [], "addresses");
	const other = await context.newPage();
	await other.goto(`${base}/#/sets`);
	await other.waitForSelector("tbody tr");
	t.is(await other.$("dialog"), null, "no dialog in the new tab");
	t.is(await other.evaluate(() => [document.cookie, sessionStorage.length, localStorage.length]), ["", 0, 0], "what scripts can read");
	await other.close();
	const [cookie] = await context.cookies();
	t.is([cookie.httpOnly, cookie.sameSite, cookie.path, cookie.secure], [true, "Strict", "/", false], "the cookie");
});

await t.test("exports and speedscope's viewer work with the token", async () => {
	await page.click("tbody tr a");
	await page.waitForSelector(".exports a");
	const [download] = await Promise.all([page.waitForEvent("download"), page.click(".exports >> text=speedscope")]);
	t.ok(download.suggestedFilename().endsWith(".speedscope.json"), download.suggestedFilename());
	await page.click("text=Open in speedscope");
	const viewer = page.frameLocator("iframe.viewer");
	await viewer.locator("canvas").first().waitFor({ timeout: 30000 });
	t.ok(!(await viewer.locator("body").textContent()).includes("Something went wrong"), "the viewer shows an error");
});

await t.test("an upload without permission shows the error", async () => {
	const file = path.join(process.argv[2], "tests/golden/inputs/speedscope-evented.speedscope.json");
	await page.goto(`${base}/#/sets`);
	await page.waitForSelector("#files", { state: "attached" });
	await page.setInputFiles("#files", [file]);
	await page.click(".upload button.main");
	await page.waitForSelector(".upload li:has-text('does not allow')");
	await page.click("text=Sign out");
	await page.waitForSelector("dialog[open]");
	await page.keyboard.type("pd_sender");
	await page.keyboard.press("Enter");
	await page.waitForSelector("tbody tr");
	await page.setInputFiles("#files", [file]);
	await page.click(".upload button.main");
	await page.waitForSelector(".upload li a");
});
await t.end();
})();
