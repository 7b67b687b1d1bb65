/*
 * A sink that converts the rows of a sample reader to text, so that tests can compare them.
 * Each call becomes one line. A stack is shown as the names of its routines.
 */
#ifndef PROFDEPOT_TESTS_UNIT_FORMAT_RECORDER_H
#define PROFDEPOT_TESTS_UNIT_FORMAT_RECORDER_H

#include "base/strbuf.h"
#include "model/sink.h"

#include <inttypes.h>

enum {
	RECORDER_ROUTINES = 64
};

struct recorder {
	struct sink sink;
	struct strbuf said;
	char names[RECORDER_ROUTINES][64]; /* routine names, indexed by rec_id */
	stack_number stacks;
	metric_number metrics;
	uint64_t samples;
};

static void
record_text(struct recorder *r, const char *before, struct text t)
{
	if (t.size)
		strbuf_printf(&r->said, "%s%.*s", before, (int)t.size, t.data);
}

static void
record_decimal(struct recorder *r, struct decimal d)
{
	char text[DECIMAL_FIXED_TEXT_MAX];

	fixed_format(decimal_to_fixed(d), text);
	strbuf_append_str(&r->said, text);
}

static bool
record_set(
	struct sink *s, const struct set_row *row, uint32_t *set, bool *wanted, struct error *err)
{
	(void)s;
	(void)row;
	(void)err;
	*set = 0;
	*wanted = true;
	return true;
}

static bool
record_metadata(struct sink *s, uint32_t set, const char *key, struct text value, struct error *err)
{
	struct recorder *r = (struct recorder *)s;

	(void)set;
	(void)err;
	strbuf_printf(&r->said, "%s", key);
	record_text(r, " ", value);
	strbuf_append_char(&r->said, '\n');
	return true;
}

static bool
record_metric(struct sink *s, uint32_t set, const struct metric_row *row, metric_number *number,
	struct error *err)
{
	struct recorder *r = (struct recorder *)s;

	(void)set;
	(void)err;
	*number = ++r->metrics;
	strbuf_printf(&r->said, "metric %d", *number);
	record_text(r, " ", row->name);
	record_text(r, " ", row->unit);
	record_text(r, " \"", row->title);
	strbuf_append_str(&r->said, "\"\n");
	return true;
}

static bool
record_routine(struct sink *s, uint32_t set, const struct routine_row *row, struct error *err)
{
	struct recorder *r = (struct recorder *)s;

	(void)set;
	(void)err;
	if (row->rec_id < RECORDER_ROUTINES)
		snprintf(r->names[row->rec_id], sizeof(r->names[0]), "%.*s",
			(int)row->routine_name.size, row->routine_name.data);
	strbuf_printf(&r->said, "routine %" PRId64, row->rec_id);
	record_text(r, " ", row->routine_name);
	record_text(r, " =", row->symbol_moniker);
	record_text(r, " in ", row->module_name);
	record_text(r, " at ", row->source_file);
	if (row->source_line != MODEL_NULL)
		strbuf_printf(&r->said, ":%" PRId64, row->source_line);
	record_text(r, " ", row->attributes);
	strbuf_append_char(&r->said, '\n');
	return true;
}

static bool
record_line(struct sink *s, uint32_t set, const struct line_row *row, struct error *err)
{
	struct recorder *r = (struct recorder *)s;

	(void)set;
	(void)err;
	strbuf_printf(&r->said, "line %" PRId64 ".%" PRId64 " at %" PRId64 "\n", row->parent_id,
		row->rec_id, row->source_line);
	return true;
}

static bool
record_stack(struct sink *s, uint32_t set, const struct stack_row *row, stack_number *number,
	struct error *err)
{
	struct recorder *r = (struct recorder *)s;

	(void)set;
	(void)err;
	*number = ++r->stacks;
	strbuf_printf(&r->said, "stack %d", *number);
	for (size_t i = 0; i < row->count && i < 8; i++)
		if (row->routine_ids[i] < RECORDER_ROUTINES)
			strbuf_printf(&r->said, " <%s", r->names[row->routine_ids[i]]);
	strbuf_printf(&r->said, " (%zu)\n", row->count);
	return true;
}

static bool
record_track(struct sink *s, uint32_t set, const struct track_row *row, struct error *err)
{
	struct recorder *r = (struct recorder *)s;

	(void)set;
	(void)err;
	strbuf_printf(&r->said, "track %d %s", row->id, row->kind);
	record_text(r, " ", row->name);
	strbuf_printf(&r->said, " metric %d start ", row->metric);
	record_decimal(r, row->start);
	strbuf_append_str(&r->said, " duration ");
	record_decimal(r, row->duration);
	if (row->started_us != MODEL_NULL)
		strbuf_printf(&r->said, " at %" PRId64, row->started_us);
	strbuf_append_char(&r->said, '\n');
	return true;
}

static bool
record_sample(struct sink *s, uint32_t set, const struct sample_row *row, struct error *err)
{
	struct recorder *r = (struct recorder *)s;

	(void)set;
	(void)err;
	r->samples++;
	strbuf_printf(&r->said, "sample %d.%d", row->track, row->stack);
	if (row->at.kind != DECIMAL_NULL) {
		strbuf_append_str(&r->said, " at ");
		record_decimal(r, row->at);
	}
	strbuf_printf(&r->said, " metric %d:", row->metric);
	for (size_t i = 0; i < row->value_count; i++) {
		strbuf_append_char(&r->said, ' ');
		record_decimal(r, row->values[i]);
	}
	record_text(r, " ", row->attributes);
	strbuf_append_char(&r->said, '\n');
	return true;
}

static bool
record_issue(struct sink *s, uint32_t set, const struct issue *issue, struct error *err)
{
	struct recorder *r = (struct recorder *)s;

	(void)set;
	(void)err;
	strbuf_printf(&r->said, "issue %s at %" PRIu64 ": %s\n", issue_name(issue->code),
		issue->offset, issue->message);
	return true;
}

static bool
record_end(struct sink *s, struct error *err)
{
	struct recorder *r = (struct recorder *)s;

	(void)err;
	strbuf_append_str(&r->said, "end\n");
	return true;
}

static void
recorder_init(struct recorder *r)
{
	*r = (struct recorder){ .sink = { .set = record_set,
					.metadata = record_metadata,
					.metric = record_metric,
					.routine = record_routine,
					.line = record_line,
					.stack = record_stack,
					.track = record_track,
					.sample = record_sample,
					.issue = record_issue,
					.end = record_end } };
	strbuf_init(&r->said, 1 << 24);
}

static void
recorder_release(struct recorder *r)
{
	strbuf_release(&r->said);
}

#endif
