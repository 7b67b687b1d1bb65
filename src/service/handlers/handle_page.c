/* Pages of reports. */
#include "handle_page.h"

#include "base/hash.h"
#include "base/strbuf.h"
#include "store/owners.h"
#include "store/result_sets.h"
#include "store/set_names.h"
#include "store/suppressions.h"

#ifndef PACKAGE_VERSION
#include <config.h>
#endif

/* Appends all values and frees the rows. Returns false if the query failed. */
static bool
append_rows(struct strbuf *b, struct db_result *rows)
{
	for (size_t i = 0; rows && i < db_result_rows(rows); i++)
		for (size_t k = 0; k < db_result_columns(rows); k++) {
			strbuf_append_text(b, db_result_value(rows, i, k));
			strbuf_append_char(b, '\0');
		}
	return db_done(rows);
}

/* Appends what identifies the result sets. Sets *open if one of them is open. */
static bool
append_sets(struct db *db, struct strbuf *b, const int64_t *ids, size_t count, bool *open,
	struct error *err)
{
	struct db_result *rows = result_sets_contents(db, ids, count, err);

	for (size_t i = 0; rows && i < db_result_rows(rows); i++)
		if (!text_equal(db_result_value(rows, i, 1), TEXT_LITERAL("closed")))
			*open = true;
	return append_rows(b, rows);
}

/* Returns the result sets of the request and its base. */
static bool
list_sets(struct http_call *c, struct db *db, const struct report_request *q, int64_t **ids,
	size_t *count, struct error *err)
{
	const char *base = q->values[REPORT_BASE];

	*count = q->inst_id_count;
	*ids = arena_alloc_array(c->arena, q->inst_id_count + 1, sizeof(**ids));
	for (size_t i = 0; i < q->inst_id_count; i++)
		(*ids)[i] = q->inst_ids[i];
	return !base || set_name_find(db, base, q->inst_ids[0], &(*ids)[(*count)++], err);
}

/* Sets p->state. */
static bool
read_state(struct http_call *c, struct db *db, const struct report_request *q,
	struct report_page *p, struct error *err)
{
	char *hex = arena_alloc(c->arena, HASH128_HEX_BYTES);
	struct text owners;
	struct strbuf b;
	bool open = false;
	int64_t *ids;
	size_t count;
	bool ok;

	strbuf_init(&b, SIZE_MAX);
	strbuf_append_str(&b, PACKAGE_VERSION);
	ok = list_sets(c, db, q, &ids, &count, err) &&
	     append_sets(db, &b, ids, count, &open, err) &&
	     append_rows(&b, suppressions_query(db, err)) &&
	     owners_load(db, c->arena, 0, &owners, err);
	if (ok) {
		strbuf_append_text(&b, owners);
		hash128_hex(hash128(strbuf_str(&b), b.size), hex);
		p->state = open ? NULL : hex;
	}
	strbuf_release(&b);
	return ok;
}

bool
report_page_begin(struct http_call *c, struct db *db, const struct report *r,
	struct report_request *q, struct report_page *p, struct error *err)
{
	*p = (struct report_page){ .request = q };
	if (!r->order_count) {
		if (!http_query_text(c, "cursor"))
			return true;
		error_set(err, ERROR_USAGE,
			"report %s has a fixed order, so it does not take cursor", r->name);
		return error_hint(err, "omit cursor");
	}
	if (!cursor_read(c, &p->cursor, err))
		return false;
	if (!p->cursor.given)
		return true;
	if (!read_state(c, db, q, p, err))
		return false;
	q->skip = cursor_rows_before(c, &p->cursor);
	if (p->state && p->cursor.parts[0] && strcmp(p->state, p->cursor.parts[0]) == 0)
		return true;
	error_set(err, ERROR_STALE_CURSOR,
		"the data of the report has changed since the cursor was made");
	return error_hint(err, "omit cursor to start again");
}

/* --- the sink --- */

static bool
begin(struct table_sink *s, const struct table_head *head, struct error *err)
{
	struct report_page *p = (struct report_page *)s;

	return p->inner->begin(p->inner, head, err);
}

static bool
set_begin(struct table_sink *s, const struct table_set *set, struct error *err)
{
	struct report_page *p = (struct report_page *)s;

	return !p->inner->set_begin || p->inner->set_begin(p->inner, set, err);
}

static bool
row(struct table_sink *s, const struct table_cell *cells, struct error *err)
{
	struct report_page *p = (struct report_page *)s;

	return p->inner->row(p->inner, cells, err);
}

static bool
set_end(struct table_sink *s, const struct table_foot *foot, struct error *err)
{
	struct report_page *p = (struct report_page *)s;

	if (foot->all_rows > (uint64_t)p->request->skip + foot->rows)
		p->more = true;
	return !p->inner->set_end || p->inner->set_end(p->inner, foot, err);
}

static bool
end(struct table_sink *s, struct error *err)
{
	struct report_page *p = (struct report_page *)s;

	return !p->inner->end || p->inner->end(p->inner, err);
}

struct table_sink *
report_page_sink(struct report_page *p, struct table_sink *inner)
{
	p->sink = (struct table_sink){ begin, set_begin, row, set_end, end };
	p->inner = inner;
	return &p->sink;
}

bool
report_page_end(struct http_call *c, struct db *db, struct report_page *p, struct error *err)
{
	struct cursor next = { .given = false };

	if (!p->more || !p->request->top)
		return true;
	if (!p->cursor.given && !read_state(c, db, p->request, p, err))
		return false;
	next.parts[0] = p->state;
	if (p->state)
		cursor_link(c, &p->cursor, &next, p->request->top);
	else
		cursor_link_skip(c, p->request->skip + p->request->top);
	return true;
}
