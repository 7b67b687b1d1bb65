/* Database connections, and the number of open ones. */
#include "connections.h"

#include <stddef.h>

struct db *
pool_connect(struct db_pool *p, struct db **db, enum db_role role, struct error *err)
{
	const struct db_target target = { .uri = p->uri, .role = role };

	if (*db && db_is_alive(*db))
		return *db;
	pool_close(p, db);
	*db = db_open(&target, err);
	if (*db)
		p->open++;
	return *db;
}

void
pool_close(struct db_pool *p, struct db **db)
{
	if (!*db)
		return;
	p->open--;
	db_close(*db);
	*db = NULL;
}
