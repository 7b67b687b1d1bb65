/* A server's progress in storing, which live_begin and live_commit advance. */
#include "live_private.h"
#include "store/store_private.h"

#include "base/hash.h"

void
live_progress_init(struct live_progress *p)
{
	const uint64_t drawn[2] = { process_seed(), process_seed() };

	_Static_assert(LIVE_SERVER_BYTES == 2 * sizeof(drawn) + 1, "a uuid has 32 digits");
	*p = (struct live_progress){ .groups = 0 };
	hex_format(drawn, sizeof(drawn), p->server);
}

/* Runs a statement whose only parameter is the server. */
static struct db_result *
query(struct db *db, const char *name, const char *server, struct error *err)
{
	return db_query(db, store_sql(name), &server, 1, err);
}

/* *groups is 0 if there is no row. */
static bool
ask(struct db *db, const char *name, const char *server, int64_t *groups, bool *found,
	struct error *err)
{
	struct db_result *r = query(db, name, server, err);

	*groups = 0;
	if (!r)
		return false;
	*found = db_result_rows(r) > 0;
	if (*found)
		*groups = db_result_int64(r, 0, 0, 0);
	db_result_free(r);
	return true;
}

/* A new row has the number 0, which is before all our transactions. */
bool
live_progress_settle(struct db *db, struct live_progress *p, struct error *err)
{
	int64_t groups;
	bool found;

	if (!ask(db, "store/live_progress_read", p->server, &groups, &found, err) ||
		(!found && !store_done(query(db, "store/live_progress_add", p->server, err))))
		return false;
	p->groups = groups;
	if (groups > p->last)
		p->last = groups;
	return true;
}

bool
live_progress_flush(struct db *db, const char *server, int64_t *groups, struct error *err)
{
	bool found;

	return ask(db, "store/live_progress_flush", server, groups, &found, err);
}

bool
live_progress_remove(struct db *db, const struct live_progress *p, struct error *err)
{
	return db_done(query(db, "store/live_progress_remove", p->server, err));
}

bool
live_progress_expire(struct db *db, struct error *err)
{
	return db_exec(db, store_sql("store/live_progress_expire"), err);
}
