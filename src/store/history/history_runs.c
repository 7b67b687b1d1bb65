/* The runs of a stream. The runs of its parent stream up to the branch point come first. */
#include "history_binary.h"
#include "history_private.h"

#include "base/array.h"
#include "base/strbuf.h"
#include "store/store_private.h"

#include <stdlib.h>
#include <string.h>

enum {
	RUN_INST_ID,
	RUN_LEDGER_NO,
	RUN_KEY,
	RUN_GROUP_KEY,
	RUN_VERSION,
	RUN_COMMIT,
	RUN_TOOL,
	RUN_RAN_AT,
	RUN_LABELS,
	RUN_FINISHED,
	RUN_LEAKS,
	RUN_ERRORS,
	RUN_RACES,
	RUN_PARENT,
	RUN_FOLD
};

enum {
	KEYS_MAX_BYTES = 64 * 1024
};

/* --- the stream ------------------------------------------------------------------------------- */

/* "Order desk branch=main os=linux" is the application "Order desk" with two labels. */
static void
split_stream(struct arena *a, const char *stream, const char **application, struct text *labels)
{
	size_t size = strlen(stream);
	size_t at = size;

	for (size_t i = size; i-- > 0;) {
		if (i && stream[i - 1] != ' ')
			continue;
		if (!strchr(stream + i, '=') || memchr(stream + i, ' ', at - i))
			break;
		if (!memchr(stream + i, '=', at - i))
			break;
		at = i ? i - 1 : 0;
	}
	*application = arena_strndup(a, stream, at);
	*labels = text_from(at < size ? stream + at + (at > 0) : "");
}

static bool
find_newest(struct db *db, struct arena *a, const char *digits, const char **application,
	int64_t *inst_id, struct error *err)
{
	struct db_result *r = STORE_QUERY(db, "history_newest", SQL_STORE_HISTORY_NEWEST,
		err, [SQL_STORE_HISTORY_NEWEST_LEDGER_NO] = digits);

	if (!r)
		return false;
	if (!db_result_rows(r)) {
		db_result_free(r);
		error_set(err, ERROR_NOT_FOUND, "no run looked for findings");
		return error_hint(err, "load results of a leak or error detector");
	}
	*application = arena_text(a, db_result_value(r, 0, 0)).data;
	*inst_id = db_result_int64(r, 0, 1, 0);
	db_result_free(r);
	return true;
}

bool
history_choose_stream(struct history_reading *r, const struct history_question *q,
	struct text *labels, int64_t *inst_id, struct error *err)
{
	struct db_result *rows;

	*labels = TEXT_NULL;
	*inst_id = q->inst_id;
	if (q->stream) {
		split_stream(r->arena, q->stream, &r->application, labels);
		return true;
	}
	if (!q->inst_id)
		return find_newest(r->db, r->arena, r->digits, &r->application, inst_id, err);
	rows = store_query_set(r->db, "store/history_of_set", q->inst_id, err);
	if (!rows)
		return false;
	if (db_result_rows(rows)) {
		r->application = arena_text(r->arena, db_result_value(rows, 0, 1)).data;
		*inst_id = db_result_int64(rows, 0, 2, 0);
	} else {
		error_set(err, ERROR_NOT_FOUND, "history does not know result set %lld",
			(long long)q->inst_id);
	}
	db_result_free(rows);
	return !err->code;
}

/* --- runs ------------------------------------------------------------------------------------ */

static enum coverage_degree
degree_of(struct text name)
{
	enum coverage_degree degree;

	return !text_is_null(name) && coverage_degree_parse(name, &degree) ? degree
									   : COVERAGE_UNKNOWN;
}

/* Removes the next label from *rest and returns it. An empty text is the end of the list. */
static struct text
next_label(struct text *rest)
{
	const char *space = rest->size ? memchr(rest->data, ' ', rest->size) : NULL;
	struct text label = text_up_to(*rest, space ? (size_t)(space - rest->data) : rest->size);

	*rest = text_from_at(*rest, label.size + (space != NULL));
	return label;
}

static int64_t
integer_at(const struct db_result *row, size_t column)
{
	return binary_integer(db_result_value(row, 0, column));
}

/* The runs of an application while they are read. Many runs have the same labels, so the stream of each
 * list of labels is computed once. */
struct runs_reading {
	struct arena *arena;
	struct text keys; /* label keys that distinguish streams, separated by spaces */
	struct history_run *runs;
	size_t count, room;
	struct pair_map by_labels; /* values: indexes in streams */
	struct text *streams;
	size_t stream_count, stream_room;
};

/* True if the label's key is one of the keys. */
static bool
has_key(struct text label, struct text keys)
{
	struct text key;

	while ((key = next_label(&keys)).size)
		if (label.size > key.size && label.data[key.size] == '=' &&
			memcmp(label.data, key.data, key.size) == 0)
			return true;
	return false;
}

static int
compare_labels(const void *a, const void *b)
{
	const struct text *x = a;
	const struct text *y = b;
	int order = memcmp(x->data, y->data, x->size < y->size ? x->size : y->size);

	return order ? order : (x->size > y->size) - (x->size < y->size);
}

/* Returns those labels that have one of r->keys, sorted and separated by spaces. */
static struct text
make_stream(struct runs_reading *r, struct binary_array labels)
{
	struct text *items = arena_alloc_array(r->arena, labels.left + 1, sizeof(*items));
	size_t count = 0;
	struct strbuf b;
	struct text stream;

	while (labels.left) {
		struct text label = binary_next(&labels);

		if (has_key(label, r->keys))
			items[count++] = label;
	}
	if (!count)
		return TEXT_NULL;
	qsort(items, count, sizeof(*items), compare_labels);
	strbuf_init(&b, KEYS_MAX_BYTES);
	for (size_t i = 0; i < count; i++) {
		strbuf_append_str(&b, i ? " " : "");
		strbuf_append_text(&b, items[i]);
	}
	stream = arena_text(r->arena, strbuf_text(&b));
	strbuf_release(&b);
	return stream;
}

static struct text
stream_of(struct runs_reading *r, const struct db_result *row)
{
	struct text bytes = db_result_value(row, 0, RUN_LABELS);
	bool added;
	uint32_t index = pair_map_add_bytes(
		&r->by_labels, bytes.data, bytes.size, (uint32_t)r->stream_count, &added);

	if (added) {
		struct text stream = make_stream(r, binary_array_of(row, RUN_LABELS));

		*ARRAY_ADD(r->streams, r->stream_count, r->stream_room) = stream;
	}
	return r->streams[index];
}

static void
put_digits(char *at, size_t digits, int64_t v)
{
	for (size_t i = digits; i-- > 0; v /= 10)
		at[i] = (char)('0' + v % 10);
}

/* Microseconds since 2000 as ISO 8601 in UTC. */
static struct text
time_text(struct arena *a, int64_t us)
{
	int64_t seconds = (us >= 0 ? us : us - 999999) / 1000000;
	int64_t days = (seconds >= 0 ? seconds : seconds - 86399) / 86400;
	int64_t within = seconds - days * 86400;
	int64_t era, day_of_era, year_of_era, day_of_year, month;
	char *t = arena_strdup(a, "0000-00-00T00:00:00Z");

	/* Years that begin on 1 March, in eras of 400 years; day 0 is 0000-03-01. */
	days += 730425;
	era = (days >= 0 ? days : days - 146096) / 146097;
	day_of_era = days - era * 146097;
	year_of_era =
		(day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
	day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	month = (5 * day_of_year + 2) / 153;
	put_digits(t, 4, year_of_era + era * 400 + (month >= 10));
	put_digits(t + 5, 2, month < 10 ? month + 3 : month - 9);
	put_digits(t + 8, 2, day_of_year - (153 * month + 2) / 5 + 1);
	put_digits(t + 11, 2, within / 3600);
	put_digits(t + 14, 2, within / 60 % 60);
	put_digits(t + 17, 2, within % 60);
	return text_from(t);
}

static bool
take_run(void *self, const struct db_result *row, struct error *err)
{
	struct runs_reading *r = self;
	struct text finished = db_result_value(row, 0, RUN_FINISHED);
	struct history_run *run = ARRAY_ADD(r->runs, r->count, r->room);

	(void)err;
	*run = (struct history_run){ .inst_id = integer_at(row, RUN_INST_ID),
		.ledger_no = integer_at(row, RUN_LEDGER_NO),
		.run_key = arena_text(r->arena, db_result_value(row, 0, RUN_KEY)),
		.group_key = arena_text(r->arena, db_result_value(row, 0, RUN_GROUP_KEY)),
		.version = arena_text(r->arena, db_result_value(row, 0, RUN_VERSION)),
		.commit_id = arena_text(r->arena, db_result_value(row, 0, RUN_COMMIT)),
		.tool = arena_text(r->arena, db_result_value(row, 0, RUN_TOOL)),
		.ran_at = time_text(r->arena, integer_at(row, RUN_RAN_AT)),
		.labels = stream_of(r, row),
		.finished = text_is_null(finished) ? -1 : finished.data[0] != 0,
		.looked = { degree_of(db_result_value(row, 0, RUN_LEAKS)),
			degree_of(db_result_value(row, 0, RUN_ERRORS)),
			degree_of(db_result_value(row, 0, RUN_RACES)) },
		.parent_inst_id = integer_at(row, RUN_PARENT),
		.fold_no = integer_at(row, RUN_FOLD) };
	return true;
}

static bool
is_of_stream(const struct history_run *r, struct text labels)
{
	return text_is_empty(labels) ? text_is_empty(r->labels) : text_equal(r->labels, labels);
}

static const struct history_run *
find_run(const struct history_run *runs, size_t count, int64_t inst_id)
{
	for (size_t i = 0; i < count; i++)
		if (runs[i].inst_id == inst_id)
			return &runs[i];
	return NULL;
}

/* Returns the number of runs before the branch point. The last of them is the newest run of the
 * parent stream that belongs to the branch's history. It is found by following the parent commits of
 * the branch's first run. If they do not lead to the parent stream, all runs before the branch's first
 * run belong to its history. */
static size_t
find_branch_point(
	const struct history_run *all, size_t count, struct text labels, struct text parent)
{
	const struct history_run *first = NULL;
	const struct history_run *at;
	size_t steps = 0;

	for (size_t i = 0; i < count && !first; i++)
		if (is_of_stream(&all[i], labels))
			first = &all[i];
	if (!first)
		return count;
	for (at = first; at && at->parent_inst_id && steps++ < count;) {
		at = find_run(all, count, at->parent_inst_id);
		if (at && is_of_stream(at, parent))
			return (size_t)(at - all) + 1;
	}
	return (size_t)(first - all);
}

/* Selects the runs of the parent stream before the branch point, and all runs of the stream itself. */
static void
select_runs(struct history_reading *r, const struct history_run *all, size_t count)
{
	struct history *h = r->h;
	size_t branch =
		text_is_null(h->parent) ? 0 : find_branch_point(all, count, h->labels, h->parent);

	h->runs = arena_alloc_array(r->arena, count, sizeof(*h->runs));
	for (size_t i = 0; i < branch; i++)
		if (is_of_stream(&all[i], h->parent)) {
			h->runs[h->run_count] = all[i];
			h->runs[h->run_count++].of_parent = true;
		}
	for (size_t i = 0; i < count; i++)
		if (is_of_stream(&all[i], h->labels))
			h->runs[h->run_count++] = all[i];
}

/* Reads the label keys that distinguish streams, separated by spaces, and the parent stream's labels in the
 * form of struct history_run. */
static bool
read_streams(struct history_reading *r, struct text *keys, struct text *parent, struct error *err)
{
	struct db_result *rows = STORE_QUERY(r->db, "history_streams", SQL_STORE_HISTORY_STREAMS,
		err, [SQL_STORE_HISTORY_STREAMS_LEDGER_NO] = r->digits);

	if (!rows)
		return false;
	*keys = arena_text(r->arena, db_result_value(rows, 0, 0));
	*parent = arena_text(r->arena, db_result_value(rows, 0, 1));
	db_result_free(rows);
	return true;
}

/* Returns the label in the list that has the same key. If there is none, returns the given label. */
static struct text
replaced(struct text label, struct text list)
{
	const char *equals = memchr(label.data, '=', label.size);
	size_t key = equals ? (size_t)(equals - label.data) + 1 : label.size;
	struct text other;

	while ((other = next_label(&list)).size)
		if (other.size >= key && memcmp(other.data, label.data, key) == 0)
			return other;
	return label;
}

/* Returns the labels of the parent stream. They have the keys of `labels`. For the keys that `setting`
 * contains, its values replace those of `labels`. */
static struct text
parent_of(struct arena *a, struct text labels, struct text setting)
{
	struct text label, parent;
	struct strbuf b;

	strbuf_init(&b, KEYS_MAX_BYTES);
	while ((label = next_label(&labels)).size) {
		strbuf_append_str(&b, b.size ? " " : "");
		strbuf_append_text(&b, replaced(label, setting));
	}
	parent = arena_text(a, strbuf_text(&b));
	strbuf_release(&b);
	return parent;
}

/* Reads all runs of the application. */
static bool
read_application(struct history_reading *r, struct text keys, struct history_run **all,
	size_t *count, struct error *err)
{
	struct runs_reading reading = { .arena = r->arena, .keys = keys };
	bool ok = db_query_all_binary(r->db, store_sql("store/history_runs"),
		SQL_VALUES(SQL_STORE_HISTORY_RUNS,
			[SQL_STORE_HISTORY_RUNS_APPLICATION] = r->application,
			[SQL_STORE_HISTORY_RUNS_LEDGER_NO] = r->digits),
		SQL_STORE_HISTORY_RUNS_PARAMS, take_run, &reading, err);

	*all = arena_copy_array(r->arena, reading.runs, reading.count, sizeof(*reading.runs));
	*count = reading.count;
	free(reading.runs);
	free(reading.streams);
	pair_map_release(&reading.by_labels);
	return ok;
}

static bool
refuse_stream(const struct history_reading *r, struct error *err)
{
	error_set(err, ERROR_NOT_FOUND, "there is no stream \"%.100s%s%.*s\"", r->application,
		text_is_empty(r->h->labels) || !*r->application ? "" : " ",
		text_precision(r->h->labels, 100), r->h->labels.data ? r->h->labels.data : "");
	return error_hint(err, "\"profdepot stream list\" shows the streams");
}

static struct text
labels_of(const struct history_run *all, size_t count, int64_t inst_id)
{
	const struct history_run *run = find_run(all, count, inst_id);

	return run ? run->labels : TEXT_NULL;
}

bool
history_read_runs(struct history_reading *r, struct text labels, int64_t inst_id, struct error *err)
{
	struct history_run *all;
	struct text keys, setting, parent;
	size_t count;

	if (!read_streams(r, &keys, &setting, err) || !read_application(r, keys, &all, &count, err))
		return false;
	if (inst_id)
		labels = labels_of(all, count, inst_id);
	r->h->labels = labels;
	parent = parent_of(r->arena, labels, setting);
	if (!text_equal(parent, labels))
		r->h->parent = parent;
	select_runs(r, all, count);
	if (r->h->run_count && !r->h->runs[r->h->run_count - 1].of_parent)
		return true;
	return refuse_stream(r, err);
}
