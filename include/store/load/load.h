/*
 * The store's side of a load: a sink that writes a reader's rows to the depot, in one transaction for
 * all result sets of an input.
 *
 * Life cycle: load_new, rows through load_sink, load_commit or load_abandon; then the outcomes can be
 * read until load_free. With `db` NULL the rows are only counted, checked and digested (the digest pass
 * of an input with several result sets, and --dry-run).
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
	const char *tool;            /* profiler; NULL if unknown */
	const uint8_t *input_digest; /* SHA256_BYTES; may change until load_commit */
	int64_t input_bytes;
	const char *caption; /* NULL to use the exported value; likewise the next three */
	const char *application;
	const char *app_version;
	const char *host;
	const struct load_label *labels;
	size_t label_count;
	bool again;         /* load another copy of a known input */
	bool strict;        /* an issue above info fails the load */
	int64_t max_issues; /* more issues above info fail the load; -1 for no limit */
	double started;     /* clock_seconds() when reading began */
	/* When it becomes true the load fails at the next row; may be NULL. */
	const atomic_bool *cancelled;
};

enum load_state {
	LOAD_NEW,
	LOAD_KNOWN,
	LOAD_DROPPED, /* from another profiler: nothing is stored */
};

struct load_outcome {
	enum load_state state;
	int64_t inst_id; /* of the new or the known result set; 0 in a pass without db */
	int64_t source_inst_id;
	struct text caption;
	struct hash128 digest;
	int64_t issues[ISSUE_SEVERITIES];
};

/* Begins the transaction unless db is NULL. Borrows everything. */
struct load *load_new(
	struct arena *a, struct db *db, const struct load_config *config, struct error *err);
void load_free(struct load *l);

struct sink *load_sink(struct load *l);

/* In place of an inst_id below: the digest pass dropped the set. */
#define LOAD_NOT_OURS (-1)

/* Marks result sets with known digests (one entry per set, in the input's order): the reader may skip
 * their rows. */
void load_skip_known(struct load *l, const int64_t *known_inst_ids, size_t count);

/* After sink->end: metadata, the check by digest under a lock, COMMIT, ANALYZE. If a result set is
 * known only now, because another load just committed it, all is rolled back: a single one is then
 * LOAD_KNOWN; with several, *again is set and the caller reads the input again after
 * load_find_known. */
bool load_commit(struct load *l, bool *again, struct error *err);

/* Rolls back. */
void load_abandon(struct load *l);

size_t load_set_count(const struct load *l);
const struct load_outcome *load_outcome(const struct load *l, size_t set);

/* Rows of the set in a relation (see relation_name). */
int64_t load_rows(const struct load *l, size_t set, size_t relation);

/* inst_id of each set's content in the depot, 0 if it is new. A set without valid rows counts as new,
 * because its digest covers nothing. */
bool load_find_known(struct load *l, struct db *db, int64_t *inst_ids, struct error *err);

/* The result sets of an input with this digest, in the arena; count is 0 if it is unknown. */
bool load_find_input(struct arena *a, struct db *db, int64_t bytes,
	const uint8_t digest[SHA256_BYTES], int64_t **inst_ids, size_t *count, struct error *err);

/* Is there an input of this size? If not, its digest is not needed. */
bool load_has_input_size(struct db *db, int64_t bytes, bool *has, struct error *err);

#endif
