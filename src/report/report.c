/* The table of all reports, made from their .sql files, and the parameter table. */
#include "report_private.h"

#include "base/sql_file.h"
#include "report/report_files.h"

#include <assert.h>

static const struct report reports[] = {
#define REPORT_ROW(given_name, given_by, sql_file) \
	{ .name = (given_name), .by = (given_by), REPORT_FILE_##sql_file },
	REPORT_TABLE(REPORT_ROW)
#undef REPORT_ROW
};

static const struct report sides[] = {
#define REPORT_SIDE_ROW(code, sql_file) \
	[REPORT_SIDE_##code] = { .name = #sql_file, REPORT_FILE_##sql_file },
	REPORT_SIDE_TABLE(REPORT_SIDE_ROW)
#undef REPORT_SIDE_ROW
};

enum {
	REPORT_COUNT = sizeof(reports) / sizeof(reports[0])
};

const struct report_param_info report_param_infos[REPORT_PARAMS] = {
#define REPORT_PARAM_ROW(code, name, option, value, word, help) { name, option, REPORT_##value },
	REPORT_PARAM_TABLE(REPORT_PARAM_ROW)
#undef REPORT_PARAM_ROW
};

const char *const report_value_types[REPORT_VALUES] = {
#define REPORT_VALUE_ROW(code, type) type,
	REPORT_VALUE_TABLE(REPORT_VALUE_ROW)
#undef REPORT_VALUE_ROW
};

bool
report_takes(const struct report *r, enum report_param p)
{
	for (size_t i = 0; i < r->param_count; i++)
		if (r->params[i] == p)
			return true;
	return false;
}

const char *
report_query(const struct report *r)
{
	const struct sql_file *f = sql_file_find(r->file);

	assert(f);
	return f->text;
}

const struct report *
report_side(enum report_side side)
{
	return &sides[side];
}

const struct report *
report_at(size_t i)
{
	return i < REPORT_COUNT ? &reports[i] : NULL;
}

static const struct report *
not_found(const char *name, struct error *err)
{
	const char *nearest = NULL;
	size_t least = 4;

	for (const struct report *r = reports; r < reports + REPORT_COUNT; r++) {
		size_t d = option_distance(name, r->name);

		if (d < least) {
			least = d;
			nearest = r->name;
		}
	}
	error_set(err, ERROR_NOT_FOUND, "no report \"%s\"", name);
	if (nearest)
		error_hint(err, "did you mean \"%s\"? \"profdepot reports\" lists them", nearest);
	else
		error_hint(err, "\"profdepot reports\" lists them");
	return NULL;
}

/* Sets the error for an unknown --by value, with a hint that lists the --by values of the report. */
static const struct report *
refuse_by(const char *name, const char *by, struct error *err)
{
	char choices[200] = "";
	size_t n = 0;

	for (const struct report *r = reports; r < reports + REPORT_COUNT; r++)
		if (strcmp(r->name, name) == 0 && r->by && n < sizeof(choices))
			n += (size_t)snprintf(
				choices + n, sizeof(choices) - n, "%s%s", n ? ", " : "", r->by);
	if (n) {
		error_set(err, ERROR_USAGE, "report %s has no --by %s", name, by);
		error_hint(err, "use one of %s", choices);
	} else {
		error_set(err, ERROR_USAGE, "report %s does not take --by", name);
		error_hint(err, "the leaks report does");
	}
	return NULL;
}

const struct report *
report_find(const char *name, const char *by, struct error *err)
{
	const struct report *first = NULL;

	for (const struct report *r = reports; r < reports + REPORT_COUNT; r++) {
		if (strcmp(r->name, name) != 0)
			continue;
		if (!by || (r->by && strcmp(r->by, by) == 0))
			return r;
		first = r;
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
