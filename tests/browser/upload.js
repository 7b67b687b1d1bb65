/* upload.js SRCDIR: drops files on pages, and checks the progress and errors of the uploads. Called by upload.sh. */
"use strict";
const fs = require("fs"), path = require("path");
const { start, base } = require("./browser.js");
const EXAMPLE = fs.readFileSync(path.join(process.argv[2], "examples/orders-start.speedscope.json"), "utf8");

(async () => {
const t = await start();
const page = await t.open("#/trend", { trouble: true });

/* Drops files on the page, like a file manager. `files` contains { name: content }. */
const drop = async (p, files) => {
	const data = await p.evaluateHandle(all => {
		const transfer = new DataTransfer();
		for (const [name, content] of Object.entries(all))
			transfer.items.add(new File([content], name));
		return transfer;
	}, files);
	await p.dispatchEvent("main", "dragover", { dataTransfer: data });
	t.ok(await p.evaluate(() => document.body.classList.contains("dropping")), "the page shows where to drop");
	await p.dispatchEvent("main", "drop", { dataTransfer: data });
	t.ok(!await p.evaluate(() => document.body.classList.contains("dropping")), "the hint is gone");
};
const fields = p => p.locator(".upload input");

await t.test("a file is dropped on any page, the form asks for its labels, and the file is loaded with them", async () => {
	await drop(page, { "start.json": EXAMPLE });
	t.ok((await page.textContent(".upload")).includes("start.json (3.776 KiB)"), await page.textContent(".upload"));
	await t.accessible(page, "the offer");
	await t.shot(page, "upload", true);
	await fields(page).nth(0).fill("Orders");
	await fields(page).nth(1).fill("5.2.2");
	await fields(page).nth(2).fill("branch=main team=core");
	await page.click(".upload button.main");
	await page.waitForSelector(".upload li a");
	const s = await (await page.request.get(`${base}/v1/result-sets/1`)).json();
	t.is([s.application, s.app_version, s.labels], ["Orders", "5.2.2", { branch: "main", team: "core" }], "the result set");
	t.ok(page.url().endsWith("#/trend"), `the user stays on the page: ${page.url()}`);
	await page.click(".upload li a");
	await page.waitForSelector(`h1:has-text("${s.caption}")`);
	t.is(await page.locator(".upload li").count(), 1, "the outcome stays visible on the next page");
	await page.click(".upload >> text=Close");
});

await t.test("each of several files has its outcome, and errors say why", async () => {
	await drop(page, { "again.json": EXAMPLE, "broken.txt": "nonsense", "third.folded": "main;third 3\n" });
	t.is(await fields(page).nth(0).inputValue(), "Orders", "the application of the last upload");
	await page.click(".upload button.main");
	await page.waitForSelector(".upload >> text=Close");
	const lines = await page.locator(".upload li").allTextContents();
	t.ok(lines[0].includes("already in the depot: No. 1"), lines[0]);
	t.ok(lines[1].includes("not in a format"), lines[1]);
	t.ok(lines[2].includes("loaded: No. 2"), lines[2]);
	await t.accessible(page, "the outcomes");
	await t.shot(page, "upload-outcome", true);
	await page.click(".upload >> text=Close");
});

await t.test("a wrong label is rejected before anything is sent, and Cancel sends nothing", async () => {
	const sent = [];
	page.on("request", r => r.method() === "POST" && sent.push(r.url()));
	await drop(page, { "start.json": EXAMPLE });
	await fields(page).nth(2).fill("branch");
	await page.click(".upload button.main");
	await page.waitForSelector(".upload [role=alert]:has-text('is not a label')");
	await page.click(".upload >> text=Cancel");
	t.is([sent, await page.locator(".upload").count()], [[], 0], "requests and notices");
});

await t.test("the list of result sets shows a loaded file at once, without leaving its filters", async () => {
	await t.go(page, "#/sets?q=label-of-this-test");
	t.ok((await page.textContent("main")).includes("No matching"), "nothing matches before");
	await drop(page, { "more.folded": "main;work 7\nmain;rest 2\n" });
	await fields(page).nth(2).fill("name=label-of-this-test");
	await page.click(".upload button.main");
	await page.waitForSelector("main tbody tr");
	t.is((await t.rows(page)).length, 1, "rows");
	await page.click(".upload >> text=Close");
});

await t.test("a large file is loaded by a job, whose progress is shown", async () => {
	const lines = Array.from({ length: 120000 }, (_, i) => `main;part${i % 300};routine_with_a_long_name_${i}_${"x".repeat(40)} ${i + 1}`).join("\n");
	await drop(page, { "large.folded": `${lines}\n` });
	await page.click(".upload button.main");
	await page.waitForSelector(".upload progress");
	await page.waitForSelector(".upload li a", { timeout: 60000 });
	await page.click(".upload >> text=Close");
	t.is((await (await page.request.get(`${base}/v1/jobs`)).json())[0].name, "large.folded", "the job");
});

for (const [name, options] of [["1600", { width: 1600 }], ["400", { width: 400 }], ["1280-dark", { dark: true }], ["400-dark", { width: 400, dark: true }]])
	await t.test(`${name}: nothing is cut off, contrast holds, all controls have names`, async () => {
		const other = await t.open("#/sets/1", options);
		await drop(other, { "a.json": EXAMPLE, "b.txt": "nonsense" });
		await t.accessible(other, "the offer");
		await t.shot(other, `upload-${name}`, true);
		await other.context().close();
	});
await t.end();
})();
