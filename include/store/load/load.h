/*
 * The store's side of a load: a sink that turns a reader's rows into the
 * depot's, in one transaction for all result sets of an input.
 *
 * Life: load_new, rows through load_sink, load_commit or load_abandon, then
 * the outcomes may be read until load_free. With `db` NULL nothing is
 * written: rows are counted, checked and digested only (the digest pass of an
 * input with several result sets, and --dry-run).
 */
#ifndef PROFDEPOT_STORE_LOAD_LOAD_H
#define PROFDEPOT_STORE_LOAD_LOAD_H

#include "base/arena.h"
#include "base/hash.h"
#include "model/sink.h"

#include <stdatomic.h>

struct db;
struct load;

struct load_label {
	const char *key;
	const char *value;
};

struct load_config {
	const char *format;          /* name of the format */
	const char *source_name;     /* last part of the input's path */
	const char *tool;            /* profiler, NULL unknown */
	const uint8_t *input_digest; /* SHA256_BYTES; may be filled in until load_commit */
	int64_t input_bytes;
	const char *caption; /* NULL: as exported; likewise the next three */
	const char *application;
	const char *app_version;
	const char *host;
	const struct load_label *labels;
	size_t label_count;
	bool again;         /* load a further copy of what is known */
	bool strict;        /* an issue above info fails the load */
	int64_t max_issues; /* more issues above info fail the load; -1: no limit */
	double started;     /* clock_seconds() when reading began */
	/* Becomes true: the load fails at the next row; NULL: never. */
	const atomic_bool *cancelled;
};

enum load_state {
	LOAD_NEW,
	LOAD_KNOWN,
	LOAD_DROPPED, /* another profiler's: nothing is kept of it */
};

struct load_outcome {
	enum load_state state;
	int64_t inst_id; /* of the new or the known result set; 0 in a pass without db */
	int64_t source_inst_id;
	struct text caption;
	struct hash128 digest;
	int64_t issues[ISSUE_SEVERITIES];
};

/* Begins the transaction when db is not NULL. Borrows all of it. */
struct load *load_new(
	struct arena *a, struct db *db, const struct load_config *config, struct error *err);
void load_free(struct load *l);

struct sink *load_sink(struct load *l);

/* Instead of an inst_id below: the set was dropped by the digest pass. */
#define LOAD_NOT_OURS (-1)

/*
 * Result sets whose digest is already known are marked in `known` (one entry
 * a set, in the order told): their rows are not asked for.
 */
void load_skip_known(struct load *l, const int64_t *known_inst_ids, size_t count);

/* After sink->end: metadata, the check by digest under a lock, COMMIT,
 * ANALYZE. When a result set proves known only now (somebody else just loaded
 * it), all is rolled back: a single one is then LOAD_KNOWN; of several, *again
 * is set and the caller reads anew with what load_find_known says. */
bool load_commit(struct load *l, bool *again, struct error *err);

/* Rolls back. */
void load_abandon(struct load *l);

size_t load_set_count(const struct load *l);
const struct load_outcome *load_outcome(const struct load *l, size_t set);

/* Rows of the set in a relation (see relation_name). */
int64_t load_rows(const struct load *l, size_t set, size_t relation);

/* inst_id of each set's content in the depot, 0 when it is new; a set whose
 * rows were all left out is new: its content tells nothing. */
bool load_find_known(struct load *l, struct db *db, int64_t *inst_ids, struct error *err);

/* Known by the whole input's digest: the inst_ids in the arena; count 0 when
 * it is not known. */
bool load_find_input(struct arena *a, struct db *db, int64_t bytes,
	const uint8_t digest[SHA256_BYTES], int64_t **inst_ids, size_t *count, struct error *err);

/* Is there an input of this size? When not, its digest need not be asked. */
bool load_has_input_size(struct db *db, int64_t bytes, bool *has, struct error *err);

#endif
