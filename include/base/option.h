/*
 * Option tables: parsing, --help, the man page's option list and shell completion come from one
 * table.
 *
 * A command's options are stored in a plain struct; each row of its table names the member to fill.
 * Members: bool for OPTION_FLAG, const char * for OPTION_TEXT and OPTION_CHOICE (NULL if not
 * given), int64_t for OPTION_INT, struct option_list for OPTION_LIST (may be repeated).
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

struct option_list {
	const char **items;
	size_t count;
};

struct option_spec {
	const char *name; /* without the dashes */
	char letter;      /* short form, or 0 */
	enum option_kind kind;
	const char *value;   /* the value's name in --help; NULL for a flag */
	const char *help;    /* one sentence without a full stop */
	size_t offset;       /* offset of the member to fill */
	const char *choices; /* OPTION_CHOICE: "text|csv|json" */
	/* OPTION_INT: the range, inclusive. OPTION_CHOICE: 1 if the value is optional (given as
	 * =VALUE) and defaults to the first choice */
	int64_t min;
	int64_t max;
};

/*
 * Parses argv[0..argc-1] (without the program name). Options and operands may be mixed; "--" ends
 * the options. Forms: --name=value, --name value, -x value, -xvalue; a name may be abbreviated
 * if it is still unique. All other arguments go to *operands (in the arena, in order). Each entry
 * of `tables` has its own target. In the last entry, both members are NULL. In other entries, only
 * `specs` may be NULL. Fails with ERROR_USAGE; the hint is the nearest name.
 */
struct option_table {
	const struct option_spec *specs; /* ends with .name == NULL */
	void *target;
};

bool option_parse(const struct option_table *tables, int argc, char **argv, struct arena *a,
	struct option_list *operands, struct error *err);

/* Prints the --help lines of a table. width is in columns; 0 means 80. */
void option_print_help(const struct option_spec *specs, size_t width, FILE *out);

/* Prints s in lines of at most `width` columns. The caller has written `indent` columns of the
 * first line. Further lines begin with `indent` blanks. Line breaks in s are kept. */
void option_print_wrapped(const char *s, size_t indent, size_t width, FILE *out);

/* Parses "123", "64K", "10M", "2G" (powers of 1024) as bytes. Returns false if s is invalid. */
bool option_parse_bytes(const char *s, int64_t *out);

/* Returns how many edits turn `a` into `b`. The number is small if one is a misspelling of the other. */
size_t option_distance(const char *a, const char *b);

#endif
