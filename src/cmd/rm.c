/* profdepot rm: removes result sets. */
#include "base/number.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "store/result_sets.h"

struct rm_options {
	struct result_set_filter filter;
	const char *older_than;
	int64_t keep;
	bool all;
	bool dry_run;
};

static const struct option_spec rm_specs[] = {
	{ "older-than", 0, OPTION_TEXT, "AGE",
		"remove result sets loaded longer ago: a number and s, m, h, d or w, such as 30d",
		offsetof(struct rm_options, older_than), NULL, 0, 0 },
	{ "keep", 0, OPTION_INT, "N",
		"remove all but the N newest; with --older-than, keep at least these",
		offsetof(struct rm_options, keep), NULL, 0, INT64_MAX },
	{ "all", 0, OPTION_FLAG, NULL, "remove every result set that passes the filters",
		offsetof(struct rm_options, all), NULL, 0, 0 },
	{ "format", 0, OPTION_TEXT, "FORMAT", "consider only result sets of this format",
		offsetof(struct rm_options, filter.format), NULL, 0, 0 },
	{ "label", 'l', OPTION_LIST, "KEY=VALUE",
		"consider only result sets with this label; if repeated, with all of these labels",
		offsetof(struct rm_options, filter.labels), NULL, 0, 0 },
	{ "application", 0, OPTION_TEXT, "NAME", "consider only result sets of this application",
		offsetof(struct rm_options, filter.application), NULL, 0, 0 },
	{ "dry-run", 'n', OPTION_FLAG, NULL, "print what would be removed, but remove nothing",
		offsetof(struct rm_options, dry_run), NULL, 0, 0 },
	{ .name = NULL },
};

enum {
	KEEP_NOT_GIVEN = -1
};

static void
rm_defaults(void *target)
{
	struct rm_options *o = target;

	o->keep = KEEP_NOT_GIVEN;
}

/* Exactly one way to say what goes: numbers, all, or age and newest. */
static bool
check_selection(const struct command_call *call, const struct rm_options *o, struct error *err)
{
	bool by_age = o->older_than || o->keep != KEEP_NOT_GIVEN;
	bool filtered = o->filter.format || o->filter.application || o->filter.labels.count;
	int ways = (call->operands.count > 0) + o->all + by_age;

	if (ways == 0) {
		error_set(err, ERROR_USAGE, "which result sets to remove?");
		return error_hint(err, "give INST_IDs, --older-than, --keep or --all");
	}
	if (ways > 1)
		return error_set(err, ERROR_USAGE,
			"INST_IDs, --all, and --older-than or --keep cannot be combined");
	if (filtered && call->operands.count)
		return error_set(err, ERROR_USAGE, "filters cannot be combined with INST_IDs");
	return true;
}

static bool
make_filter(struct command_call *call, struct rm_options *o, struct error *err)
{
	struct result_set_filter *f = &o->filter;
	int64_t *inst_ids = NULL;

	if (!check_selection(call, o, err) || !depot_inst_ids(call, 0, &inst_ids, err))
		return false;
	if (call->operands.count) {
		f->inst_ids = inst_ids;
		f->inst_id_count = call->operands.count;
	}
	if (o->keep != KEEP_NOT_GIVEN)
		f->skip_newest = o->keep;
	if (o->older_than) {
		if (!age_parse(o->older_than, &f->older_than_seconds, err))
			return error_prefix(err, "--older-than");
		if (f->older_than_seconds == 0)
			return error_set(err, ERROR_USAGE, "--older-than must be above 0");
	}
	return true;
}

/* As counted at load; while it is open, as counted now. */
static bool
rows_of(struct db *db, const struct db_result *listed, size_t row, int64_t inst_id, int64_t *rows,
	struct error *err)
{
	struct text t = db_result_value(listed, row, RESULT_SET_ROWS);
	struct number n;

	if (!text_is_null(t) && number_parse(t, &n) == NUMBER_OK && number_to_int64(n, rows))
		return true;
	return result_set_count_rows(db, inst_id, rows, err);
}

static bool
remove_one(struct command_call *call, struct db *db, const struct db_result *listed, size_t row,
	struct error *err)
{
	const struct rm_options *o = call->target;
	bool removed = true;
	int64_t inst_id;
	int64_t rows;

	if (!inst_id_parse(db_result_value(listed, row, RESULT_SET_INST_ID).data, &inst_id, err) ||
		!rows_of(db, listed, row, inst_id, &rows, err))
		return false;
	if (!o->dry_run && !result_set_remove(db, inst_id, &removed, err))
		return error_prefix(err, "result set %lld", (long long)inst_id);
	if (!removed) {
		fprintf(call->out, "result set %lld was gone already\n", (long long)inst_id);
		return true;
	}
	fprintf(call->out, "%s result set %lld \"", o->dry_run ? "would remove" : "removed",
		(long long)inst_id);
	depot_print_text(call->out, db_result_value(listed, row, RESULT_SET_CAPTION));
	fprintf(call->out, "\", %lld %s\n", (long long)rows,
		by_count((unsigned long long)rows, "row", "rows"));
	return true;
}

static bool
remove_listed(
	struct command_call *call, struct db *db, const struct db_result *listed, struct error *err)
{
	const struct rm_options *o = call->target;
	size_t count = db_result_rows(listed);

	for (size_t i = 0; i < count; i++) {
		if (remove_one(call, db, listed, i, err))
			continue;
		if (i && !o->dry_run)
			err->code = ERROR_PARTLY;
		return false;
	}
	if (count == 0)
		fputs("nothing to remove\n", call->out);
	return true;
}

static int
rm_run(struct command_call *call, struct error *err)
{
	struct rm_options *o = call->target;
	struct db_result *listed;
	struct db *db;
	bool ok;

	if (!make_filter(call, o, err))
		return -1;
	db = depot_open(call, o->dry_run ? DB_ROLE_READER : DB_ROLE_LOADER, err);
	if (!db)
		return -1;
	listed = result_sets_list(db, &o->filter, err);
	ok = listed &&
	     depot_check_listed(o->filter.inst_ids, o->filter.inst_id_count, listed, err) &&
	     remove_listed(call, db, listed, err);
	db_result_free(listed);
	db_close(db);
	return ok ? 0 : -1;
}

const struct command command_rm = {
	.name = "rm",
	.operands = "[INST_ID...]",
	.summary = "remove result sets",
	.description =
		"Removes result sets with all of their rows, and prints each. Select them by INST_ID, by "
		"age, with --keep, or with --all. Filters narrow the last three to a format, an "
		"application or labels; --keep counts only the result sets that pass them.\n\n"
		"Each result set is removed in its own transaction. If one fails, the ones before it are "
		"already gone, and the exit status is 5.",
	.options = rm_specs,
	.target_size = sizeof(struct rm_options),
	.defaults = rm_defaults,
	.run = rm_run,
};
