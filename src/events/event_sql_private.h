/* Declarations shared by the files that build the SQL for event queries. */
#ifndef PROFDEPOT_EVENTS_EVENT_SQL_PRIVATE_H
#define PROFDEPOT_EVENTS_EVENT_SQL_PRIVATE_H

#include "base/arena.h"
#include "base/sql_file.h"
#include "base/strbuf.h"
#include "events/event_sql.h"

enum {
	SQL_MAX_BYTES = 4 * 1024 * 1024,
	SQL_MAX_PARAMS = EVENT_MAX_CONDITIONS + 32,
};

/* The IDs of the result sets. They are the first parameter of every statement, and of every .sql file that a
 * statement includes. */
#define EVENT_INST_IDS "$1::bigint[]"
_Static_assert(SQL_EVENTS_EVENT_TRACK_SUMS_INST_IDS == 0 && SQL_EVENTS_EVENT_ROWS_INST_IDS == 0 &&
		       SQL_EVENTS_EVENT_BLOCKS_INST_IDS == 0 &&
		       SQL_EVENTS_EVENT_STACK_TEXTS_INST_IDS == 0,
	"the result sets are the first parameter of every part");

#define SECONDS_AS_TIME(at) \
	"(timestamp 'epoch' + floor(" at ")::double precision * interval '1 second')"

struct event_builder {
	struct arena *arena;
	const struct event_query *query;
	const struct event_sets *sets;
	/* Sums of the events in blocks; if NULL, the statement reads the blocks. */
	const struct event_track_sums *blocks;
	struct strbuf select, where, all;
	const char **params;
	size_t param_count;
	bool uses_tracks, uses_stacks;
	bool uses_events; /* true if the query needs data other than tracks and stacks */
};

/* blocks may be NULL. */
void event_builder_init(struct event_builder *b, struct arena *a, const struct event_query *q,
	const struct event_sets *sets, const struct event_track_sums *blocks);
void event_builder_release(struct event_builder *b);

/* Returns the text of a .sql file. `name` includes "events/". */
const char *event_sql_file(const char *name);

/* Adds a parameter, whose value is borrowed. Returns "$n::type", in the arena. */
const char *event_param(struct event_builder *b, const char *value, const char *type);
const char *event_int_param(struct event_builder *b, int64_t value);

/* Appends the SQL of the rank and ", ". Sorting by rank, id and inst_id gives the order of arrival. Posted
 * events are numbered across their result sets, but loaded events are numbered within each set. If all events
 * were posted, they need no rank, and nothing is appended. `inst_id` is an SQL expression for the event's
 * result set. */
void event_put_rank(struct event_builder *b, struct strbuf *to, const char *inst_id);

/* Appends the column's value as the sender spelled it. */
void event_put_column(struct event_builder *b, struct strbuf *to, size_t column);

/* Appends a timestamp as seconds since 1970. */
void event_put_seconds(struct strbuf *to, const struct category_column *k);

/* Returns whether the column is the stack of the event. Returns false for a further stack in the event's
 * attributes. */
bool event_is_stack(const struct event_query *q, size_t column);

/* Appends the filter to `where`, including the word WHERE. */
void event_put_filter(struct event_builder *b, const struct event_filter *f);

#endif
