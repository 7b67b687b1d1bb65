/*
 * Handles the records of a document. Errors, leaks, signals and threads become rows
 * (valgrind_emit.c); all the other records become attributes of the result set.
 */
#include "format/common/text_scan.h"
#include "valgrind_facts.h"

#include <stdlib.h>
#include <unistd.h>

enum {
	COMMENT_MAX_BYTES = 64 * 1024,
};

/* Removes the last addition if it did not fit. */
static void
settle(struct vg_document *d, struct strbuf *b, size_t before)
{
	if (!b->failed)
		return;
	b->failed = false;
	b->size = before;
	d->left_out = true;
}

static void
append_object(struct strbuf *b, struct strbuf *members)
{
	struct text object = members_end(members);

	strbuf_append_text(b, text_is_null(object) ? TEXT_LITERAL("{}") : object);
	b->failed |= members->failed;
}

/* Adds the texts of all leaves of one kind as an array. */
static void
add_array(struct vg_document *d, const struct vg_record *r, const char *key,
	enum vg_element element, enum vg_element parent)
{
	struct strbuf *b = &d->head;
	size_t before = b->size;
	size_t n = 0;

	for (size_t i = 0; i < r->leaf_count; i++) {
		const struct vg_leaf *l = &r->leaves[i];

		if (l->parent != parent || (l->element != element && element != VG_OTHER))
			continue;
		if (n++)
			strbuf_append_char(b, ',');
		else {
			members_key(b, key);
			strbuf_append_char(b, '[');
		}
		valgrind_string(b, vg_leaf_text(r, l));
	}
	if (n)
		strbuf_append_char(b, ']');
	settle(d, b, before);
}

static void
take_arguments(struct vg_document *d, const struct vg_record *r)
{
	for (size_t i = 0; i < r->leaf_count; i++) {
		const struct vg_leaf *l = &r->leaves[i];
		struct text t = vg_leaf_text(r, l);

		if (l->element == VG_EXE && l->parent == VG_ARGV)
			d->about.application = arena_text(&d->arena, text_basename(t));
		if (l->parent == VG_VARGV && text_begins(t, "--leak-check="))
			d->leak_check_off = text_equal(t, TEXT_LITERAL("--leak-check=no"));
	}
	add_array(d, r, "valgrind_args", VG_OTHER, VG_VARGV);
	add_array(d, r, "args", VG_OTHER, VG_ARGV);
}

/* Stores the user's comment as raw XML, because it may contain any element. */
static void
take_comment(struct vg_document *d, const struct vg_record *r)
{
	size_t size = (size_t)(r->end - r->offset);
	size_t before = d->head.size;
	char *raw, *begin;
	ssize_t n;

	if (size > COMMENT_MAX_BYTES) {
		d->left_out = true;
		return;
	}
	raw = xmalloc(size + 1);
	n = pread(d->in->fd, raw, size, (off_t)r->offset);
	begin = n > 0 ? memchr(raw, '>', (size_t)n) : NULL;
	if (begin) {
		size_t left = (size_t)(raw + n - ++begin);

		valgrind_member(&d->head, "usercomment",
			(struct text){ begin, text_utf8_prefix(begin, left) });
	}
	settle(d, &d->head, before);
	free(raw);
}

/* Adds "name":{"parent.leaf":1,...}. If a name repeats, a number is appended to it. */
static void
take_summary(struct vg_document *d, const struct vg_record *r)
{
	enum {
		MAX_LEAVES = 64
	};
	struct strbuf inner;
	size_t before = d->head.size;

	strbuf_init(&inner, VG_ARRAY_MAX_BYTES);
	for (size_t i = 0; i < r->leaf_count && i < MAX_LEAVES; i++) {
		const struct vg_leaf *l = &r->leaves[i];
		const char *parent = r->text.data + l->parent_name;
		const char *name = r->text.data + l->name;
		char key[160], number[16] = "";
		unsigned same = 1;

		for (size_t k = 0; k < i; k++)
			same += strcmp(r->text.data + r->leaves[k].name, name) == 0 &&
				strcmp(r->text.data + r->leaves[k].parent_name, parent) == 0;
		if (same > 1)
			snprintf(number, sizeof(number), ".%u", same);
		if (l->parent == r->element)
			parent = "";
		snprintf(key, sizeof(key), "%.60s%s%.60s%s", parent, *parent ? "." : "", name,
			number);
		key[text_utf8_prefix(key, strlen(key))] = '\0';
		valgrind_member_number(&inner, key, vg_leaf_text(r, l));
	}
	members_key(&d->head, r->text.data);
	append_object(&d->head, &inner);
	settle(d, &d->head, before);
	strbuf_release(&inner);
}

static void
take_leak_summary(struct vg_document *d, const struct vg_record *r)
{
	static const enum vg_element parents[] = { [VG_DEFINITE] = VG_DEFINITELY,
		[VG_INDIRECT] = VG_INDIRECTLY,
		[VG_POSSIBLE] = VG_POSSIBLY,
		[VG_REACHABLE] = VG_STILL_REACHABLE };

	for (size_t i = 0; i < r->leaf_count; i++) {
		const struct vg_leaf *l = &r->leaves[i];
		uint64_t n;

		if (!valgrind_number(vg_leaf_text(r, l), &n))
			continue;
		for (int k = 0; k < VG_LEAKS; k++) {
			if (parents[k] != l->parent)
				continue;
			d->leaks[k].has_summary = true;
			if (l->element == VG_BYTES)
				d->leaks[k].summary_bytes = n;
			else if (l->element == VG_BLOCKS || l->element == VG_IN_BLOCKS)
				d->leaks[k].summary_blocks = n;
		}
	}
	take_summary(d, r);
}

static void
take_error_summary(struct vg_document *d, const struct vg_record *r)
{
	d->has_error_summary =
		valgrind_number(valgrind_leaf(r, VG_ERRORS), &d->summary_errors) &&
		valgrind_number(valgrind_leaf(r, VG_ERROR_CONTEXTS), &d->summary_contexts);
	take_summary(d, r);
}

/* ["fn (module)",...] */
static void
append_stack(struct vg_document *d, struct strbuf *b, const struct vg_record *r,
	const struct vg_stack *s)
{
	strbuf_append_char(b, '[');
	for (size_t i = 0; i < s->count && d->frames; i++) {
		const struct vg_routine *f = &d->routines[r->frames[s->first + i].numbers.routine];
		struct text name = text_is_empty(f->function) ? f->module : f->function;

		if (i)
			strbuf_append_char(b, ',');
		valgrind_string(b, text_is_null(name) ? TEXT_LITERAL("??") : name);
	}
	strbuf_append_char(b, ']');
}

/* Adds a message that the program asked valgrind to write. */
static void
take_client_message(struct vg_document *d, const struct vg_record *r)
{
	struct strbuf *b = &d->clients;
	size_t before = b->size;
	struct strbuf one;

	strbuf_init(&one, VG_ARRAY_MAX_BYTES);
	valgrind_member_number(&one, "tid", valgrind_leaf(r, VG_TID));
	valgrind_member(&one, "threadname", valgrind_leaf(r, VG_THREADNAME));
	valgrind_member(&one, "text", valgrind_leaf(r, VG_TEXT));
	for (size_t i = 0; i < r->stack_count && i < 1; i++) {
		members_key(&one, "stack");
		append_stack(d, &one, r, &r->stacks[i]);
	}
	if (before)
		strbuf_append_char(b, ',');
	append_object(b, &one);
	settle(d, b, before);
	strbuf_release(&one);
}

/* Adds a stack outside of any record to the attributes. For an open file descriptor, older versions of
 * valgrind write no record, only such a stack. */
static void
take_loose_stack(struct vg_document *d, const struct vg_record *r)
{
	size_t before = d->loose.size;

	for (size_t i = 0; i < r->stack_count; i++) {
		if (d->loose.size)
			strbuf_append_char(&d->loose, ',');
		append_stack(d, &d->loose, r, &r->stacks[i]);
	}
	settle(d, &d->loose, before);
}

static void
take_other(struct vg_document *d, const struct vg_record *r)
{
	struct strbuf *b = &d->others;
	size_t before = b->size;

	for (size_t i = 0; i < r->leaf_count; i++)
		valgrind_pair(b, r->text.data + r->leaves[i].name, vg_leaf_text(r, &r->leaves[i]));
	settle(d, b, before);
}

/* Handles a <status>: RUNNING when the program started, FINISHED when it ended. */
static void
take_status(struct vg_document *d, const struct vg_record *r)
{
	struct text state = valgrind_leaf(r, VG_STATE);
	struct text time = valgrind_leaf(r, VG_TIME);
	size_t before = d->head.size;
	bool finished = text_equal(state, TEXT_LITERAL("FINISHED"));

	if (d->seen[finished ? VG_STATE : VG_STATUS] || text_is_null(time) ||
		(!finished && !text_equal(state, TEXT_LITERAL("RUNNING")))) {
		take_other(d, r);
		return;
	}
	d->seen[finished ? VG_STATE : VG_STATUS] = true;
	valgrind_member(&d->head, finished ? "finished_after" : "running_after", text_trim(time));
	settle(d, &d->head, before);
}

static void
take_value(struct vg_document *d, const struct vg_record *r)
{
	struct text t = valgrind_leaf(r, r->element);
	size_t before = d->head.size;

	if (text_is_null(t) || r->leaf_count != 1) {
		take_other(d, r);
		return;
	}
	t = text_trim(t);
	if (r->element == VG_TOOL)
		d->about.tool = arena_text(&d->arena, t);
	else
		valgrind_member_number(&d->head, r->text.data, t);
	if (r->element == VG_PID)
		d->about.pid = arena_text(&d->arena, t);
	settle(d, &d->head, before);
}

/* --- suppressions ------------------------------------------------------------------------ */

static bool
emit_suppressions(struct vg_document *d, const struct vg_record *r)
{
	struct suppression_row row = { .syntax = TEXT_LITERAL("valgrind"),
		.count = MODEL_NULL,
		.bytes = MODEL_NULL,
		.blocks = MODEL_NULL };

	for (size_t i = 0; i < r->leaf_count; i++) {
		const struct vg_leaf *l = &r->leaves[i];

		if (l->element == VG_COUNT)
			row.count = valgrind_number_or_null(vg_leaf_text(r, l));
		else if (l->element == VG_BYTES)
			row.bytes = valgrind_number_or_null(vg_leaf_text(r, l));
		else if (l->element == VG_BLOCKS)
			row.blocks = valgrind_number_or_null(vg_leaf_text(r, l));
		else if (l->element == VG_FILE)
			row.file = vg_leaf_text(r, l);
		if (l->element != VG_NAME)
			continue;
		row.id = ++d->suppressions;
		row.name = vg_leaf_text(r, l);
		if (!emit_suppression(d->in, &row))
			return false;
		row.count = row.bytes = row.blocks = MODEL_NULL;
		row.file = TEXT_NULL;
	}
	return true;
}

/* --- records ----------------------------------------------------------------------------- */

static bool
emit_rows(struct vg_document *d, const struct vg_record *r)
{
	if (r->element == VG_SUPPCOUNTS && !r->leaf_count)
		return true;
	if (!valgrind_document_set(d))
		return false;
	if (!d->wanted)
		return true;
	if (r->element == VG_ERROR)
		return valgrind_emit_error(d, r);
	if (r->element == VG_ANNOUNCE)
		return valgrind_emit_announced(d, r);
	return r->element == VG_SUPPCOUNTS ? emit_suppressions(d, r) : valgrind_emit_signal(d, r);
}

static void
take_preamble(struct vg_document *d, const struct vg_record *r)
{
	add_array(d, r, "preamble", VG_LINE, VG_PREAMBLE);
}

bool
valgrind_document_record(struct vg_document *d, const struct vg_record *r)
{
	static const struct {
		void (*take)(struct vg_document *d, const struct vg_record *r);
		bool once; /* a repeated element is treated as unknown */
	} elements[VG_OTHER + 1] = {
		[VG_CLIENTMSG] = { take_client_message, false },
		[VG_STACK] = { take_loose_stack, false },
		[VG_STATUS] = { take_status, false },
		[VG_PREAMBLE] = { take_preamble, true },
		[VG_ARGS] = { take_arguments, true },
		[VG_USERCOMMENT] = { take_comment, true },
		[VG_LEAK_SUMMARY] = { take_leak_summary, true },
		[VG_ERROR_SUMMARY] = { take_error_summary, true },
		[VG_HEAP_SUMMARY] = { take_summary, true },
		[VG_PID] = { take_value, true },
		[VG_PPID] = { take_value, true },
		[VG_TOOL] = { take_value, true },
		[VG_PROTOCOLVERSION] = { take_value, true },
		[VG_PROTOCOLTOOL] = { take_value, true },
	};
	enum vg_element e = r->element;

	if (e == VG_ERROR || e == VG_ANNOUNCE || e == VG_FATAL_SIGNAL || e == VG_SUPPCOUNTS)
		return emit_rows(d, r);
	/* Ignore suppressions, which are also part of their errors, and counts, which were read before. */
	if (e == VG_SUPPRESSION || e == VG_ERRORCOUNTS)
		return true;
	if (!elements[e].take || (elements[e].once && d->seen[e])) {
		take_other(d, r);
		return true;
	}
	d->seen[e] |= elements[e].once;
	elements[e].take(d, r);
	return true;
}
