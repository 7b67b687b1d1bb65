/*
 * Cursors: positions in lists, as texts. Clients get them in the Link header and send them back in the
 * parameter `cursor`. A cursor contains the sort key of a page's last row, so the next page begins
 * exactly there, whatever is added or removed in between. Format: 16 hexadecimal digits of a
 * checksum, then the parts in hexadecimal; each part is '-' (NULL) or '=' and a text, and ends with NUL.
 * The checksum covers the path and the parameters, so a cursor is valid only for the same list. It is
 * no protection against forgery, and needs none: a forged cursor is just another position.
 */
#include "handle_cursor.h"

#include "base/hash.h"
#include "base/number.h"
#include "base/strbuf.h"

#include <inttypes.h>
#include <string.h>

enum {
	CHECK_DIGITS = 16,
	MAX_PARTS_BYTES = 1500, /* longer cursors might not fit into a request line */
};

/* Parameters that a client can change from page to page. */
static bool
is_of_page(const char *name)
{
	static const char *const names[] = { "cursor", "skip", "limit", "top", "output" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static void
append_escaped(struct strbuf *b, const char *s, const char *plain)
{
	for (; *s; s++)
		if (char_is_word(*s) || strchr(plain, *s))
			strbuf_append_char(b, *s);
		else
			strbuf_printf(b, "%%%02X", (unsigned char)*s);
}

static void
append_checksum(struct strbuf *out, const struct http_call *c, struct text parts)
{
	const struct http_fields *q = &c->request->query;
	char hex[HASH128_HEX_BYTES];
	struct strbuf b;

	strbuf_init(&b, (size_t)service_of(c)->options->http.max_request_bytes);
	strbuf_append(&b, c->request->path, strlen(c->request->path) + 1);
	for (size_t i = 0; i < q->count; i++) {
		if (is_of_page(q->items[i].name))
			continue;
		strbuf_append(&b, q->items[i].name, strlen(q->items[i].name) + 1);
		strbuf_append(&b, q->items[i].value.data, q->items[i].value.size + 1);
	}
	strbuf_append_text(&b, parts);
	hash128_hex(hash128(strbuf_str(&b), b.size), hex);
	strbuf_append(out, hex, CHECK_DIGITS);
	strbuf_release(&b);
}

/* --- the next page --- */

/* Adds a link to the next page: the same request with another position. */
static void
add_link(struct http_call *c, const char *name, const char *value)
{
	const struct http_fields *q = &c->request->query;
	struct strbuf b;

	strbuf_init(&b, (size_t)service_of(c)->options->http.max_request_bytes);
	strbuf_append_char(&b, '<');
	append_escaped(&b, c->request->path, "-.~/:=");
	strbuf_append_char(&b, '?');
	for (size_t i = 0; i < q->count; i++) {
		if (strcmp(q->items[i].name, "skip") == 0 ||
			strcmp(q->items[i].name, "cursor") == 0)
			continue;
		append_escaped(&b, q->items[i].name, "-.~");
		strbuf_append_char(&b, '=');
		append_escaped(&b, q->items[i].value.data, "-.~");
		strbuf_append_char(&b, '&');
	}
	strbuf_printf(&b, "%s=%s>; rel=\"next\"", name, value);
	if (!b.failed)
		http_answer_field(c->answer, "Link", arena_strdup(c->arena, strbuf_str(&b)));
	strbuf_release(&b);
}

static void
append_parts(struct strbuf *b, const struct cursor *next)
{
	for (int i = 0; i < CURSOR_PARTS; i++) {
		const char *part = next->parts[i];

		strbuf_append_char(b, part ? '=' : '-');
		strbuf_append(b, part ? part : "", part ? strlen(part) + 1 : 1);
	}
}

int64_t
cursor_rows_before(struct http_call *c, const struct cursor *now)
{
	const char *text = now->given ? now->parts[CURSOR_PARTS - 1] : NULL;
	struct number n;
	int64_t v;

	if (text && number_parse(text_from(text), &n) == NUMBER_OK && number_to_int64(n, &v))
		return v;
	return http_query_int(c, "skip", 0);
}

void
cursor_link(struct http_call *c, const struct cursor *now, struct cursor *next, int64_t rows)
{
	const char *skip = arena_printf(c->arena, "%" PRId64, cursor_rows_before(c, now) + rows);
	char digits[2 * MAX_PARTS_BYTES + 1];
	struct strbuf parts, b;

	strbuf_init(&parts, MAX_PARTS_BYTES);
	strbuf_init(&b, CHECK_DIGITS + sizeof(digits));
	next->parts[CURSOR_PARTS - 1] = skip;
	append_parts(&parts, next);
	if (parts.failed) {
		add_link(c, "skip", skip);
	} else {
		append_checksum(&b, c, strbuf_text(&parts));
		hex_format(parts.data, parts.size, digits);
		strbuf_append_str(&b, digits);
		add_link(c, "cursor", strbuf_str(&b));
		http_answer_field(
			c->answer, "Profdepot-Next", arena_strdup(c->arena, strbuf_str(&b)));
	}
	strbuf_release(&parts);
	strbuf_release(&b);
}

void
cursor_link_skip(struct http_call *c, int64_t skip)
{
	add_link(c, "skip", arena_printf(c->arena, "%" PRId64, skip));
}

/* --- reading --- */

static bool
read_hex(const char *s, char *out)
{
	static const char digits[] = "0123456789abcdef";

	for (; *s; s += 2) {
		const char *high = strchr(digits, s[0]);
		const char *low = s[1] ? strchr(digits, s[1]) : NULL;

		if (!high || !low)
			return false;
		*out++ = (char)((high - digits) << 4 | (low - digits));
	}
	return true;
}

/* Returns whether the bytes are CURSOR_PARTS parts. */
static bool
split(char *s, size_t size, struct cursor *out)
{
	const char *end = s + size;

	for (int i = 0; i < CURSOR_PARTS; i++) {
		char *stop = s < end ? memchr(s, '\0', (size_t)(end - s)) : NULL;

		if (!stop || (*s != '=' && *s != '-'))
			return false;
		out->parts[i] = *s == '=' ? s + 1 : NULL;
		s = stop + 1;
	}
	return s == end;
}

static bool
decode(struct http_call *c, const char *value, struct cursor *out)
{
	size_t digits = strlen(value) < CHECK_DIGITS ? 0 : strlen(value) - CHECK_DIGITS;
	char *parts = arena_alloc(c->arena, digits / 2 + 1);
	struct strbuf expected;
	bool ok;

	if (!digits || !read_hex(value + CHECK_DIGITS, parts))
		return false;
	strbuf_init(&expected, CHECK_DIGITS + 1);
	append_checksum(&expected, c, (struct text){ parts, digits / 2 });
	ok = strncmp(strbuf_str(&expected), value, CHECK_DIGITS) == 0;
	strbuf_release(&expected);
	return ok && split(parts, digits / 2, out);
}

bool
cursor_read(struct http_call *c, struct cursor *out, struct error *err)
{
	const char *value = http_query_text(c, "cursor");

	*out = (struct cursor){ .given = value != NULL };
	if (!value)
		return true;
	if (http_query_text(c, "skip"))
		return error_set(err, ERROR_USAGE, "cursor and skip are both given");
	return decode(c, value, out) || cursor_refuse(err);
}

bool
cursor_refuse(struct error *err)
{
	error_set(err, ERROR_CURSOR,
		"the cursor is invalid, or belongs to another list or other parameters");
	return error_hint(
		err, "repeat the parameters of the first page, or omit cursor to start again");
}
