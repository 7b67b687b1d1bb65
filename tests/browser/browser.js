/*
 * Tests pages of a running server in Chromium with playwright-core; TAP on standard output.
 *
 *	const t = await require("./browser.js").start();
 *	const page = await t.open("#/trend", { width: 480, dark: true, trouble: true });
 *	await t.test("description", async () => { await page.click("text=Trends"); t.is(1, 1, "..."); });
 *	await t.end();
 *
 * A page must not log an error, raise an exception, show a dialog or contact another host. `trouble`
 * means that the page may receive server errors. BROWSER_SHOTS is a folder for screenshots.
 */
"use strict";
const { createRequire } = require("module");
const fs = require("fs"), path = require("path");
const { Browser } = require("../lib/chromium.js");
const packages = createRequire(path.resolve(process.env.srcdir, "web/package.json"));
const { chromium } = packages("playwright-core");
const axe = fs.readFileSync(packages.resolve("axe-core/axe.min.js"), "utf8");

const base = process.env.BASE, shots = process.env.BROWSER_SHOTS, all = process.env.BROWSER_SHOTS_ALL;
/* Software WebGL for speedscope's viewer; pages do not need GPU compositing. */
const OPTIONS = ["--no-sandbox", "--disable-dev-shm-usage", "--use-gl=angle", "--use-angle=swiftshader",
	"--enable-unsafe-swiftshader", "--disable-gpu-compositing"];

class Tests {
	constructor() {
		Object.assign(this, { count: 0, failed: 0, pages: [] });
	}

	tell(ok, text) {
		this.count++;
		this.failed += !ok;
		console.log(`${ok ? "ok" : "not ok"} ${this.count} - ${text}`);
	}

	async test(text, f) {
		try {
			await f();
			this.tell(true, text);
		} catch (e) {
			this.tell(false, text);
			console.log(String(e.stack || e).replace(/^/gm, "# "));
			if (shots && all)
				for (const p of this.pages)
					if (!p.isClosed())
						await p.screenshot({ path: path.join(shots, `failed-${this.count}.png`) });
		}
	}

	is(got, expected, what) {
		if (JSON.stringify(got) !== JSON.stringify(expected))
			throw new Error(`${what}: got ${JSON.stringify(got)}, expected ${JSON.stringify(expected)}`);
	}

	ok(holds, what) {
		if (!holds)
			throw new Error(what);
	}

	/* Waits until f() is true; after 10 seconds, throws an error with the text `what`. */
	async until(f, what) {
		for (let i = 0; i < 100; i++) {
			if (await f())
				return;
			await new Promise(r => setTimeout(r, 100));
		}
		throw new Error(what);
	}

	async open(hash, { width = 1280, height = 900, dark = false, trouble = false, script = true, token } = {}) {
		const context = await this.browser.newContext({ viewport: { width, height }, javaScriptEnabled: script,
			colorScheme: dark ? "dark" : "light", reducedMotion: "reduce", acceptDownloads: true });
		const page = await context.newPage();
		page.setDefaultTimeout(20000);
		if (token)
			await context.request.post(`${base}/v1/session`, { data: { token } });
		page.troubles = [];
		page.on("console", m => {
			if (m.type() === "error" && !(trouble && /Failed to load resource/.test(m.text())))
				page.troubles.push(m.text());
		});
		page.on("pageerror", e => page.troubles.push(String(e.stack)));
		page.on("dialog", d => { page.troubles.push(`dialog: ${d.message()}`); d.dismiss(); });
		page.on("request", r => {
			if (!r.url().startsWith(`${base}/`) && !/^(blob|data):/.test(r.url()))
				page.troubles.push(`asked ${r.url()}`);
		});
		this.pages.push(page);
		await page.goto(`${base}/${hash}`);
		await this.settled(page);
		return page;
	}

	/* Waits until nothing is loading. */
	async settled(page) {
		await page.waitForFunction(() => document.querySelector("main")?.firstChild &&
			!document.querySelector(".state.loading, [aria-busy]"));
		await page.waitForTimeout(150);
	}

	/* Waits for the event, because until then the page still shows the old address. */
	async go(page, hash) {
		await page.evaluate(h => new Promise(done => {
			const before = location.href;
			addEventListener("hashchange", () => done(), { once: true });
			location.hash = h;
			if (location.href === before)
				done();
		}), hash.slice(1));
		await page.waitForTimeout(50);
		await this.settled(page);
	}

	/* Changes the size of the window and the colour scheme. */
	async look(page, width, dark) {
		await page.setViewportSize({ width, height: 900 });
		await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
	}

	async rows(page, selector = "main table tbody tr") {
		return page.$$eval(selector, all => all.map(r => [...r.cells].map(c => c.textContent.trim())));
	}

	/* Checks that nothing is cut off on the right, except in elements that scroll. */
	async fits(page, what) {
		const [wide, room] = await page.evaluate(() =>
			[document.scrollingElement.scrollWidth, document.documentElement.clientWidth]);
		this.ok(wide <= room, `${what} is ${wide} wide in ${room}`);
	}

	/* Checks the page with all rules of Axe. Frames contain pages of other projects, which are not checked. */
	async axe(page, what) {
		if (!await page.evaluate(() => Boolean(window.axe)))
			await page.evaluate(axe);
		const { violations } = await page.evaluate(() => window.axe.run(document, { iframes: false, resultTypes: ["violations"] }));
		this.is(violations.flatMap(v => v.nodes.map(n => `${v.impact} ${v.id}: ${n.html.slice(0, 120)} ${n.any.map(a => a.message).join("; ")}`)),
			[], `found by Axe on ${what}`);
	}

	/* Checks that nothing is cut off, that all controls have names, and that the contrast is sufficient. */
	async readable(page, what) {
		await this.fits(page, what);
		this.is(await page.evaluate(unnamed), [], `without a name on ${what}`);
		this.is(await page.evaluate(pale), [], `too pale on ${what}`);
	}

	/* Like readable(), and also checks that Axe finds nothing. */
	async accessible(page, what) {
		await this.axe(page, what);
		await this.readable(page, what);
	}

	/* Takes a screenshot for the documentation. With `more`, takes it only if BROWSER_SHOTS_ALL is
	 * set. */
	async shot(page, name, more = false) {
		if (shots && (all || !more))
			await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage: true });
	}

	async end() {
		await this.test("no page logged an error, showed a dialog or contacted another host", () =>
			this.is(this.pages.flatMap(p => p.troubles), [], "troubles"));
		await this.browser.close();
		console.log(`1..${this.count}`);
		process.exit(this.failed ? 1 : 0);
	}
}

exports.base = base;
exports.start = async () => {
	const t = new Tests();
	t.browser = await chromium.launch({ executablePath: Browser.find(), args: OPTIONS });
	return t;
};

/* Controls without an accessible name. */
function unnamed() {
	return [...document.querySelectorAll("input, select, button, a, summary, iframe, [role=treeitem]")].filter(e =>
		!(e.labels?.length || e.getAttribute("aria-label") || e.title || e.textContent.trim())).map(e => e.outerHTML.slice(0, 80));
}

/* Finds text with a contrast below 4.5. */
function pale() {
	const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const colours = new Map();
	/* Reading pixels is slow, and a page has few colours. */
	const rgb = c => {
		if (!colours.has(c)) {
			canvas.clearRect(0, 0, 1, 1);
			canvas.fillStyle = c;
			canvas.fillRect(0, 0, 1, 1);
			colours.set(c, [...canvas.getImageData(0, 0, 1, 1).data]);
		}
		return colours.get(c);
	};
	const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
		.reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
	const behind = e => {
		for (; e; e = e.parentElement) {
			const c = rgb(getComputedStyle(e).backgroundColor);
			if (c[3] > 250)
				return c;
		}
		return [255, 255, 255, 255];
	};
	const found = new Set();
	for (const e of document.querySelectorAll("main *:not(svg *):not(option), header *")) {
		if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || !e.getClientRects().length || e.closest(".unseen, :disabled"))
			continue;
		const [x, y] = [light(rgb(getComputedStyle(e).color)), light(behind(e))].sort((a, b) => b - a);
		if ((x + 0.05) / (y + 0.05) < 4.5)
			found.add(`${e.className || e.tagName}: ${((x + 0.05) / (y + 0.05)).toFixed(2)} ${e.textContent.slice(0, 30)}`);
	}
	return [...found];
}
