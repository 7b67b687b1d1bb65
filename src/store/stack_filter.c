/* Finds the stacks that have certain frames. The server would compare each frame with each routine, which takes too long
 * if the patterns match many routines. */
#include "store/stack_filter.h"

#include "base/array.h"
#include "base/number.h"
#include "db/connection.h"
#include "id_array_private.h"
#include "id_map_private.h"
#include "store_private.h"

#include <stdlib.h>

struct filtering {
	struct id_map routines;
	int64_t *ids; /* the routines that match */
	size_t count, room;
	struct stack_filter *filter;
};

static bool
take_routine(void *self, const struct db_result *row, struct error *err)
{
	struct filtering *f = self;

	(void)err;
	*ARRAY_ADD(f->ids, f->count, f->room) = db_result_int64(row, 0, 0, 0);
	return true;
}

static bool
take_stack(void *self, const struct db_result *row, struct error *err)
{
	const struct filtering *f = self;
	struct stack_filter *filter = f->filter;
	const size_t stack = stack_id_of(db_result_value(row, 0, 0));
	struct id_array ids = array_open(db_result_value(row, 0, 1));
	int64_t routine;
	bool passes = false;

	if (stack > STACK_ID_MAX)
		return error_set(err, ERROR_LIMIT, "the result set has too many stacks");
	while (!passes && array_next(&ids, &routine))
		passes = id_map_get(&f->routines, routine) != PAIR_MAP_NONE;
	if (!passes)
		return true;
	ARRAY_RESERVE_ZEROED(filter->passes, filter->room, stack + 1);
	filter->count = stack >= filter->count ? stack + 1 : filter->count;
	filter->passes[stack] = true;
	return true;
}

bool
stack_filter_read(struct db *db, int64_t inst_id, const char *patterns, struct stack_filter *filter,
	struct error *err)
{
	struct filtering f = { .filter = filter };
	bool ok = db_query_each(db, store_sql("store/routines_like"),
		SQL_VALUES(SQL_STORE_ROUTINES_LIKE,
			[SQL_STORE_ROUTINES_LIKE_INST_ID] = INT64_TEXT(inst_id),
			[SQL_STORE_ROUTINES_LIKE_ROUTINE] = patterns),
		SQL_STORE_ROUTINES_LIKE_PARAMS, take_routine, &f, err);

	*filter = (struct stack_filter){ NULL, 0, 0 };
	if (ok && f.count) {
		id_map_fill(&f.routines, f.ids, NULL, f.count);
		ok = db_query_each_binary(db, store_sql("store/stack_paths"),
			SQL_VALUES(SQL_STORE_STACK_PATHS,
				[SQL_STORE_STACK_PATHS_INST_ID] = INT64_TEXT(inst_id),
				[SQL_STORE_STACK_PATHS_ROUTINE_IDS] = NULL,
				[SQL_STORE_STACK_PATHS_THROUGH_IDS] = NULL),
			SQL_STORE_STACK_PATHS_PARAMS, take_stack, &f, err);
		id_map_release(&f.routines);
	}
	free(f.ids);
	return ok;
}

void
stack_filter_release(struct stack_filter *filter)
{
	free(filter->passes);
	*filter = (struct stack_filter){ NULL, 0, 0 };
}
