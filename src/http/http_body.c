/* Reads a request body into memory and unpacks it. */
#include "base/memory.h"
#include "base/strbuf.h"
#include "http_private.h"
#include "input/inflate.h"
#include "input/spool.h"

#include <strings.h>

static bool
too_large(struct http_call *c, size_t max, struct error *err)
{
	c->answer->status = 413;
	return error_set(err, ERROR_LIMIT, "the body exceeds %zu bytes", max);
}

/* Returns whether this thread's memory budget has room for the body. */
static bool
has_memory(uint64_t size, struct error *err)
{
	return memory_budget_fits((int64_t)size) ||
	       error_set(err, ERROR_MEMORY, "the server has no memory left for the body");
}

static bool
unpack(struct http_call *c, size_t max, struct text *out, struct error *err)
{
	struct strbuf b;
	bool ok;

	strbuf_init(&b, max);
	ok = inflate_spool(c->request->body, &b, err) && has_memory(b.size, err);
	if (ok)
		*out = arena_text(c->arena, strbuf_text(&b));
	else if (err->code != ERROR_MEMORY)
		c->answer->status = err->code == ERROR_LIMIT ? 413 : 400;
	strbuf_release(&b);
	return ok;
}

static bool
is_packed(struct text coding)
{
	return text_equal_nocase(coding, TEXT_LITERAL("gzip")) ||
	       text_equal_nocase(coding, TEXT_LITERAL("x-gzip")) ||
	       text_equal_nocase(coding, TEXT_LITERAL("deflate"));
}

bool
http_body_text(struct http_call *c, size_t max_bytes, struct text *out, struct error *err)
{
	struct text coding = text_trim(http_header_find(&c->request->headers, "Content-Encoding"));
	uint64_t size = c->request->body_bytes;
	char *data;

	if (is_packed(coding))
		return unpack(c, max_bytes, out, err);
	if (!text_is_empty(coding) && !text_equal_nocase(coding, TEXT_LITERAL("identity"))) {
		c->answer->status = 415;
		error_set(err, ERROR_USAGE, "unknown Content-Encoding");
		return error_hint(err, "use gzip, deflate or identity");
	}
	if (size > max_bytes)
		return too_large(c, max_bytes, err);
	if (!has_memory(size, err))
		return false;
	data = arena_alloc(c->arena, (size_t)size + 1);
	*out = (struct text){ data, (size_t)size };
	return spool_read(c->request->body, data, (size_t)size, err);
}
