/* Reads the runs of a stream, and before them the runs of its parent up to the point where it
 * branched off. */
#include "history_private.h"

#include "base/strbuf.h"
#include "store/store_private.h"

#include <string.h>

enum {
	RUN_INST_ID,
	RUN_LEDGER_NO,
	RUN_KEY,
	RUN_GROUP_KEY,
	RUN_VERSION,
	RUN_COMMIT,
	RUN_PARENT_COMMIT,
	RUN_CAPTION,
	RUN_FORMAT,
	RUN_TOOL,
	RUN_RAN_AT,
	RUN_LABELS,
	RUN_FINISHED,
	RUN_LEAKS,
	RUN_ERRORS,
	RUN_RACES,
	RUN_PARENT
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
history_choose_stream(struct db *db, struct arena *a, const struct history_question *q,
	const char *digits, const char **application, struct text *labels, int64_t *inst_id,
	struct error *err)
{
	struct db_result *r;

	*labels = TEXT_NULL;
	*inst_id = q->inst_id;
	if (q->stream) {
		split_stream(a, q->stream, application, labels);
		return true;
	}
	if (!q->inst_id)
		return find_newest(db, a, digits, application, inst_id, err);
	r = store_query_set(db, "store/history_of_set", q->inst_id, err);
	if (!r)
		return false;
	if (db_result_rows(r)) {
		*application = arena_text(a, db_result_value(r, 0, 1)).data;
		*inst_id = db_result_int64(r, 0, 2, 0);
	} else {
		error_set(err, ERROR_NOT_FOUND, "history does not know result set %lld",
			(long long)q->inst_id);
	}
	db_result_free(r);
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

static struct history_run
run_of(struct arena *a, const struct db_result *r, size_t row)
{
	struct text finished = db_result_value(r, row, RUN_FINISHED);
	struct history_run run = { .inst_id = db_result_int64(r, row, RUN_INST_ID, 0),
		.ledger_no = db_result_int64(r, row, RUN_LEDGER_NO, 0),
		.finished = text_is_null(finished) ? -1 : finished.data[0] == 't',
		.looked = { degree_of(db_result_value(r, row, RUN_LEAKS)),
			degree_of(db_result_value(r, row, RUN_ERRORS)),
			degree_of(db_result_value(r, row, RUN_RACES)) },
		.parent_inst_id = db_result_int64(r, row, RUN_PARENT, 0) };
	const struct {
		struct text *member;
		size_t column;
	} texts[] = { { &run.run_key, RUN_KEY }, { &run.group_key, RUN_GROUP_KEY },
		{ &run.version, RUN_VERSION }, { &run.commit_id, RUN_COMMIT },
		{ &run.parent_commit_id, RUN_PARENT_COMMIT }, { &run.caption, RUN_CAPTION },
		{ &run.format, RUN_FORMAT }, { &run.tool, RUN_TOOL }, { &run.ran_at, RUN_RAN_AT },
		{ &run.labels, RUN_LABELS } };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		*texts[i].member = arena_text(a, db_result_value(r, row, texts[i].column));
	return run;
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
 * parent stream that the branch contains. Follows the parent commits of the branch's first run. If
 * they do not lead to the parent stream, the branch contains all runs before its first run. */
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

/* Selects the runs of the parent stream before the branch point, and those of the stream itself. */
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

/* Reads the keys of the labels that separate streams, as an array, and the labels of the parent
 * stream, as in struct history_run. */
static bool
read_streams(struct history_reading *r, const char **keys, struct text *parent, struct error *err)
{
	struct db_result *rows = STORE_QUERY(r->db, "history_streams", SQL_STORE_HISTORY_STREAMS,
		err, [SQL_STORE_HISTORY_STREAMS_LEDGER_NO] = r->digits);

	if (!rows)
		return false;
	*keys = arena_text(r->arena, db_result_value(rows, 0, 0)).data;
	*parent = arena_text(r->arena, db_result_value(rows, 0, 1));
	db_result_free(rows);
	return true;
}

/* Takes the next label from *rest; returns an empty text at the end of the list. */
static struct text
next_label(struct text *rest)
{
	const char *space = rest->size ? memchr(rest->data, ' ', rest->size) : NULL;
	struct text label = text_up_to(*rest, space ? (size_t)(space - rest->data) : rest->size);

	*rest = text_from_at(*rest, label.size + (space != NULL));
	return label;
}

/* Returns the list's label with the same key, or else the given label. */
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

/* Returns the labels of the stream from which this one branches off: its own labels, with the
 * values in the setting in place of its own values. */
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

static struct db_result *
query_runs(struct history_reading *r, const char *keys, struct error *err)
{
	return STORE_QUERY(r->db, "history_runs", SQL_STORE_HISTORY_RUNS,
		err, [SQL_STORE_HISTORY_RUNS_APPLICATION] = r->application,
		[SQL_STORE_HISTORY_RUNS_KEYS] = keys,
		[SQL_STORE_HISTORY_RUNS_LEDGER_NO] = r->digits);
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
	struct db_result *rows;
	struct text setting, parent;
	const char *keys;
	size_t count;

	if (!read_streams(r, &keys, &setting, err))
		return false;
	rows = query_runs(r, keys, err);
	if (!rows)
		return false;
	count = db_result_rows(rows);
	all = arena_alloc_array(r->arena, count, sizeof(*all));
	for (size_t i = 0; i < count; i++)
		all[i] = run_of(r->arena, rows, i);
	db_result_free(rows);
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
