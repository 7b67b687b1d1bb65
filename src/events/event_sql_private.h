/* Parts of questions about events as SQL, among the files that make them. */
#ifndef PROFDEPOT_EVENTS_EVENT_SQL_PRIVATE_H
#define PROFDEPOT_EVENTS_EVENT_SQL_PRIVATE_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "events/event_sql.h"

enum {
	SQL_MAX_BYTES = 4 * 1024 * 1024,
	SQL_MAX_PARAMS = EVENT_MAX_CONDITIONS + 32,
};

struct event_builder {
	struct arena *arena;
	const struct event_query *query;
	const struct event_sets *sets;
	const struct event_track_sums *blocks; /* NULL: blocks are read */
	struct strbuf select, where, all;
	const char **params;
	size_t param_count;
	bool uses_tracks, uses_stacks;
	bool uses_events; /* what neither tracks nor stacks know */
};

#define SECONDS_AS_TIME(at) \
	"(timestamp 'epoch' + floor(" at ")::double precision * interval '1 second')"

/* $1: the result sets. */
void event_builder_init(struct event_builder *b, struct arena *a, const struct event_query *q,
	const struct event_sets *sets);
/* $2 to $5: what stands for the blocks; first of all. */
void event_builder_take_sums(struct event_builder *b, const struct event_track_sums *blocks);
const char *event_sql_file(const char *name);
/* $n::type; the value is borrowed. */
void event_put_param(
	struct event_builder *b, struct strbuf *to, const char *value, const char *type);
void event_put_int_param(struct event_builder *b, struct strbuf *to, int64_t value);
/* What stands before id and inst_id in the order of arrival: posted events are numbered over all
 * their result sets, loaded ones within theirs. */
void event_put_rank(struct event_builder *b, struct strbuf *to, const char *alias);
/* As the sender wrote it. */
void event_put_column(struct event_builder *b, struct strbuf *to, size_t column);
/* Seconds since 1970 of a timestamp. */
void event_put_seconds(struct strbuf *to, const struct category_column *k);
/* The stack of the event, not a further one in its attributes. */
bool event_is_stack(const struct event_query *q, size_t column);
/* Into where, with its WHERE. */
void event_put_filter(struct event_builder *b, const struct event_filter *f);

#endif
