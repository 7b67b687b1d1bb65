/* Emits states, snapshots and differences of FastMM; see usage_private.h. */
#include "base/array.h"
#include "fastmm_private.h"
#include "format/common/heap_facts.h"
#include "usage_private.h"

#include <stdlib.h>

enum {
	MAX_ROWS = 1000000,
	MAX_NAME_BYTES = 256 * 1024 * 1024, /* of all rows together */
};

void
usage_table_release(struct usage_table *t)
{
	free(t->rows);
	arena_release(&t->names);
	*t = (struct usage_table){ 0 };
}

bool
usage_table_add(struct usage_table *t, struct reader *in, const struct usage_row *row)
{
	bool bad = false;
	struct text name = line_clean(in->lines, row->class_name, &bad);
	struct usage_row *added;

	t->name_bytes += name.size;
	if (t->count == MAX_ROWS || t->name_bytes > MAX_NAME_BYTES)
		return error_set(in->err, ERROR_LIMIT,
			"%s: line %llu: more than %d classes, or their names are too long",
			in->name, (unsigned long long)in->line.number, MAX_ROWS);
	added = ARRAY_ADD(t->rows, t->count, t->room);
	*added = *row;
	added->class_name =
		fastmm_is_unknown(name) ? TEXT_LITERAL("Unknown") : arena_text(&t->names, name);
	t->has_negative |= row->now.count < 0 || row->now.bytes < 0;
	return true;
}

/* --- checks --------------------------------------------------------------------------------------- */

static bool
check_row(struct reader *in, const struct usage_row *row)
{
	const struct issue at = { .code = ISSUE_TOTALS_DIFFER };

	if ((wide_int)row->now.count - row->old.count == row->delta.count &&
		(wide_int)row->now.bytes - row->old.bytes == row->delta.bytes)
		return true;
	return reader_issue_like(in, &at,
		"the row of %.*s does not add up: %lld - %lld blocks, %lld - %lld bytes",
		(int)row->class_name.size, row->class_name.data, (long long)row->now.count,
		(long long)row->old.count, (long long)row->now.bytes, (long long)row->old.bytes);
}

static bool
check_sum(struct reader *in, const char *what, wide_int sum, int64_t stated)
{
	const struct issue at = { .code = ISSUE_TOTALS_DIFFER };

	if (sum == stated)
		return true;
	return reader_issue_like(in, &at, "the report states %lld %s, but its rows add up to %lld",
		(long long)stated, what, (long long)sum);
}

/* Compares the totals with the rows. A state has no totals. */
static bool
check_totals(const struct usage_table *t, struct reader *in, enum usage_mode mode)
{
	bool is_difference = mode == USAGE_DIFFERENCE;
	const struct issue cut = { .code = ISSUE_UNFINISHED };
	wide_int count = 0;
	wide_int bytes = 0;

	if (mode == USAGE_STATE || t->damaged)
		return true;
	if (t->totals < (is_difference ? 3U : 1U))
		return reader_issue_like(in, &cut, "the snapshot has no totals");
	for (size_t i = 0; i < t->count; i++) {
		const struct usage_row *row = &t->rows[i];

		if (is_difference && !check_row(in, row))
			return false;
		count += is_difference ? row->delta.count : row->now.count;
		bytes += is_difference ? row->delta.bytes : row->now.bytes;
	}
	if (t->more)
		return reader_issue_like(in, &cut, "FastMM left out the rows of %llu classes",
			(unsigned long long)t->more);
	return check_sum(in, "blocks", count, is_difference ? t->delta.count : t->now.count) &&
	       check_sum(in, "bytes", bytes, is_difference ? t->delta.bytes : t->now.bytes);
}

/* --- rows ------------------------------------------------------------------------------------------ */

/* Emits the live blocks of a class as an object. It is unknown whether these blocks are leaks. */
static bool
emit_class(struct log_report *report, const struct usage_row *row)
{
	struct object_row object = { .number = NUMBER_NULL,
		.address = NUMBER_NULL,
		.size = { .magnitude = (uint64_t)row->now.bytes },
		.block_count = row->now.count,
		.leak_kind = TEXT_LITERAL("reachable") };

	return !row->now.count ||
	       log_report_object(report, &object, row->class_name, LOG_NO_THREAD, NULL);
}

/* Makes a stack for the change of a class. The class is the only frame of this stack, in place of a routine, so
 * that reports about routines show the change. */
static bool
stack_of_class(struct log_report *report, struct text class_name, stack_number *number)
{
	const struct frame frame = {
		.function = class_name, .code_type = TEXT_LITERAL("class"), .line = MODEL_NULL
	};
	struct log_stack stack;

	log_stack_begin(report);
	if (!log_stack_add(report, class_name, &frame) || !log_stack_end(report, &stack))
		return false;
	*number = stack.number;
	return true;
}

static bool
emit_change(struct log_report *report, const struct usage_row *row, bool both, metric_number metric)
{
	const struct usage_amount *delta = both ? &row->delta : &row->now;
	const struct decimal values[] = { decimal_from_int64(delta->bytes),
		decimal_from_int64(delta->count), decimal_from_int64(row->now.bytes),
		decimal_from_int64(row->old.bytes), decimal_from_int64(row->now.count),
		decimal_from_int64(row->old.count) };
	struct sample_row sample = {
		.track = 1, .metric = metric, .values = values, .value_count = both ? 6 : 2
	};

	return stack_of_class(report, row->class_name, &sample.stack) &&
	       emit_sample(report->in, &sample);
}

static bool
begin_changes(struct reader *in, bool both, metric_number *metric)
{
	static const struct heap_metric metrics[] = {
		{ "bytes_delta", "bytes", "Change of bytes" },
		{ "count_delta", "count", "Change of blocks" },
		{ "bytes_new", "bytes", "Bytes in the new snapshot" },
		{ "bytes_old", "bytes", "Bytes in the old snapshot" },
		{ "count_new", "count", "Blocks in the new snapshot" },
		{ "count_old", "count", "Blocks in the old snapshot" },
	};

	return heap_emit_comparison(in, metrics, both ? 6 : 2, metric);
}

static bool
emit_rows(const struct usage_table *t, struct log_report *report, enum usage_mode mode)
{
	bool both = mode == USAGE_DIFFERENCE;
	bool changes = both || t->has_negative;
	metric_number metric = 0;

	if (changes && !begin_changes(report->in, both, &metric))
		return false;
	for (size_t i = 0; i < t->count; i++)
		if (changes ? !emit_change(report, &t->rows[i], both, metric)
			    : !emit_class(report, &t->rows[i]))
			return false;
	return true;
}

/* --- the result set ---------------------------------------------------------------------------------- */

static void
add_amount(struct strbuf *to, const char *count_key, const char *bytes_key, struct usage_amount v)
{
	members_int(to, count_key, v.count);
	members_int(to, bytes_key, v.bytes);
}

static void
add_facts(const struct usage_table *t, struct strbuf *to, enum usage_mode mode)
{
	static const char *const modes[] = { "state", "snapshot", "difference" };

	members_text(to, "mode", text_from(modes[mode]));
	if (t->time[0])
		members_text(to, "time", text_from(t->time));
	if (mode == USAGE_STATE) {
		members_int(to, "allocated_kb", t->allocated_kb);
		members_int(to, "overhead_kb", t->overhead_kb);
		members_int(to, "efficiency", t->efficiency);
	} else if (mode == USAGE_SNAPSHOT) {
		add_amount(to, "blocks", "bytes", t->now);
	} else {
		members_text(to, "time_old", text_from(t->times[0]));
		members_text(to, "time_new", text_from(t->times[1]));
		add_amount(to, "blocks_old", "bytes_old", t->old);
		add_amount(to, "blocks_new", "bytes_new", t->now);
		add_amount(to, "blocks_delta", "bytes_delta", t->delta);
	}
	if (t->more)
		members_number(to, "classes_left_out", t->more);
}

bool
usage_table_emit(
	struct usage_table *t, struct log_report *report, enum usage_mode mode, bool is_fastmm4)
{
	struct strbuf attributes = STRBUF_INIT(1000);
	struct reader *in = report->in;
	bool complete = !t->damaged && !t->more;
	bool ok;

	if (!report->wanted)
		return true;
	add_facts(t, &attributes, mode);
	ok = emit_metadata(
		     in, "tool", is_fastmm4 ? TEXT_LITERAL("fastmm4") : TEXT_LITERAL("fastmm5")) &&
	     emit_metadata(in, "attributes", members_end(&attributes)) &&
	     emit_finished(in, !t->damaged) &&
	     emit_coverage(in, COVERAGE_HEAP, complete ? COVERAGE_FULL : COVERAGE_PARTIAL,
		     mode == USAGE_STATE ? "a state of the memory manager"
					 : "a snapshot of the heap") &&
	     emit_rows(t, report, mode) && check_totals(t, in, mode);
	strbuf_release(&attributes);
	return ok;
}
