/* Lists the findings of a stream. */
#include "history_private.h"

#include "analysis/sparkline.h"
#include "app/rows_table.h"
#include "base/strbuf.h"
#include "db/connection.h"

#include <string.h>

enum {
	TREND_RUNS = HISTORY_RECENT_GROUPS,
	TREND_MAX_BYTES = 1024
};

/* --- rows ------------------------------------------------------------------------------------ */

static const struct table_column columns[] = {
	{ .key = "finding", .title = "Finding" },
	{ .key = "state", .title = "State" },
	{ .key = "kind", .title = "Kind" },
	{ .key = "name", .title = "Name" },
	{ .key = "class", .title = "Class" },
	{ .key = "routine", .title = "Routine" },
	{ .key = "source_file", .title = "Source File" },
	{ .key = "source_line", .title = "Line", .kind = TABLE_INTEGER },
	{ .key = "module", .title = "Module" },
	{ .key = "count", .title = "Count", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_COUNT },
	{ .key = "size", .title = "Size", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_BYTES },
	{ .key = "places", .title = "Places", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_COUNT },
	{ .key = "runs", .title = "Runs", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_COUNT },
	{ .key = "first_inst_id",
		.title = "First seen",
		.kind = TABLE_INTEGER,
		.unit = TABLE_UNIT_ID },
	{ .key = "first_version", .title = "First version" },
	{ .key = "last_inst_id",
		.title = "Last seen",
		.kind = TABLE_INTEGER,
		.unit = TABLE_UNIT_ID },
	{ .key = "last_version", .title = "Last version" },
	{ .key = "looked_inst_id",
		.title = "Last looked for",
		.kind = TABLE_INTEGER,
		.unit = TABLE_UNIT_ID },
	{ .key = "review", .title = "Review" },
	{ .key = "owner", .title = "Owner" },
	{ .key = "trend", .title = "Trend", .picture = true },
	{ .key = "counts", .title = "Counts", .machine = true },
	{ .key = "identity", .title = "Identity", .machine = true },
};

enum {
	COLUMNS = sizeof(columns) / sizeof(columns[0])
};

const struct table_head history_findings_head = { "history", "Findings", TABLE_GRID, columns,
	COLUMNS };

static struct text
inst_id_text(struct arena *a, const struct history_run *run)
{
	return run ? history_digits(a, run->inst_id) : TEXT_NULL;
}

/* A finding's counts in the newest runs, oldest run first. */
struct trend {
	struct sparkline_value values[TREND_RUNS];
	size_t count;
};

/* Reads the counts. In a run that did not see the finding, the count is 0 if the run looked for all findings
 * of this kind, and otherwise unknown. */
static struct trend
read_trend(const struct history *h, const struct history_finding *f)
{
	uint32_t first = h->group_count > TREND_RUNS ? h->group_count - TREND_RUNS : 0;
	struct trend t = { .count = h->group_count - first };
	for (size_t i = h->run_count; i-- > 0;) {
		const struct history_run *r = &h->runs[i];

		if (r->group < first)
			break;
		if (r->finished != 0 && r->looked[f->what] == COVERAGE_FULL)
			t.values[r->group - first].known = true;
	}
	for (size_t i = f->sighting_count; i-- > 0;) {
		const struct history_sighting *s = &f->sightings[i];
		uint32_t group = h->runs[s->run].group;

		if (group < first)
			break;
		t.values[group - first].known = true;
		if (s->count > t.values[group - first].value)
			t.values[group - first].value = s->count;
	}
	return t;
}

static struct text
trend_picture(struct arena *a, const struct trend *trend)
{
	struct strbuf b;
	struct text t;

	strbuf_init(&b, TREND_MAX_BYTES);
	sparkline_append(&b, trend->values, trend->count);
	t = arena_text(a, strbuf_text(&b));
	strbuf_release(&b);
	return t;
}

/* Returns a text such as "3 - 0". A dash means that the count is unknown. */
static struct text
trend_counts(struct arena *a, const struct trend *trend)
{
	struct strbuf b;
	struct text t;

	strbuf_init(&b, TREND_MAX_BYTES);
	for (size_t i = 0; i < trend->count; i++) {
		strbuf_append_str(&b, i ? " " : "");
		if (trend->values[i].known)
			strbuf_printf(&b, "%lld", (long long)trend->values[i].value);
		else
			strbuf_append_char(&b, '-');
	}
	t = arena_text(a, strbuf_text(&b));
	strbuf_release(&b);
	return t;
}

static void
fill(struct arena *a, const struct history *h, struct depot_owners *owners,
	const struct history_finding *f, struct table_cell cells[COLUMNS])
{
	const struct history_sighting *s = history_newest(h, f);
	const struct history_run *first = history_run_of_group(h, f->first_seen);
	const struct history_run *last = history_run_of_group(h, f->last_seen);
	struct text identity = history_identity_text(a, f);
	const struct trend trend = read_trend(h, f);
	const struct text texts[COLUMNS] = { text_up_to(identity, HISTORY_SHORT_DIGITS),
		text_from(history_state_names[f->state]), f->kind, f->name, f->class_name,
		history_routine(a, f), text_file_name(f->source_file),
		s->source_line ? history_digits(a, s->source_line) : TEXT_NULL,
		text_file_name(f->module_name), history_digits(a, s->count), history_size(a, s),
		history_digits(a, s->places), history_digits(a, f->group_count),
		inst_id_text(a, first), first ? first->version : TEXT_NULL, inst_id_text(a, last),
		last ? last->version : TEXT_NULL,
		inst_id_text(a, history_run_of_group(h, f->last_looked)),
		f->review ? text_from(review_status_names[f->review->status]) : TEXT_NULL,
		depot_owner(owners, f->source_file), trend_picture(a, &trend),
		trend_counts(a, &trend), identity };

	for (size_t i = 0; i < COLUMNS; i++)
		cells[i] = (struct table_cell){ .text = texts[i] };
}

static const char *
state_counts(struct arena *a, const struct history *h)
{
	size_t counts[HISTORY_STATES] = { 0 };
	struct strbuf b;
	const char *note;

	for (size_t i = 0; i < h->finding_count; i++)
		counts[h->findings[i].state]++;
	strbuf_init(&b, TREND_MAX_BYTES);
	for (int i = 0; i < HISTORY_STATES; i++)
		if (counts[i])
			strbuf_printf(&b, "%s%zu %s", b.size ? ", " : "", counts[i],
				history_state_names[i]);
	note = arena_strdup(a, strbuf_str(&b));
	strbuf_release(&b);
	return note;
}

static bool
write_findings(struct table_sink *sink, struct arena *a, const struct history *h,
	struct depot_owners *owners, const struct history_request *q, struct error *err)
{
	size_t first;
	size_t rows = history_page(q, h->finding_count, &first);
	struct table_cell cells[COLUMNS] = { { .frames = NULL } };
	const char *notes[] = { history_stream_note(a, h),
		h->finding_count ? state_counts(a, h) : NULL, NULL };
	const struct table_cell totals[COLUMNS] = { { .frames = NULL } };
	const struct table_foot foot = {
		.rows = rows, .all_rows = h->finding_count, .totals = totals, .notes = notes
	};
	const struct history_members members = { .h = h };
	const struct table_set set = {
		.inst_id = TEXT_NULL, .members = history_put_members, .members_self = &members
	};

	if (!sink->begin(sink, &history_findings_head, err) || !sink->set_begin(sink, &set, err))
		return false;
	for (size_t i = 0; i < rows; i++) {
		struct arena row = ARENA_INIT;
		bool ok;

		fill(&row, h, owners, &h->findings[first + i], cells);
		ok = sink->row(sink, cells, err);
		arena_release(&row);
		if (!ok)
			return false;
	}
	return sink->set_end(sink, &foot, err) && sink->end(sink, err);
}

/* Fills in *end, and compares it with the end of the page before. */
static bool
check_page(struct arena *a, const struct history *h, const struct history_request *q,
	struct history_end *end, struct error *err)
{
	const size_t all = q->finding ? h->run_count : h->finding_count;
	size_t first;
	size_t rows = history_page(q, all, &first);
	struct strbuf b;

	*end = (struct history_end){ .more = first + rows < all, .ledger_no = h->ledger_no };
	strbuf_init(&b, SIZE_MAX);
	for (size_t i = 0; i < h->run_count; i++)
		strbuf_printf(&b, "%lld ", (long long)h->runs[i].inst_id);
	for (size_t i = 0; i < h->finding_count; i++)
		strbuf_append_text(&b, history_identity_text(a, &h->findings[i]));
	hash128_hex(hash128(strbuf_str(&b), b.size), end->digest);
	strbuf_release(&b);
	if (!q->before || strcmp(q->before->digest, end->digest) == 0)
		return true;
	error_set(err, ERROR_STALE_CURSOR,
		"the history as of ledger number %lld has changed since the cursor was made",
		(long long)h->ledger_no);
	return error_hint(err, "omit cursor to start again");
}

bool
history_write(struct db *db, const struct history_request *q, FILE *out,
	const struct renderer *renderer, const struct render_options *options,
	struct history_end *end, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct depot_owners owners = { .rules = NULL };
	struct table_sink *sink = renderer->sink_new(out, options);
	struct history h;
	bool ok = history_read_with_owners(db, &a, q, &h, &owners, err) &&
		  (!end || check_page(&a, &h, q, end, err)) &&
		  (q->finding ? history_write_finding(db, sink, &a, &h, q, err)
			      : write_findings(sink, &a, &h, &owners, q, err));

	/* After a run is forgotten, older answers can no longer be given. */
	if (!ok && q->before && err->code == ERROR_NOT_FOUND)
		err->code = ERROR_STALE_CURSOR;
	renderer->sink_free(sink);
	arena_release(&a);
	return ok;
}
