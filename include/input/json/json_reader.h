/*
 * A streaming JSON pull reader (RFC 8259). Its memory does not depend on the document's size.
 *
 * The caller walks the document from top to bottom:
 *
 *	json_peek	returns the type of the next value
 *	json_enter	enters the next object or array; then, until there are no more members:
 *	json_next_key	reads the next member's key; read or skip its value before the next call
 *	json_next_item	moves to the next element; read or skip it before the next call
 *	json_read_string, json_read_number ..., json_skip	read or skip one value
 *
 * json_next_key and json_next_item leave the container when there are no more members. All calls
 * return false on failure. The first failure is kept, and all later calls fail with it. It is
 * ERROR_INPUT with the byte offset ("offset N"), ERROR_LIMIT for a limit, or ERROR_FILE for a read error.
 *
 * Texts are borrowed until the next call on the reader. They are valid UTF-8 without NUL. U+0000,
 * lone surrogates and U+001A are escaped as in the depot (base/depot_text.h).
 */
#ifndef PROFDEPOT_INPUT_JSON_JSON_READER_H
#define PROFDEPOT_INPUT_JSON_JSON_READER_H

#include "base/decimal.h"
#include "base/error.h"
#include "base/text.h"

#include <stdint.h>

enum json_type {
	JSON_OBJECT,
	JSON_ARRAY,
	JSON_STRING,
	JSON_NUMBER,
	JSON_TRUE,
	JSON_FALSE,
	JSON_NULL,
	JSON_END, /* end of the input: no further document */
};

/* Deviations that only a tolerant reader accepts. */
enum json_deviation {
	JSON_TRAILING_COMMA, /* before ] or } */
	/* the input ends inside a container, which is then closed; a cut value is omitted */
	JSON_UNCLOSED,
	JSON_BAD_UTF8, /* invalid UTF-8, which is replaced by U+FFFD */
	JSON_DEVIATIONS
};

struct json_options {
	const char *source; /* for messages, such as the file's name; borrowed */
	size_t max_depth;   /* nesting limit; 0 means 100,000 */
	/* size limit for each string, key or raw value that is read; 0 means 256 MiB */
	size_t max_string_bytes;
	uint64_t first_offset; /* added to all offsets, for JSON in the middle of a file */
	unsigned tolerate;     /* bits 1 << JSON_TRAILING_COMMA ... */
	/* Reject repeated keys. This needs memory for the keys of the open objects. If false, the
	 * caller receives all keys, even repeated ones. */
	bool duplicate_keys;
	/* Called for each accepted deviation; may be NULL. */
	void (*deviation)(void *self, enum json_deviation what, uint64_t offset);
	void *self;
};

struct json_reader;

/* Reads the file from the descriptor's current offset to the end. Borrows the descriptor. Skips a UTF-8
 * BOM. Further documents may follow (NDJSON). A caller that accepts only one must check json_at_end. */
struct json_reader *json_reader_new_fd(int fd, const struct json_options *o);
/* Reads from memory, which is borrowed. chunk > 0 limits the bytes per read (for tests). */
struct json_reader *json_reader_new_memory(
	const void *data, size_t size, size_t chunk, const struct json_options *o);
void json_reader_free(struct json_reader *r);

/* Sets *type to the type of the next value, or to JSON_END at the end of the input. Call it only between values. */
bool json_peek(struct json_reader *r, enum json_type *type, struct error *err);

/* Enters the next object or array. The json_next_... call that finds no more members leaves the container. */
bool json_enter(struct json_reader *r, struct error *err);
/* *more is false if there were no more members. Calls in the wrong order are programming
 * errors; assertions detect most of them. */
bool json_next_key(struct json_reader *r, struct text *key, bool *more, struct error *err);
bool json_next_item(struct json_reader *r, bool *more, struct error *err);

/* json_more_keys and json_more_items are meant for the conditions of loops. They return false at the end
 * and on failure. A failure sets err. */
static inline bool
json_more_keys(struct json_reader *r, struct text *key, struct error *err)
{
	bool more;

	return json_next_key(r, key, &more, err) && more;
}

static inline bool
json_more_items(struct json_reader *r, struct error *err)
{
	bool more;

	return json_next_item(r, &more, err) && more;
}

/* Reads a string, and escapes it as in the depot (base/depot_text.h). */
bool json_read_string(struct json_reader *r, struct text *value, struct error *err);
/* Reads a number. *value is its text, exactly as in the input. */
bool json_read_number(struct json_reader *r, struct text *value, struct error *err);
/* Reads JSON_TRUE, JSON_FALSE or JSON_NULL. */
bool json_read_literal(struct json_reader *r, struct error *err);
/* Skips any value and validates it as strictly as if it were read. */
bool json_skip(struct json_reader *r, struct error *err);
/* Reads a value of any type. *value is its JSON text as in the input, without surrounding blanks. In
 * tolerant mode invalid UTF-8 is replaced. Fails with ERROR_LIMIT if the text is longer than max_bytes
 * (0 means max_string_bytes). */
bool json_read_raw(struct json_reader *r, size_t max_bytes, struct text *value, struct error *err);

/* Reads a number as an exact integer. *ok is false if it has a fraction or does not fit; 1.0 and
 * 1e3 are integers. */
bool json_read_int64(struct json_reader *r, int64_t *value, bool *ok, struct error *err);
/* Reads a number as a decimal, whose text is borrowed. *ok is false on DECIMAL_RANGE. */
bool json_read_decimal(struct json_reader *r, struct decimal *value, bool *ok, struct error *err);
/* Reads a number as a double, correctly rounded. 1e999 is infinite. */
bool json_read_double(struct json_reader *r, double *value, struct error *err);

/* Returns the bytes in the buffer from the next value on, followed by NUL. The text is empty if no value
 * may follow. Callers that read many small values of the same form use it to save time. If the bytes
 * begin with a complete value of n bytes, json_take(r, n) moves past it. Otherwise, for example if
 * the buffer ends within the value, read the value with the other functions. */
struct text json_window(struct json_reader *r);
void json_take(struct json_reader *r, size_t n);

/* Reads a non-negative number of at most 18 digits without an exponent from json_window's bytes.
 * Returns the end of the number. Returns NULL for any other value, or if the number is not followed by
 * a comma, ], } or a space. */
const char *json_scan_decimal(const char *p, struct decimal *value);

/* Skips white space between documents. Sets *end to true at the end of the input. Fails if
 * the input continues with anything but a value. */
bool json_at_end(struct json_reader *r, bool *end, struct error *err);

/* Returns the offset of the next byte to be read. Directly after a value has been read, this is the offset
 * of the first byte after the value. */
uint64_t json_offset(const struct json_reader *r);
/* Returns the offset at which the last value or key began. */
uint64_t json_value_offset(const struct json_reader *r);
/* Returns the number of open containers. */
size_t json_depth(const struct json_reader *r);

/* Returns the type's name for messages: "an object", "a string" ... */
const char *json_type_name(enum json_type type);

#endif
