/*
 * json_cases COUNT SEED: writes valid and invalid documents with the JSON reader's results, in
 * COPY's format. The columns are: accepted (t or f), the document (bytea), and its text (bytea) if
 * the document is a string, or else \N.
 *
 * Documents are generated from the grammar. Most are then damaged: bytes are deleted, replaced,
 * inserted or repeated, or the end is cut off.
 */
#include "base/arena.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "input/json/json_reader.h"
#include "tests/lib/random.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	MAX_BYTES = 4096,
	ROOM_BYTES = 16384,
	MAX_NESTING = 6
};

static const char *const pieces[] = { "{", "}", "[", "]", ",", ":", "\"", "\\", "\"a\"",
	"\"a\":", "0", "-", "1.5", "e", "E+", ".", "01", "true", "false", "null", "nul", "\\u",
	"\\u0000", "\\ud83d", "\\ude00", "\\x", "\\/", " ", "\n", "\t", "\r", "\f", "\v", "\x01",
	"\x1a", "\x7f", "\xC2\xA0", "\xC3\xA9", "\xC3", "\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80",
	"\xED\xA0\x80", "\xC0\x80", "\xF5", "\xFF", "\xEF\xBB\xBF", "'", "/", "#", "NaN", "+1",
	"_" };

static void
put_blanks(struct strbuf *b, uint64_t *r)
{
	static const char blanks[] = " \n\r\t";

	while (random_below(r, 6) == 0)
		strbuf_append_char(b, blanks[random_below(r, 4)]);
}

static void
put_string(struct strbuf *b, uint64_t *r)
{
	static const char *const parts[] = { "a", "name", "0123456789abcdef", "\\n", "\\\"", "\\\\",
		"\\/", "\\b\\f\\r\\t", "\\u0041", "\\u20ac", "\\ud83d\\ude00", "\\ud83d", "\\uDE00",
		"\\u0000", "\\u001a", "\x7f", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80",
		"\xEF\xBF\xBF", "\xF4\x8F\xBF\xBF", "{[,:]}", "'" };

	strbuf_append_char(b, '"');
	while (random_below(r, 3))
		strbuf_append_str(b, parts[random_below(r, sizeof(parts) / sizeof(parts[0]))]);
	strbuf_append_char(b, '"');
}

static void
put_number(struct strbuf *b, uint64_t *r)
{
	static const char *const exponents[] = { "", "", "", "e5", "E-7", "e+0", "e999" };

	strbuf_append_str(b, random_below(r, 4) ? "" : "-");
	strbuf_append_int(b, random_below(r, 3) ? random_below(r, 2000000000) : random_below(r, 2));
	if (random_below(r, 3) == 0)
		strbuf_printf(b, ".%0*u", (int)(1 + random_below(r, 20)), random_below(r, 1000));
	strbuf_append_str(b, exponents[random_below(r, 7)]);
}

static void
/* NOLINTNEXTLINE(misc-no-recursion): MAX_NESTING limits the depth */
put_value(struct strbuf *b, uint64_t *r, int nesting)
{
	static const char *const words[] = { "true", "false", "null" };
	unsigned kind = random_below(r, nesting < MAX_NESTING ? 6 : 4);
	bool object = kind == 5;

	put_blanks(b, r);
	if (kind < 2)
		put_string(b, r);
	else if (kind == 2)
		put_number(b, r);
	else if (kind == 3)
		strbuf_append_str(b, words[random_below(r, 3)]);
	else {
		strbuf_append_char(b, object ? '{' : '[');
		for (unsigned left = random_below(r, 4); left > 0; left--) {
			put_blanks(b, r);
			if (object) {
				put_string(b, r);
				put_blanks(b, r);
				strbuf_append_char(b, ':');
			}
			put_value(b, r, nesting + 1);
			strbuf_append_str(b, left > 1 ? "," : "");
		}
		put_blanks(b, r);
		strbuf_append_char(b, object ? '}' : ']');
	}
	put_blanks(b, r);
}

static void
damage(struct strbuf *b, uint64_t *r)
{
	struct strbuf out;
	size_t at = random_below(r, (unsigned)b->size + 1);
	size_t drop = random_below(r, 3) ? 0 : 1 + random_below(r, 3);
	size_t again = random_below(r, 6) ? 0 : random_below(r, 20);

	if (drop > b->size - at)
		drop = b->size - at;
	if (again > at)
		again = at;
	strbuf_init(&out, ROOM_BYTES);
	strbuf_append(&out, b->data, at);
	strbuf_append(&out, b->data + at - again, again);
	if (random_below(r, 3))
		strbuf_append_str(
			&out, pieces[random_below(r, sizeof(pieces) / sizeof(pieces[0]))]);
	if (random_below(r, 200) == 0)
		strbuf_append_char(&out, '\0');
	if (random_below(r, 12))
		strbuf_append(&out, b->data + at + drop, b->size - at - drop);
	strbuf_release(b);
	*b = out;
}

/* Checks that the input is one complete document. If it is a string, sets *text to its content. */
static bool
accepted(const struct strbuf *b, size_t chunk, struct strbuf *text)
{
	struct json_options o = { 0 };
	struct error err = ERROR_INIT;
	struct json_reader *r = json_reader_new_memory(b->data, b->size, chunk, &o);
	enum json_type type;
	struct text t;
	bool end = false;
	bool ok = json_peek(r, &type, &err);

	if (ok && type == JSON_STRING) {
		ok = json_read_string(r, &t, &err);
		if (ok && text)
			strbuf_append_text(text, t);
	} else if (ok) {
		ok = json_skip(r, &err);
	}
	ok = ok && json_at_end(r, &end, &err) && end;
	if (text && (!ok || type != JSON_STRING))
		text->failed = true;
	json_reader_free(r);
	return ok;
}

static void
put_hex(const struct strbuf *b)
{
	char *hex = xmalloc(2 * b->size + 1);

	hex_format(b->data ? b->data : "", b->size, hex);
	printf("\t\\\\x%s", hex);
	free(hex);
}

int
main(int argc, char **argv)
{
	long count = argc == 3 ? strtol(argv[1], NULL, 10) : 0;
	uint64_t r = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;

	for (long i = 0; i < count; i++) {
		struct strbuf b;
		struct strbuf text;
		bool ok;

		strbuf_init(&b, ROOM_BYTES);
		strbuf_init(&text, ROOM_BYTES);
		strbuf_append_str(&b, "");
		put_value(&b, &r, 0);
		for (unsigned times = random_below(&r, 4); times && b.size < MAX_BYTES; times--)
			damage(&b, &r);
		ok = accepted(&b, 0, &text);
		if (accepted(&b, 1 + random_below(&r, 20), NULL) != ok) {
			fprintf(stderr, "the result depends on the chunk size: case %ld\n", i);
			return 1;
		}
		printf("%c", ok ? 't' : 'f');
		put_hex(&b);
		if (text.failed)
			printf("\t\\N");
		else
			put_hex(&text);
		printf("\n");
		strbuf_release(&b);
		strbuf_release(&text);
	}
	return count ? 0 : 2;
}
