/*
 * Exports: result sets into a profiler's format. What the command line and the
 * service share.
 */
#ifndef PROFDEPOT_APP_EXPORTS_H
#define PROFDEPOT_APP_EXPORTS_H

#include "format/format.h"
#include "model/source.h"

struct db;
struct depot_source;

/* ERROR_USAGE when there is none that is written. */
const struct format *export_named_format(const char *name, struct error *err);

/* The one format that all were loaded from, speedscope where that is not written; what SQL wrote
 * goes with any, and is AQTime's, whose relations it stands in, when there is no other.
 * ERROR_USAGE when they are of several. */
const struct format *export_own_format(struct source *s, struct error *err);

/* May they be written as AQTime's tables? ERROR_USAGE: those hold no samples and spans. */
bool export_check_tables(struct source *s, struct error *err);

/* Have they the metric? name NULL: none is asked for. ERROR_USAGE. */
bool export_check_metric(struct depot_source *s, const char *name, struct error *err);

/* Of a format that is a single stream. */
bool export_write(struct depot_source *s, const struct format *f,
	const struct format_write_options *options, FILE *out, struct error *err);

/* AQTime's tables as a tar archive, a CSV file each, which loads as it is. In the caller's
 * snapshot. */
bool export_write_tar(
	struct db *db, const int64_t *inst_ids, size_t count, FILE *out, struct error *err);

#endif
