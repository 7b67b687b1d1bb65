/* Search, zoom and keys in a flame graph. The script reads all data from the picture. Frames are in
 * preorder, positions are in per cent, and titles contain names and figures. The picture is
 * readable without the script. */
(function () {
"use strict";
var SVG = "http://www.w3.org/2000/svg", XHTML = "http://www.w3.org/1999/xhtml";
var LABEL = 4, MIN = 0.1, WIDE = 3;
/* lengths in the picture's head, in pixels; see also flame_picture.c */
var TOOLS = 300, NARROW = 700, TOOLS_HIGH = 34, TOOLS_BELOW = 62;
var FONT = 'Verdana,"DejaVu Sans",sans-serif';

function widthOf(font) {
	var known = {};
	var pen = document.createElementNS(XHTML, "canvas").getContext("2d");
	pen.font = font;
	return function (c) {
		return known[c] || (known[c] = pen.measureText(c).width || 0.01);
	};
}

function cut(label, pixels, width) {
	var chars = Array.from(label), used = 0, fits = 0, dots = width("\u2026");
	for (var i = 0; i < chars.length; i++) {
		used += width(chars[i]);
		if (used > pixels)
			return fits >= 3 ? chars.slice(0, fits).join("") + "\u2026" : "";
		if (used + dots <= pixels)
			fits = i + 1;
	}
	return label;
}

function readFrames(chart, row, levels, above) {
	var frames = [], path = [];
	chart.querySelectorAll("g").forEach(function (g, i) {
		var rect = g.querySelector("rect"), title = g.querySelector("title").textContent;
		var level = Math.round(rect.getAttribute("y") / row);
		var depth = above ? level : levels - 1 - level;
		var f = { g: g, rect: rect, text: g.querySelector("text"), title: title,
			label: title.split("\n", 1)[0], x: parseFloat(rect.getAttribute("x")),
			w: parseFloat(rect.getAttribute("width")), depth: depth, index: i,
			parent: depth ? path[depth - 1] : null, end: i + 1, hit: false, shown: true };
		path[depth] = f;
		frames.push(f);
	});
	for (var i = frames.length - 1; i > 0; i--)
		frames[i].parent.end = Math.max(frames[i].parent.end, frames[i].end);
	return frames;
}

function Flame(svg) {
	var chart = svg.querySelector(".chart");
	this.svg = svg;
	this.chart = chart;
	this.row = +chart.getAttribute("data-row");
	this.levels = +chart.getAttribute("data-levels");
	this.above = chart.getAttribute("data-above") === "1";
	this.frames = readFrames(chart, this.row, this.levels, this.above);
	this.zoomed = this.frames[0];
	this.focused = this.frames[0];
	this.width = widthOf("11px " + FONT);
	this.headWidth = widthOf("bold 15px " + FONT);
	this.margin = +chart.getAttribute("x");
	this.top = +chart.getAttribute("y");
	this.height = +svg.getAttribute("height");
	this.head = svg.querySelector(":scope>.head");
	this.note = svg.querySelector(":scope>.note");
	svg.classList.add("live");
	svg.removeAttribute("viewBox");
	svg.setAttribute("width", "100%");
	this.listen();
	this.resize();
}

Flame.prototype.resize = function () {
	this.pixels = Math.max(100, this.svg.getBoundingClientRect().width - 2 * this.margin);
	this.chart.setAttribute("width", this.pixels);
	if (this.head)
		this.arrange();
	this.draw();
};

/* Arranges the head of a standalone picture: on a narrow screen the tools have a separate line,
 * and all the elements below move down. */
Flame.prototype.arrange = function () {
	var narrow = this.pixels < NARROW, lift = narrow && this.toolsPlace ? TOOLS_HIGH : 0;
	var legend = this.svg.querySelector(":scope>.legend");
	this.head.textContent = cut(this.svg.querySelector(":scope>title").textContent,
		this.pixels - (narrow ? 0 : TOOLS), this.headWidth);
	this.note.textContent = cut(this.note.getAttribute("data-text"), this.pixels, this.width);
	if (this.toolsPlace)
		this.toolsPlace.setAttribute("y", narrow ? TOOLS_BELOW : 0);
	this.chart.setAttribute("y", this.top + lift);
	this.svg.setAttribute("height", this.height + lift);
	if (legend)
		legend.setAttribute("transform", "translate(0," + lift + ")");
};

Flame.prototype.place = function (f, x, w) {
	var y = (this.above ? f.depth : this.levels - 1 - f.depth) * this.row;
	var pixels = w / 100 * this.pixels;
	f.shown = pixels >= MIN;
	f.g.style.display = f.shown ? "" : "none";
	if (!f.shown)
		return;
	f.g.classList.toggle("w", pixels >= WIDE);
	f.rect.setAttribute("x", x + "%");
	f.rect.setAttribute("width", w + "%");
	f.rect.setAttribute("y", y);
	var label = pixels > 3 * LABEL ? cut(f.label, pixels - 2 * LABEL, this.width) : "";
	if (!f.text && label) {
		f.text = document.createElementNS(SVG, "text");
		f.text.setAttribute("dx", LABEL);
		f.g.appendChild(f.text);
	}
	if (f.text) {
		f.text.textContent = label;
		f.text.setAttribute("x", x + "%");
		f.text.setAttribute("y", y + this.row - 5);
	}
};

Flame.prototype.draw = function () {
	var z = this.zoomed, scale = z.w ? 100 / z.w : 1, above = new Set();
	for (var p = z.parent; p; p = p.parent)
		above.add(p);
	this.frames.forEach(function (f) {
		var on = above.has(f);
		f.g.classList.toggle("above", on);
		if (on)
			this.place(f, 0, 100);
		else if (f.index >= z.index && f.index < z.end)
			this.place(f, (f.x - z.x) * scale, f.w * scale);
		else
			this.place(f, 0, 0);
	}, this);
	if (this.reset)
		this.reset.hidden = z === this.frames[0];
	this.showHits();
};

Flame.prototype.zoom = function (f) {
	this.zoomed = f;
	this.draw();
};

Flame.prototype.flip = function (above) {
	this.above = above;
	this.draw();
};

/* Searches for a regular expression, or for the text itself if it is not a valid expression. */
Flame.prototype.search = function (pattern) {
	var find = null;
	try {
		find = pattern && new RegExp(pattern, "i");
	} catch (e) {
		find = new RegExp(pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
	}
	this.frames.forEach(function (f) {
		f.hit = !!find && f.depth > 0 && find.test(f.label);
		f.g.classList.toggle("hit", f.hit);
	});
	this.searching = !!find;
	this.chart.classList.toggle("searching", this.searching);
	this.showHits();
};

/* Shows the number of hits and their share. A hit below another hit adds nothing to the share. */
Flame.prototype.showHits = function () {
	var z = this.zoomed, sum = 0, count = 0;
	if (!this.found)
		return;
	if (!this.searching) {
		this.found.textContent = "";
		return;
	}
	for (var i = z.index, until = 0; i < z.end; i++) {
		var f = this.frames[i];
		if (!f.hit)
			continue;
		count++;
		if (i >= until) {
			sum += f.w;
			until = f.end;
		}
	}
	this.found.textContent = count + " found, " + (z.w ? 100 * sum / z.w : 0).toFixed(2) + " %";
};

Flame.prototype.describe = function (f) {
	var text = f ? f.title.replace(/\n/g, " \u00b7 ") : "";
	if (this.detail)
		this.detail.textContent = this.head ? cut(text, this.pixels, this.width) : text;
};

/* Tab moves to a frame; the arrow keys move from frame to frame. */
Flame.prototype.focus = function (f) {
	if (!f || !f.shown)
		return;
	this.focused.g.removeAttribute("tabindex");
	this.focused = f;
	f.g.setAttribute("tabindex", "0");
	f.g.focus();
	this.describe(f);
};

Flame.prototype.beside = function (f, step) {
	for (var i = f.index + step; i > 0 && i < this.frames.length; i += step)
		if (this.frames[i].depth === f.depth && this.frames[i].shown)
			return this.frames[i];
	return null;
};

Flame.prototype.key = function (e) {
	var f = this.focused, down = this.frames[f.index + 1];
	var inward = down && down.parent === f ? down : null;
	switch (e.key) {
	case "Enter":
	case " ":
		this.zoom(f);
		break;
	case "Escape":
		this.zoom(this.frames[0]);
		break;
	case "ArrowUp":
		this.focus(this.above ? f.parent : inward);
		break;
	case "ArrowDown":
		this.focus(this.above ? inward : f.parent);
		break;
	case "ArrowLeft":
		this.focus(this.beside(f, -1));
		break;
	case "ArrowRight":
		this.focus(this.beside(f, 1));
		break;
	default:
		return;
	}
	e.preventDefault();
};

Flame.prototype.listen = function () {
	var self = this, byG = new Map();
	this.frames.forEach(function (f) {
		byG.set(f.g, f);
		f.g.setAttribute("role", "button");
	});
	function frameOf(e) {
		return byG.get(e.target.closest("g"));
	}
	this.frames[0].g.setAttribute("tabindex", "0");
	this.chart.addEventListener("click", function (e) {
		var f = frameOf(e);
		if (f) {
			self.focus(f);
			self.zoom(f);
		}
	});
	this.chart.addEventListener("mouseover", function (e) { self.describe(frameOf(e)); });
	this.chart.addEventListener("mouseleave", function () { self.describe(null); });
	this.chart.addEventListener("focusin", function (e) { self.describe(frameOf(e)); });
	this.chart.addEventListener("keydown", function (e) { self.key(e); });
	window.addEventListener("resize", function () { self.resize(); });
};

function make(name, properties) {
	return Object.assign(document.createElementNS(XHTML, name), properties);
}

/* Adds a search box, the number of hits, and buttons to flip the picture and to zoom out. */
Flame.prototype.addTools = function (box) {
	var self = this;
	var input = make("input", { type: "search", placeholder: "Search (regex)" });
	input.setAttribute("aria-label", "Search frames");
	input.addEventListener("input", function () { self.search(input.value); });
	this.found = make("output", {});
	this.reset = make("button", { type: "button", textContent: "Reset zoom", hidden: true });
	this.reset.addEventListener("click", function () { self.zoom(self.frames[0]); });
	var flip = make("button", { type: "button", textContent: "Flip" });
	flip.setAttribute("aria-label", "Put the root at the other end");
	flip.addEventListener("click", function () { self.flip(!self.above); });
	box.append(this.found, input, flip, this.reset);
	if (this.svg.closest(".flame-box"))
		return;
	document.addEventListener("keydown", function (e) {
		if (e.key === "f" && (e.ctrlKey || e.metaKey) && document.activeElement !== input) {
			e.preventDefault();
			input.focus();
		}
	});
};

/* A report page may contain any number of pictures. */
function begin(svg) {
	var box = svg.closest(".flame-box") || document;
	var flame = new Flame(svg), tools = box.querySelector(".flame-tools");
	flame.detail = box.querySelector(".detail");
	if (!tools) {
		var place = document.createElementNS(SVG, "foreignObject");
		place.setAttribute("width", "100%");
		place.setAttribute("height", TOOLS_HIGH);
		tools = make("div", { className: "flame-tools" });
		place.appendChild(tools);
		svg.insertBefore(place, flame.head);
		flame.toolsPlace = place;
		flame.arrange();
	}
	flame.addTools(tools);
}

function start() {
	document.querySelectorAll("svg.flame").forEach(begin);
}

if (document.readyState === "loading")
	document.addEventListener("DOMContentLoaded", start);
else
	start();
}());
