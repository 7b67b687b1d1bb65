/* jobs.js SRCDIR FOLDER: looks at uploads. FOLDER contains files with tokens. Called by jobs.sh. */
"use strict";
const fs = require("fs"), path = require("path");
const { start, base } = require("./browser.js");
const [srcdir, folder] = process.argv.slice(2);
const token = name => fs.readFileSync(path.join(folder, name), "utf8").trim();
const EXAMPLE = fs.readFileSync(path.join(srcdir, "examples/orders-start.speedscope.json"));

(async () => {
const t = await start();
const page = await t.open("#/", { token: token("anna"), trouble: true });

/* Sends a file in the background, as a user's program does. Returns the job's ID. */
async function send(user, name, data, query) {
	const answer = await page.request.post(`${base}/v1/result-sets?${new URLSearchParams({ name, async: "true", ...query })}`,
		{ data, headers: { "Content-Type": "application/octet-stream", Authorization: `Bearer ${token(user)}` } });
	t.is(answer.status(), 202, `status of ${name}`);
	return (await answer.json()).id;
}
const row = async (p, name) => (await t.rows(p)).find(r => r[0] === name);
const ended = (p, name) => t.until(async () => !/waiting|loading/.test((await row(p, name))?.[2] || "waiting"), `${name} has ended`);

await t.test("without uploads, the page says how to upload", async () => {
	await page.click("#nav >> text=Uploads");
	await page.waitForSelector("text=There are no uploads");
	await t.accessible(page, "no uploads");
});

await t.test("uploads appear by themselves, with a link to the result set, or with the error", async () => {
	await send("anna", "start.json", EXAMPLE, { caption: "The start" });
	await send("anna", "broken.json", Buffer.from("nonsense"));
	await page.waitForSelector("tbody tr");
	await ended(page, "start.json");
	await ended(page, "broken.json");
	t.is((await row(page, "start.json")).slice(1, 4), ["anna", "loaded", "No. 1, The start"], "the loaded file");
	t.is((await row(page, "broken.json")).slice(1, 4), ["anna", "failed", "broken.json: not in a format that profdepot reads"], "the broken file");
	await send("anna", "again.json", EXAMPLE);
	await t.until(async () => (await row(page, "again.json"))?.[2] === "already known", "a known file");
	await t.accessible(page, "uploads");
	await t.shot(page, "jobs");
	await page.click("text=No. 1, The start");
	await page.waitForSelector("h1:has-text('The start')");
	await page.goBack();
	await page.waitForSelector("tbody tr");
});

await t.test("an upload can be removed from the list", async () => {
	await page.click("[aria-label='Remove broken.json']");
	await t.until(async () => !await row(page, "broken.json"), "it is gone");
	await page.reload();
	await page.waitForSelector("tbody tr");
	t.is((await t.rows(page)).map(r => r[0]), ["again.json", "start.json"], "the other uploads are still listed");
});

await t.test("an upload that runs shows its progress and can be cancelled", async () => {
	const frames = Array.from({ length: 200000 }, (_, i) => `{"name":"f${i}"}`).join(",");
	const samples = Array.from({ length: 200000 }, (_, i) => `[${i},${(i * 7) % 200000},${(i * 13) % 200000}]`).join(",");
	await send("anna", "large.json", Buffer.from(`{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[${frames}]},"profiles":[` +
		`{"type":"sampled","name":"x","unit":"none","startValue":0,"endValue":200000,"samples":[${samples}],"weights":[${"1,".repeat(199999)}1]}]}`));
	await page.reload();
	await page.click("[aria-label='Cancel large.json']");
	await ended(page, "large.json");
	t.is((await row(page, "large.json"))[2], "cancelled", "state");
});

await t.test("users see their own uploads; an administrator sees all", async () => {
	const bob = await t.open("#/jobs", { token: token("bob") });
	t.ok((await bob.textContent("main")).includes("There are no uploads"), await bob.textContent("main"));
	await send("anna", "wrong.json", Buffer.from("nonsense"));
	for (const [name, expected] of [["anna", ["wrong.json"]], ["boss", ["wrong.json"]], ["bob", []], ["reader", []]]) {
		const home = await t.open("#/", { token: token(name) });
		await t.until(async () => (await home.locator("text=Failed uploads").count()) === expected.length, `the home page of ${name}`);
		t.is(await home.locator("table", { hasText: "Uploads that failed" }).locator("tbody a").allTextContents(), expected, `failed uploads that ${name} sees`);
		await home.context().close();
	}
	await t.go(page, "#/jobs");
	await page.click("[aria-label='Remove wrong.json']");
	await t.until(async () => !await row(page, "wrong.json"), "it is gone");
	const boss = await t.open("#/jobs", { token: token("boss") });
	t.is((await t.rows(boss)).map(r => r.slice(0, 2)), [["large.json", "anna"], ["again.json", "anna"], ["start.json", "anna"]], "all uploads");
	const reader = await t.open("#/", { token: token("reader") });
	t.is(await reader.$$eval('#nav a[href="#/jobs"]', all => all.length), 0, "links for a reader");
});

for (const [name, options] of [["1600", { width: 1600 }], ["400", { width: 400 }], ["1280-dark", { dark: true }], ["400-dark", { width: 400, dark: true }]])
	await t.test(`${name}: nothing is cut off, contrast holds, all controls have names`, async () => {
		for (const where of ["jobs", "tokens"]) {
			const other = await t.open(`#/${where}`, { ...options, token: token("boss") });
			await other.waitForSelector("tbody tr");
			await t.accessible(other, where);
			await t.shot(other, `${where}-${name}`, true);
			await other.context().close();
		}
	});
await t.end();
})();
