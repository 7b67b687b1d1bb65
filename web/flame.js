/* The page for flame graphs of a result set, or of the change since another result set. */
import { h, fill, show, field, select, after, empty, figure, inUnit, plural, say, wrong, listInput } from "./dom.js";
import { aSet, getJson, flameUrl } from "./api.js";
import { basePicker } from "./base.js";
import { change, to } from "./route.js";
import { head, fileLink, nameOfMetric, mainMetric } from "./set.js";
import { routineTable, sandwich } from "./routines.js";
import { flamegraph } from "./vendor.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const CELL = 20;

/* --- colours: warm hues that separate neighbours; for changes, blue to orange, which colour-blind
 * people can distinguish */

function hash(text) {
	let n = 0;
	for (let i = 0; i < text.length; i++)
		n = (n * 31 + text.charCodeAt(i)) >>> 0;
	return n;
}

const CHANGES = {
	light: ["#4a94cf", "#7db4de", "#b0d2ec", "#dbe9f5", "#e6e6e6", "#fde5cd", "#fcc796", "#f7a35a", "#e8772e"],
	dark: ["#1a6fb5", "#21608f", "#295170", "#324656", "#3d4045", "#574433", "#764d28", "#8c4d19", "#a3520f"],
};

function changeColour(d) {
	const larger = Math.max(Math.abs(d.data.value), Math.abs(d.data.base ?? 0)) || 1;
	const share = d.data.delta / larger;
	const step = share === 0 ? 0 : Math.sign(share) * Math.min(4, Math.ceil(Math.abs(share) * 4));
	return CHANGES[dark.matches ? "dark" : "light"][4 + step];
}

/* For each choice of colours, what it is called and the group of a frame; "" if the frame has no group. A package or class
 * is the part of the name before the last separator. */
const COLOURS = {
	module: { title: "module", of: node => node.module || "" },
	package: { title: "package or class", of: node => /^([^(<]*[^(<.:])(?:\.|::)/.exec(node.name)?.[1] || "" },
};

const chosenColours = query => Object.hasOwn(COLOURS, query.get("colour")) ? COLOURS[query.get("colour")] : null;

const hasGroups = (node, groupOf) => (node.children || []).some(c => groupOf(c) || hasGroups(c, groupOf));

/* The groups that a tree shows, with their self values, the largest first: [[group, value]...]. */
function groupsOf(tree, groupOf) {
	const sums = new Map();
	const visit = node => {
		const self = Number(node.value) - (node.children || []).reduce((n, c) => n + Number(c.value), 0), group = groupOf(node);
		sums.set(group, (sums.get(group) || 0) + self);
		for (const c of node.children || [])
			visit(c);
	};
	for (const c of tree.children || [])
		visit(c);
	return [...sums].sort((a, b) => b[1] - a[1]);
}

/* The colour of the group with this index. Hues of successive indices are far from each other. No hue is violet,
 * because violet marks the frames that a search found. Frames without a group are grey. */
function groupColour(group, index) {
	if (!group)
		return dark.matches ? "#45474d" : "#d9d6d0";
	const hue = Math.round((300 + (230 + index * 118.4) % 310) % 360);
	return dark.matches ? `hsl(${hue} 45% 28%)` : `hsl(${hue} 70% 76%)`;
}

function colour(d, differential, groups) {
	if (d.highlight)
		return dark.matches ? "#7348b5" : "#c9a6f5";
	if (differential)
		return changeColour(d);
	if (!d.parent)
		return dark.matches ? "#45474d" : "#d9d6d0";
	if (groups)
		return groupColour(groups.of(d.data), groups.indices.get(groups.of(d.data)));
	const n = hash(d.data.name), hue = 8 + n % 48, shade = (n >>> 8) % 3;
	return dark.matches ? `hsl(${hue} ${52 - 3 * shade}% ${24 + 4 * shade}%)`
		: `hsl(${hue} ${86 - 4 * shade}% ${68 + 5 * shade}%)`;
}

function words(d, unit, total) {
	const { name, value, delta, base, module } = d.data;
	const share = total ? `, ${(100 * value / total).toFixed(2)} %` : "";
	const changed = delta === undefined ? "" :
		`; was ${inUnit(base, unit)}, ${delta > 0 ? "+" : ""}${inUnit(delta, unit)}`;
	return `${name}: ${inUnit(value, unit)}${share}${changed}${module ? `, ${module}` : ""}`;
}

/* --- keys: arrows move between frames, Enter zooms in, Escape zooms out */

function neighbour(d, key, up) {
	const siblings = d.parent?.children || [d];
	const wide = list => (list || []).filter(c => c.x1 > c.x0).sort((a, b) => a.x0 - b.x0);
	const row = wide(siblings), at = row.indexOf(d);
	if (key === "ArrowLeft" || key === "ArrowRight")
		return row[at + (key === "ArrowLeft" ? -1 : 1)];
	if ((key === "ArrowUp") === up)
		return wide(d.children).sort((a, b) => b.value - a.value)[0];
	return d.parent;
}

function makeKeyed(place, chart, inverted, label) {
	const { d3 } = window;
	const svg = place.querySelector("svg");
	svg.setAttribute("role", "tree");
	svg.setAttribute("aria-label", "Flame graph: arrow keys move, Enter zooms in, Escape zooms out");
	const dress = () => svg.querySelectorAll("g").forEach(g => {
		const d = d3.select(g).datum();
		g.setAttribute("tabindex", d.parent ? "-1" : "0");
		g.setAttribute("role", "treeitem");
		g.setAttribute("aria-level", String(d.depth + 1));
		g.setAttribute("aria-label", label(d));
	});
	svg.addEventListener("keydown", e => {
		const g = e.target.closest("g");
		if (!g)
			return;
		const d = d3.select(g).datum();
		if (e.key === "Enter" || e.key === " ")
			chart.zoomTo(d);
		else if (e.key === "Escape")
			chart.resetZoom();
		else if (!e.key.startsWith("Arrow"))
			return;
		const next = e.key.startsWith("Arrow") && neighbour(d, e.key, !inverted);
		if (next)
			d3.select(svg).selectAll("g").filter(x => x === next).node()?.focus();
		e.preventDefault();
	});
	dress();
	return dress;
}

/* --- drawing */

/* Sets node.v, the width that d3-flame-graph draws: the larger of value and base, but at least the sum of the
 * children's widths. */
function widen(node) {
	let below = 0;
	for (const c of node.children || [])
		below += widen(c);
	node.v = Math.max(Math.abs(Number(node.value)), Math.abs(Number(node.base ?? 0)), below);
	return node.v;
}

/* Waits until the element is on the page and has a width; resolves to the width. */
function widthOf(place) {
	return new Promise(known => {
		const seen = new ResizeObserver(() => {
			if (place.clientWidth > 0) {
				seen.disconnect();
				known(place.clientWidth);
			}
		});
		seen.observe(place);
	});
}

/* Reports how many frames match, and their total. If matching frames are nested, the total includes only the outermost
 * one, so that nothing is counted twice. */
function matched(found, unit, total) {
	const all = new Set(found);
	const outer = found.filter(d => {
		for (let p = d.parent; p; p = p.parent)
			if (all.has(p))
				return false;
		return true;
	});
	const sum = outer.reduce((n, d) => n + Number(d.data.value), 0);
	return `Found in ${plural(found.length, "call", "calls")}: ${inUnit(sum, unit)}${total ? `, ${(100 * sum / total).toFixed(2)} %` : ""}`;
}

/* The path from the root to a frame, as the indices of the children: "0.2.1"; "" for the root. */
function pathOf(d) {
	return d.parent ? [pathOf(d.parent), d.parent.data.children.indexOf(d.data)].filter(x => x !== "").join(".") : "";
}

/* Follows a stack, outermost frame first, as far as the tree shows it. */
function frameNamed(root, names) {
	let at = root;
	for (const name of names) {
		const next = at.children?.find(d => d.data.name === name);
		if (!next)
			break;
		at = next;
	}
	return at;
}

function frameAt(root, path) {
	return path.split(".").reduce((d, i) => d?.children?.find(c => c.data === d.data.children[i]), root);
}

/*
 * Draws a tree in `place`. Options: { unit, differential, icicle, groups: { of(node): its group, indices: Map from groups to the indices of their colours },
 * zoom: path of a frame, frame: names of a stack's frames, outermost first, onzoom(path, name) after each zoom, onover(name) when a frame is under the mouse or has the
 * focus, onover(null) otherwise }.
 * The result's mark(name) marks the frames of a routine.
 */
export async function drawFlame(place, tree, o) {
	const { d3, make } = await flamegraph();
	const width = Math.max(300, await widthOf(place));
	const label = d => words(d, o.unit, tree.value);
	const detail = h("output", { class: "detail" });
	const picture = h("div", { class: `picture flame-d3${o.differential ? " differential" : ""}${o.icicle === false ? " upwards" : ""}` });
	place.replaceChildren(detail, picture);
	const chart = make().width(width).cellHeight(CELL).minFrameSize(1).inverted(o.icicle !== false)
		.transitionDuration(still.matches ? 0 : 250).sort((a, b) => b.value - a.value)
		.setLabelHandler(label).setColorMapper(d => colour(d, o.differential, o.groups)).setDetailsElement(detail)
		.setSearchHandler(found => { detail.textContent = matched(found, o.unit, Number(tree.value)); });
	widen(tree);
	d3.select(picture).datum(tree).call(chart);
	const dress = makeKeyed(picture, chart, o.icicle !== false, label);
	picture.addEventListener("focusin", e => {
		const g = e.target.closest("g");
		if (g)
			detail.textContent = label(d3.select(g).datum());
	});
	let marked = null;
	const mark = name => {
		marked = name;
		picture.querySelectorAll("g.frame").forEach(g => g.classList.toggle("near", name !== null && d3.select(g).datum().data.name === name));
	};
	for (const event of ["pointerover", "focusin"])
		picture.addEventListener(event, e => {
			const g = e.target.closest("g.frame");
			o.onover?.(g ? d3.select(g).datum().data.name : null);
		});
	picture.addEventListener("pointerleave", () => o.onover?.(null));
	const root = d3.select(picture.querySelector("g.frame")).datum(), start = o.zoom ? frameAt(root, o.zoom) : o.frame?.length ? frameNamed(root, o.frame) : null;
	if (start)
		chart.zoomTo(start);
	chart.onClick(d => {
		requestAnimationFrame(() => { dress(); mark(marked); });
		o.onzoom?.(pathOf(d), d.parent ? d.data.name : null);
	});
	return { chart, detail, mark };
}

/* Highlights the matching frames. The pattern is tested first, because d3-flame-graph fails on an invalid pattern. */
export function search(drawn, text) {
	if (!drawn)
		return;
	if (!text)
		return drawn.chart.clear();
	try {
		new RegExp(text);
		drawn.chart.search(text);
		say(drawn.detail.textContent);
	} catch {
		drawn.detail.textContent = "Invalid regular expression.";
	}
}

function metricOf(s, query) {
	return s.metrics.find(m => m.name === query.get("metric") && m.family !== "gauges") || mainMetric(s) || s.metrics[0];
}

/* The server sends at most MOST_CALLS frames, unless the link contains a different limit. */
const MOST_CALLS = 8192, MORE = 4;

const callsOf = query => Number(/^\d{1,7}$/.exec(query.get("calls") || "")?.[0]) || null;

function sizeOf(tree) {
	return (tree.children || []).reduce((n, c) => n + sizeOf(c), 1);
}

function asked(s, query) {
	const base = query.get("base");
	return { metric: metricOf(s, query).name, invert: query.get("invert") ? "true" : null, base, max_nodes: callsOf(query),
		normalize: base && query.get("normalize") ? "true" : null, focus: query.getAll("focus"),
		ignore: query.getAll("ignore") };
}

export default async function ({ id, query }) {
	const s = await aSet(id);
	if (!s.metrics?.length)
		return [head(s, "flame", "Flame graph"), empty("This result set has no call tree.")];
	const place = h("div", { class: "flame-place" }), links = h("p", { class: "exports" }), below = h("section", { "aria-label": "Selected routine" });
	const colours = h("p", { class: "hint legend", hidden: true }), colourBy = select({ onchange: e => set("colour", e.target.value) }, [["", "routine"]], "");
	let drawn = null, routines = null, tree = null;
	const now = () => new URLSearchParams(location.hash.split("?")[1] || "");
	const pick = name => {
		const q = change({ routine: name }), { unit } = metricOf(s, q);
		routines?.select(name);
		fill(below, name && sandwich(tree, name, { unit, inverted: q.get("invert"), page: to(["sets", id, "entry"], { routine: name }),
			draw: (inner, part, icicle) => drawFlame(inner, part, { unit, icicle }).catch(() => {}) }));
	};
	const draw = async (inner, q, groups) => {
		try {
			drawn = await drawFlame(inner, tree, { unit: metricOf(s, q).unit, differential: Boolean(q.get("base")), icicle: !q.get("up"),
				groups: groups && { of: chosenColours(q).of, indices: new Map(groups.map(([group], i) => [group, i])) }, zoom: q.get("zoom"), frame: q.getAll("frame"),
				onzoom: (path, name) => { change({ zoom: path, frame: null }); if (name) pick(name); },
				onover: name => { routines.mark(name); drawn?.mark(name); } });
			search(drawn, q.get("q"));
		} catch (e) {
			inner.replaceChildren(wrong(e));
		}
	};
	const redraw = () => show(place, "the flame graph", async () => {
		const q = now(), ask = asked(s, q);
		const file = end => `flame-${s.inst_id}.${end}`;
		links.replaceChildren(h("span", null, "Export: "), ...[["svg", "SVG"], ["html", "Page"],
			["folded", "Folded stacks"], ["json", "JSON"]].map(([format, text]) =>
			fileLink(flameUrl(id, { ...ask, format }), file(format), text)));
		tree = await getJson(flameUrl(id, { ...ask, format: "json" }), { rounded: true });
		fill(below);
		if (!tree.children?.length)
			return empty("No matching frames.");
		/* Only the choices that separate frames of this tree are offered. */
		const by = chosenColours(q), offered = Object.entries(COLOURS).filter(([, c]) => c === by || hasGroups(tree, c.of));
		fill(colourBy, [["", "routine"], ...offered.map(([key, c]) => [key, c.title])].map(([value, text]) =>
			h("option", { value, selected: value === (q.get("colour") || "") }, text)));
		const groups = !ask.base && by ? groupsOf(tree, by.of) : null;
		fill(colours, ask.base ? changeLegend() : groups ? groupLegend(groups, metricOf(s, q).unit, by.title) : null);
		colours.hidden = !colours.firstChild;
		const inner = h("div"), most = ask.max_nodes || MOST_CALLS;
		routines = routineTable(tree, { unit: metricOf(s, q).unit, inverted: ask.invert, sort: q.get("order"), selected: q.get("routine"),
			onover: name => { drawn?.mark(name); routines.mark(name); }, onselect: pick, onsort: order => change({ order }) });
		routines.filter(q.get("q") || "");
		requestAnimationFrame(() => {
			draw(inner, q, groups);
			if (q.get("routine"))
				pick(q.get("routine"));
		});
		return [sizeOf(tree) >= most && h("p", { class: "notes" }, `The picture shows the ${figure(most, "count")} widest frames. Narrower frames count as part of their callers. `,
			h("button", { type: "button", onclick: () => set("calls", most * MORE) }, `Show ${figure(most * MORE, "count")}`)),
		h("div", { class: "flame-table" }, h("div", { class: "panel flame-panel" }, inner), routines)];
	});
	/* A path to a frame is valid only for the tree in which it was found. */
	const set = (name, value) => { change({ [name]: value, ...!["colour", "up"].includes(name) && { zoom: null, frame: null } }); redraw(); };
	const box = (name, text) => field(text, h("input", { type: "checkbox", checked: query.get(name),
		onchange: e => set(name, e.target.checked) }));
	const globs = (name, text) => field(text, listInput(query.getAll(name), "*Load*", l => set(name, l)));
	addEventListener("resize", after(() => drawn && document.contains(place) && redraw(), 300));
	dark.addEventListener("change", () => document.contains(place) && redraw());
	const picker = await basePicker({ set: s, label: "Compare with", base: query.get("base"), without: "nothing",
		onpick: base => set("base", base) });
	redraw();
	return [head(s, "flame", "Flame graph"),
		h("form", { class: "tools", onsubmit: e => e.preventDefault() },
			field("Metric", select({ onchange: e => set("metric", e.target.value) },
				s.metrics.filter(m => m.family !== "gauges").map(m => [m.name, nameOfMetric(m)]), metricOf(s, query).name)),
			field("Search", h("input", { type: "search", placeholder: "Regular expression",
				value: query.get("q") || "", oninput: after(e => {
					change({ q: e.target.value });
					search(drawn, e.target.value);
					routines?.filter(e.target.value);
				}) })),
			picker.controls,
			field("Colour by", colourBy),
			box("invert", "Innermost frames first"), box("up", "Root at the bottom"), box("normalize", "Compare shares of the total"),
			h("button", { type: "button", onclick: () => drawn?.chart.resetZoom() }, "Zoom out"),
			h("details", { class: "more", open: query.get("focus") || query.get("ignore") },
				h("summary", null, "Filters"),
				h("div", { class: "tools" }, globs("focus", "Only stacks with"), globs("ignore", "No stacks with")))),
		colours, place, links, below];
}

function changeLegend() {
	return [h("span", { class: "swatch less" }), "decreased ",
		h("span", { class: "swatch same" }), "unchanged ", h("span", { class: "swatch more" }), "increased"];
}

const GROUPS = 12;

/* Shows the colour of each group, and the sum of the self values of its frames. `title` is what a group is. */
function groupLegend(groups, unit, title) {
	const rest = groups.slice(GROUPS).reduce((n, [, v]) => n + v, 0);
	return [groups.slice(0, GROUPS).map(([group, v], i) => h("span", { class: "item" },
		h("span", { class: "swatch", vars: { background: groupColour(group, i) } }), `${group || `no ${title}`} ${inUnit(v, unit)}`)), rest > 0 && `others ${inUnit(rest, unit)}`];
}
