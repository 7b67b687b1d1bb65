/* profdepot rm: removes result sets. */
#include "app/removal.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "store/result_sets.h"

enum {
	KEEP_NOT_GIVEN = -1,
};

struct rm_options {
	struct result_set_filter filter;
	const char *older_than;
	int64_t keep;
	bool all;
	bool dry_run;
	bool forget;
};

static const struct option_spec rm_specs[] = {
	{ "older-than", 0, OPTION_TEXT, "AGE",
		"remove result sets that were loaded longer ago than this: a number and s, m, h, d or "
		"w, such as 30d",
		offsetof(struct rm_options, older_than) },
	{ "keep", 0, OPTION_INT, "N",
		"remove all but the N newest; with --older-than, keep these even if they are older",
		offsetof(struct rm_options, keep), NULL, 0, INT64_MAX },
	{ "all", 0, OPTION_FLAG, NULL, "remove every result set that passes the filters",
		offsetof(struct rm_options, all) },
	{ "format", 0, OPTION_TEXT, "FORMAT", "consider only result sets of this format",
		offsetof(struct rm_options, filter.format) },
	{ "label", 'l', OPTION_LIST, "KEY=VALUE",
		"consider only result sets with this label; if repeated, with all of these labels",
		offsetof(struct rm_options, filter.labels) },
	{ "application", 0, OPTION_TEXT, "NAME", "consider only result sets of this application",
		offsetof(struct rm_options, filter.application) },
	{ "forget", 0, OPTION_FLAG, NULL,
		"also remove the runs from the history, even if their result sets are already gone",
		offsetof(struct rm_options, forget) },
	{ "dry-run", 'n', OPTION_FLAG, NULL, "print what would be removed, but remove nothing",
		offsetof(struct rm_options, dry_run) },
	{ .name = NULL },
};

/* Allows exactly one way to select result sets: INST_IDs, --all, or at least one of --older-than
 * and --keep. */
static bool
check_selection(const struct command_call *call, const struct rm_options *o, struct error *err)
{
	bool by_age = o->older_than || o->keep != KEEP_NOT_GIVEN;
	bool filtered = o->filter.format || o->filter.application || o->filter.labels.count;
	int ways = (call->operands.count > 0) + o->all + by_age;

	if (ways == 0) {
		error_set(err, ERROR_USAGE, "no result sets were selected");
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

/* Removes the listed result sets or, without a list, those that pass the filter. */
static bool
remove_all(
	struct command_call *call, struct db *db, const struct db_result *listed, struct error *err)
{
	const struct rm_options *o = call->target;
	const struct removal removal = { call->out, o->forget, o->dry_run };
	size_t count = 0;
	bool ok = listed ? removal_of_list(db, listed, &removal, &count, err)
			 : removal_of_filter(db, &o->filter, &removal, &count, err);

	if (ok && count == 0)
		fputs("nothing to remove\n", call->out);
	return ok;
}

static bool
is_listed(const struct db_result *listed, int64_t inst_id)
{
	for (size_t i = 0; i < db_result_rows(listed); i++)
		if (db_result_int64(listed, i, RESULT_SET_INST_ID, 0) == inst_id)
			return true;
	return false;
}

/* Removes from the history the runs whose result sets are no longer in the depot. */
static bool
forget_others(
	struct command_call *call, struct db *db, const struct db_result *listed, struct error *err)
{
	const struct rm_options *o = call->target;

	for (size_t i = 0; i < o->filter.inst_id_count; i++) {
		int64_t inst_id = o->filter.inst_ids[i];
		bool removed = false;

		if (is_listed(listed, inst_id))
			continue;
		if (!o->dry_run && !result_sets_remove(db, &inst_id, 1, true, &removed, err))
			return false;
		if (!o->dry_run && !removed)
			return result_set_not_found(inst_id, err);
		fprintf(call->out, "%s run of result set %lld\n",
			o->dry_run ? "would forget" : "forgot", (long long)inst_id);
	}
	return true;
}

/* Removes the result sets that the operands name. */
static bool
remove_named(struct command_call *call, struct db *db, struct error *err)
{
	const struct rm_options *o = call->target;
	const struct result_set_filter *f = &o->filter;
	struct db_result *listed = result_sets_list(db, f, err);
	bool ok;

	if (!listed)
		return false;
	if (o->forget)
		ok = forget_others(call, db, listed, err) &&
		     (!db_result_rows(listed) || remove_all(call, db, listed, err));
	else
		ok = depot_check_listed(f->inst_ids, f->inst_id_count, listed, err) &&
		     remove_all(call, db, listed, err);
	db_result_free(listed);
	return ok;
}

static bool
remove_sets(struct command_call *call, struct db *db, struct error *err)
{
	const struct rm_options *o = call->target;

	return o->filter.inst_ids ? remove_named(call, db, err) : remove_all(call, db, NULL, err);
}

static int
rm_run(struct command_call *call, struct error *err)
{
	struct rm_options *o = call->target;
	int status;

	if (!make_filter(call, o, err))
		return -1;
	if (o->dry_run)
		return depot_run(call, DB_ROLE_READER, remove_sets, err);
	depot_use_reserve(call);
	status = depot_run(call, DB_ROLE_LOADER, remove_sets, err);
	depot_keep_reserve(call);
	return status;
}

const struct command command_rm = {
	.name = "rm",
	.operands = "[INST_ID...]",
	.summary = "remove result sets",
	.description =
		"Removes result sets with all of their rows, and prints each. Select them by INST_ID, by "
		"age, with --keep, or with --all. With --older-than, --keep or --all, filters restrict "
		"the selection to a format, an application or labels. --keep counts only the result "
		"sets that pass the filters.\n\n"
		"The history of findings still contains the runs of removed result sets. --forget "
		"removes the runs from the history, too. Then questions as of an earlier time fail, "
		"because the history no longer has the answers.\n\n"
		"Result sets are removed in batches, each in one transaction. If a removal fails, the "
		"result sets of earlier batches stay removed, and the exit status is 5.\n\n"
		"If the disk of the private cluster is full, the removal uses disk space that the "
		"cluster reserves for this purpose: the file \"reserve\" in its home.",
	.options = rm_specs,
	.target_size = sizeof(struct rm_options),
	.defaults = &(const struct rm_options){ .keep = KEEP_NOT_GIVEN },
	.run = rm_run,
};
