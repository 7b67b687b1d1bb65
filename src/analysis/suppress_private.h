/* Shared by the files that parse, match and write suppressions. */
#ifndef PROFDEPOT_ANALYSIS_SUPPRESS_PRIVATE_H
#define PROFDEPOT_ANALYSIS_SUPPRESS_PRIVATE_H

#include "analysis/suppress_write.h"

/* The part of a frame that a pattern is matched with. */
enum pattern_part {
	PATTERN_FUNCTION,
	PATTERN_MODULE,
	PATTERN_FILE,
	PATTERN_ANY, /* function, file or module: the sanitizers' patterns */
	PATTERN_MORE /* "...": any frames */
};

struct suppress_pattern {
	enum pattern_part part;
	bool question; /* ? matches one character */
	bool exact;    /* no wildcard in it */
	struct text glob;
	struct text literal; /* the longest piece without wildcard, which every match contains */
	int64_t line;        /* of src:FILE:LINE; 0 means any */
};

/* The "malloc" in "__interceptor_malloc", the sanitizers' replacement; otherwise NULL. */
struct text interceptor_target(struct text name);

/* Splits the glob into its pieces. */
void pattern_compile(struct suppress_pattern *p);
/* Whether the text matches as a whole. The pattern must be compiled. */
bool pattern_glob(const struct suppress_pattern *p, struct text t);

enum suppress_leak_kind {
	LEAK_DEFINITE = 1,
	LEAK_INDIRECT = 2,
	LEAK_POSSIBLE = 4,
	LEAK_REACHABLE = 8,
	LEAK_ALL = 15
};

/* The frames of a subject that an entry is matched with. */
enum kind_scope {
	SCOPE_PREFIX,      /* valgrind: the beginning of the first stack */
	SCOPE_FRAMES,      /* any frame of any stack */
	SCOPE_TOP,         /* the innermost frame of each stack */
	SCOPE_DESCRIPTION, /* the error's description instead */
};

/* A kind of suppression with rules of its own. */
struct kind_row {
	const char *word; /* "Addr", "race" */
	enum suppress_syntax syntax;
	enum kind_scope scope;
	enum pattern_part part; /* for a sanitizer */
	bool leak;
	bool sized; /* followed by a number of bytes: Addr4 */
	bool extra; /* followed by a line with a name: Param */
	/* kind words of errors, separated by blanks, as kind_key makes them; "*" at an end matches
	 * anything; NULL: the kind's own name */
	const char *errors;
};

/* Turns "Uninit-Condition" into "uninitcondition", at most size - 1 bytes. */
void kind_key(struct text word, char *key, size_t size);

/* The row of "Addr4" or "race"; NULL if unknown. *size is the number after the word. */
const struct kind_row *kind_find(enum suppress_syntax syntax, struct text word, int *size);

/* Whether one of the tools ("Memcheck,Helgrind") has this kind. Tools other than valgrind's may
 * have any kind. If not, *hint lists the kinds. */
bool kind_known(struct text tool_list, struct text word, const char **hint);

/* A subject's leak kinds; all of them if unknown. */
unsigned kind_leak_bits(struct text leak_kind);

/* Whether the entry is about such subjects, regardless of their frames. */
bool kind_fits(const struct suppression *s, const struct suppress_subject *subject);

/* A subject's kind as text: in valgrind's syntax "Addr4" and the line after it, in the sanitizers'
 * "race", or NULL if they have no kind for it. extra is empty if there is no such line. intercepted is
 * frame_is_intercepted of the first frame. */
void kind_write_valgrind(const struct suppress_subject *subject, char kind[128], char extra[1024]);
const struct kind_row *kind_write_sanitizer(
	const struct suppress_subject *subject, bool intercepted, char kind[128]);

/* Whether it has a function name, not only a module or an address. */
bool frame_has_function(const struct suppress_routine *r);

/* Whether a sanitizer replaces this function, such as memcpy. */
bool frame_is_intercepted(const struct suppress_routine *r);

/* The frame to match: the first one that is neither an allocator nor the start of a program or
 * thread, if possible not of a language's runtime; otherwise a module without names that is not the
 * program's own; otherwise *too_much and a frame that would hide more than the finding. NULL if no
 * frame has a name. top_only: the first frame in any case. */
const struct suppress_routine *frame_best(
	const struct suppress_routine *frames, size_t count, bool top_only, bool *too_much);

/* Turns a mangled pattern into a glob over demangled names: "_ZN3Foo3bar*" becomes "Foo::bar*".
 * NULL text if it is not mangled. */
struct text mangled_glob(struct arena *a, struct text pattern);
/* Writes a pattern that the function's mangled name matches: "Foo::bar(int)" becomes
 * "_Z*3Foo3bar*". False if the name is not C++. */
bool mangled_guess(struct strbuf *out, struct text name);

#endif
