/* profdepot owners: manages the owners of source files. */
#include "analysis/owners.h"
#include "base/strbuf.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "render/render.h"
#include "store/owners.h"

#include <stddef.h>
#include <string.h>

struct owners_options {
	const char *author;
	const char *output;
	const char *content; /* set, clear: the version to store */
	size_t rules;        /* set: number of rules in this version */
};

static const struct option_spec specs[] = {
	{ "author", 0, OPTION_TEXT, "NAME", "set, clear: author; default: your username",
		offsetof(struct owners_options, author) },
	{ "output", 'o', OPTION_CHOICE, "FORMAT", "of: output format",
		offsetof(struct owners_options, output), RENDERER_CHOICES },
	{ .name = NULL },
};

/* --- set, clear ------------------------------------------------------------------------------ */

static bool
read_file(struct arena *a, const char *path, struct text *content, struct error *err)
{
	struct strbuf b = STRBUF_INIT(OWNERS_MAX_FILE_BYTES);
	bool ok = strbuf_read_file(&b, path, err);

	if (ok)
		*content = arena_text(a, strbuf_text(&b));
	strbuf_release(&b);
	return ok;
}

/* Reads and checks the file before the depot is opened. */
static bool
read_rules(struct command_call *call, struct error *err)
{
	struct owners_options *o = call->target;
	const char *path = call->operands.items[1];
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
	struct text content;
	const struct owners *owners;

	if (!read_file(call->arena, path, &content, err))
		return false;
	owners = owners_parse(call->arena, name, content, err);
	if (!owners)
		return false;
	o->content = content.data;
	o->rules = owners_count(owners);
	if (o->rules)
		return true;
	error_set(err, ERROR_INPUT, "%s: no rules", name);
	return error_hint(err, "\"profdepot owners clear\" removes the depot's owners");
}

static bool
store(struct command_call *call, struct db *db, struct error *err)
{
	const struct owners_options *o = call->target;
	const char *author = o->author ? o->author : depot_user_name(call->arena);
	int64_t ledger_no;

	if (!owners_store(db, author, o->content, &ledger_no, err))
		return false;
	if (o->rules)
		fprintf(call->out, "stored %zu %s\n", o->rules,
			by_count(o->rules, "rule", "rules"));
	return true;
}

static int
do_set(struct command_call *call, struct error *err)
{
	return read_rules(call, err) ? depot_run(call, DB_ROLE_LOADER, store, err) : -1;
}

static int
do_clear(struct command_call *call, struct error *err)
{
	struct owners_options *o = call->target;

	o->content = "";
	return depot_run(call, DB_ROLE_LOADER, store, err);
}

/* --- show, of -------------------------------------------------------------------------------- */

static bool
load(struct command_call *call, struct db *db, struct text *content, struct error *err)
{
	if (!owners_load(db, call->arena, 0, content, err))
		return false;
	if (!text_is_null(*content))
		return true;
	error_set(err, ERROR_NOT_FOUND, "the depot has no owners");
	return error_hint(err, "\"profdepot owners set FILE\" stores a CODEOWNERS file");
}

static bool
print_content(struct command_call *call, struct db *db, struct error *err)
{
	struct text content;

	if (!load(call, db, &content, err))
		return false;
	fwrite(content.data, 1, content.size, call->out);
	return true;
}

static int
do_show(struct command_call *call, struct error *err)
{
	return depot_run(call, DB_ROLE_READER, print_content, err);
}

static const struct table_column columns[] = {
	{ .key = "source_file", .title = "Source file" },
	{ .key = "owners", .title = "Owners" },
};

static bool
print_paths(struct command_call *call, const struct owners *owners, struct table_sink *sink,
	struct error *err)
{
	static const char *const no_notes[] = { NULL };
	static const struct table_head head = { "owners", "Owners", TABLE_GRID, columns, 2 };
	const struct table_set set = { .inst_id = TEXT_NULL };
	const struct table_cell totals[2] = { { .text = TEXT_NULL } };
	const size_t count = call->operands.count - 1;
	const struct table_foot foot = {
		.rows = count, .all_rows = count, .totals = totals, .notes = no_notes
	};
	bool ok = sink->begin(sink, &head, err) && sink->set_begin(sink, &set, err);

	for (size_t i = 1; ok && i <= count; i++) {
		struct text path = text_from(call->operands.items[i]);
		const struct table_cell cells[] = {
			{ .text = path },
			{ .text = owners_of(owners, call->arena, path) },
		};

		ok = sink->row(sink, cells, err);
	}
	return ok && sink->set_end(sink, &foot, err) && sink->end(sink, err);
}

static bool
print_owners(struct command_call *call, struct db *db, struct error *err)
{
	const struct owners_options *o = call->target;
	const struct renderer *renderer = renderer_find(o->output);
	const struct render_options options = screen_options(call, call->out);
	const struct owners *owners;
	struct table_sink *sink;
	struct text content;
	bool ok;

	if (!load(call, db, &content, err))
		return false;
	owners = owners_parse(call->arena, "the depot's owners", content, err);
	if (!owners)
		return false;
	sink = renderer->sink_new(call->out, &options);
	ok = print_paths(call, owners, sink, err);
	renderer->sink_free(sink);
	return ok;
}

static int
do_of(struct command_call *call, struct error *err)
{
	return depot_run(call, DB_ROLE_READER, print_owners, err);
}

/* --- the command ----------------------------------------------------------------------------- */

static const struct {
	const char *name;
	size_t min, max; /* number of operands, including the verb */
	int (*run)(struct command_call *call, struct error *err);
} verbs[] = {
	{ "set", 2, 2, do_set },
	{ "show", 1, 1, do_show },
	{ "clear", 1, 1, do_clear },
	{ "of", 2, SIZE_MAX, do_of },
};

static int
owners_run(struct command_call *call, struct error *err)
{
	const size_t count = call->operands.count;

	for (size_t i = 0; count && i < sizeof(verbs) / sizeof(*verbs); i++)
		if (strcmp(verbs[i].name, call->operands.items[0]) == 0 && count >= verbs[i].min &&
			count <= verbs[i].max)
			return verbs[i].run(call, err);
	error_set(err, ERROR_USAGE, "expected \"set FILE\", \"show\", \"clear\" or \"of PATH\"");
	error_hint(err, "profdepot owners set .github/CODEOWNERS");
	return -1;
}

const struct command command_owners = {
	.name = "owners",
	.operands = "set|show|clear|of [FILE|PATH...]",
	.summary = "manage the owners of source files",
	.description =
		"The owners of source files come from a CODEOWNERS file, as GitHub, GitLab and others "
		"read it.\n\n"
		"set checks the file and stores it in place of the previous one. The FILE - is "
		"standard input. If any line is invalid, nothing is stored. The depot keeps all "
		"versions; the newest one applies.\n\n"
		"show prints the stored file.\n\n"
		"clear removes the owners.\n\n"
		"\"profdepot owners of\" prints the owners of source files. PATH is a path as a profiler reports it. "
		"The file need not exist.\n\n"
		"profdepot-owners(1) describes patterns and paths.",
	.options = specs,
	.target_size = sizeof(struct owners_options),
	.defaults = &(const struct owners_options){ .output = "text" },
	.run = owners_run,
};
