/*
 * What commands on the depot share: the connection, INST_ID operands, and a
 * query's result printed as a table.
 */
#ifndef PROFDEPOT_CMD_DEPOT_H
#define PROFDEPOT_CMD_DEPOT_H

#include "app/rows_table.h"
#include "cmd/command.h"
#include "db/connection.h"
#include "model/table.h"

#include <stdint.h>

/* For help texts: what names a result set besides its INST_ID; see store/set_names.h. */
#define COMMAND_SET_NAMES \
	"\"latest\", \"latest~1\" (the one before), or \"label:KEY=VALUE\": the newest with that " \
	"label"

/* Connects to the depot that --db and the environment mean, as that role. NULL on error. */
struct db *depot_open(const struct command_call *call, enum db_role role, struct error *err);

/* The operands as INST_IDs, in the call's arena; at least `min` of them. */
bool depot_inst_ids(
	const struct command_call *call, size_t min, int64_t **inst_ids, struct error *err);

/* Is every number in the list of result_sets_list? ERROR_NOT_FOUND. */
bool depot_check_listed(
	const int64_t *inst_ids, size_t count, const struct db_result *listed, struct error *err);

/* Prints such tables; output: a renderer's name. */
bool depot_print(FILE *out, const char *output, const struct table_head *head,
	const struct rows_table *sets, size_t set_count, struct error *err);

#endif
