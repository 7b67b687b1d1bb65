/* A timeline on a canvas: collapsible tracks with timings, ticks at round times, an overview, and zooming with wheel, mouse and keys. */
import { h, fill, figure, plural } from "./dom.js";

const LANE = 20, TITLE = 22, AXIS = 26, OVERVIEW = 34, GAP = 6, MOST_LANES = 24, LEAST_SPAN = 0.5, TALL = 6000;
const TICK_EVERY = 110;
const COLOURS = { measure: "--step", console: "--call", mark: "--mark", stamp: "--good", step: "--step", call: "--call", repeated: "--twice",
	combined: "--soft" };

/* Puts each timing into the first free lane. If MOST_LANES lanes are not enough, timings overlap in the last lane. */
function pack(items) {
	const ends = [];
	for (const i of items) {
		let lane = ends.findIndex(e => e <= i.start);
		if (lane < 0)
			lane = Math.min(ends.length, MOST_LANES - 1);
		i.lane = lane;
		ends[lane] = Math.max(ends[lane] || 0, i.start + i.duration);
	}
	return Math.max(1, ends.length);
}

/* Places the tracks below each other. Each track has a separate lane for marks, because marks have no duration. A
 * collapsed track has only its title; `collapsed` contains keys of tracks. */
function placed(tracks, collapsed) {
	let top = 0;
	return tracks.map(t => {
		const open = !collapsed.has(keyOf(t)), items = t.items.map(i => ({ ...i, point: !i.duration })).sort((a, b) => a.start - b.start || b.duration - a.duration);
		const long = items.filter(i => !i.point), marks = items.filter(i => i.point);
		const lanes = long.length ? pack(long) : 0;
		for (const m of marks)
			m.lane = lanes;
		const track = { of: t, open, title: t.title, items, top, height: TITLE + (open ? (lanes + (marks.length ? 1 : 0)) * LANE : 0) + GAP };
		top += track.height;
		return track;
	});
}

const keyOf = track => track.key ?? track.title;
const heightOf = shown => shown.reduce((n, t) => n + t.height, 0);

/* Returns the keys of the last tracks, without which the picture is at most TALL pixels high. */
function tooMuch(tracks) {
	const shown = placed(tracks, new Set());
	let height = heightOf(shown);
	return new Set(shown.toReversed().filter(t => {
		const over = height > TALL;
		height -= over ? t.height - TITLE - GAP : 0;
		return over;
	}).map(t => keyOf(t.of)));
}

/* How many entries an item represents, and their total duration between two times. */
const entriesOf = i => i.entries ?? 1;
const within = (i, a, b) => Math.max(0, Math.min(b, i.start + i.duration) - Math.max(a, i.start)) *
	(i.duration ? (i.busy ?? i.duration) / i.duration : 0);

/* Returns the distance between ticks. It is 1, 2 or 5 times a power of ten, and at least TICK_EVERY pixels. */
export function tickStep(span, width) {
	const least = span * TICK_EVERY / width, power = 10 ** Math.floor(Math.log10(least));
	return power * [1, 2, 5, 10].find(f => power * f >= least * 0.999);
}

/* Formats the time of a tick. The distance between ticks determines the number of digits, so that no two ticks have the
 * same text. */
export function tickText(time, step, end) {
	const [unit, name] = [[1e6, "s"], [1e3, "ms"], [1, "µs"]].find(([u]) => end >= u) || [1, "µs"];
	const digits = Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9));
	return time === 0 ? "0" : `${(time / unit).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${name}`;
}

/* Returns the interval in the link, such as "1200-5300.5"; null (all times) if the link has no valid interval. */
export function viewOf(query) {
	const [, from, to] = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(query.get("view") || "") || [];
	return Number(to) > Number(from) ? [Number(from), Number(to)] : null;
}

export const viewText = view => view && view.map(t => t.toFixed(3)).join("-");

/*
 * Returns the timeline. tracks: [{ title, key, items: [{ name, kind, start, duration, words, entries, busy }] }]; times
 * count from 0 in microseconds. The key identifies a track and is its title by default. An item can represent several
 * entries with the total duration `busy`. `view` is [from, to] or null for all; onchange(view) is called after each
 * change of the view. `nouns` are the words for one entry and several entries. The timeline's zoom(factor) zooms
 * around the middle; its replace(tracks) shows other items of the same result set.
 */
export function timeline(tracks, { view, onchange, label, nouns = ["timing", "timings"] }) {
	const collapsed = tooMuch(tracks);
	let shown = placed(tracks, collapsed);
	const whole = shown.flatMap(t => t.items), end = whole.reduce((n, i) => Math.max(n, i.start + i.duration), 1);
	let all = whole, height = heightOf(shown), [from, to] = view || [0, end], width = 0, asked = 0, selected = null;
	const overview = h("canvas", { class: "overview", role: "img", "aria-label": `Overview of ${figure(end, "microseconds")}` });
	const axis = h("canvas", { class: "axis", "aria-hidden": "true" });
	const canvas = h("canvas", { class: "tracks", tabindex: "0", role: "img", "aria-label":
		`${label}. Plus and minus zoom, the left and right arrows move, Home shows everything. Dragging with Shift selects. The table below lists the timings.` });
	const detail = h("output", { class: "detail" });
	const toggles = h("p", { class: "exports toggles", hidden: tracks.length < 2 });
	const place = h("div", { class: "panel timeline" }, detail, overview, axis, h("div", { class: "tracks-box" }, canvas), toggles);
	const drawToggles = () => fill(toggles, h("span", null, "Collapse or expand: "), tracks.map(t => h("button", { type: "button", class: "link",
		"data-key": keyOf(t), "aria-expanded": String(!collapsed.has(keyOf(t))), onclick: () => toggle(t) }, t.title)));
	drawToggles();

	const css = name => getComputedStyle(place).getPropertyValue(name);
	const x = time => (time - from) / (to - from) * width;
	const time = px => from + px / width * (to - from);

	function context(c, tall) {
		const ratio = window.devicePixelRatio || 1;
		c.width = Math.round(width * ratio);
		c.height = Math.round(tall * ratio);
		c.style.setProperty("height", `${tall}px`);
		const g = c.getContext("2d");
		g.scale(ratio, ratio);
		g.font = "12px system-ui, sans-serif";
		g.textBaseline = "middle";
		return g;
	}

	function ticks(g, tall, labels) {
		const step = tickStep(to - from, width);
		g.fillStyle = css("--soft");
		g.strokeStyle = css("--line");
		for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
			g.beginPath();
			g.moveTo(Math.round(x(t)) + 0.5, 0);
			g.lineTo(Math.round(x(t)) + 0.5, tall);
			g.stroke();
			const text = tickText(Math.abs(t) < step / 2 ? 0 : t, step, to);
			if (labels && x(t) + 4 + g.measureText(text).width <= width)
				g.fillText(text, x(t) + 4, tall / 2);
		}
	}

	function item(g, track, i) {
		const left = Math.max(-2, x(i.start)), right = Math.min(width + 2, x(i.start + i.duration)), top = track.top + TITLE + i.lane * LANE;
		if (right < 0 || left > width)
			return;
		g.fillStyle = css(COLOURS[i.kind] || "--step");
		if (i.point) {
			g.fillRect(left - 1, top + 2, 3, LANE - 5);
		} else {
			g.globalAlpha = 0.28;
			g.fillRect(left, top + 1, Math.max(1.5, right - left), LANE - 3);
			g.globalAlpha = 1;
			g.fillRect(left, top + 1, Math.min(3, Math.max(1.5, right - left)), LANE - 3);
		}
		const room = i.point ? i.room : right - left - 8;
		if (room < 20)
			return;
		g.save();
		g.beginPath();
		g.rect(left + 4, top, room, LANE);
		g.clip();
		g.fillStyle = css("--ink");
		g.fillText(i.name, left + 6, top + LANE / 2);
		g.restore();
	}

	function drawOverview() {
		const g = context(overview, OVERVIEW);
		g.fillStyle = css("--step");
		g.globalAlpha = 0.5;
		for (const i of whole)
			g.fillRect(i.start / end * width, i.point ? OVERVIEW - 12 : 6, Math.max(1, i.duration / end * width), i.point ? 8 : OVERVIEW - 22);
		g.globalAlpha = 0.25;
		g.fillStyle = css("--soft");
		g.fillRect(0, 0, from / end * width, OVERVIEW);
		g.fillRect(to / end * width, 0, width, OVERVIEW);
	}

	function draw() {
		asked = 0;
		width = Math.floor(place.clientWidth) - 24;
		if (width < 50 || !place.isConnected)
			return;
		drawOverview();
		ticks(context(axis, AXIS), AXIS, true);
		const g = context(canvas, height);
		ticks(g, height, false);
		for (const t of shown) {
			g.fillStyle = css("--soft");
			g.fillText(`${t.open ? "▾" : "▸"} ${t.title}`, 4, t.top + TITLE / 2);
			if (!t.open)
				continue;
			/* A mark's name must fit into the space before the next mark. */
			const marks = t.items.filter(i => i.point);
			marks.forEach((m, n) => { m.room = (n + 1 < marks.length ? x(marks[n + 1].start) : width) - x(m.start) - 8; });
			for (const i of t.items)
				item(g, t, i);
		}
		if (selected) {
			g.fillStyle = css("--bar");
			g.globalCompositeOperation = "destination-over";
			g.fillRect(x(selected[0]), 0, x(selected[1]) - x(selected[0]), height);
			g.globalCompositeOperation = "source-over";
		}
		Object.assign(place.dataset, { from: String(from), to: String(to), end: String(end), timings: String(all.length) });
	}

	const redraw = () => { asked ||= requestAnimationFrame(draw); };

	function arrange() {
		shown = placed(tracks, collapsed);
		all = shown.flatMap(t => t.items);
		height = heightOf(shown);
		redraw();
	}

	function toggle(track) {
		const key = keyOf(track);
		if (!collapsed.delete(key))
			collapsed.add(key);
		[...toggles.querySelectorAll("button")].find(b => b.dataset.key === String(key)).setAttribute("aria-expanded", String(!collapsed.has(key)));
		arrange();
	}

	function replace(others) {
		tracks = others;
		arrange();
		drawToggles();
	}

	function look(a, b) {
		const span = Math.min(end, Math.max(LEAST_SPAN, b - a)), least = Math.max(0, Math.min(end - span, a));
		[from, to] = [least, least + span];
		onchange(from > 0 || to < end ? [from, to] : null);
		redraw();
	}

	const zoomAt = (factor, at) => look(at - (at - from) / factor, at + (to - at) / factor);
	const zoom = factor => zoomAt(factor, (from + to) / 2);

	/* --- mouse */
	const px = (e, c) => e.clientX - c.getBoundingClientRect().left;
	const trackAt = y => shown.find(s => y >= s.top && y < s.top + s.height);
	const py = e => e.clientY - canvas.getBoundingClientRect().top;
	const found = e => {
		const t = time(px(e, canvas)), y = py(e), near = 4 / width * (to - from);
		const track = trackAt(y), lane = track && Math.floor((y - track.top - TITLE) / LANE);
		return track?.open && track.items.findLast(i => i.lane === lane && t >= i.start - near && t <= i.start + i.duration + near);
	};
	canvas.addEventListener("wheel", e => {
		e.preventDefault();
		if (Math.abs(e.deltaX) > Math.abs(e.deltaY))
			look(from + e.deltaX / width * (to - from), to + e.deltaX / width * (to - from));
		else
			zoomAt(1.2 ** (-e.deltaY / 100), time(px(e, canvas)));
	}, { passive: false });
	/* A click on a title collapses or expands the track. The click event at the end of a drag is ignored. */
	let pressed = null;
	canvas.addEventListener("pointerdown", e => { pressed = e.clientX; });
	canvas.addEventListener("click", e => {
		const track = trackAt(py(e));
		if (track && py(e) < track.top + TITLE && Math.abs(e.clientX - pressed) < 3)
			toggle(track.of);
	});
	canvas.addEventListener("dblclick", e => {
		const i = found(e);
		if (i?.duration)
			look(i.start - 0.1 * i.duration, i.start + 1.1 * i.duration);
	});
	canvas.addEventListener("pointermove", e => {
		if (!e.buttons && !(selected && !found(e)))
			detail.textContent = found(e)?.words || "";
	});
	/* Selects an interval. Shows how many timings overlap the interval, and the sum of their durations within it. */
	function select(by, at, start) {
		const [a, b] = [time(start), time(at)].sort((p, q) => p - q);
		const inside = all.filter(i => i.start <= b && i.start + i.duration >= a);
		const sum = inside.reduce((n, i) => n + within(i, a, b), 0), count = inside.reduce((n, i) => n + entriesOf(i), 0);
		selected = b > a ? [a, b] : null;
		detail.textContent = selected ? `Selected ${figure(b - a, "microseconds")}: ${plural(count, ...nouns)}, ` +
			`${figure(sum, "microseconds")} in total` : "";
		redraw();
	}
	/* Dragging moves the tracks; dragging with Shift selects an interval. In the overview, dragging moves the
	 * visible part of the timeline. */
	const drag = (c, move) => c.addEventListener("pointerdown", down => {
		if (down.shiftKey !== (move === select))
			return;
		c.setPointerCapture(down.pointerId);
		const start = px(down, c);
		let last = start;
		move(0, last, start);
		const moved = e => { move(px(e, c) - last, px(e, c), start); last = px(e, c); };
		c.addEventListener("pointermove", moved);
		for (const event of ["pointerup", "pointercancel"])
			c.addEventListener(event, () => c.removeEventListener("pointermove", moved), { once: true });
	});
	drag(canvas, select);
	drag(canvas, by => by && look(from - by / width * (to - from), to - by / width * (to - from)));
	drag(overview, (by, at) => look(at / width * end - (to - from) / 2, at / width * end + (to - from) / 2));

	/* --- keys */
	canvas.addEventListener("keydown", e => {
		const by = { ArrowLeft: -0.1, ArrowRight: 0.1 }[e.key], factor = { "+": 1.5, "=": 1.5, "-": 1 / 1.5 }[e.key];
		if (by)
			look(from + by * (to - from), to + by * (to - from));
		else if (factor)
			zoom(factor);
		else if (e.key === "Home")
			look(0, end);
		else
			return;
		e.preventDefault();
	});
	new ResizeObserver(redraw).observe(place);
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
	return Object.assign(place, { zoom, replace });
}
