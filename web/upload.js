/* Uploads dropped or selected files, one after the other. A notice, which is visible on every page, asks for labels and
 * shows progress, results and errors. */
import { h, fill, figure, field, say, plural } from "./dom.js";
import { Trouble, troubleOf, getJson, parse, path } from "./api.js";
import { notice } from "./notices.js";
import { resultLinks } from "./jobs.js";

const POLL_MS = 500;

let loaded = null; /* draws the current page again, if it shows result sets */
let chosen = { application: "", app_version: "", label: "" }; /* as in the last upload */
let active = 0;

/* Sends a file with XMLHttpRequest, because fetch does not report the progress of an upload. */
function send(file, query, progress) {
	return new Promise((resolve, reject) => {
		const x = new XMLHttpRequest();
		x.open("POST", path(["v1", "result-sets"], { name: file.name, ...query }));
		x.setRequestHeader("Content-Type", "application/octet-stream");
		x.upload.onprogress = e => e.lengthComputable && progress(e.loaded / e.total);
		x.onerror = () => reject(new Trouble(0, "The connection to the server was lost."));
		x.onload = () => {
			let answer = null;
			try {
				answer = x.status >= 400 ? JSON.parse(x.responseText) : parse(x.responseText);
			} catch (e) {
				return reject(x.status >= 400 ? new Trouble(x.status, `The server answered ${x.status}.`) : e);
			}
			if (x.status >= 400)
				reject(troubleOf(x.status, answer.error || { message: String(x.status) }));
			else
				resolve({ status: x.status, answer, place: x.getResponseHeader("Location") });
		};
		x.send(file);
	});
}

/* Returns the answer to an upload. A large file becomes a job, which is polled until it ends. */
async function finish(sent, progress) {
	let { answer } = sent;
	if (sent.status !== 202)
		return answer;
	while (["queued", "running"].includes(answer.state)) {
		progress(answer.bytes ? answer.bytes_read / answer.bytes : 0);
		await new Promise(r => setTimeout(r, POLL_MS));
		answer = await getJson(sent.place);
	}
	if (!answer.result)
		throw troubleOf(answer.error?.status || 0, answer.error || { message: "the upload was cancelled" });
	return answer.result;
}

function outcome(answer) {
	const sets = answer.result_sets || [answer];
	return [sets.every(s => s.state === "known") ? "already in the depot: " : "loaded: ", resultLinks(answer)];
}

/* Sends a file, and shows its progress and its outcome in `place`. Returns whether the file was loaded. */
async function upload(file, query, place) {
	const bar = h("progress", { max: "1", value: "0", "aria-label": `Progress of ${file.name}` }), what = h("span", { class: "in" }, " sending");
	fill(place, bar, what);
	try {
		const sent = await send(file, query, share => {
			bar.value = share;
			if (share === 1) {
				bar.removeAttribute("value");
				what.textContent = " loading";
			}
		});
		fill(place, outcome(await finish(sent, share => { bar.value = share; })));
		say(`${file.name} is loaded`);
	} catch (e) {
		/* The page shows the name in front of the message. */
		const message = e.message.startsWith(`${file.name}: `) ? e.message.slice(file.name.length + 2) : e.message;
		fill(place, h("span", { class: "wrong-text" }, message), e.hint && ` ${e.hint}`);
		say(`${file.name}: ${message}`);
		return false;
	}
	return true;
}

async function uploadAll(files, query, places) {
	let any = false;
	active++;
	for (let i = 0; i < files.length; i++)
		any = await upload(files[i], query, places[i]) || any;
	active--;
	if (any && loaded)
		loaded();
}

/* Returns the query for the fields, or throws an error that says which label is wrong. */
function queryOf(fields) {
	chosen = Object.fromEntries(Object.entries(fields).map(([key, input]) => [key, input.value.trim()]));
	const label = chosen.label.split(/\s+/).filter(Boolean);
	const bad = label.find(l => !/^[^=]+=./.test(l));
	if (bad)
		throw new Error(`“${bad}” is not a label: write its name, = and its value.`);
	return { ...chosen, label };
}

/* Asks what the files belong to, then uploads them. */
function offer(files) {
	if (!files.length)
		return;
	const shown = notice("Upload", "upload");
	const fields = { application: h("input", { value: chosen.application, size: "16" }), app_version: h("input", { value: chosen.app_version, size: "10" }),
		label: h("input", { value: chosen.label, size: "24", placeholder: "branch=main" }) };
	const wrong = h("p", { class: "wrong-text", role: "alert" });
	const places = files.map(() => h("span", { class: "in" }, "waiting"));
	const list = h("ul", null, files.map((f, i) => h("li", null, h("strong", null, f.name), ` (${figure(f.size, "bytes")}): `, places[i])));
	const start = async e => {
		e.preventDefault();
		try {
			const query = queryOf(fields);
			shown.show(h("h2", null, `Uploading ${plural(files.length, "file", "files")}`), list);
			await uploadAll(files, query, places);
			shown.show(h("h2", null, "Upload"), list, shown.closeButton());
		} catch (error) {
			wrong.textContent = error.message;
		}
	};
	const send = h("button", { class: "main" }, "Upload");
	shown.show(h("form", { onsubmit: start }, h("h2", null, `Upload ${plural(files.length, "file", "files")}`), list,
		h("div", { class: "tools" }, field("Application", fields.application), field("Version", fields.app_version), field("Labels", fields.label)), wrong,
		h("div", { class: "tools" }, send, h("button", { type: "button", onclick: shown.close }, "Cancel"))));
	send.focus();
}

/* Creates the area for choosing files. After an upload, `redraw` is called if the area is still shown. */
export function uploadBox(redraw) {
	const input = h("input", { type: "file", multiple: true, class: "unseen", id: "files", tabindex: "-1",
		"aria-label": "Files to load",
		onchange: e => {
			const files = [...e.target.files];
			/* Without this, the same file could not be selected again. */
			e.target.value = "";
			offer(files);
		} });
	const box = h("section", { class: "drop", "aria-label": "Load files" },
		h("p", null, "Drop a profiler's file on any page, or ",
			h("button", { type: "button", onclick: () => input.click() }, "choose files"), "."), input);
	loaded = () => box.isConnected && redraw();
	return box;
}

export function acceptDrops() {
	const files = e => [...e.dataTransfer?.types || []].includes("Files");
	addEventListener("dragover", e => {
		if (files(e)) {
			e.preventDefault();
			document.body.classList.add("dropping");
		}
	});
	addEventListener("dragleave", e => e.relatedTarget || document.body.classList.remove("dropping"));
	addEventListener("drop", e => {
		if (!files(e))
			return;
		e.preventDefault();
		document.body.classList.remove("dropping");
		offer([...e.dataTransfer.files]);
	});
	/* The browser asks the user before it closes a page that is sending files. */
	addEventListener("beforeunload", e => active && e.preventDefault());
}
