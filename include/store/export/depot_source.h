/*
 * Result sets of the depot as a source for format writers (model/source.h). They are read from the
 * caller's snapshot.
 *
 * Rows are read through server-side cursors, so only one batch of rows per cursor is in memory. The
 * server sorts samples and spans.
 */
#ifndef PROFDEPOT_STORE_EXPORT_DEPOT_SOURCE_H
#define PROFDEPOT_STORE_EXPORT_DEPOT_SOURCE_H

#include "db/connection.h"
#include "model/source.h"

#include <stdio.h>

struct depot_source;

/* The caller must begin a snapshot first (db_begin_snapshot), and end it after depot_source_free.
 * The sets are in the order of inst_ids. NULL on error: ERROR_NOT_FOUND for an unknown INST_ID,
 * ERROR_USAGE for a repeated INST_ID. */
struct depot_source *depot_source_new(
	struct db *db, const int64_t *inst_ids, size_t count, struct error *err);
void depot_source_free(struct depot_source *s);

/* Sets *contents to the kinds of content of the result set with this index, as bits of model/content.h. */
bool depot_source_contents(
	struct depot_source *s, uint32_t set, unsigned *contents, struct error *err);

/* Makes the source's emit function fail with ERROR_FILE after a write to `out` has failed. An export to a pipe
 * therefore stops as soon as the reading end is closed. */
void depot_source_watch(struct depot_source *s, FILE *out);

/* The result is valid until s is freed. */
struct source *depot_source_interface(struct depot_source *s);

#endif
