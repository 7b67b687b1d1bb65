#include "base/clock.h"
#include "base/json_writer.h"
#include "db/connection.h"
#include "db/migrate.h"
#include "handlers.h"
#include "service/service_private.h"

/* Asks the database, so that "ok" means that reports are answered. */
bool
handle_health(struct http_call *c, struct error *err)
{
	struct migrate_info info;
	struct json_writer w;
	struct db *db = http_reader(c, err);

	if (!db || !db_begin_snapshot(db, err) ||
		!db_set_timeout(db, c->service->options->query_seconds * 1000, err) ||
		!migrate_inspect(db, &info, err))
		return false;
	db_rollback(db);
	json_writer_init(&w, c->answer->out, false);
	json_begin_object(&w);
	json_key(&w, "status");
	json_string(&w, "ok");
	json_key(&w, "depot_version");
	json_int(&w, info.version);
	json_key(&w, "uptime_seconds");
	json_fixed3(&w, clock_seconds() - c->service->started);
	json_end_object(&w);
	fputc('\n', c->answer->out);
	return true;
}
