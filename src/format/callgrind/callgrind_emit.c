/* Emits a callgrind profile's rows: metadata, the track, the call graph. */
#include "callgrind_private.h"

static bool
add_row(struct callgrind *c, const struct callgrind_row *r, int64_t id)
{
	static const char *const kinds[CALLGRIND_KINDS] = { [KIND_SELF] = "self",
		[KIND_CALL] = "call",
		[KIND_JUMP] = "jump",
		[KIND_CONDITIONAL] = "conditional jump" };
	struct decimal values[CALLGRIND_MAX_METRICS];
	char text[CALLGRIND_MAX_METRICS * CALLGRIND_VALUE_BYTES], count[CALLGRIND_VALUE_BYTES],
		followed[CALLGRIND_VALUE_BYTES];
	struct graph_row row = { .id = id,
		.kind = kinds[r->kind],
		.routine_id = r->routine,
		.source_file = callgrind_text_of(c, r->file),
		.line = r->line ? r->line : MODEL_NULL,
		.target_id = MODEL_NULL,
		.target_line = MODEL_NULL,
		.metric = 1 };

	if (r->kind != KIND_SELF) {
		row.target_id = r->target;
		row.target_line = r->target_line ? r->target_line : MODEL_NULL;
		row.count = callgrind_decimal(r->count, count);
	}
	if (r->kind == KIND_CONDITIONAL)
		row.followed = callgrind_decimal(r->followed, followed);
	if (r->kind <= KIND_CALL) {
		if (!callgrind_values(c, c->cells + r->costs, values, text))
			return false;
		row.values = values;
		row.value_count = c->event_count + c->derived_count;
	}
	return emit_graph(c->in, &row);
}

static bool
add_metadata(struct callgrind *c)
{
	struct reader *f = c->in;

	strbuf_append_char(&c->parts, ']');
	strbuf_reset(&c->scratch);
	strbuf_append_str(&c->scratch, "{\"stacks\":\"estimated\",\"parts\":");
	strbuf_append_text(&c->scratch, strbuf_text(&c->parts));
	strbuf_append_char(&c->scratch, '}');
	return (!c->command.size || emit_metadata(f, "application", c->command)) &&
	       (!c->creator.size || emit_metadata(f, "tool", c->creator)) &&
	       emit_metadata(f, "attributes",
		       c->parts.failed || c->scratch.failed
			       ? TEXT_LITERAL("{\"stacks\":\"estimated\"}")
			       : strbuf_text(&c->scratch));
}

bool
callgrind_emit(struct callgrind *c)
{
	struct reader *f = c->in;
	const struct track_row track = { .id = 1,
		.kind = "profile",
		.name = text_from(f->name),
		.process_name = c->command,
		.process_id = c->pid,
		.thread_id = c->thread,
		.metric = 1,
		.started_us = MODEL_NULL };

	if (!add_metadata(c) || !callgrind_add_metrics(c) || !emit_track(f, &track) ||
		!callgrind_add_samples(c))
		return false;
	for (size_t i = 0; i < c->row_count; i++)
		if (!add_row(c, &c->rows[i], (int64_t)i + 1))
			return false;
	return reader_issue(f, ISSUE_ESTIMATED,
		"call stacks are estimated from the call graph; own costs and the call graph are exact");
}
