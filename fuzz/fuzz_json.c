/*
 * Fuzzes the JSON reader. The first byte chooses options, the second byte sets the read size, and
 * the rest is the input.
 *
 * The reader must not crash. Its result must not depend on the read size or on the scanner (fast or portable).
 * Reading a value, skipping it and taking its raw text must all fail or all succeed. A strict reader
 * must accept the raw text and find the same content. Texts are UTF-8 without NUL, and the writer
 * reproduces them.
 */
#include "base/arena.h"
#include "base/hash.h"
#include "base/json_writer.h"
#include "input/json/json_private.h"
#include "must.h"

#include <stdlib.h>

enum {
	MAX_BYTES = 20000,
	MAX_DEPTH = 400
};

struct outcome {
	struct hash128 sum; /* hash of all values read, in order */
	uint64_t values;
	uint64_t deviations;
	struct error err;
};

struct walk {
	struct json_reader *r;
	struct outcome *o;
};

static void
add(struct outcome *o, char kind, struct text t)
{
	struct hash128 h = hash128(t.data, t.size);

	o->values++;
	o->sum.low = o->sum.low * 31 + h.low + (unsigned char)kind;
	o->sum.high = o->sum.high * 37 + h.high + t.size;
}

static void
deviation(void *self, enum json_deviation what, uint64_t offset)
{
	struct outcome *o = self;

	o->deviations = o->deviations * 31 + offset * JSON_DEVIATIONS + what + 1;
}

static void
check_text(struct text t)
{
	MUST(text_utf8_prefix(t.data, t.size) == t.size);
	MUST(!memchr(t.data, 0, t.size));
}

/* The four ways to read a number must agree. Each reads its own copy of the document. */
static void
check_number(struct text t)
{
	struct json_options o = { 0 };
	struct error err = ERROR_INIT;
	struct decimal d;
	int64_t i;
	double f;
	bool whole;
	bool ok;
	struct json_reader *r = json_reader_new_memory(t.data, t.size, 0, &o);
	struct json_reader *s = json_reader_new_memory(t.data, t.size, 3, &o);
	struct json_reader *u = json_reader_new_memory(t.data, t.size, 0, &o);

	MUST(json_read_int64(r, &i, &whole, &err));
	MUST(json_read_double(s, &f, &err));
	MUST(json_read_decimal(u, &d, &ok, &err));
	if (whole) {
		MUST(!((double)i < f) && !((double)i > f));
		if (ok)
			MUST(decimal_compare(d, decimal_from_int64(i)) == 0);
	}
	json_reader_free(r);
	json_reader_free(s);
	json_reader_free(u);
}

static bool
read_scalar(struct json_reader *r, struct outcome *o, enum json_type type)
{
	struct text t;

	if (type == JSON_STRING) {
		if (!json_read_string(r, &t, &o->err))
			return false;
		check_text(t);
		add(o, 's', t);
		return true;
	}
	if (type == JSON_NUMBER) {
		if (!json_read_number(r, &t, &o->err))
			return false;
		add(o, 'n', t);
		if (o->values < 50 && t.size < 500)
			check_number(t);
		return true;
	}
	add(o, 'l', text_from(json_type_name(type)));
	return json_read_literal(r, &o->err);
}

/* Reads a scalar or enters a container. */
static bool
read_step(struct json_reader *r, struct outcome *o)
{
	enum json_type type;

	if (!json_peek(r, &type, &o->err))
		return false;
	MUST(json_value_offset(r) == json_offset(r));
	if (type != JSON_OBJECT && type != JSON_ARRAY)
		return read_scalar(r, o, type);
	add(o, type == JSON_OBJECT ? '{' : '[', TEXT_LITERAL(""));
	return json_enter(r, &o->err);
}

static bool
next_member(struct json_reader *r, struct outcome *o, bool object, bool *more)
{
	struct text key;

	if (!object)
		return json_next_item(r, more, &o->err);
	if (!json_next_key(r, &key, more, &o->err))
		return false;
	if (*more) {
		check_text(key);
		add(o, 'k', key);
	}
	return true;
}

/* Not recursive: the types of the open containers are in an array. */
static bool
read_document(struct json_reader *r, struct outcome *o)
{
	bool objects[MAX_DEPTH + 1];
	size_t depth = 0;

	for (;;) {
		enum json_type type;
		bool more = false;

		if (!json_peek(r, &type, &o->err))
			return false;
		if (depth < MAX_DEPTH)
			objects[depth] = type == JSON_OBJECT;
		if (!read_step(r, o))
			return false;
		MUST(json_depth(r) <= MAX_DEPTH);
		for (depth = json_depth(r); depth && !more; depth = json_depth(r)) {
			if (!next_member(r, o, objects[depth - 1], &more))
				return false;
			if (!more)
				add(o, ')', TEXT_LITERAL(""));
		}
		depth = json_depth(r);
		if (!depth)
			return true;
	}
}

enum how {
	READ,
	SKIP,
	RAW
};

/* Reads the raw text with a strict reader and stores the outcome in `o`. */
static void
read_again(struct text raw, struct outcome *o)
{
	struct json_options strict = { .max_depth = MAX_DEPTH };
	struct json_reader *r = json_reader_new_memory(raw.data, raw.size, 0, &strict);
	bool end = false;

	MUST(read_document(r, o));
	MUST(json_at_end(r, &end, &o->err) && end && json_offset(r) == raw.size);
	json_reader_free(r);
}

static struct outcome
run(const uint8_t *data, size_t size, struct json_options options, size_t chunk, bool portable,
	enum how how)
{
	struct outcome o = { .err = ERROR_INIT };
	struct json_reader *r;
	struct text raw;
	bool end = false;

	options.deviation = deviation;
	options.self = &o;
	r = json_reader_new_memory(data, size, chunk, &options);
	if (portable)
		json_reader_use_portable(r);
	while (json_at_end(r, &end, &o.err) && !end) {
		if (how == READ       ? !read_document(r, &o)
			: how == SKIP ? !json_skip(r, &o.err)
				      : !json_read_raw(r, 0, &raw, &o.err))
			break;
		if (how == RAW)
			read_again(raw, &o);
	}
	MUST(end == (o.err.code == ERROR_NONE));
	MUST(json_offset(r) <= size);
	json_reader_free(r);
	return o;
}

static void
must_equal(const struct outcome *a, const struct outcome *b)
{
	MUST(hash128_equal(a->sum, b->sum) && a->values == b->values);
	MUST(a->deviations == b->deviations);
	MUST(strcmp(a->err.message, b->err.message) == 0);
}

/* Reading, writing and reading a string again gives the same string. */
static void
check_writer(const uint8_t *data, size_t size)
{
	struct json_options o = { 0 };
	struct error err = ERROR_INIT;
	struct json_reader *r = json_reader_new_memory(data, size, 0, &o);
	struct json_reader *again;
	struct json_writer w;
	struct text t;
	struct text back;
	char *out = NULL;
	size_t out_size = 0;
	FILE *f;

	if (json_read_string(r, &t, &err)) {
		f = open_memstream(&out, &out_size);
		json_writer_init(&w, f, false);
		json_depot_text(&w, t);
		fclose(f);
		again = json_reader_new_memory(out, out_size, 1, &o);
		MUST(json_read_string(again, &back, &err) && text_equal(t, back));
		json_reader_free(again);
		free(out);
	}
	json_reader_free(r);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_options options = { .max_depth = MAX_DEPTH };
	struct outcome whole;
	struct outcome other;
	size_t chunk;

	if (size < 2 || size > MAX_BYTES)
		return 0;
	options.tolerate = data[0] & 7;
	options.duplicate_keys = data[0] & 8;
	options.max_string_bytes = data[0] & 16 ? 20 : 0;
	chunk = 1 + data[1] % 40u;
	data += 2;
	size -= 2;
	whole = run(data, size, options, 0, false, READ);
	other = run(data, size, options, chunk, false, READ);
	must_equal(&whole, &other);
	other = run(data, size, options, chunk, true, READ);
	must_equal(&whole, &other);
	check_writer(data, size);
	if (options.max_string_bytes)
		return 0; /* max_string_bytes does not apply to skipped strings */
	other = run(data, size, options, chunk, false, SKIP);
	MUST(other.err.code == whole.err.code && other.deviations == whole.deviations);
	MUST(strcmp(other.err.message, whole.err.message) == 0);
	other = run(data, size, options, chunk, false, RAW);
	MUST(other.err.code == whole.err.code && other.deviations == whole.deviations);
	if (whole.err.code == ERROR_NONE)
		must_equal(&whole, &other);
	return 0;
}
