/* Shared by the files that read the history. */
#ifndef PROFDEPOT_SRC_STORE_HISTORY_PRIVATE_H
#define PROFDEPOT_SRC_STORE_HISTORY_PRIVATE_H

#include "base/pair_map.h"
#include "base/text.h"
#include "store/history/history.h"

/* The number of old runs whose sightings are stored together, in a fold. */
enum {
	HISTORY_FOLD_RUNS = 256
};

struct history_reading {
	struct db *db;
	struct arena *arena;
	struct history *h;
	const char *application, *digits; /* digits: the ledger number as text */
	const char *low, *high;           /* range of identities, as hex digits; NULL for all */
	uint8_t first[IDENTITY_BYTES], last[IDENTITY_BYTES]; /* same range; unset if low is NULL */
	struct pair_map run_by_inst;                         /* values: indexes in h->runs */
	struct pair_map by_identity;                         /* values: indexes in h->findings */
	size_t room;                                         /* allocated elements of h->findings */
	int64_t *
		fold_ids; /* INST_IDs of the runs of h->fold_count folds, HISTORY_FOLD_RUNS per fold; 0 if unused */
	size_t fold_room;
};

/* Reads the runs of the stream with these labels or, if inst_id is not 0, of the stream that contains
 * that result set. The runs of its parent stream up to the branch point come first. */
bool history_read_runs(
	struct history_reading *r, struct text labels, int64_t inst_id, struct error *err);
/* Finds the stream that the question is about. Sets r->application, and the arguments `labels` and `inst_id` for
 * history_read_runs. */
bool history_choose_stream(struct history_reading *r, const struct history_question *q,
	struct text *labels, int64_t *inst_id, struct error *err);
/* For each finding, reads in which of the runs r->h->runs it was seen. */
bool history_read_sightings(struct history_reading *r, struct error *err);
void history_index_runs(const struct history *h, struct pair_map *run_by_inst);
/* Parses a uuid in text form. */
void history_parse_identity(struct text uuid, uint8_t out[IDENTITY_BYTES]);
bool history_read_aliases(struct history_reading *r, struct error *err);
bool history_read_reviews(struct history_reading *r, struct error *err);

#endif
