/* profdepot budget: manages the budgets that "profdepot check" uses if it is given no file. */
#include "app/budget_file.h"
#include "app/check/kept_budgets.h"
#include "base/strbuf.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "render/render.h"
#include "store/budgets.h"

#include <stddef.h>
#include <string.h>

struct budget_options {
	const char *application;
	const char *author;
	const char *output;
	struct text document; /* set: the content of the file */
	size_t count;         /* set: number of budgets in the file */
};

#define MEMBER(m) offsetof(struct budget_options, m)
static const struct option_spec specs[] = {
	{ "application", 0, OPTION_TEXT, "NAME",
		"set, show, rm: the application; default: all applications that have no budgets of their "
		"own",
		MEMBER(application) },
	{ "author", 0, OPTION_TEXT, "NAME", "set: author; default: your username", MEMBER(author) },
	{ "output", 'o', OPTION_CHOICE, "FORMAT", "list: output format", MEMBER(output),
		RENDERER_CHOICES },
	{ .name = NULL },
};
#undef MEMBER

/* --- set ------------------------------------------------------------------------------------- */

static const char *
source_name(const struct command_call *call)
{
	const char *path = call->operands.items[1];

	return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* Reads and checks the file before the depot is opened. */
static bool
read_file(struct command_call *call, struct error *err)
{
	struct budget_options *o = call->target;
	struct strbuf b = STRBUF_INIT(KEPT_BUDGETS_MAX_BYTES);
	const struct budget_list *list = NULL;

	if (strbuf_read_file(&b, call->operands.items[1], err)) {
		o->document = arena_text(call->arena, strbuf_text(&b));
		list = budget_file_parse(call->arena, source_name(call), o->document, err);
	}
	strbuf_release(&b);
	o->count = list ? list->count : 0;
	return list != NULL;
}

static bool
store(struct command_call *call, struct db *db, struct error *err)
{
	const struct budget_options *o = call->target;
	const struct kept_budgets b = { .application = o->application,
		.author = o->author ? o->author : depot_user_name(call->arena),
		.source = source_name(call),
		.document = o->document,
		.replaced = BUDGETS_ANY_VERSION };
	int64_t version;

	if (!kept_budgets_store(db, call->arena, &b, &version, err))
		return false;
	fprintf(call->out, "stored %zu %s, version %lld\n", o->count,
		by_count(o->count, "budget", "budgets"), (long long)version);
	return true;
}

static int
do_set(struct command_call *call, struct error *err)
{
	return read_file(call, err) ? depot_run(call, DB_ROLE_LOADER, store, err) : -1;
}

/* --- list, show, rm -------------------------------------------------------------------------- */

static const struct table_column columns[] = {
	{ .key = "application", .title = "Application" },
	{ .key = "version", .title = "Version", .kind = TABLE_INTEGER },
	{ .key = "author", .title = "Author" },
	{ .key = "changed", .title = "Changed", .kind = TABLE_TIME },
};

static bool
list_all(struct command_call *call, struct db *db, struct error *err)
{
	static const struct table_head head = { "budget", "Budgets", TABLE_GRID, columns,
		sizeof(columns) / sizeof(columns[0]) };
	const struct budget_options *o = call->target;

	return depot_print_rows(call, o->output, &head, budgets_list(db, NULL, err), err);
}

static int
do_list(struct command_call *call, struct error *err)
{
	return depot_run(call, DB_ROLE_READER, list_all, err);
}

static bool
show(struct command_call *call, struct db *db, struct error *err)
{
	const struct budget_options *o = call->target;
	struct db_result *r = budgets_list(db, o->application, err);
	bool found = r && db_result_rows(r);

	if (found) {
		const struct text t = db_result_value(r, 0, BUDGETS_DOCUMENT);

		fwrite(t.data, 1, t.size, call->out);
		if (!t.size || t.data[t.size - 1] != '\n')
			fputc('\n', call->out);
	} else if (r) {
		budgets_missing(o->application, err);
	}
	db_result_free(r);
	return found;
}

static int
do_show(struct command_call *call, struct error *err)
{
	return depot_run(call, DB_ROLE_READER, show, err);
}

static bool
remove_one(struct command_call *call, struct db *db, struct error *err)
{
	const struct budget_options *o = call->target;

	return budgets_remove(db, o->application, err);
}

static int
do_rm(struct command_call *call, struct error *err)
{
	return depot_run(call, DB_ROLE_LOADER, remove_one, err);
}

/* --- the command ----------------------------------------------------------------------------- */

static const struct {
	const char *name;
	size_t count; /* number of operands, including the verb */
	int (*run)(struct command_call *call, struct error *err);
} verbs[] = {
	{ "set", 2, do_set },
	{ "list", 1, do_list },
	{ "show", 1, do_show },
	{ "rm", 1, do_rm },
};

static int
budget_run(struct command_call *call, struct error *err)
{
	const size_t count = call->operands.count;

	for (size_t i = 0; count && i < sizeof(verbs) / sizeof(*verbs); i++)
		if (strcmp(verbs[i].name, call->operands.items[0]) == 0 && count == verbs[i].count)
			return verbs[i].run(call, err);
	error_set(err, ERROR_USAGE, "expected \"set FILE\", \"list\", \"show\" or \"rm\"");
	error_hint(err, "profdepot budget set budget.json --application Orders");
	return -1;
}

const struct command command_budget = {
	.name = "budget",
	.operands = "set|list|show|rm [FILE]",
	.summary = "manage the budgets in the depot",
	.description =
		"\"profdepot check\" and the service use the budgets in the depot if they are given no budget "
		"file. An application can have budgets of its own. All other applications, and result sets "
		"without an application, share one more set of budgets.\n\n"
		"set checks a budget file and stores it in place of the earlier one. The FILE - is standard "
		"input.\n\n"
		"list shows which applications have budgets. show prints the stored file. rm deletes it.\n\n"
		"profdepot-check(1) describes budget files.",
	.options = specs,
	.target_size = sizeof(struct budget_options),
	.defaults = &(const struct budget_options){ .application = "", .output = "text" },
	.run = budget_run,
};
