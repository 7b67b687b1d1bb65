/* Parsing a command line by option tables, and printing --help. */
#include "base/option.h"

#include "base/number.h"

#include <string.h>

struct parse {
	const struct option_table *tables;
	struct arena *arena;
	struct error *err;
};

struct match {
	const struct option_spec *spec;
	void *target;
};

static bool
add_item(struct parse *p, struct option_list *list, const char *item)
{
	/* The array is full when the count is 0 or a power of two. */
	if ((list->count & (list->count - 1)) == 0) {
		const char **grown =
			arena_alloc_array(p->arena, 2 * list->count + 1, sizeof(*grown));

		if (list->count)
			memcpy(grown, list->items, list->count * sizeof(*grown));
		list->items = grown;
	}
	list->items[list->count++] = item;
	return true;
}

size_t
option_distance(const char *a, const char *b)
{
	size_t row[64];
	size_t n = strlen(b);

	if (n > 63)
		return n;
	for (size_t j = 0; j <= n; j++)
		row[j] = j;
	for (size_t i = 0; a[i]; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t j = 1; j <= n; j++) {
			size_t best = diagonal + (a[i] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[n];
}

static bool
unknown_option(struct parse *p, const char *name, size_t size)
{
	const char *nearest = NULL;
	size_t best = 4;
	char *typed = arena_strndup(p->arena, name, size);

	for (const struct option_table *t = p->tables; t->specs || t->target; t++) {
		for (const struct option_spec *s = t->specs; s && s->name; s++) {
			size_t d = option_distance(s->name, typed);

			if (d < best || (d == best && !nearest)) {
				best = d;
				nearest = s->name;
			}
		}
	}
	error_set(p->err, ERROR_USAGE, "unknown option --%s", typed);
	if (nearest)
		return error_hint(p->err, "did you mean --%s?", nearest);
	return error_hint(p->err, "--help lists the options");
}

static bool
find_long(struct parse *p, const char *name, size_t size, struct match *m)
{
	int found = 0;

	for (const struct option_table *t = p->tables; t->specs || t->target; t++) {
		for (const struct option_spec *s = t->specs; s && s->name; s++) {
			if (strncmp(s->name, name, size) != 0)
				continue;
			*m = (struct match){ s, t->target };
			if (s->name[size] == '\0')
				return true;
			found++;
		}
	}
	if (found == 1)
		return true;
	if (found == 0) {
		unknown_option(p, name, size);
		return false;
	}
	error_set(p->err, ERROR_USAGE, "option --%.*s is ambiguous", (int)size, name);
	return error_hint(p->err, "write its full name; --help lists the options");
}

static bool
find_short(struct parse *p, char letter, struct match *m)
{
	for (const struct option_table *t = p->tables; t->specs || t->target; t++) {
		for (const struct option_spec *s = t->specs; s && s->name; s++) {
			if (s->letter == letter) {
				*m = (struct match){ s, t->target };
				return true;
			}
		}
	}
	error_set(p->err, ERROR_USAGE, "unknown option -%c", letter);
	error_hint(p->err, "--help lists the options");
	return false;
}

static bool
is_choice(const char *choices, const char *value)
{
	size_t n = strlen(value);

	if (strchr(value, '|'))
		return false;
	for (const char *c = choices; c; c = strchr(c, '|')) {
		c += *c == '|';
		if (n && strncmp(c, value, n) == 0 && (c[n] == '|' || c[n] == '\0'))
			return true;
	}
	return false;
}

static bool
set_int(struct parse *p, const struct option_spec *s, int64_t *member, const char *value)
{
	struct number n;
	int64_t v;

	if (number_parse(text_from(value), &n) != NUMBER_OK || !number_to_int64(n, &v))
		return error_set(
			p->err, ERROR_USAGE, "option --%s: \"%s\" is not a number", s->name, value);
	if (v < s->min || v > s->max)
		return error_set(p->err, ERROR_USAGE,
			"option --%s: %s is out of range (%lld to %lld)", s->name, value,
			(long long)s->min, (long long)s->max);
	*member = v;
	return true;
}

static bool
set_value(struct parse *p, struct match m, const char *value)
{
	const struct option_spec *s = m.spec;
	void *member = (char *)m.target + s->offset;

	switch (s->kind) {
	case OPTION_FLAG:
		*(bool *)member = true;
		return true;
	case OPTION_INT:
		return set_int(p, s, member, value);
	case OPTION_LIST:
		return add_item(p, member, value);
	case OPTION_CHOICE:
		if (!is_choice(s->choices, value)) {
			error_set(p->err, ERROR_USAGE, "option --%s: \"%s\" is not a valid value",
				s->name, value);
			return error_hint(p->err, "use one of %s", s->choices);
		}
		break;
	case OPTION_TEXT:
		break;
	}
	*(const char **)member = value;
	return true;
}

static const char *
first_choice(struct arena *a, const char *choices)
{
	return arena_strndup(a, choices, strcspn(choices, "|"));
}

/* Handles the option at argv[*i] and moves *i past its value. */
static bool
parse_one(struct parse *p, int argc, char **argv, int *i)
{
	const char *arg = argv[*i];
	const char *value = NULL;
	struct match m = { NULL, NULL };

	if (arg[1] == '-') {
		const char *equals = strchr(arg, '=');
		size_t size = equals ? (size_t)(equals - arg - 2) : strlen(arg + 2);

		if (!find_long(p, arg + 2, size, &m))
			return false;
		value = equals ? equals + 1 : NULL;
		if (value && m.spec->kind == OPTION_FLAG)
			return error_set(
				p->err, ERROR_USAGE, "option --%s takes no value", m.spec->name);
	} else {
		if (!find_short(p, arg[1], &m))
			return false;
		if (arg[2] && m.spec->kind == OPTION_FLAG)
			return error_set(p->err, ERROR_USAGE,
				"option -%c takes no value: write short options separately",
				arg[1]);
		value = arg[2] ? arg + 2 : NULL;
	}
	if (m.spec->kind == OPTION_CHOICE && m.spec->min && !value)
		value = first_choice(p->arena, m.spec->choices);
	if (m.spec->kind != OPTION_FLAG && !value) {
		if (*i + 1 >= argc)
			return error_set(p->err, ERROR_USAGE, "option --%s needs a value (%s)",
				m.spec->name, m.spec->value);
		value = argv[++*i];
	}
	return set_value(p, m, value);
}

bool
option_parse(const struct option_table *tables, int argc, char **argv, struct arena *a,
	struct option_list *operands, struct error *err)
{
	struct parse p = { tables, a, err };
	bool options = true;

	*operands = (struct option_list){ NULL, 0 };
	for (int i = 0; i < argc; i++) {
		if (options && strcmp(argv[i], "--") == 0) {
			options = false;
		} else if (options && argv[i][0] == '-' && argv[i][1]) {
			if (!parse_one(&p, argc, argv, &i))
				return false;
		} else if (!add_item(&p, operands, argv[i])) {
			return false;
		}
	}
	return true;
}

enum {
	HELP_COLUMN = 26,
	HELP_MIN_WIDTH = HELP_COLUMN + 20,
	HELP_WIDTH = 80
};

void
option_print_wrapped(const char *s, size_t indent, size_t width, FILE *out)
{
	size_t column = indent;

	if (!width)
		width = HELP_WIDTH;
	if (width < HELP_MIN_WIDTH)
		width = HELP_MIN_WIDTH;
	while (*s) {
		size_t word = strcspn(s, " \n");

		if (column > indent && column + 1 + word > width) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent && word) {
			putc(' ', out);
			column++;
		}
		fwrite(s, 1, word, out);
		column += word;
		s += word;
		for (; *s == ' ' || *s == '\n'; s++) {
			if (*s == '\n') {
				putc('\n', out);
				column = indent;
			}
		}
	}
	putc('\n', out);
}

void
option_print_help(const struct option_spec *specs, size_t width, FILE *out)
{
	for (const struct option_spec *s = specs; s->name; s++) {
		char head[80];
		int n;

		if (s->letter)
			n = snprintf(head, sizeof(head), "  -%c, --%s", s->letter, s->name);
		else
			n = snprintf(head, sizeof(head), "      --%s", s->name);
		if (s->kind == OPTION_CHOICE && s->min)
			n += snprintf(head + n, sizeof(head) - (size_t)n, "[=%s]", s->choices);
		else if (s->kind == OPTION_CHOICE && strlen(s->choices) < 30)
			n += snprintf(head + n, sizeof(head) - (size_t)n, " %s", s->choices);
		else if (s->value)
			n += snprintf(head + n, sizeof(head) - (size_t)n, " %s", s->value);
		fputs(head, out);
		if (n > HELP_COLUMN - 2)
			fprintf(out, "\n%*s", HELP_COLUMN, "");
		else
			fprintf(out, "%*s", HELP_COLUMN - n, "");
		option_print_wrapped(s->help, HELP_COLUMN, width, out);
	}
}

bool
option_parse_bytes(const char *s, int64_t *out)
{
	size_t n = strlen(s);
	int shift = 0;
	struct number v;
	int64_t bytes;

	if (n && strchr("kKmMgGtT", s[n - 1])) {
		const char *units = "kmgt";

		shift = 10 * (int)(strchr(units, char_lower(s[n - 1])) - units + 1);
		n--;
	}
	if (number_parse((struct text){ s, n }, &v) != NUMBER_OK || v.negative ||
		!number_to_int64(v, &bytes) || bytes > (INT64_MAX >> shift))
		return false;
	*out = bytes << shift;
	return true;
}
