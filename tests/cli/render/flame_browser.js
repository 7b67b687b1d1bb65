/* Checks the pictures in argv[2] in Chromium; prints TAP. flame_browser.sh makes the pictures. */
"use strict";
const fs = require("fs");
const path = require("path");
const { Browser } = require("../../lib/chromium.js");

const folder = process.argv[2], shots = process.argv[3];
let count = 0, failed = 0;

function ok(holds, text, said) {
	count++;
	failed += !holds;
	console.log(`${holds ? "ok" : "not ok"} ${count} - ${text}`);
	if (!holds && said !== undefined)
		console.log(`# ${typeof said === "string" ? said : JSON.stringify(said)}`.replace(/\n/g, "\n# "));
}

function is(got, expected, text) {
	ok(JSON.stringify(got) === JSON.stringify(expected), text, { got, expected });
}

function like(got, pattern, text) {
	ok(pattern.test(got), text, { got, pattern: String(pattern) });
}

/* Runs in the page: returns numbers and texts that describe the drawing. */
const look = `(() => {
	const svg = document.querySelector("svg.flame"), chart = svg.querySelector(".chart");
	const all = [...chart.querySelectorAll("g")];
	const shown = all.filter(g => g.style.display !== "none");
	const luminance = colour => {
		const [r, g, b] = colour.match(/[\\d.]+/g).map(v => v / 255)
			.map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const contrasts = [], outside = [];
	for (const g of shown) {
		const text = g.querySelector("text"), rect = g.querySelector("rect");
		if (!text || !text.textContent)
			continue;
		const t = text.getBoundingClientRect(), r = rect.getBoundingClientRect();
		if (t.left < r.left - 1 || t.right > r.right + 1 || t.top < r.top - 2 || t.bottom > r.bottom + 2)
			outside.push(text.textContent);
		const a = luminance(getComputedStyle(text).fill), b = luminance(getComputedStyle(rect).fill);
		contrasts.push((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
	}
	const tops = shown.map(g => g.querySelector("rect").getBoundingClientRect().top);
	const tools = document.querySelector(".flame-tools").getBoundingClientRect();
	const heads = [...document.querySelectorAll(".head,.note,h1,.legend,.chart")]
		.filter(e => e.getClientRects().length);
	return {
		frames: all.length, shown: shown.length, labels: contrasts.length, outside,
		contrast: Math.min(...contrasts),
		above: tops[0] <= Math.min(...tops),
		scrolls: document.documentElement.scrollWidth > innerWidth,
		covered: heads.filter(e => {
			const box = e.matches("text") ? e.getBBox() : null, r = e.getBoundingClientRect();
			const controls = [...document.querySelectorAll(".flame-tools>*")]
				.map(c => c.getBoundingClientRect());
			return controls.some(c => c.width && c.left < r.right - 1 && c.right > r.left + 1
				&& c.top < r.bottom - 1 && c.bottom > r.top + 1);
		}).map(e => e.getAttribute("class") || e.tagName),
		background: luminance(getComputedStyle(document.documentElement).backgroundColor
			=== "rgba(0, 0, 0, 0)" ? getComputedStyle(document.body || document.documentElement)
			.backgroundColor : getComputedStyle(document.documentElement).backgroundColor),
	};
})()`;

/* Returns an expression for the frame with this label. */
function frame(label) {
	return `([...document.querySelectorAll(".chart g")].find(g => g.querySelector("title").textContent`
		+ `.split("\\n")[0] === ${JSON.stringify(label)}))`;
}

const part = label => `(() => { const r = ${frame(label)}.querySelector("rect");
	return r.parentNode.style.display === "none" ? "hidden" : r.getAttribute("width"); })()`;
const detail = `document.querySelector(".detail").textContent`;
const found = `document.querySelector(".flame-tools output").textContent`;
const reset = `([...document.querySelectorAll(".flame-tools button")].find(b => b.textContent === "Reset zoom"))`;
const flip = `([...document.querySelectorAll(".flame-tools button")].find(b => b.textContent === "Flip"))`;

async function open(browser, file, options) {
	const page = await browser.open("file://" + path.resolve(folder, file), options);
	if (shots)
		await page.screenshot(path.join(shots,
			`${file}-${options?.width || 1200}${options?.dark ? "-dark" : ""}.png`));
	return page;
}

/* Checks that the page caused no exception, violated no policy, and loaded no other file. */
async function harmless(page, file) {
	is(page.troubles, [], `${file}: no exception, alert or violation of the policy`);
	is(page.requests.filter(u => !u.startsWith("file:") || !u.endsWith(file)), [],
		`${file}: the page loads no other files`);
	await page.close();
}

async function judgeLooks(browser, file, frames) {
	for (const width of [1200, 480])
		for (const dark of [false, true]) {
			const page = await open(browser, file, { width, dark });
			const seen = await page.evaluate(look);
			const what = `${file}, ${width} px, ${dark ? "dark" : "light"}`;
			is(seen.outside, [], `${what}: labels stay in their frames`);
			ok(seen.labels > 0 && seen.contrast >= 4.5, `${what}: labels can be read`, seen);
			is([seen.scrolls, seen.covered], [false, []], `${what}: the page does not scroll, tools cover nothing`);
			ok(dark ? seen.background < 0.05 : seen.background > 0.9, `${what}: the background is ${dark ? "dark" : "light"}`, seen.background);
			if (frames)
				is(seen.frames, frames, `${what}: all frames are drawn`);
			await harmless(page, file);
		}
}

async function judgeUse(browser, file) {
	const page = await open(browser, file);
	const run = "T<script>alert(1)</script>.run";
	await page.hover(frame(run));
	like(await page.evaluate(detail), /^T<script>alert\(1\)<\/script>\.run · 187 B, 79\.57 % · self 120 B, 51\.06 % · app\.exe, a&b\.pas:20/,
		`${file}: hovering shows name, value, share and place`);
	await page.click(frame(run));
	is(await page.evaluate(part(run)), "100%", `${file}: a click makes the frame as wide as the picture`);
	is([await page.evaluate(part("main")), await page.evaluate(`${frame("main")}.classList.contains("above")`)],
		["100%", true], `${file}: zooming keeps the callers, paler`);
	is(await page.evaluate(part("[only<module>.dll]")), "hidden", `${file}: zooming hides the frames beside it`);
	is(await page.evaluate(`${reset}.hidden`), false, `${file}: zooming shows the button Reset zoom`);
	await page.click(reset);
	like(await page.evaluate(part(run)), /^79\.57/, `${file}: Reset zoom restores the width`);
	is(await page.evaluate(`${reset}.hidden`), true, `${file}: Reset zoom hides the button`);

	await page.click(".flame-tools input");
	await page.type("semi;|^main$");
	is(await page.evaluate(found), "2 found, 98.72 %", `${file}: search counts nested hits once`);
	is(await page.evaluate(`[...document.querySelectorAll(".chart .hit title")].map(t => t.textContent.split("\\n")[0]).sort()`),
		["main", "semi;colon"], `${file}: search marks the hits`);
	await page.press("Escape");
	is(await page.evaluate(`[${found}, document.querySelector(".flame-tools input").value]`), ["", ""],
		`${file}: Escape ends the search`);
	await page.type("run(");
	is(await page.evaluate(found), "0 found, 0.00 %", `${file}: an invalid regular expression is searched literally`);
	await page.press("Escape");

	await page.evaluate(`document.querySelector(".chart g[tabindex]").focus()`);
	await page.press("ArrowDown");
	like(await page.evaluate(detail), /^main · /, `${file}: ArrowDown moves to the caller`);
	await page.press("ArrowUp");
	like(await page.evaluate(detail), /^T<script>/, `${file}: ArrowUp moves to the called frame`);
	await page.press("Enter");
	is(await page.evaluate(part(run)), "100%", `${file}: Enter zooms to the frame`);
	await page.press("Escape");
	like(await page.evaluate(part(run)), /^79\.57/, `${file}: Escape resets the zoom`);
	await page.press("f", 2);
	is(await page.evaluate(`document.activeElement.type`), "search", `${file}: Ctrl-F moves to the search box`);
	is((await page.evaluate(look)).above, false, `${file}: the root is at the bottom`);
	await page.click(flip);
	is((await page.evaluate(look)).above, true, `${file}: Flip puts the root at the top`);
	await page.resize(480, 900);
	await page.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))");
	const seen = await page.evaluate(look);
	is([seen.outside, seen.scrolls, seen.covered], [[], false, []], `${file}: the picture fits a narrowed window`);
	await harmless(page, file);
}

async function judgeCompared(browser, file) {
	const page = await open(browser, file);
	is(await page.evaluate(`document.querySelectorAll(".legend rect").length`), 9, `${file}: there is a legend`);
	await page.hover(frame("[only<module>.dll]"));
	like(await page.evaluate(detail), /^\[only<module>\.dll\] · 20 B → 30 B \(\+10 B, \+50\.0 %\)/,
		`${file}: hovering shows the values before and after`);
	/* The colours must be blue and orange, which colour-blind people can distinguish. */
	const colours = await page.evaluate(`[0, 8].map(i =>
		getComputedStyle(document.querySelector(".legend .d" + i + " rect")).fill.match(/\\d+/g).map(Number))`);
	ok(colours[0][2] > colours[0][0] + 50 && colours[1][0] > colours[1][2] + 50,
		`${file}: gone is blue, new is orange`, colours);
	await harmless(page, file);
}

async function judgeShapes(browser) {
	let page = await open(browser, "deep.svg");
	let seen = await page.evaluate(look);
	is([seen.frames, seen.shown, seen.above], [301, 301, true], "300 levels are drawn with the root at the top");
	await page.click(frame("Space.Class.method_299(int, std::string const&)"));
	is(await page.evaluate(part("Space.Class.method_299(int, std::string const&)")), "100%", "a click on the innermost of 300 frames zooms to it");
	await harmless(page, "deep.svg");
	page = await open(browser, "wide.html");
	seen = await page.evaluate(look);
	ok(seen.frames > 1000 && seen.labels >= 3, "4,000 frames are drawn side by side", seen);
	like(await page.evaluate(`document.querySelector("dl").textContent`), /narrower than 0\.1 px/, "the page counts frames that are too narrow to draw");
	await harmless(page, "wide.html");
	page = await open(browser, "one.svg");
	like(await page.evaluate(`document.querySelector(".note").textContent`), /; 1 call drawn$/, "the note for a single call is singular");
	await harmless(page, "one.svg");
	for (const file of ["names.svg", "names.html"]) {
		page = await open(browser, file);
		is(await page.evaluate(`document.querySelectorAll("img,iframe,object,embed,a").length
			+ document.querySelectorAll("script").length`), 1, `${file}: names do not become markup`);
		const names = await page.evaluate(`[...document.querySelectorAll(".chart title")].map(t => t.textContent.split("\\n")[0])`);
		for (const name of ["<img src=x onerror=alert(1)>&'\"]]> --> </script><script>alert(2)</script>",
			"bidi\\u202eabc\\u2066x", "nul\\u0000x\\x01\\x1b[31m", "x".repeat(2000), "\\ud800 alone",
			"</title></svg><svg onload=alert(4)>"])
			ok(names.includes(name), `${file}: the name ${name.slice(0, 40)} is shown`, names);
		await page.hover(frame("x".repeat(2000)));
		is((await page.evaluate(look)).scrolls, false, `${file}: a long name does not widen the page`);
		await harmless(page, file);
	}
	page = await open(browser, "inverted.svg", { width: 480 });
	seen = await page.evaluate(look);
	is([seen.outside, seen.above], [[], true], "an inverted graph has the root at the top");
	await harmless(page, "inverted.svg");
}

(async () => {
	const browser = await Browser.start();
	try {
		for (const ending of ["svg", "html"]) {
			await judgeLooks(browser, "after." + ending);
			await judgeLooks(browser, "compared." + ending);
			await judgeUse(browser, "after." + ending);
			await judgeCompared(browser, "compared." + ending);
		}
		await judgeLooks(browser, "names.html", 13);
		await judgeShapes(browser);
	} catch (e) {
		ok(false, "the test runs without an exception", e.stack);
	}
	await browser.stop();
	console.log(`1..${count}`);
	process.exit(failed ? 1 : 0);
})();
