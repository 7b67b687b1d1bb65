/* Answers event queries from the depot: lists, groups and trees. */
#include "events/events.h"

#include "analysis/trees.h"
#include "base/json_writer.h"
#include "base/sql_file.h"
#include "base/strbuf.h"
#include "db/connection.h"
#include "event_blocks.h"
#include "event_sums.h"

enum {
	SETS_MAX_BYTES = 64 * 1024 * 1024
};

static bool
is_set(const struct db_result *r, size_t row, size_t column)
{
	return db_result_value(r, row, column).data[0] == '1';
}

static void
take_set(const struct db_result *r, size_t row, struct event_sets *out, struct strbuf *ids,
	struct strbuf *posted, int64_t *numbers)
{
	struct text id = db_result_value(r, row, 0);

	strbuf_append_char(ids, ids->size ? ',' : '{');
	strbuf_append_text(ids, id);
	out->storage |= is_set(r, row, 1) ? EVENT_IN_ROWS : 0;
	out->storage |= is_set(r, row, 2) ? EVENT_IN_BLOCKS : 0;
	out->mixed |= is_set(r, row, 3);
	if (!is_set(r, row, 4)) {
		out->loaded = true;
		return;
	}
	numbers[out->posted_count++] = event_text_int(id);
	strbuf_append_char(posted, posted->size ? ',' : '{');
	strbuf_append_text(posted, id);
}

bool
events_find_sets(struct db *db, struct arena *a, const struct category *c, struct event_sets *out,
	struct error *err)
{
	const char *name = arena_strndup(a, c->name.data, c->name.size);
	struct db_result *r = db_query(db, sql_file_find("events/event_sets")->text,
		SQL_VALUES(SQL_EVENTS_EVENT_SETS, [SQL_EVENTS_EVENT_SETS_CATEGORY] = name),
		SQL_EVENTS_EVENT_SETS_PARAMS, err);
	struct strbuf ids, posted;
	int64_t *numbers;

	if (!r)
		return false;
	numbers = arena_alloc_array(a, db_result_rows(r) + 1, sizeof(*numbers));
	*out = (struct event_sets){ .posted = numbers };
	strbuf_init(&ids, SETS_MAX_BYTES);
	strbuf_init(&posted, SETS_MAX_BYTES);
	for (size_t i = 0; i < db_result_rows(r); i++)
		take_set(r, i, out, &ids, &posted, numbers);
	out->ids = arena_printf(a, "%s}", ids.size ? strbuf_str(&ids) : "{");
	if (posted.size) {
		out->posted_ids = arena_printf(a, "%s}", strbuf_str(&posted));
		out->first_posted = numbers[0];
	}
	strbuf_release(&ids);
	strbuf_release(&posted);
	db_result_free(r);
	return true;
}

struct listing {
	const struct event_query *query;
	struct json_writer *out;
	struct event_page *page;
	int64_t limit; /* number of rows to write; -1 means all */
};

static void
put_key(struct json_writer *w, struct text name)
{
	char key[CATEGORY_NAME_MAX + 1];

	memcpy(key, name.data, name.size);
	key[name.size] = '\0';
	json_key(w, key);
}

static void
put_cell(struct json_writer *w, const struct category_column *k, struct text value)
{
	put_key(w, k->name);
	if (category_type_is_whole(k->type) && value.data)
		json_raw(w, value);
	else
		json_depot_text(w, value);
}

/* Returns whether the current row is beyond the limit. The query reads one row more than the limit, to
 * find out whether the page is the last one. */
static bool
is_beyond(struct listing *l)
{
	if (l->limit < 0 || l->page->rows < l->limit)
		return false;
	l->page->more = true;
	return true;
}

static bool
count_row(struct listing *l, struct error *err)
{
	if (++l->page->rows <= EVENT_MAX_ROWS)
		return true;
	error_set(err, ERROR_LIMIT, "the answer has more than %d rows", (int)EVENT_MAX_ROWS);
	return error_hint(err, "request fewer with limit or constraints");
}

static bool
write_row(void *self, const struct db_result *row, struct error *err)
{
	struct listing *l = self;
	const struct event_query *q = l->query;

	if (is_beyond(l))
		return true;
	if (!count_row(l, err))
		return false;
	l->page->last_set = event_text_int(db_result_value(row, 0, 0));
	l->page->last_id = event_text_int(db_result_value(row, 0, 1));
	json_begin_object(l->out);
	for (size_t i = 0; i < q->column_count; i++)
		put_cell(l->out, &q->category->columns[q->columns[i]],
			db_result_value(row, 0, i + 2));
	json_end_object(l->out);
	return true;
}

bool
events_write_list(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_sets *sets, struct json_writer *w, struct event_page *page,
	struct error *err)
{
	struct event_query asked = *q;
	struct listing l = { q, w, page, q->limit };
	struct event_statement s;

	*page = (struct event_page){ .ask_more = page->ask_more };
	if (!sets->storage)
		return true;
	if (asked.limit < 0)
		asked.limit = (int64_t)EVENT_MAX_ROWS + 1;
	else if (page->ask_more)
		asked.limit++;
	return event_sql_list(a, &asked, sets, &s, err) &&
	       db_query_each(db, s.sql, s.params, s.param_count, write_row, &l, err);
}

static bool
write_group(void *self, const struct db_result *row, struct error *err)
{
	struct listing *l = self;
	const struct event_query *q = l->query;
	size_t i = 0;

	if (is_beyond(l))
		return true;
	if (!count_row(l, err))
		return false;
	json_begin_object(l->out);
	for (; i < q->group_count; i++)
		put_cell(l->out, &q->category->columns[q->groups[i]], db_result_value(row, 0, i));
	if (q->bucket_seconds) {
		json_key_text(l->out, "bucket", db_result_value(row, 0, i++));
	}
	json_key_raw(l->out, "count", db_result_value(row, 0, i++));
	json_key_raw(l->out, "sum", db_result_value(row, 0, i));
	json_end_object(l->out);
	return true;
}

bool
events_write_groups(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_sets *sets, struct json_writer *w, struct event_page *page,
	struct error *err)
{
	struct event_query asked = *q;
	struct listing l = { q, w, page, q->limit };
	struct event_track_sums sums;
	bool summed;
	struct event_statement s;

	*page = (struct event_page){ 0 };
	if (!sets->storage)
		return true;
	asked.limit++;
	return event_track_sums_read(db, a, q, sets, &sums, &summed, err) &&
	       event_sql_groups(a, &asked, sets, summed ? &sums : NULL, &s, err) &&
	       db_query_each(db, s.sql, s.params, s.param_count, write_group, &l, err);
}

struct event_tree *
events_sum(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_filter *filter, const struct event_sets *sets, struct error *err)
{
	struct event_tree *t = event_tree_new();

	if (!sets->storage || q->stack == q->category->column_count ||
		event_sums_read(db, a, q, filter, sets, t, err))
		return t;
	event_tree_free(t);
	return NULL;
}

const char *
event_weight_unit(const struct event_query *q)
{
	if (q->weight == q->category->column_count)
		return "count";
	return q->category->columns[q->weight].type == CATEGORY_ELAPSED ? "microseconds" : "none";
}

static void
describe(struct tree *t, const struct event_query *q)
{
	const struct category *c = q->category;

	t->set = (struct tree_set){ c->name, c->name };
	t->metric = TEXT_LITERAL("events");
	t->unit = text_from(event_weight_unit(q));
	t->title = TEXT_LITERAL("Events");
	if (q->weight == c->column_count)
		return;
	t->metric = c->columns[q->weight].name;
	t->title = c->columns[q->weight].pretty_name;
}

static struct tree *
read_tree(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_filter *filter, const struct event_sets *sets, struct error *err)
{
	struct event_tree *sums = events_sum(db, a, q, filter, sets, err);
	struct tree *t;

	if (!sums)
		return NULL;
	t = event_tree_tree(a, sums);
	describe(t, q);
	event_tree_free(sums);
	return t;
}

struct tree *
events_tree(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_sets *sets, struct error *err)
{
	struct tree *t = read_tree(db, a, q, &q->filter, sets, err);
	size_t all;

	if (t && q->has_base) {
		struct tree *base = read_tree(db, a, q, &q->base, sets, err);

		if (!base)
			return NULL;
		t = tree_compare(a, t, base);
	}
	if (!t)
		return NULL;
	if (q->inverted)
		t = tree_invert(a, t, 0, 0);
	all = t->count;
	if (q->max_nodes)
		t = tree_cut(a, t, (size_t)q->max_nodes);
	t->all_nodes = all;
	return t;
}
