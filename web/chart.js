/* Draws a line chart with one value per result set. It can be used with a keyboard and a screen reader. */
import { h, figure } from "./dom.js";

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

/* points: { value, name, title, href }; a null value is a gap. With more than 100 points, only the line
 * is drawn, without a dot for each point. */
export function lineChart(points, { width, unit, label }) {
	const values = points.map(p => p.value).filter(v => v !== null);
	if (!values.length)
		return h("p", { class: "state empty" }, "No result set has this metric.");
	const marks = ticks(Math.min(0, ...values), Math.max(0, ...values), unit);
	const low = marks[0], high = marks[marks.length - 1];
	const step = (width - LEFT - RIGHT) / Math.max(1, points.length - 1);
	const x = i => points.length === 1 ? (LEFT + width - RIGHT) / 2 : LEFT + i * step;
	const y = v => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (v - low) / (high - low || 1));
	const lines = [];
	let path = "";
	points.forEach((p, i) => {
		path += p.value === null ? "" : `${path && points[i - 1]?.value !== null ? "L" : "M"}${x(i).toFixed(1)} ${y(p.value).toFixed(1)}`;
	});
	lines.push(h("svg:path", { class: "line", d: path }));
	/* A name is written only where it changes, and at most every 70 pixels. */
	const every = Math.ceil(70 / step), named = new Set();
	let last = null;
	points.forEach((p, i) => {
		if (p.name !== points[last]?.name && (last === null || i - last >= every))
			named.add(last = i);
	});
	return h("svg:svg", { class: "chart", width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`,
		role: "group", "aria-label": label },
	marks.map(t => [h("svg:line", { class: t === 0 ? "base" : "rule", x1: LEFT, x2: width - RIGHT, y1: y(t), y2: y(t) }),
		h("svg:text", { class: "tick", x: LEFT - 8, y: y(t) + 4, "text-anchor": "end" }, figure(t, unit) || "0")]),
	lines, points.map((p, i) => [
		named.has(i) && h("svg:text", { class: "name", x: x(i), y: HEIGHT - BOTTOM + 22, "text-anchor": "middle" },
			p.name),
		p.value !== null && points.length <= 100 && h("svg:a", { href: p.href, "aria-label": `${p.title}: ${figure(p.value, unit)}` },
			h("svg:title", null, `${p.title}: ${figure(p.value, unit)}`),
			h("svg:circle", { cx: x(i), cy: y(p.value), r: 5 })),
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
