#include "aqtime_private.h"

#include <inttypes.h>
#include <stdarg.h>

#define KEY_COLUMNS \
	{ "INST_ID", AQTIME_KEY, true, false }, { "ID", AQTIME_KEY, true, false }, \
		{ "PARENT_ID", AQTIME_ID, false, false }, \
	{ \
		"REC_ID", AQTIME_ID, false, false \
	}

#define TEXT(name) \
	{ \
		name, AQTIME_TEXT, false, false \
	}
#define INTEGER(name) \
	{ \
		name, AQTIME_INTEGER, false, false \
	}
#define DECIMAL(name) \
	{ \
		name, AQTIME_DECIMAL, false, false \
	}
#define ID(name) \
	{ \
		name, AQTIME_ID, false, false \
	}

/* Names and order of the columns: the readers use the positions. */
/* clang-format off */
const struct aqtime_table aqtime_tables[AQTIME_TABLES] = {
	[AQTIME_INSTANCES] = { "INSTANCES", false, true, {
		{ "INST_ID", AQTIME_KEY, true, false }, TEXT("CAPTION"), TEXT("COUNTER_DESCRIPTION"),
		TEXT("COUNTER_FREQUENCY"), TEXT("COUNTER_NAME") } },
	[AQTIME_RELATIONS] = { "RELATIONS", false, true, {
		{ "INST_ID", AQTIME_KEY, true, false }, { "ID", AQTIME_KEY, true, false },
		TEXT("COL_CHILD_TABLE"), TEXT("COL_PARENT_TABLE") } },
	[AQTIME_THREADS] = { "RESOURCE_PROFILER_THREADS", false, false, { KEY_COLUMNS,
		{ "COL_SIZE", AQTIME_BIG, false, false }, INTEGER("COL_WIN32THREADID") } },
	[AQTIME_META_CLASSES] = { "RESOURCE_PROFILER_META_CLASSES_DATA", false, false, { KEY_COLUMNS,
		TEXT("COL_CLASS_NAME"), TEXT("COL_MODULE_NAME"), TEXT("COL_SYMBOL_MONIKER") } },
	[AQTIME_CLASSES] = { "RESOURCE_PROFILER_CLASSES_DATA", false, false, { KEY_COLUMNS,
		TEXT("COL_CLASS_NAME"), TEXT("COL_MODULE_NAME"), DECIMAL("COL_LIVE_COUNT"),
		DECIMAL("COL_LIVE_SIZE"), DECIMAL("COL_PEAK_CREATED"), DECIMAL("COL_PEAK_SIZE"),
		DECIMAL("COL_TOTAL_CREATED"), DECIMAL("COL_TOTAL_SIZE") } },
	[AQTIME_META_ROUTINES] = { "RESOURCE_PROFILER_META_ROUTINES", false, false, { KEY_COLUMNS,
		INTEGER("COL_HIT_COUNT"), INTEGER("COL_COMPILER"), DECIMAL("COL_ADDRESS"),
		TEXT("COL_ANALISYS_RESULT"), TEXT("COL_CLASS_NAME"), TEXT("COL_CODE_TYPE"),
		TEXT("COL_MODULE_NAME"), TEXT("COL_NAMESPACE"),
		{ "COL_PROFILELINES", AQTIME_BOOLEAN, false, false }, TEXT("COL_ROUTINE_NAME"),
		TEXT("COL_SOURCE_FILE"), INTEGER("COL_SOURCE_LINE"), TEXT("COL_SYMBOL_MONIKER"),
		INTEGER("COL_TOKEN"), TEXT("COL_UNIT_NAME") } },
	[AQTIME_META_LINES] = { "RESOURCE_PROFILER_META_LINES", false, false, {
		{ "INST_ID", AQTIME_KEY, true, false }, { "ID", AQTIME_KEY, true, false },
		{ "PARENT_ID", AQTIME_KEY, true, false }, { "REC_ID", AQTIME_ID, true, false },
		INTEGER("COL_SOURCE_LINE") } },
	[AQTIME_OBJECTS] = { "RESOURCE_PROFILER_OBJECTS", false, false, { KEY_COLUMNS,
		ID("COL_CLASSRID"), INTEGER("COL_GET_"), ID("COL_THREADID"), DECIMAL("COL__"),
		DECIMAL("COL_ADDRESS"), DECIMAL("COL_SIZE") } },
	[AQTIME_CREATION_STACK] = { "RESOURCE_PROFILER_CREATION_CALL_STACK", false, false, {
		{ "INST_ID", AQTIME_KEY, true, false }, { "ID", AQTIME_KEY, true, false },
		{ "PARENT_ID", AQTIME_KEY, true, false }, { "REC_ID", AQTIME_KEY, true, false },
		{ "COL_ROUTINERID", AQTIME_ID, true, false }, ID("COL_LINERID"),
		INTEGER("COL_HIT_COUNT") } },
	[AQTIME_ERRORS] = { "RESOURCE_PROFILER_ERRORS", false, false, { KEY_COLUMNS,
		{ "COL__", AQTIME_BIG, false, false }, INTEGER("COL_ERROR_CODE"),
		INTEGER("COL_KIND"), TEXT("COL_DESCRIPTION"), TEXT("COL_NAME") } },
	[AQTIME_STACK] = { "RESOURCE_PROFILER_CALL_STACK", false, false, {
		{ "INST_ID", AQTIME_KEY, true, false }, { "ID", AQTIME_KEY, true, false },
		{ "PARENT_ID", AQTIME_KEY, true, false }, { "REC_ID", AQTIME_KEY, true, false },
		{ "COL_ROUTINERID", AQTIME_ID, true, false },
		{ "COL_LINERID", AQTIME_ID, false, true } } },
	[AQTIME_SETS] = { "PROFDEPOT_RESULT_SETS", true, true, {
		{ "INST_ID", AQTIME_KEY, true, false }, TEXT("CAPTION"), TEXT("APPLICATION"),
		TEXT("APP_VERSION"), TEXT("HOST"), TEXT("TOOL"), TEXT("FORMAT"),
		TEXT("SOURCE_NAME") } },
	[AQTIME_LABELS] = { "PROFDEPOT_LABELS", true, true, {
		{ "INST_ID", AQTIME_KEY, true, false }, TEXT("KEY"), TEXT("VALUE") } },
};
/* clang-format on */

bool
aqtime_issue(struct aqtime *aq, uint32_t set, enum issue_code code, const char *source,
	uint64_t line, uint64_t offset, const char *message)
{
	const struct issue issue = {
		.code = code, .source = source, .line = line, .offset = offset, .message = message
	};

	return aq->quiet || aq->sink->issue(aq->sink, set, &issue, aq->err);
}

bool
aqtime_reject(struct aqtime_reader *r, enum issue_code code, const char *format, ...)
{
	char message[256];
	const struct issue issue = { .code = code,
		.source = r->rows->source,
		.line = r->row.line,
		.offset = r->row.offset,
		.message = message,
		.raw = r->row.raw };
	va_list args;

	if (r->aq->quiet)
		return true;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	message[text_utf8_prefix(message, strlen(message))] = '\0';
	return r->aq->sink->issue(r->aq->sink, r->set, &issue, r->aq->err);
}

static int
find_column(const struct aqtime_table *t, const char *name)
{
	for (int i = 0; i < AQTIME_MAX_COLUMNS && t->columns[i].name; i++)
		if (text_equal_nocase(text_from(t->columns[i].name), text_from(name)))
			return i;
	return -1;
}

/* Unknown columns are left out and said; so are optional ones that lack. */
static bool
map_columns(struct aqtime_reader *r)
{
	const struct aqtime_table *t = r->table;
	char message[200];

	for (size_t i = 0; i < AQTIME_MAX_COLUMNS; i++)
		r->map[i] = -1;
	while (r->column_count < AQTIME_MAX_COLUMNS && t->columns[r->column_count].name)
		r->column_count++;
	for (size_t i = 0; i < r->rows->column_count; i++) {
		int ours = find_column(t, r->rows->columns[i]);

		if (ours >= 0) {
			r->map[ours] = (int)i;
			continue;
		}
		snprintf(message, sizeof(message), "column %.*s is none of %s",
			text_precision(text_from(r->rows->columns[i]), 120), r->rows->columns[i],
			t->name);
		if (r->aq->set_count && !aqtime_issue(r->aq, ISSUE_EVERY_SET, ISSUE_UNKNOWN_COLUMN,
						r->rows->source, 1, 0, message))
			return false;
	}
	for (size_t i = 0; i < r->column_count; i++) {
		if (r->map[i] >= 0 || t->ours || t->columns[i].ours)
			continue;
		if (t->columns[i].required) {
			error_set(r->aq->err, ERROR_INPUT, "%s: line 1: column %s is missing",
				r->rows->source, t->columns[i].name);
			return error_hint(r->aq->err,
				"the first line must name the columns of %s, in any order",
				t->name);
		}
		snprintf(message, sizeof(message), "column %s is absent", t->columns[i].name);
		if (r->aq->set_count && !aqtime_issue(r->aq, ISSUE_EVERY_SET, ISSUE_MISSING_COLUMN,
						r->rows->source, 1, 0, message))
			return false;
	}
	return true;
}

int
aqtime_open(struct aqtime *aq, enum aqtime_table_id id, struct aqtime_reader *r)
{
	int index = rowset_find(aq->source->rowset, aqtime_tables[id].name);

	memset(r, 0, sizeof(*r));
	r->aq = aq;
	r->table = &aqtime_tables[id];
	r->set = ISSUE_EVERY_SET;
	r->last_inst_id = MODEL_NULL;
	if (index < 0)
		return 0;
	r->rows = aq->source->rowset->open(aq->source->rowset, (size_t)index, aq->err);
	if (!r->rows)
		return -1;
	if (!map_columns(r)) {
		aqtime_close(r);
		return -1;
	}
	return 1;
}

void
aqtime_close(struct aqtime_reader *r)
{
	if (r->rows)
		r->rows->close(r->rows);
	r->rows = NULL;
}

/* Most numbers are a few digits: no sign, no blanks, no fraction. */
static inline bool
parse_short(struct text t, int64_t *out)
{
	int64_t v = 0;

	if (t.size == 0 || t.size > 18)
		return false;
	for (size_t i = 0; i < t.size; i++) {
		unsigned digit = (unsigned char)t.data[i] - (unsigned)'0';

		if (digit > 9)
			return false;
		v = v * 10 + (int64_t)digit;
	}
	*out = v;
	return true;
}

static bool
bad_number(struct aqtime_reader *r, size_t column, enum number_result result)
{
	const char *name = r->table->columns[column].name;
	struct text field = r->row.fields[r->map[column]];
	int size = text_precision(field, 60);

	switch (result) {
	case NUMBER_NOT_A_NUMBER:
		return aqtime_reject(r, ISSUE_BAD_NUMBER, "column %s: \"%.*s\" is no whole number",
			name, size, field.data);
	case NUMBER_FRACTION:
		return aqtime_reject(r, ISSUE_BAD_NUMBER, "column %s: %.*s has a fraction", name,
			size, field.data);
	case NUMBER_RANGE:
	case NUMBER_OK:
		break;
	}
	return aqtime_reject(
		r, ISSUE_NUMBER_RANGE, "column %s: %.*s is out of range", name, size, field.data);
}

static bool
in_range(enum aqtime_kind kind, int64_t v)
{
	if (kind == AQTIME_INTEGER || kind == AQTIME_BOOLEAN)
		return v >= INT32_MIN && v <= UINT32_MAX;
	return v != MODEL_NULL;
}

static bool
parse_word(struct text t, int64_t *out)
{
	if (text_equal_nocase(t, TEXT_LITERAL("true")))
		*out = -1;
	else if (text_equal_nocase(t, TEXT_LITERAL("false")))
		*out = 0;
	else
		return false;
	return true;
}

/* 1 good, 0 rejected, -1 failed. */
static int
parse_number(struct aqtime_reader *r, size_t column, struct text field)
{
	enum aqtime_kind kind = r->table->columns[column].kind;
	union aqtime_value *v = &r->values[column];
	enum number_result result;
	struct number n;

	if (kind != AQTIME_DECIMAL && parse_short(field, &v->integer) && in_range(kind, v->integer))
		return 1;
	if (kind == AQTIME_BOOLEAN && parse_word(field, &v->integer))
		return 1;
	result = number_parse(field, &n);
	if (result == NUMBER_OK && kind == AQTIME_DECIMAL) {
		v->number = n;
		return 1;
	}
	if (result == NUMBER_OK && number_to_int64(n, &v->integer) && in_range(kind, v->integer))
		return 1;
	return bad_number(r, column, result) ? 0 : -1;
}

static int
parse_field(struct aqtime_reader *r, size_t column)
{
	enum aqtime_kind kind = r->table->columns[column].kind;
	struct text field = r->map[column] < 0 ? TEXT_NULL : r->row.fields[r->map[column]];

	if (kind == AQTIME_TEXT) {
		r->values[column].text = field;
		return 1;
	}
	if (!text_is_empty(field))
		return parse_number(r, column, field);
	if (kind == AQTIME_KEY)
		return aqtime_reject(r, ISSUE_MISSING_VALUE, "column %s is empty",
			       r->table->columns[column].name)
			       ? 0
			       : -1;
	if (kind == AQTIME_DECIMAL)
		r->values[column].number = NUMBER_NULL;
	else
		r->values[column].integer = MODEL_NULL;
	return 1;
}

/* Column 0 is INST_ID in every table. 1 wanted, 0 not or rejected, -1 failed. */
static int
find_set(struct aqtime_reader *r)
{
	struct aqtime *aq = r->aq;
	int good;

	r->set = ISSUE_EVERY_SET;
	good = parse_field(r, 0);
	if (good != 1 || r->table == &aqtime_tables[AQTIME_INSTANCES])
		return good;
	if (aqtime_int(r, 0) == r->last_inst_id) {
		r->set = r->last_set;
		return aq->wanted[r->set];
	}
	r->set = pair_map_get(&aq->sets, aqtime_int(r, 0), 0);
	if (r->set == PAIR_MAP_NONE) {
		error_set(aq->err, ERROR_INPUT,
			"%s: line %" PRIu64 ": INST_ID %" PRId64 " is not in INSTANCES",
			r->rows->source, r->row.line, aqtime_int(r, 0));
		error_hint(aq->err, "export INSTANCES together with the other tables");
		return -1;
	}
	r->last_inst_id = aqtime_int(r, 0);
	r->last_set = r->set;
	return aq->wanted[r->set];
}

static int
parse_row(struct aqtime_reader *r)
{
	int good;

	if (r->row.count != r->rows->column_count) {
		bool few = r->row.count < r->rows->column_count;

		/* Of an INST_ID that is none, that was told; of another's set, nothing is. */
		if ((size_t)r->map[0] < r->row.count) {
			good = find_set(r);
			if (good != 1)
				return good;
		}
		return aqtime_reject(r, few ? ISSUE_ROW_SHORT : ISSUE_ROW_LONG,
			       "%zu fields, but the header has %zu", r->row.count,
			       r->rows->column_count)
			       ? 0
			       : -1;
	}
	good = find_set(r);
	for (size_t i = 1; i < r->column_count && good == 1; i++)
		good = parse_field(r, i);
	return good;
}

int
aqtime_next(struct aqtime_reader *r)
{
	struct aqtime *aq = r->aq;

	for (;;) {
		enum row_status status = r->rows->next(r->rows, &r->row, aq->err);
		int good;

		if (status != ROW_READ)
			return status == ROW_END ? 0 : -1;
		r->sequence++;
		if (++aq->ticks % AQTIME_TICK_ROWS == 0 && aq->source->tick)
			aq->source->tick(aq->source->tick_self);
		r->set = ISSUE_EVERY_SET;
		good = parse_row(r);
		if (r->set < aq->set_count && !r->table->shared)
			aq->has_rows[r->set] = true;
		if (good != 0)
			return good;
	}
}
