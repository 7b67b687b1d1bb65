#include "cmd/commands.h"
#include "cmd/depot.h"
#include "format/aqtime_write.h"
#include "store/depot_rowset.h"

struct export_options {
	const char *format;
	const char *folder;
	bool force;
};

static const struct option_spec export_specs[] = {
	{ .name = "format",
		.kind = OPTION_CHOICE,
		.value = "FORMAT",
		.help = "what to write",
		.offset = offsetof(struct export_options, format),
		.choices = "aqtime" },
	{ .name = "folder",
		.letter = 'o',
		.kind = OPTION_TEXT,
		.value = "FOLDER",
		.help = "where to write; must be new or empty",
		.offset = offsetof(struct export_options, folder) },
	{ .name = "force",
		.letter = 'f',
		.kind = OPTION_FLAG,
		.help = "replace the folder when it holds nothing but .csv files",
		.offset = offsetof(struct export_options, force) },
	{ .name = NULL },
};

static void
export_defaults(void *target)
{
	struct export_options *o = target;

	o->format = "aqtime";
}

static bool
write_sets(const struct export_options *o, struct db *db, const int64_t *inst_ids, size_t count,
	struct aqtime_written *written, struct error *err)
{
	struct depot_rowset *s = depot_rowset_new(db, inst_ids, count, err);
	bool ok = s && aqtime_write(depot_rowset_interface(s), o->folder, o->force, written, err);

	depot_rowset_free(s);
	return ok;
}

static int
export_run(struct command_call *call, struct error *err)
{
	const struct export_options *o = call->target;
	struct aqtime_written written = { 0 };
	int64_t *inst_ids;
	struct db *db;
	bool ok;

	if (!o->folder || !*o->folder) {
		error_set(err, ERROR_USAGE, "no folder was given");
		error_hint(err, "say where to write with -o FOLDER");
		return -1;
	}
	if (!depot_inst_ids(call, 1, &inst_ids, err))
		return -1;
	db = depot_open(call, DB_ROLE_READER, err);
	if (!db)
		return -1;
	ok = db_begin_snapshot(db, err) &&
	     write_sets(o, db, inst_ids, call->operands.count, &written, err);
	db_rollback(db);
	db_close(db);
	if (!ok)
		return -1;
	fprintf(stderr, "exported %zu result set%s to %s: %zu tables, %lld rows, %lld bytes\n",
		call->operands.count, call->operands.count == 1 ? "" : "s", o->folder,
		written.tables, (long long)written.rows, (long long)written.bytes);
	return 0;
}

const struct command command_export = {
	.name = "export",
	.operands = "INST_ID... -o FOLDER",
	.summary = "write result sets as an AQTime export",
	.description =
		"Writes the tables of an AQTime export, a CSV file each, with the rows as they "
		"were loaded, so that a result set moves to another depot: what is loaded there "
		"again is recognised as the same. Caption, labels and the like travel in files of "
		"profdepot's own beside them.\n\n"
		"The folder appears when it is complete; until then, or when something fails, "
		"nothing of it is there.",
	.options = export_specs,
	.target_size = sizeof(struct export_options),
	.defaults = export_defaults,
	.run = export_run,
};
