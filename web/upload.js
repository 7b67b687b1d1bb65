/* Uploads dropped or selected files, one after the other, and shows their progress. */
import { h, figure, link, say, plural } from "./dom.js";
import { Trouble, getJson } from "./api.js";
import { to } from "./route.js";

const URL_OF = name => `/v1/result-sets?name=${encodeURIComponent(name)}`;
const POLL_MS = 500;

let list = null, loaded = null;

/* Sends a file with XMLHttpRequest, because fetch does not report the progress of an upload. */
function send(file, progress) {
	return new Promise((resolve, reject) => {
		const x = new XMLHttpRequest();
		x.open("POST", URL_OF(file.name));
		x.setRequestHeader("Content-Type", "application/octet-stream");
		x.upload.onprogress = e => e.lengthComputable && progress(e.loaded / e.total);
		x.onerror = () => reject(new Trouble(0, "The connection to the server was lost."));
		x.onload = () => {
			let answer = null;
			try {
				answer = JSON.parse(x.responseText);
			} catch {
				return reject(new Trouble(x.status, `The server answered ${x.status}.`));
			}
			if (x.status >= 400)
				reject(new Trouble(x.status, answer.error?.message || String(x.status), answer.error?.hint));
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
		throw new Trouble(answer.error?.status || 0, answer.error?.message || "The upload was cancelled.", answer.error?.hint);
	return answer.result;
}

function told(answer) {
	const sets = answer.result_sets || (answer.inst_id ? [answer] : []);
	return sets.map(s => h("span", null, s.state === "known" ? "already in the depot: " : "loaded: ",
		link(to(["sets", s.inst_id]), null, `No. ${s.inst_id}${s.caption ? `, ${s.caption}` : ""}`), " "));
}

async function upload(file) {
	const bar = h("progress", { max: "1", value: "0", "aria-label": `Sending ${file.name}` });
	const status = h("span", null, bar);
	list.append(h("li", null, h("strong", null, file.name), ` (${figure(file.size, "bytes")}): `, status));
	try {
		const sent = await send(file, share => {
			bar.value = share;
			if (share === 1)
				bar.removeAttribute("value");
		});
		status.replaceChildren(...told(await finish(sent, share => { bar.value = share; })));
		say(`${file.name} is loaded`);
	} catch (e) {
		status.replaceChildren(h("span", { class: "wrong-text" }, e.message), e.hint ? ` ${e.hint}` : "");
		say(`${file.name}: ${e.message}`);
		return false;
	}
	return true;
}

async function uploadAll(files) {
	if (!list?.isConnected) {
		location.hash = "#/";
		await new Promise(r => setTimeout(r, 300));
	}
	let any = false;
	for (const f of files)
		any = await upload(f) || any;
	if (any && loaded)
		loaded();
}

/* Creates the upload area. After uploads, `redraw` is called. */
export function uploadBox(redraw) {
	loaded = redraw;
	list = h("ul", { "aria-live": "polite" });
	const input = h("input", { type: "file", multiple: true, class: "unseen", id: "files", tabindex: "-1",
		"aria-label": "Files to load",
		onchange: e => {
			const files = [...e.target.files];
			/* Without this, the same file could not be selected again. */
			e.target.value = "";
			uploadAll(files);
		} });
	return h("section", { class: "drop", "aria-label": "Load files" },
		h("p", null, "Drop a profiler's file anywhere on this page, or ",
			h("button", { type: "button", onclick: () => input.click() }, "choose files"), "."), input, list);
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
		uploadAll([...e.dataTransfer.files]);
	});
}
