/* The page for the speedscope viewer, which the server sends with a separate security policy. */
import { h } from "./dom.js";
import { aSet, exportUrl } from "./api.js";
import { head } from "./set.js";

export default async function ({ id }) {
	const s = await aSet(id);
	const viewer = (await fetch("/web/vendor/speedscope/index.html", { method: "HEAD" })).ok;
	if (!viewer)
		return [head(s, "speedscope", "speedscope"), h("div", { class: "state wrong" },
			h("p", null, "This server does not include the speedscope viewer."),
			h("p", null, h("a", { href: exportUrl(id, "speedscope"), download: `result-set-${id}.speedscope.json` },
				"Download the file for speedscope")))];
	const src = `/web/vendor/speedscope/index.html#profileURL=${encodeURIComponent(exportUrl(id, "speedscope"))}`;
	return [head(s, "speedscope", "speedscope"),
		h("p", { class: "hint" }, "speedscope shows one track at a time; press ? to see its keys. ",
			h("a", { href: src, target: "_blank" }, "Open in a new tab")),
		h("iframe", { class: "viewer", src, title: `speedscope: ${s.caption}` })];
}
