/*
 * Questions about events as SQL. Columns come from the catalogue, operators
 * from a table; whatever a client said is a parameter.
 */
#ifndef PROFDEPOT_EVENTS_EVENT_SQL_H
#define PROFDEPOT_EVENTS_EVENT_SQL_H

#include "events/event_query.h"

/* Where the samples of the result sets lie, bits. */
enum event_storage {
	EVENT_IN_ROWS = 1,
	EVENT_IN_BLOCKS = 2,
};

/* The result sets that a question is put to. */
struct event_sets {
	const char *ids;        /* "{1,2}" */
	unsigned storage;       /* enum event_storage; 0: there is no event */
	bool mixed;             /* some hold other samples too */
	bool loaded;            /* some came as a whole */
	const char *posted_ids; /* those that were posted in parts; NULL: none */
	int64_t first_posted;   /* the lowest of them */
	const int64_t *posted;  /* the same as numbers */
	size_t posted_count;
};

struct event_statement {
	const char *sql;
	const char **params;
	size_t param_count;
};

/* Rows: inst_id, id, then a column each, times as the sender wrote them. In the arena. */
bool event_sql_list(struct arena *a, const struct event_query *q, const struct event_sets *sets,
	struct event_statement *out, struct error *err);

/* Events of blocks by track: arrays as SQL writes them, in step. */
struct event_track_sums {
	const char *inst_ids, *track_ids, *counts, *sums;
};

/* Whether groups, and what chooses their events, are about nothing but tracks. */
bool event_sql_asks_tracks(
	struct arena *a, const struct event_query *q, const struct event_sets *sets);

/* A row a group: its columns, the bucket when there are such, count, sum of the weight. blocks:
 * what is taken for the events that lie in such; NULL: these themselves. */
bool event_sql_groups(struct arena *a, const struct event_query *q, const struct event_sets *sets,
	const struct event_track_sums *blocks, struct event_statement *out, struct error *err);

/* A row a stack: inst_id, stack_id (0: none), sum of the weight, the lowest id. */
bool event_sql_stacks(struct arena *a, const struct event_query *q,
	const struct event_filter *filter, const struct event_sets *sets,
	struct event_statement *out, struct error *err);

/* The tracks whose events lie in blocks and pass the filter, as inst_id and track_id; sql NULL: of
 * all tracks. *possible false: it asks for more than tracks know. */
bool event_sql_tracks(struct arena *a, const struct event_query *q,
	const struct event_filter *filter, const struct event_sets *sets,
	struct event_statement *out, bool *possible, struct error *err);

#endif
