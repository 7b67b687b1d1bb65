/* The table of commands, and the options that all commands have. */
#include "cmd/commands.h"

#define COMMAND_ROW(name) &command_##name,
const struct command *const commands[] = { COMMAND_TABLE(COMMAND_ROW) NULL };
#undef COMMAND_ROW

const struct option_spec global_option_specs[] = {
	{ "db", 0, OPTION_TEXT, "URI",
		"the depot's database; default: PROFDEPOT_DB, then libpq's PG variables, then the private "
		"cluster",
		offsetof(struct global_options, db) },
	{ "verbose", 'v', OPTION_FLAG, NULL, "print more to standard error",
		offsetof(struct global_options, verbose) },
	{ "color", 0, OPTION_CHOICE, "WHEN",
		"colour text output; default: auto, which means on a terminal unless NO_COLOR is set",
		offsetof(struct global_options, color), "always|auto|never", 1, 0 },
	{ "no-pager", 0, OPTION_FLAG, NULL, "print to the terminal without a pager",
		offsetof(struct global_options, no_pager) },
	{ "help", 'h', OPTION_FLAG, NULL, "print this help",
		offsetof(struct global_options, help) },
	{ .name = NULL },
};
