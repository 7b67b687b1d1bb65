/* Partitions a depot, and prints what was done. */
#ifndef PROFDEPOT_APP_PARTITION_H
#define PROFDEPOT_APP_PARTITION_H

#include "store/partitions.h"

#include <stdio.h>

/* See partitions_make. With dry_run, prints what would be done. */
bool partition_depot(struct db *db, int64_t size, bool dry_run, FILE *out, struct error *err);

#endif
