/* The form that adds a review to a finding. */
import { h, fill, field, select, say } from "./dom.js";
import { addReview } from "./api.js";

const STATUSES = [["confirmed", "confirmed: it must be fixed"], ["false-positive", "false positive: the detector is wrong"],
	["intentional", "intentional: it stays"], ["fixed", "fixed"], ["open", "open: undecided again"]];

/* `done` is called after the review is stored. */
export function reviewForm(identity, stream, done) {
	const status = select({ name: "status" }, STATUSES, "confirmed");
	const reason = h("textarea", { name: "reason", rows: "3", required: true });
	const fixedIn = field("Fixed in version", h("input", { name: "fixed_in", size: "10" }));
	const trouble = h("div", { role: "alert" });
	const send = h("button", { class: "main" }, "Add review");
	const optional = name => form.elements[name].value.trim() || null;
	const onstatus = () => { fixedIn.hidden = status.value !== "fixed"; };
	const onsubmit = async e => {
		e.preventDefault();
		fill(trouble);
		send.disabled = true;
		try {
			await addReview(identity, { status: status.value, reason: reason.value.trim(), author: optional("author"), ticket: optional("ticket"),
				until: optional("until"), fixed_in: fixedIn.hidden ? null : optional("fixed_in"), stream: stream.trim() });
			say("The review is stored");
			done();
		} catch (error) {
			fill(trouble, h("p", { class: "wrong-text" }, error.message), error.hint && h("p", { class: "hint" }, error.hint));
		} finally {
			send.disabled = false;
		}
	};
	const form = h("form", { class: "review", onsubmit },
		h("h3", null, "Add a review"),
		h("div", { class: "tools" }, field("Status", status), fixedIn,
			field("Applies until", h("input", { name: "until", type: "date" })),
			field("Author", h("input", { name: "author", size: "14", autocomplete: "name" })),
			field("Ticket", h("input", { name: "ticket", size: "24" })),
			h("span", { class: "field whole" }, h("label", { for: "reason" }, "Reason"), reason)),
		h("p", null, send), trouble);
	reason.id = "reason";
	status.addEventListener("change", onstatus);
	onstatus();
	return form;
}
