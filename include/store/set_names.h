/*
 * Result set names on the command line and in requests.
 *
 *	7			the INST_ID
 *	latest			the result set that was loaded last; latest~1 is the result set before it
 *	label:branch=main	the last result set with this label; commas separate several labels.
 *				label=branch=main and branch=main have the same meaning
 *	run:KEY			the result sets of the run
 */
#ifndef PROFDEPOT_STORE_SET_NAMES_H
#define PROFDEPOT_STORE_SET_NAMES_H

#include "base/error.h"

#include <stdint.h>

struct arena;
struct db;
struct db_result;

/* Finds the result set with this name. `before` is the INST_ID of a result set, or 0. If `before` is not 0, labels and
 * "latest" find only result sets that were loaded before that one, and run:KEY finds the result set of the run that
 * comes from the same tool as `before`. Fails with ERROR_USAGE if the name is invalid or names a run with several
 * result sets, and with ERROR_NOT_FOUND if there is no such result set. */
bool set_name_find(
	struct db *db, const char *name, int64_t before, int64_t *inst_id, struct error *err);

/* True for labels and runs. If such a name is used for the base of a comparison, the base depends on the
 * result set that is compared with it. */
bool set_name_is_relative(const char *name);

/* Returns the key of "run:KEY"; NULL for another name. */
const char *set_name_run(const char *name);

/* Finds all result sets of a run. The array is in the arena. Fails with ERROR_NOT_FOUND if there are none. */
bool set_run_find(struct db *db, struct arena *a, const char *run_key, int64_t **inst_ids,
	size_t *count, struct error *err);

/* Finds the result sets that the names select. The array is in the arena. */
bool set_names_find(struct db *db, struct arena *a, const char *const *names, size_t count,
	int64_t **inst_ids, size_t *id_count, struct error *err);

#endif
