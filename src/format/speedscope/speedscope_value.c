/* Reads values of a speedscope file, and converts them as JavaScript does. */
#include "base/double.h"
#include "speedscope_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum {
	MAX_RAW_BYTES = 64 * 1024 * 1024,
	/* PostgreSQL parses JSON recursively. With its default max_stack_depth of 2 MB it refuses
	 * attributes that are nested more than about 12,000 deep. */
	MAX_RAW_DEPTH = 4000
};

void
speedscope_set_scratch(struct speedscope_file *f, struct text raw)
{
	strbuf_reset(&f->scratch);
	strbuf_append_text(&f->scratch, raw);
}

void
speedscope_set_scratch_int(struct speedscope_file *f, int64_t v)
{
	strbuf_reset(&f->scratch);
	strbuf_append_int(&f->scratch, v);
}

/* How deeply the containers of a valid JSON value are nested. */
static size_t
depth_of(struct text json)
{
	size_t depth = 0, deepest = 0;
	bool in_string = false;

	for (size_t i = 0; i < json.size; i++) {
		const char c = json.data[i];

		if (in_string && c == '\\')
			i++;
		else if (c == '"')
			in_string = !in_string;
		else if (!in_string && (c == '[' || c == '{'))
			deepest = ++depth > deepest ? depth : deepest;
		else if (!in_string && (c == ']' || c == '}'))
			depth--;
	}
	return deepest;
}

static bool
too_deep(struct speedscope_file *f, size_t depth)
{
	reader_refuse_at(f->in, json_value_offset(f->json),
		"a value is nested %zu deep, but the depot keeps at most %d levels", depth,
		MAX_RAW_DEPTH);
	f->in->err->code = ERROR_LIMIT;
	return false;
}

bool
speedscope_read_raw(struct speedscope_file *f)
{
	struct text raw;
	size_t depth;

	if (!json_read_raw(f->json, MAX_RAW_BYTES, &raw, f->in->err))
		return false;
	depth = raw.size > 2 * (size_t)MAX_RAW_DEPTH ? depth_of(raw) : 0;
	if (depth > MAX_RAW_DEPTH)
		return too_deep(f, depth);
	speedscope_set_scratch(f, raw);
	return true;
}

/* Reads a value that is neither a number nor a string. */
static enum speedscope_value
read_other(struct speedscope_file *f, enum json_type type)
{
	if (!speedscope_read_raw(f))
		return SPEEDSCOPE_FAILED;
	return type == JSON_NULL ? SPEEDSCOPE_NULL : SPEEDSCOPE_BAD;
}

/* Copies the JSON text of a number or string into f->scratch. */
static void
quote(struct speedscope_file *f, enum json_type type, struct text t)
{
	strbuf_reset(&f->scratch);
	if (type == JSON_STRING)
		json_append_depot_text(&f->scratch, t);
	else
		strbuf_append_text(&f->scratch, t);
}

static bool
read_number_or_string(struct speedscope_file *f, enum json_type type, struct text *t)
{
	return type == JSON_NUMBER ? json_read_number(f->json, t, f->in->err)
				   : json_read_string(f->json, t, f->in->err);
}

/* Copies the text of the number. False if the number is infinite in JavaScript. */
static bool
keep_number(struct speedscope_file *f, struct decimal *v)
{
	if (v->kind != DECIMAL_TEXT)
		return true;
	strbuf_reset(&f->value_text);
	strbuf_append_text(&f->value_text, v->text);
	v->text = strbuf_text(&f->value_text);
	return isfinite(decimal_to_double(*v));
}

/* Returns whether the byte can follow a number in a container. */
static bool
ends_number(char c)
{
	return c == ',' || c == ']' || c == '}' || c == ' ';
}

const char *
speedscope_scan_index(const char *p, uint32_t count, int64_t *v)
{
	const char *begin = p;
	int64_t n = 0;

	while (char_is_digit(*p) && p - begin < 9)
		n = n * 10 + (*p++ - '0');
	if (p == begin || (*begin == '0' && p > begin + 1) || n >= count || !ends_number(*p))
		return NULL;
	*v = n;
	return p;
}

enum speedscope_value
speedscope_read_number(struct speedscope_file *f, struct decimal *v)
{
	const char *here = json_window(f->json).data;
	const char *end = json_scan_decimal(here, v);
	enum json_type type;
	struct text t;

	if (end) {
		json_take(f->json, (size_t)(end - here));
		return SPEEDSCOPE_GOOD;
	}
	*v = (struct decimal){ 0 };
	if (!json_peek(f->json, &type, f->in->err))
		return SPEEDSCOPE_FAILED;
	if (type != JSON_NUMBER && type != JSON_STRING)
		return read_other(f, type);
	if (!read_number_or_string(f, type, &t))
		return SPEEDSCOPE_FAILED;
	if (decimal_parse(t, v) == DECIMAL_OK && type == JSON_NUMBER && v->kind == DECIMAL_COMPACT)
		return SPEEDSCOPE_GOOD;
	quote(f, type, t);
	if (v->kind == DECIMAL_NULL || !keep_number(f, v)) {
		*v = (struct decimal){ 0 };
		return SPEEDSCOPE_BAD;
	}
	return type == JSON_NUMBER ? SPEEDSCOPE_GOOD : SPEEDSCOPE_ODD;
}

/* Parses an array index in JavaScript's spelling: digits without a sign or leading zeros.
 * Returns -1 for any other text. */
static int64_t
parse_index(struct text t)
{
	int64_t v = 0;

	if (t.size == 0 || t.size > 18 || (t.size > 1 && t.data[0] == '0'))
		return -1;
	for (size_t i = 0; i < t.size; i++) {
		if (t.data[i] < '0' || t.data[i] > '9')
			return -1;
		v = v * 10 + (t.data[i] - '0');
	}
	return v;
}

/* Parses a whole number in any spelling, such as 1.0 and 1e3. Returns -1 for any other text. */
static int64_t
parse_whole(struct text t)
{
	struct decimal d;
	int64_t v;

	if (decimal_parse(t, &d) != DECIMAL_OK || d.kind != DECIMAL_COMPACT)
		return -1;
	v = d.mantissa;
	for (unsigned i = 0; i < d.scale; i++) {
		if (v % 10 != 0)
			return -1;
		v /= 10;
	}
	return v;
}

enum speedscope_value
speedscope_read_frame(struct speedscope_file *f, int64_t *v)
{
	enum json_type type;
	struct text t;

	*v = -1;
	if (!json_peek(f->json, &type, f->in->err))
		return SPEEDSCOPE_FAILED;
	if (type != JSON_NUMBER && type != JSON_STRING)
		return read_other(f, JSON_END); /* null is as wrong here as any other type */
	if (!read_number_or_string(f, type, &t))
		return SPEEDSCOPE_FAILED;
	*v = parse_index(t);
	if (*v < 0 && type == JSON_NUMBER)
		*v = parse_whole(t);
	if (type == JSON_NUMBER && *v >= 0 && *v < f->frame_count)
		return SPEEDSCOPE_GOOD;
	quote(f, type, t);
	return *v >= 0 && *v < f->frame_count ? SPEEDSCOPE_ODD : SPEEDSCOPE_BAD;
}

enum speedscope_value
speedscope_read_text(struct speedscope_file *f, struct text *v)
{
	enum json_type type;

	*v = TEXT_NULL;
	if (!json_peek(f->json, &type, f->in->err))
		return SPEEDSCOPE_FAILED;
	if (type != JSON_STRING)
		return read_other(f, type);
	return json_read_string(f->json, v, f->in->err) ? SPEEDSCOPE_GOOD : SPEEDSCOPE_FAILED;
}

struct decimal
speedscope_keep(struct arena *a, struct decimal d)
{
	if (d.kind == DECIMAL_TEXT)
		d.text = arena_text(a, d.text);
	return d;
}

struct decimal
speedscope_difference(struct arena *a, struct decimal end, struct decimal start)
{
	char text[DOUBLE_TEXT_MAX];
	struct decimal d;

	if (decimal_subtract(end, start, &d))
		return d;
	d = decimal_from_int64(0);
	double_format(decimal_to_double(end) - decimal_to_double(start), text);
	decimal_parse(text_from(text), &d);
	return speedscope_keep(a, d);
}
