/* How far a server has come with storing; live_begin and live_commit go on from there. */
#include "live_private.h"
#include "store/store_private.h"

#include "base/hash.h"
#include "base/number.h"

void
live_progress_init(struct live_progress *p)
{
	const uint64_t drawn[2] = { process_seed(), process_seed() };

	_Static_assert(LIVE_SERVER_BYTES == 2 * sizeof(drawn) + 1, "a uuid has 32 digits");
	*p = (struct live_progress){ .groups = 0 };
	hex_format(drawn, sizeof(drawn), p->server);
}

/* *groups is 0 where there is no row. */
static bool
ask(struct db *db, const char *sql, const char *server, int64_t *groups, bool *found,
	struct error *err)
{
	const char *params[] = { server };
	struct db_result *r = db_query(db, store_sql(sql), params, 1, err);
	struct number n;

	*groups = 0;
	if (!r)
		return false;
	*found = db_result_rows(r) > 0;
	if (*found && number_parse(db_result_value(r, 0, 0), &n) == NUMBER_OK)
		number_to_int64(n, groups);
	db_result_free(r);
	return true;
}

static bool
tell(struct db *db, const char *sql, const char *server, struct error *err)
{
	const char *params[] = { server };
	struct db_result *r = db_query(db, store_sql(sql), params, 1, err);

	db_result_free(r);
	return r != NULL;
}

/* A new row has the number 0: whatever becomes of this transaction, it tells of none of ours. */
bool
live_progress_settle(struct db *db, struct live_progress *p, struct error *err)
{
	int64_t groups;
	bool found;

	if (!ask(db, "store/live_progress_read", p->server, &groups, &found, err) ||
		(!found && !tell(db, "store/live_progress_add", p->server, err)))
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
	return tell(db, "store/live_progress_remove", p->server, err);
}

bool
live_progress_expire(struct db *db, struct error *err)
{
	return db_exec(db, store_sql("store/live_progress_expire"), err);
}
