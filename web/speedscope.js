/* speedscope's own viewer on a result set, from this server and under a policy of its own. */
import { h } from "./dom.js";
import { aSet, ask, exportUrl, token } from "./api.js";
import { head } from "./set.js";

/* The viewer fetches without a token, so it is given what was fetched with one. */
async function profileUrl(id) {
	const url = exportUrl(id, "speedscope");
	if (!token())
		return url;
	return URL.createObjectURL(await (await ask(url)).blob());
}

export default async function ({ id }) {
	const s = await aSet(id);
	const viewer = (await fetch("/web/vendor/speedscope/index.html", { method: "HEAD" })).ok;
	if (!viewer)
		return [head(s, "speedscope", "speedscope"), h("div", { class: "state wrong" },
			h("p", null, "This build of profdepot has no viewer of speedscope: it was made without npm."),
			h("p", null, h("a", { href: exportUrl(id, "speedscope"), download: `result-set-${id}.speedscope.json` },
				"The same as a file for it")))];
	const src = `/web/vendor/speedscope/index.html#profileURL=${encodeURIComponent(await profileUrl(id))}`;
	return [head(s, "speedscope", "speedscope"),
		h("p", { class: "hint" }, "speedscope shows one track at a time; its keys are told by ?. ",
			h("a", { href: src, target: "_blank" }, "In a tab of its own")),
		h("iframe", { class: "viewer", src, title: `speedscope: ${s.caption}` })];
}
