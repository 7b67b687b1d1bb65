/*
 * Fuzzes option tables: the bytes are split at NUL into argv. Checks that the arguments are either
 * parsed to values within the limits of the table, or refused with a usage error.
 */
#include "base/option.h"
#include "must.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ARGUMENTS = 64,
	BYTES = 4096
};

struct options {
	bool strict;
	const char *encoding;
	const char *render;
	int64_t max_issues;
	int64_t level;
	struct option_list labels;
};

struct common {
	bool quiet;
	const char *db;
};

static const struct option_spec specs[] = {
	{ "strict", 's', OPTION_FLAG, NULL, "refuse", offsetof(struct options, strict), NULL, 0,
		0 },
	{ "encoding", 'e', OPTION_TEXT, "NAME", "code page", offsetof(struct options, encoding),
		NULL, 0, 0 },
	{ "render", 0, OPTION_CHOICE, "HOW", "output", offsetof(struct options, render),
		"text|csv|json", 0, 0 },
	{ "max-issues", 'm', OPTION_INT, "N", "most", offsetof(struct options, max_issues), NULL, 0,
		1000000 },
	{ "max-level", 0, OPTION_INT, "N", "level", offsetof(struct options, level), NULL, -5, 5 },
	{ "label", 'l', OPTION_LIST, "K=V", "label", offsetof(struct options, labels), NULL, 0, 0 },
	{ NULL, 0, OPTION_FLAG, NULL, NULL, 0, NULL, 0, 0 },
};

static const struct option_spec common_specs[] = {
	{ "quiet", 'q', OPTION_FLAG, NULL, "say less", offsetof(struct common, quiet), NULL, 0, 0 },
	{ "db", 'd', OPTION_TEXT, "URI", "database", offsetof(struct common, db), NULL, 0, 0 },
	{ NULL, 0, OPTION_FLAG, NULL, NULL, 0, NULL, 0, 0 },
};

static int
split(char *bytes, size_t size, char **argv)
{
	int argc = 0;

	for (size_t i = 0; i < size && argc < ARGUMENTS; i += strlen(bytes + i) + 1)
		argv[argc++] = bytes + i;
	return argc;
}

static void
check_items(const struct option_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		MUST(list->items[i]);
}

static void
check(const struct options *o, const struct option_list *operands, int argc)
{
	MUST(o->max_issues >= 0 && o->max_issues <= 1000000);
	MUST(o->level >= -5 && o->level <= 5);
	MUST(!o->render || strcmp(o->render, "text") == 0 || strcmp(o->render, "csv") == 0 ||
		strcmp(o->render, "json") == 0);
	MUST(operands->count + o->labels.count <= (size_t)argc);
	check_items(operands);
	check_items(&o->labels);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct options o = { 0 };
	struct common c = { 0 };
	struct option_table tables[] = { { specs, &o }, { common_specs, &c }, { NULL, NULL } };
	struct option_list operands = { 0 };
	struct arena a = ARENA_INIT;
	struct error err = ERROR_INIT;
	char *argv[ARGUMENTS];
	char *bytes;
	int64_t parsed;
	int argc;

	if (size > BYTES)
		return 0;
	bytes = malloc(size + 1);
	MUST(bytes != NULL);
	if (size)
		memcpy(bytes, data, size);
	bytes[size] = '\0';
	argc = split(bytes, size, argv);
	if (option_parse(tables, argc, argv, &a, &operands, &err)) {
		MUST(err.code == ERROR_NONE);
		check(&o, &operands, argc);
	} else {
		MUST(err.code == ERROR_USAGE && err.message[0]);
	}
	if (option_parse_bytes(bytes, &parsed))
		MUST(parsed >= 0);
	arena_release(&a);
	free(bytes);
	return 0;
}
