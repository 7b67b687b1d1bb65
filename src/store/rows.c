/* Writes the row values for which no code is generated from the schema, and reads the values of query results. */
#include "store/rows.h"

#include "base/array.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	DECIMAL_PLAIN_BYTES = 2 * DECIMAL_MAX_DIGITS + 8
};

struct text
row_owner_text(enum stack_owner owner)
{
	return text_from(stack_owner_name(owner));
}

static const char *const family_names[METRIC_FAMILIES] = {
	[METRIC_OF_OBJECTS] = "objects",
	[METRIC_OF_ERRORS] = "errors",
	[METRIC_OF_SAMPLES] = "samples",
	[METRIC_OF_SPANS] = "spans",
	[METRIC_OF_GAUGES] = "gauges",
};

/* The name is one of family_names, because the table's CHECK rejects all others. */
enum metric_family
metric_family_find(struct text name)
{
	int f = 0;

	while (f < METRIC_FAMILIES - 1 && !text_equal(name, text_from(family_names[f])))
		f++;
	return (enum metric_family)f;
}

void
metric_put(struct copier *c, int32_t number, const struct metric_row *row)
{
	copier_int32(c, number);
	copier_text(c, row->name);
	copier_text(c, text_from(family_names[row->family]));
	copier_text(c, row->unit);
	copier_text(c, row->title);
	copier_text(c, row->aggregate);
}

void
sample_put(struct copier *c, int64_t id, const struct sample_row *row)
{
	copier_int64(c, id);
	copier_int32(c, row->track);
	copier_int32_or_null(c, row->stack);
	copier_decimal(c, row->at);
	copier_decimal_array(c, row->values, row->value_count);
	copier_text(c, row->attributes);
}

void
stack_put(struct copier *c, int32_t number, const uint8_t *names, const uint8_t *lines,
	const struct stack_row *row, int32_t own_place, const uint8_t *own)
{
	copier_int32(c, number);
	copier_text(c, (struct text){ (const char *)names, IDENTITY_BYTES });
	copier_text(c, (struct text){ (const char *)lines, IDENTITY_BYTES });
	copier_int64_array(c, row->routine_ids, row->count);
	copier_int64_array(c, row->line_ids, row->count);
	copier_int64_array(c, row->hit_counts, row->count);
	copier_int64_array(c, row->frame_ids, row->count);
	copier_int64_array(c, row->rec_ids, row->count);
	copier_int32_or_null(c, own_place);
	copier_text(c, (struct text){ (const char *)own, IDENTITY_BYTES });
}

void
digest_row(struct row_digest *d, int tag, const int64_t *words, size_t word_count,
	const struct text *texts, size_t text_count)
{
	int64_t first = tag;

	strbuf_reset(d->scratch);
	strbuf_append(d->scratch, &first, sizeof(first));
	strbuf_append(d->scratch, words, word_count * sizeof(*words));
	for (size_t i = 0; i < text_count; i++) {
		uint64_t size = texts[i].size;

		strbuf_append(d->scratch, &size, sizeof(size));
		strbuf_append(d->scratch, texts[i].data ? texts[i].data : "", texts[i].size);
	}
	hash128_add(d->sum, hash128(d->scratch->data, d->scratch->size));
}

/* Writes the number to `out` in plain notation, without an exponent and without trailing zeros. Returns a
 * decimal of kind DECIMAL_COMPACT if the number allows it, and otherwise the text in `out`. */
static struct decimal
plain_decimal(struct text t, char out[DECIMAL_PLAIN_BYTES])
{
	struct decimal_digits d;
	struct decimal plain = { 0 };
	bool zero = true;
	int count;

	decimal_expand(t, &d);
	while (d.scale > 0 && d.digits[d.whole + d.scale - 1] == '0')
		d.scale--;
	for (int i = 0; i < d.whole + d.scale; i++)
		zero &= d.digits[i] == '0';
	count = snprintf(out, DECIMAL_PLAIN_BYTES, "%s%.*s%s%s", d.negative && !zero ? "-" : "",
		d.whole, d.digits, d.whole ? "" : "0", d.scale ? "." : "");
	memcpy(out + count, d.digits + d.whole, (size_t)d.scale);
	decimal_parse((struct text){ out, (size_t)(count + d.scale) }, &plain);
	return plain;
}

/* Equal numbers give the same two integers, even if they were written differently, such as 1.0 and 1.00: the depot does
 * not store how a number was written. */
void
digest_decimal(struct decimal d, int64_t out[2])
{
	char text[DECIMAL_PLAIN_BYTES];

	if (d.kind == DECIMAL_TEXT)
		d = plain_decimal(d.text, text);
	while (d.kind == DECIMAL_COMPACT && d.scale > 0 && d.mantissa % 10 == 0) {
		d.mantissa /= 10;
		d.scale--;
	}
	out[0] = d.mantissa;
	out[1] = d.kind << 8 | d.scale;
	if (d.kind == DECIMAL_TEXT)
		out[0] = (int64_t)hash128(d.text.data, d.text.size).low;
}

struct text
row_text(struct row_values *v)
{
	return db_result_value(v->result, v->row, v->column++);
}

/* Does not check the digits, because integers from the server are valid. */
int64_t
row_int64(struct row_values *v)
{
	struct text t = row_text(v);

	return text_is_null(t) ? MODEL_NULL : strtoll(t.data, NULL, 10);
}

int32_t
row_int32(struct row_values *v)
{
	int64_t n = row_int64(v);

	return n == MODEL_NULL ? 0 : (int32_t)n;
}

struct number
row_number(struct row_values *v)
{
	struct text t = row_text(v);
	struct number n = NUMBER_NULL;

	if (!text_is_null(t))
		number_parse(t, &n);
	return n;
}

struct decimal
row_decimal(struct row_values *v)
{
	struct text t = row_text(v);
	struct decimal d = { 0 };

	if (!text_is_null(t) && decimal_parse(t, &d) != DECIMAL_OK)
		d = (struct decimal){ 0 };
	return d;
}

int
row_flag(struct row_values *v)
{
	struct text t = row_text(v);

	return text_is_null(t) ? -1 : t.data[0] == 't';
}

void
row_read_text(struct row_values *v, struct text *out)
{
	*out = row_text(v);
}

void
row_read_string(struct row_values *v, const char **out)
{
	*out = row_text(v).data;
}

/* The value is the name of an owner, because the table's CHECK rejects all others. */
void
row_read_owner(struct row_values *v, enum stack_owner *out)
{
	struct text name = row_text(v);

	*out = OWNER_ERROR;
	for (int i = 0; i < STACK_OWNERS; i++)
		if (text_equal(name, row_owner_text((enum stack_owner)i)))
			*out = (enum stack_owner)i;
}

size_t
array_text_count(struct text array)
{
	size_t n = array.size > 2;

	for (size_t i = 0; i < array.size; i++)
		n += array.data[i] == ',';
	return n;
}

const char *
array_text_next(const char *at)
{
	at += strcspn(at, ",}");
	return *at ? at + 1 : at;
}

bool
row_decimals(struct row_values *v, const struct decimal **items, size_t *count, struct error *err)
{
	struct text array = row_text(v);
	const char *at = array.data;

	*count = array_text_count(array);
	ARRAY_RESERVE(v->decimals, v->decimal_room, *count);
	*items = v->decimals;
	for (size_t i = 0; i < *count; i++) {
		struct text element;

		at = i ? array_text_next(at) : at + 1;
		element = (struct text){ at, strcspn(at, ",}") };
		v->decimals[i] = (struct decimal){ 0 };
		if (*at != 'N' && decimal_parse(element, &v->decimals[i]) != DECIMAL_OK)
			return error_set(err, ERROR_DATABASE, "an array holds an invalid number");
	}
	return true;
}
