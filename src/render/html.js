/* Filtering, sorting and folding in a report page. The page is readable without the script. */
(function () {
"use strict";

function make(name, properties) {
	return Object.assign(document.createElement(name), properties);
}

/* Compares integers by sign, length and digits, which is exact even beyond 2^53. Compares decimals
 * as numbers. */
function compareNumbers(a, b) {
	if (a === "" || b === "")
		return (a !== "") - (b !== "");
	if (/^-?\d+$/.test(a) && /^-?\d+$/.test(b)) {
		a = BigInt(a);
		b = BigInt(b);
		return a < b ? -1 : a > b ? 1 : 0;
	}
	return parseFloat(a) - parseFloat(b);
}

/* Sorts numbers descending and text ascending; equal items keep their order. */
function sortBy(items, key, numeric, descending) {
	var places = new Map(), parent = items.length && items[0].parentNode;
	items.forEach(function (e) { places.set(e, key(e)); });
	items.slice().sort(function (a, b) {
		var x = places.get(a), y = places.get(b);
		var c = numeric ? compareNumbers(x, y) : x < y ? -1 : x > y ? 1 : 0;
		return (descending ? -c : c) || items.indexOf(a) - items.indexOf(b);
	}).forEach(function (e) { parent.appendChild(e); });
}

function drawBars(cells, value) {
	var largest = 0;
	cells.forEach(function (c) { largest = Math.max(largest, Math.abs(parseFloat(value(c))) || 0); });
	if (largest)
		cells.forEach(function (c) {
			var v = Math.abs(parseFloat(value(c))) || 0;
			c.style.setProperty("--share", (100 * v / largest).toFixed(2) + "%");
		});
}

/* --- grids */

function startGrid(table) {
	var heads = Array.from(table.tHead.rows[0].cells), rows = Array.from(table.tBodies[0].rows);
	heads.forEach(function (th, column) {
		var numeric = th.classList.contains("n");
		var button = make("button", { type: "button", textContent: th.textContent });
		th.textContent = "";
		th.appendChild(button);
		button.addEventListener("click", function () {
			var was = th.getAttribute("aria-sort");
			var descending = was ? was === "ascending" : numeric;
			heads.forEach(function (h) { h.removeAttribute("aria-sort"); });
			th.setAttribute("aria-sort", descending ? "descending" : "ascending");
			sortBy(rows, function (row) {
				var cell = row.cells[column];
				return numeric ? cell.getAttribute("data-v") : cell.textContent.toLowerCase();
			}, numeric, descending);
		});
		if (rows.length > 1)
			drawBars(rows.map(function (r) { return r.cells[column]; }).filter(function (c) {
				return c.classList.contains("fig");
			}), function (c) { return c.getAttribute("data-v"); });
	});
	return rows;
}

/* --- records */

function startRecords(list, tools) {
	var records = Array.from(list.children), keys = Object.keys(records[0].dataset);
	var measures = ["size", "bytes", "value", "self", "count"];
	if (list.closest(".set").dataset.unit === "count")
		measures.unshift("count");
	var main = measures.find(function (k) { return keys.includes(k); });
	if (main)
		drawBars(records.map(function (r) {
			var summary = r.querySelector("summary");
			summary.shareOf = r.dataset[main];
			return summary;
		}), function (s) { return s.shareOf; });
	var select = make("select", {});
	select.setAttribute("aria-label", "Order");
	select.append(new Option("in the report's order", ""));
	keys.forEach(function (k) { select.append(new Option("by " + k.replace(/_/g, " "), k)); });
	select.addEventListener("change", function () {
		sortBy(records, function (r) {
			return select.value ? r.dataset[select.value] || "" : String(-records.indexOf(r));
		}, true, true);
	});
	var fold = make("button", { type: "button", textContent: "Open all stacks" });
	fold.addEventListener("click", function () {
		var open = fold.textContent === "Open all stacks";
		records.forEach(function (r) { r.firstElementChild.open = open; });
		fold.textContent = open ? "Close all stacks" : "Open all stacks";
	});
	tools.append(select, fold);
	return records;
}

/* --- filter */

function addFilter(tools, items) {
	var input = make("input", { type: "search", placeholder: "Filter ( / )" });
	var told = make("output", {}), texts = null;
	input.setAttribute("aria-label", "Filter rows");
	input.addEventListener("input", function () {
		var words = input.value.toLowerCase().split(/\s+/).filter(Boolean), shown = 0;
		texts = texts || items.map(function (e) { return e.textContent.toLowerCase(); });
		items.forEach(function (e, i) {
			e.hidden = !words.every(function (w) { return texts[i].includes(w); });
			shown += !e.hidden;
		});
		told.textContent = words.length ? shown + " of " + items.length : "";
	});
	tools.prepend(input, told);
	return input;
}

function start() {
	var inputs = [];
	document.querySelectorAll(".rows").forEach(function (box) {
		var tools = make("div", { className: "tools" }), table = box.querySelector(".grid");
		var list = box.querySelector(".records"), items = [];
		tools.setAttribute("role", "search");
		if (table)
			items = startGrid(table);
		else if (list)
			items = startRecords(list, tools);
		if (items.length > 1) {
			inputs.push(addFilter(tools, items));
			box.before(tools);
		}
	});
	document.querySelectorAll(".sections .grid, .parts .grid").forEach(startGrid);
	document.addEventListener("keydown", function (e) {
		if (e.key !== "/" || !inputs.length || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName))
			return;
		e.preventDefault();
		inputs[0].focus();
	});
	/* Unfolds everything for printing. */
	var folded = [];
	window.addEventListener("beforeprint", function () {
		folded = Array.from(document.querySelectorAll("details:not([open])"));
		folded.forEach(function (d) { d.open = true; });
	});
	window.addEventListener("afterprint", function () {
		folded.forEach(function (d) { d.open = false; });
	});
}

start();
}());
