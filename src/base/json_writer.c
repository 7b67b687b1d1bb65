/* A streaming JSON writer, RFC 8259. */
#include "base/json_writer.h"

#include "base/json_string.h"
#include "base/number.h"

#include <assert.h>

/* A stream has only one writer, so no lock is needed. Locking takes longer than writing a byte. */

void
json_writer_init(struct json_writer *w, FILE *out, bool pretty)
{
	*w = (struct json_writer){ .out = out, .pretty = pretty };
}

void
json_writer_init_answer(struct json_writer *w, FILE *out, bool pretty)
{
	*w = (struct json_writer){ .out = out, .pretty = pretty, .answer = true };
}

static void
indent(struct json_writer *w)
{
	if (!w->pretty)
		return;
	putc_unlocked('\n', w->out);
	for (size_t i = 0; i < w->depth; i++)
		fputs("  ", w->out);
}

/* Writes the separator between the previous member and the next. */
static void
before_value(struct json_writer *w)
{
	if (w->after_key) {
		w->after_key = false;
		return;
	}
	if (w->depth == 0)
		return;
	if (w->has_member)
		putc_unlocked(',', w->out);
	w->has_member = true;
	indent(w);
}

static void
begin(struct json_writer *w, char c)
{
	before_value(w);
	putc_unlocked(c, w->out);
	w->depth++;
	w->has_member = false;
}

static void
end(struct json_writer *w, char c)
{
	assert(w->depth > 0 && !w->after_key);
	w->depth--;
	if (w->has_member)
		indent(w);
	w->has_member = true; /* the closed container is a member of the outer one */
	putc_unlocked(c, w->out);
}

void
json_begin_object(struct json_writer *w)
{
	begin(w, '{');
}

void
json_end_object(struct json_writer *w)
{
	if (w->answer && w->depth == 1)
		json_key_bool(w, "complete", true);
	end(w, '}');
}

void
json_begin_array(struct json_writer *w)
{
	begin(w, '[');
}

void
json_end_array(struct json_writer *w)
{
	end(w, ']');
}

/* Bytes that are not UTF-8, as can occur in file names, become U+FFFD. */
static void
put_string(FILE *out, struct text t, bool depot)
{
	const unsigned how = JSON_ESCAPE_LETTERS | (depot ? JSON_ESCAPE_DEPOT : 0);
	char escape[JSON_ESCAPE_BYTES];
	struct text plain;

	putc_unlocked('"', out);
	while (t.size) {
		size_t good = text_utf8_prefix(t.data, t.size);

		struct text rest = { t.data, good };

		while (json_escape_next(&rest, how, &plain, escape)) {
			fwrite(plain.data, 1, plain.size, out);
			fputs(escape, out);
		}
		fwrite(plain.data, 1, plain.size, out);
		if (good == t.size)
			break;
		fputs("\xEF\xBF\xBD", out);
		t.data += good + 1;
		t.size -= good + 1;
	}
	putc_unlocked('"', out);
}

static void
put_key(struct json_writer *w, struct text key, bool depot)
{
	assert(w->depth > 0 && !w->after_key);
	before_value(w);
	put_string(w->out, key, depot);
	putc_unlocked(':', w->out);
	if (w->pretty)
		putc_unlocked(' ', w->out);
	w->after_key = true;
}

void
json_key(struct json_writer *w, const char *key)
{
	put_key(w, text_from(key), false);
}

void
json_depot_key(struct json_writer *w, struct text key)
{
	put_key(w, key, true);
}

static void
put_text(struct json_writer *w, struct text t, bool depot)
{
	if (!t.data) {
		json_null(w);
		return;
	}
	before_value(w);
	put_string(w->out, t, depot);
}

void
json_text(struct json_writer *w, struct text t)
{
	put_text(w, t, false);
}

void
json_depot_text(struct json_writer *w, struct text t)
{
	put_text(w, t, true);
}

void
json_string(struct json_writer *w, const char *s)
{
	json_text(w, text_from(s));
}

void
json_int(struct json_writer *w, int64_t v)
{
	char digits[24];

	number_format_int64(v, digits);
	before_value(w);
	fputs(digits, w->out);
}

void
json_bool(struct json_writer *w, bool v)
{
	before_value(w);
	fputs(v ? "true" : "false", w->out);
}

void
json_null(struct json_writer *w)
{
	before_value(w);
	fputs("null", w->out);
}

void
json_raw(struct json_writer *w, struct text t)
{
	before_value(w);
	fwrite(t.data, 1, t.size, w->out);
}

void
json_fixed3(struct json_writer *w, double v)
{
	int64_t thousandths = (int64_t)(v * 1000.0 + (v < 0 ? -0.5 : 0.5));
	int64_t magnitude = thousandths < 0 ? -thousandths : thousandths;

	before_value(w);
	fprintf(w->out, "%s%lld.%03d", thousandths < 0 ? "-" : "", (long long)(magnitude / 1000),
		(int)(magnitude % 1000));
}

void
json_key_string(struct json_writer *w, const char *key, const char *s)
{
	json_key_text(w, key, text_from(s));
}

void
json_key_text(struct json_writer *w, const char *key, struct text t)
{
	json_key(w, key);
	json_text(w, t);
}

void
json_key_int(struct json_writer *w, const char *key, int64_t v)
{
	json_key(w, key);
	json_int(w, v);
}

void
json_key_bool(struct json_writer *w, const char *key, bool v)
{
	json_key(w, key);
	json_bool(w, v);
}

void
json_key_fixed3(struct json_writer *w, const char *key, double v)
{
	json_key(w, key);
	json_fixed3(w, v);
}

void
json_key_error(struct json_writer *w, int status, const struct error *err)
{
	json_key(w, "error");
	json_begin_object(w);
	json_key_int(w, "status", status);
	json_key_string(w, "code", error_code_name(err->code));
	json_key_string(w, "message", err->message);
	if (err->hint[0])
		json_key_string(w, "hint", err->hint);
	json_end_object(w);
}

void
json_key_depot_text(struct json_writer *w, const char *key, struct text t)
{
	json_key(w, key);
	json_depot_text(w, t);
}

void
json_key_raw(struct json_writer *w, const char *key, struct text t)
{
	json_key(w, key);
	json_raw(w, t);
}

void
json_key_null(struct json_writer *w, const char *key)
{
	json_key(w, key);
	json_null(w);
}

void
json_key_object(struct json_writer *w, const char *key)
{
	json_key(w, key);
	json_begin_object(w);
}

void
json_key_array(struct json_writer *w, const char *key)
{
	json_key(w, key);
	json_begin_array(w);
}
