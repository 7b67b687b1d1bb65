/* profdepot retain: removes old result sets according to the depot's rules. */
#include "app/removal.h"
#include "app/rows_table.h"
#include "base/number.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "render/render.h"
#include "store/retention.h"

#include <stddef.h>
#include <string.h>

struct retain_options {
	struct result_set_filter filter;
	const char *older_than;
	int64_t keep;
	const char *output;
	bool dry_run;
	int64_t *rules; /* rm */
};

#define MEMBER(m) offsetof(struct retain_options, m)
static const struct option_spec specs[] = {
	{ "older-than", 0, OPTION_TEXT, "AGE",
		"add: remove result sets that were loaded longer ago than this: a number and s, m, h, "
		"d or w, such as 30d",
		MEMBER(older_than) },
	{ "keep", 0, OPTION_INT, "N",
		"add: remove all but the N newest; with --older-than, keep these even if they are older",
		MEMBER(keep), NULL, 0, INT64_MAX },
	{ "application", 0, OPTION_TEXT, "NAME", "add: only result sets of this application",
		MEMBER(filter.application) },
	{ "format", 0, OPTION_TEXT, "FORMAT", "add: only result sets of this format",
		MEMBER(filter.format) },
	{ "label", 'l', OPTION_LIST, "KEY=VALUE",
		"add: only result sets with this label; if repeated, with all of these labels",
		MEMBER(filter.labels) },
	{ "output", 'o', OPTION_CHOICE, "FORMAT", "list: output format", MEMBER(output),
		RENDERER_CHOICES },
	{ "dry-run", 'n', OPTION_FLAG, NULL, "run: print what would be removed, but remove nothing",
		MEMBER(dry_run) },
	{ .name = NULL },
};
#undef MEMBER

/* --- add ------------------------------------------------------------------------------------- */

static bool
add(struct command_call *call, struct db *db, struct error *err)
{
	const struct retain_options *o = call->target;
	int64_t rule;

	if (!retention_add(db, &o->filter, &rule, err))
		return false;
	fprintf(call->out, "added rule %lld\n", (long long)rule);
	return true;
}

static int
do_add(struct command_call *call, struct error *err)
{
	struct retain_options *o = call->target;

	return retention_make(&o->filter, o->older_than, o->keep, err)
		       ? depot_run(call, DB_ROLE_LOADER, add, err)
		       : -1;
}

/* --- list, rm -------------------------------------------------------------------------------- */

static bool
list(struct command_call *call, struct db *db, struct error *err)
{
	const struct retain_options *o = call->target;

	return depot_print_rows(call, o->output, &retention_head, retention_query(db, err), err);
}

static int
do_list(struct command_call *call, struct error *err)
{
	return depot_run(call, DB_ROLE_READER, list, err);
}

static bool
remove_rules(struct command_call *call, struct db *db, struct error *err)
{
	const struct retain_options *o = call->target;

	return retention_remove(db, o->rules, call->operands.count - 1, err);
}

static int
do_rm(struct command_call *call, struct error *err)
{
	struct retain_options *o = call->target;
	size_t count = call->operands.count - 1;
	struct number n;

	o->rules = arena_alloc_array(call->arena, count, sizeof(*o->rules));
	for (size_t i = 0; i < count; i++) {
		const char *word = call->operands.items[i + 1];

		if (number_parse(text_from(word), &n) == NUMBER_OK &&
			number_to_int64(n, &o->rules[i]))
			continue;
		error_set(err, ERROR_USAGE, "\"%.100s\" is not a rule number", word);
		error_hint(err, "\"profdepot retain list\" shows the rules");
		return -1;
	}
	return depot_run(call, DB_ROLE_LOADER, remove_rules, err);
}

/* --- run ------------------------------------------------------------------------------------- */

static bool
run_rule(struct command_call *call, struct db *db, const struct db_result *rules, size_t row,
	size_t *count, struct error *err)
{
	const struct retain_options *o = call->target;
	const struct removal removal = { .out = call->out, .dry_run = o->dry_run };
	const long long rule = (long long)db_result_int64(rules, row, RETENTION_RULE, 0);
	const size_t before = *count;
	struct result_set_filter filter;

	if (!retention_filter(db, call->arena, rules, row, &filter, err) ||
		!removal_of_filter(db, &filter, &removal, count, err))
		return error_prefix(err, "rule %lld", rule);
	fprintf(call->out, "rule %lld %s %zu %s\n", rule, o->dry_run ? "would remove" : "removed",
		*count - before, by_count(*count - before, "result set", "result sets"));
	return true;
}

static bool
run_rules(struct command_call *call, struct db *db, struct error *err)
{
	struct db_result *rules = retention_query(db, err);
	size_t count = 0;
	bool ok = rules != NULL;

	for (size_t i = 0; ok && i < db_result_rows(rules); i++)
		ok = run_rule(call, db, rules, i, &count, err);
	if (ok && db_result_rows(rules) == 0)
		fputs("the depot has no retention rules\n", call->out);
	db_result_free(rules);
	return ok;
}

static int
do_run(struct command_call *call, struct error *err)
{
	const struct retain_options *o = call->target;
	int status;

	if (o->dry_run)
		return depot_run(call, DB_ROLE_READER, run_rules, err);
	depot_use_reserve(call);
	status = depot_run(call, DB_ROLE_LOADER, run_rules, err);
	depot_keep_reserve(call);
	return status;
}

/* --- the command ----------------------------------------------------------------------------- */

static const struct {
	const char *name;
	size_t min, max; /* number of operands, including the verb */
	int (*run)(struct command_call *call, struct error *err);
} verbs[] = {
	{ "add", 1, 1, do_add },
	{ "list", 1, 1, do_list },
	{ "rm", 2, SIZE_MAX, do_rm },
	{ "run", 1, 1, do_run },
};

/* Returns whether options of a rule were given. Verbs other than add reject them, because a user of "retain run
 * --older-than 1d" would expect the option to limit what is removed. */
static bool
describes_rule(const struct retain_options *o)
{
	return o->older_than || o->keep != RETENTION_KEEP_NOT_GIVEN || o->filter.application ||
	       o->filter.format || o->filter.labels.count;
}

static int
retain_run(struct command_call *call, struct error *err)
{
	const size_t count = call->operands.count;
	const struct retain_options *o = call->target;

	for (size_t i = 0; count && i < sizeof(verbs) / sizeof(*verbs); i++)
		if (strcmp(verbs[i].name, call->operands.items[0]) == 0 && count >= verbs[i].min &&
			count <= verbs[i].max && (verbs[i].run == do_add || !describes_rule(o)) &&
			(verbs[i].run == do_run || !o->dry_run))
			return verbs[i].run(call, err);
	error_set(err, ERROR_USAGE,
		"expected \"add\" with a rule, \"list\", \"rm NUMBER\" or \"run\"");
	error_hint(
		err, "profdepot retain add --older-than 30d --keep 20, then profdepot retain run");
	return -1;
}

const struct command command_retain = {
	.name = "retain",
	.operands = "add|list|rm|run [NUMBER...]",
	.summary = "remove old result sets according to rules",
	.description =
		"A rule selects old result sets by their age, by the number of newer ones, or by both. It can "
		"be limited to an application, a format or labels. The depot keeps the rules. \"profdepot "
		"db retain\" is another spelling of this command.\n\n"
		"add adds a rule and prints its number. --older-than, --keep and the filters mean the "
		"same as for \"profdepot rm\".\n\n"
		"list shows the rules. rm removes rules by number.\n\n"
		"run removes the result sets that any rule selects, and prints each. It removes them in "
		"batches; if it is interrupted, the result sets of finished batches stay removed, and "
		"running it again continues. Start it regularly, for example with cron. --dry-run "
		"prints a result set under each rule that selects it.\n\n"
		"The history of findings still contains the runs of removed result sets. In a depot with "
		"ranges (see profdepot-db(1)), a range whose result sets are all removed is dropped as "
		"a whole.",
	.options = specs,
	.target_size = sizeof(struct retain_options),
	.defaults = &(
		const struct retain_options){ .keep = RETENTION_KEEP_NOT_GIVEN, .output = "text" },
	.run = retain_run,
};
