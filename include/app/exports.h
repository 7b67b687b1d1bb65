/* Exports result sets in a profiler's format, for the command line and the service. */
#ifndef PROFDEPOT_APP_EXPORTS_H
#define PROFDEPOT_APP_EXPORTS_H

#include "format/format.h"
#include "model/source.h"

struct db;
struct depot_source;

/* Returns the format with this name. Fails with ERROR_USAGE if profdepot cannot write it. */
const struct format *export_named_format(const char *name, struct error *err);

/* Returns the format from which all result sets were loaded, or speedscope if profdepot cannot write
 * that format. Ignores result sets that SQL statements wrote. If SQL statements wrote all of them,
 * returns AQTime's format, because SQL writes to AQTime's relations. Fails with ERROR_USAGE if the formats differ. */
const struct format *export_own_format(struct source *s, struct error *err);

/* Returns the media type of an export in this format. */
const char *export_type(const struct format *f);

/* If the format cannot carry some content of a result set, prints a line that says what is lost. */
bool export_report_losses(
	struct depot_source *s, const struct format *f, FILE *out, struct error *err);

/* Fails with ERROR_USAGE if no result set has the metric. A NULL metric is always valid. */
bool export_check_metric(struct depot_source *s, const char *name, struct error *err);

/* Writes the result sets to `out` in a format that consists of a single file. */
bool export_write(struct depot_source *s, const struct format *f,
	const struct format_write_options *options, FILE *out, struct error *err);

/* Writes AQTime's tables as a tar archive with one CSV file per table. profdepot can load the
 * archive. Runs in the caller's snapshot. */
bool export_write_tar(
	struct db *db, const int64_t *inst_ids, size_t count, FILE *out, struct error *err);

#endif
