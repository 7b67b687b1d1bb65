/* Every page of every result set that corpora.sh loaded. */
"use strict";
const { start, base } = require("./browser.js");

(async () => {
const t = await start();
const page = await t.open("");
const get = async url => (await page.request.get(base + url)).json();
const sets = (await get("/v1/result-sets?output=json")).result_sets[0].rows;

await t.test("the corpora are there, of every kind", async () => {
	const formats = new Set(sets.map(s => s.format));
	for (const f of ["aqtime", "chrome", "kernelscope", "miniprofiler", "speedscope", "valgrind", "sanitizer", "heaptrack"])
		t.ok(formats.has(f), `no ${f} among ${[...formats]}`);
	t.is((await t.rows(page)).length, sets.length, "rows");
});

const at = (s, what) => t.go(page, `#/sets/${s.inst_id}${what}`);
const right = async (s, what) => t.is(await page.$$eval(".state.wrong", all => all.map(e => e.textContent)), [], `${s.caption} ${what}`);

await t.test("each summary names its result set and its tabs", async () => {
	for (const s of sets) {
		await at(s, "");
		await right(s, "summary");
		t.is(await page.textContent("h1"), s.caption || `Result set ${s.inst_id}`, "caption");
		await t.fits(page, s.caption);
	}
});

await t.test("each report that has something to say shows the server's rows", async () => {
	const done = new Map();
	for (const s of sets) {
		/* Two of a format, every report of them. */
		done.set(s.format, (done.get(s.format) || 0) + 1);
		if (done.get(s.format) > 2)
			continue;
		const names = new Set((await get(`/v1/result-sets/${s.inst_id}/reports`)).map(r => r.name));
		for (const name of names) {
			if (["diff", "trend", "timings-trend", "stack"].includes(name))
				continue;
			await at(s, `/report/${name}`);
			await right(s, name);
			const url = `/v1/result-sets/${s.inst_id}/reports/${name}?format=json`;
			const rows = (await get(url)).result_sets[0].rows.length;
			t.is(await page.$$eval("main table.grid > tbody > tr", all => all.length), Math.min(rows, 100), `${s.caption} ${name}`);
		}
	}
});

await t.test("each flame graph has the server's root, and a frame for every call that is wide enough", async () => {
	for (const s of sets) {
		const { metrics } = await get(`/v1/result-sets/${s.inst_id}`);
		if (!metrics.length)
			continue;
		const tree = await get(`/v1/result-sets/${s.inst_id}/flame?format=json&metric=${encodeURIComponent(metrics[0].name)}`);
		await at(s, "/flame");
		await right(s, "flame");
		if (!tree.children?.length) {
			await page.waitForSelector(".state.empty");
			continue;
		}
		await page.waitForSelector(".d3-flame-graph g.frame");
		const shown = await page.$$eval(".d3-flame-graph g.frame", all => all.map(e => e.getAttribute("name")));
		t.ok(shown.includes(tree.name) && shown.includes(tree.children[0].name), `${s.caption}: ${shown.slice(0, 3)}`);
	}
});

await t.test("each profile of MiniProfiler shows its steps and calls", async () => {
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
		const { totals } = (await get(`/v1/result-sets/${s.inst_id}/reports/usertimings?format=json&by=time`)).result_sets[0];
		t.is(await page.$$eval(".timing", all => all.length), Math.min(totals.rows, 2000), s.caption);
	}
});

await t.test("events: as many as the server tells, page after page", async () => {
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

await t.test("two result sets of a kind compare", async () => {
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
