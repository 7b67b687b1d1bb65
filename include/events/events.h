/* Answers event queries from the depot. Errors: ERROR_DATABASE and ERROR_LIMIT. */
#ifndef PROFDEPOT_EVENTS_EVENTS_H
#define PROFDEPOT_EVENTS_EVENTS_H

#include "events/event_sql.h"
#include "events/event_tree.h"

struct db;
struct json_writer;

/* Finds the result sets that have events of the category. */
bool events_find_sets(struct db *db, struct arena *a, const struct category *c,
	struct event_sets *out, struct error *err);

/* One page of rows. */
struct event_page {
	bool ask_more; /* set by the caller if it needs `more` */
	bool more;     /* there are more rows than the limit */
	int64_t rows;
	int64_t last_set, last_id; /* result set and ID of the last row */
};

/* Writes the rows as objects into the open array of w. */
bool events_write_list(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_sets *sets, struct json_writer *w, struct event_page *page,
	struct error *err);
/* Writes the groups as objects into the open array of w. The members are the group's columns, "bucket", "count" and
 * "sum". */
bool events_write_groups(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_sets *sets, struct json_writer *w, struct event_page *page,
	struct error *err);

/* Sums the events by stack into a tree, which the caller frees. */
struct event_tree *events_sum(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_filter *filter, const struct event_sets *sets, struct error *err);

/* Computes the query's tree, and compares, inverts and cuts it as the query requests. */
struct tree *events_tree(struct db *db, struct arena *a, const struct event_query *q,
	const struct event_sets *sets, struct error *err);

/* Returns the unit of the weights, such as "microseconds"; "count" if the events have no weight. */
const char *event_weight_unit(const struct event_query *q);

#endif
