/*
 * Suppressions: entries that hide known findings.
 *
 * Two syntaxes may be mixed in a text:
 * - valgrind (manual, "Suppressing errors"): "{", a name, TOOL[,TOOL]:KIND, further lines that
 *   the kind requires (match-leak-kinds: for Leak, the parameter for Param ...), frames from the
 *   innermost outwards, "}". A frame is fun:, obj: or src:FILE[:LINE], with the wildcards * and ?,
 *   or "..." for any number of frames. The frames must match the beginning of the stack.
 * - sanitizers (LeakSanitizer's wiki page, ThreadSanitizerSuppressions, UBSan's manual):
 *   TYPE:PATTERN, one per line. PATTERN is searched for in the function name, source file and
 *   module of every frame; * matches any text, ^ and $ match the beginning and the end.
 * In both syntaxes, blank lines and lines that begin with # are comments.
 *
 * An entry for one tool also matches findings of other tools. Leaks from all tools are treated alike, and so
 * are error kinds with the same meaning (see the table in suppress_kind.c). These functions use
 * neither files nor the depot.
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
	SUPPRESS_MAX_FRAMES = 512,    /* per entry */
	SUPPRESS_MAX_ENTRIES = 100000 /* per list */
};

enum suppress_syntax {
	SUPPRESS_VALGRIND,
	SUPPRESS_SANITIZER
};

/* Where an entry comes from. Entries are tried in the order in which they were added. */
enum suppress_origin {
	SUPPRESS_OF_FILE,       /* --suppressions */
	SUPPRESS_OF_DEPOT,      /* added with profdepot suppress add */
	SUPPRESS_OF_RESULT_SET, /* contained in the input */
	SUPPRESS_STANDARD,      /* --hide-standard-leaks */
	SUPPRESS_ORIGINS
};

/* Describes the text to parse. `file` and `name` must live as long as the list. */
struct suppress_place {
	enum suppress_origin origin;
	const char *file; /* for messages and reports */
	size_t line;      /* number of lines that precede the text in its file */
	int64_t id;       /* the entry's ID in the depot; 0 if it is not stored there */
	struct text name; /* replaces the entry's name; NULL keeps the name */
	bool expired;     /* the entry is listed, but matches nothing */
};

struct suppress_pattern;

struct suppression {
	struct suppress_place place; /* place.line: the entry's first line in the file */
	enum suppress_syntax syntax;
	struct text name; /* valgrind: the first line; sanitizers: the whole line */
	struct text kind; /* "Memcheck:Leak", "leak" */
	struct text body; /* the entry as written, without comments, lines separated by LF */
	/* The following members are private to suppress_*.c. */
	struct text extra;         /* the parameter of Param and similar kinds; NULL matches any */
	unsigned leak_kinds;       /* bits of enum suppress_leak_kind */
	int size;                  /* number of bytes, for Addr4 and similar kinds */
	const struct kind_row *of; /* NULL: matches errors whose kind is exactly `kind` */
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

/* Copies the text, and adds all its entries. On ERROR_INPUT, the message names the file and line,
 * and the list is unchanged. */
bool suppress_parse(struct suppress_list *l, const struct suppress_place *place, struct text text,
	struct error *err);

/* Returns the origin's name in lower case: file, depot, result set or standard. */
const char *suppress_origin_name(enum suppress_origin origin);

/* Demangles a symbol into the arena; NULL if it is not mangled. */
typedef const char *suppress_demangle(struct arena *a, struct text symbol);

struct suppress_matcher;

#define SUPPRESS_NONE SIZE_MAX

/* Returns whether any entry of the list needs the lines of frames. */
bool suppress_asks_lines(const struct suppress_list *l);

/* Borrows `l` and `routines`, which must not change. demangle may be NULL. */
struct suppress_matcher *suppress_matcher_new(const struct suppress_list *l,
	const struct suppress_routine *routines, size_t routine_count, suppress_demangle *demangle);
void suppress_matcher_free(struct suppress_matcher *m); /* NULL is allowed */

/* Returns the index of the first matching entry, and counts the match for this entry. Returns SUPPRESS_NONE if no
 * entry matches. */
size_t suppress_match(struct suppress_matcher *m, const struct suppress_subject *s);

/* Returns the use of each entry, in the order of the list. */
const struct suppress_use *suppress_uses(const struct suppress_matcher *m);

#endif
