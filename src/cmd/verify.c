/* profdepot verify: recounts result sets. */
#include "store/verify.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "render/render.h"
#include "store/result_sets.h"

#include <string.h>

struct verify_options {
	const char *output;
	bool deep;
};

static const struct option_spec verify_specs[] = {
	{ "output", 0, OPTION_CHOICE, "FORMAT", "output format",
		offsetof(struct verify_options, output), RENDERER_CHOICES },
	{ "deep", 0, OPTION_FLAG, NULL,
		"also compare the checksums of all rows, and find rows without a result set",
		offsetof(struct verify_options, deep), NULL },
	{ .name = NULL },
};

enum {
	COLUMN_RELATION,
	COLUMN_WHAT,
	COLUMN_RECORDED,
	COLUMN_FOUND,
	VERIFY_COLUMNS
};

static const struct table_column verify_columns[VERIFY_COLUMNS] = {
	[COLUMN_RELATION] = { .key = "relation", .title = "Relation" },
	[COLUMN_WHAT] = { .key = "what", .title = "What" },
	[COLUMN_RECORDED] = { .key = "recorded", .title = "Recorded" },
	[COLUMN_FOUND] = { .key = "found", .title = "Found" },
};

struct verify {
	struct db *db;
	const struct command_call *call;
	const char *output;
	bool deep;
	struct db_result *listed;  /* the result sets, newest first */
	struct db_result *orphans; /* INST_IDs of rows without a result set; NULL if not needed */
	struct rows_table *sets;
	struct db_result **results; /* one for each element of `sets` */
	size_t set_count;
	size_t differing;
	size_t open;
};

/* Sets *open to true if the result set is open. A statement that opens a result set deletes its
 * checksums. If the state of a result set is "open" although it still has checksums, the state is
 * wrong, and the result set counts as closed. */
static bool
is_open(const struct verify *v, size_t row, bool *open, struct error *err)
{
	bool closed = false;

	*open = text_equal(db_result_value(v->listed, row, RESULT_SET_STATE), TEXT_LITERAL("open"));
	if (*open && v->deep &&
		!result_set_has_checksums(v->db,
			db_result_int64(v->listed, row, RESULT_SET_INST_ID, 0), &closed, err))
		return false;
	*open &= !closed;
	return true;
}

/* Returns whether the output contains the result set. Text output contains only result sets with
 * differences. */
static bool
is_shown(const struct verify *v, const struct db_result *differences)
{
	return strcmp(v->output, "text") != 0 || db_result_rows(differences) > 0;
}

/* Describes the difference in words. */
static struct text
describe(struct arena *a, const struct db_result *rows, size_t row)
{
	const char *difference = db_result_value(rows, row, VERIFY_DIFFERENCE).data;
	const char *name = db_result_value(rows, row, VERIFY_NAME).data;
	const char *id = db_result_value(rows, row, VERIFY_ID).data;
	const char *place = db_result_value(rows, row, VERIFY_PLACE).data;

	if (strncmp(difference, "total_", 6) == 0)
		return text_from(arena_printf(
			a, "%s of class %s, stack %s: %s", name, id, place, difference + 6));
	if (strcmp(difference, "owner") == 0)
		return text_from(arena_printf(a, "%s %s of stack %s exists", name, id, place));
	if (strcmp(difference, "tree") == 0)
		return text_from(arena_printf(a, "total of metric %s", name));
	if (strcmp(difference, "identity") == 0)
		return text_from(arena_printf(a, "identity of stack %s", id));
	if (strcmp(difference, "line_identity") == 0)
		return text_from(arena_printf(a, "line identity of stack %s", id));
	if (strcmp(difference, "stream_labels") == 0)
		return TEXT_LITERAL("labels of the stream");
	if (strcmp(difference, "orphans") == 0)
		return TEXT_LITERAL("rows without a result set");
	if (strcmp(difference, "checksum") == 0)
		return TEXT_LITERAL("checksum of all rows");
	return strcmp(difference, "sum_of_ids") == 0      ? TEXT_LITERAL("sum of ids")
	       : strcmp(difference, "sum_of_values") == 0 ? TEXT_LITERAL("sum of values")
							  : TEXT_LITERAL("rows");
}

static struct text
verify_cell(struct arena *a, const struct rows_table *from, size_t row, size_t column)
{
	static const enum verify_row columns[VERIFY_COLUMNS] = {
		[COLUMN_RELATION] = VERIFY_RELATION,
		[COLUMN_RECORDED] = VERIFY_RECORDED,
		[COLUMN_FOUND] = VERIFY_FOUND,
	};

	return column == COLUMN_WHAT ? describe(a, from->rows, row)
				     : db_result_value(from->rows, row, columns[column]);
}

/* Adds a result set and the differences found in it. If the query for the differences
 * failed, `differences` is NULL, and the function returns false. */
static bool
add_differences(
	struct verify *v, int64_t inst_id, struct text caption, struct db_result *differences)
{
	if (!differences)
		return false;
	v->differing += db_result_rows(differences) > 0;
	if (!is_shown(v, differences))
		return db_done(differences);
	v->results[v->set_count] = differences;
	v->sets[v->set_count++] = (struct rows_table){
		.inst_id = inst_id, .caption = caption, .rows = differences, .cell = verify_cell
	};
	return true;
}

static bool
verify_one(struct verify *v, size_t row, struct error *err)
{
	int64_t inst_id = db_result_int64(v->listed, row, RESULT_SET_INST_ID, 0);
	bool open;

	if (!is_open(v, row, &open, err))
		return false;
	if (open) {
		fprintf(stderr,
			"result set %lld is open because it was written or changed with SQL; before it "
			"can be verified, \"profdepot reindex %lld\" must close it\n",
			(long long)inst_id, (long long)inst_id);
		v->open++;
		return true;
	}
	return add_differences(v, inst_id, db_result_value(v->listed, row, RESULT_SET_CAPTION),
		result_set_verify(v->db, inst_id, v->deep, err));
}

static bool
find_orphans(struct verify *v, struct error *err)
{
	for (size_t i = 0; v->orphans && i < db_result_rows(v->orphans); i++)
		if (!add_differences(v, db_result_int64(v->orphans, i, 0, 0), TEXT_LITERAL(""),
			    orphans_verify(v->db, db_result_value(v->orphans, i, 0).data, err)))
			return false;
	return true;
}

static bool
verify_sets(struct verify *v, struct arena *a, struct error *err)
{
	const struct table_head head = { "verify", "Differences from the load", TABLE_GRID,
		verify_columns, VERIFY_COLUMNS };
	size_t count = db_result_rows(v->listed);
	size_t room = count + (v->orphans ? db_result_rows(v->orphans) : 0);

	v->sets = arena_alloc_array(a, room, sizeof(*v->sets));
	v->results = arena_alloc_array(a, room, sizeof(*v->results));
	for (size_t i = 0; i < count; i++)
		if (!verify_one(v, i, err))
			return false;
	if (!find_orphans(v, err))
		return false;
	if (v->set_count && !depot_print(v->call, v->output, &head, v->sets, v->set_count, err))
		return false;
	fprintf(stderr, "%zu result set%s verified, %zu differ%s, %zu open\n", count - v->open,
		count - v->open == 1 ? "" : "s", v->differing, v->differing == 1 ? "s" : "",
		v->open);
	return true;
}

/* If the whole depot is verified with --deep, lists the rows without a result set. */
static bool
list_orphans(struct verify *v, bool all, struct error *err)
{
	if (!all || !v->deep)
		return true;
	v->orphans = orphans_list(v->db, err);
	return v->orphans != NULL;
}

static bool
verify_listed(struct verify *v, struct command_call *call, struct error *err)
{
	struct result_set_filter filter = { 0 };
	int64_t *inst_ids = NULL;
	bool ok;

	if (!depot_inst_ids(call, 0, &inst_ids, err) || !db_begin_snapshot(v->db, err))
		return false;
	filter.inst_ids = call->operands.count ? inst_ids : NULL;
	filter.inst_id_count = call->operands.count;
	v->listed = result_sets_list(v->db, &filter, err);
	ok = v->listed && depot_check_listed(inst_ids, filter.inst_id_count, v->listed, err) &&
	     list_orphans(v, !call->operands.count, err) && verify_sets(v, call->arena, err);
	db_rollback(v->db);
	return ok;
}

static int
verify_run(struct command_call *call, struct error *err)
{
	const struct verify_options *o = call->target;
	struct verify v = { .call = call, .output = o->output, .deep = o->deep };
	bool ok;

	v.db = depot_open(call, DB_ROLE_READER, err);
	if (!v.db)
		return -1;
	ok = verify_listed(&v, call, err);
	for (size_t i = 0; i < v.set_count; i++)
		db_result_free(v.results[i]);
	db_result_free(v.listed);
	db_result_free(v.orphans);
	db_close(v.db);
	if (!ok)
		return -1;
	return v.differing ? 1 : 0;
}

const struct command command_verify = {
	.name = "verify",
	.operands = "[INST_ID...]",
	.summary = "recount result sets and compare them with the load",
	.description =
		"Counts and sums the rows of result sets and compares them with the numbers recorded "
		"during the load. Also compares the totals with the rows that they sum, and the "
		"stack identities with the frame names. With --deep it reads every row and finds any "
		"change of any column. Without INST_ID it verifies all result sets. The exit status is 1 if anything differs.",
	.options = verify_specs,
	.target_size = sizeof(struct verify_options),
	.defaults = &(const struct verify_options){ .output = "text" },
	.run = verify_run,
};
