/*
 * A streaming JSON pull reader (RFC 8259): memory does not depend on the document.
 *
 * The caller walks the document from top to bottom:
 *
 *	json_peek	what the next value is
 *	json_enter	into the object or array that is next; then until it says there is no more:
 *	json_next_key	the next member's key; its value must be read or skipped before the next
 *call json_next_item	the next element; likewise json_read_string, json_read_number ..., json_skip
 *read or skip one value
 *
 * json_next_key and json_next_item leave the container when they say that
 * there is no more. All calls return false on failure; the first failure
 * sticks, and later calls fail with it. Errors are ERROR_INPUT with the byte
 * offset ("offset N"), ERROR_LIMIT for a limit, ERROR_FILE for a read error.
 *
 * Texts are borrowed until the next call on the reader. They are valid UTF-8
 * without NUL in the depot's escape (see base/depot_text.h): U+0000, lone
 * surrogates and U+001A come as U+001A and four hex digits.
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
	JSON_END, /* no further document */
};

/* What only a tolerant reader lets pass. */
enum json_deviation {
	JSON_TRAILING_COMMA, /* before ] or } */
	JSON_UNCLOSED,       /* the input ends inside a container: it is taken as closed there;
				a value cut off is left out */
	JSON_BAD_UTF8,       /* became U+FFFD */
	JSON_DEVIATIONS
};

struct json_options {
	const char *source;      /* for messages, such as the file's name; borrowed */
	size_t max_depth;        /* of nested containers; 0: 100,000 */
	size_t max_string_bytes; /* of one string, key or raw value that is kept; 0: 256 MiB.
				    What is skipped has no limit */
	uint64_t first_offset;   /* what offsets count from, where JSON begins within a file */
	unsigned tolerate;       /* bits 1 << JSON_TRAILING_COMMA ... */
	bool duplicate_keys;     /* a repeated key is an error; costs memory for the keys of
				    the open objects. Else the caller sees both */
	/* Told of each deviation let pass; may be NULL. */
	void (*deviation)(void *self, enum json_deviation what, uint64_t offset);
	void *self;
};

struct json_reader;

/* Reads the descriptor from its offset to its end; borrows it. A UTF-8 BOM is
 * passed over. A document may be followed by others (NDJSON) unless
 * json_at_end is asked. */
struct json_reader *json_reader_new_fd(int fd, const struct json_options *o);
/* From memory, which it borrows; chunk > 0 hands over so many bytes at a time (for tests). */
struct json_reader *json_reader_new_memory(
	const void *data, size_t size, size_t chunk, const struct json_options *o);
void json_reader_free(struct json_reader *r);

/* Of the next value: valid between values only. JSON_END at the end of the input. */
bool json_peek(struct json_reader *r, enum json_type *type, struct error *err);

/* Into the object or array that is next; leaving it is the end of its members. */
bool json_enter(struct json_reader *r, struct error *err);
/* *more false: the object is left. Wrong order of calls is a programmer's error; where it shows,
 * an assert tells. */
bool json_next_key(struct json_reader *r, struct text *key, bool *more, struct error *err);
bool json_next_item(struct json_reader *r, bool *more, struct error *err);

/* Its characters, in the depot's escape (base/depot_text.h). */
bool json_read_string(struct json_reader *r, struct text *value, struct error *err);
/* The text as it stands there. */
bool json_read_number(struct json_reader *r, struct text *value, struct error *err);
/* JSON_TRUE, JSON_FALSE, JSON_NULL. */
bool json_read_literal(struct json_reader *r, struct error *err);
/* Any value, checked as strictly as if it were read. */
bool json_skip(struct json_reader *r, struct error *err);
/* Any value as JSON text, as it stands there without blanks around it;
 * bytes that are no UTF-8 are mended in tolerant mode. ERROR_LIMIT beyond max_bytes (0:
 * max_string_bytes). */
bool json_read_raw(struct json_reader *r, size_t max_bytes, struct text *value, struct error *err);

/* Number as an exact integer: *ok false when it has a fraction, an exponent
 * that makes one, or does not fit; 1.0 and 1e3 are integers. */
bool json_read_int64(struct json_reader *r, int64_t *value, bool *ok, struct error *err);
/* As a decimal; its text is borrowed like a string. *ok false: DECIMAL_RANGE. */
bool json_read_decimal(struct json_reader *r, struct decimal *value, bool *ok, struct error *err);
/* Correctly rounded. 1e999 is infinite. */
bool json_read_double(struct json_reader *r, double *value, struct error *err);

/* The bytes of the value that is next and what follows it, as far as they are
 * in the buffer; a NUL stands behind them. For readers of very many small values
 * that are nearly always written alike: what they find to be one whole value
 * by looking at these bytes alone they pass with json_take, its size being n;
 * all else, also what the buffer cuts, they read as usual. Empty when no value
 * is due. */
struct text json_window(struct json_reader *r);
void json_take(struct json_reader *r, size_t n);

/* A number in json_window's bytes, not below 0, of at most 18 digits and without an exponent:
 * where it ends, if what follows shows that it does; NULL when it is anything else. */
const char *json_scan_decimal(const char *p, struct decimal *value);

/* Passes white space between documents; *end: nothing but white space is left.
 * Tells of garbage behind a document. */
bool json_at_end(struct json_reader *r, bool *end, struct error *err);

/* Bytes into the input of the next byte to be looked at; after a value: behind it. */
uint64_t json_offset(const struct json_reader *r);
/* Where the value or key last read began. */
uint64_t json_value_offset(const struct json_reader *r);
/* Containers open. */
size_t json_depth(const struct json_reader *r);

/* A JSON_... for messages: "an object", "a string" ... */
const char *json_type_name(enum json_type type);

#endif
