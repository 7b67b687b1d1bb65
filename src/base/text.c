/* Texts: comparison, search, globs and UTF-8 validation. */
#include "base/text.h"

bool
text_ends(struct text t, const char *word)
{
	size_t n = strlen(word);

	return t.size >= n && memcmp(t.data + t.size - n, word, n) == 0;
}

bool
text_ends_nocase(struct text t, const char *word)
{
	size_t n = strlen(word);

	return t.size >= n &&
	       text_equal_nocase((struct text){ t.data + t.size - n, n }, (struct text){ word, n });
}

/* Searches for the word's first byte with memchr. This is fast enough because words are short. */
size_t
text_find_text(struct text t, struct text word)
{
	const char *at = t.size ? t.data : NULL;
	const char *end = at ? at + t.size : NULL;

	while (at && (size_t)(end - at) >= word.size) {
		at = memchr(at, word.data[0], (size_t)(end - at) - word.size + 1);
		if (!at)
			break;
		if (memcmp(at, word.data, word.size) == 0)
			return (size_t)(at - t.data);
		at++;
	}
	return TEXT_NOT_FOUND;
}

size_t
text_find(struct text t, const char *word)
{
	return text_find_text(t, text_from(word));
}

struct text
text_file_name(struct text path)
{
	size_t begin = path.size;

	while (begin && path.data[begin - 1] != '/' && path.data[begin - 1] != '\\')
		begin--;
	return text_from_at(path, begin);
}

bool
text_equal(struct text a, struct text b)
{
	if (!a.data || !b.data)
		return !a.data && !b.data;
	return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

size_t
text_among(struct text t, const char *const *words, size_t count)
{
	size_t i = 0;

	while (i < count && !text_equal(t, text_from(words[i])))
		i++;
	return i;
}

bool
text_equal_nocase(struct text a, struct text b)
{
	if (!a.data || !b.data)
		return !a.data && !b.data;
	if (a.size != b.size)
		return false;
	for (size_t i = 0; i < a.size; i++)
		if (char_lower(a.data[i]) != char_lower(b.data[i]))
			return false;
	return true;
}

bool
text_among_nocase(struct text t, const char *const *words)
{
	while (*words && !text_equal_nocase(t, text_from(*words)))
		words++;
	return *words != NULL;
}

int
text_compare(struct text a, struct text b)
{
	size_t n = a.size < b.size ? a.size : b.size;
	int c;

	if (!a.data || !b.data)
		return (a.data != NULL) - (b.data != NULL);
	c = n ? memcmp(a.data, b.data, n) : 0;
	if (c != 0)
		return c;
	return (a.size > b.size) - (a.size < b.size);
}

bool
text_is_digits(struct text t)
{
	size_t n = 0;

	while (n < t.size && char_is_digit(t.data[n]))
		n++;
	return n && n == t.size;
}

struct text
text_trim(struct text t)
{
	while (t.size && char_is_space(t.data[0])) {
		t.data++;
		t.size--;
	}
	while (t.size && char_is_space(t.data[t.size - 1]))
		t.size--;
	return t;
}

bool
text_glob(struct text t, const char *pattern)
{
	const char *star = NULL; /* where to resume after a mismatch */
	size_t i = 0;
	size_t mark = 0;

	while (i < t.size) {
		if (*pattern == '*') {
			star = ++pattern;
			mark = i;
		} else if (*pattern &&
			   (*pattern == '?' || char_lower(*pattern) == char_lower(t.data[i]))) {
			pattern++;
			i++;
		} else if (star) {
			pattern = star;
			i = ++mark;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

size_t
text_utf8_prefix(const char *data, size_t size)
{
	const unsigned char *p = (const unsigned char *)data;
	size_t i = 0;

	while (i < size) {
		size_t step;
		size_t bad;

		/* Most input is ASCII: check eight bytes at a time. */
		while (i + 8 <= size) {
			uint64_t word;

			memcpy(&word, p + i, 8);
			if (word & UINT64_C(0x8080808080808080))
				break;
			i += 8;
		}
		if (i == size)
			break;
		step = p[i] < 0x80 ? 1 : utf8_sequence(data + i, size - i, &bad);
		if (step == 0)
			break;
		i += step;
	}
	return i;
}

int
text_precision(struct text t, size_t max)
{
	return t.data ? (int)text_utf8_prefix(t.data, t.size < max ? t.size : max) : 0;
}
