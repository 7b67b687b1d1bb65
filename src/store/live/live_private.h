/* Shared by the files that write open result sets. */
#ifndef PROFDEPOT_STORE_LIVE_LIVE_PRIVATE_H
#define PROFDEPOT_STORE_LIVE_LIVE_PRIVATE_H

#include "base/arena.h"
#include "base/pair_map.h"
#include "base/strbuf.h"
#include "db/connection.h"
#include "db/copy.h"
#include "store/live/live.h"
#include "store/load/load_private.h"
#include "store/sample_block.h"

enum {
	LIVE_METRICS_MAX = 64,
};

/* An open result set and its dictionaries. The keys of the maps are hashes of names. */
struct live_set {
	int64_t inst_id;
	int64_t number; /* number of the transaction that last changed the set's row; 0 if unknown */
	bool touched;   /* this transaction has locked the row, and the dictionaries are valid */
	struct arena arena;
	struct pair_map routines, lines, stacks, texts, tracks, profiles;
	struct load_routine *known; /* indexed by REC_ID */
	size_t known_room;
	int64_t next_routine, next_line, last_sample, last_span;
	int64_t sample_count, span_count;
	int32_t next_stack, next_track;
	struct text metrics[LIVE_METRICS_MAX]; /* names, indexed by number - 1 */
	int32_t metric_count;
	int64_t rows_analyzed, rows_since; /* rows written before and after the last ANALYZE */
};

struct live {
	struct db *db; /* NULL outside of transactions */
	struct live_progress *progress;
	struct copier *copier;
	struct pair_map set_by_key; /* values: indexes into `slots` */
	struct live_set **slots;
	size_t slot_count, slot_room;
	char day[LIVE_DAY_BYTES];
	int64_t number; /* random; the rows that this transaction changes are marked with it */
	bool last_known;
	int64_t last_sample;
	struct sample_block block;  /* samples of this transaction that are not yet written */
	struct live_set *block_set; /* the result set of the block's samples */
	int64_t analyze_set; /* a result set that has grown much since the last ANALYZE; 0 if there is no such set */
	double analyzed; /* clock_seconds() at the last ANALYZE */
	struct strbuf scratch;
	int64_t *ids; /* IDs of the stack that is being read or written */
	size_t id_room;
	struct sha256 *sha;
};

/* live.c: finds the batch with this name (store/live_batch_find). The result has no row if there is no such batch. */
struct db_result *live_named_query(struct live *l, const char *name, struct error *err);

/* live_set.c */
void live_set_free(struct live_set *set);
/* Empties the dictionaries. */
void live_set_clear(struct live_set *set);

/* live_read.c: fills the empty dictionaries from the depot. */
bool live_set_read(struct live *l, struct live_set *set, struct error *err);

/* live_dictionaries.c: these functions find the number of an item. If the item is new, they also write it. */
bool live_routine(struct live *l, struct live_set *set, const struct routine_row *row,
	int64_t *rec_id, struct error *err);
bool live_line(struct live *l, struct live_set *set, int64_t routine, int64_t source_line,
	int64_t *rec_id, struct error *err);
bool live_stack(struct live *l, struct live_set *set, const struct stack_row *row,
	stack_number *number, struct error *err);
/* text: the frames, separated by ';'. hash: the hash of the text. */
bool live_stack_text(struct live *l, struct live_set *set, struct text text, struct hash128 hash,
	stack_number *number, struct error *err);
bool live_metric(struct live *l, struct live_set *set, const struct metric_row *row,
	metric_number *number, struct error *err);
/* Ignores the row's id. Rows of kind "process" with the same category, host, process and thread
 * share a track. */
bool live_track(struct live *l, struct live_set *set, const struct track_row *row, int32_t *id,
	struct error *err);

/* live_samples.c: assigns a number to the sample. The sample is written at the end of the transaction at the
 * latest. */
bool live_sample(
	struct live *l, struct live_set *set, const struct sample_row *row, struct error *err);
bool live_flush_samples(struct live *l, struct error *err);

/* These functions compute the keys of the maps in struct live_set. */
struct hash128 live_routine_key(struct live *l, const struct load_routine *r, struct text code);
struct hash128 live_stack_key(struct live *l, const struct stack_row *row);
struct hash128 live_track_key(struct live *l, struct text category, struct text host,
	struct text process, int64_t thread_id);
struct hash128 live_text_hash(struct text t);
void live_keep_routine(struct live *l, struct live_set *set, int64_t rec_id,
	const struct load_routine *r, int64_t source_line);

/* Begins a COPY row with the inst_id. */
void live_row(struct live *l, const struct live_set *set, enum relation r);

#endif
