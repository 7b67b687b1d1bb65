/* Messages that stay visible in a corner of the screen while the user goes from page to page. */
import { h, fill } from "./dom.js";

let area = null;

/* Shows a notice. Returns { show(...content), close() }; `show` replaces its content. */
export function notice(label, names = "") {
	area ||= document.body.appendChild(h("div", { class: "notices" }));
	const box = h("section", { class: `notice ${names}`, "aria-label": label });
	area.append(box);
	const self = {
		show: (...content) => fill(box, content),
		close: () => box.remove(),
		closeButton: () => h("button", { type: "button", "aria-label": `Close: ${label}`, onclick: () => box.remove() }, "Close"),
	};
	return self;
}
