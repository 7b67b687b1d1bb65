/* profdepot export: writes result sets to files. */
#include "app/exports.h"
#include "base/terminal.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "cmd/output_file.h"
#include "format/aqtime/aqtime_write.h"
#include "store/export/depot_rowset.h"
#include "store/export/depot_source.h"
#include "store/set_names.h"

#include <string.h>

struct export_options {
	const char *format;
	const char *out;
	const char *metric;
	int64_t track;
	bool force;
};

#define OPTION(member) offsetof(struct export_options, member)

static const struct option_spec export_specs[] = {
	{ "format", 0, OPTION_TEXT, "NAME",
		"format to write, see profdepot formats; default: the format from which the result "
		"set was loaded, or speedscope if profdepot cannot write that format",
		OPTION(format) },
	{ "out", 'o', OPTION_TEXT, "FILE",
		"write to this file, completely or not at all; default standard output. A format with "
		"several files needs a folder, which must be new or empty",
		OPTION(out) },
	{ "force", 'f', OPTION_FLAG, NULL, "replace the folder if it contains only .csv files",
		OPTION(force) },
	{ "track", 0, OPTION_INT, "N", "only samples and spans of this track", OPTION(track), NULL,
		1, INT32_MAX },
	{ "metric", 0, OPTION_TEXT, "NAME",
		"for formats with a single metric: the metric to write; default: the result set's first",
		OPTION(metric) },
	{ .name = NULL },
};

/* The result sets to export, and the output. */
struct export_call {
	const struct export_options *options;
	struct db *db;
	int64_t *inst_ids;
	size_t count;
	const struct format *format;
	FILE *standard_output;
};

static bool
write_folder(const struct export_call *e, struct error *err)
{
	const struct export_options *o = e->options;
	struct aqtime_written written = { 0 };
	struct depot_rowset *s = depot_rowset_new(e->db, e->inst_ids, e->count, err);
	bool ok = s && aqtime_write(depot_rowset_interface(s), o->out, o->force, &written, err);

	depot_rowset_free(s);
	if (ok)
		terminal_printf(stderr,
			"exported %zu result set%s to %s: %zu tables, %lld rows, %lld bytes\n",
			e->count, e->count == 1 ? "" : "s", o->out, written.tables,
			(long long)written.rows, (long long)written.bytes);
	return ok;
}

static bool
write_file(const struct export_call *e, struct depot_source *s, struct error *err)
{
	const struct export_options *o = e->options;
	const struct format_write_options options = { o->track, o->metric };
	struct output_file file;
	bool ok;

	if (!export_check_metric(s, o->metric, err))
		return false;
	if (!output_file_open(&file, o->out, e->standard_output, err))
		return false;
	ok = export_write(s, e->format, &options, file.stream, err);
	return output_file_close(&file, ok, err) && ok &&
	       export_report_losses(s, e->format, stderr, err);
}

static bool
check_options(const struct export_call *e, struct error *err)
{
	const struct export_options *o = e->options;

	if (e->format->write) {
		if (o->force)
			return error_set(err, ERROR_USAGE,
				"--force is only for formats that write a folder");
		return true;
	}
	if (!o->out || !*o->out || strcmp(o->out, "-") == 0) {
		error_set(err, ERROR_USAGE, "no folder was given: an export as %s needs a folder",
			e->format->name);
		return error_hint(err, "use -o FOLDER");
	}
	if (o->track || o->metric)
		return error_set(err, ERROR_USAGE,
			"--track and --metric are only for formats with a single file");
	return true;
}

static bool
export_sets(struct export_call *e, struct error *err)
{
	struct depot_source *s = depot_source_new(e->db, e->inst_ids, e->count, err);
	bool ok = s != NULL;

	if (ok && !e->format)
		e->format = export_own_format(depot_source_interface(s), err);
	ok = ok && e->format && check_options(e, err) &&
	     (e->format->write ? write_file(e, s, err) : write_folder(e, err));
	depot_source_free(s);
	return ok;
}

static bool
export_named(struct command_call *call, struct db *db, struct error *err)
{
	const struct export_options *o = call->target;
	const struct option_list *names = &call->operands;
	struct export_call e = { .options = o,
		.db = db,
		.format = o->format ? export_named_format(o->format, err) : NULL,
		.standard_output = call->out };

	return db_begin_snapshot(db, err) &&
	       set_names_find(
		       db, call->arena, names->items, names->count, &e.inst_ids, &e.count, err) &&
	       export_sets(&e, err);
}

static int
export_run(struct command_call *call, struct error *err)
{
	struct export_call e = { .options = call->target };

	if (e.options->format) {
		e.format = export_named_format(e.options->format, err);
		if (!e.format || !check_options(&e, err))
			return -1;
	}
	if (!call->operands.count) {
		error_set(err, ERROR_USAGE, "no result set was given");
		error_hint(err, "\"profdepot list\" lists the result sets");
		return -1;
	}
	return depot_run(call, DB_ROLE_READER, export_named, err);
}

const struct command command_export = {
	.name = "export",
	.operands = "SET...",
	.summary = "write result sets in a profiler's format",
	.description =
		"Writes result sets in a format that other programs read, to standard output or to the "
		"file given with -o. If a result set was loaded from the same format, the export "
		"reproduces it.\n\n"
		"SET is an INST_ID, " COMMAND_SET_NAMES ".\n\n"
		"AQTime's format is a folder with one CSV file per table, with the rows as they were "
		"loaded. Use it to move any result set to another depot, which recognises a result set "
		"that it already has. Additional profdepot files contain the values for which AQTime's "
		"tables have no columns.\n\n"
		"A file or folder appears only when it is complete. If the export fails, it leaves "
		"no files.",
	.options = export_specs,
	.target_size = sizeof(struct export_options),
	.run = export_run,
};
