/*
 * A headless Chromium for tests, controlled through its DevTools pipe. Needs only node.
 *
 *	const { Browser } = require("./chromium.js");
 *	const browser = await Browser.start();
 *	const page = await browser.open("file:///...", { width: 480, height: 900, dark: true });
 *	await page.click('rect');          // real mouse events at the element
 *	await page.evaluate("1 + 1");
 *	page.troubles;                     // exceptions, console errors, policy violations
 *	page.requests;                     // requested URLs
 */
"use strict";
const { spawn } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const COMMAND_MS = 60000;

/* Chromium's usual paths on Debian and similar systems; CHROMIUM overrides them. */
function find()
{
	const names = process.env.CHROMIUM ? [ process.env.CHROMIUM ]
					   : [ "chromium", "chromium-browser", "google-chrome" ];
	for (const name of names)
		for (const dir of name.includes("/") ? [ "" ] : process.env.PATH.split(":"))
			if (fs.existsSync(path.join(dir, name)))
				return path.join(dir, name);
	return null;
}

class Page
{
	constructor(browser, session)
	{
		Object.assign(
			this, { browser, session, troubles : [], requests : [], loaded : null });
	}

	send(method, params)
	{
		return this.browser.send(method, params, this.session);
	}

	async evaluate(expression)
	{
		const r = await this.send("Runtime.evaluate",
			{ expression, returnByValue : true, awaitPromise : true });
		if (r.exceptionDetails)
			throw new Error(r.exceptionDetails.exception.description ||
					r.exceptionDetails.text);
		return r.result.value;
	}

	/* Returns the centre of the first element that the selector matches. A selector that begins
	 * with "(" is an expression whose value is the element. */
	async place(selector)
	{
		const p = await this.evaluate(`(() => {
			const e = ${
			selector.startsWith("(")
				? selector
				: `document.querySelector(${JSON.stringify(selector)})`};
			if (!e) return null;
			e.scrollIntoView({ block: "center", inline: "nearest" });
			const r = e.getBoundingClientRect();
			return { x: r.x + r.width / 2, y: r.y + r.height / 2 };
		})()`);
		if (!p)
			throw new Error("cannot find " + selector);
		return p;
	}

	async hover(selector)
	{
		const p = await this.place(selector);
		await this.send("Input.dispatchMouseEvent", { type : "mouseMoved", ...p });
	}

	async click(selector)
	{
		const p = await this.place(selector);
		const button = {...p, button : "left", clickCount : 1 };
		await this.send("Input.dispatchMouseEvent", { type : "mouseMoved", ...p });
		await this.send("Input.dispatchMouseEvent", { type : "mousePressed", ...button });
		await this.send("Input.dispatchMouseEvent", { type : "mouseReleased", ...button });
	}

	/* Presses a key, which is named as in KeyboardEvent.key. The modifier 2 is Control. */
	async press(key, modifiers = 0)
	{
		const codes = {
			Enter : 13,
			Escape : 27,
			Tab : 9,
			" " : 32,
			ArrowLeft : 37,
			ArrowUp : 38,
			ArrowRight : 39,
			ArrowDown : 40,
			Home : 36,
			End : 35,
			Backspace : 8
		};
		const event = {
			key,
			modifiers,
			windowsVirtualKeyCode : codes[key] || key.toUpperCase().charCodeAt(0)
		};
		if (key === "Enter")
			event.text = "\r";
		await this.send("Input.dispatchKeyEvent",
			{ type : event.text ? "keyDown" : "rawKeyDown", ...event });
		await this.send("Input.dispatchKeyEvent", { type : "keyUp", ...event });
	}

	async type(text)
	{
		await this.send("Input.insertText", { text });
	}

	async resize(width, height)
	{
		await this.send("Emulation.setDeviceMetricsOverride",
			{ width, height, deviceScaleFactor : 1, mobile : false });
	}

	async screenshot(file)
	{
		const r = await this.send("Page.captureScreenshot", { format : "png" });
		fs.writeFileSync(file, Buffer.from(r.data, "base64"));
	}

	async close()
	{
		await this.browser.send("Target.closeTarget", { targetId : this.target });
	}

	take(method, params)
	{
		if (method === "Page.loadEventFired" && this.loaded)
			this.loaded();
		else if (method === "Runtime.exceptionThrown")
			this.troubles.push(params.exceptionDetails.exception?.description ||
					   params.exceptionDetails.text);
		else if (method === "Log.entryAdded" && params.entry.level === "error")
			this.troubles.push(params.entry.text);
		else if (method === "Network.requestWillBeSent")
			this.requests.push(params.request.url);
		else if (method === "Page.javascriptDialogOpening")
			this.troubles.push("dialog: " + params.message);
	}
}

class Browser
{
	static find = find;

	static async start()
	{
		const b = new Browser();
		b.home = fs.mkdtempSync(path.join(os.tmpdir(), "chromium-"));
		b.child = spawn(find(),
			[
				"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
				"--no-first-run", "--disable-dev-shm-usage",
				"--user-data-dir=" + b.home, "--remote-debugging-pipe",
				"about:blank"
			],
			{ stdio : [ "ignore", "ignore", "ignore", "pipe", "pipe" ] });
		b.next = 1;
		b.waiting = new Map();
		b.pages = new Map();
		b.rest = Buffer.alloc(0);
		b.child.stdio[4].on("data", data => b.read(data));
		b.child.on("exit",
			() => b.waiting.forEach(w => w.reject(new Error("chromium ended"))));
		return b;
	}

	read(data)
	{
		this.rest = Buffer.concat([ this.rest, data ]);
		for (let end; (end = this.rest.indexOf(0)) >= 0;
			this.rest = this.rest.subarray(end + 1)) {
			const m = JSON.parse(this.rest.subarray(0, end).toString());
			const w = this.waiting.get(m.id);
			if (w) {
				this.waiting.delete(m.id);
				if (m.error)
					w.reject(new Error(w.method + ": " + m.error.message));
				else
					w.resolve(m.result);
			} else if (m.method && this.pages.has(m.sessionId)) {
				this.pages.get(m.sessionId).take(m.method, m.params);
			}
		}
	}

	send(method, params = {}, sessionId = undefined)
	{
		const id = this.next++;
		return new Promise((resolve, reject) => {
			const timer = setTimeout(
				() => reject(new Error(method + ": no answer")), COMMAND_MS);
			this.waiting.set(id, {
				method,
				reject : e => {
					clearTimeout(timer);
					reject(e);
				},
				resolve : r => {
					clearTimeout(timer);
					resolve(r);
				}
			});
			this.child.stdio[3].write(
				JSON.stringify({ id, method, params, sessionId }) + "\0");
		});
	}

	async open(url, { width = 1200, height = 900, dark = false, media = [] } = {})
	{
		const { targetId } =
			await this.send("Target.createTarget", { url : "about:blank" });
		const { sessionId } =
			await this.send("Target.attachToTarget", { targetId, flatten : true });
		const page = new Page(this, sessionId);
		page.target = targetId;
		this.pages.set(sessionId, page);
		for (const domain of ["Page", "Runtime", "Log", "Network"])
			await page.send(domain + ".enable");
		await page.resize(width, height);
		await page.send("Emulation.setEmulatedMedia", {
			features : [
				{ name : "prefers-color-scheme", value : dark ? "dark" : "light" },
				...media
			]
		});
		const loaded = new Promise(resolve => { page.loaded = resolve; });
		await page.send("Page.navigate", { url });
		await loaded;
		return page;
	}

	async stop()
	{
		const ended = new Promise(resolve => this.child.on("exit", resolve));
		this.send("Browser.close").catch(() => {});
		const timer = setTimeout(() => this.child.kill("SIGKILL"), 5000);
		await ended;
		clearTimeout(timer);
		fs.rmSync(this.home, { recursive : true, force : true });
	}
}

module.exports = { Browser };
