/* Emits reports as objects, errors, threads and further stacks. */
#include "base/array.h"
#include "sanitizer_state.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- threads ----------------------------------------------------------------------- */

/* "T1 (worker) of process 123" */
static bool
add_thread_row(
	struct sanitizer *s, const struct report *r, const struct report_thread *t, int64_t rec_id)
{
	struct thread_row row = { .id = rec_id,
		.rec_id = rec_id,
		.parent_id = -1,
		.size = MODEL_NULL,
		.os_thread_id = t->os_thread_id };

	strbuf_reset(&s->scratch);
	strbuf_printf(&s->scratch, "T%" PRIu64, t->id.number);
	if (t->id.name.size) {
		strbuf_append_str(&s->scratch, " (");
		strbuf_append_text(&s->scratch, t->id.name);
		strbuf_append_char(&s->scratch, ')');
	}
	if (r->has_pid)
		strbuf_printf(&s->scratch, " of process %" PRIu64, r->pid);
	row.name = strbuf_text(&s->scratch);
	return emit_thread(&s->in, &row);
}

/* Sets *id to the thread's rec_id, and emits the thread if it is new. */
static bool
thread_id(struct sanitizer *s, const struct report *r, const struct report_thread *t, int64_t *id)
{
	bool added;

	*id = pair_map_add(&s->threads, (int64_t)r->pid, (int64_t)t->id.number,
		(uint32_t)s->next_thread, &added);
	if (!added)
		return true;
	return add_thread_row(s, r, t, s->next_thread++);
}

static bool
add_further(struct sanitizer *s, enum stack_owner owner, int64_t owner_id, int64_t position,
	const struct report_stack *stack, int64_t thread)
{
	const struct further_stack_row row = { .owner = owner,
		.owner_id = owner_id,
		.position = position,
		.role = text_from(stack->role ? stack->role : "other"),
		.description = stack->description,
		.thread_id = thread,
		.stack = stack->number };

	return emit_further_stack(&s->in, &row);
}

/* Emits the report's threads and their creation stacks. */
static bool
emit_threads(struct sanitizer *s, const struct report *r)
{
	for (size_t i = 0; i < r->thread_count; i++) {
		const struct report_thread *t = &r->threads[i];
		const struct report_stack stack = {
			.role = "thread_start", .description = t->description, .number = t->stack
		};
		int64_t id;
		bool added = false;

		if (!thread_id(s, r, t, &id))
			return false;
		if (t->created)
			pair_map_add(&s->created, id, 0, 0, &added);
		if (added && !add_further(s, OWNER_THREAD, id, 1, &stack, MODEL_NULL))
			return false;
	}
	return true;
}

static int64_t
known_thread(const struct sanitizer *s, const struct report *r, uint64_t number)
{
	uint32_t id = number == NO_THREAD
			      ? PAIR_MAP_NONE
			      : pair_map_get(&s->threads, (int64_t)r->pid, (int64_t)number);

	return id == PAIR_MAP_NONE ? MODEL_NULL : id;
}

/* --- leaks ------------------------------------------------------------------------- */

static struct text
leak_attributes(struct sanitizer *s, struct report *r)
{
	struct strbuf *b = &s->attributes;

	strbuf_reset(b);
	if (r->has_pid)
		members_number(b, "pid", r->pid);
	members_number(b, "line", r->leak_line);
	members_array(b, "addresses", strbuf_text(&r->leaked));
	return members_end(b);
}

bool
sanitizer_emit_leak(struct sanitizer *s, struct report *r)
{
	struct object_row row = { .id = s->next_object,
		.rec_id = s->next_object,
		.parent_id = -1,
		.number = NUMBER_NULL,
		.address = NUMBER_NULL,
		.size = number_from_int64((int64_t)r->leak_bytes),
		.block_count = (int64_t)r->leak_blocks,
		.get_number = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.stack = r->leak_stack,
		.leak_kind = text_from(r->direct ? "direct" : "indirect") };
	struct text class_name = r->class_name.data ? r->class_name : TEXT_LITERAL("??");

	if (!r->leak_open)
		return true;
	r->leak_open = false;
	s->next_object++;
	r->sum_bytes += r->leak_bytes;
	r->sum_blocks += r->leak_blocks;
	stack_ids(s->frames, OWNER_OBJECT, r->leak_depth, &row.stack_first_id);
	if (!class_intern(s->frames, class_name, r->class_module, &row.class_id, s->in.err))
		return false;
	row.attributes = leak_attributes(s, r);
	return emit_object(&s->in, &row) ||
	       error_prefix(s->in.err, "line %llu", (unsigned long long)r->leak_line);
}

/* --- errors ------------------------------------------------------------------------ */

static struct text
error_attributes(struct sanitizer *s, struct report *r)
{
	struct strbuf *b = &s->attributes;

	strbuf_reset(b);
	/* `access` is the beginning of a JSON object. */
	strbuf_append_text(b, strbuf_text(&r->access));
	members_text(b, "tool", r->tool);
	if (r->has_pid)
		members_number(b, "pid", r->pid);
	members_text(b, "source", text_from(s->in.name));
	members_number(b, "line", r->line);
	members_text(b, "place", r->prologue);
	members_text(b, "summary", r->summary);
	members_array(b, "notes", strbuf_text(&r->notes));
	members_text(b, "detail", r->detail.size ? strbuf_text(&r->detail) : TEXT_NULL);
	if (r->aborted)
		members_json(b, "aborted", TEXT_LITERAL("true"));
	return members_end(b);
}

/* The index of the stack that has no role, or stack_count if there is none. */
static size_t
first_stack(const struct report *r)
{
	for (size_t i = 0; i < r->stack_count; i++)
		if (!r->stacks[i].role)
			return i;
	return r->stack_count;
}

/* Whether the report is certainly less serious than an error. ThreadSanitizer and MemorySanitizer
 * call every finding a warning, however serious it is. Therefore all their reports count as errors. */
static bool
is_warning(const struct report *r)
{
	return r->warning && !text_equal(r->tool, TEXT_LITERAL("ThreadSanitizer")) &&
	       !text_equal(r->tool, TEXT_LITERAL("MemorySanitizer"));
}

static bool
add_error(struct sanitizer *s, struct report *r)
{
	size_t first = first_stack(r);
	struct error_row row = { .id = s->next_error,
		.rec_id = s->next_error,
		.error_code = MODEL_NULL,
		.parent_id = known_thread(s, r, r->thread),
		.number = s->next_error + 1,
		.kind = is_warning(r) ? 2 : 1,
		.name = r->bug,
		.description = r->description,
		.stack_first_id = MODEL_NULL,
		.count = r->count };

	if (first < r->stack_count) {
		row.stack = r->stacks[first].number;
		stack_ids(s->frames, OWNER_ERROR, r->stacks[first].depth, &row.stack_first_id);
	}
	row.attributes = error_attributes(s, r);
	s->next_error++;
	if (!emit_error(&s->in, &row))
		return false;
	for (size_t i = 0, position = 1; i < r->stack_count; i++)
		if (i != first && !add_further(s, OWNER_ERROR, row.id, (int64_t)position++,
					  &r->stacks[i], known_thread(s, r, r->stacks[i].thread)))
			return false;
	return true;
}

/* --- runtime errors ---------------------------------------------------------------- */

static bool
count_undefined(struct sanitizer *s, struct report *r)
{
	const struct report_stack none = { 0 };
	size_t first = first_stack(r);
	const struct report_stack *stack = first < r->stack_count ? &r->stacks[first] : &none;
	bool added;
	uint32_t i;

	strbuf_reset(&s->scratch);
	strbuf_append_text(&s->scratch, r->prologue);
	strbuf_append_char(&s->scratch, '\n');
	strbuf_append_text(&s->scratch, r->description);
	strbuf_append_char(&s->scratch, '\n');
	strbuf_append_text(&s->scratch, r->bug);
	strbuf_printf(&s->scratch, "\n%d", (int)stack->number);
	i = pair_map_add_bytes(
		&s->ub_keys, s->scratch.data, s->scratch.size, (uint32_t)s->ub_count, &added);
	if (!added) {
		s->ub[i].row.count++;
		return true;
	}
	*ARRAY_ADD(s->ub, s->ub_count, s->ub_room) = (struct undefined){
		.row = { .parent_id = MODEL_NULL,
			.error_code = MODEL_NULL,
			.kind = 1,
			.name = arena_text(&s->ub_arena, r->bug),
			.description = arena_text(&s->ub_arena, r->description),
			.attributes = arena_text(&s->ub_arena, error_attributes(s, r)),
			.stack = stack->number,
			.count = 1 },
		.depth = stack->depth
	};
	return s->ub_count < UNDEFINED_MAX || sanitizer_emit_undefined(s);
}

bool
sanitizer_emit_undefined(struct sanitizer *s)
{
	for (size_t i = 0; i < s->ub_count; i++) {
		struct error_row *row = &s->ub[i].row;

		row->id = row->rec_id = s->next_error++;
		row->number = s->next_error;
		stack_ids(s->frames, OWNER_ERROR, s->ub[i].depth, &row->stack_first_id);
		if (!emit_error(&s->in, row))
			return false;
	}
	s->ub_count = 0;
	arena_reset(&s->ub_arena);
	pair_map_release(&s->ub_keys);
	return true;
}

/* --- a report ---------------------------------------------------------------------- */

static void
note_tool(struct sanitizer *s, struct text tool)
{
	if (text_find_text(strbuf_text(&s->tools), tool) != TEXT_NOT_FOUND)
		return;
	if (s->tools.size)
		strbuf_append_str(&s->tools, ", ");
	strbuf_append_text(&s->tools, tool);
}

static void
note_process(struct sanitizer *s, const struct report *r)
{
	bool added;

	if (!r->has_pid || s->pids.count >= PROCESSES_MAX)
		return;
	pair_map_add(&s->pids, (int64_t)r->pid, 0, 0, &added);
	if (added)
		strbuf_printf(&s->pid_list, "%s%" PRIu64, s->pid_list.size ? "," : "", r->pid);
}

bool
sanitizer_emit_report(struct sanitizer *s, struct report *r)
{
	if (!sanitizer_emit_leak(s, r))
		return false;
	s->reports++;
	note_tool(s, r->tool);
	note_process(s, r);
	if (r->kind == HEAD_UNDEFINED)
		return count_undefined(s, r);
	if (!r->summarised && !r->aborted && !is_warning(r) &&
		!text_equal(r->bug, TEXT_LITERAL("fatal")) &&
		!reader_issue_like(&s->in, &REPORT_ISSUE(ISSUE_REPORT_CUT, r),
			"the report in line %llu has no SUMMARY, but was loaded",
			(unsigned long long)r->line))
		return false;
	return r->kind == HEAD_LEAKS || (emit_threads(s, r) && add_error(s, r));
}

/* --- the log ------------------------------------------------------------------------ */

void
sanitizer_add_suppression(struct sanitizer *s, const struct suppressed *row)
{
	struct suppressed *known;
	bool added;
	uint32_t i;

	strbuf_reset(&s->scratch);
	strbuf_append_text(&s->scratch, row->kind);
	strbuf_append_char(&s->scratch, ':');
	strbuf_append_text(&s->scratch, row->name);
	if (s->suppressed_count >= SUPPRESSIONS_MAX)
		return;
	i = pair_map_add_bytes(&s->suppressed_keys, s->scratch.data, s->scratch.size,
		(uint32_t)s->suppressed_count, &added);
	if (added) {
		*ARRAY_ADD(s->suppressed, s->suppressed_count, s->suppressed_room) =
			(struct suppressed){ .name = arena_text(&s->arena, row->name),
				.kind = arena_text(&s->arena, row->kind),
				.pattern = arena_text(&s->arena, strbuf_text(&s->scratch)),
				.has_bytes = row->has_bytes };
	}
	known = &s->suppressed[i];
	if (__builtin_add_overflow(known->count, row->count, &known->count))
		known->count = UINT64_MAX;
	if (__builtin_add_overflow(known->bytes, row->bytes, &known->bytes))
		known->bytes = UINT64_MAX;
}

bool
sanitizer_emit_suppressions(struct sanitizer *s)
{
	for (size_t i = 0; i < s->suppressed_count; i++) {
		const struct suppressed *p = &s->suppressed[i];
		const struct suppression_row row = { .id = (int64_t)i + 1,
			.name = p->name,
			.pattern = p->pattern,
			.syntax = TEXT_LITERAL("lsan"),
			.kind = p->kind,
			.count = (int64_t)p->count,
			.bytes = p->has_bytes ? (int64_t)p->bytes : MODEL_NULL,
			.blocks = p->has_bytes ? (int64_t)p->count : MODEL_NULL };

		if (p->count > INT64_MAX || p->bytes > INT64_MAX)
			return reader_refuse(&s->in,
				"suppression %.*s: its counts exceed 2^63-1 in total",
				text_precision(p->name, 100), p->name.data);
		if (!emit_suppression(&s->in, &row))
			return false;
	}
	return true;
}

static bool
metadata(struct sanitizer *s, const char *key, struct text value)
{
	return text_is_empty(value) || emit_metadata(&s->in, key, value);
}

bool
sanitizer_emit_metadata(struct sanitizer *s, struct text caption)
{
	struct strbuf *b = &s->attributes;

	strbuf_reset(b);
	members_number(b, "reports", s->reports);
	members_array(b, "processes", strbuf_text(&s->pid_list));
	return metadata(s, "tool", strbuf_text(&s->tools)) &&
	       metadata(s, "application", s->application) && metadata(s, "caption", caption) &&
	       metadata(s, "attributes", members_end(b));
}
