/*
 * Parses AQTime's XML results with expat into tables and rows; aqtime_xml_private.h describes the format.
 */
#include "aqtime_xml_private.h"

#include "base/fd.h"

#include <expat.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

enum {
	BLOCK_BYTES = 64 * 1024,
	MAX_DEPTH = 64, /* maximum depth of nested elements */
	MAX_TABLES = 1000,
	MAX_FIELDS = 1000, /* fields in one table */
	MAX_NAME_BYTES = 1000,
	MAX_TOKEN_BYTES = 1024 * 1024,
	MAX_ROW_BYTES = 16 * 1024 * 1024,
	MAX_LEVELS = MAX_DEPTH / 3 + 2,
};

/* The elements, and the parents in which each element is read. In any other parent, the element is skipped. */
#define ELEMENT_TABLE(X) \
	X(EL_OTHER, "", 0) \
	X(EL_RESULTS_FILE, "AQtime_Results", 0) \
	X(EL_HEADERS, "HEADERS", 1U << EL_RESULTS_FILE) \
	X(EL_TABLE_HEADER, "TABLE_HEADER", 1U << EL_HEADERS) \
	X(EL_TABLE_FIELD, "TABLE_FIELD", 1U << EL_TABLE_HEADER) \
	X(EL_RESULTS, "RESULTS", 1U << EL_RESULTS_FILE) \
	X(EL_DATA, "DATA", 1U << EL_RESULTS | 1U << EL_CHILDREN) \
	X(EL_ROW, "ROW", 1U << EL_DATA) \
	X(EL_FIELD, "FIELD", 1U << EL_ROW) \
	X(EL_CHILDREN, "CHILDREN", 1U << EL_ROW)

enum element {
#define ELEMENT_ENUM(element, name, parents) element,
	ELEMENT_TABLE(ELEMENT_ENUM)
#undef ELEMENT_ENUM
	ELEMENTS
};

/* A DATA element and its current row. */
struct level {
	const struct xml_table *table;
	struct xml_row row;
	struct strbuf text; /* the row's values */
	size_t begins[XML_COLUMNS];
	size_t sizes[XML_COLUMNS];
	bool has[XML_COLUMNS];
	bool open; /* whether the parser is inside a row */
};

struct parse {
	const struct xml_reader *reader;
	XML_Parser expat;
	struct arena arena;
	struct error *err;
	bool failed;
	enum element path[MAX_DEPTH];
	size_t depth;
	struct xml_table *tables;
	size_t table_count, table_room;
	struct xml_table *head;           /* the open TABLE_HEADER */
	struct strbuf caption;            /* the open TABLE_FIELD's caption */
	const char *left_out[MAX_FIELDS]; /* captions of the table's unknown fields */
	size_t left_out_count;
	struct level levels[MAX_LEVELS];
	size_t level_count;
	size_t column; /* the open FIELD's column; XML_UNKNOWN if the FIELD is skipped */
};

/* --- failures --------------------------------------------------------------------------------- */

/* Stops the parser after a failure. Every expat callback calls this function at its end. */
static void
stop_unless(struct parse *p, bool ok)
{
	if (ok)
		return;
	p->failed = true;
	XML_StopParser(p->expat, XML_FALSE);
}

ERROR_PRINTF(3, 4)
static bool
fail(struct parse *p, enum error_code code, const char *format, ...)
{
	char what[512];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	what[text_utf8_prefix(what, strlen(what))] = '\0';
	return error_set(p->err, code, "%s: line %llu: %s at offset %lld", p->reader->name,
		(unsigned long long)XML_GetCurrentLineNumber(p->expat), what,
		(long long)XML_GetCurrentByteIndex(p->expat));
}

/* --- tables ----------------------------------------------------------------------------------- */

/* An attribute's value; the attribute's name is case-insensitive. NULL if absent. */
static const char *
attribute(const XML_Char **attributes, const char *name)
{
	for (; attributes[0]; attributes += 2)
		if (strcasecmp(attributes[0], name) == 0)
			return attributes[1];
	return NULL;
}

static const struct xml_table *
find_table(const struct parse *p, const char *id)
{
	for (size_t i = 0; i < p->table_count; i++)
		if (strcmp(p->tables[i].id, id) == 0)
			return &p->tables[i];
	return NULL;
}

static bool
begin_table(struct parse *p, const XML_Char **attributes)
{
	const char *id = attribute(attributes, "ID");
	const char *name = attribute(attributes, "NAME");

	if (!id || strlen(id) > MAX_NAME_BYTES || (name && strlen(name) > MAX_NAME_BYTES))
		return fail(p, ERROR_INPUT, "a TABLE_HEADER without ID");
	if (find_table(p, id))
		return fail(p, ERROR_INPUT, "two TABLE_HEADERs with one ID");
	if (p->table_count == MAX_TABLES)
		return fail(p, ERROR_LIMIT, "more than %d tables", (int)MAX_TABLES);
	/* Rows have pointers to tables, so the array must not move. */
	if (!p->tables)
		p->tables = xcalloc(MAX_TABLES, sizeof(*p->tables));
	p->head = &p->tables[p->table_count];
	*p->head = (struct xml_table){ .id = arena_strdup(&p->arena, id),
		.name = arena_strdup(&p->arena, name ? name : id),
		.columns = arena_alloc_array(&p->arena, MAX_FIELDS, sizeof(enum xml_column)) };
	p->left_out_count = 0;
	return true;
}

static bool
end_field_of_table(struct parse *p)
{
	struct xml_table *t = p->head;
	enum xml_column c = aqtime_xml_column(strbuf_str(&p->caption));

	if (t->column_count == MAX_FIELDS)
		return fail(p, ERROR_LIMIT, "a table with more than %d fields", (int)MAX_FIELDS);
	/* If a caption is repeated, the first field is used. */
	if (c != XML_UNKNOWN && t->known & 1U << c)
		c = XML_UNKNOWN;
	if (c == XML_UNKNOWN)
		p->left_out[p->left_out_count++] = arena_strdup(&p->arena, strbuf_str(&p->caption));
	else
		t->known |= 1U << c;
	t->columns[t->column_count++] = c;
	return true;
}

static bool
end_table(struct parse *p)
{
	struct xml_table *t = p->head;

	t->kind = aqtime_xml_kind(t->name, t->known);
	p->table_count++;
	p->head = NULL;
	return p->reader->table(p->reader->self, t, p->left_out, p->left_out_count);
}

/* Fails if no table has data that the depot stores. */
static bool
check_tables(struct parse *p)
{
	char names[256] = "it has no tables";
	size_t used = 0;

	for (size_t i = 0; i < p->table_count; i++) {
		enum xml_kind kind = p->tables[i].kind;

		if (kind == XML_CLASSES || kind == XML_OBJECTS || kind == XML_ERRORS)
			return true;
		if (used < sizeof(names))
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%.*s",
				i ? ", " : "it has ",
				text_precision(text_from(p->tables[i].name), 60),
				p->tables[i].name);
	}
	fail(p, ERROR_INPUT, "no Resource profiler panel: %s", names);
	return error_hint(p->err,
		"such a panel has the field Live Count, Object Name or Error Code, or it has Class "
		"Name together with Address or Size");
}

/* --- rows ------------------------------------------------------------------------------------- */

static bool
begin_data(struct parse *p, const XML_Char **attributes)
{
	const char *id = attribute(attributes, "TABLE_ID");
	const struct xml_table *table = id ? find_table(p, id) : NULL;
	struct level *l;

	if (!table)
		return fail(p, ERROR_INPUT, "a DATA element with an unknown TABLE_ID");
	if (p->level_count == MAX_LEVELS)
		return fail(p, ERROR_LIMIT, "rows nested deeper than %d", (int)MAX_LEVELS);
	l = &p->levels[p->level_count++];
	l->table = table;
	l->open = false;
	return true;
}

/* The row that contains the innermost DATA element. */
static struct xml_row *
owner(struct parse *p)
{
	return p->level_count > 1 ? &p->levels[p->level_count - 2].row : NULL;
}

static void
begin_row(struct parse *p)
{
	struct level *l = &p->levels[p->level_count - 1];
	struct xml_frame *frames = l->row.frames;
	size_t room = l->row.frame_room;

	strbuf_reset(&l->text);
	memset(l->has, 0, sizeof(l->has));
	l->row = (struct xml_row){ .table = l->table,
		.parent = owner(p),
		.line = XML_GetCurrentLineNumber(p->expat),
		.offset = (uint64_t)XML_GetCurrentByteIndex(p->expat),
		.frames = frames,
		.frame_room = room };
	l->open = true;
}

static bool
begin_field(struct parse *p, const XML_Char **attributes)
{
	struct level *l = &p->levels[p->level_count - 1];
	const char *id = attribute(attributes, "ID");
	char *end = NULL;
	unsigned long n = id && char_is_digit(*id) ? strtoul(id, &end, 10) : MAX_FIELDS;

	p->column = XML_UNKNOWN;
	if (!id || !end || *end || n >= l->table->column_count)
		return fail(p, ERROR_INPUT, "a FIELD with an unknown ID");
	p->column = l->table->columns[n];
	if (p->column == XML_UNKNOWN)
		return true;
	if (l->has[p->column])
		return fail(p, ERROR_INPUT, "a row repeats a field");
	l->has[p->column] = true;
	l->begins[p->column] = l->text.size;
	l->sizes[p->column] = 0;
	return true;
}

static bool
end_row(struct parse *p)
{
	struct level *l = &p->levels[p->level_count - 1];

	l->open = false;
	for (size_t i = 0; i < XML_COLUMNS; i++)
		l->row.values[i] =
			l->has[i] ? text_trim((struct text){
					    l->text.data ? l->text.data + l->begins[i] : "",
					    l->sizes[i] })
				  : TEXT_NULL;
	return p->reader->row(p->reader->self, &l->row);
}

/* --- elements --------------------------------------------------------------------------------- */

static enum element
element_of(const char *name, enum element parent)
{
	static const struct {
		const char *name;
		unsigned parents;
	} elements[] = {
#define ELEMENT_ROW(element, name, parents) { name, parents },
		ELEMENT_TABLE(ELEMENT_ROW)
#undef ELEMENT_ROW
	};

	for (size_t i = EL_OTHER + 1; i < ELEMENTS; i++)
		if (elements[i].parents & 1U << parent && strcasecmp(elements[i].name, name) == 0)
			return (enum element)i;
	return EL_OTHER;
}

static bool
begin_element(struct parse *p, enum element e, const XML_Char **attributes)
{
	if (e == EL_TABLE_HEADER)
		return begin_table(p, attributes);
	if (e == EL_TABLE_FIELD)
		strbuf_reset(&p->caption);
	else if (e == EL_RESULTS)
		return check_tables(p);
	else if (e == EL_DATA)
		return begin_data(p, attributes);
	else if (e == EL_ROW)
		begin_row(p);
	return e != EL_FIELD || begin_field(p, attributes);
}

static void
on_start(void *self, const XML_Char *name, const XML_Char **attributes)
{
	struct parse *p = self;
	enum element e = EL_RESULTS_FILE;
	bool ok = true;

	if (p->failed)
		return;
	if (p->depth == MAX_DEPTH)
		ok = fail(p, ERROR_LIMIT, "elements nested deeper than %d", (int)MAX_DEPTH);
	else if (p->depth > 0)
		e = element_of(name, p->path[p->depth - 1]);
	else if (strcasecmp(name, "AQtime_Results") != 0)
		ok = fail(p, ERROR_INPUT, "not AQTime XML results: the document element is %.*s",
			text_precision(text_from(name), 100), name);
	if (ok) {
		p->path[p->depth++] = e;
		ok = begin_element(p, e, attributes);
	}
	stop_unless(p, ok);
}

static bool
end_element(struct parse *p, enum element e)
{
	if (e == EL_RESULTS_FILE)
		return check_tables(p);
	if (e == EL_TABLE_HEADER)
		return end_table(p);
	if (e == EL_TABLE_FIELD)
		return end_field_of_table(p);
	p->level_count -= e == EL_DATA;
	return e != EL_ROW || end_row(p);
}

static void
on_end(void *self, const XML_Char *name)
{
	struct parse *p = self;

	(void)name;
	if (!p->failed)
		stop_unless(p, end_element(p, p->path[--p->depth]));
}

static void
on_text(void *self, const XML_Char *data, int size)
{
	struct parse *p = self;
	enum element e = p->depth ? p->path[p->depth - 1] : EL_OTHER;
	struct level *l;

	if (p->failed)
		return;
	if (e == EL_TABLE_FIELD) {
		strbuf_append(&p->caption, data, (size_t)size);
		stop_unless(p, !p->caption.failed ||
				       fail(p, ERROR_LIMIT, "a caption of more than %d bytes",
					       (int)MAX_NAME_BYTES));
		return;
	}
	if (e != EL_FIELD || p->column == XML_UNKNOWN)
		return;
	l = &p->levels[p->level_count - 1];
	strbuf_append(&l->text, data, (size_t)size);
	l->sizes[p->column] += (size_t)size;
	stop_unless(p, !l->text.failed || fail(p, ERROR_LIMIT, "a row of more than %d bytes",
						  (int)MAX_ROW_BYTES));
}

/* Rejects a document type, because it can declare entities that expand without limit. */
static void
on_doctype(void *self, const XML_Char *name, const XML_Char *system, const XML_Char *public,
	int internal)
{
	(void)name;
	(void)system;
	(void)public;
	(void)internal;
	stop_unless(self, fail(self, ERROR_INPUT, "a document type, which AQTime does not write"));
}

/* Supplies encodings that expat lacks, such as Windows code pages. */
static int
on_encoding(void *self, const XML_Char *name, XML_Encoding *encoding)
{
	(void)self;
	encoding->data = NULL;
	encoding->convert = NULL;
	encoding->release = NULL;
	return aqtime_xml_code_page(name, encoding->map) ? XML_STATUS_OK : XML_STATUS_ERROR;
}

/* --- the file --------------------------------------------------------------------------------- */

static bool
explain(struct parse *p)
{
	enum XML_Error code = XML_GetErrorCode(p->expat);

	if (p->failed)
		return false;
	fail(p, ERROR_INPUT, "%s", XML_ErrorString(code));
	if (code == XML_ERROR_UNKNOWN_ENCODING)
		error_hint(p->err,
			"give --encoding; or convert the file with iconv -f CODEPAGE -t UTF-8 and "
			"declare encoding=\"UTF-8\"");
	else if (code == XML_ERROR_INVALID_TOKEN && XML_GetCurrentByteIndex(p->expat) > 0)
		error_hint(p->err,
			"if the file is not UTF-8, give its code page with --encoding, such "
			"as CP1252");
	else if (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN)
		error_hint(p->err, "the file is truncated");
	return false;
}

static bool
feed(struct parse *p, int fd)
{
	int64_t bytes = 0;

	for (;;) {
		void *block = XML_GetBuffer(p->expat, BLOCK_BYTES);
		ssize_t n;

		if (!block)
			return explain(p);
		n = fd_read(fd, block, BLOCK_BYTES);
		if (n < 0)
			return error_set_errno(
				p->err, ERROR_FILE, "%s: cannot read", p->reader->name);
		if (XML_ParseBuffer(p->expat, (int)n, n == 0) != XML_STATUS_OK || p->failed)
			return explain(p);
		if (n == 0)
			return true;
		bytes += n;
		/* expat scans an incomplete tag again with every block, so the size of a tag is limited. */
		if (bytes - XML_GetCurrentByteIndex(p->expat) > MAX_TOKEN_BYTES) {
			fail(p, ERROR_LIMIT, "a tag or comment of more than %d bytes",
				(int)MAX_TOKEN_BYTES);
			return false;
		}
		p->reader->progress(p->reader->self, bytes);
	}
}

const char *
aqtime_xml_mark(int fd)
{
	static const struct {
		const char *bytes, *encoding;
	} marks[] = { { "\xEF\xBB\xBF", "UTF-8" }, { "\xFF\xFE", "UTF-16LE" },
		{ "\xFE\xFF", "UTF-16BE" } };
	char b[3];

	if (pread(fd, b, sizeof(b), 0) != (ssize_t)sizeof(b))
		return NULL;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (text_begins((struct text){ b, sizeof(b) }, marks[i].bytes))
			return marks[i].encoding;
	return NULL;
}

bool
aqtime_xml_parse(int fd, const struct xml_reader *reader, struct error *err)
{
	struct parse *p = xcalloc(1, sizeof(*p));
	bool ok;

	p->reader = reader;
	p->arena = ARENA_INIT;
	p->err = err;
	p->expat = XML_ParserCreate(aqtime_xml_mark(fd) ? NULL : reader->encoding);
	strbuf_init(&p->caption, MAX_NAME_BYTES);
	for (size_t i = 0; i < MAX_LEVELS; i++)
		strbuf_init(&p->levels[i].text, MAX_ROW_BYTES);
	if (p->expat) {
		XML_SetUserData(p->expat, p);
		XML_SetElementHandler(p->expat, on_start, on_end);
		XML_SetCharacterDataHandler(p->expat, on_text);
		XML_SetStartDoctypeDeclHandler(p->expat, on_doctype);
		XML_SetUnknownEncodingHandler(p->expat, on_encoding, NULL);
		ok = feed(p, fd);
		XML_ParserFree(p->expat);
	} else {
		ok = error_set(err, ERROR_INTERNAL, "cannot create an XML parser");
	}
	for (size_t i = 0; i < MAX_LEVELS; i++) {
		strbuf_release(&p->levels[i].text);
		free(p->levels[i].row.frames);
	}
	strbuf_release(&p->caption);
	free(p->tables);
	arena_release(&p->arena);
	free(p);
	return ok;
}
