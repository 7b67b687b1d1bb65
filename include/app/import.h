/*
 * An import: one input from its path to the commit. What the command line and
 * the service share.
 */
#ifndef PROFDEPOT_APP_IMPORT_H
#define PROFDEPOT_APP_IMPORT_H

#include "base/progress.h"
#include "format/format.h"
#include "store/load/load.h"

#include <stdatomic.h>

struct bundle_limits;

/* How far an import is; called from its thread, some times a second. */
typedef void import_watch(void *self, int64_t done_bytes, int64_t all_bytes, int64_t rows);

struct import_request {
	const char *path; /* "-" is standard input */
	const int *fd;    /* instead of the file at path, which then only names it: a regular
			     file's, borrowed; NULL: none */
	const struct bundle_limits *limits; /* NULL: the defaults */
	const char *odbc;    /* connection string of AQTime's database, instead of a file; path is
				what messages call it */
	const char *from_db; /* URI of a program's own database, likewise; */
	const char *const *from_tables; /* its three tables, NULL: as MiniProfiler names them */
	const int64_t *inst_ids; /* of that database: only these of the exporter's numbers, */
	size_t inst_id_count;    /* 0: all */
	const char *format;      /* NULL: found by content */
	const char *encoding;    /* of text without a BOM; NULL: UTF-8 */
	const char *caption, *application, *app_version, *host; /* NULL: as the input says */
	const struct load_label *labels;
	size_t label_count;
	struct format_options options;
	bool strict, again, dry_run;
	int64_t max_issues; /* -1: no limit */
	struct progress *progress;
	import_watch *watch; /* NULL: nobody looks */
	void *watch_self;
	const atomic_bool *cancelled; /* becomes true: the import fails; NULL: never */
};

enum import_state {
	IMPORT_LOADED,
	IMPORT_KNOWN,
	IMPORT_CHECKED,
	IMPORT_FAILED
};

struct import_set {
	enum import_state state;
	int64_t inst_id;        /* 0 for a dry run of what is new */
	int64_t source_inst_id; /* MODEL_NULL: none, or not read since the input is known */
	struct text caption;
	char digest[33]; /* hex; empty when not read */
	int64_t *rows;   /* by relation_name; NULL when not read */
	int64_t issues[ISSUE_SEVERITIES];
};

struct import_result {
	const char *format;
	int64_t input_bytes;
	double seconds;
	struct import_set *sets; /* in the arena */
	size_t set_count;
};

/* False: nothing was written; err tells. Connection and depot must be ready. */
bool import_run(struct arena *a, struct db *db, const struct import_request *request,
	struct import_result *result, struct error *err);

const char *import_state_name(enum import_state state);

#endif
