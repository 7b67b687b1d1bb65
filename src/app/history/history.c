/* Lists the findings of a stream. */
#include "history_private.h"

#include "analysis/history.h"
#include "analysis/sparkline.h"
#include "app/rows_table.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "db/connection.h"
#include "store/owners.h"

#include <stdlib.h>
#include <string.h>

enum {
	TREND_RUNS = 24,
	TREND_MAX_BYTES = 1024
};

/* --- filters --------------------------------------------------------------------------------- */

static bool
passes(const struct option_list *globs, struct text t)
{
	for (size_t i = 0; i < globs->count; i++)
		if (text_glob(t, globs->items[i]))
			return true;
	return globs->count == 0;
}

static bool
is_listed(const struct option_list *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->items[i], word) == 0)
			return true;
	return false;
}

static bool
check_words(const struct option_list *given, const char *option, const char *const *words,
	size_t count, const char *extra, struct error *err)
{
	for (size_t i = 0; i < given->count; i++) {
		bool known = strcmp(given->items[i], extra) == 0;

		for (size_t n = 0; n < count; n++)
			known |= strcmp(given->items[i], words[n]) == 0;
		if (known)
			continue;
		error_set(err, ERROR_USAGE, "option --%s: \"%.50s\" is unknown", option,
			given->items[i]);
		return error_hint(err, "\"profdepot history --help\" lists the words");
	}
	return true;
}

static bool
passes_state(const struct history_request *q, const struct history_finding *f)
{
	const char *review = f->review ? review_status_names[f->review->status] : "none";

	if (q->reviews.count && !is_listed(&q->reviews, review))
		return false;
	if (!q->states.count)
		return q->finding || f->state != HISTORY_GONE;
	return is_listed(&q->states, "all") || is_listed(&q->states, history_state_names[f->state]);
}

/* The newest group with that version or INST_ID; HISTORY_NEVER if there is none. */
static uint32_t
find_release(const struct history *h, const char *name)
{
	struct number n;
	int64_t inst_id = 0;
	uint32_t group = HISTORY_NEVER;

	if (number_parse(text_from(name), &n) == NUMBER_OK)
		number_to_int64(n, &inst_id);
	for (size_t i = 0; i < h->run_count; i++)
		if (text_equal(h->runs[i].version, text_from(name)) ||
			(inst_id && h->runs[i].inst_id == inst_id))
			group = h->runs[i].group;
	return group;
}

const struct history_sighting *
history_newest(const struct history *h, const struct history_finding *f)
{
	const struct history_sighting *most = NULL;

	/* Several detectors can see a finding in one run; their counts are not added. */
	for (size_t i = f->sighting_count; i-- > 0;) {
		const struct history_sighting *s = &f->sightings[i];
		uint32_t group = h->runs[s->run].group;

		if (f->last_seen != HISTORY_NEVER && group > f->last_seen)
			continue;
		if (most && h->runs[most->run].group != group)
			break;
		if (!most || s->count > most->count)
			most = s;
	}
	return most;
}

static bool
is_wanted(const struct history *h, const struct history_request *q, struct history_owners *owners,
	uint32_t since, const struct history_finding *f)
{
	const struct history_sighting *s = history_newest(h, f);

	return s && passes_state(q, f) &&
	       (since == HISTORY_NEVER ||
		       (f->first_seen != HISTORY_NEVER && f->first_seen > since)) &&
	       s->count >= q->min_count && s->size >= q->min_size &&
	       (passes(&q->kinds, f->kind) || passes(&q->kinds, f->name)) &&
	       passes(&q->classes, f->class_name) &&
	       (passes(&q->modules, f->module_name) ||
		       passes(&q->modules, text_file_name(f->module_name))) &&
	       passes(&q->routines, f->routine_name) &&
	       (!q->owners.count || passes(&q->owners, history_owner(owners, f->source_file)));
}

/* --- order ----------------------------------------------------------------------------------- */

struct ranked {
	struct history_finding finding;
	int64_t count;
	wide_int size;
};

/* New findings first; within a state, those with the most bytes. */
static int
compare_ranked(const void *a, const void *b)
{
	static const int order[HISTORY_STATES] = { [HISTORY_CAME_BACK] = 0,
		[HISTORY_NEW] = 1,
		[HISTORY_OPEN] = 2,
		[HISTORY_NOT_LOOKED] = 3,
		[HISTORY_GONE] = 4 };
	const struct ranked *x = a;
	const struct ranked *y = b;

	if (x->finding.state != y->finding.state)
		return order[x->finding.state] - order[y->finding.state];
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return memcmp(x->finding.identity, y->finding.identity, IDENTITY_BYTES);
}

static void
filter(struct history *h, struct arena *a, const struct history_request *q,
	struct history_owners *owners, uint32_t since)
{
	struct ranked *kept = arena_alloc_array(a, h->finding_count, sizeof(*kept));
	size_t count = 0;

	for (size_t i = 0; i < h->finding_count; i++) {
		const struct history_sighting *s = history_newest(h, &h->findings[i]);

		if (is_wanted(h, q, owners, since, &h->findings[i]))
			kept[count++] = (struct ranked){ h->findings[i], s->count, s->size };
	}
	if (count)
		qsort(kept, count, sizeof(*kept), compare_ranked);
	for (size_t i = 0; i < count; i++)
		h->findings[i] = kept[i].finding;
	h->finding_count = count;
}

static bool
read_with_owners(struct db *db, struct arena *a, const struct history_request *q, struct history *h,
	struct history_owners *owners, struct error *err)
{
	struct history_question question = { .stream = q->stream, .finding = q->finding };
	uint32_t since = HISTORY_NEVER;

	if (!check_words(&q->states, "state", history_state_names, HISTORY_STATES, "all", err) ||
		!check_words(
			&q->reviews, "review", review_status_names, REVIEW_STATUSES, "none", err))
		return false;
	if ((q->as_of && !history_parse_as_of(db, q->as_of, &question.ledger_no, err)) ||
		!history_read(db, a, &question, h, err))
		return false;
	if (q->new_since) {
		since = find_release(h, q->new_since);
		if (since == HISTORY_NEVER)
			return error_set(err, ERROR_NOT_FOUND,
				"the stream has no run of version or result set \"%.100s\"",
				q->new_since);
	}
	history_judge(h, a, HISTORY_NEVER);
	if (!history_owners_read(db, a, h->ledger_no, owners, err))
		return false;
	filter(h, a, q, owners, since);
	return true;
}

bool
history_answer_read(struct db *db, struct arena *a, const struct history_request *q,
	struct history *h, struct error *err)
{
	struct history_owners owners;

	return read_with_owners(db, a, q, h, &owners, err);
}

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
	{ .key = "first_version", .title = "in Version" },
	{ .key = "last_inst_id",
		.title = "Last seen",
		.kind = TABLE_INTEGER,
		.unit = TABLE_UNIT_ID },
	{ .key = "last_version", .title = "in Version" },
	{ .key = "looked_inst_id",
		.title = "Last looked for",
		.kind = TABLE_INTEGER,
		.unit = TABLE_UNIT_ID },
	{ .key = "review", .title = "Review" },
	{ .key = "owner", .title = "Owner" },
	{ .key = "trend", .title = "Trend", .picture = true },
	{ .key = "identity", .title = "Identity", .machine = true },
};

enum {
	COLUMNS = sizeof(columns) / sizeof(columns[0])
};

static const struct table_head findings_head = { "history", "Findings", TABLE_GRID, columns,
	COLUMNS };

struct text
history_wide(struct arena *a, wide_int v)
{
	return fixed_text(a, fixed_from_wide(v));
}

/* The first result set of a group; NULL if there is none. */
static const struct history_run *
run_of_group(const struct history *h, uint32_t group)
{
	size_t low = 0, high = h->run_count;

	if (group == HISTORY_NEVER)
		return NULL;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (h->runs[middle].group < group)
			low = middle + 1;
		else
			high = middle;
	}
	return low < h->run_count ? &h->runs[low] : NULL;
}

static struct text
inst_id_text(struct arena *a, const struct history_run *run)
{
	return run ? text_from(arena_printf(a, "%lld", (long long)run->inst_id)) : TEXT_NULL;
}

/* Counts in the newest runs; a run in which the finding was not seen counts as 0. */
static struct text
trend(struct arena *a, const struct history *h, const struct history_finding *f)
{
	struct sparkline_value values[TREND_RUNS] = { { false, 0 } };
	uint32_t first = h->group_count > TREND_RUNS ? h->group_count - TREND_RUNS : 0;
	struct strbuf b;
	struct text t;

	for (size_t i = 0; i < h->run_count; i++) {
		const struct history_run *r = &h->runs[i];

		if (r->group >= first && r->finished != 0 && r->looked[f->what] == COVERAGE_FULL)
			values[r->group - first].known = true;
	}
	for (size_t i = f->sighting_count; i-- > 0;) {
		const struct history_sighting *s = &f->sightings[i];
		uint32_t group = h->runs[s->run].group;

		if (group < first)
			break;
		values[group - first].known = true;
		if (s->count > values[group - first].value)
			values[group - first].value = s->count;
	}
	strbuf_init(&b, TREND_MAX_BYTES);
	sparkline_append(&b, values, h->group_count - first);
	t = arena_text(a, strbuf_text(&b));
	strbuf_release(&b);
	return t;
}

static struct text
digits_text(struct arena *a, int64_t v)
{
	return text_from(arena_printf(a, "%lld", (long long)v));
}

struct text
history_identity_text(struct arena *a, const struct history_finding *f)
{
	char *hex = arena_alloc(a, 2 * IDENTITY_BYTES + 1);

	hex_format(f->identity, IDENTITY_BYTES, hex);
	return text_from(hex);
}

struct text
history_routine(struct arena *a, const struct history_finding *f)
{
	if (text_is_empty(f->routine_class) || text_is_empty(f->routine_name))
		return f->routine_name;
	return text_from(arena_printf(a, "%.*s.%.*s", text_precision(f->routine_class, 500),
		f->routine_class.data, text_precision(f->routine_name, 1000),
		f->routine_name.data));
}

static void
fill(struct arena *a, const struct history *h, struct history_owners *owners,
	const struct history_finding *f, struct table_cell cells[COLUMNS])
{
	const struct history_sighting *s = history_newest(h, f);
	const struct history_run *first = run_of_group(h, f->first_seen);
	const struct history_run *last = run_of_group(h, f->last_seen);
	struct text identity = history_identity_text(a, f);
	const struct text texts[COLUMNS] = { text_up_to(identity, HISTORY_SHORT_DIGITS),
		text_from(history_state_names[f->state]), f->kind, f->name, f->class_name,
		history_routine(a, f), text_file_name(f->source_file),
		s->source_line ? digits_text(a, s->source_line) : TEXT_NULL,
		text_file_name(f->module_name), digits_text(a, s->count), history_wide(a, s->size),
		digits_text(a, s->places), digits_text(a, f->group_count), inst_id_text(a, first),
		first ? first->version : TEXT_NULL, inst_id_text(a, last),
		last ? last->version : TEXT_NULL, inst_id_text(a, run_of_group(h, f->last_looked)),
		f->review ? text_from(review_status_names[f->review->status]) : TEXT_NULL,
		history_owner(owners, f->source_file), trend(a, h, f), identity };

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

const char *
history_stream_note(struct arena *a, const struct history *h)
{
	return arena_printf(a, "stream %.*s%s%.*s, %u %s, as of ledger number %lld",
		text_precision(h->application, 200), h->application.data,
		text_is_empty(h->labels) || text_is_empty(h->application) ? "" : " ",
		text_precision(h->labels, 200), h->labels.data ? h->labels.data : "",
		h->group_count - h->own_group,
		by_count(h->group_count - h->own_group, "run", "runs"), (long long)h->ledger_no);
}

static bool
write_findings(struct table_sink *sink, struct arena *a, const struct history *h,
	struct history_owners *owners, const struct history_request *q, struct error *err)
{
	size_t rows =
		q->top && (uint64_t)q->top < h->finding_count ? (size_t)q->top : h->finding_count;
	struct table_cell cells[COLUMNS] = { { .frames = NULL } };
	const char *notes[] = { history_stream_note(a, h),
		h->finding_count ? state_counts(a, h) : NULL, NULL };
	const struct table_cell totals[COLUMNS] = { { .frames = NULL } };
	const struct table_foot foot = {
		.rows = rows, .all_rows = h->finding_count, .totals = totals, .notes = notes
	};
	const struct table_set set = { .inst_id = TEXT_NULL };

	if (!sink->begin(sink, &findings_head, err) || !sink->set_begin(sink, &set, err))
		return false;
	for (size_t i = 0; i < rows; i++) {
		struct arena row = ARENA_INIT;
		bool ok;

		fill(&row, h, owners, &h->findings[i], cells);
		ok = sink->row(sink, cells, err);
		arena_release(&row);
		if (!ok)
			return false;
	}
	return sink->set_end(sink, &foot, err) && sink->end(sink, err);
}

bool
history_write(struct db *db, const struct history_request *q, FILE *out,
	const struct renderer *renderer, const struct render_options *options, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct history_owners owners = { .rules = NULL };
	struct table_sink *sink = renderer->sink_new(out, options);
	struct history h;
	bool ok = read_with_owners(db, &a, q, &h, &owners, err) &&
		  (q->finding ? history_write_finding(db, sink, &a, &h, q, err)
			      : write_findings(sink, &a, &h, &owners, q, err));

	renderer->sink_free(sink);
	arena_release(&a);
	return ok;
}
