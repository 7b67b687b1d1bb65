/* Partitions a depot, and prints what was done. */
#ifndef PROFDEPOT_APP_PARTITION_H
#define PROFDEPOT_APP_PARTITION_H

#include "store/partitions.h"

#include <stdio.h>

struct partition_request {
	int64_t size;           /* result sets per range */
	bool dry_run, progress; /* only print what would be done; see partitions_make */
};

/* See partitions_make. Prints what was done to `out`. */
bool partition_depot(
	struct db *db, const struct partition_request *request, FILE *out, struct error *err);

#endif
