/*
 * A piece of text that somebody else owns.
 *
 * `data` is UTF-8 and not NUL terminated. data == NULL is the SQL NULL; an
 * empty string has a data pointer and size 0. A struct text is borrowed: it
 * lives as long as the function that handed it over says.
 */
#ifndef PROFDEPOT_BASE_TEXT_H
#define PROFDEPOT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct text {
	const char *data;
	size_t size; /* bytes */
};

#define TEXT_NULL ((struct text){ NULL, 0 })
#define TEXT_LITERAL(s) ((struct text){ (s), sizeof(s) - 1 })

/* The form of a word beside a number: by_count(n, "call is", "calls are"). */
static inline const char *
by_count(unsigned long long n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

static inline struct text
text_from(const char *s)
{
	return (struct text){ s, s ? strlen(s) : 0 };
}

static inline bool
text_is_null(struct text t)
{
	return t.data == NULL;
}

/* NULL and the empty string are the same here. */
static inline bool
text_is_empty(struct text t)
{
	return t.size == 0;
}

/* Byte for byte; NULL equals only NULL. */
bool text_equal(struct text a, struct text b);

/* ASCII letters compare without regard to case. */
bool text_equal_nocase(struct text a, struct text b);

/* Order of the bytes, shorter first on a tie (COLLATE "C"); NULL before all. */
int text_compare(struct text a, struct text b);

/* Removes ASCII blanks at both ends. */
struct text text_trim(struct text t);

/*
 * Does `t` match a glob: `*` any run, `?` one character (byte), all else
 * itself, ASCII letters without regard to case? No brackets, no escapes.
 */
bool text_glob(struct text t, const char *pattern);

/* Length of the longest valid UTF-8 prefix of data; == size when all is valid.
 * Surrogates, overlong forms, code points beyond U+10FFFF are invalid. */
size_t text_utf8_prefix(const char *data, size_t size);

/* At most `max` bytes of it, whole characters only: the precision of a %.*s. */
int text_precision(struct text t, size_t max);

#endif
