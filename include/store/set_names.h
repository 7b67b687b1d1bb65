/*
 * Result sets by what people call them.
 *
 *	7			its INST_ID
 *	latest			the one loaded last; latest~1 the one before it
 *	label:branch=main	the last one with this label; several are parted by commas.
 *				label=branch=main and branch=main mean the same
 */
#ifndef PROFDEPOT_STORE_SET_NAMES_H
#define PROFDEPOT_STORE_SET_NAMES_H

#include "base/error.h"

#include <stdint.h>

struct db;
struct db_result;

/* before 0, or a result set: then words find only what was loaded before that
 * one. ERROR_USAGE when it is no name, ERROR_NOT_FOUND. */
bool set_name_find(
	struct db *db, const char *name, int64_t before, int64_t *inst_id, struct error *err);

/* The same of `count` names, each to its place in inst_ids. */
bool set_names_find(struct db *db, const char *const *names, size_t count, int64_t *inst_ids,
	struct error *err);

/* inst_id, loaded (ISO 8601), caption, application, app_version, labels: a row
 * each that there is, in the order in which they were loaded. NULL on error. */
struct db_result *set_names_list(
	struct db *db, const int64_t *inst_ids, size_t count, struct error *err);

#endif
