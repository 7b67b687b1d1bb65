/* The names of a depot's roles. */
#include "db/connection.h"

const char *
db_role_name(enum db_role role)
{
	static const char *const names[] = {
		[DB_ROLE_OWNER] = "profdepot",
		[DB_ROLE_LOADER] = "profdepot_loader",
		[DB_ROLE_READER] = "profdepot_reader",
	};

	return names[role];
}
