#include "valgrind_private.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	HEAD_MAX_BYTES = 1024 * 1024,  /* of what a document says of itself */
	ARRAY_MAX_BYTES = 1024 * 1024, /* of its client messages and the like, each */
	COMMENT_MAX_BYTES = 64 * 1024,
};

void
valgrind_document_init(struct vg_document *d, struct format_source *source, struct sink *sink,
	const char *file, int fd)
{
	*d = (struct vg_document){ .source = source,
		.sink = sink,
		.file = file,
		.fd = fd,
		.arena = ARENA_INIT,
		.waiting = ARENA_INIT,
		.leak_check = 1 };
	pair_map_init(&d->counts);
	valgrind_threads_init(&d->threads);
	strbuf_init(&d->head, HEAD_MAX_BYTES);
	strbuf_init(&d->clients, ARRAY_MAX_BYTES);
	strbuf_init(&d->loose, ARRAY_MAX_BYTES);
	strbuf_init(&d->others, ARRAY_MAX_BYTES);
	strbuf_init(&d->notes, VG_MAX_RECORD_BYTES);
	strbuf_init(&d->attributes, (size_t)2 * VG_MAX_RECORD_BYTES);
}

void
valgrind_document_release(struct vg_document *d)
{
	frame_dictionary_free(d->frames);
	free(d->routines);
	free(d->count_values);
	valgrind_frames_release(&d->known_frames);
	pair_map_release(&d->counts);
	valgrind_threads_release(&d->threads);
	strbuf_release(&d->head);
	strbuf_release(&d->clients);
	strbuf_release(&d->loose);
	strbuf_release(&d->others);
	strbuf_release(&d->notes);
	strbuf_release(&d->attributes);
	arena_release(&d->arena);
	arena_release(&d->waiting);
}

bool
valgrind_document_set(struct vg_document *d, struct error *err)
{
	struct set_row row = { .source_inst_id = MODEL_NULL, .file = text_from(d->file) };

	if (d->about.has_set)
		return true;
	if (!d->sink->set(d->sink, &row, &d->about.set, &d->wanted, err))
		return false;
	d->about.has_set = true;
	if (d->wanted)
		d->frames = frame_dictionary_new(d->sink, d->about.set);
	return true;
}

bool
valgrind_issue(struct vg_document *d, enum issue_code code, uint64_t line, uint64_t offset,
	struct error *err, const char *format, ...)
{
	char message[256];
	const struct issue issue = {
		.code = code, .source = d->file, .line = line, .offset = offset, .message = message
	};
	va_list args;

	d->damaged |= code == ISSUE_RECORD_BROKEN || code == ISSUE_UNFINISHED;
	if (!d->wanted)
		return true;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	/* Names out of the file may be cut inside a character. */
	message[text_utf8_prefix(message, strlen(message))] = '\0';
	return d->sink->issue(d->sink, d->about.set, &issue, err);
}

/* --- what it says of itself
 * ----------------------------------------------------------------------- */

struct text
valgrind_leaf(const struct vg_record *r, enum vg_element element)
{
	for (size_t i = 0; i < r->leaf_count; i++)
		if (r->leaves[i].element == element)
			return vg_leaf_text(r, &r->leaves[i]);
	return TEXT_NULL;
}

/* An addition that does not fit is taken back whole. */
static void
settle(struct vg_document *d, struct strbuf *b, size_t before)
{
	if (!b->failed)
		return;
	b->failed = false;
	b->size = before;
	d->left_out = true;
}

/* The texts of one kind of leaf, as an array. */
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
			valgrind_json_key(b, text_from(key));
			strbuf_append_char(b, '[');
		}
		valgrind_json_string(b, vg_leaf_text(r, l));
	}
	if (n)
		strbuf_append_char(b, ']');
	settle(d, b, before);
}

static struct text
file_name(struct text path)
{
	for (size_t i = path.size; i > 0; i--)
		if (path.data[i - 1] == '/')
			return (struct text){ path.data + i, path.size - i };
	return path;
}

static void
take_arguments(struct vg_document *d, const struct vg_record *r)
{
	for (size_t i = 0; i < r->leaf_count; i++)
		if (r->leaves[i].element == VG_EXE && r->leaves[i].parent == VG_ARGV)
			d->about.application =
				arena_text(&d->arena, file_name(vg_leaf_text(r, &r->leaves[i])));
	add_array(d, r, "valgrind_args", VG_OTHER, VG_VARGV);
	add_array(d, r, "args", VG_OTHER, VG_ARGV);
}

/* Raw XML, which may hold anything. */
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
	n = pread(d->fd, raw, size, (off_t)r->offset);
	begin = n > 0 ? memchr(raw, '>', (size_t)n) : NULL;
	if (begin) {
		size_t left = (size_t)(raw + n - ++begin);

		valgrind_json_member(&d->head, "usercomment",
			(struct text){ begin, text_utf8_prefix(begin, left) });
	}
	settle(d, &d->head, before);
	free(raw);
}

/* "name":{"parent.leaf":1,...}, a name that comes again with its number behind. */
static void
take_summary(struct vg_document *d, const struct vg_record *r)
{
	enum {
		MAX_LEAVES = 64
	};
	struct strbuf inner;
	size_t before = d->head.size;

	strbuf_init(&inner, HEAD_MAX_BYTES);
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
		valgrind_json_number(&inner, key, vg_leaf_text(r, l));
	}
	valgrind_json_key(&d->head, text_from(r->text.data));
	strbuf_append_char(&d->head, '{');
	strbuf_append_text(&d->head, strbuf_text(&inner));
	strbuf_append_char(&d->head, '}');
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
			d->leaks[k].told = true;
			if (l->element == VG_BYTES)
				d->leaks[k].summary_bytes = n;
			else if (l->element == VG_BLOCKS || l->element == VG_IN_BLOCKS)
				d->leaks[k].summary_blocks = n;
		}
	}
}

static void
take_error_summary(struct vg_document *d, const struct vg_record *r)
{
	struct text errors = valgrind_leaf(r, VG_ERRORS);
	struct text contexts = valgrind_leaf(r, VG_ERROR_CONTEXTS);

	d->has_error_summary = !text_is_null(errors) && !text_is_null(contexts) &&
			       valgrind_number(errors, &d->summary_errors) &&
			       valgrind_number(contexts, &d->summary_contexts);
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
		valgrind_json_string(b, text_is_null(name) ? TEXT_LITERAL("??") : name);
	}
	strbuf_append_char(b, ']');
}

/* What the program told valgrind to write. */
static void
take_client_message(struct vg_document *d, const struct vg_record *r)
{
	struct strbuf *b = &d->clients;
	size_t before = b->size;
	struct strbuf one;

	strbuf_init(&one, ARRAY_MAX_BYTES);
	valgrind_json_number(&one, "tid", valgrind_leaf(r, VG_TID));
	valgrind_json_member(&one, "threadname", valgrind_leaf(r, VG_THREADNAME));
	valgrind_json_member(&one, "text", valgrind_leaf(r, VG_TEXT));
	for (size_t i = 0; i < r->stack_count && i < 1; i++) {
		valgrind_json_key(&one, TEXT_LITERAL("stack"));
		append_stack(d, &one, r, &r->stacks[i]);
	}
	strbuf_append_str(b, before ? ",{" : "{");
	strbuf_append_text(b, strbuf_text(&one));
	strbuf_append_char(b, '}');
	b->failed |= one.failed;
	settle(d, b, before);
	strbuf_release(&one);
}

/* Of an older valgrind's open file descriptors: it writes but their stacks. */
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

	for (size_t i = 0; i < r->leaf_count; i++) {
		if (b->size)
			strbuf_append_char(b, ',');
		strbuf_append_char(b, '[');
		valgrind_json_string(b, text_from(r->text.data + r->leaves[i].name));
		strbuf_append_char(b, ',');
		valgrind_json_string(b, vg_leaf_text(r, &r->leaves[i]));
		strbuf_append_char(b, ']');
	}
	settle(d, b, before);
}

/* RUNNING when the program started, FINISHED when it ended. */
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
	valgrind_json_member(
		&d->head, finished ? "finished_after" : "running_after", text_trim(time));
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
		valgrind_json_number(&d->head, r->text.data, t);
	if (r->element == VG_PID)
		d->about.pid = arena_text(&d->arena, t);
	settle(d, &d->head, before);
}

/* --- suppressions it used ---------------------------------------------------------------- */

static bool
tell_suppressions(struct vg_document *d, const struct vg_record *r, struct error *err)
{
	struct suppression_row row = { .syntax = TEXT_LITERAL("valgrind"),
		.count = MODEL_NULL,
		.bytes = MODEL_NULL,
		.blocks = MODEL_NULL };

	if (!r->leaf_count)
		return true;
	if (!valgrind_document_set(d, err))
		return false;
	for (size_t i = 0; i < r->leaf_count && d->wanted; i++) {
		const struct vg_leaf *l = &r->leaves[i];
		uint64_t n;

		if (l->element == VG_COUNT) {
			row.count = valgrind_number(vg_leaf_text(r, l), &n) && n <= INT64_MAX
					    ? (int64_t)n
					    : MODEL_NULL;
			continue;
		}
		if (l->element != VG_NAME)
			continue;
		row.id = ++d->suppressions;
		row.name = vg_leaf_text(r, l);
		if (!d->sink->suppression(d->sink, d->about.set, &row, err))
			return false;
		row.count = MODEL_NULL;
	}
	return true;
}

/* --- records ----------------------------------------------------------------------------- */

/* What a document tells of itself once; again, it is kept among the others. */
static void
take_head(struct vg_document *d, const struct vg_record *r)
{
	if (d->seen[r->element]) {
		take_other(d, r);
		return;
	}
	d->seen[r->element] = true;
	switch ((int)r->element) {
	case VG_PREAMBLE:
		add_array(d, r, "preamble", VG_LINE, VG_PREAMBLE);
		break;
	case VG_ARGS:
		take_arguments(d, r);
		break;
	case VG_USERCOMMENT:
		take_comment(d, r);
		break;
	case VG_LEAK_SUMMARY:
		take_leak_summary(d, r);
		take_summary(d, r);
		break;
	case VG_ERROR_SUMMARY:
		take_error_summary(d, r);
		take_summary(d, r);
		break;
	case VG_HEAP_SUMMARY:
		take_summary(d, r);
		break;
	default:
		take_value(d, r);
	}
}

bool
valgrind_document_record(struct vg_document *d, const struct vg_record *r, struct error *err)
{
	switch ((int)r->element) {
	case VG_ERROR:
		return valgrind_tell_error(d, r, err);
	case VG_ANNOUNCE:
		return valgrind_tell_announced(d, r, err);
	case VG_FATAL_SIGNAL:
		return valgrind_tell_signal(d, r, err);
	case VG_SUPPCOUNTS:
		return tell_suppressions(d, r, err);
	case VG_SUPPRESSION: /* stands in its error too */
	case VG_ERRORCOUNTS: /* counted as they came */
		break;
	case VG_CLIENTMSG:
		take_client_message(d, r);
		break;
	case VG_STACK:
		take_loose_stack(d, r);
		break;
	case VG_STATUS:
		take_status(d, r);
		break;
	case VG_PREAMBLE:
	case VG_ARGS:
	case VG_USERCOMMENT:
	case VG_LEAK_SUMMARY:
	case VG_ERROR_SUMMARY:
	case VG_HEAP_SUMMARY:
	case VG_PID:
	case VG_PPID:
	case VG_TOOL:
	case VG_PROTOCOLVERSION:
	case VG_PROTOCOLTOOL:
		take_head(d, r);
		break;
	default:
		take_other(d, r);
	}
	return true;
}
