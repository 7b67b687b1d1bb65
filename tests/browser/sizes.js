/* sizes.js FOLDER: opens every page in windows of three sizes, in both colour schemes. Called by sizes.sh. */
"use strict";
const { start, base } = require("./browser.js");

(async () => {
const t = await start();
const sets = Object.fromEntries((await (await fetch(`${base}/v1/result-sets?output=json&limit=100`, { headers: { Authorization: "Bearer pd_admin" } })).json())
	.result_sets[0].rows.map(r => [r.caption, r.inst_id]));
const at = (caption, more = "") => {
	t.ok(sets[caption], `a result set ${caption}`);
	return `#/sets/${sets[caption]}${more}`;
};
const NEW = "Orders 5.2.2 (build 4738)", OLD = "Orders 5.2.1 (build 4711)", TIMES = "Orders 5.2.2, start";
const REPORTS = ["classes", "objects", "errors", "leaks", "routines", "modules", "threads", "lines", "tree", "callers", "hot"];
const STREAM = "Shop+branch%3Dmain";

/* A page is [address, action]. */
const PAGES = [["#/"], ["#/sets"], ["#/sets", page => page.click("text=Filters")], ["#/events"], ["#/events?view=groups&by=process"],
	["#/events?view=flame", frames], ["#/trend?metric=live_size"], [`#/history?stream=${STREAM}`],
	[`#/history?stream=${STREAM}`, page => page.click("tbody a >> nth=0")], ["#/runs/ci-2"], ["#/jobs"], ["#/tokens"],
	["#/suppressions", page => page.click("text=Add a suppression")], ["#/budgets", page => page.click("text=Add a budget")], ["#/categories"],
	["#/retention", page => page.click("text=Add a rule")],
	["#/sql?q=select+inst_id%2C+caption%2C+loaded_at+from+instances"], ["#/nonsense"], ["#/sets/99999"], ["#/sets/1/report/nonsense"],
	...Object.keys(sets).map(caption => [at(caption)]),
	[at(NEW), page => page.click("text=/^Edit /")], [at(NEW, "/flame"), frames], [at(NEW, "/flame?colour=module"), frames], [at(NEW, `/flame?base=${sets[OLD]}`), frames],
	[at(TIMES, "/flame?routine=sqlite3_step"), frames], [at(NEW, `/compare?base=${sets[OLD]}`)], [at(NEW, `/compare?base=${sets[OLD]}&by=routine`)],
	[at(NEW, "/entry?routine=TSettings.OpenKey")], [at(NEW, "/entry?class=Bitmap")], [at(TIMES, "/speedscope")], [at(TIMES, "/timeline")],
	[at("orders-page.trace.json", "/timings")], [at("orders-requests.miniprofiler.json", "/profile?track=1")],
	[at("orders-requests.miniprofiler.json", "/report/commands")], [at("orders-requests.miniprofiler.json", "/report/duplicates")],
	[at("orders-requests.miniprofiler.json", "/report/profiles")], [at(TIMES, "/report/tree")], [at(TIMES, "/report/callers")],
	...REPORTS.map(name => [at(NEW, `/report/${name}`)])];
const OWN_WINDOW = ["/speedscope"];

function frames(page) {
	return page.waitForSelector(".d3-flame-graph g.frame");
}

/* Tables that are cut off on the right, and rows whose cells are not below their headings. */
function badTables() {
	const found = [], visible = [...document.querySelectorAll("main table.grid")].filter(e => e.getClientRects().length);
	for (const table of visible) {
		const box = table.closest(".scroll"), head = table.tHead?.rows[0], name = table.caption?.textContent;
		if (box && box.scrollWidth > box.clientWidth + 1 && innerWidth >= 1280)
			found.push(`${name} is ${box.scrollWidth} wide in ${box.clientWidth}`);
		if (!head || getComputedStyle(table.tBodies[0]).display !== "table-row-group")
			continue;
		for (const row of table.tBodies[0].rows)
			for (let i = 0; i < row.cells.length; i++)
				if (Math.abs(row.cells[i].getBoundingClientRect().left - head.cells[i].getBoundingClientRect().left) > 1) {
					found.push(`${name}: a cell "${row.cells[i].textContent.slice(0, 30)}" is not below its heading`);
					break;
				}
	}
	return found;
}

/* Texts that no user should see: names of variables, values that were not converted, and words of the command line. */
function oddTexts() {
	const text = document.querySelector("main").innerText.replace(/#\/\S+/g, "");
	return (text.match(/\b(undefined|NaN|INST_ID|null)\b|\[object \w+\]|\bprofdepot [a-z]+|\bprofdepot-[a-z]+\(|\b(load|use|option) --[a-z]+/g) || []).slice(0, 3);
}

/* Each page is loaded once per list. Charts take their width when they are drawn, so a list begins with its narrowest window. */
for (const looks of [[[1280, false], [1280, true], [1600, false], [1600, true]], [[400, false], [400, true]]]) {
	const found = looks.map(() => []);
	const page = await t.open("#/", { width: looks[0][0], dark: looks[0][1], trouble: true, token: "pd_admin" });
	for (const [hash, act] of PAGES) {
		let at = 0;
		try {
			await t.look(page, ...looks[0]);
			/* The same address does not load the page again. */
			if (page.url().endsWith(hash))
				await t.go(page, "#/another-page");
			await t.go(page, hash);
			await act?.(page);
			for (; at < looks.length; at++) {
				const [width, dark] = looks[at];
				await t.look(page, width, dark);
				await t.settled(page);
				await t.readable(page, hash);
				t.is(await page.evaluate(badTables), [], "tables");
				if (!/99999|nonsense/.test(hash) && !OWN_WINDOW.some(w => hash.includes(w)))
					t.is(await page.evaluate(oddTexts), [], "odd texts");
				await t.shot(page, `size-${width}${dark ? "-dark" : ""}-${hash.replace(/[^a-z0-9]+/gi, "-")}`, true);
			}
		} catch (e) {
			found[at].push(`${hash}: ${e.message}`);
		}
	}
	for (const [i, [width, dark]] of looks.entries())
		await t.test(`${width} pixels, ${dark ? "dark" : "light"}: ${PAGES.length} pages fit, and their texts have enough contrast`, async () =>
			t.is(found[i], [], "pages"));
	await page.context().close();
}
await t.end();
})();
