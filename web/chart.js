/* Draws a line chart with one value per result set, or with values over time. It can be used with a keyboard and a screen
 * reader. */
import { h, figure, TIMES } from "./dom.js";

const HEIGHT = 260, LEFT = 84, RIGHT = 24, TOP = 18, BOTTOM = 46;

/* Returns the marks of an axis: multiples of 1, 2 or 5 times 10^n, or of 2^n for bytes. Marks of counts are whole numbers. */
function ticks(low, high, unit) {
	const span = high - low || Math.abs(high) || 1;
	let step = unit === "bytes" ? 2 ** Math.ceil(Math.log2(span / 4))
		: 10 ** Math.floor(Math.log10(span / 4));
	if (unit !== "bytes")
		step *= [1, 2, 5, 10].find(f => span / (step * f) <= 5) || 10;
	if (unit === "count")
		step = Math.max(1, step);
	const out = [];
	for (let t = Math.floor(low / step) * step; t <= high + step * 0.999 && out.length < 12; t += step)
		out.push(Number(t.toPrecision(12)));
	return out;
}

/* Returns the marks below the points at `xs`: [x, text]. The name of a point is written only where it changes, and at
 * most every 70 pixels. */
function names(points, xs) {
	const out = [];
	let last = null;
	points.forEach((p, i) => {
		if (p.name !== points[last]?.name && (last === null || xs[i] - xs[last] >= 70)) {
			out.push([xs[i], p.name]);
			last = i;
		}
	});
	return out;
}

/* points: { value, name, title, href, at }; a null value is a gap. With more than 100 points, only the line
 * is drawn, without a dot for each point. With `across`, the unit of the points' `at`, the horizontal axis is a scale,
 * and the points are in ascending order of `at`. Otherwise, they have equal distances. */
export function lineChart(points, { width, unit, label, across }) {
	const values = points.map(p => p.value).filter(v => v !== null);
	if (!values.length)
		return h("p", { class: "state empty" }, "No result set has this metric.");
	const marks = ticks(Math.min(0, ...values), Math.max(0, ...values), unit);
	const low = marks[0], high = marks[marks.length - 1];
	const room = width - LEFT - RIGHT, from = points[0].at, to = points[points.length - 1].at, scaled = across && to > from;
	const place = at => LEFT + room * (at - from) / (to - from);
	const xs = points.map((p, i) => scaled ? place(p.at) : points.length === 1 ? LEFT + room / 2 : LEFT + i * room / (points.length - 1));
	const below = scaled ? ticks(from, to, across).filter(t => t >= from && t <= to).map(t => [place(t), figure(t, across) || "0"]) : names(points, xs);
	const y = v => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (v - low) / (high - low || 1));
	const lines = [];
	let path = "";
	points.forEach((p, i) => {
		path += p.value === null ? "" : `${path && points[i - 1]?.value !== null ? "L" : "M"}${xs[i].toFixed(1)} ${y(p.value).toFixed(1)}`;
	});
	lines.push(h("svg:path", { class: "line", d: path }));
	return h("svg:svg", { class: "chart", width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`,
		role: "group", "aria-label": label },
	marks.map(t => [h("svg:line", { class: t === 0 ? "base" : "rule", x1: LEFT, x2: width - RIGHT, y1: y(t), y2: y(t) }),
		h("svg:text", { class: "tick", x: LEFT - 8, y: y(t) + 4, "text-anchor": "end" }, figure(t, unit) || "0")]),
	lines, below.map(([x, text]) => h("svg:text", { class: "name", x, y: HEIGHT - BOTTOM + 22, "text-anchor": "middle" }, text)),
	across && h("svg:text", { class: "name", x: LEFT + room / 2, y: HEIGHT - 6, "text-anchor": "middle" },
		[...TIMES, "count", "none"].includes(across) ? "time" : `time in ${across}`),
	points.map((p, i) => [
		p.value !== null && points.length <= 100 && h("svg:a", { href: p.href, "aria-label": `${p.title}: ${figure(p.value, unit)}` },
			h("svg:title", null, `${p.title}: ${figure(p.value, unit)}`),
			h("svg:circle", { cx: xs[i], cy: y(p.value), r: 5 })),
	]));
}

const SPARK_WIDTH = 96, SPARK_HEIGHT = 22, SPARK_EDGE = 3;

/* Draws the values of the newest runs or result sets, the oldest first. A null value is a gap in the line. The text
 * `gap` stands for this value in the description. */
export function sparkline(values, { unit = "count", label = "Counts", gap = "not measured" } = {}) {
	const known = values.filter(v => v !== null), most = Math.max(...known, unit === "count" ? 1 : 0);
	/* The scale of counts begins at 0. The scale of other values begins at 80 % of the largest value or lower, so
	 * that small changes look small. */
	const least = unit === "count" ? 0 : Math.min(...known, 0.8 * most);
	const x = i => SPARK_EDGE + i * (SPARK_WIDTH - 2 * SPARK_EDGE) / Math.max(1, values.length - 1);
	const y = v => SPARK_HEIGHT - SPARK_EDGE - (v - least) / (most - least || 1) * (SPARK_HEIGHT - 2 * SPARK_EDGE);
	const lines = [];
	values.forEach((v, i) => {
		if (v !== null && (i === 0 || values[i - 1] === null))
			lines.push([]);
		if (v !== null)
			lines[lines.length - 1].push(`${x(i).toFixed(1)},${y(v).toFixed(1)}`);
	});
	const last = values.length - 1;
	const words = `${label}, oldest first: ${values.map(v => v === null ? gap : figure(v, unit)).join(", ")}`;
	return h("svg:svg", { class: "spark", width: SPARK_WIDTH, height: SPARK_HEIGHT, role: "img", "aria-label": words },
		h("svg:title", null, words),
		/* Browsers draw no line for a single point, so a second point is added next to it. */
		lines.map(l => h("svg:polyline", { points: l.length > 1 ? l.join(" ") : `${l[0]} ${l[0].replace(/^[\d.]+/, n => Number(n) + 1)}` })),
		values[last] !== null && h("svg:circle", { cx: x(last), cy: y(values[last]), r: 2.5 }));
}

/* Reads "3 - 0 5", a list of values; "-" is a gap. */
export function valuesOf(text) {
	return text.split(" ").map(v => v === "-" ? null : Number(v));
}
