/*
 * Result sets of the depot as a source for format writers (model/source.h), from the caller's snapshot.
 *
 * Rows stream from server-side cursors: memory holds one batch of each. The server sorts samples and
 * spans.
 */
#ifndef PROFDEPOT_STORE_EXPORT_DEPOT_SOURCE_H
#define PROFDEPOT_STORE_EXPORT_DEPOT_SOURCE_H

#include "db/connection.h"
#include "model/source.h"

#include <stdio.h>

struct depot_source;

/* The caller has begun a snapshot (db_begin_snapshot) and ends it after
 * depot_source_free. The sets have the order of inst_ids. NULL on error:
 * ERROR_NOT_FOUND for an unknown number, ERROR_USAGE for a repeated one. */
struct depot_source *depot_source_new(
	struct db *db, const int64_t *inst_ids, size_t count, struct error *err);
void depot_source_free(struct depot_source *s);

/* Emitting ends with ERROR_FILE once writing to this stream failed: if its reader closes, the export
 * stops at once. */
void depot_source_watch(struct depot_source *s, FILE *out);

/* Lives as long as s. */
struct source *depot_source_interface(struct depot_source *s);

#endif
