/* Imports one input, from its path to the commit, for the command line and the service. */
#ifndef PROFDEPOT_APP_IMPORT_H
#define PROFDEPOT_APP_IMPORT_H

#include "base/limits.h"
#include "base/progress.h"
#include "format/format.h"
#include "store/load/load.h"

#include <stdatomic.h>

/* Reports import progress; called from the import's thread several times a second. */
typedef void import_watch(void *self, int64_t done_bytes, int64_t all_bytes, int64_t rows);

struct import_request {
	const char *path; /* "-" is standard input. Messages use the path as the input's name. */
	const int *fd;    /* a regular file to read instead of path, borrowed; may be NULL */
	const struct limits *limits; /* NULL means limits_local */
	/* ODBC connection string of an AQTime database that is read instead of a file; may be NULL. */
	const char *odbc;
	const char *from_db;            /* URI of a MiniProfiler storage to read; may be NULL */
	const char *const *from_tables; /* the storage's three tables; NULL: default names */
	const int64_t *inst_ids;        /* the exporter's INST_IDs to read from the database */
	size_t inst_id_count;           /* 0: read all */
	const char *format;             /* NULL: recognise the format by content */
	const char *encoding;           /* encoding of text without a BOM; NULL: UTF-8 */
	const char *caption, *application, *app_version, *host; /* NULL: as in the input */
	const struct load_label *labels;
	size_t label_count;
	struct load_run run;
	/* the profiler or detector of a clean run (load --clean); such a run has no input */
	const char *tool;
	struct format_options options;
	bool strict, again, dry_run;
	int64_t max_issues;       /* -1 means no limit */
	bool issue_texts;         /* describe each import issue in the result */
	int64_t max_memory_bytes; /* limit for the load in this process; 0 means no limit */
	struct progress *progress;
	import_watch *watch; /* may be NULL */
	void *watch_self;
	const char *job;              /* number of the job in the table jobs, or NULL */
	const atomic_bool *cancelled; /* the import fails once this is true; may be NULL */
};

enum import_state {
	IMPORT_LOADED,
	IMPORT_KNOWN,
	IMPORT_CHECKED,
	IMPORT_FAILED
};

struct import_set {
	enum import_state state;
	int64_t inst_id;        /* 0 for a new result set in a dry run */
	int64_t source_inst_id; /* MODEL_NULL if absent, or if a known input was not read */
	struct text caption;
	char digest[33];         /* hex; "" if not read */
	int64_t *rows;           /* row count of each relation; NULL if not read */
	int64_t objects, errors; /* numbers of blocks and of occurrences; 0 if not read */
	int64_t issues[ISSUE_SEVERITIES];
	const struct load_issue_text *issue_texts; /* only if the request asks for them */
	struct run run;
};

struct import_result {
	const char *format;
	int64_t input_bytes;
	double seconds;
	struct import_set *sets; /* in the arena */
	size_t set_count;
	struct error warning; /* error of a step after the commit; ERROR_NONE if there was none */
};

/* Loads the input. A failed import stores nothing. `db` must be connected to a depot of this version. */
bool import_run(struct arena *a, struct db *db, const struct import_request *request,
	struct import_result *result, struct error *err);

const char *import_state_name(enum import_state state);

#endif
