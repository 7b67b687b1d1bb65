/* The extension Citus in one database. */
#include "distribute_private.h"

#include "base/sql_file.h"

#include <stdio.h>

void
distribute_step(const struct distribute_plan *plan, const char *format, ...)
{
	char text[600];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (plan->step)
		plan->step(plan->self, text);
}

struct citus {
	bool offered; /* the server's programs include Citus */
	bool present; /* the database has the extension */
	bool superuser;
};

static bool
look(struct db *db, struct citus *c, struct error *err)
{
	struct db_result *r = db_query(db, sql_file_find("db/citus_version")->text, NULL, 0, err);

	if (!r)
		return false;
	*c = (struct citus){ db_result_value(r, 0, 0).data != NULL,
		db_result_value(r, 0, 1).data != NULL, db_result_bool(r, 0, 2) };
	db_result_free(r);
	return true;
}

bool
distribute_has_citus(struct db *db, bool *has, struct error *err)
{
	struct citus c;

	if (!look(db, &c, err))
		return false;
	*has = c.present;
	return true;
}

bool
distribute_extension(struct db *db, const struct distribute_plan *plan, struct error *err)
{
	struct citus c;

	if (!look(db, &c, err))
		return false;
	if (c.present)
		return true;
	if (!c.offered && !plan->dry_run) {
		error_set(err, ERROR_DATABASE, "%s: the server has no Citus", db_place_text(db));
		return error_hint(err,
			"install Citus on every server and add it to shared_preload_libraries: see "
			"doc/citus.md");
	}
	distribute_step(plan, "create the extension citus in %s%s", db_place_text(db),
		c.offered ? "" : ", after Citus was installed on the server");
	if (plan->dry_run || db_exec(db, "CREATE EXTENSION citus", err))
		return true;
	error_prefix(err, "%s", db_place_text(db));
	return error_hint(err,
		c.superuser ? "add citus to shared_preload_libraries and restart the server: see "
			      "doc/citus.md"
			    : "a superuser must create the extension: CREATE EXTENSION citus");
}

bool
distribute_statistics(struct db *db, struct error *err)
{
	struct db_result *r =
		db_query(db, sql_file_find("db/citus_statistics")->text, NULL, 0, err);
	int64_t failed = r ? db_result_int64(r, 0, 0, 0) : 0;

	if (failed > 0)
		error_set(err, ERROR_DATABASE, "%lld shards do not have the planner's statistics",
			(long long)failed);
	return db_done(r) && failed == 0;
}
