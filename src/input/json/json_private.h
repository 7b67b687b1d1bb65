/*
 * What the parts of the JSON reader share.
 *
 * The buffer holds bytes [p, end) of the input and a NUL behind them, so that a
 * look at *p needs no comparison with the end: NUL stands nowhere in JSON, and
 * only who meets it asks whether it is the end of the buffer. After a failure
 * the buffer is empty for good.
 */
#ifndef PROFDEPOT_INPUT_JSON_JSON_PRIVATE_H
#define PROFDEPOT_INPUT_JSON_JSON_PRIVATE_H

#include "base/strbuf.h"
#include "input/json/json_reader.h"
#include "json_scan_private.h"

struct json_keys;

enum json_state {
	JSON_AT_FIRST, /* the innermost container has shown no member yet */
	JSON_AT_NEXT,  /* a comma or the container's end comes next */
	JSON_AT_VALUE,
};

struct json_reader {
	const char *p;     /* the next byte */
	const char *end;   /* of the bytes in the buffer */
	const char *safe;  /* a scalar that begins before it is not cut; `end` where
			      nobody looks ahead */
	const char *swift; /* `safe`, or the buffer's begin where the shortest ways must not
			      be gone: `portable`, `keys` */
	uint64_t bias;     /* offset in the input = address in the buffer + bias */
	uint64_t value_offset;
	uint64_t first_offset; /* of what is no blank */
	size_t depth;
	uint64_t kinds; /* a bit a container, the innermost lowest: an object */
	enum json_state state;
	bool look_ahead;        /* JSON_UNCLOSED is tolerated */
	bool portable;          /* scan without SSE2 (tests) */
	bool eof;               /* nothing comes behind `end` */
	bool started;           /* the BOM was looked for; before, the buffer is empty */
	bool cut;               /* the input ended in a container: all are closed */
	bool failed;            /* with `error` */
	struct json_keys *keys; /* NULL unless duplicates are looked for */
	size_t max_string;
	size_t max_depth;
	uint64_t *outer_kinds; /* of the 64th container, the 128th ... */
	size_t outer_words;
	char *buffer; /* JSON_PAD bytes longer than `capacity` */
	size_t capacity;
	struct strbuf scratch; /* a string that was put together */
	struct strbuf raw;     /* raw text but for what `record` begins */

	const char *record; /* raw text: what of the buffer goes to `raw` next; NULL: none */
	uint64_t raw_good;  /* bytes of raw text up to the last whole member */

	struct json_options o;
	int fd; /* -1: from memory */
	const char *memory;
	size_t memory_left;
	size_t chunk;
	struct error error;
};

/* json_input.c: bytes, failures. */

/* More bytes behind `end`; what begins at p stays. False at the end of the
 * input, and when a read failed (r->failed). Pointers into the buffer are void. */
bool json_fill(struct json_reader *r);
/* At least n (<= JSON_PAD) bytes at p, unless the input ends before. */
bool json_need(struct json_reader *r, size_t n);
/* Is p at the very end of the input? Fills. */
bool json_ended(struct json_reader *r);
uint64_t json_offset_at(const struct json_reader *r, const char *at);
/* All fail with ERROR_INPUT but json_fail_limit; the first failure sticks. */
bool json_fail_at(struct json_reader *r, const char *at, struct error *err, const char *format, ...)
	ERROR_PRINTF(4, 5);
bool json_fail_at_offset(struct json_reader *r, uint64_t offset, struct error *err,
	const char *format, ...) ERROR_PRINTF(4, 5);
bool json_fail_limit(struct json_reader *r, struct error *err, const char *format, ...)
	ERROR_PRINTF(3, 4);
/* The same of containers and of a string, with what to do. */
bool json_fail_depth(struct json_reader *r, struct error *err);
bool json_fail_string(struct json_reader *r, struct error *err);
bool json_fail_again(const struct json_reader *r, struct error *err);
/* Nothing of what `wanted` says stands at p. */
bool json_fail_wanted(struct json_reader *r, struct error *err, const char *wanted);
void json_deviate(struct json_reader *r, enum json_deviation what, const char *at);
bool json_tolerates(const struct json_reader *r, enum json_deviation what);

/* json_string.c: p behind the opening quote. With `keep` the string is in the
 * scratch afterwards. */
bool json_string_slow(struct json_reader *r, bool keep, struct error *err);
/* Plain and valid UTF-8 from p on: where it ends. */
const char *json_scan_text(const struct json_reader *r, const char *p);

/* json_number.c: checks the number at p and passes it. */
bool json_number(struct json_reader *r, bool keep, struct text *value, struct error *err);

/* json_reader.c */

/* "true" and so on at p. */
bool json_literal(struct json_reader *r, struct error *err);
/* Passes blanks; false on failure. At the end of the input *p is NUL. */
bool json_pass_blanks(struct json_reader *r, struct error *err);
/* json_next_key; without `keep` the key is only checked. */
bool json_member(struct json_reader *r, bool keep, struct text *key, bool *more, struct error *err);
/* One container less. */
void json_leave(struct json_reader *r);

/* json_cut.c: is the scalar at p there as a whole? Fills; the buffer grows up to
 * max_string for it. Where that is not enough, the value counts as whole. */
bool json_is_whole(struct json_reader *r);

enum json_whole {
	JSON_WHOLE,
	JSON_OPEN, /* it goes on behind the buffer */
};
/* The same without filling. */
enum json_whole json_whole_in_buffer(const struct json_reader *r, const char *p);

/* json_skip.c: raw text so far, in bytes. */
uint64_t json_raw_size(const struct json_reader *r);
/* Moves the recorded bytes before `at` to `raw`; recording goes on at `next`. */
void json_raw_flush(struct json_reader *r, const char *at, const char *next);
/* Back to the last whole member; `more` is appended, recording goes on at `next`. */
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

/* For tests: the scanners without SSE2. */
void json_reader_use_portable(struct json_reader *r);

#endif
