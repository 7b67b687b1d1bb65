/* Chooses the answer type that a client prefers, from its Accept header (RFC 9110, 12.5.1). */
#include "http_coding.h"
#include "http_private.h"

#include "base/strbuf.h"

#include <string.h>
#include <strings.h>

enum {
	WHOLE = 1000 /* a quality of 1 */
};

/* A media range in an Accept field: "text/html;level=1;q=0.5". */
struct range {
	struct text type;
	int quality;
};

/* Parses a quality: "0.85" is 850. An invalid number counts as a quality of 1, which is 1000. */
static int
read_quality(const char *s)
{
	int q = 0;

	if (*s != '0')
		return WHOLE;
	if (*++s == '.')
		s++;
	for (int unit = 100; unit; unit /= 10)
		if (char_is_digit(*s))
			q += (*s++ - '0') * unit;
	return q;
}

/* Reads the next range and returns the position after it; NULL at the end. */
static const char *
next_range(const char *s, struct range *r)
{
	const char *end;

	s += strspn(s, " \t,");
	if (!*s)
		return NULL;
	end = s + strcspn(s, ",");
	r->type = text_trim((struct text){ s, strcspn(s, ",;") });
	r->quality = WHOLE;
	for (const char *p = s; (p = memchr(p, ';', (size_t)(end - p))) != NULL;) {
		p++;
		p += strspn(p, " \t");
		if ((*p == 'q' || *p == 'Q') && p[1] == '=')
			r->quality = read_quality(p + 2);
	}
	return end;
}

/* Returns how closely the range matches the type, from 0 (not at all) to 3 (exactly). */
static int
closeness(struct text range, const char *type)
{
	size_t size = strcspn(type, ";");
	size_t main_size = strcspn(type, "/") + 1;

	if (text_equal(range, TEXT_LITERAL("*/*")) || text_equal(range, TEXT_LITERAL("*")))
		return 1;
	if (range.size == main_size + 1 && range.data[main_size] == '*' &&
		strncasecmp(range.data, type, main_size) == 0)
		return 2;
	return range.size == size && strncasecmp(range.data, type, size) == 0 ? 3 : 0;
}

int
http_accept_quality(const char *accept, const char *type)
{
	struct range r;
	int best = 0;
	int quality = 0;

	while ((accept = next_range(accept, &r)) != NULL) {
		int close = closeness(r.type, type);

		if (close > best) {
			best = close;
			quality = r.quality;
		}
	}
	return quality;
}

/* Returns whether an earlier type differs from the i-th one in parameters only. */
static bool
is_named_before(const struct http_type *types, size_t i)
{
	size_t size = strcspn(types[i].content_type, ";");

	for (size_t before = 0; before < i; before++)
		if (strcspn(types[before].content_type, ";") == size &&
			memcmp(types[before].content_type, types[i].content_type, size) == 0)
			return true;
	return false;
}

static const struct http_type *
refuse(struct http_call *c, const char *parameter, const struct http_type *types, size_t count,
	struct error *err)
{
	struct strbuf b;

	strbuf_init(&b, 1024);
	for (size_t i = 0; i < count; i++)
		if (!is_named_before(types, i))
			strbuf_printf(&b, "%s%.*s", i ? ", " : "",
				(int)strcspn(types[i].content_type, ";"), types[i].content_type);
	c->answer->status = 406;
	error_set(err, ERROR_USAGE, "no available type matches the Accept header");
	error_hint(err, "available: %s; or set ?%s=", strbuf_str(&b), parameter);
	strbuf_release(&b);
	return NULL;
}

static const struct http_type *
choose(struct http_call *c, const char *parameter, const struct http_type *types, size_t count,
	struct error *err)
{
	const char *named = http_query_text(c, parameter);
	struct text accept = http_header_find(&c->request->headers, "Accept");
	const struct http_type *best = NULL;
	int quality = 0;

	for (size_t i = 0; named && i < count; i++)
		if (strcmp(types[i].name, named) == 0)
			return &types[i];
	if (text_is_empty(text_trim(accept)))
		return &types[0];
	for (size_t i = 0; i < count; i++) {
		int q = http_accept_quality(accept.data, types[i].content_type);

		if (q > quality) {
			quality = q;
			best = &types[i];
		}
	}
	return best ? best : refuse(c, parameter, types, count, err);
}

const struct http_type *
http_choose_type(struct http_call *c, const char *parameter, const struct http_type *types,
	size_t count, struct error *err)
{
	const struct http_type *t = choose(c, parameter, types, count, err);

	if (t)
		c->answer->content_type = t->content_type;
	http_answer_field(c->answer, "Vary", "Accept");
	return t;
}
