/* One finding: its runs, reviews and newest stack. */
#include "history_private.h"

#include "analysis/history.h"
#include "base/strbuf.h"
#include "db/connection.h"

#include <stdlib.h>
#include <string.h>

enum {
	NOTES_MAX = 1000,
	TEXT_MAX_BYTES = 64 * 1024
};

bool
history_find(struct db *db, struct arena *a, const struct history_request *q, struct history *h,
	const struct history_finding **finding, struct error *err)
{
	if (!history_answer_read(db, a, q, h, err))
		return false;
	if (!h->finding_count) {
		error_set(err, ERROR_NOT_FOUND, "the stream has no finding \"%.50s\"", q->finding);
		return error_hint(err, "\"profdepot history --state all\" lists the findings");
	}
	for (size_t i = 1; i < h->finding_count; i++)
		if (memcmp(h->findings[i].identity, h->findings[0].identity, IDENTITY_BYTES) != 0) {
			error_set(err, ERROR_USAGE, "several identities begin with \"%.50s\"",
				q->finding);
			return error_hint(err, "use more digits");
		}
	*finding = &h->findings[0];
	return true;
}

/* --- runs ------------------------------------------------------------------------------------ */

static const struct table_column columns[] = {
	{ .key = "inst_id", .title = "INST_ID", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_ID },
	{ .key = "run", .title = "Run" },
	{ .key = "version", .title = "Version" },
	{ .key = "commit", .title = "Commit" },
	{ .key = "ran_at", .title = "Ran at", .kind = TABLE_TIME },
	{ .key = "tool", .title = "Tool" },
	{ .key = "stream", .title = "Stream" },
	{ .key = "answer", .title = "Answer" },
	{ .key = "count", .title = "Count", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_COUNT },
	{ .key = "size", .title = "Size", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_BYTES },
	{ .key = "places", .title = "Places", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_COUNT },
	{ .key = "source_line", .title = "Line", .kind = TABLE_INTEGER },
};

enum {
	COLUMNS = sizeof(columns) / sizeof(columns[0])
};

const struct table_head history_runs_head = { "history", "Runs of a finding", TABLE_GRID, columns,
	COLUMNS };

static struct text
digits(struct arena *a, int64_t v)
{
	return v ? history_digits(a, v) : TEXT_NULL;
}

static const struct history_sighting *
sighting_in(const struct history_finding *f, size_t run)
{
	for (size_t low = 0, high = f->sighting_count; low < high;) {
		size_t middle = (low + high) / 2;
		const struct history_sighting *s = &f->sightings[middle];

		if (s->run == run)
			return s;
		if (s->run < run)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static bool
write_run(struct table_sink *sink, const struct history *h, const struct history_finding *f,
	size_t run, struct error *err)
{
	const struct history_run *r = &h->runs[run];
	const struct history_sighting *s = sighting_in(f, run);
	struct table_cell cells[COLUMNS] = { { .frames = NULL } };
	struct arena a = ARENA_INIT;
	const struct text texts[COLUMNS] = { digits(&a, r->inst_id), r->run_key, r->version,
		r->commit_id, r->ran_at, r->tool, r->of_parent ? h->parent : TEXT_NULL,
		text_from(history_run_answer(r, f, s != NULL)),
		s ? digits(&a, s->count) : TEXT_NULL, s ? history_size(&a, s) : TEXT_NULL,
		s ? digits(&a, s->places) : TEXT_NULL, s ? digits(&a, s->source_line) : TEXT_NULL };
	bool ok;

	for (size_t i = 0; i < COLUMNS; i++)
		cells[i].text = texts[i];
	ok = sink->row(sink, cells, err);
	arena_release(&a);
	return ok;
}

/* --- notes ----------------------------------------------------------------------------------- */

struct notes {
	const char *items[NOTES_MAX + 1]; /* ends with NULL */
	size_t count;
};

static void
note(struct notes *n, const char *text)
{
	if (n->count < NOTES_MAX)
		n->items[n->count++] = text;
}

static void
append_part(struct strbuf *b, const char *before, struct text t)
{
	if (text_is_empty(t))
		return;
	strbuf_append_str(b, before);
	strbuf_append_text(b, t);
}

static void
note_reviews(struct notes *n, struct arena *a, const struct history_finding *f)
{
	for (const struct history_review *r = f->review; r; r = r->older) {
		struct strbuf b;

		strbuf_init(&b, TEXT_MAX_BYTES);
		strbuf_printf(&b, "review %lld: %s", (long long)r->ledger_no,
			review_status_names[r->status]);
		append_part(&b, " in ", r->fixed_in);
		append_part(&b, ", by ", r->author);
		append_part(&b, ", ", r->reviewed_at);
		append_part(&b, ", until ", r->until);
		strbuf_append_str(&b, r->expired ? " (expired)" : "");
		append_part(&b, ": ", r->reason);
		append_part(&b, ", ", r->ticket);
		note(n, arena_strdup(a, strbuf_str(&b)));
		strbuf_release(&b);
	}
}

static void
note_frame(struct notes *n, struct arena *a, const struct history_frame *f)
{
	struct strbuf b;

	strbuf_init(&b, TEXT_MAX_BYTES);
	strbuf_append_str(&b, "  at ");
	if (!text_is_empty(f->class_name)) {
		strbuf_append_text(&b, f->class_name);
		strbuf_append_char(&b, '.');
	}
	strbuf_append_text(&b, text_is_empty(f->routine) ? TEXT_LITERAL("??") : f->routine);
	if (!text_is_empty(f->source_file))
		append_part(&b, " (", text_file_name(f->source_file));
	else
		append_part(&b, " (in ", text_file_name(f->module));
	if (f->source_line > 0 && !text_is_empty(f->source_file))
		strbuf_printf(&b, ":%lld", (long long)f->source_line);
	if (!text_is_empty(f->source_file) || !text_is_empty(f->module))
		strbuf_append_char(&b, ')');
	note(n, arena_strdup(a, strbuf_str(&b)));
	strbuf_release(&b);
}

static bool
read_stack(struct db *db, struct arena *a, const struct history *h, const struct history_finding *f,
	struct history_stack *stack, struct error *err)
{
	struct history_frame *frames = arena_alloc_array(a, HISTORY_STACK_FRAMES, sizeof(*frames));

	*stack = (struct history_stack){ .frames = frames };
	if (!history_find_stored(db, a, h, f, &stack->inst_id, err))
		return false;
	if (stack->inst_id &&
		!history_read_stack(db, a, stack->inst_id, f, frames, &stack->count, err))
		return false;
	return true;
}

static void
note_stack(struct notes *n, struct arena *a, const struct history_stack *stack)
{
	if (stack->count)
		note(n, arena_printf(a, "stack in result set %lld:", (long long)stack->inst_id));
	for (size_t i = 0; i < stack->count; i++)
		note_frame(n, a, &stack->frames[i]);
}

static struct text
subject(struct arena *a, const struct history_finding *f, struct text owner)
{
	struct strbuf b;
	struct text t;

	strbuf_init(&b, TEXT_MAX_BYTES);
	strbuf_printf(&b, "%.*s ", HISTORY_SHORT_DIGITS, history_identity_text(a, f).data);
	strbuf_append_text(&b, f->kind);
	append_part(&b, ", ", f->name);
	append_part(&b, " of ", f->class_name);
	append_part(&b, " in ", history_routine(a, f));
	append_part(&b, ", ", text_file_name(f->source_file));
	strbuf_printf(&b, ": %s", history_state_names[f->state]);
	if (f->was_fixed)
		strbuf_append_str(&b, " after it was fixed");
	append_part(&b, ", owner ", owner);
	t = arena_text(a, strbuf_text(&b));
	strbuf_release(&b);
	return t;
}

bool
history_write_finding(struct db *db, struct table_sink *sink, struct arena *a,
	const struct history *h, const struct history_request *q, struct error *err)
{
	static const struct table_cell totals[COLUMNS] = { { .frames = NULL } };
	size_t first;
	size_t rows = history_page(q, h->run_count, &first);
	struct notes *notes = arena_alloc(a, sizeof(*notes));
	const struct history_finding *f = &h->findings[0];
	struct table_foot foot = {
		.rows = rows, .all_rows = h->run_count, .totals = totals, .notes = notes->items
	};
	struct history_stack stack = { .frames = NULL };
	struct history_members members = { .h = h, .finding = f, .stack = &stack };
	struct table_set set = {
		.inst_id = TEXT_NULL, .members = history_put_members, .members_self = &members
	};
	struct depot_owners owners;

	if (!h->finding_count)
		return error_set(
			err, ERROR_NOT_FOUND, "the stream has no finding \"%.50s\"", q->finding);
	if (h->finding_count > 1)
		return error_set(
			err, ERROR_USAGE, "several identities begin with \"%.50s\"", q->finding);
	if (!depot_owners_read(db, a, h->ledger_no, &owners, err))
		return false;
	members.owner = depot_owner(&owners, f->source_file);
	set.subject = subject(a, f, members.owner);
	/* Text formats show the subject of a set only if the set has an INST_ID. This one has no INST_ID, so a
	 * note shows its subject. */
	note(notes, arena_strdup(a, set.subject.data));
	note(notes, history_stream_note(a, h));
	note_reviews(notes, a, f);
	/* An answer as of a ledger number must always be the same. Therefore it has no stack: the
	 * facts with the stack can be removed later. */
	if (!q->as_of && !read_stack(db, a, h, f, &stack, err))
		return false;
	note_stack(notes, a, &stack);
	if (!sink->begin(sink, &history_runs_head, err) || !sink->set_begin(sink, &set, err))
		return false;
	for (size_t i = 0; i < rows; i++)
		if (!write_run(sink, h, f, h->run_count - 1 - first - i, err))
			return false;
	return sink->set_end(sink, &foot, err) && sink->end(sink, err);
}
