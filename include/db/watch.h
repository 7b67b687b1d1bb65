/*
 * Statements whose progress the caller shows.
 */
#ifndef PROFDEPOT_DB_WATCH_H
#define PROFDEPOT_DB_WATCH_H

#include "db/connection.h"

/* The callbacks must not use the connection. */
struct db_watch {
	/* Called about once per second while the server works. */
	void (*tick)(void *self);
	/* Called for each message of level INFO that the statement sends. `detail` is "" if the message has no DETAIL.
	 * Both texts are borrowed for the call. NULL: the messages are treated as in every other statement. */
	void (*message)(void *self, const char *text, const char *detail);
	void *self;
};

/* Like db_query, but calls the callbacks while the statement runs. */
struct db_result *db_query_watched(struct db *db, const char *sql, const char *const *params,
	size_t param_count, const struct db_watch *watch, struct error *err);

#endif
