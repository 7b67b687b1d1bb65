/* What a callgrind profile tells the sink beside samples. */
#include "callgrind_private.h"

#include "base/number.h"

enum {
	VALUE_BYTES = 24
};

static struct decimal
decimal_of(uint64_t v, char *text)
{
	const struct number n = { .magnitude = v };

	if (v <= INT64_MAX)
		return decimal_from_int64((int64_t)v);
	return (struct decimal){ .kind = DECIMAL_TEXT, .text = { text, number_format(n, text) } };
}

static bool
tell_row(struct callgrind *c, const struct callgrind_row *r, int64_t id)
{
	static const char *const kinds[CALLGRIND_KINDS] = { [KIND_SELF] = "self",
		[KIND_CALL] = "call",
		[KIND_JUMP] = "jump",
		[KIND_CONDITIONAL] = "conditional jump" };
	struct decimal values[CALLGRIND_MAX_METRICS];
	char text[CALLGRIND_MAX_METRICS * VALUE_BYTES], count[VALUE_BYTES], followed[VALUE_BYTES];
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
		row.count = decimal_of(r->count, count);
	}
	if (r->kind == KIND_CONDITIONAL)
		row.followed = decimal_of(r->followed, followed);
	if (r->kind <= KIND_CALL) {
		if (!callgrind_values(c, c->cells + r->costs, values, text))
			return false;
		row.values = values;
		row.value_count = c->event_count + c->derived_count;
	}
	return c->file->sink->graph(c->file->sink, c->file->set, &row, c->file->err);
}

static bool
tell_metadata(struct callgrind *c)
{
	struct text_file *f = c->file;

	strbuf_append_char(&c->parts, ']');
	strbuf_reset(&c->scratch);
	strbuf_append_str(&c->scratch, "{\"stacks\":\"estimated\",\"parts\":");
	strbuf_append_text(&c->scratch, strbuf_text(&c->parts));
	strbuf_append_char(&c->scratch, '}');
	return (!c->command.size ||
		       f->sink->metadata(f->sink, f->set, "application", c->command, f->err)) &&
	       (!c->creator.size ||
		       f->sink->metadata(f->sink, f->set, "tool", c->creator, f->err)) &&
	       f->sink->metadata(f->sink, f->set, "attributes",
		       c->parts.failed || c->scratch.failed
			       ? TEXT_LITERAL("{\"stacks\":\"estimated\"}")
			       : strbuf_text(&c->scratch),
		       f->err);
}

bool
callgrind_tell(struct callgrind *c)
{
	struct text_file *f = c->file;
	const struct track_row track = { .id = 1,
		.kind = "profile",
		.name = text_from(f->name),
		.process_name = c->command,
		.process_id = c->pid,
		.thread_id = c->thread,
		.metric = 1,
		.started_us = MODEL_NULL };

	if (!tell_metadata(c) || !callgrind_tell_metrics(c) ||
		!f->sink->track(f->sink, f->set, &track, f->err) || !callgrind_tell_samples(c))
		return false;
	for (size_t i = 0; i < c->row_count; i++)
		if (!tell_row(c, &c->rows[i], (int64_t)i + 1))
			return false;
	return text_file_issue(f, ISSUE_ESTIMATED,
		"call stacks are estimated from who called whom; own costs and the call graph are "
		"exact");
}
