/* The form that adds a review to a finding. */
import { h, fill, field, select, say, sentence } from "./dom.js";
import { addReview } from "./api.js";

const STATUSES = [["confirmed", "confirmed: it must be fixed"], ["false-positive", "false positive: the detector is wrong"],
	["intentional", "intentional: it stays"], ["fixed", "fixed"], ["open", "open: undecided again"], ["same", "the same as another finding"]];

/* After the review is stored, `done` is called with the identity under which history shows the finding. */
export function reviewForm(identity, stream, done) {
	const status = select({ name: "status" }, STATUSES, "confirmed");
	const reason = h("textarea", { name: "reason", rows: "3", required: true });
	const sameAs = field("Identity of that finding", h("input", { name: "same_as", size: "16", pattern: " *[0-9a-fA-F]{4,32} *" }));
	const fixedIn = field("Fixed in version", h("input", { name: "fixed_in", size: "10" }));
	const trouble = h("div", { role: "alert" });
	const send = h("button", { class: "main" }, "Add review");
	const optional = name => form.elements[name].value.trim() || null;
	const isSame = () => status.value === "same";
	const onstatus = () => {
		fixedIn.hidden = status.value !== "fixed";
		sameAs.hidden = !isSame();
		form.elements.same_as.required = isSame();
	};
	const onsubmit = async e => {
		e.preventDefault();
		fill(trouble);
		send.disabled = true;
		try {
			const words = isSame() ? { same_as: optional("same_as") } : { status: status.value };
			const stored = await addReview(identity, { ...words, reason: reason.value.trim(), author: optional("author"), ticket: optional("ticket"),
				until: optional("until"), fixed_in: fixedIn.hidden ? null : optional("fixed_in"), stream: stream.trim() });
			say("The review is stored");
			done(stored.finding);
		} catch (error) {
			fill(trouble, h("p", { class: "wrong-text" }, sentence(error.message)), error.hint && h("p", { class: "hint" }, error.hint));
		} finally {
			send.disabled = false;
		}
	};
	const form = h("form", { class: "review", onsubmit },
		h("h3", null, "Add a review"),
		h("div", { class: "tools" }, field("Status", status), fixedIn, sameAs,
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
