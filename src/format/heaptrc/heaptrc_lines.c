/* Recognises the lines of heaptrc's reports; see heaptrc_private.h. */
#include "heaptrc_private.h"

static const char dump[] = "Heap dump by heaptrc unit";
static const char no_dump[] = "No heap dump by heaptrc unit";

/* The first lines of errors. Such a line begins with `begin` and contains `words`. */
static const struct {
	const char *begin, *words, *kind;
	const char *first_role; /* role of the next stack; NULL for the error's own stack */
	bool wants_block;
	bool of_runtime;
} errors[] = {
	{ "Marked memory at $", " released", "double-free", NULL, true, false },
	{ "Marked memory at $", " invalid", "invalid-block", NULL, false, false },
	{ "Wrong size : ", " allocated ", "wrong-size", NULL, true, false },
	{ "Wrong size of $", " allocated", "wrong-size", NULL, false, false },
	{ "pointer $", " was freed at", "double-free", "freed_at", false, false },
	{ "pointer $", " does not point to valid memory block", "bad-pointer", NULL, false, false },
	{ "pointer $", " points into invalid memory block", "bad-pointer", NULL, false, false },
	{ "pointer $", " changed after free", "modified-after-free", NULL, false, false },
	{ "Marked memory at $", " changed after free", "modified-after-free", NULL, false, false },
	{ "Runtime error ", " at $", "runtime-error", NULL, false, true },
	{ "An unhandled exception occurred at $", ":", "exception", NULL, false, true },
};

enum {
	ERRORS = sizeof(errors) / sizeof(errors[0])
};

/* The lines that precede the stacks of an error. */
static const struct {
	const char *line, *role;
} stacks[] = {
	{ "was released at", "freed_at" },
	{ "freed again at", NULL },
	{ "and touched again at", NULL },
	{ "Allocated at:", "allocated_at" },
	{ "Freed at:", "freed_at" },
	{ "Detected by:", NULL },
	{ "Occured at:", NULL },
	{ "Occurred at:", NULL },
	{ "Incidentally spotted by:", "other" },
};

static size_t
error_of(struct text t)
{
	size_t i = 0;

	while (i < ERRORS && !(text_begins(t, errors[i].begin) &&
				     text_find(t, errors[i].words) != TEXT_NOT_FOUND))
		i++;
	return i;
}

static bool
is_frame(struct text line)
{
	return line.size > 4 && line.data[0] == ' ' && line.data[1] == ' ' && line.data[2] == '$' &&
	       char_is_word(line.data[3]);
}

size_t
heaptrc_mark(struct text line)
{
	static const char *const marks[] = { no_dump, dump, "Call trace for block $",
		"Marked memory at $", "Wrong size : ", "Wrong size of $",
		"An unhandled exception occurred at $", "Runtime error " };
	size_t at;

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		at = text_find(line, marks[i]);
		if (at != TEXT_NOT_FOUND)
			return at;
	}
	at = text_find(line, "pointer $");
	return error_of(text_from_at(line, at)) < ERRORS ? at : TEXT_NOT_FOUND;
}

/* --- totals -------------------------------------------------------------------------------------- */

static void
add_total(struct ht_report *r, struct text t)
{
	bool bad = false;

	members_element(&r->totals, line_clean(r->out.in->lines, t, &bad));
}

/* "37 unfreed memory blocks : 3355" and the like. */
static bool
take_total(struct ht_report *r, struct text t)
{
	struct text rest = t;
	uint64_t count;

	if (text_begins(t, "True heap size : ") || text_begins(t, "True free heap : ") ||
		text_begins(t, "Should be : ")) {
		add_total(r, t);
		return true;
	}
	if (!scan_decimal(&rest, &count))
		return false;
	if (scan_word(&rest, " unfreed memory blocks : ")) {
		r->unfreed_count = count;
		/* In a truncated line the number may be incomplete. */
		r->has_total = scan_decimal(&rest, &r->unfreed_bytes) && !rest.size &&
			       !r->out.in->line.unended;
	} else if (!text_begins(rest, " memory blocks ")) {
		return false;
	}
	add_total(r, t);
	return true;
}

/* Scans the path after "Heap dump by heaptrc unit of ", which may have quotes. */
static void
take_program(struct ht_report *r, struct text t)
{
	bool bad = false;

	if (!scan_word(&t, " of "))
		return;
	t = text_trim(t);
	if (t.size > 1 && t.data[0] == '"' && t.data[t.size - 1] == '"')
		t = text_from_at(text_up_to(t, t.size - 1), 1);
	strbuf_append_text(&r->program, line_clean(r->out.in->lines, t, &bad));
}

/* --- items ----------------------------------------------------------------------------------------- */

/* The first address in the line, after "$". */
static bool
address_in(struct text t, uint64_t *address)
{
	const char *dollar = memchr(t.data, '$', t.size);

	if (!dollar)
		return false;
	t = text_from_at(t, (size_t)(dollar + 1 - t.data));
	return scan_hex(&t, address);
}

/* "Call trace for block $ADDRESS size N[ (TClass)][: N/A.]" */
static bool
take_block(struct ht_report *r, struct text t)
{
	bool bad = false;

	scan_word(&t, "at ");
	if (!scan_char(&t, '$') || !scan_hex(&t, &r->handle) || !scan_word(&t, " size ") ||
		!scan_decimal(&t, &r->size))
		return false;
	r->has_handle = r->has_size = true;
	if (scan_word(&t, " (")) {
		size_t end = text_find(t, ")");

		strbuf_reset(&r->class_name);
		strbuf_append_text(
			&r->class_name, line_clean(r->out.in->lines, text_up_to(t, end), &bad));
	}
	return true;
}

static bool
begin_block(struct ht_report *r, struct text t, bool unended)
{
	/* In a truncated line the size may be incomplete. */
	if (unended) {
		r->damaged = true;
		return heaptrc_end_item(r);
	}
	if (r->item == HT_ERROR && r->wants_block) {
		take_block(r, t);
		r->wants_block = false;
		return heaptrc_begin_stack(r, "allocated_at");
	}
	if (!heaptrc_end_item(r))
		return false;
	if (!take_block(r, t))
		return true;
	r->item = HT_BLOCK;
	return heaptrc_begin_stack(r, NULL);
}

static bool
begin_error(struct ht_report *r, struct reader *in, size_t number, struct text t)
{
	bool bad = false;

	if (r->open && r->fresh && !heaptrc_end_report(r))
		return false;
	if (!heaptrc_begin(r, in) || !heaptrc_end_item(r))
		return false;
	r->heaptrc |= !errors[number].of_runtime;
	r->item = HT_ERROR;
	r->kind = errors[number].kind;
	r->wants_block = errors[number].wants_block;
	r->wants_end = text_equal(text_from(r->kind), TEXT_LITERAL("double-free"));
	r->wants_class = text_begins(t, "An unhandled exception");
	r->has_handle = address_in(t, &r->handle);
	strbuf_append_text(&r->text, line_clean(in->lines, t, &bad));
	return heaptrc_begin_stack(r, errors[number].first_role);
}

static bool
begin_dump(struct ht_report *r, struct reader *in, struct text rest)
{
	if (r->open && (r->dumped || r->fresh) && !heaptrc_end_report(r))
		return false;
	if (!heaptrc_begin(r, in) || !heaptrc_end_item(r))
		return false;
	r->dumped = r->heaptrc = true;
	take_program(r, rest);
	return true;
}

/* --- lines ------------------------------------------------------------------------------------------ */

/* Handles a line inside an error: the beginning of a stack, or a detail. Returns false for any
 * other line. */
static bool
take_error_line(struct ht_report *r, struct text t, bool *ok)
{
	for (size_t i = 0; i < sizeof(stacks) / sizeof(stacks[0]); i++)
		if (text_equal(t, text_from(stacks[i].line))) {
			*ok = heaptrc_begin_stack(r, stacks[i].role);
			r->wants_end &= stacks[i].role != NULL;
			return true;
		}
	if (r->wants_class && t.size) {
		bool bad = false;

		r->wants_class = false;
		strbuf_append_char(&r->text, ' ');
		strbuf_append_text(&r->text, line_clean(r->out.in->lines, t, &bad));
		return true;
	}
	return text_begins(t, "Wrong signature $");
}

/* Handles a line that is not from heaptrc. Each run begins its log with the path of the program, so a line with a path
 * after a dump means that another run has begun. */
static void
take_other(struct ht_report *r, struct text t)
{
	bool path = memchr(t.data, '/', t.size) || memchr(t.data, '\\', t.size);

	if (r->dumped && path && !memchr(t.data, ' ', t.size))
		r->fresh = true;
}

static void
init(struct ht_report *r)
{
	if (r->text.max)
		return;
	strbuf_init(&r->program, HT_TEXT_MAX_BYTES);
	strbuf_init(&r->totals, HT_TEXT_MAX_BYTES);
	strbuf_init(&r->text, HT_TEXT_MAX_BYTES);
	strbuf_init(&r->class_name, HT_TEXT_MAX_BYTES);
	strbuf_init(&r->names, HT_TEXT_MAX_BYTES);
}

static bool
take_in_report(struct ht_report *r, struct text t)
{
	bool ok = true;

	if (take_total(r, t) || text_is_empty(t) || text_begins(t, "Block content: "))
		return true;
	if (r->item == HT_ERROR && take_error_line(r, t, &ok))
		return ok;
	take_other(r, t);
	return true;
}

bool
heaptrc_line(void *state, struct reader *in, struct text content)
{
	struct ht_report *r = state;
	struct text t = text_trim(content);
	size_t error;

	init(r);
	if (r->open)
		log_report_use(&r->out);
	if (in->line.unended && r->open && r->item == HT_ERROR)
		return heaptrc_report_cut(r);
	if (is_frame(content)) {
		/* At the truncated end of a log, the frame may be incomplete. */
		return (in->line.unended && r->stacks.open) ? (r->damaged = true)
							    : !r->open || heaptrc_frame(r, content);
	}
	error = error_of(t);
	if (error < ERRORS)
		return begin_error(r, in, error, t);
	if (scan_word(&t, dump))
		return begin_dump(r, in, t);
	if (text_equal(t, text_from(no_dump))) {
		if (!heaptrc_begin(r, in) || !heaptrc_end_item(r))
			return false;
		r->heaptrc = r->no_dump = true;
		return true;
	}
	if (!r->open)
		return true;
	if (scan_word(&t, "Call trace for block "))
		return begin_block(r, t, in->line.unended);
	return take_in_report(r, t);
}

bool
heaptrc_end(void *state, struct reader *in)
{
	(void)in;
	return heaptrc_end_report(state);
}

void
heaptrc_release(void *state)
{
	struct ht_report *r = state;

	if (r->open)
		log_report_release(&r->out);
	log_stacks_release(&r->stacks);
	strbuf_release(&r->program);
	strbuf_release(&r->totals);
	strbuf_release(&r->text);
	strbuf_release(&r->class_name);
	strbuf_release(&r->names);
}

/* A log is recognised by two lines: the first line of a dump or an error, and, shortly after it, a total, a frame or
 * another line that only heaptrc writes. */
bool
heaptrc_look(unsigned *seen, struct text content)
{
	enum {
		WITHIN_LINES = 6
	};
	struct text t = text_trim(content);
	struct text rest = t;
	uint64_t n;

	if (text_begins(t, dump) || text_equal(t, text_from(no_dump)) || error_of(t) < ERRORS) {
		*seen = WITHIN_LINES;
		return false;
	}
	if (!*seen)
		return false;
	--*seen;
	return is_frame(content) || text_begins(t, "Exitcode = ") ||
	       text_begins(t, "Call trace for block ") || text_begins(t, "Wrong signature $") ||
	       (scan_decimal(&rest, &n) && text_begins(rest, " memory blocks allocated : "));
}
