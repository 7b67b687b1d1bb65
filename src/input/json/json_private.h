/*
 * Shared by the parts of the JSON reader.
 *
 * The buffer holds bytes [p, end) of the input and a NUL after them. JSON contains no NUL, so code
 * compares p with the end of the buffer only after it has found a NUL. After a failure the buffer stays
 * empty.
 */
#ifndef PROFDEPOT_INPUT_JSON_JSON_PRIVATE_H
#define PROFDEPOT_INPUT_JSON_JSON_PRIVATE_H

#include "base/strbuf.h"
#include "input/json/json_reader.h"
#include "json_scan_private.h"

struct json_keys;

enum json_state {
	JSON_AT_FIRST, /* before the innermost container's first member */
	JSON_AT_NEXT,  /* a comma or the container's end must follow */
	JSON_AT_VALUE,
};

struct json_reader {
	const char *p;   /* the next byte */
	const char *end; /* end of the bytes in the buffer */
	/* scalars that begin before `safe` are complete; `safe` is `end` unless look_ahead is set */
	const char *safe;
	/* fast paths stop here: `safe`, or the buffer's start if `portable` or `keys` is set */
	const char *swift;
	uint64_t bias; /* offset in the input = address in the buffer + bias */
	uint64_t value_offset;
	uint64_t first_offset; /* offset of the first byte that is not blank */
	size_t depth;
	uint64_t kinds; /* one bit per container (1: object); the lowest bit: the innermost */
	enum json_state state;
	bool look_ahead;        /* JSON_UNCLOSED is tolerated */
	bool portable;          /* scan without SSE2 (tests) */
	bool eof;               /* nothing follows `end` */
	bool started;           /* the BOM was checked; until then the buffer is empty */
	bool cut;               /* the input ended in a container, so all containers were closed */
	bool failed;            /* `error` is set */
	struct json_keys *keys; /* NULL unless duplicates are rejected */
	size_t max_string;
	size_t max_depth;
	uint64_t *outer_kinds; /* full words of `kinds`, one for every 64 outer containers */
	size_t outer_words;
	char *buffer; /* JSON_PAD bytes longer than `capacity` */
	size_t capacity;
	struct strbuf scratch; /* a string that had to be assembled */
	struct strbuf raw;     /* recorded text before `record` */

	const char *record; /* start of the bytes to append to `raw` next; NULL if not recording */
	uint64_t raw_good;  /* size of the raw text up to the last complete member */

	struct json_options o;
	int fd; /* -1 if from memory */
	const char *memory;
	size_t memory_left;
	size_t chunk;
	struct error error;
};

static inline uint64_t
json_offset_in(const struct json_reader *r, const char *at)
{
	return (uint64_t)(uintptr_t)at + r->bias;
}

/* json_input.c */

/* Reads more bytes after `end` and keeps the bytes from p on. Pointers into the buffer become
 * invalid. Returns false at the end of the input or if reading failed (r->failed). */
bool json_fill(struct json_reader *r);
/* Ensures n (<= JSON_PAD) bytes at p. Returns false if the input has fewer bytes left. */
bool json_need(struct json_reader *r, size_t n);
/* Whether p is at the end of the input. May call json_fill. */
bool json_ended(struct json_reader *r);
/* json_fail_at and json_fail_at_offset set ERROR_INPUT; json_fail_limit sets ERROR_LIMIT. If the reader has
 * already failed, all three set its first error again. */
bool json_fail_at(struct json_reader *r, const char *at, struct error *err, const char *format, ...)
	ERROR_PRINTF(4, 5);
bool json_fail_at_offset(struct json_reader *r, uint64_t offset, struct error *err,
	const char *format, ...) ERROR_PRINTF(4, 5);
bool json_fail_limit(struct json_reader *r, struct error *err, const char *format, ...)
	ERROR_PRINTF(3, 4);
/* Report, with a hint, that the nesting limit or the string limit is exceeded. */
bool json_fail_depth(struct json_reader *r, struct error *err);
bool json_fail_string(struct json_reader *r, struct error *err);
/* Reports what was expected and what is at p instead. */
bool json_fail_wanted(struct json_reader *r, struct error *err, const char *wanted);
void json_deviate(struct json_reader *r, enum json_deviation what, const char *at);
bool json_tolerates(const struct json_reader *r, enum json_deviation what);

/* json_string.c: reads the string after an opening quote. With `keep`, stores it in r->scratch. */
bool json_string_slow(struct json_reader *r, bool keep, struct error *err);
/* The end of the run of plain bytes and valid UTF-8 that begins at p. */
const char *json_scan_text(const struct json_reader *r, const char *p);

/* json_number.c: validates the number at p and moves past it. */
bool json_number(struct json_reader *r, bool keep, struct text *value, struct error *err);

/* json_reader.c */

/* Reads true, false or null at p. */
bool json_literal(struct json_reader *r, struct error *err);
/* Skips blanks; false on failure. At the end of the input *p is NUL. */
bool json_pass_blanks(struct json_reader *r, struct error *err);
/* Like json_next_key. If `keep` is false, only validates the key. */
bool json_member(struct json_reader *r, bool keep, struct text *key, bool *more, struct error *err);
/* Closes the innermost container. */
void json_leave(struct json_reader *r);

/* Whether the scalar at p is complete. May call json_fill. The buffer grows up to max_string; a
 * longer value counts as complete. */
bool json_is_whole(struct json_reader *r);

/* Like json_is_whole, but never calls json_fill. */
bool json_whole_in_buffer(const struct json_reader *r, const char *p);

/* The number of bytes of raw text so far. */
uint64_t json_raw_size(const struct json_reader *r);
/* Appends the recorded bytes before `at` to `raw`, and continues recording at `next`. */
void json_raw_flush(struct json_reader *r, const char *at, const char *next);
/* Returns to the last complete member, appends `more`, and continues recording at `next`. */
void json_raw_cut(struct json_reader *r, const char *next, const char *more);

/* json_keys.c */
struct json_keys *json_keys_new(size_t max_bytes);
void json_keys_free(struct json_keys *k);
void json_keys_enter(struct json_keys *k);
void json_keys_leave(struct json_keys *k);

enum json_keys_result {
	JSON_KEYS_NEW,
	JSON_KEYS_TWICE,
	JSON_KEYS_FULL
};
enum json_keys_result json_keys_add(struct json_keys *k, struct text key);

/* For tests: turns SSE2 off. */
void json_reader_use_portable(struct json_reader *r);

#endif
