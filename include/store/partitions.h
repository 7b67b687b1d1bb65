/* Partitions the large relations of a depot by ranges of INST_IDs; see schema/700_partitions.sql. */
#ifndef PROFDEPOT_STORE_PARTITIONS_H
#define PROFDEPOT_STORE_PARTITIONS_H

#include "store/result_sets.h"

enum {
	PARTITION_DEFAULT_SETS = 100,
	PARTITION_MAX_SETS = 10000, /* result sets per range */
};

struct partition_info {
	int64_t size;           /* result sets per range; 0 if the depot is not partitioned */
	int64_t ranges;         /* existing ranges, including those for future result sets */
	int64_t first_end;      /* last INST_ID of the first range */
	int64_t relation_count; /* relations that are, or can be, partitioned */
	int64_t bytes;          /* their size, with indexes */
};

/* Reads the state of the depot. If it is not partitioned, first_end is computed for ranges of `size` result sets. */
bool partitions_inspect(
	struct db *db, int64_t size, struct partition_info *info, struct error *err);

/* Partitions the depot with `size` result sets per range, in one transaction. If the depot is partitioned
 * already, sets the size of future ranges. Shows the progress on standard error, see base/progress.h; if `progress`, even
 * if standard error is not a terminal. Fails if loads or reports use the relations for more than a few
 * seconds, or if views or other objects of users depend on the relations. The login role must own the depot. */
bool partitions_make(struct db *db, int64_t size, bool progress, struct error *err);

/* Columns of partitions_removal_order. */
enum removal_column {
	REMOVAL_ROW, /* the result set's row in the list */
	/* the range, if it is complete and the list contains all its result sets; otherwise NULL */
	REMOVAL_RANGE,
	REMOVAL_PARTIAL /* true if the range is complete, but the list lacks some of its result sets */
};

/* The order in which the result sets of a list from result_sets_list should be removed. If a range is complete
 * and the list contains all its result sets, these result sets come first. If a range is complete but the list
 * lacks some of its result sets, the listed ones come last. NULL on error. */
struct db_result *partitions_removal_order(
	struct db *db, const struct db_result *listed, struct error *err);

#endif
