/* Rewrites C++ names from the demanglers of GCC, LLVM and Microsoft to one spelling. */
#include "base/number.h"
#include "frame_name_private.h"

#include <inttypes.h>

#define ANONYMOUS "{anonymous}"

/* If a spelling to replace begins at `at`, appends its replacement and returns the length of the
 * spelling; otherwise returns 0. */
typedef size_t spelling(struct strbuf *out, struct text t, size_t at);

static void
respell(struct strbuf *out, struct text t, spelling *one)
{
	for (size_t i = 0; i < t.size;) {
		size_t n = one(out, t, i);

		if (!n)
			strbuf_append_char(out, t.data[i++]);
		i += n;
	}
}

static size_t
spell_anonymous(struct strbuf *out, struct text t, size_t at)
{
	static const char *const forms[] = { "(anonymous namespace)", "(anonymous)",
		"`anonymous namespace'" };

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (!name_has(t, at, forms[i]))
			continue;
		strbuf_append_str(out, ANONYMOUS);
		return strlen(forms[i]);
	}
	return 0;
}

static size_t
spell_namespace(struct strbuf *out, struct text t, size_t at)
{
	static const char *const forms[] = { "std::__cxx11::", "std::__1::", "std::__ndk1::" };

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (!name_has(t, at, forms[i]))
			continue;
		strbuf_append_str(out, "std::");
		return strlen(forms[i]);
	}
	return 0;
}

/* Microsoft writes "class A" where others write "A". */
static size_t
spell_kind(struct strbuf *out, struct text t, size_t at)
{
	static const char *const words[] = { "class ", "struct ", "enum ", "union " };

	(void)out;
	if (name_has(t, at, " __ptr64") && !name_word_at(t, at + strlen(" __ptr64")))
		return strlen(" __ptr64");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (name_has(t, at, words[i]) && (!at || !name_word_at(t, at - 1)))
			return strlen(words[i]);
	if (!name_has(t, at, "__int64") || (at && name_word_at(t, at - 1)) ||
		name_word_at(t, at + strlen("__int64")))
		return 0;
	strbuf_append_str(out, "long long");
	return strlen("__int64");
}

static size_t
suffix_length(struct text t, size_t at)
{
	static const char *const suffixes[] = { "ull", "ul", "ll", "l", "u" };

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (name_has(t, at, suffixes[i]) && !name_word_at(t, at + strlen(suffixes[i])))
			return strlen(suffixes[i]);
	return 0;
}

static size_t
spell_flag(struct strbuf *out, struct text t, size_t at)
{
	bool is_true = name_has(t, at, "true");
	size_t n = is_true ? 4 : 5;

	if ((!is_true && !name_has(t, at, "false")) || !at || at + n >= t.size ||
		!strchr("<,", t.data[at - 1]) || !strchr(",>", t.data[at + n]))
		return 0;
	strbuf_append_char(out, is_true ? '1' : '0');
	return n;
}

/* Appends an integer without the suffix for its type. */
static size_t
spell_literal(struct strbuf *out, struct text t, size_t at)
{
	size_t digits = at;
	size_t suffix;

	if (!at || name_word_at(t, at - 1) || t.data[at - 1] == '.')
		return 0;
	while (digits < t.size && char_is_digit(t.data[digits]))
		digits++;
	suffix = digits > at ? suffix_length(t, digits) : 0;
	if (!suffix)
		return spell_flag(out, t, at);
	strbuf_append(out, t.data + at, digits - at);
	return digits - at + suffix;
}

/* --- lambdas --------------------------------------------------------------------------------- */

enum {
	LAMBDA_MAX_BYTES = 250,
	LAMBDA_DIGITS = 6,
};

static size_t
digits_at(struct text t, size_t at, size_t *number)
{
	size_t n = 0;

	*number = 0;
	while (n < LAMBDA_DIGITS && at + n < t.size && char_is_digit(t.data[at + n]))
		*number = *number * 10 + (size_t)(t.data[at + n++] - '0');
	return n;
}

static void
append_lambda(struct strbuf *out, size_t number)
{
	strbuf_printf(out, "{lambda#%zu}", number);
}

/* Reads {lambda(int)#1}, whose parameters may contain a lambda. */
static size_t
gnu_lambda(struct strbuf *out, struct text t, size_t at)
{
	size_t depth = 0;
	size_t i = at + strlen("{lambda(");
	size_t number, digits;

	for (; i < t.size && i - at < LAMBDA_MAX_BYTES; i++) {
		if (t.data[i] == '{' && ++depth > 1)
			return 0;
		if (t.data[i] == '}' && depth-- == 0)
			return 0;
		if (depth || !name_has(t, i, ")#"))
			continue;
		digits = digits_at(t, i + 2, &number);
		if (digits && name_has(t, i + 2 + digits, "}")) {
			append_lambda(out, number);
			return i + 2 + digits + 1 - at;
		}
	}
	return 0;
}

/* Reads 'lambda'(int), which is the first lambda; 'lambda0'(int) is the second. */
static size_t
llvm_lambda(struct strbuf *out, struct text t, size_t at)
{
	size_t i = at + strlen("'lambda");
	size_t number;
	size_t digits = digits_at(t, i, &number);
	size_t end;

	i += digits;
	if (!name_has(t, i, "'"))
		return 0;
	end = ++i;
	if (name_has(t, i, "(")) {
		for (i++; i < t.size && i - end < LAMBDA_MAX_BYTES && !strchr("(){}'", t.data[i]);)
			i++;
		if (name_has(t, i, ")"))
			end = i + 1;
	}
	append_lambda(out, digits ? number + 2 : 1);
	return end - at;
}

static size_t
spell_lambda(struct strbuf *out, struct text t, size_t at)
{
	size_t number, digits;

	if (name_has(t, at, "{lambda("))
		return gnu_lambda(out, t, at);
	if (name_has(t, at, "'lambda"))
		return llvm_lambda(out, t, at);
	if (!name_has(t, at, "$_") || (out->size && char_is_word(out->data[out->size - 1])))
		return 0;
	digits = digits_at(t, at + 2, &number);
	if (!digits || name_word_at(t, at + 2 + digits))
		return 0;
	append_lambda(out, number + 1);
	return 2 + digits;
}

/* --- blanks ---------------------------------------------------------------------------------- */

/* Returns where the name begins. A return type precedes the names of template functions and, in
 * Microsoft's form, all names. */
static size_t
name_start(struct text t)
{
	size_t depth = 0;
	size_t start = 0;

	for (size_t i = 0; i < t.size; i++) {
		char c = t.data[i];

		if (!depth && name_has(t, i, "operator") && (!i || !name_word_at(t, i - 1)))
			return start;
		if (!depth && c == '(')
			return start;
		if (!depth && c == ' ' && !name_has(t, i + 1, "("))
			start = i + 1;
		if (strchr("<{[(", c))
			depth++;
		else if (strchr(">}])", c) && depth)
			depth--;
	}
	return 0;
}

static bool
is_punctuation(struct text t, size_t at)
{
	return at < t.size && strchr("<>,*&()[]", t.data[at]);
}

/* Blanks next to punctuation. */
static size_t
spell_blank(struct strbuf *out, struct text t, size_t at)
{
	(void)out;
	return t.data[at] == ' ' &&
	       (is_punctuation(t, at + 1) || (at && is_punctuation(t, at - 1)));
}

static size_t
spell_known(struct strbuf *out, struct text t, size_t at)
{
	static const char string[] =
		"std::basic_string<char,std::char_traits<char>,std::allocator<char>>";

	if (name_has(t, at, "(void)")) {
		strbuf_append_str(out, "()");
		return strlen("(void)");
	}
	if (!name_has(t, at, string))
		return 0;
	strbuf_append_str(out, "std::string");
	return strlen(string);
}

void
name_spell_cxx(struct strbuf *out, struct text t)
{
	static spelling *const spellings[] = { spell_anonymous, spell_namespace, spell_kind,
		spell_lambda };
	struct strbuf a, b;
	struct strbuf *now = &a, *next = &b, *swap;
	size_t start;

	strbuf_init(&a, NAME_MAX_BYTES);
	strbuf_init(&b, NAME_MAX_BYTES);
	strbuf_append(now, t.data, t.size);
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
		strbuf_reset(next);
		respell(next, strbuf_text(now), spellings[i]);
		swap = now, now = next, next = swap;
	}
	t = strbuf_text(now);
	start = name_start(t);
	strbuf_reset(next);
	respell(next, (struct text){ t.data + start, t.size - start }, spell_blank);
	strbuf_reset(now);
	respell(now, strbuf_text(next), spell_literal);
	respell(out, strbuf_text(now), spell_known);
	strbuf_release(&a);
	strbuf_release(&b);
}
