/* Shows how far the copy of a relation to the servers of a cluster is. */
#include "distribute_private.h"

#include "base/progress.h"
#include "base/sql_file.h"
#include "db/watch.h"
#include "db_private.h"

#include <stdio.h>

struct watch {
	struct progress meter;
	struct db observer; /* a second connection; not open if this failed */
	int64_t bytes;
	int64_t rows;   /* that the relation has */
	int64_t copied; /* rows that have been copied */
};

static int64_t
query_number(struct db *db, const char *sql)
{
	struct error ignored = ERROR_INIT;
	struct db_result *r = db_query(db, sql, NULL, 0, &ignored);
	int64_t n = r ? db_result_int64(r, 0, 0, 0) : 0;

	db_result_free(r);
	return n;
}

/* Connects again and counts the relation's rows. From then on, if the servers do not answer soon, the meter keeps its
 * last value. */
static void
open_observer(struct watch *w, const struct db *db, const char *relation)
{
	struct error ignored = ERROR_INIT;
	char sql[120];

	snprintf(sql, sizeof(sql), "SELECT count(*) FROM profdepot.%s", relation);
	w->observer.conn = db_connect_again(db->conn, NULL, NULL);
	if (PQstatus(w->observer.conn) == CONNECTION_OK)
		w->rows = query_number(&w->observer, sql);
	if (w->rows > 0 && db_exec(&w->observer, "SET statement_timeout = '5s'", &ignored))
		return;
	PQfinish(w->observer.conn);
	w->observer.conn = NULL;
}

static void
show(void *self)
{
	struct watch *w = self;
	int64_t copied = query_number(&w->observer, sql_file_find("db/citus_copied")->text);

	/* A worker stops counting the rows of a COPY when it ends. */
	if (copied > w->copied)
		w->copied = copied < w->rows ? copied : w->rows;
	progress_update(&w->meter,
		(int64_t)((double)w->bytes * (double)w->copied / (double)w->rows), w->bytes);
}

bool
distribute_copy(struct db *db, const struct distribute_plan *plan,
	const struct distribute_copy *copy, struct error *err)
{
	struct watch w = { .bytes = copy->bytes };
	const struct db_watch watch = { .tick = show, .self = &w };
	char what[120];
	bool ok;

	snprintf(what, sizeof(what), "%s (relation %zu of %zu)", copy->relation, copy->number,
		copy->count);
	progress_begin(&w.meter, what, plan->progress, false);
	if (w.meter.enabled && copy->bytes > 0)
		open_observer(&w, db, copy->relation);
	ok = w.observer.conn ? db_done(db_query_watched(db, copy->sql, NULL, 0, &watch, err))
			     : db_exec(db, copy->sql, err);
	progress_end(&w.meter);
	PQfinish(w.observer.conn);
	return ok;
}
