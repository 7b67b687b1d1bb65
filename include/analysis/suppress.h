/*
 * Suppressions: what is known, and why it need not be shown again.
 *
 * Two syntaxes are read, found entry by entry:
 * - valgrind's (its manual, "Suppressing errors"): "{", a name, TOOL[,TOOL]:KIND, further
 *   lines that belong to the kind (match-leak-kinds: of Leak, the parameter of Param ...),
 *   frames from the innermost outwards, "}". A frame is fun:, obj: or src:FILE[:LINE], with
 *   the wildcards * and ?, or "..." for any frames. The frames match the beginning of a stack.
 * - the sanitizers' (LeakSanitizer's wiki page, ThreadSanitizerSuppressions, UBSan's manual):
 *   TYPE:PATTERN, a line each. PATTERN is looked for in the function's name, its source file
 *   and its module, of any frame; * stands for anything, ^ and $ bind it to the ends.
 * Blank lines and lines that begin with # are comments in both.
 *
 * Which tool an entry was written for does not matter: a leak is a leak, and kinds of errors
 * that mean the same are taken for the same (suppress_kind.c holds the table).
 *
 * Pure functions: nothing here knows files or the depot.
 */
#ifndef PROFDEPOT_ANALYSIS_SUPPRESS_H
#define PROFDEPOT_ANALYSIS_SUPPRESS_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "model/suppress_facts.h"

#include <stdint.h>

enum {
	SUPPRESS_MAX_FILE_BYTES = 16 * 1024 * 1024,
	SUPPRESS_MAX_LINE_BYTES = 16 * 1024,
	SUPPRESS_MAX_FRAMES = 512,    /* of one entry */
	SUPPRESS_MAX_ENTRIES = 100000 /* of one list */
};

enum suppress_syntax {
	SUPPRESS_VALGRIND,
	SUPPRESS_SANITIZER
};

/* Where an entry comes from; those of one list match in the order they were added. */
enum suppress_origin {
	SUPPRESS_OF_FILE,       /* --suppressions */
	SUPPRESS_OF_DEPOT,      /* profdepot suppress add */
	SUPPRESS_OF_RESULT_SET, /* came with the input */
	SUPPRESS_STANDARD,      /* --hide-standard-leaks */
	SUPPRESS_ORIGINS
};

/* What is told of the text that is read. Texts last as long as the list. */
struct suppress_place {
	enum suppress_origin origin;
	const char *file; /* for messages and reports */
	size_t line;      /* of the text's first line, less 1 */
	int64_t id;       /* of the depot; 0: none */
	struct text name; /* in place of the entry's own; NULL: none */
	bool expired;     /* is told, but matches nothing */
};

struct suppress_pattern;

struct suppression {
	struct suppress_place place; /* line: where the entry begins */
	enum suppress_syntax syntax;
	struct text name; /* valgrind's first line; the whole line of a sanitizer's */
	struct text kind; /* "Memcheck:Leak", "leak" */
	struct text body; /* as written, without comments, lines parted by LF */
	/* What follows is suppress_*.c's own. */
	struct text extra;         /* of Param and the like; NULL: any */
	unsigned leak_kinds;       /* bits of enum suppress_leak_kind */
	int size;                  /* bytes, of Addr4 and the like */
	const struct kind_row *of; /* NULL: errors whose kind has this very name */
	const struct suppress_pattern *patterns;
	size_t pattern_count;
};

struct suppress_list {
	struct arena arena;
	struct suppression *items;
	size_t count, capacity;
};

void suppress_list_init(struct suppress_list *l);
void suppress_list_release(struct suppress_list *l);

/* Adds the entries of a text, which is copied. ERROR_INPUT with the file and line; then the
 * list is as it was. */
bool suppress_parse(struct suppress_list *l, const struct suppress_place *place, struct text text,
	struct error *err);

/* Lower case word of an origin: file, depot, result set, standard. */
const char *suppress_origin_name(enum suppress_origin origin);

/* --- matching -------------------------------------------------------------------------------- */

/* Demangles a symbol into the arena; NULL when it is none. */
typedef const char *suppress_demangle(struct arena *a, struct text symbol);

struct suppress_matcher;

#define SUPPRESS_NONE SIZE_MAX

/* Does an entry ask for a frame's line? */
bool suppress_asks_lines(const struct suppress_list *l);

/* Borrows both; routines and the list must not change. demangle may be NULL. */
struct suppress_matcher *suppress_matcher_new(const struct suppress_list *l,
	const struct suppress_routine *routines, size_t routine_count, suppress_demangle *demangle);
void suppress_matcher_free(struct suppress_matcher *m); /* NULL does nothing */

/* Index in the list of the first entry that matches, or SUPPRESS_NONE; counts its use. */
size_t suppress_match(struct suppress_matcher *m, const struct suppress_subject *s);

/* By index in the list. */
const struct suppress_use *suppress_uses(const struct suppress_matcher *m);

#endif
