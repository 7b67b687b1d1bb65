/* Reads an entry of FastMM's logs; see fastmm_private.h. */
#include "fastmm_private.h"

/* --- paragraphs --------------------------------------------------------------------------------- */

/* "20(1), 40(1)" */
static bool
is_modified_list(struct text t)
{
	uint64_t n;

	while (scan_decimal(&t, &n) && scan_char(&t, '(') && scan_decimal(&t, &n) &&
		scan_char(&t, ')')) {
		if (!t.size)
			return true;
		if (!scan_word(&t, ", "))
			return false;
	}
	return false;
}

/* Returns the value at the end of a sentence. This is the text after the last ": ". If there is no
 * colon, it is the last word. */
static struct text
value_of(struct text line)
{
	struct text t = text_trim(line);
	size_t at = t.size;

	while (at > 1 && !(t.data[at - 1] == ' ' && t.data[at - 2] == ':'))
		at--;
	if (at <= 1)
		for (at = t.size; at && t.data[at - 1] != ' ';)
			at--;
	t = text_from_at(t, at);
	if (t.size > 1 && t.data[t.size - 1] == '.')
		t.size--;
	return t;
}

static void
add_value(struct fm_report *r, struct text line)
{
	struct fm_entry *e = &r->entry;
	struct text value = value_of(fastmm_clean(r, line));
	struct fm_value *v = &e->values[e->value_count];
	struct text rest = value;

	if (is_modified_list(value)) {
		e->modified = true;
		return;
	}
	if (e->value_count == FM_MAX_VALUES || !value.size)
		return;
	v->is_number = scan_decimal(&rest, &v->number) && !rest.size;
	v->begin = (uint32_t)e->text.size;
	v->size = (uint32_t)value.size;
	v->stacks = e->stack_count;
	strbuf_append_text(&e->text, value);
	if (!e->text.failed)
		e->value_count++;
}

/* Finds the thread in the sentence before a stack. It is a number such as "0x24". If there is no such
 * number, it is the last decimal number. */
static bool
thread_of(struct text t, uint64_t *thread)
{
	size_t at = text_find(t, "0x");
	struct text rest = text_from_at(t, at == TEXT_NOT_FOUND ? t.size : at);
	size_t end = t.size;

	if (scan_hex(&rest, thread))
		return true;
	while (end && !char_is_digit(t.data[end - 1]))
		end--;
	at = end;
	while (at && char_is_digit(t.data[at - 1]))
		at--;
	rest = text_from_at(text_up_to(t, end), at);
	return scan_decimal(&rest, thread);
}

/* Returns whether the sentence announces a stack. A sentence that names a thread announces one, even if no frame
 * follows. */
static bool
is_stack_sentence(struct text t)
{
	t = text_trim(t);
	return text_ends(t, ":") || text_find(t, "0x") != TEXT_NOT_FOUND;
}

static bool
begin_stack(struct fm_report *r)
{
	struct fm_entry *e = &r->entry;
	struct log_stack *s;
	uint64_t thread;

	e->paragraph = FM_STACK;
	log_stack_begin(&r->out);
	if (e->stack_count == FM_MAX_STACKS)
		return true;
	s = &e->stacks[e->stack_count];
	*s = (struct log_stack){ .role = "other", .thread = LOG_NO_THREAD };
	return !thread_of(strbuf_text(&e->line_text), &thread) ||
	       log_report_thread(&r->out, thread, &s->thread);
}

/* "Current memory dump of 256 bytes starting at pointer address 7FFFFFD75540:" */
static bool
take_dump(struct fm_entry *e)
{
	struct text t = text_trim(strbuf_text(&e->line_text));
	size_t at;

	if (!text_ends(t, ":"))
		return false;
	t.size--;
	at = t.size;
	while (at && t.data[at - 1] != ' ')
		at--;
	t = text_from_at(t, at);
	for (size_t i = 0; i < t.size; i++)
		if (!char_is_digit(t.data[i]) && (t.data[i] < 'A' || t.data[i] > 'F'))
			return false;
	if (t.size < 4 || !scan_hex(&t, &e->handle) || t.size)
		return false;
	e->has_handle = true;
	e->paragraph = FM_DUMP;
	return true;
}

static bool
end_paragraph(struct fm_report *r)
{
	struct fm_entry *e = &r->entry;
	enum fm_paragraph was = e->paragraph;

	if (was == FM_DUMP || was == FM_BETWEEN)
		return true;
	e->paragraph = FM_BETWEEN;
	e->paragraphs++;
	if (was == FM_STACK) {
		if (e->stack_count == FM_MAX_STACKS)
			return true;
		return log_stack_end(&r->out, &e->stacks[e->stack_count++]);
	}
	if (e->paragraphs == 1)
		return true;
	if (is_stack_sentence(strbuf_text(&e->line_text)) && !take_dump(e)) {
		if (!begin_stack(r))
			return false;
		e->paragraph = FM_BETWEEN;
		if (e->stack_count < FM_MAX_STACKS)
			e->stack_count++;
		return true;
	}
	if (!e->has_handle)
		add_value(r, strbuf_text(&e->line_text));
	return true;
}

/* --- rows of a summary ------------------------------------------------------------------------------ */

/* "25 - 40 bytes: TOrder x 3, TList<System.Integer,TOrder> x 1": sums the counts. */
static uint64_t
sum_of_row4(struct text t)
{
	uint64_t low, high, n;
	uint64_t sum = 0;

	if (!scan_decimal(&t, &low) || !scan_word(&t, " - ") || !scan_decimal(&t, &high))
		return 0;
	for (;;) {
		size_t at = text_find(t, " x ");

		if (at == TEXT_NOT_FOUND)
			return sum;
		t = text_from_at(t, at + 3);
		if (scan_decimal(&t, &n))
			sum += n;
	}
}

/* "27: 4 x AnsiString, 1 x Unit.TClass" */
static uint64_t
sum_of_row5(struct text t)
{
	uint64_t size, n;
	uint64_t sum = 0;

	if (!scan_decimal(&t, &size) || !scan_word(&t, ": "))
		return 0;
	while (scan_decimal(&t, &n) && scan_word(&t, " x ")) {
		size_t next = 0;

		sum += n;
		/* The names of generic classes contain commas, too. The comma that ends a name is
		 * followed by a number. */
		do {
			size_t at = text_find(text_from_at(t, next), ", ");

			if (at == TEXT_NOT_FOUND)
				return sum;
			next += at + 2;
		} while (next < t.size && !char_is_digit(t.data[next]));
		t = text_from_at(t, next);
	}
	return sum;
}

/* Returns the number of sizes at the end of a sentence such as "...: 5160, 458456". */
static uint64_t
count_sizes(struct text line)
{
	struct text t = text_trim(line);
	size_t at = t.size;
	uint64_t count = 0;
	uint64_t n;

	while (at &&
		(char_is_digit(t.data[at - 1]) || t.data[at - 1] == ',' || t.data[at - 1] == ' '))
		at--;
	if (!at || t.data[at - 1] != ':')
		return 0;
	t = text_trim(text_from_at(t, at));
	while (scan_decimal(&t, &n)) {
		count++;
		if (!scan_word(&t, ", "))
			break;
	}
	return count;
}

static void
take_summary_line(struct fm_report *r, struct text line)
{
	struct fm_entry *e = &r->entry;
	uint64_t rows = r->version == 4 ? sum_of_row4(line) : sum_of_row5(line);

	if (!rows && r->version == 4 && text_find(line, "(") != TEXT_NOT_FOUND)
		rows = count_sizes(line);
	e->rows += rows;
}

/* --- lines ---------------------------------------------------------------------------------------- */

static bool
report_wrapped(struct fm_report *r)
{
	r->entry.broken = true;
	r->damaged = true;
	if (r->wrapped || !r->out.wanted)
		return true;
	r->wrapped = true;
	return reader_issue(r->out.in, ISSUE_RECORD_BROKEN,
		"a line is wrapped or truncated; its content is left out");
}

static bool
take_frame_line(struct fm_report *r, struct text line, bool unended)
{
	struct fm_entry *e = &r->entry;

	if (e->paragraph == FM_SENTENCE && e->paragraphs && !begin_stack(r))
		return false;
	if (e->paragraph != FM_STACK)
		return true;
	/* In a truncated frame, the routine's name may be incomplete. */
	if (unended && !text_ends(text_trim(line), "]"))
		return report_wrapped(r);
	return fastmm_add_frame(r, line);
}

static void
take_first_line(struct fm_report *r, struct text line)
{
	struct fm_entry *e = &r->entry;

	if (e->text.size)
		strbuf_append_char(&e->text, '\n');
	strbuf_append_text(&e->text, fastmm_clean(r, text_trim(line)));
	if (e->first_end == 0)
		e->first_size = e->text.size;
	e->first_end = e->text.size;
}

bool
fastmm_entry_line(struct fm_report *r, struct text line, bool unended)
{
	struct fm_entry *e = &r->entry;
	bool blank = text_is_empty(text_trim(line));

	if (e->paragraph == FM_DUMP)
		return !unended || !text_begins(line, "--------") || report_wrapped(r);
	if (blank)
		return end_paragraph(r);
	take_summary_line(r, line);
	if (e->paragraphs && fastmm_is_frame(line))
		return take_frame_line(r, line, unended);
	/* A line that begins with [ is a part of a wrapped frame. Any other line comes from another
	 * program. */
	if (e->paragraph == FM_STACK)
		return line.data[0] != '[' || report_wrapped(r);
	if (e->paragraph == FM_BETWEEN) {
		e->paragraph = FM_SENTENCE;
		strbuf_reset(&e->line_text);
	} else {
		strbuf_append_char(&e->line_text, ' ');
	}
	/* In a truncated line the value may be incomplete. A line of dashes may be an incomplete
	 * head. */
	if (unended || text_begins(line, "--------"))
		return report_wrapped(r);
	if (!e->paragraphs)
		take_first_line(r, line);
	else
		strbuf_append_text(&e->line_text, line);
	if (e->paragraphs)
		take_dump(e);
	return true;
}

/* --- the row of an entry ---------------------------------------------------------------------------- */

static struct text
value_text(const struct fm_entry *e, const struct fm_value *v)
{
	return text_from_at(text_up_to(strbuf_text(&e->text), v->begin + v->size), v->begin);
}

/* The first paragraph. */
static struct text
first_paragraph(const struct fm_entry *e)
{
	return text_up_to(strbuf_text(&e->text), e->first_end);
}

/* Reads the size at the end of the first sentence of a leak. The line may continue with another sentence. */
static bool
leak_size(const struct fm_entry *e, uint64_t *size)
{
	struct text t = text_up_to(strbuf_text(&e->text), e->first_size);
	size_t at = t.size;

	while (at > 1 && !(t.data[at - 1] == ' ' && t.data[at - 2] == ':'))
		at--;
	t = text_from_at(t, at);
	return at > 1 && scan_decimal(&t, size) && (!t.size || t.data[0] == '.');
}

/* Returns the allocation number. It is the last number that has at least `stacks` stacks before it. */
static struct number
allocation_number(const struct fm_entry *e, size_t stacks)
{
	struct number n = NUMBER_NULL;

	for (size_t i = 0; i < e->value_count; i++)
		if (e->values[i].is_number && e->values[i].stacks >= stacks)
			n = (struct number){ .magnitude = e->values[i].number };
	return n;
}

static struct text
class_of(const struct fm_entry *e)
{
	for (size_t i = 0; i < e->value_count; i++)
		if (!e->values[i].is_number) {
			struct text t = value_text(e, &e->values[i]);

			return fastmm_is_unknown(t) ? TEXT_LITERAL("Unknown") : t;
		}
	return TEXT_LITERAL("Unknown");
}

static bool
emit_block(struct fm_report *r, uint64_t size)
{
	struct fm_entry *e = &r->entry;
	const struct log_stack *stack = e->stack_count ? &e->stacks[0] : NULL;
	bool live = text_find(first_paragraph(e), "LogAllocatedBlocksToFile") != TEXT_NOT_FOUND;
	struct object_row row = { .number = allocation_number(e, 0),
		.address = NUMBER_NULL,
		.size = { .magnitude = size },
		.block_count = 1,
		.leak_kind = live ? TEXT_LITERAL("reachable") : TEXT_LITERAL("definite") };

	if (e->has_handle)
		row.address = (struct number){ .magnitude = e->handle };
	r->leaks += !live;
	return log_report_object(
		&r->out, &row, class_of(e), stack ? stack->thread : LOG_NO_THREAD, stack);
}

/* Returns whether the entry is about a virtual call. Only such an entry has a class and a method before its
 * stacks. */
static bool
is_virtual_call(const struct fm_entry *e)
{
	return e->value_count > 1 && !e->values[0].is_number && e->values[0].stacks == 0;
}

static const char *
kind_of(const struct fm_report *r)
{
	const struct fm_entry *e = &r->entry;
	struct text first = first_paragraph(e);
	const char *operation = fastmm_operation(first);
	size_t own = r->version == 4; /* FastMM4 adds the stack of the call that found the error */

	if (is_virtual_call(e))
		return "virtual-call-on-freed";
	if (e->modified)
		return "modified-after-free";
	if (e->stack_count >= 2 + own) {
		if (r->version == 5)
			return text_find(first, "resize") != TEXT_NOT_FOUND ||
					       text_find(first, "realloc") != TEXT_NOT_FOUND
				       ? "realloc-of-freed"
				       : "double-free";
		return operation[0] == 'F' || operation[0] == 'R' ? "double-free"
								  : "modified-after-free";
	}
	if (e->stack_count == 1 + own)
		return "footer-corrupted";
	if (operation[0] == 'f' && fastmm_is_interface(first))
		return "interface-call-on-freed";
	return "header-corrupted";
}

/* Sets the roles of the entry's stacks. In FastMM4's logs, the stack of the error itself comes last. FastMM5 lists
 * this stack only for virtual calls. */
static void
set_roles(struct fm_report *r)
{
	static const char *const roles[] = { "allocated_at", "freed_at" };
	struct fm_entry *e = &r->entry;
	size_t others = r->version == 4 && e->stack_count ? e->stack_count - 1 : 2;

	for (size_t i = 0; i < e->stack_count; i++)
		e->stacks[i].role = i < others && i < 2 ? roles[i] : i == others ? NULL : "other";
}

static bool
emit_error_entry(struct fm_report *r)
{
	struct fm_entry *e = &r->entry;
	const char *kind = kind_of(r);
	struct strbuf attributes = STRBUF_INIT(FM_TEXT_MAX_BYTES);
	struct number number = allocation_number(e, is_virtual_call(e) ? 0 : 1);
	bool ok;

	set_roles(r);
	if (r->version == 4)
		members_text(
			&attributes, "operation", text_from(fastmm_operation(first_paragraph(e))));
	if (!number.null)
		members_number(&attributes, "allocation_number", number.magnitude);
	if (e->has_handle)
		members_number(&attributes, "address", e->handle);
	members_text(&attributes, "time", text_from(e->time));
	ok = log_report_error(&r->out, text_from(kind),
		text_up_to(strbuf_text(&e->text), e->first_size), members_end(&attributes),
		e->stacks, e->stack_count);
	strbuf_release(&attributes);
	return ok;
}

/* Whether the last entry of a log lacks its end. FastMM4 ends the entry of an error with a dump,
 * and FastMM5 with the allocation number or a dump. */
static bool
is_incomplete(const struct fm_report *r)
{
	const struct fm_entry *e = &r->entry;

	if (r->version == 4 || !e->stack_count)
		return !e->has_handle;
	return allocation_number(e, 1).null;
}

static bool
report_cut(struct fm_report *r)
{
	const struct issue at = {
		.code = ISSUE_REPORT_CUT, .line = r->entry.line, .offset = r->entry.offset
	};

	r->damaged = true;
	return !r->out.wanted || reader_issue_like(r->out.in, &at, "the log ends inside an entry");
}

bool
fastmm_entry_end(struct fm_report *r, bool last, bool *ends_report)
{
	struct fm_entry *e = &r->entry;
	uint64_t size;
	bool details;

	*ends_report = false;
	if (!e->open)
		return true;
	e->open = false;
	if (!end_paragraph(r))
		return false;
	details = e->stack_count || e->value_count || e->has_handle;
	if (e->rows && !e->stack_count && !e->has_handle) {
		r->summed += e->rows;
		r->has_summary = true;
		*ends_report = true;
		return true;
	}
	if (leak_size(e, &size) && details)
		return emit_block(r, size);
	if (last && is_incomplete(r) && !report_cut(r))
		return false;
	/* Entries with neither a stack nor a dump, such as statistics, are not errors. */
	if (e->stack_count || e->has_handle)
		return emit_error_entry(r);
	return true;
}
