/* The page for the speedscope viewer, which the server sends with a separate security policy. It shows one metric of one
 * track, because the viewer takes long to open large files. */
import { h, show, field, select, empty, figure } from "./dom.js";
import { aSet, ask, exportUrl } from "./api.js";
import { change, current } from "./route.js";
import { head, fileLink, nameOfMetric } from "./set.js";

/* The user can choose from at most this many tracks. If no track is chosen, only these tracks are searched for the
 * metric. */
const MOST = 500;

/* Returns the text of the file for the viewer, and the track. The text is undefined if the track does not have the
 * metric. If no track is chosen, returns the first track that has the metric. */
async function profile(id, metric, track, tracks) {
	if (!tracks)
		return { text: await (await ask(exportUrl(id, "speedscope", { metric }))).text() };
	for (let n = track || 1; n <= (track || Math.min(tracks, MOST)); n++) {
		const text = await (await ask(exportUrl(id, "speedscope", { metric, track: n }))).text();
		if (!/"profiles":\s*\[\s*\]/.test(text.slice(-40)))
			return { text, track: n };
	}
	return { track };
}

export default async function ({ id }) {
	const s = await aSet(id), metrics = s.metrics.filter(m => m.family !== "gauges"), tracks = s.rows?.tracks || 0;
	const viewer = (await fetch("/web/vendor/speedscope/index.html", { method: "HEAD" })).ok;
	if (!viewer)
		return [head(s, "speedscope", "speedscope"), h("div", { class: "state wrong" },
			h("p", null, "This server does not include the speedscope viewer."),
			h("p", null, h("a", { href: exportUrl(id, "speedscope"), download: `result-set-${id}.speedscope.json` },
				"Download the file for speedscope")))];
	/* Objects and errors belong to no track. */
	const tracksOf = metric => ["samples", "spans"].includes(metric?.family) ? tracks : 0;
	const place = h("div"), metricOf = () => metrics.find(m => m.name === current().query.get("metric")) || metrics[0];
	const chosen = select({ onchange: e => set("track", e.target.value) }, Array.from({ length: Math.min(tracks, MOST) }, (_, i) => i + 1));
	const trackField = field(`Track, of ${figure(tracks, "count")}`, chosen);
	const redraw = () => show(place, "the profile", async () => {
		const metric = metricOf(), wanted = Number(current().query.get("track")) || null;
		const { text, track } = await profile(id, metric?.name, wanted, tracksOf(metric));
		chosen.value = String(track || "");
		trackField.hidden = !tracksOf(metric);
		if (!text)
			return empty(`The track has no values of ${nameOfMetric(metric)}.`);
		const src = `/web/vendor/speedscope/index.html#profileURL=${encodeURIComponent(URL.createObjectURL(new Blob([text])))}`;
		return [h("p", { class: "hint" }, "In the viewer, press ? to see its keys. ", h("a", { href: src, target: "_blank" }, "Open in a new tab")),
			h("iframe", { class: "viewer", src, title: `speedscope: ${s.caption}` })];
	});
	/* The tracks of the new metric may be different, so the choice of a track is removed. */
	const set = (name, value) => { change({ [name]: value, ...name === "metric" && { track: null } }); redraw(); };
	redraw();
	return [head(s, "speedscope", "speedscope"), h("form", { class: "tools", onsubmit: e => e.preventDefault() },
		field("Metric", select({ onchange: e => set("metric", e.target.value) }, metrics.map(m => [m.name, nameOfMetric(m)]), metricOf()?.name)),
		trackField),
	place, h("p", { class: "exports" }, h("span", null, "Export: "), fileLink(exportUrl(id, "speedscope"), `result-set-${id}.speedscope.json`, "All metrics and tracks"))];
}
