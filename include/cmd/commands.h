/* The list of subcommands, in the order in which help shows them. */
#ifndef PROFDEPOT_CMD_COMMANDS_H
#define PROFDEPOT_CMD_COMMANDS_H

#include "cmd/command.h"

#define COMMAND_TABLE(X) \
	X(load) \
	X(list) \
	X(show) \
	X(report) \
	X(reports) \
	X(flame) \
	X(diff) \
	X(trend) \
	X(stream) \
	X(history) \
	X(review) \
	X(check) \
	X(budget) \
	X(sql) \
	X(label) \
	X(rm) \
	X(retain) \
	X(verify) \
	X(reindex) \
	X(export) \
	X(formats) \
	X(category) \
	X(serve) \
	X(token) \
	X(suppress) \
	X(owners) \
	X(db)

#define COMMAND_DECLARE(name) extern const struct command command_##name;
COMMAND_TABLE(COMMAND_DECLARE)
#undef COMMAND_DECLARE

#endif
