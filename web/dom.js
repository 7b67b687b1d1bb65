/* Creates elements and formats values. Text is always inserted as text, never as markup. */

const SVG = "http://www.w3.org/2000/svg";

/* Creates an element, as in h("td", { class: "n", onclick: f, vars: { "--share": "4%" } }, "text", node, null...) */
export function h(tag, props, ...children) {
	const [name, space] = tag.startsWith("svg:") ? [tag.slice(4), SVG] : [tag, null];
	const e = space ? document.createElementNS(space, name) : document.createElement(name);
	for (const [key, value] of Object.entries(props || {})) {
		if (value === null || value === undefined || value === false)
			continue;
		if (key.startsWith("on"))
			e.addEventListener(key.slice(2), value);
		else if (key === "vars")
			for (const [k, v] of Object.entries(value))
				e.style.setProperty(k, v);
		else if (key === "value" && "value" in e)
			e.value = value;
		else
			e.setAttribute(key, value === true ? "" : value);
	}
	append(e, children);
	return e;
}

export function append(e, children) {
	for (const c of children.flat(Infinity))
		if (c !== null && c !== undefined && c !== false)
			e.append(c instanceof Node ? c : String(c));
}

/* Replaces an element's content. */
export function fill(e, ...children) {
	e.replaceChildren();
	append(e, children);
	return e;
}

/* Makes screen readers announce a text. The text is not visible. */
export function say(text) {
	const live = document.getElementById("live");
	live.textContent = "";
	requestAnimationFrame(() => { live.textContent = text; });
}

/* --- loading, empty and error states */

export function loading(what) {
	return h("p", { class: "state loading" }, `Loading ${what}…`);
}

export function empty(text, ...more) {
	return h("div", { class: "state empty" }, h("p", null, text), more);
}

/* Messages begin in lower case and have no full stop. */
export const sentence = text => text && `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

export function wrong(error, again) {
	const gone = error.status === 404 && /^(there is )?no (result set|run|job|stream) ["\d]|has no finding "/.test(error.message);
	return h("div", { class: "state wrong", role: "alert" },
		h("p", null, h("strong", null, "Something went wrong. "), sentence(error.message)),
		error.hint && h("p", { class: "hint" }, error.hint),
		gone ? h("p", null, "It may have been deleted. Go on with ", link("#/sets", null, "all result sets"), " or ",
			link("#/", null, "the start page"), ".")
			: again && error.status !== 404 && h("p", null, h("button", { type: "button", onclick: again }, "Try again")));
}

/* Shows the result of `make` in `place`, unless `show` has been called again for the same place. */
export async function show(place, what, make) {
	const mine = place.asked = {};
	place.setAttribute("aria-busy", "true");
	if (!place.firstChild || place.querySelector(".state"))
		fill(place, loading(what));
	try {
		const made = await make();
		if (place.asked === mine)
			fill(place, made);
	} catch (e) {
		if (place.asked === mine && e.name !== "AbortError") {
			/* Each page has a heading, even if only its error can be shown. */
			const alone = !document.querySelector("main h1");
			fill(place, alone && h("h1", { class: "title" }, "This page cannot be shown"), wrong(e, () => show(place, what, make)));
		}
	} finally {
		if (place.asked === mine)
			place.removeAttribute("aria-busy");
	}
	return place;
}

/* --- numbers */

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const upTo = [0, 1, 2, 3].map(n => new Intl.NumberFormat("en", { maximumFractionDigits: n }));

function scaled(value, steps, names) {
	let i = 0, v = Math.abs(value);
	while (i < steps.length && v >= steps[i])
		v /= steps[i++];
	const n = Number.isInteger(v) ? 0 : v >= 1000 ? 0 : v >= 100 ? 1 : v >= 10 ? 2 : 3;
	return `${value < 0 ? "−" : ""}${upTo[n].format(v)} ${names[i]}`;
}

export const TIMES = ["nanoseconds", "microseconds", "milliseconds", "seconds"];

/* Formats a column value; accepts BigInt and null. */
export function figure(value, unit) {
	if (value === null || value === undefined)
		return "";
	if (typeof value === "bigint")
		return unit === "bytes" || unit === "percent" || TIMES.includes(unit) ? figure(Number(value), unit) : unit === "id" ? String(value) : whole.format(value);
	if (typeof value !== "number")
		return String(value);
	if (unit === "bytes")
		return scaled(value, [1024, 1024, 1024, 1024], ["B", "KiB", "MiB", "GiB", "TiB"]);
	if (unit === "id")
		return String(value);
	if (unit === "percent")
		return `${upTo[2].format(value)} %`.replace("-", "−");
	if (TIMES.includes(unit)) {
		const at = TIMES.indexOf(unit);
		return scaled(value, [1000, 1000, 1000].slice(at), ["ns", "µs", "ms", "s"].slice(at));
	}
	return (Number.isInteger(value) ? whole : upTo[3]).format(value).replace("-", "−");
}

/* Formats a value in a unit that the answer contains, such as "instructions". */
export function inUnit(value, unit) {
	const text = figure(value, unit ?? "none");
	return /^[\d.,−]+$/.test(text) && unit && !["none", "count", "id"].includes(unit) ? `${text} ${unit}` : text;
}

const clock = new Intl.DateTimeFormat("en-CA", { dateStyle: "short", timeStyle: "short", hourCycle: "h23" });

/* Formats 2026-11-22T00:47:27+00:00 in the reader's time zone. */
export function moment(text) {
	const t = new Date(text);
	return isNaN(t) ? String(text ?? "") : clock.format(t);
}

export function plural(n, one, many) {
	return `${figure(Number(n), "count")} ${Number(n) === 1 ? one : many}`;
}

/* --- controls */

let ids = 0;

/* Returns labels, such as { branch: "main" }, as sorted words, such as ["branch=main"]. */
export function labelsOf(labels) {
	return Object.entries(labels || {}).map(([key, value]) => `${key}=${value}`).sort();
}

export function field(label, control) {
	control.id ||= `f${++ids}`;
	return h("span", { class: "field" }, h("label", { for: control.id }, label), control);
}

/* Each option is [value, text], or only a value. */
export function select(props, options, chosen) {
	return h("select", props, options.map(o => {
		const [value, text] = Array.isArray(o) ? o : [o, o];
		return h("option", { value, selected: String(value) === String(chosen) }, text);
	}));
}

/* An input for several texts. Blanks separate them, except within quotes. */
export function listInput(texts, placeholder, changed) {
	return h("input", { size: "12", placeholder,
		title: "Separate several by blanks. Write quotes around one that contains blanks, such as \"load page\".",
		value: texts.map(t => /\s/.test(t) ? `"${t}"` : t).join(" "),
		oninput: after(e => changed(Array.from(e.target.value.matchAll(/"([^"]*)"?|[^\s"]+/g), m => m[1] ?? m[0]).filter(t => t.trim())), 400) });
}

/* Asks a question; returns whether the user agrees. */
export function agreed(title, content, yes) {
	return new Promise(resolve => {
		const dialog = h("dialog", { "aria-labelledby": "question" }, h("form", { method: "dialog" }, h("h2", { id: "question" }, title), content,
			h("div", { class: "tools" }, h("button", { class: "main", value: "yes" }, yes), h("button", { value: "no" }, "Cancel"))));
		dialog.addEventListener("close", () => {
			dialog.remove();
			resolve(dialog.returnValue === "yes");
		});
		document.body.append(dialog);
		dialog.showModal();
	});
}

export function link(href, props, ...children) {
	return h("a", { href, ...props }, ...children);
}

/* Returns a function that calls f after `ms` milliseconds. If the returned function is called again within this
 * time, the delay restarts. */
export function after(f, ms = 250) {
	let timer = 0;
	return (...a) => {
		clearTimeout(timer);
		timer = setTimeout(() => f(...a), ms);
	};
}
