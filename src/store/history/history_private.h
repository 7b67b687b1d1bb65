/* Shared by the files that read the history. */
#ifndef PROFDEPOT_SRC_STORE_HISTORY_PRIVATE_H
#define PROFDEPOT_SRC_STORE_HISTORY_PRIVATE_H

#include "base/pair_map.h"
#include "base/text.h"
#include "store/history/history.h"

struct history_reading {
	struct db *db;
	struct arena *arena;
	struct history *h;
	const char *application, *digits; /* of the ledger number */
	const char *low, *high;           /* the range of identities; NULL for all */
	struct pair_map run_by_inst;      /* index in h->runs */
	struct pair_map by_identity;      /* index in h->findings */
	size_t room;                      /* of h->findings */
	uint32_t *fold_runs; /* 256 indexes in h->runs per fold; PAIR_MAP_NONE: of another stream */
	size_t fold_count, fold_room;
};

/* Reads the runs of the stream with these labels or, if inst_id is not 0, of the stream of that
 * result set. The runs of its parent stream up to the branch point come first. */
bool history_read_runs(
	struct history_reading *r, struct text labels, int64_t inst_id, struct error *err);
/* Chooses the stream: *application, and the labels or INST_ID that determine it. */
bool history_choose_stream(struct db *db, struct arena *a, const struct history_question *q,
	const char *digits, const char **application, struct text *labels, int64_t *inst_id,
	struct error *err);
/* Reads the sightings of these runs, and groups them by finding. */
bool history_read_sightings(struct history_reading *r, struct error *err);
/* Parses a uuid in text form. */
void history_parse_identity(struct text uuid, uint8_t out[IDENTITY_BYTES]);
bool history_read_aliases(struct history_reading *r, struct error *err);
bool history_read_reviews(struct history_reading *r, struct error *err);

#endif
