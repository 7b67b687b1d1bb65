/* token_list.js FOLDER: creates and revokes tokens. FOLDER contains files with tokens. Called by token_list.sh. */
"use strict";
const fs = require("fs"), path = require("path");
const { start, base } = require("./browser.js");
const token = name => fs.readFileSync(path.join(process.argv[2], name), "utf8").trim();

(async () => {
const t = await start();
const page = await t.open("#/", { token: token("boss"), trouble: true });

await t.test("the list has each token's scopes and last day", async () => {
	await page.click("#nav >> text=Tokens");
	await page.waitForSelector("tbody tr");
	await t.settled(page);
	t.is((await t.rows(page)).map(r => r.slice(0, 3).map(s => s.replace(/\s+/g, " "))),
		[["boss (yours)", "read admin", "none"], ["old", "read", "2020-01-01 expired"], ["reader", "read", "none"]], "rows");
	await t.accessible(page, "the tokens");
	await t.shot(page, "tokens", true);
});

let made = null;
await t.test("a new token is shown once, and works", async () => {
	await page.fill("form input >> nth=0", "ci");
	await page.check("input[value=ingest]");
	await page.fill("input[type=date]", "2999-12-31");
	await page.click("text=Create");
	await page.waitForSelector("[aria-label='The new token'] input");
	made = await page.inputValue("[aria-label='The new token'] input");
	t.ok(/^pd_[\w-]{43}$/.test(made), made);
	await t.until(async () => (await t.rows(page)).length === 4, "the list contains the new token");
	t.is((await t.rows(page)).map(r => r[0]), ["boss (yours)", "ci", "old", "reader"], "names");
	t.is((await page.request.get(`${base}/v1/whoami`, { headers: { Authorization: `Bearer ${made}` } })).status(), 200, "status with the new token");
	await t.accessible(page, "the new token");
	await t.shot(page, "tokens-new", true);
	await page.reload();
	await page.waitForSelector("tbody tr");
	t.ok(!(await page.content()).includes(made), "the token is shown only once");
});

await t.test("errors are shown at the form", async () => {
	await page.fill("form input >> nth=0", "ci");
	await page.click("text=Create");
	await page.waitForSelector("form [role=alert]:has-text('already exists')");
	await page.uncheck("input[value=read]");
	await page.click("text=Create");
	await page.waitForSelector("text=Choose at least one scope");
});

await t.test("revoking asks first; then the token has no access", async () => {
	await page.click("[aria-label='Revoke ci']");
	await page.waitForSelector("dialog[open]");
	await t.shot(page, "tokens-revoke", true);
	await page.click("dialog >> text=Cancel");
	t.is((await t.rows(page)).length, 4, "rows after Cancel");
	await page.click("[aria-label='Revoke ci']");
	await page.click("dialog button[value=yes]");
	await t.until(async () => (await t.rows(page)).length === 3, "the token is gone");
	t.is((await page.request.get(`${base}/v1/whoami`, { headers: { Authorization: `Bearer ${made}` } })).status(), 401, "status with the revoked token");
});

await t.test("a user who revokes their own token is signed out", async () => {
	await page.click("[aria-label='Revoke boss']");
	t.ok((await page.textContent("dialog")).includes("your own token"), await page.textContent("dialog"));
	await page.click("dialog button[value=yes]");
	await page.waitForSelector("dialog #token");
});

await t.test("users without the scope have no link to the page, and it says which scope it needs", async () => {
	const other = await t.open("#/tokens", { token: token("reader"), trouble: true });
	t.ok(/not allowed to see or change the tokens.*needs the scope admin/.test(await other.textContent("main")), await other.textContent("main"));
	t.is(await other.$$eval('#nav a[href="#/tokens"]', all => all.length), 0, "links");
	await t.go(other, "#/jobs");
	t.ok(/not allowed to upload.*needs the scope ingest/.test(await other.textContent("main")), await other.textContent("main"));
	await t.accessible(other, "a page for other users");
});
await t.end();
})();
