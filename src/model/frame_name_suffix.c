/* What follows a name: offsets, symbol versions and the suffixes of cloned functions. */
#include "frame_name_private.h"

enum {
	PART_MAX_BYTES = 250
};

static bool
is_hex(char c)
{
	return char_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* The position of the opening bracket that matches the closing one at the end of t; t.size if there is none. */
static size_t
opening(struct text t, char open, char close)
{
	size_t at = t.size - 1;

	while (at && t.size - at <= PART_MAX_BYTES) {
		at--;
		if (t.data[at] == open)
			return at;
		if (t.data[at] == close)
			break;
	}
	return t.size;
}

/* " [clone .part.0]", " [0x401136]" */
static size_t
cut_brackets(struct text t)
{
	size_t at = opening(t, '[', ']');
	size_t digits;
	bool blank = at && at < t.size && t.data[at - 1] == ' ';

	if (at == t.size)
		return t.size;
	if (name_has(t, at, "[clone "))
		return at - blank;
	digits = at + 3;
	while (name_has(t, at, "[0x") && is_hex(t.data[digits]))
		digits++;
	return blank && digits > at + 3 && digits == t.size - 1 ? at - 1 : t.size;
}

/* " (.part.0)", " (in /usr/bin/app)" */
static size_t
cut_parentheses(struct text t)
{
	size_t at = opening(t, '(', ')');
	size_t i = at + 2;
	bool blank = at && at < t.size && t.data[at - 1] == ' ';

	if (at == t.size)
		return t.size;
	if (blank && name_has(t, at, "(in "))
		return at - 1;
	while (name_has(t, at, "(.") && (name_word_at(t, i) || t.data[i] == '.'))
		i++;
	return i > at + 2 && i == t.size - 1 ? at - blank : t.size;
}

static size_t
cut_word(struct text t, const char *word)
{
	size_t n = strlen(word);

	return t.size > n && name_has(t, t.size - n, word) ? t.size - n : t.size;
}

static size_t
cut_clone_word(struct text t)
{
	static const char *const words[] = { ".part", ".isra", ".constprop", ".lto_priv", ".llvm",
		".cold", ".hot", ".unlikely", ".localalias" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (cut_word(t, words[i]) < t.size)
			return cut_word(t, words[i]);
	return t.size;
}

/* ".part.0", ".cold" */
static size_t
cut_clone(struct text t)
{
	size_t digits = t.size;
	size_t cut;

	while (digits && t.size - digits < 30 && char_is_digit(t.data[digits - 1]))
		digits--;
	if (digits && digits < t.size && t.data[digits - 1] == '.') {
		cut = cut_clone_word((struct text){ t.data, digits - 1 });
		if (cut < digits - 1)
			return cut;
	}
	return cut_clone_word(t);
}

/* "+0x12", "+18" */
static size_t
cut_offset(struct text t)
{
	size_t hex = t.size;
	size_t digits = t.size;

	while (hex && t.size - hex < 16 && is_hex(t.data[hex - 1]))
		hex--;
	if (hex > 3 && hex < t.size && name_has(t, hex - 3, "+0x"))
		return hex - 3;
	while (digits && t.size - digits < 18 && char_is_digit(t.data[digits - 1]))
		digits--;
	return digits > 1 && digits < t.size && t.data[digits - 1] == '+' ? digits - 1 : t.size;
}

/* "@@GLIBC_2.2.5" */
static size_t
cut_version(struct text t)
{
	size_t at = t.size;
	size_t word;

	while (at && t.size - at < 21 && (char_is_digit(t.data[at - 1]) || t.data[at - 1] == '.'))
		at--;
	if (at < 3 || at == t.size || t.data[at] == '.' || t.data[at - 1] != '_')
		return t.size;
	word = --at;
	while (at && word - at < 31 &&
		(char_is_digit(t.data[at - 1]) || (t.data[at - 1] >= 'A' && t.data[at - 1] <= 'Z')))
		at--;
	if (at < 2 || at == word || char_is_digit(t.data[at]) || t.data[at - 1] != '@')
		return t.size;
	return t.data[at - 2] == '@' ? at - 2 : at - 1;
}

/* "::h0123456789abcdef" */
static size_t
cut_rust_hash(struct text t)
{
	size_t at = t.size;

	while (at && t.size - at < 16 &&
		(char_is_digit(t.data[at - 1]) || (t.data[at - 1] >= 'a' && t.data[at - 1] <= 'f')))
		at--;
	return t.size - at == 16 && at > 3 && name_has(t, at - 3, "::h") ? at - 3 : t.size;
}

static size_t
cut_one(struct text t)
{
	size_t cut;

	if (t.data[t.size - 1] == ']')
		return cut_brackets(t);
	if (t.data[t.size - 1] == ')')
		return cut_parentheses(t);
	cut = cut_word(t, "@plt");
	if (cut == t.size)
		cut = cut_clone(t);
	if (cut == t.size)
		cut = cut_offset(t);
	if (cut == t.size)
		cut = cut_version(t);
	return cut == t.size ? cut_rust_hash(t) : cut;
}

size_t
name_without_suffixes(struct text t)
{
	for (;;) {
		size_t cut = t.size ? cut_one(t) : 0;

		if (cut == t.size || cut == 0)
			return t.size;
		t.size = cut;
	}
}
