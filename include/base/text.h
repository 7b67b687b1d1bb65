/*
 * A borrowed piece of text.
 *
 * `data` is UTF-8 without a NUL at the end. data == NULL is the SQL NULL; an empty string has a
 * data pointer and size 0. A struct text owns nothing; how long it is valid depends on the function
 * that returns it.
 */
#ifndef PROFDEPOT_BASE_TEXT_H
#define PROFDEPOT_BASE_TEXT_H

#include "base/char.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct text {
	const char *data;
	size_t size; /* bytes */
};

#define TEXT_NULL ((struct text){ NULL, 0 })
#define TEXT_LITERAL(s) ((struct text){ (s), sizeof(s) - 1 })
#define TEXT_NOT_FOUND SIZE_MAX

/* Returns the singular or the plural: by_count(n, "call is", "calls are"). */
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

/* True for NULL and for the empty string. */
static inline bool
text_is_empty(struct text t)
{
	return t.size == 0;
}

/* Returns the text from byte `at` to its end; empty if `at` is beyond the end. */
static inline struct text
text_from_at(struct text t, size_t at)
{
	size_t skipped = at < t.size ? at : t.size;

	/* Adding to a null pointer is undefined, even adding 0. */
	return skipped ? (struct text){ t.data + skipped, t.size - skipped } : t;
}

/* Returns the first `size` bytes of the text, or the whole text if it is shorter. */
static inline struct text
text_up_to(struct text t, size_t size)
{
	return (struct text){ t.data, size < t.size ? size : t.size };
}

static inline bool
text_begins(struct text t, const char *word)
{
	size_t n = strlen(word);

	return t.size >= n && memcmp(t.data, word, n) == 0;
}

bool text_ends(struct text t, const char *word);
/* Like text_ends, but ignores the case of ASCII letters. */
bool text_ends_nocase(struct text t, const char *word);

/* Returns the offset of the first `word` (not empty), or TEXT_NOT_FOUND. */
size_t text_find(struct text t, const char *word);
size_t text_find_text(struct text t, struct text word);

/* Returns the path without its folders. Both / and \ are separators. */
struct text text_file_name(struct text path);

/* Compares bytes. NULL equals only NULL. */
bool text_equal(struct text a, struct text b);

/* Like text_equal, but ignores the case of ASCII letters. */
bool text_equal_nocase(struct text a, struct text b);

/* Returns the index of the word that equals the text, or count if no word does. */
size_t text_among(struct text t, const char *const *words, size_t count);

/* Returns whether the text equals a word of a NULL-terminated list. Ignores the case of ASCII
 * letters. */
bool text_among_nocase(struct text t, const char *const *words);

/* Compares bytes, like COLLATE "C". A text sorts after its prefixes, and NULL sorts before everything. */
int text_compare(struct text a, struct text b);

/* Returns whether the text has at least one byte, and all its bytes are ASCII digits. */
bool text_is_digits(struct text t);

/* Returns the text without the spaces, tabs, CR and LF at its ends. */
struct text text_trim(struct text t);

/*
 * Returns whether `t` matches a glob: `*` matches any bytes, `?` one byte. ASCII letters match
 * either case. There are no brackets and no escapes.
 */
bool text_glob(struct text t, const char *pattern);

/*
 * Returns the length of the longest prefix that is valid UTF-8. Surrogates,
 * overlong forms and code points beyond U+10FFFF are invalid.
 */
size_t text_utf8_prefix(const char *data, size_t size);

/* Returns the precision with which %.*s prints at most `max` bytes and no partial character. */
int text_precision(struct text t, size_t max);

#endif
