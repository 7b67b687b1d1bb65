/*
 * The inside of the reader of AQTime's XML results. Source of the format: the
 * AQTime 8.81 documentation, "Structure of XML Results":
 *
 *	AQtime_Results
 *	  HEADERS: TABLE_HEADER (NAME, ID): TABLE_FIELD (TYPE) with a caption
 *	  RESULTS: DATA (TABLE_ID): ROW: FIELD (ID) with a value | CHILDREN: DATA ...
 *
 * The ID of a FIELD is the position of its TABLE_FIELD. Rows own rows: an
 * object its creation call stack. Names of tables and fields are the captions
 * of AQTime's panels.
 */
#ifndef PROFDEPOT_FORMAT_AQTIME_XML_AQTIME_XML_PRIVATE_H
#define PROFDEPOT_FORMAT_AQTIME_XML_AQTIME_XML_PRIVATE_H

#include "base/strbuf.h"
#include "format/format.h"

/* What a caption means: the caption without blanks and case, of AQTime's panels. */
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

/* What a table is, by its fields. */
enum xml_kind {
	XML_OTHER, /* of another profiler */
	XML_CLASSES,
	XML_OBJECTS,
	XML_ERRORS,
	XML_STACKS,
	XML_THREADS
};

struct xml_table {
	const char *id;
	const char *name; /* as it stands there */
	enum xml_kind kind;
	enum xml_column *columns; /* by the FIELD's ID */
	size_t column_count;
	uint32_t known; /* bits 1 << enum xml_column */
};

/* A frame of the stack of an object or error. */
struct xml_frame {
	int64_t routine, line, hit_count;
};

struct xml_row {
	const struct xml_table *table;
	struct xml_row *parent; /* the row that owns it; NULL: none */
	uint64_t line, offset;  /* where it begins */
	/* Borrowed until the next row of this level; .data NULL: none. Valid UTF-8 without NUL. */
	struct text values[XML_COLUMNS];
	/* What the rows below left for it: the reader's. */
	struct xml_frame *frames;
	size_t frame_count, frame_room;
	bool too_deep;
};

struct xml_reader {
	const char *name;     /* of the file, for messages */
	const char *encoding; /* instead of what the file says, unless it has a byte order mark */
	/* A table's head was read. */
	bool (*table)(void *self, const struct xml_table *table, const char *const *left_out,
		size_t left_out_count, struct error *err);
	/* A row and all below it were read. */
	bool (*row)(void *self, struct xml_row *row, struct error *err);
	/* Bytes read so far. */
	void (*progress)(void *self, int64_t bytes);
	void *self;
};

/* Reads the descriptor to its end. ERROR_INPUT with line and offset: no XML,
 * not of AQTime, no panel of the Resource profiler, a document type, an
 * encoding that is not known. */
bool aqtime_xml_parse(int fd, const struct xml_reader *reader, struct error *err);

/* Does the beginning of a file look like AQTime's XML, in any encoding of it? */
bool aqtime_xml_looks_like(const char *data, size_t size);

/* A question mark for each byte of a character that was cut off. */
void aqtime_xml_mend(char *message);

/* What a caption means; XML_UNKNOWN: nothing to us. */
enum xml_column aqtime_xml_column(const char *caption);

/* By its fields, else by its name. */
enum xml_kind aqtime_xml_kind(const char *name, uint32_t known);

/* Code points of the bytes of a code page, -1 where a byte is none; false: it
 * is not known, or not one byte a character. */
bool aqtime_xml_code_page(const char *name, int map[256]);

/* Numbers of a row; of the first that cannot be taken caption, text and code stay. */
struct xml_values {
	const struct xml_row *row;
	const char *bad; /* caption; NULL: all is well */
	struct text text;
	enum issue_code code;
};

struct number aqtime_xml_number(struct xml_values *v, enum xml_column column, const char *caption);
int64_t aqtime_xml_int64(struct xml_values *v, enum xml_column column, const char *caption);

/* "0x" and hex digits, as AQTime shows codes and addresses, or a number. */
int64_t aqtime_xml_code(struct xml_values *v, enum xml_column column, const char *caption);

/* 1 error, 2 warning, any number; MODEL_NULL for another word. */
int64_t aqtime_xml_error_kind(const struct xml_row *row);

/* The thread's number in the system; MODEL_NULL when the text has more than that. */
int64_t aqtime_xml_os_thread(struct text thread);

/* Class and number of "Bitmap.3"; TEXT_NULL and a NULL number for other names. */
struct text aqtime_xml_name_class(struct text name);
struct number aqtime_xml_name_number(struct text name);

#endif
