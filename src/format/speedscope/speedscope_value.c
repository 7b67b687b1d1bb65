#include "speedscope_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum {
	MAX_RAW_BYTES = 64 * 1024 * 1024
};

bool
speedscope_read_raw(struct speedscope_file *f)
{
	struct text raw;

	if (!json_read_raw(f->json, MAX_RAW_BYTES, &raw, f->err))
		return false;
	strbuf_reset(&f->scratch);
	strbuf_append_text(&f->scratch, raw);
	return true;
}

static enum speedscope_value
read_bad(struct speedscope_file *f)
{
	return speedscope_read_raw(f) ? SPEEDSCOPE_BAD : SPEEDSCOPE_FAILED;
}

static enum speedscope_value
read_null(struct speedscope_file *f)
{
	return speedscope_read_raw(f) ? SPEEDSCOPE_NULL : SPEEDSCOPE_FAILED;
}

/* What JavaScript's numbers do not hold was infinite there. */
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

/* --- short ways for what is written alike millions of times ----------------------- */

/* A byte that may stand behind a number in a container. */
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

	while (*p >= '0' && *p <= '9' && p - begin < 9)
		n = n * 10 + (*p++ - '0');
	if (p == begin || (*begin == '0' && p > begin + 1) || n >= count || !ends_number(*p))
		return NULL;
	*v = n;
	return p;
}

/* --- values ----------------------------------------------------------------------- */

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
	if (!json_peek(f->json, &type, f->err))
		return SPEEDSCOPE_FAILED;
	if (type == JSON_NULL)
		return read_null(f);
	if (type != JSON_NUMBER && type != JSON_STRING)
		return read_bad(f);
	if (type == JSON_NUMBER ? !json_read_number(f->json, &t, f->err)
				: !json_read_string(f->json, &t, f->err))
		return SPEEDSCOPE_FAILED;
	if (decimal_parse(t, v) == DECIMAL_OK && type == JSON_NUMBER && v->kind == DECIMAL_COMPACT)
		return SPEEDSCOPE_GOOD;
	strbuf_reset(&f->scratch);
	if (type == JSON_STRING)
		json_append_depot_text(&f->scratch, t);
	else
		strbuf_append_text(&f->scratch, t);
	if (v->kind == DECIMAL_NULL || !keep_number(f, v)) {
		*v = (struct decimal){ 0 };
		return SPEEDSCOPE_BAD;
	}
	return type == JSON_NUMBER ? SPEEDSCOPE_GOOD : SPEEDSCOPE_ODD;
}

/* Digits without a sign and leading zeros: an array's index as JavaScript
 * writes it. -1: something else. */
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

/* 1.0 and 1e3 are numbers of frames as well. */
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
	if (!json_peek(f->json, &type, f->err))
		return SPEEDSCOPE_FAILED;
	if (type != JSON_NUMBER && type != JSON_STRING)
		return read_bad(f);
	if (type == JSON_NUMBER ? !json_read_number(f->json, &t, f->err)
				: !json_read_string(f->json, &t, f->err))
		return SPEEDSCOPE_FAILED;
	*v = parse_index(t);
	if (*v < 0 && type == JSON_NUMBER)
		*v = parse_whole(t);
	if (type == JSON_NUMBER && *v >= 0 && *v < f->frame_count)
		return SPEEDSCOPE_GOOD;
	strbuf_reset(&f->scratch);
	if (type == JSON_STRING)
		json_append_depot_text(&f->scratch, t);
	else
		strbuf_append_text(&f->scratch, t);
	return *v >= 0 && *v < f->frame_count ? SPEEDSCOPE_ODD : SPEEDSCOPE_BAD;
}

enum speedscope_value
speedscope_read_text(struct speedscope_file *f, struct text *v)
{
	enum json_type type;

	*v = TEXT_NULL;
	if (!json_peek(f->json, &type, f->err))
		return SPEEDSCOPE_FAILED;
	if (type == JSON_NULL)
		return read_null(f);
	if (type != JSON_STRING)
		return read_bad(f);
	return json_read_string(f->json, v, f->err) ? SPEEDSCOPE_GOOD : SPEEDSCOPE_FAILED;
}

struct decimal
speedscope_keep(struct arena *a, struct decimal d)
{
	if (d.kind == DECIMAL_TEXT)
		d.text = arena_text(a, d.text);
	return d;
}

/* Has the list room for so much more? Tells once when it has not. */
static bool
odd_room(struct speedscope_file *f, struct speedscope_odd *o, size_t size, bool *ok)
{
	*ok = true;
	if (o->text.size + size + 64 <= SPEEDSCOPE_MAX_ODD_BYTES)
		return true;
	if (!o->told)
		*ok = speedscope_issue(f, ISSUE_ODD_LEFT_OUT, json_offset(f->json),
			"odd and unknown values are more than %d MiB: an export will lack them",
			SPEEDSCOPE_MAX_ODD_BYTES / 1024 / 1024);
	o->told = true;
	return false;
}

bool
speedscope_odd_member(
	struct speedscope_file *f, struct speedscope_odd *o, struct text key, struct text raw)
{
	bool ok;

	if (!odd_room(f, o, key.size * 6 + raw.size, &ok))
		return ok;
	strbuf_append_char(&o->text, o->text.size ? ',' : '{');
	json_append_depot_text(&o->text, key);
	strbuf_append_char(&o->text, ':');
	strbuf_append_text(&o->text, raw);
	return true;
}

bool
speedscope_odd_item(struct speedscope_file *f, struct speedscope_odd *o, uint64_t index,
	struct text raw, enum speedscope_mark mark)
{
	bool ok;

	if (!odd_room(f, o, raw.size, &ok))
		return ok;
	strbuf_append_char(&o->text, o->text.size ? ',' : '[');
	strbuf_printf(&o->text, "[%" PRIu64 ",", index);
	strbuf_append_text(&o->text, raw);
	if (mark)
		strbuf_printf(&o->text, ",%u", (unsigned)mark);
	strbuf_append_char(&o->text, ']');
	return true;
}
