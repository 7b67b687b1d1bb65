/*
 * Event queries as SQL. Columns come from the catalogue, and operators come from a table. Every value
 * from the client is a parameter. Statements are in the arena. The functions fail with ERROR_LIMIT if a
 * statement is too long.
 */
#ifndef PROFDEPOT_EVENTS_EVENT_SQL_H
#define PROFDEPOT_EVENTS_EVENT_SQL_H

#include "events/event_query.h"

/* Bits: where the samples of the result sets are stored. */
enum event_storage {
	EVENT_IN_ROWS = 1,
	EVENT_IN_BLOCKS = 2,
};

/* The result sets to query. */
struct event_sets {
	const char *ids;        /* "{1,2}" */
	unsigned storage;       /* enum event_storage; 0: there are no events */
	bool mixed;             /* some sets also have samples that are not events */
	bool loaded;            /* some sets were loaded, not posted */
	const char *posted_ids; /* the sets that contain posted events; may be NULL */
	int64_t first_posted;   /* the lowest INST_ID of the posted sets */
	const int64_t *posted;  /* the same IDs as in posted_ids, as numbers */
	size_t posted_count;
};

struct event_statement {
	const char *sql;
	const char **params;
	size_t param_count;
};

/* Makes a statement that returns inst_id, id, and then the query's columns. Times are spelled as the sender
 * wrote them. */
bool event_sql_list(struct arena *a, const struct event_query *q, const struct event_sets *sets,
	struct event_statement *out, struct error *err);

/* Sums per track of the events that are stored in blocks: four parallel arrays in SQL syntax. */
struct event_track_sums {
	const char *inst_ids, *track_ids, *counts, *sums;
};

/* Returns whether the tracks contain everything that the grouping and the filter need. */
bool event_sql_asks_tracks(
	struct arena *a, const struct event_query *q, const struct event_sets *sets);

/* Makes a statement that returns one row per group: its columns, the bucket if there is one, the count and
 * the sum of the weights. `blocks` contains the sums of the events in blocks. If it is NULL, the statement
 * reads the blocks themselves. */
bool event_sql_groups(struct arena *a, const struct event_query *q, const struct event_sets *sets,
	const struct event_track_sums *blocks, struct event_statement *out, struct error *err);

/* Makes a statement that returns one row per stack: inst_id, stack_id (0: no stack), the sum of the weights
 * and the lowest id. */
bool event_sql_stacks(struct arena *a, const struct event_query *q,
	const struct event_filter *filter, const struct event_sets *sets,
	struct event_statement *out, struct error *err);

/* Makes a statement that returns inst_id and track_id of each track whose events in blocks pass the filter.
 * out->sql is NULL if all tracks pass. *possible is false if the filter needs values that tracks do not have. */
bool event_sql_tracks(struct arena *a, const struct event_query *q,
	const struct event_filter *filter, const struct event_sets *sets,
	struct event_statement *out, bool *possible, struct error *err);

#endif
