/* Helpers for commands on the depot: the connection, INST_ID operands, and tables. */
#ifndef PROFDEPOT_CMD_DEPOT_H
#define PROFDEPOT_CMD_DEPOT_H

#include "app/rows_table.h"
#include "cmd/command.h"
#include "db/connection.h"
#include "model/table.h"

#include <stdint.h>

/* For help texts: how users can name a result set without its INST_ID; see store/set_names.h. */
#define COMMAND_SET_NAMES \
	"\"latest\", \"latest~1\" (the previous one), \"label:KEY=VALUE\" (the newest with this " \
	"label) or \"run:KEY\" (all result sets of the run)"

enum {
	REPORT_TIMEOUT_SECONDS = 600 /* default time limit of a query */
};

/* If the command is going to create the private cluster, says so on standard error, because this
 * takes seconds. depot_open calls this function. */
void depot_announce(const struct command_call *call);

/* For commands that remove result sets. If the disk of the private cluster is full, depot_use_reserve
 * frees the reserved disk space and prints a message. depot_keep_reserve reserves the space again if the disk
 * has room. Both functions do nothing if the depot is in another server. */
void depot_use_reserve(const struct command_call *call);
void depot_keep_reserve(const struct command_call *call);

/* Connects with this role to the depot that --db or the environment names. NULL on error. */
struct db *depot_open(const struct command_call *call, enum db_role role, struct error *err);

/* The part of a command that needs the depot. */
typedef bool depot_fn(struct command_call *call, struct db *db, struct error *err);

/* Calls `run` with a connection from depot_open, then closes it. Returns a status for main: 0, or
 * -1 with err set. */
int depot_run(struct command_call *call, enum db_role role, depot_fn *run, struct error *err);

/* Returns the user's name, in the arena; NULL if it is unknown. */
const char *depot_user_name(struct arena *a);

/* Parses the operands as INST_IDs. Fails if there are fewer than `min`. The INST_IDs are in the call's
 * arena. */
bool depot_inst_ids(
	const struct command_call *call, size_t min, int64_t **inst_ids, struct error *err);

/* Fails with ERROR_NOT_FOUND if an INST_ID is not in the result of result_sets_list. */
bool depot_check_listed(
	const int64_t *inst_ids, size_t count, const struct db_result *listed, struct error *err);

/* Prints and frees a query result. Returns false if the query failed (rows is NULL). */
bool depot_print_rows(struct command_call *call, const char *output, const struct table_head *head,
	struct db_result *rows, struct error *err);

/* Prints tables; output is a renderer name. */
bool depot_print(const struct command_call *call, const char *output, const struct table_head *head,
	const struct rows_table *sets, size_t set_count, struct error *err);

#endif
