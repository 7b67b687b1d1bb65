/* settings.js FOLDER: suppresses leaks and errors, and edits the depot's settings. FOLDER contains files with tokens.
 * Called by settings.sh. */
"use strict";
const fs = require("fs"), path = require("path");
const { start, base } = require("../browser.js");
const token = name => fs.readFileSync(path.join(process.argv[2], name), "utf8").trim();
const LEAKS = "#/sets/1/report/leaks", ERRORS = "#/sets/2/report/errors";

(async () => {
const t = await start();
const page = await t.open(LEAKS, { token: token("boss"), trouble: true });
const get = async url => (await (await page.request.get(`${base}${url}`)).json()).result_sets[0].rows;
const suppressions = () => get("/v1/suppressions?format=json");
const shows = async routine => (await t.rows(page)).some(r => r.join(" ").includes(`${routine} and`));
const saved = s => [s.pattern, s.reason, s.author, s.expires];

/* Opens the dialog for the row whose stack contains this routine. */
const suppress = async routine => {
	const row = page.locator("main tbody tr", { hasText: routine }).first();
	await row.locator("td details summary").click();
	await row.locator("button >> text=Suppress…").click();
	await page.waitForSelector("dialog[open] textarea");
};

await t.test("a leak is suppressed at its stack, for the exact stack", async () => {
	await suppress("draw");
	await t.accessible(page, "the dialog");
	await t.shot(page, "suppress", true);
	t.is(await page.inputValue("dialog textarea"), "{\n   leak in draw\n   Memcheck:Leak\n   match-leak-kinds: definite\n   fun:malloc\n   fun:draw\n   fun:main\n}", "text");
	await page.getByLabel("Reason").fill("kept <to the> end");
	await page.getByLabel("Author").fill("anna");
	await page.getByLabel("Last day (optional)").fill("2099-12-31");
	await page.click("dialog >> button.main");
	await page.waitForFunction(() => !document.querySelector("dialog"));
	await t.settled(page);
	t.is([await shows("draw"), await shows("parse"), (await t.rows(page)).length], [false, true, 2], "the report hides the leak");
	t.ok((await page.textContent("main .sum")).includes("1 suppressed"), "the report counts the hidden leak");
	const [s] = await suppressions();
	t.is([s.reason, s.author, s.expires, s.syntax], ["kept <to the> end", "anna", "2099-12-31", "valgrind"], "the suppression");
});

await t.test("in a sorted and filtered report, the row's own stack is suggested", async () => {
	await t.go(page, `${LEAKS}?sort=size:asc&min_size=21`);
	await suppress("load_orders");
	t.ok((await page.inputValue("dialog textarea")).includes("fun:load_orders"), await page.inputValue("dialog textarea"));
	await page.selectOption("dialog select", { label: "all leaks with load_orders" });
	t.is(await page.inputValue("dialog textarea"), "leak:^load_orders$", "the sanitizers' syntax");
	await page.click("dialog >> text=Cancel");
	t.is((await suppressions()).length, 1, "after Cancel");
});

await t.test("an error is suppressed at its stack", async () => {
	await t.go(page, ERRORS);
	await suppress("read_row");
	await page.getByLabel("Reason").fill("known");
	await page.click("dialog >> button.main");
	await page.waitForFunction(() => !document.querySelector("dialog"));
	await t.settled(page);
	t.is((await t.rows(page)).length, 0, "errors");
});

await t.test("the page of suppressions edits, replaces and deletes them", async () => {
	await page.click("nav >> text=Settings");
	await t.settled(page);
	t.is((await t.rows(page)).length, 2, "suppressions");
	await page.click("main tbody button >> text=Edit >> nth=0");
	await page.getByLabel("Reason").fill("another reason");
	await page.getByLabel("Last day (optional)").fill("");
	await page.click("text=Save");
	await page.waitForSelector("td >> text=another reason");
	t.is((await suppressions()).map(s => [s.id, s.reason, s.expires])[0], [1, "another reason", null], "the same suppression");
	await page.click("[aria-label='Edit leak in draw']");
	await page.fill("textarea", "leak:^draw$");
	await page.click("text=Save");
	await page.waitForSelector("td >> text=leak:^draw$");
	t.is((await suppressions()).map(s => s.pattern).filter(p => p.includes("draw")), ["leak:^draw$"], "it replaces the old one");
	await page.click("[aria-label='Delete leak:^draw$']");
	await page.click("dialog >> text=Cancel");
	t.is((await suppressions()).length, 2, "after Cancel");
	await page.click("[aria-label='Delete leak:^draw$']");
	await page.click("dialog button[value=yes]");
	await page.waitForFunction(() => !document.querySelector("main").textContent.includes("^draw$"));
	await t.go(page, LEAKS);
	t.ok(await shows("draw"), "the report shows the leak again");
});

await t.test("a suppression is added on the page; the server's error is shown at the form", async () => {
	await t.go(page, "#/suppressions");
	await page.click("text=Add a suppression");
	await page.fill("textarea", "leak");
	await page.getByLabel("Reason").fill("plugins");
	await page.click("form >> text=Add");
	await page.waitForSelector("form .wrong-text");
	await t.accessible(page, "the form with an error");
	await page.fill("textarea", "leak:parse\nrace:^w$");
	await page.click("form >> text=Add");
	await page.waitForSelector("td >> text=race:^w$");
	t.is((await suppressions()).slice(-2).map(saved), [["leak:parse", "plugins", null, null], ["race:^w$", "plugins", null, null]], "suppressions");
});

await t.test("categories are added and deleted; a category with the name of a relation is refused", async () => {
	await page.click(".tabs >> text=Event categories");
	await t.settled(page);
	t.is((await t.rows(page)).map(r => r[0]), ["offcputime"], "categories");
	await page.getByLabel("Name").fill("locks");
	await page.locator(".column").getByLabel("Column").fill("process");
	await page.click("text=Add a column");
	await page.keyboard.type("wait");
	await page.locator(".column").nth(1).getByLabel("Type").selectOption("elapsed");
	await page.locator(".column").nth(1).getByLabel("Title").fill("Waiting <time>");
	await t.accessible(page, "the form of a category");
	await page.click("form >> button.main");
	await page.waitForSelector("td >> text=Waiting <time>");
	t.is((await get("/v1/categories?format=json")).filter(c => c.category === "locks").map(c => [c.column, c.type, c.pretty_name]),
		[["hostname", "string", "Hostname"], ["time", "timestamp", "Time"], ["process", "string", "Process"], ["wait", "elapsed", "Waiting <time>"]], "columns");
	await page.getByLabel("Name").fill("instances");
	await page.locator(".column").getByLabel("Column").fill("x");
	await page.click("form >> button.main");
	await page.waitForSelector("form .wrong-text");
	await page.click("[aria-label='Delete locks']");
	await page.click("dialog button[value=yes]");
	await page.waitForFunction(() => !document.querySelector("main table").textContent.includes("locks"));
});

const budgets = async () => (await (await page.request.get(`${base}/v1/budgets`)).json()).map(k => [k.application, k.version, k.author, k.budgets]);
const replace = budgets => page.evaluate(async body => (await fetch("/v1/budgets?application=Shop", { method: "PUT", body,
	headers: { "Content-Type": "application/json" } })).status, JSON.stringify(budgets));
const fieldOf = name => page.locator("main form").getByLabel(name, { exact: true });

await t.test("a budget is added for an application", async () => {
	await page.click(".tabs >> text=Budgets");
	await t.settled(page);
	await page.click("text=Add a budget");
	t.ok((await page.$$eval("#budget-applications option", all => all.map(o => o.value))).includes("Shop"), "the known applications");
	await fieldOf("Name").fill("few <leaks>");
	await fieldOf("Application").fill("Shop");
	await fieldOf("Class").fill("T*, malloc");
	await fieldOf("Applies to").selectOption("module");
	await fieldOf("At most").fill("3");
	await page.click("text=Add a limit");
	await page.locator(".limit").nth(1).getByLabel("Limit").selectOption("max_size");
	await page.locator(".limit").nth(1).getByLabel("At most").fill("64K");
	await t.accessible(page, "the form of a budget");
	await t.shot(page, "budget", true);
	await page.click("form >> button.main");
	await page.waitForSelector("td >> text=few <leaks>");
	t.is(await budgets(), [["Shop", 1, "boss", { budgets: [{ name: "few <leaks>", of: "leaks", class: ["T*", "malloc"], each: "module", max_count: 3, max_size: "64K" }] }]], "budgets");
	t.is((await t.rows(page))[0].slice(0, 3), ["few <leaks>", "Leaks, class T*, malloc, each module", "count: 3size: 64K"], "the row");
});

await t.test("the newest result set is checked, and the home page shows the verdict", async () => {
	await page.click("text=Check the newest result set");
	await page.waitForSelector(".budgets .changes li");
	t.is(await page.textContent(".budgets .changes li"), "exceeded few <leaks>4 objects of (no module), allowed: 3", "the verdict");
	await t.go(page, "#/");
	t.ok((await page.textContent("main table")).includes("1 of 1 exceeded"), "the home page");
	await t.go(page, "#/sets/1");
	await page.click("h2 >> text=Budgets");
	await page.waitForSelector(".budgets");
});

await t.test("a budget is edited; what the form does not show stays", async () => {
	await replace({ own: "shop*", comment: "x", budgets: [
		{ name: "pages", of: "duration", span: ["load, now", "load page"], statistic: "p95", max_value: "250ms" }, { name: "own", of: "leaks", own: "a*", max_count: 1 }] });
	await t.go(page, "#/");
	await t.go(page, "#/budgets");
	await page.click("[aria-label='Edit pages']");
	await fieldOf("At most").fill("1.5s");
	await page.check("form [type=checkbox]");
	await page.click("form >> text=Save");
	await page.waitForSelector("td >> text=1.5s");
	await page.click("[aria-label='Edit own']");
	await fieldOf("At most").fill("2");
	await page.click("form >> text=Save");
	await page.waitForFunction(() => !document.querySelector("form"));
	t.is((await budgets())[0].slice(3), [{ own: "shop*", comment: "x", budgets: [
		{ name: "pages", of: "duration", span: ["load, now", "load page"], statistic: "p95", max_value: "1.5s", optional: true },
		{ name: "own", of: "leaks", own: "a*", max_count: 2 }] }], "the document");
});

await t.test("if somebody else has changed the budgets, nothing is overwritten", async () => {
	await page.click("[aria-label='Edit pages']");
	await replace({ budgets: [{ name: "theirs", of: "errors", max_count: 0 }] });
	await page.click("form >> text=Save");
	await page.waitForSelector("form .wrong-text");
	t.ok((await page.textContent("form [role=alert]")).includes("Somebody else has changed them"), await page.textContent("form [role=alert]"));
	t.is((await budgets())[0][3].budgets[0].name, "theirs", "budgets");
	await page.click("form >> text=Cancel");
});

await t.test("invalid budgets are refused at the form, and the last budget is deleted with its application", async () => {
	await t.go(page, "#/");
	await t.go(page, "#/budgets");
	await page.click("main .budgets >> text=Add a budget");
	await fieldOf("Name").fill("theirs");
	await fieldOf("At most").fill("0");
	await page.click("form >> button.main");
	await page.waitForSelector("form .wrong-text");
	await page.click("form >> text=Cancel");
	await page.click("[aria-label='Delete theirs']");
	await page.click("dialog >> text=Cancel");
	await page.click("[aria-label='Delete theirs']");
	await page.click("dialog button[value=yes]");
	await page.waitForSelector(".state.empty");
	t.is(await budgets(), [], "budgets");
});

const rules = () => get("/v1/retention-rules?format=json");

await t.test("retention rules are added and deleted, and the page counts what they select", async () => {
	await page.click(".tabs >> text=Retention");
	await t.settled(page);
	t.ok((await page.textContent(".state.empty")).includes("no retention rules"), "an empty page");
	await page.click("text=Add a rule");
	t.ok((await page.$$eval("#retention-applications option", all => all.map(o => o.value))).includes("Shop"), "the known applications");
	await page.click("form >> button.main");
	await page.waitForSelector("form .wrong-text");
	t.is(await page.textContent("form [role=alert]"), "The rule selects no result sets.Fill in the age, the number of result sets to keep, or both.", "the error");
	await fieldOf("Keep the newest").fill("1");
	await t.accessible(page, "the form of a rule");
	await page.click("form >> button.main");
	await page.waitForSelector("td >> text=1 of 2");
	await page.click("text=Add a rule");
	await fieldOf("Older than, in days").fill("30");
	await fieldOf("Keep the newest").fill("20");
	await fieldOf("Application").fill("Shop");
	await page.click("text=Add a label");
	await page.keyboard.type("branch");
	await fieldOf("Value").fill("main <b>");
	await page.click("form >> button.main");
	await page.waitForSelector("td >> text=0 of 0");
	t.is((await t.rows(page)).map(r => r.slice(0, 3)), [["all result sets", "all but the newest one", "1 of 2"],
		["application Shop, branch=main <b>", "loaded more than 30 days ago, but not the 20 newest", "0 of 0"]], "rows");
	t.is((await rules()).map(r => [r.application, r.labels, r.older_than, r.keep]), [[null, {}, null, 1], ["Shop", { branch: "main <b>" }, "30d", 20]], "rules");
	await page.click("[aria-label='Edit the rule for application Shop, branch=main <b>']");
	t.is([await fieldOf("Older than, in days").inputValue(), await fieldOf("Keep the newest").inputValue(), await fieldOf("Application").inputValue(),
		await fieldOf("Format").inputValue(), await fieldOf("Label").inputValue(), await fieldOf("Value").inputValue()],
	["30", "20", "Shop", "", "branch", "main <b>"], "the form has the rule");
	await t.accessible(page, "the form of an existing rule");
	await fieldOf("Older than, in days").fill("");
	await fieldOf("Keep the newest").fill("");
	await page.click("form >> text=Save");
	await page.waitForSelector("form .wrong-text");
	await fieldOf("Older than, in days").fill("45");
	await page.click("form .label >> text=Remove");
	await page.click("form >> text=Save");
	await page.waitForSelector("td >> text=loaded more than 45 days ago");
	t.is((await rules()).map(r => [r.rule, r.application, r.labels, r.older_than, r.keep]),
		[[1, null, {}, null, 1], [2, "Shop", {}, "45d", 0]], "the rule has changed, and has its old number");
	await page.click("[aria-label='Delete the rule for all result sets']");
	await page.click("dialog >> text=Cancel");
	await page.click("[aria-label='Delete the rule for all result sets']");
	await page.click("dialog button[value=yes]");
	await page.waitForFunction(() => !document.querySelector("main").textContent.includes("all but"));
	t.is((await rules()).length, 1, "rules");
});

await t.test("readers see the settings, but no buttons that change them", async () => {
	const other = await t.open("#/suppressions", { token: token("reader") });
	t.is([(await t.rows(other)).length, await other.locator("main button").count()], [3, 0], "suppressions and buttons");
	await t.go(other, "#/budgets");
	t.is(await other.locator("main button").count(), 0, "buttons for budgets");
	await t.go(other, "#/categories");
	t.is([(await t.rows(other)).length, await other.locator("main button").count()], [1, 0], "categories and buttons");
	await t.go(other, "#/retention");
	t.is([(await t.rows(other)).length, await other.locator("main button").count()], [1, 0], "retention rules and buttons");
	await other.waitForSelector("td >> text=0 of 1");
	await t.go(other, LEAKS);
	await other.click("td details summary >> nth=0");
	t.is(await other.locator("text=Suppress…").count(), 0, "buttons at a stack");
	await other.context().close();
});

for (const [name, options] of [["1600", { width: 1600 }], ["400-dark", { width: 400, dark: true }]])
	await t.test(`${name}: nothing is cut off, contrast holds, all controls have names`, async () => {
		const other = await t.open("#/suppressions", { ...options, token: token("boss") });
		await other.click("text=Add a suppression");
		await t.accessible(other, "suppressions");
		await t.shot(other, `suppressions-${name}`, true);
		await t.go(other, "#/categories");
		await t.accessible(other, "categories");
		await t.go(other, "#/budgets");
		await other.click("text=Add a budget");
		await other.getByLabel("Limits").selectOption("duration");
		await t.accessible(other, "budgets");
		await t.shot(other, `budgets-${name}`, true);
		await t.go(other, "#/retention");
		t.ok(await other.$eval(".tabs [aria-current]", e => e.getBoundingClientRect().right <= e.parentElement.getBoundingClientRect().right), "the current tab is visible");
		await other.click("text=Add a rule");
		await t.accessible(other, "retention rules");
		await t.shot(other, `retention-${name}`, true);
		await t.go(other, LEAKS);
		await other.click("td details summary >> nth=0");
		await other.click("text=Suppress…");
		await other.waitForSelector("dialog[open] textarea");
		await t.accessible(other, "the dialog");
		await t.shot(other, `suppress-${name}`, true);
		await other.context().close();
	});
await t.end();
})();
