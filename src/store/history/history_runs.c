/* The runs of a stream. The runs of its parent stream up to the branch point come first. */
#include "history_private.h"

#include "base/array.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "store/binary_values.h"
#include "store/store_private.h"

#include <stdlib.h>
#include <string.h>

/* The columns of history_runs and, as arrays, of history_folded_runs. */
enum {
	RUN_INST_ID,
	RUN_LEDGER_NO,
	RUN_POSITION,
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
	RUN_PARENT_COMMIT,
	RUN_FOLD,
	RUN_COLUMNS
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
	rows = STORE_QUERY(r->db, "history_of_set", SQL_STORE_HISTORY_OF_SET,
		err, [SQL_STORE_HISTORY_OF_SET_INST_ID] = INT64_TEXT(q->inst_id),
		[SQL_STORE_HISTORY_OF_SET_AS_OF] = r->digits);
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

/* Removes the part before the next separator from *rest, and returns this part. After the last part,
 * returns an empty text. */
static struct text
next_part(struct text *rest, char separator)
{
	const char *end = rest->size ? memchr(rest->data, separator, rest->size) : NULL;
	struct text part = text_up_to(*rest, end ? (size_t)(end - rest->data) : rest->size);

	*rest = text_from_at(*rest, part.size + (end != NULL));
	return part;
}

static struct text
next_label(struct text *rest)
{
	return next_part(rest, ' ');
}

/* The runs of an application while they are read. Many runs have the same labels, so the stream of each
 * list of labels is computed once. */
struct runs_reading {
	struct arena *arena;
	struct history_reading *history;
	struct text keys; /* label keys that distinguish streams, separated by spaces */
	struct history_run *runs;
	size_t count, room;
	struct pair_map by_labels; /* values: indexes in streams */
	struct text *streams;
	size_t stream_count, stream_room;
};

/* Returns whether the label's key is one of `keys`, which are separated by spaces. */
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

/* Returns those labels whose keys are among r->keys, sorted and separated by spaces. */
static struct text
make_stream(struct runs_reading *r, struct text labels)
{
	struct text *items = arena_alloc_array(r->arena, labels.size / 2 + 1, sizeof(*items));
	size_t count = 0;
	struct strbuf b;
	struct text stream;

	while (labels.size) {
		struct text label = next_part(&labels, '\n');

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

/* Returns the stream of these labels, which are separated by line feeds. */
static struct text
stream_of(struct runs_reading *r, struct text labels)
{
	bool added;
	uint32_t index = pair_map_add_bytes(
		&r->by_labels, labels.data, labels.size, (uint32_t)r->stream_count, &added);

	if (added) {
		struct text stream = make_stream(r, labels);

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

/* Converts microseconds since 2000 to ISO 8601 in UTC. */
static struct text
time_text(struct arena *a, int64_t us)
{
	int64_t seconds = (us >= 0 ? us : us - 999999) / 1000000;
	int64_t days = (seconds >= 0 ? seconds : seconds - 86399) / 86400;
	int64_t within = seconds - days * 86400;
	int64_t era, day_of_era, year_of_era, day_of_year, month;
	char *t = arena_strdup(a, "0000-00-00T00:00:00Z");

	/* Here a year begins on 1 March, an era has 400 years, and day 0 is 0000-03-01. */
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

static void
take_run(struct runs_reading *r, const struct text row[RUN_COLUMNS])
{
	*ARRAY_ADD(r->runs, r->count, r->room) =
		(struct history_run){ .inst_id = binary_integer(row[RUN_INST_ID]),
			.ledger_no = binary_integer(row[RUN_LEDGER_NO]),
			.run_key = arena_text(r->arena, row[RUN_KEY]),
			.group_key = arena_text(r->arena, row[RUN_GROUP_KEY]),
			.version = arena_text(r->arena, row[RUN_VERSION]),
			.commit_id = arena_text(r->arena, row[RUN_COMMIT]),
			.parent_commit_id = arena_text(r->arena, row[RUN_PARENT_COMMIT]),
			.tool = arena_text(r->arena, row[RUN_TOOL]),
			.ran_at = time_text(r->arena, binary_integer(row[RUN_RAN_AT])),
			.labels = stream_of(r, row[RUN_LABELS]),
			.finished = row[RUN_FINISHED].size ? row[RUN_FINISHED].data[0] != 0 : -1,
			.looked = { degree_of(row[RUN_LEAKS]), degree_of(row[RUN_ERRORS]),
				degree_of(row[RUN_RACES]) },
			.fold_no = binary_integer(row[RUN_FOLD]),
			.position = arena_text(r->arena, row[RUN_POSITION]) };
}

static bool
take_row(void *self, const struct db_result *row, struct error *err)
{
	struct text values[RUN_COLUMNS];

	(void)err;
	for (size_t i = 0; i < RUN_COLUMNS; i++)
		values[i] = db_result_value(row, 0, i);
	take_run(self, values);
	return true;
}

static void
keep_fold(struct history_reading *r, int64_t fold, struct binary_array ids)
{
	size_t first = (size_t)fold * HISTORY_FOLD_RUNS;

	ARRAY_RESERVE_ZEROED(r->fold_ids, r->fold_room, first + HISTORY_FOLD_RUNS);
	r->h->fold_count = (size_t)fold + 1;
	for (size_t i = 0; i < HISTORY_FOLD_RUNS; i++)
		r->fold_ids[first + i] = binary_integer(binary_next(&ids));
}

/* Takes those runs of a fold that are not forgotten and were published up to the requested ledger
 * number. */
static bool
take_fold(void *self, const struct db_result *row, struct error *err)
{
	struct runs_reading *r = self;
	struct binary_array columns[RUN_FOLD];
	struct text values[RUN_COLUMNS];

	(void)err;
	for (size_t i = 0; i < RUN_FOLD; i++)
		columns[i] = binary_array_of(row, i);
	values[RUN_FOLD] = db_result_value(row, 0, RUN_FOLD);
	keep_fold(r->history, binary_integer(values[RUN_FOLD]), columns[RUN_INST_ID]);
	while (columns[RUN_INST_ID].left) {
		int64_t ledger_no;

		for (size_t i = 0; i < RUN_FOLD; i++)
			values[i] = binary_next(&columns[i]);
		ledger_no = binary_integer(values[RUN_LEDGER_NO]);
		if (ledger_no && ledger_no <= r->history->h->ledger_no)
			take_run(r, values);
	}
	return true;
}

/* Compares two finite numbers in the server's binary form: number of digits, weight of the first digit,
 * sign and scale, each in two bytes; then the digits, to base 10,000. */
static int
compare_numbers(struct text x, struct text y)
{
	enum {
		WEIGHT = 2,
		SIGN = 4,
		DIGITS = 8
	};
	bool negative = x.size > SIGN && x.data[SIGN];
	bool x_is_zero = x.size <= DIGITS;
	bool y_is_zero = y.size <= DIGITS;
	int order;

	if (negative != (y.size > SIGN && y.data[SIGN]))
		return negative ? -1 : 1;
	if (x_is_zero || y_is_zero)
		return (int)!x_is_zero - (int)!y_is_zero;
	order = (int16_t)binary_unsigned(x.data + WEIGHT, 2) -
		(int16_t)binary_unsigned(y.data + WEIGHT, 2);
	if (!order) {
		order = memcmp(x.data + DIGITS, y.data + DIGITS,
			(x.size < y.size ? x.size : y.size) - DIGITS);
		if (!order)
			order = (x.size > y.size) - (x.size < y.size);
	}
	return negative ? -order : order;
}

static int
compare_places(const void *a, const void *b)
{
	const struct history_run *x = a;
	const struct history_run *y = b;
	int order = compare_numbers(x->position, y->position);

	return order ? order : (x->ledger_no > y->ledger_no) - (x->ledger_no < y->ledger_no);
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

/* Returns the newest run of the parent commit among the runs that were published before `child`, or NULL. */
static const struct history_run *
find_parent(const struct history_run *runs, size_t count, const struct history_run *child)
{
	const struct history_run *parent = NULL;

	for (size_t i = 0; i < count && child->parent_commit_id.size; i++)
		if (runs[i].ledger_no < child->ledger_no &&
			(!parent || runs[i].ledger_no > parent->ledger_no) &&
			text_equal(runs[i].commit_id, child->parent_commit_id))
			parent = &runs[i];
	return parent;
}

/* Returns the number of runs before the branch point. Follows the parent commits of the branch's first run until they
 * lead to a run of the parent stream. The branch point is directly after that run. If they lead to no such run, the
 * branch point is directly before the branch's first run. */
static size_t
find_branch_point(
	const struct history_run *all, size_t count, struct text labels, struct text parent)
{
	const struct history_run *first = NULL;
	const struct history_run *at;

	for (size_t i = 0; i < count && !first; i++)
		if (is_of_stream(&all[i], labels))
			first = &all[i];
	if (!first)
		return count;
	for (at = find_parent(all, count, first); at; at = find_parent(all, count, at))
		if (is_of_stream(at, parent))
			return (size_t)(at - all) + 1;
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

/* Reads two settings. *keys are the label keys that distinguish streams, separated by spaces. *parent are the labels
 * of the parent stream, in the form of struct history_run. */
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

/* Searches `list` for a label with the same key as `label`, and returns it. If there is none, returns
 * `label`. */
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

/* Returns the labels of the parent stream. These are the labels in `labels`, but each label in `setting`
 * replaces the one with the same key. */
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

/* Finds the runs whose labels were changed after their publication. Gives these runs the labels that they had at
 * the requested ledger number. */
static bool
read_moves(struct runs_reading *r, struct error *err)
{
	struct history_reading *h = r->history;
	struct db_result *rows = STORE_QUERY(h->db, "history_moves", SQL_STORE_HISTORY_MOVES,
		err, [SQL_STORE_HISTORY_MOVES_LEDGER_NO] = h->digits);
	size_t count = rows ? db_result_rows(rows) : 0;
	struct pair_map by_inst = { .entries = NULL };

	for (size_t i = 0; count && i < r->count; i++)
		pair_map_add(&by_inst, r->runs[i].inst_id, 0, (uint32_t)i, NULL);
	for (size_t i = 0; i < count; i++) {
		uint32_t run = pair_map_get(&by_inst, db_result_int64(rows, i, 0, 0), 0);

		if (run != PAIR_MAP_NONE)
			r->runs[run].labels = stream_of(r, db_result_value(rows, i, 1));
	}
	pair_map_release(&by_inst);
	return db_done(rows);
}

static bool
read_rows(struct runs_reading *r, struct error *err)
{
	struct history_reading *h = r->history;

	return db_query_each_binary(h->db, store_sql("store/history_folded_runs"),
		       SQL_VALUES(SQL_STORE_HISTORY_FOLDED_RUNS,
			       [SQL_STORE_HISTORY_FOLDED_RUNS_APPLICATION] = h->application),
		       SQL_STORE_HISTORY_FOLDED_RUNS_PARAMS, take_fold, r, err) &&
	       db_query_each_binary(h->db, store_sql("store/history_runs"),
		       SQL_VALUES(SQL_STORE_HISTORY_RUNS,
			       [SQL_STORE_HISTORY_RUNS_APPLICATION] = h->application,
			       [SQL_STORE_HISTORY_RUNS_LEDGER_NO] = h->digits),
		       SQL_STORE_HISTORY_RUNS_PARAMS, take_row, r, err) &&
	       read_moves(r, err);
}

/* Reads all runs of the application. The caller frees *all. */
static bool
read_application(struct history_reading *r, struct text keys, struct history_run **all,
	size_t *count, struct error *err)
{
	struct runs_reading reading = { .arena = r->arena, .history = r, .keys = keys };
	bool ok = read_rows(&reading, err);

	array_sort(reading.runs, reading.count, sizeof(*reading.runs), compare_places);
	*all = reading.runs;
	*count = reading.count;
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
	struct history_run *all = NULL;
	struct text keys, setting, parent;
	size_t count;

	if (!read_streams(r, &keys, &setting, err) ||
		!read_application(r, keys, &all, &count, err)) {
		free(all);
		return false;
	}
	if (inst_id)
		labels = labels_of(all, count, inst_id);
	r->h->labels = labels;
	parent = parent_of(r->arena, labels, setting);
	if (!text_equal(parent, labels))
		r->h->parent = parent;
	select_runs(r, all, count);
	free(all);
	if (r->h->run_count && !r->h->runs[r->h->run_count - 1].of_parent)
		return true;
	return refuse_stream(r, err);
}
