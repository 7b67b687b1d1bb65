/* profdepot suppress: manages the depot's suppressions. */
#include "analysis/suppress.h"
#include "app/suppressions.h"
#include "app/suppressions_kept.h"
#include "base/number.h"
#include "base/terminal.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "render/render.h"
#include "store/suppressions.h"

#include <stddef.h>

struct suppress_options {
	struct option_list patterns;
	const char *reason, *author, *expires;
	const char *output;
	bool as_file;
	struct suppress_list given; /* add */
	int64_t *ids;               /* rm */
};

#define MEMBER(m) offsetof(struct suppress_options, m)
static const struct option_spec suppress_specs[] = {
	{ "pattern", 'p', OPTION_LIST, "TEXT",
		"add: a suppression, such as leak:NAME, instead of a file", MEMBER(patterns) },
	{ "reason", 'r', OPTION_TEXT, "TEXT", "add: reason for the suppression", MEMBER(reason) },
	{ "author", 0, OPTION_TEXT, "NAME", "add: author; default: your username", MEMBER(author) },
	{ "expires", 0, OPTION_TEXT, "DATE",
		"add: the last day (UTC) on which it applies, such as 2026-12-31; default: no end",
		MEMBER(expires) },
	{ "output", 'o', OPTION_CHOICE, "FORMAT", "list: output format", MEMBER(output),
		RENDERER_CHOICES },
	{ "as-file", 0, OPTION_FLAG, NULL,
		"list: write the entries that have not expired as a file for valgrind, the sanitizers "
		"and --suppressions",
		MEMBER(as_file) },
	{ .name = NULL },
};
#undef MEMBER

/* Parses all suppressions first, so that nothing is added if one of them is invalid. */
static bool
read_given(struct command_call *call, struct error *err)
{
	struct suppress_options *o = call->target;
	struct suppress_list *list = &o->given;
	struct suppress_place place = { .origin = SUPPRESS_OF_FILE };
	struct text text;

	for (size_t i = 0; i < o->patterns.count; i++) {
		place.file = "--pattern";
		if (!suppress_parse(list, &place, text_from(o->patterns.items[i]), err))
			return false;
	}
	for (size_t i = 1; i < call->operands.count; i++) {
		const char *path = call->operands.items[i];

		place.file = strcmp(path, "-") == 0 ? "standard input" : path;
		if (!suppressions_read_file(call->arena, path, &text, err) ||
			!suppress_parse(list, &place, text, err))
			return false;
	}
	if (list->count)
		return true;
	error_set(err, ERROR_USAGE, "suppress add: no suppression was given");
	return error_hint(err,
		"name a file with suppressions (- is standard input) or write --pattern "
		"leak:NAME");
}

static bool
print_added(void *self, int64_t id, bool is_new, struct text name, struct error *err)
{
	FILE *out = self;

	(void)err;
	fprintf(out, "%s %lld: ", is_new ? "added" : "renewed", (long long)id);
	terminal_print(out, name);
	putc('\n', out);
	return true;
}

static bool
keep_given(struct command_call *call, struct db *db, struct error *err)
{
	const struct suppress_options *o = call->target;
	const struct suppressions_given given = {
		.reason = o->reason,
		.author = o->author ? o->author : depot_user_name(call->arena),
		.expires = o->expires,
		.added = print_added,
		.self = call->out,
	};

	return suppressions_keep(db, &o->given, &given, err);
}

static int
do_add(struct command_call *call, struct error *err)
{
	struct suppress_options *o = call->target;
	int status = -1;

	suppress_list_init(&o->given);
	if ((!o->expires || suppressions_check_day(o->expires, err)) && read_given(call, err))
		status = depot_run(call, DB_ROLE_LOADER, keep_given, err);
	suppress_list_release(&o->given);
	return status;
}

static bool
print_list(struct command_call *call, struct db *db, struct error *err)
{
	const struct suppress_options *o = call->target;
	struct db_result *rows = suppressions_query(db, err);

	if (!rows || !o->as_file)
		return depot_print_rows(call, o->output, &suppressions_head, rows, err);
	suppressions_write_file(call->out, rows);
	db_result_free(rows);
	return true;
}

static bool
remove_numbers(struct command_call *call, struct db *db, struct error *err)
{
	const struct suppress_options *o = call->target;

	return suppressions_remove(db, o->ids, call->operands.count - 1, err);
}

static int
do_rm(struct command_call *call, struct error *err)
{
	struct suppress_options *o = call->target;
	size_t count = call->operands.count - 1;
	struct number n;

	o->ids = arena_alloc_array(call->arena, count, sizeof(*o->ids));
	for (size_t i = 0; i < count; i++) {
		const char *word = call->operands.items[i + 1];

		if (number_parse(text_from(word), &n) == NUMBER_OK &&
			number_to_int64(n, &o->ids[i]))
			continue;
		error_set(err, ERROR_USAGE, "\"%.100s\" is not a suppression number", word);
		error_hint(err, "\"profdepot suppress list\" shows them");
		return -1;
	}
	return depot_run(call, DB_ROLE_LOADER, remove_numbers, err);
}

static int
suppress_run(struct command_call *call, struct error *err)
{
	const struct suppress_options *o = call->target;
	const char *verb = call->operands.count ? call->operands.items[0] : "";
	bool describes = o->patterns.count || o->reason || o->author || o->expires;

	if (strcmp(verb, "add") == 0 && !o->as_file)
		return do_add(call, err);
	if (strcmp(verb, "list") == 0 && call->operands.count == 1 && !describes)
		return depot_run(call, DB_ROLE_READER, print_list, err);
	if (strcmp(verb, "rm") == 0 && call->operands.count > 1 && !describes && !o->as_file)
		return do_rm(call, err);
	error_set(err, ERROR_USAGE, "expected add, list or rm");
	error_hint(err, "profdepot suppress add FILE, suppress list or suppress rm NUMBER");
	return -1;
}

const struct command command_suppress = {
	.name = "suppress",
	.operands = "add|list|rm [FILE...|NUMBER...]",
	.summary = "manage suppressions of known leaks and errors",
	.description =
		"Reports on leaks and errors hide the records that a suppression of the depot matches, "
		"and print their number. Each suppression has a reason, an author and "
		"optionally a last day. After that day it hides nothing and is reported as expired.\n\n"
		"add reads files in the syntax of valgrind or the sanitizers; a file can contain "
		"both. The FILE - is standard input. If any entry is invalid, nothing is added. Adding a "
		"suppression that already exists updates its author, last day and, if given, its "
		"reason.\n\n"
		"list shows all suppressions. With --as-file it writes the suppressions that apply today, "
		"as a suppression file.\n\n"
		"rm removes suppressions by number.\n\n"
		"\"profdepot report suppressions\" shows how often each suppression matched. "
		"profdepot-suppress(1) describes both syntaxes.",
	.options = suppress_specs,
	.target_size = sizeof(struct suppress_options),
	.defaults = &(const struct suppress_options){ .output = "text" },
	.run = suppress_run,
};
