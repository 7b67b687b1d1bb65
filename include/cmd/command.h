/*
 * A command is a struct in a file of src/cmd and a row in cmd/commands.h. Help, manual pages and
 * completion are generated from the struct.
 */
#ifndef PROFDEPOT_CMD_COMMAND_H
#define PROFDEPOT_CMD_COMMAND_H

#include "base/arena.h"
#include "base/error.h"
#include "base/option.h"
#include "cmd/screen.h"

#include <stdio.h>

/* Options of every command. */
struct global_options {
	/* Connection URI or string; NULL means PROFDEPOT_DB, PG*, or the private cluster. */
	const char *db;
	bool verbose;
	bool help;
	const char *color; /* auto, always or never */
	bool no_pager;
};

struct command;

struct command_call {
	const struct command *command;
	struct arena *arena; /* valid until the process ends */
	void *target;        /* the command's option struct */
	struct option_list operands;
	const struct global_options *global;
	FILE *out; /* results; everything else goes to stderr */
	struct screen screen;
};

struct command {
	const char *name;
	const char *operands;    /* for the synopsis, such as "[INST_ID...]" */
	const char *summary;     /* one line, lower case, no full stop */
	const char *description; /* paragraphs of --help and of the man page, separated by "\n\n" */
	const struct option_spec *options; /* ends with .name == NULL; may be NULL */
	size_t target_size;
	const void *defaults; /* a struct of target_size bytes; NULL means all zero */
	/* Returns the exit status, or -1 if err->code determines it. If the function sets err, main
	 * prints the error. */
	int (*run)(struct command_call *call, struct error *err);
	/* For psql: `operands` holds all arguments after the leading global options, unparsed. */
	bool passes_through;
	bool paged; /* the command prints reports or lists; on a terminal, a pager shows them */
};

extern const struct option_spec global_option_specs[];

/* The rows of cmd/commands.h; ends with NULL. */
extern const struct command *const commands[];

#endif
