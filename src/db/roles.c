/* A depot's roles: their names, and their rights on the depot's schema. */
#include "base/sql_file.h"
#include "roles_private.h"

const char *
db_role_name(enum db_role role)
{
	switch (role) {
	case DB_ROLE_LOADER:
		return "profdepot_loader";
	case DB_ROLE_READER:
		return "profdepot_reader";
	case DB_ROLE_OWNER:
		break;
	}
	return "profdepot";
}

struct presence {
	bool loader;
	bool reader;
	bool may_create;
};

static bool
flag(const struct db_result *r, size_t column)
{
	return text_equal(db_result_value(r, 0, column), TEXT_LITERAL("1"));
}

static bool
look(struct db *db, struct presence *p, struct error *err)
{
	struct db_result *r = db_query(db, sql_file_find("db/roles_present")->text, NULL, 0, err);

	if (!r)
		return false;
	*p = (struct presence){ flag(r, 0), flag(r, 1), flag(r, 2) };
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
		return error_prefix(err, "rights of profdepot_reader");
	if (p.loader && !db_exec(db, sql_file_find("db/grants_loader")->text, err))
		return error_prefix(err, "rights of profdepot_loader");
	return true;
}
