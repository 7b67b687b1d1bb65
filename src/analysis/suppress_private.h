/* Shared by the files that parse, match and write suppressions. */
#ifndef PROFDEPOT_ANALYSIS_SUPPRESS_PRIVATE_H
#define PROFDEPOT_ANALYSIS_SUPPRESS_PRIVATE_H

#include "analysis/suppress_write.h"

/* Which part of a frame a pattern is compared with. */
enum pattern_part {
	PATTERN_FUNCTION,
	PATTERN_MODULE,
	PATTERN_FILE,
	PATTERN_ANY, /* function, file or module, for the sanitizers' patterns */
	PATTERN_MORE /* "...": any frames */
};

struct suppress_pattern {
	enum pattern_part part;
	bool question; /* whether ? matches one character */
	bool exact;    /* the pattern has no wildcard */
	struct text glob;
	struct text literal; /* the longest piece without a wildcard, which every match contains */
	int64_t line;        /* line in src:FILE:LINE; 0 means any */
};

/* Returns "malloc" for "__interceptor_malloc", which is the name of the sanitizers' own malloc. Returns NULL for other
 * names. */
struct text interceptor_target(struct text name);

/* Sets `exact` and `literal` according to the glob. */
void pattern_compile(struct suppress_pattern *p);
/* Returns whether the pattern matches the whole text. `exact` and `literal` must be set. */
bool pattern_glob(const struct suppress_pattern *p, struct text t);

enum suppress_leak_kind {
	LEAK_DEFINITE = 1,
	LEAK_INDIRECT = 2,
	LEAK_POSSIBLE = 4,
	LEAK_REACHABLE = 8,
	LEAK_ALL = 15
};

/* Which frames of a subject an entry is compared with. */
enum kind_scope {
	SCOPE_PREFIX,      /* valgrind: the beginning of the first stack */
	SCOPE_FRAMES,      /* any frame of any stack */
	SCOPE_TOP,         /* the innermost frame of each stack */
	SCOPE_DESCRIPTION, /* not a frame, but the error's description */
};

/* A kind of suppression that has special rules. */
struct kind_row {
	const char *word; /* "Addr", "race" */
	enum suppress_syntax syntax;
	enum kind_scope scope;
	enum pattern_part part; /* what a sanitizer's pattern is matched with */
	bool leak;
	bool sized; /* the kind is followed by a number of bytes: Addr4 */
	bool extra; /* the kind is followed by a line with a name: Param */
	/* globs for kinds of errors, separated by blanks; the kinds are in the form that kind_key
	 * makes */
	const char *errors;
};

/* Takes the next word from a comma-separated list; returns false at the end of the list. */
bool suppress_next_word(struct text *list, struct text *word);

/* Turns "Uninit-Condition" into "uninitcondition", at most size - 1 bytes. */
void kind_key(struct text word, char *key, size_t size);

/* The row for a kind such as "Addr4"; NULL if unknown. *size receives the number, such as 4. */
const struct kind_row *kind_find(enum suppress_syntax syntax, struct text word, int *size);

/* Returns whether one of the tools ("Memcheck,Helgrind") has this kind. For tools other than
 * valgrind's, any kind is accepted. If the kind is unknown, *hint lists the known kinds. */
bool kind_known(struct text tool_list, struct text word, const char **hint);

/* Returns the bits of a leak kind (enum suppress_leak_kind); LEAK_ALL if the kind is unknown. */
unsigned kind_leak_bits(struct text leak_kind);

/* Returns whether the entry's kind includes the subject's kind. Ignores frames. */
bool kind_fits(const struct suppression *s, const struct suppress_subject *subject);

/* These functions write a subject's kind, such as "Addr4" in valgrind's syntax or "race" in the
 * sanitizers' syntax. `extra` receives the line that follows valgrind's kind, or "" if there is no
 * such line. kind_write_sanitizer returns NULL if the sanitizers have no such kind. `intercepted`
 * must be what frame_is_intercepted returns for the first frame. */
void kind_write_valgrind(const struct suppress_subject *subject, char kind[128], char extra[1024]);
const struct kind_row *kind_write_sanitizer(
	const struct suppress_subject *subject, bool intercepted, char kind[128]);

/* Returns whether the frame has a function name, not only a module or an address. */
bool frame_has_function(const struct suppress_routine *r);

/* Returns whether a sanitizer replaces this function, such as memcpy. */
bool frame_is_intercepted(const struct suppress_routine *r);

/* Returns the frame that a new entry should match. The first choice is a function that is neither an
 * allocator nor the start of a program or thread, and preferably not part of a language's runtime. The
 * second choice is a frame without a function name in a module other than the program. Otherwise sets *too_much and
 * returns a frame whose entry would also hide other findings. Returns NULL if no frame has the name of a function or
 * module. If top_only, considers only the first frame. */
const struct suppress_routine *frame_best(
	const struct suppress_routine *frames, size_t count, bool top_only, bool *too_much);

/* Turns a mangled pattern into a glob over demangled names: "_ZN3Foo3bar*" becomes "Foo::bar*".
 * Returns a NULL text if the pattern is not mangled. */
struct text mangled_glob(struct arena *a, struct text pattern);
/* Appends a pattern that matches the mangled form of a demangled name: "Foo::bar(int)" becomes
 * "_Z*3Foo3bar*". Returns false if it finds no such pattern, for example because `name` is not a C++ name. */
bool mangled_guess(struct strbuf *out, struct text name);

#endif
