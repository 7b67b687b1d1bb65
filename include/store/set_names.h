/*
 * Result set names on the command line and in requests.
 *
 *	7			the INST_ID
 *	latest			the last result set loaded; latest~1 is the result set before it
 *	label:branch=main	the last result set with this label; commas separate several labels.
 *				label=branch=main and branch=main mean the same
 */
#ifndef PROFDEPOT_STORE_SET_NAMES_H
#define PROFDEPOT_STORE_SET_NAMES_H

#include "base/error.h"

#include <stdint.h>

struct db;
struct db_result;

/* before: an INST_ID, or 0. Given an INST_ID, labels and "latest" find only sets loaded before it.
 * ERROR_USAGE if the name is invalid, ERROR_NOT_FOUND if there is no such result set. */
bool set_name_find(
	struct db *db, const char *name, int64_t before, int64_t *inst_id, struct error *err);

/* Like set_name_find with `before` 0, but for `count` names. */
bool set_names_find(struct db *db, const char *const *names, size_t count, int64_t *inst_ids,
	struct error *err);

/* Columns: inst_id, loaded (ISO 8601), caption, application, app_version and labels. There is one
 * row per existing result set, in the order of loading. NULL on error. */
struct db_result *set_names_list(
	struct db *db, const int64_t *inst_ids, size_t count, struct error *err);

#endif
