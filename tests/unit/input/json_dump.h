/*
 * Describes, in one text, what a JSON reader returns. Values: {s(key):VALUE,} [VALUE,] s(string)
 * n(number), and l for a literal. A blank follows each document; an error is "error CODE MESSAGE".
 */
#ifndef PROFDEPOT_TESTS_UNIT_INPUT_JSON_DUMP_H
#define PROFDEPOT_TESTS_UNIT_INPUT_JSON_DUMP_H

#include "base/strbuf.h"
#include "input/json/json_private.h"
#include "input/json/json_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* Bytes and their size, because the bytes may include NUL. */
#define B(s) s, sizeof(s) - 1

enum {
	DUMP_BYTES = 16 * 1024 * 1024
};

static inline void
dump_deviation(void *self, enum json_deviation what, uint64_t offset)
{
	static const char *const names[] = { "comma", "unclosed", "utf8" };

	strbuf_printf(self, "!%s@%u", names[what], (unsigned)offset);
}

static inline bool
dump_string(struct json_reader *r, struct strbuf *out, struct error *err)
{
	struct text t;

	if (!json_read_string(r, &t, err))
		return false;
	strbuf_append_str(out, "s(");
	strbuf_append_text(out, t);
	strbuf_append_char(out, ')');
	return true;
}

static inline bool
dump_number(struct json_reader *r, struct strbuf *out, struct error *err)
{
	struct text t;

	if (!json_read_number(r, &t, err))
		return false;
	strbuf_append_str(out, "n(");
	strbuf_append_text(out, t);
	strbuf_append_char(out, ')');
	return true;
}

static inline bool
dump_member(struct json_reader *r, struct strbuf *out, bool object, bool *more, struct error *err)
{
	struct text key;

	if (!object)
		return json_next_item(r, more, err);
	if (!json_next_key(r, &key, more, err))
		return false;
	if (*more) {
		strbuf_append_str(out, "s(");
		strbuf_append_text(out, key);
		strbuf_append_str(out, "):");
	}
	return true;
}

static inline bool
/* NOLINTNEXTLINE(misc-no-recursion): a test's document limits the depth */
dump_value(struct json_reader *r, struct strbuf *out, struct error *err)
{
	enum json_type type;
	bool more;

	if (!json_peek(r, &type, err))
		return false;
	if (type == JSON_STRING)
		return dump_string(r, out, err);
	if (type == JSON_NUMBER)
		return dump_number(r, out, err);
	if (type != JSON_OBJECT && type != JSON_ARRAY) {
		strbuf_append_str(out, json_type_name(type));
		return json_read_literal(r, err);
	}
	if (!json_enter(r, err))
		return false;
	strbuf_append_char(out, type == JSON_OBJECT ? '{' : '[');
	for (;;) {
		if (!dump_member(r, out, type == JSON_OBJECT, &more, err))
			return false;
		if (!more)
			break;
		if (!dump_value(r, out, err))
			return false;
		strbuf_append_char(out, ',');
	}
	strbuf_append_char(out, type == JSON_OBJECT ? '}' : ']');
	return true;
}

enum dump_how {
	DUMP_READ,
	DUMP_SKIP, /* only counts the documents, with one "*" for each */
	DUMP_RAW,  /* the documents' text */
};

static inline bool
dump_document(struct json_reader *r, enum dump_how how, struct strbuf *out, struct error *err)
{
	struct text t;

	if (how == DUMP_READ)
		return dump_value(r, out, err);
	if (how == DUMP_SKIP) {
		strbuf_append_char(out, '*');
		return json_skip(r, err);
	}
	if (!json_read_raw(r, 0, &t, err))
		return false;
	strbuf_append_text(out, t);
	return true;
}

static inline void
dump_reader(struct json_reader *r, enum dump_how how, struct strbuf *out)
{
	struct error err = ERROR_INIT;
	struct error again = ERROR_INIT;
	bool end = false;
	struct text t;

	while (json_at_end(r, &end, &err) && !end && dump_document(r, how, out, &err))
		strbuf_append_char(out, ' ');
	if (end || err.code == ERROR_NONE)
		return;
	strbuf_printf(out, "error %s %s", error_code_name(err.code), err.message);
	/* After an error, all later calls must return the same error. */
	assert_false(json_read_string(r, &t, &again));
	assert_string_equal(err.message, again.message);
}

/* Returns the description of what a reader returns. The caller releases it with strbuf_release. */
static inline struct strbuf
dump_json(const char *data, size_t size, const struct json_options *options, size_t chunk,
	bool portable, enum dump_how how)
{
	struct json_options o = options ? *options : (struct json_options){ 0 };
	struct strbuf out;
	struct json_reader *r;

	strbuf_init(&out, DUMP_BYTES);
	o.source = "f";
	o.deviation = dump_deviation;
	o.self = &out;
	r = json_reader_new_memory(data, size, chunk, &o);
	if (portable)
		json_reader_use_portable(r);
	dump_reader(r, how, &out);
	json_reader_free(r);
	return out;
}

static inline bool
dump_failed(const struct strbuf *out)
{
	return strstr(strbuf_str(out), "error ") != NULL;
}

static inline void
same_dump(const struct strbuf *a, const struct strbuf *b, const char *what, size_t chunk)
{
	if (text_equal(strbuf_text(a), strbuf_text(b)))
		return;
	fail_msg("%s, chunk %zu:\n%s\n%s", what, chunk, strbuf_str(a), strbuf_str(b));
}

/*
 * Returns the text for a document. Checks that the text does not depend on the chunk size or the scanner.
 * Also checks three operations: reading the document, skipping it, and taking its raw text. If one of them
 * fails, all must fail.
 */
static inline struct strbuf
dump_every_way(const char *data, size_t size, const struct json_options *options)
{
	struct strbuf all = dump_json(data, size, options, 0, false, DUMP_READ);
	size_t step = size < 300 ? 1 : size / 97;

	for (enum dump_how how = DUMP_READ; how <= DUMP_RAW; how++) {
		struct strbuf whole = dump_json(data, size, options, 0, false, how);

		assert_int_equal(dump_failed(&whole), dump_failed(&all));
		for (size_t chunk = 0; chunk <= size; chunk += step) {
			for (int portable = 0; portable < 2; portable++) {
				struct strbuf b =
					dump_json(data, size, options, chunk, portable, how);

				same_dump(&whole, &b, portable ? "portable" : "SSE2", chunk);
				strbuf_release(&b);
			}
		}
		strbuf_release(&whole);
	}
	return all;
}

#endif
