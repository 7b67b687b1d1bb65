/* The page for the depot's retention rules, and the number of result sets that each rule selects now. */
import { h, fill, field, agreed, empty, say, link, plural, figure } from "./dom.js";
import { Trouble, ask, getJson, path, facetsOfSets } from "./api.js";
import { to } from "./route.js";
import { table } from "./table.js";
import { settingsHead, isAdmin, formOf } from "./settings.js";

const URL = "/v1/retention-rules";
const UNITS = { s: ["second", "seconds", 1], m: ["minute", "minutes", 60], h: ["hour", "hours", 3600], d: ["day", "days", 86400], w: ["week", "weeks", 604800] };

const COLUMNS = [
	{ key: "of", title: "Result sets", kind: "text" },
	{ key: "removes", title: "Selects", kind: "text" },
	{ key: "now", title: "Selected now", kind: "text" },
	{ key: "created", title: "Added", kind: "time" },
	{ key: "action", title: "Action", kind: "text" },
];

/* "36h" is [36, "h"]. */
function ageOf(text) {
	const [, number, unit] = /^(\d+)([smhdw])$/.exec(text || "") || [];
	return unit && [Number(number), unit];
}

const keepOf = rule => rule.keep === null ? 0 : Number(rule.keep);
const labelsOf = rule => Object.entries(rule.labels || {}).map(([k, v]) => `${k}=${v}`);
const filterOf = rule => ({ application: rule.application, format: rule.format, label: labelsOf(rule) });

function scope(rule) {
	const parts = [rule.application && `application ${rule.application}`, rule.format && `format ${rule.format}`, ...labelsOf(rule)].filter(Boolean);
	return parts.length ? parts.join(", ") : "all result sets";
}

function removes(rule) {
	const age = ageOf(rule.older_than), keep = keepOf(rule);
	return [age && `loaded more than ${plural(age[0], ...UNITS[age[1]])} ago`,
		keep > 0 && `${age ? "but not" : "all but"} the ${keep > 1 ? `${figure(keep, "count")} newest` : "newest one"}`].filter(Boolean).join(", ") || "all";
}

const totalOf = async query => Number((await facetsOfSets({ ...query, values: 1 })).find(f => f.facet === "total").count);

/* The newest result sets are kept, so the selected ones are the oldest of the old ones. */
async function selected(rule) {
	const age = ageOf(rule.older_than), until = age && new Date(Date.now() - 1000 * age[0] * UNITS[age[1]][2]).toISOString();
	const all = await totalOf(filterOf(rule)), old = until ? await totalOf({ ...filterOf(rule), until }) : all;
	return { all, chosen: Math.min(old, Math.max(0, all - keepOf(rule))), until };
}

/* Counts for one rule after the other, so that the page does not fill the server's queue. */
async function count(places) {
	for (const [place, rule] of places) {
		if (!place.isConnected)
			return;
		await selected(rule).then(({ all, chosen, until }) => {
			const labels = labelsOf(rule), text = `${figure(chosen, "count")} of ${figure(all, "count")}`;
			/* The list can filter by one label. The oldest result sets come first, as the rule selects them. */
			fill(place, labels.length > 1 ? text : link(to(["sets"], { application: rule.application, format: rule.format,
				label: labels[0], until, sort: "loaded_at:asc" }), null, text));
		}, () => fill(place, "unknown"));
	}
}

/* --- the form */

function labelRow(key = "", value = "") {
	const row = h("div", { class: "tools label" }, field("Label", h("input", { size: "14", maxlength: "200", autocomplete: "off", value: key })),
		field("Value", h("input", { size: "24", autocomplete: "off", value })), h("button", { type: "button", onclick: () => row.remove() }, "Remove"));
	return row;
}

/* `rule` is the rule to edit; null for a new one. The unit of its age stays. */
function form(rule, { applications, leave, saved }) {
	const [number, unit] = ageOf(rule?.older_than) || ["", "d"], most = Math.floor(36600 * UNITS.d[2] / UNITS[unit][2]);
	const age = h("input", { type: "number", min: "1", max: String(most), size: "6", placeholder: unit === "d" ? "90" : null, value: String(number) });
	const keep = h("input", { type: "number", min: "0", max: "1000000000", size: "6", placeholder: "20", value: rule && keepOf(rule) ? String(rule.keep) : "" });
	const application = h("input", { size: "24", list: "retention-applications", autocomplete: "off", placeholder: "all applications", maxlength: "1000", value: rule?.application || "" });
	const format = h("input", { size: "14", autocomplete: "off", placeholder: "all formats", value: rule?.format || "" });
	const rows = h("div", null, Object.entries(rule?.labels || {}).map(([key, value]) => labelRow(key, value)));
	return formOf({ title: rule ? `Rule for ${scope(rule)}` : "New retention rule", yes: rule ? "Save" : "Add", cancel: leave, content: [
		h("div", { class: "tools" }, field(`Older than, in ${UNITS[unit][1]}`, age), field("Keep the newest", keep)),
		h("p", { class: "hint" }, "With both, the rule keeps this number of result sets even if they are older."),
		h("div", { class: "tools" }, field("Application", application), field("Format", format),
			h("datalist", { id: "retention-applications" }, applications.map(value => h("option", { value })))), rows,
		h("p", null, h("button", { type: "button", class: "link", onclick: () => {
			const row = labelRow();
			rows.append(row);
			row.querySelector("input").focus();
		} }, "Add a label"))],
	send: async () => {
		if (!age.value && !keep.value)
			throw new Trouble(0, "The rule selects no result sets.", "Fill in the age, the number of result sets to keep, or both.");
		const labels = Object.fromEntries([...rows.children].map(r => [...r.querySelectorAll("input")].map(i => i.value.trim())).filter(([key]) => key));
		await getJson(rule ? `${URL}/${rule.rule}` : URL, { method: rule ? "PUT" : "POST", headers: { Accept: "application/json", "Content-Type": "application/json" }, body: JSON.stringify({
			older_than: age.value ? `${age.value}${unit}` : null, keep: keep.value ? Number(keep.value) : null,
			application: application.value.trim() || null, format: format.value.trim() || null, labels }) });
		await saved();
	} });
}

/* --- the page */

export default async function () {
	const admin = await isAdmin(), list = h("div", { class: "results" }), place = h("div"), wrong = h("p", { class: "wrong-text", role: "alert" });
	let applications = [];
	const leave = () => fill(place, admin && newButton);
	const open = rule => {
		fill(place, form(rule, { applications, leave, saved: async () => {
			leave();
			say(rule ? "Saved" : "Added");
			await draw();
		} }));
		place.querySelector("input").focus();
	};
	const newButton = h("button", { type: "button", onclick: () => open(null) }, "Add a rule");
	const remove = async rule => {
		if (!await agreed(`Delete the rule for ${scope(rule)}?`, h("p", null, "The result sets stay."), "Delete"))
			return;
		wrong.textContent = "";
		await ask(`${URL}/${rule.rule}`, { method: "DELETE" }).then(() => say("Deleted"), e => { wrong.textContent = `${e.message}. ${e.hint || ""}`; });
		await draw();
	};
	let places = [];
	const draw = async () => {
		const { rows } = (await getJson(path(["v1", "retention-rules"], { format: "json" }))).result_sets[0];
		places = [];
		const counted = rule => {
			const cell = h("span", { class: "in" }, "…");
			places.push([cell, rule]);
			return cell;
		};
		fill(list, rows.length ? table({ caption: "Retention rules", rows, columns: COLUMNS.filter(c => c.key !== "action" || admin), classes: { of: "whole" }, cells: {
			of: scope, removes, now: counted,
			action: rule => [h("button", { type: "button", class: "link", "aria-label": `Edit the rule for ${scope(rule)}`, onclick: () => open(rule) }, "Edit"), " ",
				h("button", { type: "button", class: "link", "aria-label": `Delete the rule for ${scope(rule)}`, onclick: () => remove(rule) }, "Delete")],
		} }) : empty("The depot has no retention rules.", h("p", null, "A rule selects old result sets for deletion.")));
		if (list.isConnected)
			count(places);
	};
	leave();
	await draw();
	if (admin)
		applications = (await facetsOfSets({ values: 50 })).filter(f => f.facet === "application").map(f => f.value);
	requestAnimationFrame(() => count(places));
	return [settingsHead("retention"), h("p", { class: "hint" },
		"When the depot is cleaned up, the result sets that a rule selects are deleted. The person who runs the server decides when this happens."),
	wrong, list, place];
}
