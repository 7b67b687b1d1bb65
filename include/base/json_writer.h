/*
 * A streaming JSON writer (RFC 8259) to a FILE.
 *
 * Calls mirror the document: begin/end, key, value. Wrong nesting is a programming error (assert).
 * Numbers given as text are copied. The writer allocates no memory, even for deep documents.
 */
#ifndef PROFDEPOT_BASE_JSON_WRITER_H
#define PROFDEPOT_BASE_JSON_WRITER_H

#include "base/error.h"
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>

struct json_writer {
	FILE *out;
	size_t depth;
	bool pretty;     /* one member per line, two blanks per level */
	bool has_member; /* whether the innermost open container has a member */
	bool after_key;
	bool answer; /* the outermost object ends with "complete": true */
};

void json_writer_init(struct json_writer *w, FILE *out, bool pretty);
/* Initialises a writer for an answer in a format of the depot's own. If the answer is an object, its end adds the last
 * member, "complete": true. A reader without this member has only a part of the answer. Arrays have no such member. */
void json_writer_init_answer(struct json_writer *w, FILE *out, bool pretty);

void json_begin_object(struct json_writer *w);
void json_end_object(struct json_writer *w);
void json_begin_array(struct json_writer *w);
void json_end_array(struct json_writer *w);

void json_key(struct json_writer *w, const char *key);
void json_text(struct json_writer *w, struct text t); /* NULL writes null */
void json_string(struct json_writer *w, const char *s);
/* Write text from the depot without its escapes (base/depot_text.h): U+0000 and lone surrogates are
 * restored. */
void json_depot_key(struct json_writer *w, struct text key);
void json_depot_text(struct json_writer *w, struct text t); /* NULL writes null */
void json_int(struct json_writer *w, int64_t v);
void json_bool(struct json_writer *w, bool v);
void json_null(struct json_writer *w);

/* Writes text that is already JSON: a number, or a document from the database. */
void json_raw(struct json_writer *w, struct text t);

/* Writes a value such as seconds with three fraction digits, independently of the locale. */
void json_fixed3(struct json_writer *w, double v);

/* Write a key and its value. */
void json_key_text(struct json_writer *w, const char *key, struct text t);
void json_key_depot_text(struct json_writer *w, const char *key, struct text t);
void json_key_string(struct json_writer *w, const char *key, const char *s);
void json_key_int(struct json_writer *w, const char *key, int64_t v);
void json_key_bool(struct json_writer *w, const char *key, bool v);
void json_key_null(struct json_writer *w, const char *key);
void json_key_raw(struct json_writer *w, const char *key, struct text t);
void json_key_fixed3(struct json_writer *w, const char *key, double v);
/* Write a key and the beginning of its value. */
void json_key_object(struct json_writer *w, const char *key);
void json_key_array(struct json_writer *w, const char *key);

/* Writes "error": {"status", "code", "message", "hint"}; omits an empty hint. */
void json_key_error(struct json_writer *w, int status, const struct error *err);

#endif
