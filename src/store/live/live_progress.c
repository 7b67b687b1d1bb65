/* A server's progress: the number of its last transaction. live_begin and live_commit advance it. */
#include "live_private.h"
#include "store/store_private.h"

#include "base/hash.h"

void
live_progress_init(struct live_progress *p)
{
	const uint64_t drawn[2] = { random_number(), random_number() };

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

/* A new row has the number 0, which is less than the number of every transaction. */
bool
live_progress_settle(struct db *db, struct live_progress *p, struct error *err)
{
	int64_t groups;

	if (!store_int64(query(db, "store/live_progress_read", p->server, err), -1, &groups) ||
		(groups < 0 && !db_done(query(db, "store/live_progress_add", p->server, err))))
		return false;
	p->groups = groups < 0 ? 0 : groups;
	if (p->groups > p->last)
		p->last = p->groups;
	return true;
}

bool
live_progress_flush(struct db *db, const char *server, int64_t *groups, struct error *err)
{
	return store_int64(query(db, "store/live_progress_flush", server, err), 0, groups);
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
