/* Checks the pages in argv[2] in Chromium; prints TAP. html_browser.sh makes the pages. */
"use strict";
const path = require("path");
const { Browser } = require("../../lib/chromium.js");

const folder = process.argv[2], shots = process.argv[3];
let count = 0, failed = 0;

function ok(holds, text, said) {
	count++;
	failed += !holds;
	console.log(`${holds ? "ok" : "not ok"} ${count} - ${text}`);
	if (!holds && said !== undefined)
		console.log(`# ${JSON.stringify(said)}`);
}

function is(got, expected, text) {
	ok(JSON.stringify(got) === JSON.stringify(expected), text, { got, expected });
}

/* Runs in the page: returns elements that do not fit, and the text's lowest contrast. */
const look = `(() => {
	const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
	const luminance = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
	const colour = s => s.match(/[\\d.]+/g).map(Number);
	const behind = e => {
		for (; e; e = e.parentElement) {
			const c = colour(getComputedStyle(e).backgroundColor);
			if (c.length < 4 || c[3] > 0.99)
				return c;
		}
		return [255, 255, 255];
	};
	let least = 99, where = "";
	for (const e of document.querySelectorAll("h1,h2,h3,dt,dd,th,td,summary,.badge,.delta,.at,.in,.none,footer,button")) {
		if (!e.getClientRects().length || !e.textContent.trim() || e.closest("svg"))
			continue;
		const a = luminance(colour(getComputedStyle(e).color)), b = luminance(behind(e));
		const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (contrast < least) {
			least = contrast;
			where = e.className + " " + e.textContent.slice(0, 30);
		}
	}
	return { scrolls: document.documentElement.scrollWidth > innerWidth, contrast: least, where };
})()`;

const VIEWS = [
	{ width: 1280, height: 860, dark: false },
	{ width: 1280, height: 860, dark: true },
	{ width: 420, height: 860, dark: false },
	{ width: 420, height: 860, dark: true },
];

const SHOTS = ["leaks", "leaks-dark", "leaks-narrow", "errors", "diff", "diff-dark"];

async function open(browser, name, view) {
	return browser.open("file://" + path.resolve(folder, name + ".html"), view);
}

async function judgeViews(browser) {
	for (const name of ["leaks", "errors", "modules", "summary", "diff", "several", "trend", "dossier"])
		for (const view of VIEWS) {
			const page = await open(browser, name, view);
			const text = `${name}, ${view.width} pixels, ${view.dark ? "dark" : "light"}`;
			await page.evaluate("document.querySelectorAll('.record details').forEach((d, i) => d.open = i < 2)");
			const seen = await page.evaluate(look);
			is(page.troubles, [], text + ": no exception and no violation of the policy");
			is(page.requests.length, 1, text + ": the page loads no other files");
			ok(!seen.scrolls, text + ": the page fits the width of the window");
			ok(seen.contrast >= 4.5, text + ": the text has enough contrast", seen);
			const shot = `${name}${view.width < 1000 ? "-narrow" : ""}${view.dark ? "-dark" : ""}`;
			if (shots && SHOTS.includes(shot))
				await page.screenshot(path.join(shots, shot + ".png"));
			await page.close();
		}
}

const order = "[...document.querySelectorAll('.record')].filter(r => !r.hidden).map(r => r.dataset.size).join(' ')";

async function judgeRecords(browser) {
	let page = await open(browser, "odd", VIEWS[0]);
	is(page.troubles, [], "names that contain markup cause no error");
	is(await page.evaluate("document.querySelectorAll('img,main script').length"), 0, "names do not become markup");
	is(await page.evaluate("[...document.querySelectorAll('.frames .fn')].some(e => e.textContent === '<img/src=x/onerror=alert(1)>')"),
		true, "names are shown unchanged");
	await page.close();
	page = await open(browser, "leaks", VIEWS[0]);
	is(await page.evaluate("[...document.querySelectorAll('.card dt')].map(e => e.textContent)"),
		["Records", "Blocks", "Size", "Suppressed"], "each total is shown in a card");
	ok((await page.evaluate("document.querySelector('.notes').textContent")).includes("matches nothing: leak:never"),
		"the notes list suppressions that match nothing");
	is(await page.evaluate("[...document.querySelectorAll('.parts tbody tr')].map(r => [...r.cells].map(c => c.textContent).join(' '))"),
		["directly lost 2 11 8,222 bytes", "indirectly lost 1 47 61,000 bytes"], "a table contains the totals for each kind");
	is(await page.evaluate("document.querySelectorAll('svg.flame .chart g').length > 5"), true, "the page has a flame graph");
	is(await page.evaluate("document.querySelectorAll('.record details[open]').length"), 0, "stacks are folded");
	await page.click(".record summary");
	is(await page.evaluate("document.querySelector('.record details').open"), true, "a click opens a stack");
	await page.evaluate("document.querySelectorAll('.record summary')[1].focus()");
	await page.press("Enter");
	is(await page.evaluate("document.querySelectorAll('.record details')[1].open"), true, "Enter opens a stack");
	is(await page.evaluate(order), "8192 30 61000", "at first, records are in the report's order");
	await page.evaluate("(() => { const s = document.querySelector('select'); s.value = 'size'; s.dispatchEvent(new Event('change')); })()");
	is(await page.evaluate(order), "61000 8192 30", "records can be sorted by size");
	await page.evaluate("document.activeElement.blur()");
	await page.press("/");
	await page.type("cart_fill");
	is(await page.evaluate(order), "61000", "the / key moves the focus to the filter, which searches the stacks");
	is(await page.evaluate("document.querySelector('.tools output').textContent"), "1 of 3", "the filter counts the records");
	await page.close();
}

async function judgeDossier(browser) {
	const page = await open(browser, "dossier", VIEWS[0]);
	is(await page.evaluate("[...document.querySelectorAll('.contents a')].map(a => a.hash)"),
		["#summary", "#leaks", "#errors", "#classes", "#hot", "#diff"], "the dossier lists its reports");
	is(await page.evaluate("[...document.querySelectorAll('.contents a')].every(a => document.querySelectorAll('section' + a.hash).length === 1)"),
		true, "each entry leads to one report");
	is(await page.evaluate("document.querySelectorAll('h1').length"), 1, "the dossier is one page");
	is(await page.evaluate("document.querySelectorAll('#leaks svg.flame .chart g').length > 5 && document.querySelectorAll('#diff svg.flame .chart g').length > 5"),
		true, "leaks and changes each have a flame graph");
	await page.click("#diff .record summary");
	is(await page.evaluate("[...document.querySelectorAll('details.record[open],.record details[open]')].every(d => d.closest('#diff'))"),
		true, "a click opens a stack of its own report");
	is(await page.evaluate("document.querySelectorAll('#diff .tools, #leaks .tools').length"), 2, "each report has its own filter");
	await page.close();
}

async function judgeGrid(browser) {
	const page = await open(browser, "modules", VIEWS[0]);
	const sort = "document.querySelector('th[aria-sort]') && document.querySelector('th[aria-sort]').getAttribute('aria-sort')";
	is(await page.evaluate(sort), null, "at first, a table is in the report's order");
	await page.click("th.n button");
	is(await page.evaluate(sort), "descending", "a click sorts numbers in descending order");
	await page.click("th.n button");
	is(await page.evaluate(sort), "ascending", "a second click reverses the order");
	await page.close();
}

async function judgeOthers(browser) {
	let page = await open(browser, "diff", VIEWS[0]);
	const badges = await page.evaluate("[...new Set([...document.querySelectorAll('.badge')].map(e => e.textContent))].sort().join(' ')");
	is(badges, "gone grown new", "a comparison marks new, gone and grown rows");
	ok((await page.evaluate("document.querySelector('h2').textContent")).includes("before: result set 1"), "a comparison names its base");
	ok(await page.evaluate("!!document.querySelector('svg.flame .legend')"), "the flame graph of a comparison has a legend");
	await page.close();
	page = await open(browser, "several", VIEWS[0]);
	is(await page.evaluate("document.querySelectorAll('.set').length"), 3, "several result sets are on one page");
	is(await page.evaluate("document.querySelectorAll('svg.flame.live').length"), 2, "each result set with stacks has an interactive flame graph");
	await page.close();
	page = await open(browser, "trend", VIEWS[0]);
	is(await page.evaluate("document.querySelectorAll('.series .line').length"), 2, "a trend has a line between each pair of neighbouring values");
	is(await page.evaluate("[...document.querySelectorAll('.series circle title')].map(e => e.textContent).slice(0, 2)"),
		["1, before.log: 55.7 KiB", "2, after.log: 68.3 KiB"], "each point of a trend has a label");
	ok(await page.evaluate("(() => { const y = [...document.querySelectorAll('.series circle')].map(e => +e.getAttribute('cy')); return y[1] < y[0] && y[0] < y[2]; })()"),
		"larger values of a trend are drawn higher");
	is(await page.evaluate("document.querySelectorAll('.grid tbody tr').length"), 3, "the trend page has a table");
	await page.close();
	page = await open(browser, "tree", VIEWS[0]);
	const calls = await page.evaluate(`[...document.querySelectorAll(".grid tbody tr")].slice(0, 3).map(row => {
		const text = [...row.cells].find(c => /^ *(all|main|session_open)$/.test(c.textContent)).firstChild;
		const range = document.createRange();
		range.setStart(text, text.data.search(/[^ ]/));
		range.setEnd(text, text.data.length);
		return Math.round(range.getBoundingClientRect().x);
	})`);
	ok(calls[0] < calls[1] && calls[1] < calls[2], "calls in a tree are indented", calls);
	await page.close();
	page = await open(browser, "diffroutine", VIEWS[1]);
	ok(await page.evaluate(`[...document.querySelectorAll(".grid td:not(.n)")].every(c => c.textContent.includes(" ") || c.textContent.includes("/")
		|| c.getBoundingClientRect().height < 40)`), "words in tables are not split across lines");
	await page.close();
	page = await open(browser, "errors", VIEWS[0]);
	ok((await page.evaluate("document.querySelector('.record').textContent")).includes("total_reset"),
		"an error is shown with all its stacks");
	await page.close();
}

const paper = `(() => {
	const shown = s => [...document.querySelectorAll(s)].filter(e => e.getClientRects().length).length;
	const style = getComputedStyle(document.documentElement);
	return { page: style.getPropertyValue("--page").trim(), bad: style.getPropertyValue("--bad").trim(),
		tools: shown(".tools,.flame-tools"), folded: document.querySelectorAll("details:not([open])").length,
		arrow: [...document.querySelectorAll(".grid th button")].some(b => getComputedStyle(b, "::after").display !== "none"),
		scrolls: document.documentElement.scrollWidth > innerWidth };
})()`;

async function judgePaper(browser) {
	for (const name of ["leaks", "errors", "modules", "summary", "diff", "tree", "dossier"]) {
		const page = await open(browser, name, { width: 700, height: 900, dark: true });
		const folded = await page.evaluate("document.querySelectorAll('details:not([open])').length");
		await page.send("Emulation.setEmulatedMedia", { media: "print", features: [{ name: "prefers-color-scheme", value: "dark" }] });
		await page.evaluate("dispatchEvent(new Event('beforeprint'))");
		const seen = await page.evaluate(paper);
		is(seen, { page: "#fff", bad: "#a3231c", tools: 0, folded: 0, arrow: false, scrolls: false }, `${name}: the page is printed in light colours, unfolded and without buttons`);
		await page.evaluate("dispatchEvent(new Event('afterprint'))");
		is(await page.evaluate("document.querySelectorAll('details:not([open])').length"), folded, `${name}: printing does not change the screen`);
		await page.close();
	}
}

(async () => {
	const browser = await Browser.start();
	try {
		await judgeViews(browser);
		await judgeRecords(browser);
		await judgeDossier(browser);
		await judgeGrid(browser);
		await judgeOthers(browser);
		await judgePaper(browser);
	} finally {
		await browser.stop();
	}
	console.log(`1..${count}`);
	process.exit(failed ? 1 : 0);
})().catch(e => {
	console.log(`Bail out! ${e.stack}`.replace(/\n/g, " "));
	process.exit(1);
});
