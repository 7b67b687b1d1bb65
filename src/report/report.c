/* The registry: reports as their .sql files describe them. */
#include "report_private.h"

#include "base/sql_file.h"
#include "base/strbuf.h"

#include <stdlib.h>

struct entry {
	const char *name, *by, *file;
};

#define REPORT_ROW(name, by, file) { name, by, file },
static const struct entry entries[] = { REPORT_TABLE(REPORT_ROW){ NULL, NULL, NULL } };
#undef REPORT_ROW

static const struct {
	const char *name, *option;
	enum report_value value;
} params[] = {
#define REPORT_PARAM_ROW(code, name, option, value, word, help) { name, option, REPORT_##value },
	REPORT_PARAM_TABLE(REPORT_PARAM_ROW)
#undef REPORT_PARAM_ROW
};

static const char *const value_types[] = {
#define REPORT_VALUE_ROW(code, type) type,
	REPORT_VALUE_TABLE(REPORT_VALUE_ROW)
#undef REPORT_VALUE_ROW
};

static const struct {
	const char *word, *place;
} facts[] = {
#define REPORT_FACTS_ROW(word, place) { word, place },
	REPORT_FACTS_TABLE(REPORT_FACTS_ROW)
#undef REPORT_FACTS_ROW
		{ NULL, NULL }
};

enum {
	SQL_MAX_BYTES = 256 * 1024
};

const char *
report_param_name(enum report_param p)
{
	return params[p].name;
}

const char *
report_param_option(enum report_param p)
{
	return params[p].option;
}

enum report_value
report_param_value(enum report_param p)
{
	return params[p].value;
}

const char *
report_param_type(enum report_param p)
{
	return value_types[params[p].value];
}

const char *
report_facts_place(const char *word)
{
	for (size_t i = 0; facts[i].word; i++)
		if (strcmp(facts[i].word, word) == 0)
			return facts[i].place;
	return NULL;
}

bool
report_takes(const struct report *r, enum report_param p)
{
	for (size_t i = 0; i < r->param_count; i++)
		if (r->params[i] == p)
			return true;
	return false;
}

static int
find_word(const char *const *words, const char *word)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(words[i], word) == 0)
			return i;
	return -1;
}

/* Takes the next blank- or comma-parted word of *s; NULL at the end. */
static char *
next_word(char **s)
{
	char *start = *s + strspn(*s, " ,");
	size_t n = *start == '"' ? strcspn(start + 1, "\"") + 2 : strcspn(start, " ,");

	if (!*start)
		return NULL;
	*s = start[n] ? start + n + 1 : start + n;
	start[n] = '\0';
	return start;
}

static bool
parse_column(struct report *r, char *s)
{
	static const char *const kinds[] = { "text", "integer", "decimal", "bool", "time", "frames",
		"stacks", NULL };
	static const char *const units[] = { "none", "count", "bytes", "percent", "hex", "seconds",
		"milliseconds", "microseconds", "nanoseconds", NULL };
	struct table_column *c = &r->columns[r->column_count];
	char *key = next_word(&s);
	char *kind = next_word(&s);
	char *unit = next_word(&s);
	char *title = next_word(&s);
	char *flag;

	if (r->column_count == REPORT_MAX_COLUMNS || !title || *title != '"' ||
		find_word(kinds, kind) < 0 || find_word(units, unit) < 0)
		return false;
	title[strlen(title) - 1] = '\0';
	c->key = key;
	c->title = title + 1;
	c->kind = (enum table_kind)find_word(kinds, kind);
	c->unit = (enum table_unit)find_word(units, unit);
	while ((flag = next_word(&s))) {
		if (strcmp(flag, "sum") == 0)
			c->summed = true;
		else if (strcmp(flag, "machine") == 0)
			c->machine = true;
		else if (strcmp(flag, "series") == 0)
			c->series = true;
		else if (strcmp(flag, "change") == 0)
			c->change = true;
		else if (strcmp(flag, "rank") == 0)
			r->rank_column = (int)r->column_count;
		else
			return false;
	}
	r->column_count++;
	return true;
}

static int
find_column(const struct report *r, const char *key)
{
	for (size_t i = 0; i < r->column_count; i++)
		if (strcmp(r->columns[i].key, key) == 0)
			return (int)i;
	return -1;
}

static bool
parse_params(struct report *r, char *s)
{
	char *word;

	while ((word = next_word(&s))) {
		size_t p = 0;

		while (p < REPORT_PARAMS && strcmp(params[p].name, word) != 0)
			p++;
		if (p == REPORT_PARAMS || r->param_count == REPORT_MAX_PARAMS)
			return false;
		r->params[r->param_count++] = (enum report_param)p;
	}
	return true;
}

static bool
parse_order(struct report *r, char *s)
{
	char *word;

	while ((word = next_word(&s))) {
		int column = find_column(r, word);

		if (strcmp(word, "desc") == 0 && r->order_count) {
			r->order[r->order_count - 1].descending = true;
			continue;
		}
		if (column < 0 || r->order_count == REPORT_MAX_ORDER)
			return false;
		r->order[r->order_count++] = (struct report_order){ (size_t)column, false };
	}
	return true;
}

/* A value and its name. */
static bool
parse_part(struct report *r, char *s)
{
	char *value = next_word(&s);
	char *name = next_word(&s);

	if (r->part_name_count == REPORT_MAX_PARTS || !name || *name != '"')
		return false;
	name[strlen(name) - 1] = '\0';
	r->part_values[r->part_name_count] = strcmp(value, "-") == 0 ? "" : value;
	r->part_names[r->part_name_count++] = name + 1;
	return true;
}

/* Order, ties and parts name columns, which stand behind them in the file. */
struct later {
	char *order, *ties, *with, *parts;
	struct strbuf note;
};

/* The lines whose text is kept as it stands. */
static bool
keep_text(struct report *r, struct later *later, const char *line, size_t n, char *value)
{
	const struct {
		const char *word;
		const char **known;
		char **later;
	} texts[] = { { "title", &r->title, NULL }, { "rows", &r->rows, NULL },
		{ "facts", &r->facts, NULL }, { "detectors", &r->detectors_by, NULL },
		{ "with", NULL, &later->with }, { "order", NULL, &later->order },
		{ "ties", NULL, &later->ties }, { "parts", NULL, &later->parts } };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (strlen(texts[i].word) != n || strncmp(line, texts[i].word, n) != 0)
			continue;
		if (texts[i].known)
			*texts[i].known = value;
		else
			*texts[i].later = value;
		return true;
	}
	return false;
}

static bool
parse_line(struct report *r, char *line, struct later *later)
{
	static const char *const layouts[] = { "grid", "records", "sections", "findings", NULL };
	char *value = strstr(line, ": ");
	size_t n = value ? (size_t)(value - line) : 0;

	if (value)
		value += 2;
	if (keep_text(r, later, line, n, value))
		return true;
	if (n == 6 && strncmp(line, "layout", n) == 0)
		r->layout = (enum table_layout)find_word(layouts, value);
	else if (n == 6 && strncmp(line, "params", n) == 0)
		return parse_params(r, value);
	else if (n == 6 && strncmp(line, "column", n) == 0)
		return parse_column(r, value);
	else if (n == 4 && strncmp(line, "part", n) == 0)
		return parse_part(r, value);
	else {
		if (later->note.size)
			strbuf_append_char(&later->note, ' ');
		strbuf_append_str(&later->note, line);
	}
	return true;
}

/* Skips the comments that a file begins with. */
static const char *
sql_body(const char *text)
{
	while (strncmp(text, "--", 2) == 0)
		text += strcspn(text, "\n") + 1;
	return text;
}

static bool
parse_header(struct arena *a, struct report *r, const char *text, struct later *later)
{
	while (strncmp(text, "--", 2) == 0) {
		size_t n = strcspn(text, "\n");

		if (!parse_line(
			    r, arena_strndup(a, n > 3 ? text + 3 : "", n > 3 ? n - 3 : 0), later))
			return false;
		text += n + (text[n] == '\n');
	}
	r->note = arena_strdup(a, strbuf_str(&later->note));
	if (later->order && !parse_order(r, later->order))
		return false;
	if (later->ties)
		r->tie_column = find_column(r, later->ties);
	if (later->parts)
		r->part_column = find_column(r, later->parts);
	r->sql = sql_body(text);
	return r->title && r->column_count && r->param_count &&
	       (!r->facts || report_facts_place(r->facts)) &&
	       (r->params[0] == REPORT_INST_ID || r->params[0] == REPORT_INST_IDS) &&
	       (!later->ties || r->tie_column >= 0) && (!later->parts || r->part_column >= 0);
}

static const struct report *
load(struct arena *a, const struct entry *e, struct error *err)
{
	struct report *r = arena_alloc(a, sizeof(*r));
	struct later later = { NULL, NULL, NULL, NULL, { NULL, 0, 0, 0, false } };
	const struct sql_file *f = sql_file_find(arena_printf(a, "report/%s", e->file));
	bool ok;

	*r = (struct report){
		.name = e->name, .by = e->by, .rank_column = -1, .tie_column = -1, .part_column = -1
	};
	strbuf_init(&later.note, SQL_MAX_BYTES);
	ok = f && parse_header(a, r, f->text, &later);
	strbuf_release(&later.note);
	if (ok)
		return r;
	error_set(err, ERROR_INTERNAL, "report/%s.sql: the header is none", e->file);
	return NULL;
}

const struct report *
report_part(struct arena *a, const char *file, struct error *err)
{
	const struct entry e = { file, NULL, file };

	return load(a, &e, err);
}

const struct report *
report_at(struct arena *a, size_t i, struct error *err)
{
	if (i >= sizeof(entries) / sizeof(entries[0]) - 1)
		return NULL;
	return load(a, &entries[i], err);
}

/* Edits that turn a into b, for the nearest name. */
static size_t
distance(const char *a, const char *b)
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

static const struct report *
not_found(const char *name, struct error *err)
{
	const char *nearest = NULL;
	size_t least = 4;

	for (const struct entry *e = entries; e->name; e++) {
		size_t d = distance(name, e->name);

		if (d < least) {
			least = d;
			nearest = e->name;
		}
	}
	error_set(err, ERROR_NOT_FOUND, "no report \"%s\"", name);
	if (nearest)
		error_hint(err, "did you mean \"%s\"? \"profdepot reports\" lists them", nearest);
	else
		error_hint(err, "\"profdepot reports\" lists them");
	return NULL;
}

/* What the report knows instead. */
static const struct report *
refuse_by(const char *name, const char *by, struct error *err)
{
	char choices[200] = "";
	size_t n = 0;

	for (const struct entry *e = entries; e->name; e++)
		if (strcmp(e->name, name) == 0 && e->by && n < sizeof(choices))
			n += (size_t)snprintf(
				choices + n, sizeof(choices) - n, "%s%s", n ? ", " : "", e->by);
	if (n) {
		error_set(err, ERROR_USAGE, "report %s cannot go --by %s", name, by);
		error_hint(err, "use one of %s", choices);
	} else {
		error_set(err, ERROR_USAGE, "report %s takes no --by", name);
		error_hint(err, "report leaks does");
	}
	return NULL;
}

const struct report *
report_find(struct arena *a, const char *name, const char *by, struct error *err)
{
	const struct entry *first = NULL;

	for (const struct entry *e = entries; e->name; e++) {
		if (strcmp(e->name, name) != 0)
			continue;
		if (!by || (e->by && strcmp(e->by, by) == 0))
			return load(a, e, err);
		first = e;
	}
	return first ? refuse_by(name, by, err) : not_found(name, err);
}

void
report_head(const struct report *r, struct table_head *head)
{
	*head = (struct table_head){ .report = r->name,
		.title = r->title,
		.layout = r->layout,
		.columns = r->columns,
		.column_count = r->column_count };
}
