/*
 * The sink of a load: writes a reader's rows to the depot, in one transaction for all result sets of an
 * input.
 *
 * Call load_new, emit rows to load_sink, then call load_commit or load_abandon. Outcomes are valid
 * until load_free. If `db` is NULL, rows are only counted, checked and digested. This is used for
 * --dry-run and for the digest pass over an input with several result sets.
 */
#ifndef PROFDEPOT_STORE_LOAD_LOAD_H
#define PROFDEPOT_STORE_LOAD_LOAD_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/limits.h"
#include "model/coverage.h"
#include "model/sink.h"
#include "store/runs.h"

struct db;
struct load;

struct load_label {
	const char *key;
	const char *value;
};

/* What the user states about the run. A pointer is NULL if the user did not state the value. */
struct load_run {
	const char *key; /* shared by the result sets of one execution */
	const char *commit, *parent_commit, *environment;
	const bool *looked_for; /* one element per enum coverage_what */
	bool clean;             /* the run found nothing; there is no input */
};

struct load_config {
	const char *format;          /* name of the format */
	const char *source_name;     /* last part of the input's path */
	const char *tool;            /* profiler; NULL if unknown */
	const uint8_t *input_digest; /* SHA256_BYTES; needed only by load_commit */
	int64_t input_bytes;
	const char *caption; /* NULL keeps the exported value, here and in the next three members */
	const char *application;
	const char *app_version;
	const char *host;
	const struct load_label *labels;
	size_t label_count;
	struct load_run run;
	enum coverage_degree covers[COVERAGE_WHATS]; /* as in struct format */
	bool again;                                  /* load another copy of a known input */
	bool keep_issue_texts;                       /* fill issue_texts in struct load_outcome */
	bool strict;                                 /* fail if an issue is more severe than info */
	/* The load fails if more than this number of issues are more severe than info. -1: no limit. */
	int64_t max_issues;
	/* May be NULL. Set to true if the input has many result sets and some may be known. The load then fails, and
	 * the caller should find the known ones with load_find_known, and load again. */
	bool *many;
	double started;              /* clock_seconds() when reading began */
	const struct limits *limits; /* NULL means no limits */
	/* Called for each row. If it returns false, the load fails. May be NULL. */
	bool (*may_continue)(void *self, struct error *err);
	void *self;
};

enum load_state {
	LOAD_NEW,
	LOAD_KNOWN,
	LOAD_DROPPED, /* the input is from another profiler; nothing was stored */
};

/* An import issue as text, such as "warning: a.csv: line 3: ...". */
struct load_issue_text {
	const char *text;
	struct load_issue_text *next; /* NULL after the last */
};

struct load_outcome {
	enum load_state state;
	int64_t inst_id; /* the new or known result set; 0 in a pass without db */
	int64_t source_inst_id;
	struct text caption;
	struct hash128 digest;
	uint32_t equal_before;   /* number of equal reports before this one in the same log */
	int64_t objects, errors; /* numbers of blocks and of occurrences, as in "profdepot list" */
	int64_t issues[ISSUE_SEVERITIES];
	/* At most ISSUE_ROWS_PER_CODE per code; NULL unless keep_issue_texts is set. */
	struct load_issue_text *issue_texts;
	struct run run; /* complete after sink->end */
};

/* Begins the transaction unless db is NULL. All arguments are borrowed. */
struct load *load_new(
	struct arena *a, struct db *db, const struct load_config *config, struct error *err);
void load_free(struct load *l);

struct sink *load_sink(struct load *l);

/* Used as the inst_id of a set that the digest pass dropped. */
#define LOAD_NOT_OURS (-1)

/* A result set whose content the digest pass has computed. */
struct load_known {
	int64_t inst_id; /* 0 if the set is new */
	uint32_t equal_before;
};

/* Declares which of the input's sets are already in the depot. `known` has one entry per set, in the input's
 * order. The reader may skip the rows of known sets. */
void load_skip_known(struct load *l, const struct load_known *known, size_t count);

/* Ends the load. Call it after sink->end. Looks up the digests under a lock, adds the rows of the relation
 * instances, commits, and updates statistics. If the connection is lost during COMMIT, connects again and asks
 * the server for the outcome.
 *
 * If another load has committed one of the result sets in the meantime, rolls everything back. If the
 * input has only this result set, its state is then LOAD_KNOWN. If the input has several result sets,
 * *again is set to true, and the caller must call load_find_known and read the input again. */
bool load_commit(struct load *l, bool *again, struct error *err);

/* Call it after load_commit. Returns the error of a step that failed after COMMIT, or else an error with the code
 * ERROR_NONE. */
const struct error *load_warning(const struct load *l);

/* Rolls the load back. */
void load_abandon(struct load *l);

size_t load_set_count(const struct load *l);
const struct load_outcome *load_outcome(const struct load *l, size_t set);

/* Returns the set's row count in a relation (see relation_name). */
int64_t load_rows(const struct load *l, size_t set, size_t relation);

/* Sets inst_ids[i] to the depot's result set that has the same content as set i of the input, or to 0 if set i is
 * new. A set without valid rows counts as new, because its digest covers nothing. */
bool load_find_known(struct load *l, struct db *db, int64_t *inst_ids, struct error *err);

struct input_key {
	int64_t bytes;
	const uint8_t *digest;
	const char *run; /* if it is not NULL, only result sets of this run are found */
};

/* Finds the result sets of an input. The array is in the arena. *count is 0 if the input is unknown. */
bool load_find_input(struct arena *a, struct db *db, const struct input_key *key,
	int64_t **inst_ids, size_t *count, struct error *err);

/* *has becomes true if the depot has an input of this size, otherwise false. If it is false, an input of this size is
 * certainly new, so its digest need not be computed before the load. */
bool load_has_input_size(struct db *db, int64_t bytes, bool *has, struct error *err);

#endif
