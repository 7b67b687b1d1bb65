/* Converts parameter values from the form that users write to the form that the server takes. */
#include "report_private.h"

#include "base/number.h"
#include "base/strbuf.h"

enum {
	PATTERNS_MAX_BYTES = 1024 * 1024,
	TEXTS_MAX_BYTES = 256 * 1024 * 1024,
	NUMBER_BYTES = 24,
};

static void
append_pattern(struct strbuf *b, const char *glob)
{
	strbuf_append_char(b, '"');
	for (const char *s = glob; *s; s++) {
		if (*s == '*')
			strbuf_append_char(b, '%');
		else if (*s == '?')
			strbuf_append_char(b, '_');
		else if (*s == '%' || *s == '_')
			/* LIKE needs one backslash here, which the array literal writes as two. */
			strbuf_printf(b, "\\\\%c", *s);
		else if (*s == '\\')
			strbuf_append_str(b, "\\\\\\\\");
		else if (*s == '"')
			strbuf_append_str(b, "\\\"");
		else
			strbuf_append_char(b, *s);
	}
	strbuf_append_char(b, '"');
}

const char *
report_patterns(struct arena *a, const struct option_list *globs)
{
	struct strbuf b;
	const char *done;

	strbuf_init(&b, PATTERNS_MAX_BYTES);
	strbuf_append_char(&b, '{');
	for (size_t i = 0; i < globs->count; i++) {
		if (i)
			strbuf_append_char(&b, ',');
		append_pattern(&b, globs->items[i]);
	}
	strbuf_append_char(&b, '}');
	done = arena_strdup(a, strbuf_str(&b));
	strbuf_release(&b);
	return done;
}

const char *
report_texts(struct arena *a, const struct text *texts, size_t count)
{
	struct strbuf b;
	const char *done;

	strbuf_init(&b, TEXTS_MAX_BYTES);
	strbuf_append_char(&b, '{');
	for (size_t i = 0; i < count; i++) {
		strbuf_append_str(&b, i ? ",\"" : "\"");
		for (size_t k = 0; k < texts[i].size; k++) {
			if (texts[i].data[k] == '"' || texts[i].data[k] == '\\')
				strbuf_append_char(&b, '\\');
			strbuf_append_char(&b, texts[i].data[k]);
		}
		strbuf_append_char(&b, '"');
	}
	strbuf_append_char(&b, '}');
	done = b.failed ? NULL : arena_strdup(a, strbuf_str(&b));
	strbuf_release(&b);
	return done;
}

/* Skips n digits. Returns false if there are fewer digits, or if the digits form a number above `max`. */
static bool
skip_digits(const char **s, size_t n, int max)
{
	int v = 0;

	for (size_t i = 0; i < n; i++, (*s)++) {
		if (**s < '0' || **s > '9')
			return false;
		v = v * 10 + (**s - '0');
	}
	return v <= max;
}

static bool
skip_char(const char **s, char c)
{
	if (**s != c)
		return false;
	(*s)++;
	return true;
}

/* "Z", "+02", "+0200", "+02:00" */
static bool
skip_zone(const char **s)
{
	if (skip_char(s, 'Z') || !**s)
		return true;
	if (!skip_char(s, '+') && !skip_char(s, '-'))
		return false;
	if (!skip_digits(s, 2, 15))
		return false;
	return !**s || ((skip_char(s, ':') || **s) && skip_digits(s, 2, 59));
}

/* Format: YYYY-MM-DD[(T| )HH:MM[:SS[.fraction]][zone]]. PostgreSQL checks that the day exists. */
static bool
is_time(const char *s)
{
	if (!skip_digits(&s, 4, 9999) || !skip_char(&s, '-') || !skip_digits(&s, 2, 12) ||
		!skip_char(&s, '-') || !skip_digits(&s, 2, 31))
		return false;
	if (!*s)
		return true;
	if ((!skip_char(&s, 'T') && !skip_char(&s, ' ')) || !skip_digits(&s, 2, 23) ||
		!skip_char(&s, ':') || !skip_digits(&s, 2, 59))
		return false;
	if (skip_char(&s, ':')) {
		if (!skip_digits(&s, 2, 59))
			return false;
		if (skip_char(&s, '.'))
			s += strspn(s, "0123456789");
	}
	return skip_zone(&s) && !*s;
}

/* Format: a decimal number, with no more digits than PostgreSQL's type numeric accepts. */
static bool
is_decimal(const char *s)
{
	size_t whole = strspn(s, "0123456789");
	size_t behind = s[whole] == '.' ? strspn(s + whole + 1, "0123456789") : 0;
	size_t end = whole + (s[whole] == '.' ? 1 + behind : 0);

	return whole && end < 100 && !s[end] && (s[whole] != '.' || behind);
}

static bool
is_whole(const char *s)
{
	struct number n;
	int64_t v;

	return number_parse(text_from(s), &n) == NUMBER_OK && !n.negative && number_to_int64(n, &v);
}

static bool
is_bytes(const char *s)
{
	int64_t v;

	return option_parse_bytes(s, &v);
}

/* The kinds of values that are checked. */
static const struct {
	bool (*is_valid)(const char *s);
	const char *what, *hint;
} checks[REPORT_VALUES] = {
	[REPORT_INTEGER] = { is_whole, "whole number", "write 0 or more" },
	[REPORT_NUMBER] = { is_decimal, "number", "write 0 or more, such as 2.5" },
	[REPORT_BYTES] = { is_bytes, "size",
		"write a number of bytes, or a size such as 64K, 10M or 2G" },
	[REPORT_TIME] = { is_time, "time", "write 2026-11-21 or 2026-11-21T14:00:00Z" },
};

bool
report_value_check(enum report_param p, const char *text, struct error *err)
{
	const enum report_value kind = report_param_infos[p].value;

	if (!checks[kind].is_valid || checks[kind].is_valid(text))
		return true;
	error_set(err, ERROR_USAGE, "option --%s: \"%.100s\" is not a %s",
		report_param_infos[p].option, text, checks[kind].what);
	return error_hint(err, "%s", checks[kind].hint);
}

const char *
report_value_sql(struct arena *a, const struct report_request *q, enum report_param p)
{
	int64_t bytes;

	if (report_param_infos[p].value == REPORT_GLOBS)
		return q->lists[p].count ? report_patterns(a, &q->lists[p]) : NULL;
	if (report_param_infos[p].value == REPORT_BYTES && q->values[p] &&
		option_parse_bytes(q->values[p], &bytes))
		return arena_printf(a, "%lld", (long long)bytes);
	return q->values[p];
}

const char *
report_ids(struct arena *a, const int64_t *ids, size_t count)
{
	char *out = arena_alloc_array(a, count + 1, NUMBER_BYTES);
	size_t n = 0;

	out[n++] = '{';
	for (size_t i = 0; i < count; i++) {
		if (i)
			out[n++] = ',';
		n += number_format_int64(ids[i], out + n);
	}
	out[n++] = '}';
	out[n] = '\0';
	return out;
}
