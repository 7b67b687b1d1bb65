/*
 * A subcommand: one entry struct in one file of src/cmd, one row in
 * cmd/commands.h. Help, man pages and completion are made from it.
 */
#ifndef PROFDEPOT_CMD_COMMAND_H
#define PROFDEPOT_CMD_COMMAND_H

#include "base/arena.h"
#include "base/error.h"
#include "base/option.h"

#include <stdio.h>

/* Options that every command takes. */
struct global_options {
	const char *db; /* connection URI or string; NULL: PROFDEPOT_DB, PG*, the private cluster */
	bool verbose;
	bool help;
};

struct command;

struct command_call {
	const struct command *command;
	struct arena *arena; /* lives as long as the process */
	void *target;        /* the command's option struct, filled */
	struct option_list operands;
	const struct global_options *global;
	FILE *out; /* results; everything else goes to stderr */
};

struct command {
	const char *name;
	const char *operands;    /* for the synopsis, such as "[INST_ID...]" */
	const char *summary;     /* one line, lower case, no full stop */
	const char *description; /* paragraphs of --help and of the man page, parted by "\n\n" */
	const struct option_spec *options; /* NULL: none; else ends with .name == NULL */
	size_t target_size;
	void (*defaults)(void *target); /* NULL: all members zero */
	/* Exit status; not 0 with err set: err is printed and decides the status
	 * when the command returns -1. */
	int (*run)(struct command_call *call, struct error *err);
	/* Options and operands go to run as they are (for psql): operands holds
	 * every argument behind the global options. */
	bool passes_through;
};

extern const struct option_spec global_option_specs[];

/* Row by row from cmd/commands.h, ends with NULL. */
extern const struct command *const commands[];

#endif
