/* The rights of a depot's roles on its schema. */
#include "base/sql_file.h"
#include "db_private.h"

struct presence {
	bool loader;
	bool reader;
	bool may_create;
};

static bool
look(struct db *db, struct presence *p, struct error *err)
{
	struct db_result *r = db_query(db, sql_file_find("db/roles_present")->text, NULL, 0, err);

	if (!r)
		return false;
	*p = (struct presence){ db_result_bool(r, 0, 0), db_result_bool(r, 0, 1),
		db_result_bool(r, 0, 2) };
	db_result_free(r);
	return true;
}

bool
roles_ensure(struct db *db, bool *missing, struct error *err)
{
	struct presence p;

	if (!look(db, &p, err))
		return false;
	if (p.may_create && (!p.loader || !p.reader)) {
		if (!db_exec(db, sql_file_find("db/roles_create")->text, err) || !look(db, &p, err))
			return error_prefix(err, "roles");
	}
	*missing = !p.loader || !p.reader;
	if (p.reader && !db_exec(db, sql_file_find("db/grants_reader")->text, err))
		return error_prefix(err, "cannot grant the rights of profdepot_reader");
	if (p.loader && !db_exec(db, sql_file_find("db/grants_loader")->text, err))
		return error_prefix(err, "cannot grant the rights of profdepot_loader");
	return true;
}
