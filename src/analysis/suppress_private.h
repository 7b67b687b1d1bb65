/* Between the files that read, match and write suppressions. */
#ifndef PROFDEPOT_ANALYSIS_SUPPRESS_PRIVATE_H
#define PROFDEPOT_ANALYSIS_SUPPRESS_PRIVATE_H

#include "analysis/suppress_write.h"

/* What of a frame a pattern is held against. */
enum pattern_part {
	PATTERN_FUNCTION,
	PATTERN_MODULE,
	PATTERN_FILE,
	PATTERN_ANY, /* function, file or module: the sanitizers' */
	PATTERN_MORE /* "...": any frames */
};

struct suppress_pattern {
	enum pattern_part part;
	bool question; /* ? stands for one character */
	bool exact;    /* no wildcard in it */
	struct text glob;
	struct text literal; /* the longest piece without wildcard: must be in what matches */
	int64_t line;        /* of src:FILE:LINE; 0: any */
};

/* "malloc" of "__interceptor_malloc", as sanitizers call what they stand in for; else NULL. */
struct text interceptor_target(struct text name);

/* Takes the glob's pieces apart. */
void pattern_compile(struct suppress_pattern *p);
/* text must match whole; the pattern was compiled. */
bool pattern_glob(const struct suppress_pattern *p, struct text t);

enum suppress_leak_kind {
	LEAK_DEFINITE = 1,
	LEAK_INDIRECT = 2,
	LEAK_POSSIBLE = 4,
	LEAK_REACHABLE = 8,
	LEAK_ALL = 15
};

/* Which frames of a subject an entry looks at. */
enum kind_scope {
	SCOPE_PREFIX,      /* valgrind: the beginning of the first stack */
	SCOPE_FRAMES,      /* any frame of any stack */
	SCOPE_TOP,         /* the innermost frame of each stack */
	SCOPE_DESCRIPTION, /* none: what is said of the error */
};

/* A kind of suppression that has rules of its own. */
struct kind_row {
	const char *word; /* "Addr", "race" */
	enum suppress_syntax syntax;
	enum kind_scope scope;
	enum pattern_part part; /* of a sanitizer's */
	bool leak;
	bool sized;         /* a number of bytes follows: Addr4 */
	bool extra;         /* a line with a name follows: Param */
	const char *errors; /* kind words of errors, parted by blanks, as kind_key makes them;
			     * "*" at an end: any that begins or ends so; NULL: its own name */
};

/* "Uninit-Condition" becomes "uninitcondition"; at most size - 1 bytes. */
void kind_key(struct text word, char *key, size_t size);

/* The row of "Addr4" or "race"; NULL when it has none. *size: the number behind it. */
const struct kind_row *kind_find(enum suppress_syntax syntax, struct text word, int *size);

/* Is it a kind of one of the tools ("Memcheck,Helgrind")? Tools that are not valgrind's may have
 * any. Else *hint tells what there is. */
bool kind_known(struct text tool_list, struct text word, const char **hint);

/* Leak kinds of a subject; all of them when it does not say. */
unsigned kind_leak_bits(struct text leak_kind);

/* Does the entry speak of such subjects, whatever their frames? */
bool kind_fits(const struct suppression *s, const struct suppress_subject *subject);

/* "Addr4" and the line behind it, for a subject in valgrind's syntax; "race" in the
 * sanitizers', NULL when these have none for it. Lines into the buffers; extra is empty when there
 * is none. intercepted: as frame_is_intercepted says of the first frame. */
void kind_write_valgrind(const struct suppress_subject *subject, char kind[128], char extra[1024]);
const struct kind_row *kind_write_sanitizer(
	const struct suppress_subject *subject, bool intercepted, char kind[128]);

/* Has it a name of a function, or only a module or address? */
bool frame_has_function(const struct suppress_routine *r);

/* Is it a function that a sanitizer stands in for, such as memcpy? */
bool frame_is_intercepted(const struct suppress_routine *r);

/* The frame to look for: the first that is neither an allocator nor the start of a program or
 * thread, if there is one a language's runtime has not; else a module without names that is not the
 * program's own; else *too_much and what would hide more than meant. NULL: no frame has a name.
 * top_only: the first frame, whatever it is. */
const struct suppress_routine *frame_telling(
	const struct suppress_routine *frames, size_t count, bool top_only, bool *too_much);

/* A mangled pattern as a glob over demangled names: "_ZN3Foo3bar*" becomes "Foo::bar*".
 * NULL text when it is none. */
struct text mangled_glob(struct arena *a, struct text pattern);
/* A pattern that the mangled name of such a function matches: "Foo::bar(int)" becomes
 * "_Z*3Foo3bar*". False when the name has no C++ in it. */
bool mangled_guess(struct strbuf *out, struct text name);

#endif
