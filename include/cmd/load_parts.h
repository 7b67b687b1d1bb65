/*
 * profdepot load: the command (load.c) loads inputs one after the other (load_input.c) or several at a
 * time (load_jobs.c).
 */
#ifndef PROFDEPOT_CMD_LOAD_PARTS_H
#define PROFDEPOT_CMD_LOAD_PARTS_H

#include "app/import.h"
#include "base/clock.h"
#include "base/option.h"
#include "cmd/command.h"
#include "db/connection.h"

struct load_command {
	const char *format, *encoding, *caption, *application, *app_version, *host, *output,
		*events, *odbc, *from_db, *from_tables, *looked_for, *tool;
	struct load_run run;
	struct option_list labels, inst_ids, limits, maps;
	bool lenient, strict, dry_run, again, quiet, progress, issues;
	int64_t max_issues, max_depth, jobs;
};

struct load_call {
	const struct load_command *options;
	const struct command_call *command;
	struct load_label *labels;
	int64_t *inst_ids; /* the values of --inst */
	struct limits limits;
	const struct linker_maps *maps; /* NULL without --map */
	const char *from_tables[3];     /* the table names in --from-tables */
	struct db *db;                  /* opened by the first input, closed by the caller */
	FILE *out;
};

struct load_tally {
	int64_t inputs, failed_inputs;
	int64_t states[IMPORT_FAILED + 1]; /* number of result sets in each state */
	int64_t rows, bytes;
	int64_t issues[ISSUE_SEVERITIES];
	int status; /* exit status of the last failure */
};

/* "row" or "rows" */
static inline const char *
load_noun(int64_t n, const char *one, const char *many)
{
	return by_count((unsigned long long)n, one, many);
}

/* Loads an input, prints the result or the error, and adds the outcome to the tally. If database is true,
 * the input is given with --odbc or --from-db, and path is its display name. */
void load_one(struct load_call *call, const char *path, bool database, struct load_tally *tally);

/* Returns the smaller of `jobs` and the number of the server's free connections; 0 on error. */
int64_t load_jobs_that_fit(struct load_call *call, int64_t jobs, struct error *err);

/* Loads the inputs with at most `limit` processes. The output is in the order of the inputs. */
bool load_parallel(struct load_call *call, const struct option_list *paths, int64_t limit,
	struct load_tally *tally, struct error *err);

#endif
