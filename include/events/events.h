/* Answers to questions about events, from the depot. */
#ifndef PROFDEPOT_EVENTS_EVENTS_H
#define PROFDEPOT_EVENTS_EVENTS_H

#include "events/event_sql.h"
#include "events/event_tree.h"

struct db;
struct json_writer;

/* Result sets with events of the category. ERROR_DATABASE. */
bool events_find_sets(struct db *db, struct arena *a, const struct category *c,
	struct event_sets *out, struct error *err);

/* What a page of rows left behind. */
struct event_page {
	bool ask_more; /* from the caller: whether there are more than the limit is to be found */
	bool more;
	int64_t rows;
	int64_t last_set, last_id; /* of the last row written */
};

/* Writes rows as objects into the open array. */
bool events_write_list(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_sets *sets, struct json_writer *w, struct event_page *page,
	struct error *err);
/* The same of groups: their columns, "bucket", "count", "sum". */
bool events_write_groups(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_sets *sets, struct json_writer *w, struct event_page *page,
	struct error *err);

/* Sums by stack as a tree; the caller frees it. */
struct event_tree *events_sum(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_filter *filter, const struct event_sets *sets, struct error *err);

/* The tree that the question asks for: compared, inverted, cut. */
struct tree *events_tree(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_sets *sets, struct error *err);

#endif
