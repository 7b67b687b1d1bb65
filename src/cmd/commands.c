#include "cmd/commands.h"

#define COMMAND_ROW(name) &command_##name,
const struct command *const commands[] = { COMMAND_TABLE(COMMAND_ROW) NULL };
#undef COMMAND_ROW

const struct option_spec global_option_specs[] = {
	{ .name = "db",
		.kind = OPTION_TEXT,
		.value = "URI",
		.help = "the depot's database; else PROFDEPOT_DB, then libpq's PG variables, then "
			"the private cluster",
		.offset = offsetof(struct global_options, db) },
	{ .name = "verbose",
		.letter = 'v',
		.kind = OPTION_FLAG,
		.help = "say more on standard error",
		.offset = offsetof(struct global_options, verbose) },
	{ .name = "help",
		.letter = 'h',
		.kind = OPTION_FLAG,
		.help = "print this help",
		.offset = offsetof(struct global_options, help) },
	{ .name = NULL },
};
