/* Reads the rows of AQTime's tables and converts their columns. */
#include "aqtime_private.h"

#include "base/array.h"

#include <inttypes.h>
#include <stdarg.h>

enum {
	TICK_ROWS = 16384
};

/* clang-format off */
#define REQUIRED(name, kind) { name, kind, true, false, NULL }
#define OPTIONAL(name, kind) { name, kind, false, false, NULL }
#define NEEDED(name, kind, loss) { name, kind, false, false, loss }
#define TEXT(name) OPTIONAL(name, AQTIME_TEXT)
#define INTEGER(name) OPTIONAL(name, AQTIME_INTEGER)
#define DECIMAL(name) OPTIONAL(name, AQTIME_DECIMAL)
#define ID(name) OPTIONAL(name, AQTIME_ID)
#define INST_ID REQUIRED("INST_ID", AQTIME_KEY)
#define KEY_COLUMNS INST_ID, REQUIRED("ID", AQTIME_KEY), ID("PARENT_ID"), ID("REC_ID")
#define FRAME_COLUMNS INST_ID, REQUIRED("ID", AQTIME_KEY), REQUIRED("PARENT_ID", AQTIME_KEY), \
	REQUIRED("REC_ID", AQTIME_KEY), REQUIRED("COL_ROUTINERID", AQTIME_ID)

/* The readers rely on these column positions. */
const struct aqtime_table aqtime_tables[AQTIME_TABLES] = {
	[AQTIME_INSTANCES] = { "INSTANCES", false, true, {
		INST_ID, TEXT("CAPTION"), TEXT("COUNTER_DESCRIPTION"),
		TEXT("COUNTER_FREQUENCY"), TEXT("COUNTER_NAME") } },
	[AQTIME_RELATIONS] = { "RELATIONS", false, true, {
		INST_ID, REQUIRED("ID", AQTIME_KEY),
		TEXT("COL_CHILD_TABLE"), TEXT("COL_PARENT_TABLE") } },
	[AQTIME_THREADS] = { "RESOURCE_PROFILER_THREADS", false, false, { KEY_COLUMNS,
		OPTIONAL("COL_SIZE", AQTIME_BIG), INTEGER("COL_WIN32THREADID") } },
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
		OPTIONAL("COL_PROFILELINES", AQTIME_BOOLEAN), TEXT("COL_ROUTINE_NAME"),
		TEXT("COL_SOURCE_FILE"), INTEGER("COL_SOURCE_LINE"), TEXT("COL_SYMBOL_MONIKER"),
		INTEGER("COL_TOKEN"), TEXT("COL_UNIT_NAME") } },
	[AQTIME_META_LINES] = { "RESOURCE_PROFILER_META_LINES", false, false, {
		INST_ID, REQUIRED("ID", AQTIME_KEY),
		REQUIRED("PARENT_ID", AQTIME_KEY), REQUIRED("REC_ID", AQTIME_ID),
		INTEGER("COL_SOURCE_LINE") } },
	[AQTIME_OBJECTS] = { "RESOURCE_PROFILER_OBJECTS", false, false, { KEY_COLUMNS,
		NEEDED("COL_CLASSRID", AQTIME_ID, "the objects have no class, so leaks cannot be "
			"reported by class"), INTEGER("COL_GET_"), ID("COL_THREADID"), DECIMAL("COL__"),
		DECIMAL("COL_ADDRESS"), DECIMAL("COL_SIZE") } },
	[AQTIME_CREATION_STACK] = { "RESOURCE_PROFILER_CREATION_CALL_STACK", false, false, {
		FRAME_COLUMNS, ID("COL_LINERID"), INTEGER("COL_HIT_COUNT") } },
	[AQTIME_ERRORS] = { "RESOURCE_PROFILER_ERRORS", false, false, { KEY_COLUMNS,
		OPTIONAL("COL__", AQTIME_BIG), INTEGER("COL_ERROR_CODE"),
		INTEGER("COL_KIND"), TEXT("COL_DESCRIPTION"), TEXT("COL_NAME") } },
	[AQTIME_STACK] = { "RESOURCE_PROFILER_CALL_STACK", false, false, {
		FRAME_COLUMNS, { "COL_LINERID", AQTIME_ID, false, true, NULL } } },
	[AQTIME_SETS] = { "PROFDEPOT_RESULT_SETS", true, true, {
		INST_ID, TEXT("CAPTION"), TEXT("APPLICATION"),
		TEXT("APP_VERSION"), TEXT("HOST"), TEXT("TOOL"), TEXT("FORMAT"),
		TEXT("SOURCE_NAME") } },
	[AQTIME_LABELS] = { "PROFDEPOT_LABELS", true, true, {
		INST_ID, TEXT("KEY"), TEXT("VALUE") } },
	[AQTIME_ATTRIBUTES] = { "PROFDEPOT_ATTRIBUTES", true, true, {
		INST_ID, TEXT("ATTRIBUTES") } },
	[AQTIME_COVERAGE] = { "PROFDEPOT_COVERAGE", true, true, {
		INST_ID, TEXT("WHAT"), TEXT("DEGREE"), TEXT("SOURCE") } },
	[AQTIME_METRICS] = { "PROFDEPOT_METRICS", true, false, {
		INST_ID, REQUIRED("METRIC_NO", AQTIME_KEY), TEXT("NAME"), TEXT("FAMILY"),
		TEXT("UNIT"), TEXT("TITLE"), TEXT("AGGREGATE") } },
	[AQTIME_STACKS] = { "PROFDEPOT_STACKS", true, false, {
		INST_ID, REQUIRED("STACK_ID", AQTIME_KEY), TEXT("ROUTINE_IDS"), TEXT("LINE_IDS"),
		TEXT("HIT_COUNTS"), TEXT("FRAME_IDS"), TEXT("REC_IDS") } },
	[AQTIME_SAMPLES] = { "PROFDEPOT_SAMPLES", true, false, {
		INST_ID, REQUIRED("ID", AQTIME_KEY), REQUIRED("TRACK_ID", AQTIME_KEY),
		ID("STACK_ID"), TEXT("AT"), TEXT("WEIGHTS"), TEXT("ATTRIBUTES") } },
	[AQTIME_CALLS] = { "PROFDEPOT_CALLS", true, false, {
		INST_ID, REQUIRED("ID", AQTIME_KEY), ID("PARENT_ID"),
		REQUIRED("TRACK_ID", AQTIME_KEY), ID("ROUTINE_ID"), TEXT("START"), TEXT("STOP") } },
};
/* clang-format on */

ERROR_PRINTF(4, 0)
static bool
emit_issue(struct aqtime *aq, uint32_t set, struct issue issue, const char *format, va_list args)
{
	char message[256];

	/* An issue must belong to a result set. */
	if (aq->quiet || !aq->set_count)
		return true;
	vsnprintf(message, sizeof(message), format, args);
	message[text_utf8_prefix(message, strlen(message))] = '\0';
	issue.message = message;
	return aq->sink->issue(aq->sink, set, &issue, aq->err);
}

bool
aqtime_issue(struct aqtime *aq, uint32_t set, struct issue at, const char *format, ...)
{
	va_list args;
	bool ok;

	va_start(args, format);
	ok = emit_issue(aq, set, at, format, args);
	va_end(args);
	return ok;
}

enum aqtime_step
aqtime_reject(struct aqtime_reader *r, enum issue_code code, const char *format, ...)
{
	const struct issue at = { .code = code,
		.source = r->rows->source,
		.line = r->row.line,
		.offset = r->row.offset,
		.raw = r->row.raw };
	va_list args;
	bool ok;

	va_start(args, format);
	ok = emit_issue(r->aq, r->set, at, format, args);
	va_end(args);
	return ok ? AQTIME_REJECTED : AQTIME_FAILED;
}

static int
find_column(const struct aqtime_table *t, const char *name)
{
	for (int i = 0; i < AQTIME_MAX_COLUMNS && t->columns[i].name; i++)
		if (text_equal_nocase(text_from(t->columns[i].name), text_from(name)))
			return i;
	return -1;
}

static bool
report_absent(struct aqtime_reader *r, const struct aqtime_column *c)
{
	const struct issue at = { .code = c->loss ? ISSUE_MISSING_KEY : ISSUE_MISSING_COLUMN,
		.source = r->rows->source,
		.line = 1 };

	return aqtime_issue(r->aq, ISSUE_EVERY_SET, at, "column %s is absent%s%s", c->name,
		c->loss ? ": " : "", c->loss ? c->loss : "");
}

static bool
report_encoding(struct aqtime_reader *r)
{
	const struct issue at = { .code = ISSUE_ENCODING, .source = r->rows->source, .line = 1 };

	return !r->rows->other_encoding ||
	       aqtime_issue(r->aq, ISSUE_EVERY_SET, at,
		       "the file begins with a byte order mark of %s, which overrides --encoding",
		       r->rows->other_encoding);
}

/* Finds the field of each column. Unknown columns become issues, and so do optional columns that are absent. */
static bool
map_columns(struct aqtime_reader *r)
{
	const struct aqtime_table *t = r->table;
	struct issue header = { .source = r->rows->source, .line = 1 };

	for (size_t i = 0; i < AQTIME_MAX_COLUMNS; i++)
		r->map[i] = -1;
	while (r->column_count < AQTIME_MAX_COLUMNS && t->columns[r->column_count].name)
		r->column_count++;
	header.code = ISSUE_UNKNOWN_COLUMN;
	for (size_t i = 0; i < r->rows->column_count; i++) {
		int ours = find_column(t, r->rows->columns[i]);

		if (ours >= 0)
			r->map[ours] = (int)i;
		else if (!aqtime_issue(r->aq, ISSUE_EVERY_SET, header,
				 "unknown column %.100s was left out", r->rows->columns[i]))
			return false;
	}
	for (size_t i = 0; i < r->column_count; i++) {
		if (r->map[i] >= 0)
			continue;
		if (t->columns[i].required) {
			error_set(r->aq->err, ERROR_INPUT, "%s: line 1: column %s is missing",
				r->rows->source, t->columns[i].name);
			return error_hint(r->aq->err,
				"the first line must name the columns of %s, in any order",
				t->name);
		}
		if (!t->ours && !t->columns[i].ours && !report_absent(r, &t->columns[i]))
			return false;
	}
	return true;
}

enum aqtime_step
aqtime_open(struct aqtime *aq, enum aqtime_table_id id, struct aqtime_reader *r)
{
	return aqtime_open_table(aq, &aqtime_tables[id], r);
}

enum aqtime_step
aqtime_open_table(struct aqtime *aq, const struct aqtime_table *t, struct aqtime_reader *r)
{
	int index = rowset_find(aq->source->rowset, t->name);

	*r = (struct aqtime_reader){
		.aq = aq, .table = t, .set = ISSUE_EVERY_SET, .last_inst_id = MODEL_NULL
	};
	if (index < 0)
		return AQTIME_END;
	r->rows = aq->source->rowset->open(aq->source->rowset, (size_t)index, aq->err);
	if (r->rows && report_encoding(r) && map_columns(r))
		return AQTIME_ROW;
	aqtime_close(r);
	return AQTIME_FAILED;
}

void
aqtime_close(struct aqtime_reader *r)
{
	if (r->rows)
		r->rows->close(r->rows);
	r->rows = NULL;
}

/* Parses a short number. Most numbers are short, and this function is faster than the general parser. */
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

static enum aqtime_step
reject_number(struct aqtime_reader *r, size_t column, enum number_result result)
{
	const char *name = r->table->columns[column].name;
	struct text field = r->row.fields[r->map[column]];
	int size = text_precision(field, 60);

	if (result == NUMBER_NOT_A_NUMBER)
		return aqtime_reject(r, ISSUE_BAD_NUMBER,
			"column %s: \"%.*s\" is not a whole number", name, size, field.data);
	if (result == NUMBER_FRACTION)
		return aqtime_reject(r, ISSUE_BAD_NUMBER, "column %s: %.*s has a fraction", name,
			size, field.data);
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

static enum aqtime_step
parse_number(struct aqtime_reader *r, size_t column, struct text field)
{
	enum aqtime_kind kind = r->table->columns[column].kind;
	union aqtime_value *v = &r->values[column];
	enum number_result result;
	struct number n;

	if (kind != AQTIME_DECIMAL && parse_short(field, &v->integer) && in_range(kind, v->integer))
		return AQTIME_ROW;
	if (kind == AQTIME_BOOLEAN && parse_word(field, &v->integer))
		return AQTIME_ROW;
	result = number_parse(field, &n);
	if (result == NUMBER_OK && kind == AQTIME_DECIMAL) {
		v->number = n;
		return AQTIME_ROW;
	}
	if (result == NUMBER_OK && number_to_int64(n, &v->integer) && in_range(kind, v->integer))
		return AQTIME_ROW;
	return reject_number(r, column, result);
}

static enum aqtime_step
parse_field(struct aqtime_reader *r, size_t column)
{
	enum aqtime_kind kind = r->table->columns[column].kind;
	struct text field = r->map[column] < 0 ? TEXT_NULL : r->row.fields[r->map[column]];

	if (kind == AQTIME_TEXT) {
		r->values[column].text = field;
		return AQTIME_ROW;
	}
	if (!text_is_empty(field))
		return parse_number(r, column, field);
	if (kind == AQTIME_KEY)
		return aqtime_reject(r, ISSUE_MISSING_VALUE, "column %s is empty",
			r->table->columns[column].name);
	if (kind == AQTIME_DECIMAL)
		r->values[column].number = NUMBER_NULL;
	else
		r->values[column].integer = MODEL_NULL;
	return AQTIME_ROW;
}

/* Sets r->set from the row's INST_ID, which is column 0 in every table. */
static enum aqtime_step
find_set(struct aqtime_reader *r)
{
	struct aqtime *aq = r->aq;
	enum aqtime_step step;

	r->set = ISSUE_EVERY_SET;
	step = parse_field(r, 0);
	if (step != AQTIME_ROW || r->table == &aqtime_tables[AQTIME_INSTANCES])
		return step;
	if (aqtime_int(r, 0) == r->last_inst_id) {
		r->set = r->last_set;
		return aq->sets[r->set].wanted ? AQTIME_ROW : AQTIME_REJECTED;
	}
	r->set = pair_map_get(&aq->numbers, aqtime_int(r, 0), 0);
	if (r->set == PAIR_MAP_NONE) {
		error_set(aq->err, ERROR_INPUT,
			"%s: line %" PRIu64 ": INST_ID %" PRId64 " is not in INSTANCES",
			r->rows->source, r->row.line, aqtime_int(r, 0));
		error_hint(aq->err, "export INSTANCES together with the other tables");
		return AQTIME_FAILED;
	}
	r->last_inst_id = aqtime_int(r, 0);
	r->last_set = r->set;
	return aq->sets[r->set].wanted ? AQTIME_ROW : AQTIME_REJECTED;
}

static enum aqtime_step
parse_row(struct aqtime_reader *r)
{
	bool few = r->row.count < r->rows->column_count;
	enum aqtime_step step = AQTIME_ROW;

	/* find_set reports an invalid INST_ID. Rows of a set that is not wanted are not checked. */
	if ((size_t)r->map[0] < r->row.count)
		step = find_set(r);
	if (step != AQTIME_ROW)
		return step;
	if (r->row.count != r->rows->column_count)
		return aqtime_reject(r, few ? ISSUE_ROW_SHORT : ISSUE_ROW_LONG,
			"%zu fields, but the header has %zu", r->row.count, r->rows->column_count);
	for (size_t i = 1; i < r->column_count && step == AQTIME_ROW; i++)
		step = parse_field(r, i);
	return step;
}

enum aqtime_step
aqtime_next(struct aqtime_reader *r)
{
	struct aqtime *aq = r->aq;

	for (;;) {
		enum row_status status = r->rows->next(r->rows, &r->row, aq->err);
		enum aqtime_step step;

		if (status != ROW_READ)
			return status == ROW_END ? AQTIME_END : AQTIME_FAILED;
		r->sequence++;
		if (++aq->ticks % TICK_ROWS == 0 && aq->source->tick)
			aq->source->tick(aq->source->tick_self);
		r->set = ISSUE_EVERY_SET;
		step = parse_row(r);
		if (r->set < aq->set_count && !r->table->shared)
			aq->sets[r->set].has_rows = true;
		if (step != AQTIME_REJECTED)
			return step;
	}
}

bool
aqtime_each(struct aqtime_reader *r, enum aqtime_step opened,
	enum aqtime_step (*each)(struct aqtime_reader *r))
{
	enum aqtime_step step;

	if (opened != AQTIME_ROW)
		return opened == AQTIME_END;
	while ((step = aqtime_next(r)) == AQTIME_ROW)
		if (each(r) == AQTIME_FAILED)
			break;
	aqtime_close(r);
	return step == AQTIME_END;
}
