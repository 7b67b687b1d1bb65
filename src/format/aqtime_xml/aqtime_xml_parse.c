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
	MAX_DEPTH = 64, /* of elements: rows eight levels below rows */
	MAX_TABLES = 1000,
	MAX_FIELDS = 1000, /* of a table */
	MAX_NAME_BYTES = 1000,
	MAX_TOKEN_BYTES = 1024 * 1024,
	MAX_ROW_BYTES = 16 * 1024 * 1024,
	MAX_LEVELS = MAX_DEPTH / 3 + 2,
};

enum element {
	EL_OTHER,
	EL_RESULTS_FILE,
	EL_HEADERS,
	EL_TABLE_HEADER,
	EL_TABLE_FIELD,
	EL_RESULTS,
	EL_DATA,
	EL_ROW,
	EL_FIELD,
	EL_CHILDREN,
};

/* A DATA element and the row of it that is open. */
struct level {
	const struct xml_table *table;
	struct xml_row row;
	struct strbuf text; /* the row's values */
	size_t begins[XML_COLUMNS];
	size_t sizes[XML_COLUMNS];
	bool has[XML_COLUMNS];
	bool open; /* a row */
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
	struct xml_table *head;           /* whose TABLE_FIELDs are read */
	struct strbuf caption;            /* of the TABLE_FIELD that is open */
	const char *left_out[MAX_FIELDS]; /* captions of the table that mean nothing to us */
	size_t left_out_count;
	struct level levels[MAX_LEVELS];
	size_t level_count;
	size_t column; /* of the FIELD that is open; XML_UNKNOWN: none that counts */
};

/* --- failures -------------------------------------------------------------------------------- */

static void fail(struct parse *p, enum error_code code, const char *format, ...) ERROR_PRINTF(3, 4);

static void
fail(struct parse *p, enum error_code code, const char *format, ...)
{
	char what[512];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	aqtime_xml_mend(what);
	error_set(p->err, code, "%s: line %llu: %s at offset %lld", p->reader->name,
		(unsigned long long)XML_GetCurrentLineNumber(p->expat), what,
		(long long)XML_GetCurrentByteIndex(p->expat));
	p->failed = true;
	XML_StopParser(p->expat, XML_FALSE);
}

/* --- tables ---------------------------------------------------------------------------------- */

/* The attribute of that name, without regard to case; NULL: none. */
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

static void
begin_table(struct parse *p, const XML_Char **attributes)
{
	const char *id = attribute(attributes, "ID");
	const char *name = attribute(attributes, "NAME");

	if (!id || strlen(id) > MAX_NAME_BYTES || (name && strlen(name) > MAX_NAME_BYTES)) {
		fail(p, ERROR_INPUT, "a TABLE_HEADER without ID");
		return;
	}
	if (find_table(p, id)) {
		fail(p, ERROR_INPUT, "two TABLE_HEADERs with one ID");
		return;
	}
	if (p->table_count == MAX_TABLES) {
		fail(p, ERROR_LIMIT, "more than %d tables", (int)MAX_TABLES);
		return;
	}
	/* Rows point at tables: none moves once there are rows. */
	if (!p->tables)
		p->tables = xcalloc(MAX_TABLES, sizeof(*p->tables));
	p->head = &p->tables[p->table_count];
	*p->head = (struct xml_table){ .id = arena_strdup(&p->arena, id),
		.name = arena_strdup(&p->arena, name ? name : id),
		.columns = arena_alloc_array(&p->arena, MAX_FIELDS, sizeof(enum xml_column)) };
	p->left_out_count = 0;
}

static void
end_field_of_table(struct parse *p)
{
	struct xml_table *t = p->head;
	enum xml_column c = aqtime_xml_column(strbuf_str(&p->caption));

	if (t->column_count == MAX_FIELDS) {
		fail(p, ERROR_LIMIT, "a table with more than %d fields", (int)MAX_FIELDS);
		return;
	}
	/* Of two fields with one caption the first counts. */
	if (c != XML_UNKNOWN && t->known & 1U << c)
		c = XML_UNKNOWN;
	if (c == XML_UNKNOWN)
		p->left_out[p->left_out_count++] = arena_strdup(&p->arena, strbuf_str(&p->caption));
	else
		t->known |= 1U << c;
	t->columns[t->column_count++] = c;
}

static void
end_table(struct parse *p)
{
	struct xml_table *t = p->head;

	t->kind = aqtime_xml_kind(t->name, t->known);
	p->table_count++;
	p->head = NULL;
	if (!p->reader->table(p->reader->self, t, p->left_out, p->left_out_count, p->err)) {
		p->failed = true;
		XML_StopParser(p->expat, XML_FALSE);
	}
}

/* Has it what the depot keeps? */
static void
check_tables(struct parse *p)
{
	char names[256] = "it has no tables";
	size_t used = 0;

	for (size_t i = 0; i < p->table_count; i++) {
		enum xml_kind kind = p->tables[i].kind;

		if (kind == XML_CLASSES || kind == XML_OBJECTS || kind == XML_ERRORS)
			return;
		if (used < sizeof(names))
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%.60s",
				i ? ", " : "it has ", p->tables[i].name);
	}
	fail(p, ERROR_INPUT, "no panel of the Resource profiler: %s", names);
	error_hint(p->err,
		"looked for a table with Live Count, one with Object Name, or Class Name "
		"and Address or Size, and one with Error Code");
}

/* --- rows ------------------------------------------------------------------------------------ */

static void
begin_data(struct parse *p, const XML_Char **attributes)
{
	const char *id = attribute(attributes, "TABLE_ID");
	const struct xml_table *table = id ? find_table(p, id) : NULL;
	struct level *l;

	if (!table) {
		fail(p, ERROR_INPUT, "a DATA element whose TABLE_ID names no TABLE_HEADER");
		return;
	}
	if (p->level_count == MAX_LEVELS) {
		fail(p, ERROR_LIMIT, "rows nested deeper than %d", (int)MAX_LEVELS);
		return;
	}
	l = &p->levels[p->level_count++];
	l->table = table;
	l->open = false;
}

/* The row that owns those of the innermost DATA. */
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

static void
begin_field(struct parse *p, const XML_Char **attributes)
{
	struct level *l = &p->levels[p->level_count - 1];
	const char *id = attribute(attributes, "ID");
	char *end = NULL;
	unsigned long n = id && *id >= '0' && *id <= '9' ? strtoul(id, &end, 10) : MAX_FIELDS;

	p->column = XML_UNKNOWN;
	if (!id || !end || *end || n >= l->table->column_count) {
		fail(p, ERROR_INPUT, "a FIELD whose ID is no field of its table");
		return;
	}
	p->column = l->table->columns[n];
	if (p->column == XML_UNKNOWN)
		return;
	if (l->has[p->column]) {
		fail(p, ERROR_INPUT, "a row with a field twice");
		return;
	}
	l->has[p->column] = true;
	l->begins[p->column] = l->text.size;
	l->sizes[p->column] = 0;
}

static void
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
	if (!p->reader->row(p->reader->self, &l->row, p->err)) {
		p->failed = true;
		XML_StopParser(p->expat, XML_FALSE);
	}
}

/* --- elements -------------------------------------------------------------------------------- */

static enum element
element_of(const char *name)
{
	static const struct {
		const char *name;
		enum element element;
	} names[] = { { "AQtime_Results", EL_RESULTS_FILE }, { "HEADERS", EL_HEADERS },
		{ "TABLE_HEADER", EL_TABLE_HEADER }, { "TABLE_FIELD", EL_TABLE_FIELD },
		{ "RESULTS", EL_RESULTS }, { "DATA", EL_DATA }, { "ROW", EL_ROW },
		{ "FIELD", EL_FIELD }, { "CHILDREN", EL_CHILDREN } };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcasecmp(names[i].name, name) == 0)
			return names[i].element;
	return EL_OTHER;
}

/* An element counts where the grammar has it; elsewhere it and what is in it
 * are passed over. */
static bool
is_expected(enum element e, enum element in)
{
	switch (e) {
	case EL_RESULTS_FILE:
		return false;
	case EL_HEADERS:
	case EL_RESULTS:
		return in == EL_RESULTS_FILE;
	case EL_TABLE_HEADER:
		return in == EL_HEADERS;
	case EL_TABLE_FIELD:
		return in == EL_TABLE_HEADER;
	case EL_DATA:
		return in == EL_RESULTS || in == EL_CHILDREN;
	case EL_ROW:
		return in == EL_DATA;
	case EL_FIELD:
	case EL_CHILDREN:
		return in == EL_ROW;
	case EL_OTHER:
		break;
	}
	return false;
}

static void
on_start(void *self, const XML_Char *name, const XML_Char **attributes)
{
	struct parse *p = self;
	enum element e = element_of(name);

	if (p->failed)
		return;
	if (p->depth == MAX_DEPTH) {
		fail(p, ERROR_LIMIT, "elements nested deeper than %d", (int)MAX_DEPTH);
		return;
	}
	if (p->depth == 0 && e != EL_RESULTS_FILE) {
		fail(p, ERROR_INPUT, "no XML results of AQTime: the document element is %.100s",
			name);
		return;
	}
	if (p->depth && !is_expected(e, p->path[p->depth - 1]))
		e = EL_OTHER;
	p->path[p->depth++] = e;
	if (e == EL_TABLE_HEADER)
		begin_table(p, attributes);
	else if (e == EL_TABLE_FIELD)
		strbuf_reset(&p->caption);
	else if (e == EL_RESULTS)
		check_tables(p);
	else if (e == EL_DATA)
		begin_data(p, attributes);
	else if (e == EL_ROW)
		begin_row(p);
	else if (e == EL_FIELD)
		begin_field(p, attributes);
}

static void
on_end(void *self, const XML_Char *name)
{
	struct parse *p = self;
	enum element e;

	(void)name;
	if (p->failed)
		return;
	e = p->path[--p->depth];
	if (e == EL_RESULTS_FILE)
		check_tables(p);
	else if (e == EL_TABLE_HEADER)
		end_table(p);
	else if (e == EL_TABLE_FIELD)
		end_field_of_table(p);
	else if (e == EL_DATA)
		p->level_count--;
	else if (e == EL_ROW)
		end_row(p);
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
		if (p->caption.failed)
			fail(p, ERROR_LIMIT, "a caption of more than %d bytes",
				(int)MAX_NAME_BYTES);
		return;
	}
	if (e != EL_FIELD || p->column == XML_UNKNOWN)
		return;
	l = &p->levels[p->level_count - 1];
	strbuf_append(&l->text, data, (size_t)size);
	l->sizes[p->column] += (size_t)size;
	if (l->text.failed)
		fail(p, ERROR_LIMIT, "a row of more than %d bytes", (int)MAX_ROW_BYTES);
}

/* Entities are declared in document types only: without one nothing expands. */
static void
on_doctype(void *self, const XML_Char *name, const XML_Char *system, const XML_Char *public,
	int internal)
{
	(void)name;
	(void)system;
	(void)public;
	(void)internal;
	fail(self, ERROR_INPUT, "a document type, which AQTime does not write and nobody needs");
}

/* Beyond expat's own: the code pages of Windows. */
static int
on_encoding(void *self, const XML_Char *name, XML_Encoding *encoding)
{
	(void)self;
	encoding->data = NULL;
	encoding->convert = NULL;
	encoding->release = NULL;
	return aqtime_xml_code_page(name, encoding->map) ? XML_STATUS_OK : XML_STATUS_ERROR;
}

/* --- the file -------------------------------------------------------------------------------- */

static bool
explain(struct parse *p)
{
	enum XML_Error code = XML_GetErrorCode(p->expat);

	if (p->failed)
		return false;
	fail(p, ERROR_INPUT, "%s", XML_ErrorString(code));
	if (code == XML_ERROR_UNKNOWN_ENCODING)
		error_hint(p->err,
			"--encoding names another one; or convert it: iconv -f CODEPAGE -t UTF-8, "
			"and say encoding=\"UTF-8\"");
	else if (code == XML_ERROR_INVALID_TOKEN && XML_GetCurrentByteIndex(p->expat) > 0)
		error_hint(p->err, "where it is no UTF-8, --encoding tells its code page, such as "
				   "CP1252");
	else if (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN)
		error_hint(p->err, "the file is cut off");
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
				p->err, ERROR_FILE, "%s: cannot be read", p->reader->name);
		if (XML_ParseBuffer(p->expat, (int)n, n == 0) != XML_STATUS_OK || p->failed)
			return explain(p);
		if (n == 0)
			return true;
		bytes += n;
		/* A tag or comment is held whole, and looked at anew with every block. */
		if (bytes - XML_GetCurrentByteIndex(p->expat) > MAX_TOKEN_BYTES) {
			fail(p, ERROR_LIMIT, "a tag or comment of more than %d bytes",
				(int)MAX_TOKEN_BYTES);
			return false;
		}
		p->reader->progress(p->reader->self, bytes);
	}
}

/* A byte order mark says what --encoding is for. */
static bool
has_mark(int fd)
{
	unsigned char b[3] = { 0 };

	if (pread(fd, b, sizeof(b), 0) != (ssize_t)sizeof(b))
		return false;
	return (b[0] == 0xEF && b[1] == 0xBB && b[2] == 0xBF) || (b[0] == 0xFF && b[1] == 0xFE) ||
	       (b[0] == 0xFE && b[1] == 0xFF);
}

bool
aqtime_xml_parse(int fd, const struct xml_reader *reader, struct error *err)
{
	struct parse *p = xcalloc(1, sizeof(*p));
	bool ok;

	p->reader = reader;
	p->arena = ARENA_INIT;
	p->err = err;
	p->expat = XML_ParserCreate(has_mark(fd) ? NULL : reader->encoding);
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
		ok = error_set(err, ERROR_INTERNAL, "expat does not start");
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
