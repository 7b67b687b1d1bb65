/*
 * Option tables: one table gives parsing, --help, the man page's option list
 * and the shell completion.
 *
 * A command's options live in a plain struct; each row of its table says
 * which member it fills and how. Members: bool for OPTION_FLAG, const char *
 * for OPTION_TEXT and OPTION_CHOICE (NULL: not given), int64_t for
 * OPTION_INT, struct option_list for OPTION_LIST (may be given repeatedly).
 */
#ifndef PROFDEPOT_BASE_OPTION_H
#define PROFDEPOT_BASE_OPTION_H

#include "base/arena.h"
#include "base/error.h"

#include <stdint.h>
#include <stdio.h>

enum option_kind {
	OPTION_FLAG,
	OPTION_TEXT,
	OPTION_INT,
	OPTION_CHOICE,
	OPTION_LIST,
};

enum {
	OPTION_LIST_MAX = 1000
};

struct option_list {
	const char **items;
	size_t count;
};

struct option_spec {
	const char *name; /* without the dashes */
	char letter;      /* short form, 0 for none */
	enum option_kind kind;
	const char *value;   /* what help calls the value, NULL for a flag */
	const char *help;    /* one sentence without a full stop */
	size_t offset;       /* of the member in the command's struct */
	const char *choices; /* OPTION_CHOICE: "text|csv|json" */
	int64_t min;         /* OPTION_INT: range, both ends allowed. OPTION_CHOICE: 1 when the
			      * value may be left out, for the first choice; else =VALUE */
	int64_t max;
};

/*
 * Parses argv[0..argc-1] (no program name). Options may stand anywhere;
 * "--" ends them; --name=value and --name value, -x value and -xvalue; a name
 * may be shortened while it stays unique. What is no option goes to
 * *operands (in the arena, order kept). `tables` is a list of tables, each
 * filling its own target; it ends with both members NULL (specs alone may be).
 * On error: ERROR_USAGE, with the nearest name as a hint.
 */
struct option_table {
	const struct option_spec *specs; /* ends with .name == NULL */
	void *target;
};

bool option_parse(const struct option_table *tables, int argc, char **argv, struct arena *a,
	struct option_list *operands, struct error *err);

/* The lines of --help for one table, wrapped at 80 columns. */
void option_print_help(const struct option_spec *specs, FILE *out);

/* "123", "64K", "10M", "2G" (powers of 1024) as bytes; false when it is none. */
bool option_parse_bytes(const char *s, int64_t *out);

/* Edits that turn a into b: small if one is a misspelt form of the other. */
size_t option_distance(const char *a, const char *b);

#endif
