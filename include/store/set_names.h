/*
 * Names of result sets on the command line and in requests.
 *
 *	7			its INST_ID
 *	latest			the one loaded last; latest~1 is the one before it
 *	label:branch=main	the last one with this label; commas separate several labels.
 *				label=branch=main and branch=main mean the same
 */
#ifndef PROFDEPOT_STORE_SET_NAMES_H
#define PROFDEPOT_STORE_SET_NAMES_H

#include "base/error.h"

#include <stdint.h>

struct db;
struct db_result;

/* before: 0, or a result set; then labels and "latest" find only what was loaded before it.
 * ERROR_USAGE if the name is invalid, ERROR_NOT_FOUND. */
bool set_name_find(
	struct db *db, const char *name, int64_t before, int64_t *inst_id, struct error *err);

/* The same for `count` names. */
bool set_names_find(struct db *db, const char *const *names, size_t count, int64_t *inst_ids,
	struct error *err);

/* inst_id, loaded (ISO 8601), caption, application, app_version, labels: one
 * row per existing result set, in the order in which they were loaded. NULL on error. */
struct db_result *set_names_list(
	struct db *db, const int64_t *inst_ids, size_t count, struct error *err);

#endif
