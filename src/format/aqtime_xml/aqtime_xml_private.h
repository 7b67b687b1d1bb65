/*
 * Shared by the files of the AQTime XML reader.
 *
 * Format: AQTime 8.81's documentation, "Structure of XML Results":
 *
 *	AQtime_Results
 *	  HEADERS: TABLE_HEADER (NAME, ID): TABLE_FIELD (TYPE) with a caption
 *	  RESULTS: DATA (TABLE_ID): ROW: FIELD (ID) with a value | CHILDREN: DATA ...
 *
 * A FIELD's ID is the position of its TABLE_FIELD. A row can contain rows. For example, an object's row
 * contains the rows of its creation call stack. Tables and fields have the same names as the captions in
 * AQTime's panels.
 */
#ifndef PROFDEPOT_FORMAT_AQTIME_XML_AQTIME_XML_PRIVATE_H
#define PROFDEPOT_FORMAT_AQTIME_XML_AQTIME_XML_PRIVATE_H

#include "base/strbuf.h"
#include "format/format.h"

/* A column, and its caption in AQTime's panels, without blanks and in lower case. */
#define XML_COLUMN_TABLE(X) \
	X(XML_NUMBER, "#") \
	X(XML_ADDRESS, "address") \
	X(XML_CLASS, "classname") \
	X(XML_GET, "get#") \
	X(XML_MODULE, "modulename") \
	X(XML_OBJECT_NAME, "objectname") \
	X(XML_SIZE, "size") \
	X(XML_DESCRIPTION, "description") \
	X(XML_CODE, "errorcode") \
	X(XML_KIND, "kind") \
	X(XML_NAME, "name") \
	X(XML_LIVE_COUNT, "livecount") \
	X(XML_LIVE_SIZE, "livesize") \
	X(XML_PEAK_CREATED, "peakcreated") \
	X(XML_PEAK_SIZE, "peaksize") \
	X(XML_TOTAL_CREATED, "totalcreated") \
	X(XML_TOTAL_SIZE, "totalsize") \
	X(XML_ROUTINE, "routinename") \
	X(XML_FILE, "sourcefile") \
	X(XML_LINE, "sourceline") \
	X(XML_UNIT, "unitname") \
	X(XML_HIT_COUNT, "hitcount") \
	X(XML_THREAD, "thread")

enum xml_column {
#define XML_COLUMN_ENUM(id, caption) id,
	XML_COLUMN_TABLE(XML_COLUMN_ENUM)
#undef XML_COLUMN_ENUM
	XML_COLUMNS,
	XML_UNKNOWN = XML_COLUMNS
};

/* What a table contains. */
enum xml_kind {
	XML_OTHER, /* results of another profiler */
	XML_CLASSES,
	XML_OBJECTS,
	XML_ERRORS,
	XML_STACKS,
	XML_THREADS
};

struct xml_table {
	const char *id;
	const char *name; /* as spelled in the file */
	enum xml_kind kind;
	enum xml_column *columns; /* indexed by the FIELD's ID */
	size_t column_count;
	uint32_t known; /* set of columns, with the bits 1 << enum xml_column */
};

/* A frame in the stack of an object or error. */
struct xml_frame {
	int64_t routine, line, hit_count;
};

struct xml_row {
	const struct xml_table *table;
	struct xml_row *parent; /* the row that contains this one; NULL at the top level */
	uint64_t line, offset;  /* where the row begins */
	/* UTF-8 without NUL, valid until the next row of this level. NULL if a field is absent. */
	struct text values[XML_COLUMNS];
	/* The row's stack. The reader collects the frames from the rows below this row. */
	struct xml_frame *frames;
	size_t frame_count, frame_room;
	bool too_deep;
};

struct xml_reader {
	const char *name; /* the file's name in messages */
	/* Overrides the declared encoding, but not a byte order mark; may be NULL. */
	const char *encoding;
	/* Called after a table's header. left_out contains the captions of unknown fields. */
	bool (*table)(void *self, const struct xml_table *table, const char *const *left_out,
		size_t left_out_count);
	/* Called when a row and all rows below it have been read. */
	bool (*row)(void *self, struct xml_row *row);
	/* Called with the number of bytes read so far. */
	void (*progress)(void *self, int64_t bytes);
	void *self;
};

/* Reads the descriptor to its end. Fails with ERROR_INPUT, line and offset if the input is not XML, is not from
 * AQTime, has no Resource profiler panel, has a document type, or has an unknown encoding. The callbacks `table` and
 * `row` set err if they return false. */
bool aqtime_xml_parse(int fd, const struct xml_reader *reader, struct error *err);

/* The encoding that a file's byte order mark states; it overrides any other declaration. NULL if there is no mark. */
const char *aqtime_xml_mark(int fd);

/* Whether the head of a file looks like AQTime's XML, in any encoding. */
bool aqtime_xml_looks_like(const char *data, size_t size);

/* The column with this caption, or XML_UNKNOWN. */
enum xml_column aqtime_xml_column(const char *caption);

/* Determines a table's kind from its fields or, failing that, from its name. */
enum xml_kind aqtime_xml_kind(const char *name, uint32_t known);

/* Sets map[b] to the code point of byte b in the code page, or to -1 if the byte is invalid. Returns false if the
 * code page is unknown, or has characters of more than one byte. */
bool aqtime_xml_code_page(const char *name, int map[256]);

/* A row whose numbers are being read. The other members describe the first invalid number. */
struct xml_values {
	const struct xml_row *row;
	const char *bad; /* caption of the invalid number; NULL if all are valid */
	struct text text;
	enum issue_code code;
};

struct number aqtime_xml_number(struct xml_values *v, enum xml_column column, const char *caption);
int64_t aqtime_xml_int64(struct xml_values *v, enum xml_column column, const char *caption);

/* Reads a number, or "0x" and hex digits, which is how AQTime shows codes. */
int64_t aqtime_xml_code(struct xml_values *v, enum xml_column column, const char *caption);

/* The kind of the error in the row: 1 for the text "error", and 2 for "warning". A number in the row is returned as it
 * is. MODEL_NULL for any other text. */
int64_t aqtime_xml_error_kind(const struct xml_row *row);

/* The operating system's thread ID; MODEL_NULL if the text is not a number. */
int64_t aqtime_xml_os_thread(struct text thread);

/* The class and the number in a name such as "Bitmap.3"; NULL for names of another form. */
struct text aqtime_xml_name_class(struct text name);
struct number aqtime_xml_name_number(struct text name);

#endif
