/* Opens every page of every result set that corpora.sh loaded. */
"use strict";
const { start, base } = require("./browser.js");

(async () => {
const t = await start();
const page = await t.open("#/sets");
const get = async url => (await page.request.get(base + url)).json();
const sets = (await get("/v1/result-sets?output=json")).result_sets[0].rows;

await t.test("the depot has result sets of every format", async () => {
	const formats = new Set(sets.map(s => s.format));
	for (const f of ["aqtime", "chrome", "kernelscope", "miniprofiler", "speedscope", "valgrind", "sanitizer", "heaptrack"])
		t.ok(formats.has(f), `no ${f} among ${[...formats]}`);
	t.is((await t.rows(page)).length, sets.length, "rows");
});

/* Most time is spent waiting until a page has loaded, so several pages are open in parallel. */
const pages = [page, await t.open(""), await t.open(""), await t.open("")];
const each = async (list, f) => {
	const rest = [...list];
	let trouble = null;
	/* All pages finish before the first error is reported. */
	await Promise.all(pages.map(async p => {
		for (let item = rest.shift(); item && !trouble; item = rest.shift())
			await f(item, p).catch(e => { trouble ||= e; });
	}));
	if (trouble)
		throw trouble;
};
const at = (s, what, p = page) => t.go(p, `#/sets/${s.inst_id}${what}`);
const right = async (s, what, p = page) =>
	t.is(await p.$$eval(".state.wrong", all => all.map(e => e.textContent)), [], `${s.caption} ${what}`);

await t.test("each summary names its result set and its tabs", async () => {
	await each(sets, async (s, p) => {
		await at(s, "", p);
		await right(s, "summary", p);
		t.is(await p.textContent("h1"), s.caption || `Result set ${s.inst_id}`, "caption");
		await t.fits(p, s.caption);
	});
});

await t.test("each report with rows shows the server's rows", async () => {
	const done = new Map();
	const reports = [];
	for (const s of sets) {
		/* Opens every report for two result sets per format. */
		done.set(s.format, (done.get(s.format) || 0) + 1);
		if (done.get(s.format) > 2)
			continue;
		const names = new Set((await get(`/v1/result-sets/${s.inst_id}/reports`)).map(r => r.name));
		for (const name of names)
			if (!["diff", "trend", "timings-trend", "stack"].includes(name))
				reports.push({ s, name });
	}
	await each(reports, async ({ s, name }, p) => {
		await at(s, `/report/${name}`, p);
		await right(s, name, p);
		const expand = await p.$("text=Expand all");
		await expand?.click();
		const url = `/v1/result-sets/${s.inst_id}/reports/${name}?format=json`;
		const rows = (await get(url)).result_sets[0].rows.length;
		t.is(await p.$$eval("main table.grid > tbody > tr", all => all.length), Math.min(rows, expand ? 500 : 100), `${s.caption} ${name}`);
	});
});

await t.test("the page of a routine shows its lines, even if only the calls have lines", async () => {
	const s = sets.find(x => x.format === "valgrind");
	const { rows } = (await get(`/v1/result-sets/${s.inst_id}/reports/errors?format=json`)).result_sets[0];
	const frame = rows.flatMap(r => r.stack).find(f => f.file && f.line && f.routine);
	await at(s, `/entry?routine=${encodeURIComponent([frame.class, frame.routine].filter(Boolean).join("."))}`);
	await page.waitForSelector("strong.at");
	const shown = await page.textContent("strong.at");
	t.ok(shown.startsWith(`${frame.file}:`) && shown.match(/\d+/g).includes(String(frame.line)), `${shown} contains line ${frame.line}`);
});

await t.test("the viewer opens, even if the first track has no values; a module has a page in every format", async () => {
	const traces = [];
	for (const s of sets.filter(x => x.format === "chrome"))
		if (/"profiles":\s*\[\s*\]/.test(await (await page.request.get(`${base}/v1/result-sets/${s.inst_id}/export/speedscope?track=1`)).text()) && (await get(`/v1/result-sets/${s.inst_id}`)).metrics.length)
			traces.push(s);
	t.ok(traces.length, "no trace has an empty first track");
	await each(traces.slice(0, 3), async (s, p) => {
		await at(s, "/speedscope", p);
		await right(s, "speedscope", p);
	});
	const formats = [...new Map(sets.map(s => [s.format, s])).values()];
	await each(formats, async (s, p) => {
		await at(s, "/entry?module=libc.so.6", p);
		await right(s, "module", p);
	});
});

await t.test("each flame graph shows the root value that the server reports, and a frame for every call that is wide enough", async () => {
	await each(sets, async (s, p) => {
		const { metrics } = await get(`/v1/result-sets/${s.inst_id}`);
		if (!metrics.length)
			return;
		const tree = await get(`/v1/result-sets/${s.inst_id}/flame?format=json&metric=${encodeURIComponent(metrics[0].name)}`);
		await at(s, "/flame", p);
		await right(s, "flame", p);
		if (!tree.children?.length) {
			await p.waitForSelector(".state.empty");
			return;
		}
		await p.waitForSelector(".d3-flame-graph g.frame");
		const shown = await p.$$eval(".d3-flame-graph g.frame", all => all.map(e => e.getAttribute("name")));
		t.ok(shown.includes(tree.name) && shown.includes(tree.children[0].name), `${s.caption}: ${shown.slice(0, 3)}`);
	});
});

await t.test("each MiniProfiler profile shows its steps and calls", async () => {
	for (const s of sets.filter(x => x.format === "miniprofiler")) {
		await at(s, "/profile");
		await right(s, "profile");
		const report = async (name, query) =>
			(await get(`/v1/result-sets/${s.inst_id}/reports/${name}?format=json&${query}`)).result_sets[0].rows;
		const [profile] = await report("profiles", "top=1");
		const rows = [...await report("profile", `by=steps&track=${profile.track}`),
			...await report("profile", `by=calls&track=${profile.track}`)];
		t.ok(rows.length >= profile.steps + profile.calls, `${s.caption}: opening and closing count as no calls`);
		t.is(await page.$$eval(".waterfall tr.step[class], .waterfall tr.call", all => all.filter(e => !e.closest("section")).length),
			rows.length, s.caption);
	}
});

await t.test("each trace shows its user timings", async () => {
	for (const s of sets.filter(x => x.format === "chrome")) {
		await at(s, "/timings");
		await right(s, "timings");
		const { rows } = (await get(`/v1/result-sets/${s.inst_id}/reports/usertimings?format=json&by=time&top=20000`)).result_sets[0];
		const begun = rows.filter(r => r.lost !== "never-begun").length;
		t.is(await page.$$eval(".timeline", all => all.map(e => Number(e.dataset.timings))), begun ? [begun] : [], s.caption);
		t.ok(await page.$$eval(".timeline", all => all.every(e => e.clientHeight < 800)), "the picture is not taller than the screen");
	}
});

await t.test("events: paging shows every event that the server reports", async () => {
	await t.go(page, "#/events?view=groups&by=process");
	const groups = (await t.rows(page)).reduce((n, r) => n + Number(r[1].replace(/,/g, "")), 0);
	await t.go(page, "#/events");
	let rows = (await t.rows(page)).length;
	while (await page.$(".pager button:text('Next'):enabled")) {
		await page.click(".pager button:text('Next')");
		await t.settled(page);
		rows += (await t.rows(page)).length;
	}
	t.is(rows, groups, "events");
});

await t.test("two result sets of the same kind can be compared", async () => {
	for (const format of ["aqtime", "speedscope", "miniprofiler"]) {
		const [a, b] = sets.filter(s => s.format === format);
		await at(a, `/compare?base=${b.inst_id}`);
		await right(a, "compare");
		await at(a, `/flame?base=${b.inst_id}`);
		await right(a, "flame");
		await page.waitForSelector(".d3-flame-graph g.frame");
	}
});
await t.end();
})();
