/* profdepot rm: removes result sets. */
#include "base/terminal.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "store/result_sets.h"

enum {
	KEEP_NOT_GIVEN = -1,
	LISTED_SETS = 1000,
	LISTED_MAX_SETS = 16 * LISTED_SETS,
	/* Limits of a batch, which is removed in one transaction. */
	BATCH_SETS = 100,
	BATCH_ROWS = 100 * 1000,
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
		"remove all but the N newest; with --older-than, keep at least these",
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

/* Allows exactly one selection: INST_IDs, --all, or --older-than and --keep. */
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

/* Result sets of the list that are removed in one transaction. */
struct batch {
	int64_t inst_ids[BATCH_SETS];
	int64_t rows[BATCH_SETS];
	bool removed[BATCH_SETS];
	size_t count;
};

/* Fills the batch with the listed result sets from `first` on, until they have BATCH_ROWS rows in all. */
static bool
take_batch(struct db *db, const struct db_result *listed, size_t first, struct batch *b,
	struct error *err)
{
	int64_t sum = 0;

	for (b->count = 0; b->count < BATCH_SETS && sum < BATCH_ROWS; b->count++) {
		const size_t row = first + b->count;
		int64_t *rows = &b->rows[b->count];

		if (row == db_result_rows(listed))
			break;
		b->inst_ids[b->count] = db_result_int64(listed, row, RESULT_SET_INST_ID, 0);
		b->removed[b->count] = true;
		/* The list has no row count for an open result set. */
		*rows = db_result_int64(listed, row, RESULT_SET_ROWS, -1);
		if (*rows < 0 && !result_set_count_rows(db, b->inst_ids[b->count], rows, err))
			return false;
		sum += *rows;
	}
	return true;
}

static void
print_removed(struct command_call *call, const struct batch *b, size_t i, struct text caption)
{
	const struct rm_options *o = call->target;

	if (!b->removed[i]) {
		fprintf(call->out, "result set %lld was already removed\n",
			(long long)b->inst_ids[i]);
		return;
	}
	fprintf(call->out, "%s result set %lld \"", o->dry_run ? "would remove" : "removed",
		(long long)b->inst_ids[i]);
	terminal_print(call->out, caption);
	fprintf(call->out, "\", %lld %s\n", (long long)b->rows[i],
		by_count((unsigned long long)b->rows[i], "row", "rows"));
}

static bool
name_batch(const struct batch *b, struct error *err)
{
	if (b->count == 1)
		return error_prefix(err, "result set %lld", (long long)b->inst_ids[0]);
	return error_prefix(err, "%zu result sets from %lld to %lld", b->count,
		(long long)b->inst_ids[0], (long long)b->inst_ids[b->count - 1]);
}

/* Removes the listed result sets. `before` is the number that earlier calls have removed. */
static bool
remove_all(struct command_call *call, struct db *db, const struct db_result *listed, size_t before,
	struct error *err)
{
	const struct rm_options *o = call->target;
	size_t count = db_result_rows(listed);
	struct batch b = { .count = 0 };

	for (size_t first = 0; first < count; first += b.count) {
		bool ok = take_batch(db, listed, first, &b, err);

		if (ok && !o->dry_run)
			ok = result_sets_remove(
				     db, b.inst_ids, b.count, o->forget, b.removed, err) ||
			     name_batch(&b, err);
		if (!ok) {
			if (before + first && !o->dry_run)
				err->code = ERROR_PARTLY;
			return false;
		}
		for (size_t i = 0; i < b.count; i++)
			print_removed(call, &b, i,
				db_result_value(listed, first + i, RESULT_SET_CAPTION));
	}
	if (before + count == 0)
		fputs("nothing to remove\n", call->out);
	return true;
}

/* Lists and removes a part at a time, so that a large depot needs little memory and the removal
 * begins at once. */
static bool
remove_batches(struct command_call *call, struct db *db, struct error *err)
{
	const struct rm_options *o = call->target;
	struct result_set_filter f = o->filter;
	size_t before = 0;
	size_t rows;

	f.limit = LISTED_SETS;
	do {
		struct db_result *listed = result_sets_list(db, &f, err);
		bool ok = listed && remove_all(call, db, listed, before, err);

		rows = listed ? db_result_rows(listed) : 0;
		db_result_free(listed);
		if (!ok)
			return false;
		before += rows;
		if (!o->dry_run)
			continue;
		f.skip_newest += (int64_t)rows;
		if (f.limit < LISTED_MAX_SETS)
			/* Longer lists, because the server reads all earlier result sets again. */
			f.limit *= 2;
	} while (rows >= LISTED_SETS);
	return true;
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
		     (!db_result_rows(listed) || remove_all(call, db, listed, 0, err));
	else
		ok = depot_check_listed(f->inst_ids, f->inst_id_count, listed, err) &&
		     remove_all(call, db, listed, 0, err);
	db_result_free(listed);
	return ok;
}

static bool
remove_sets(struct command_call *call, struct db *db, struct error *err)
{
	const struct rm_options *o = call->target;

	return o->filter.inst_ids ? remove_named(call, db, err) : remove_batches(call, db, err);
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
		"age, with --keep, or with --all. Filters restrict a selection by age, --keep or --all "
		"to a format, an application or labels. --keep counts only the result sets that pass "
		"the filters.\n\n"
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
