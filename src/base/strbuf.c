/* A growing byte buffer with a maximum. */
#include "base/strbuf.h"

#include "base/arena.h"
#include "base/number.h"

#include <stdarg.h>
#include <stdlib.h>

void
strbuf_init(struct strbuf *b, size_t max_bytes)
{
	*b = (struct strbuf){ .max = max_bytes };
}

void
strbuf_release(struct strbuf *b)
{
	free(b->data);
	*b = (struct strbuf){ .max = b->max };
}

void
strbuf_reset(struct strbuf *b)
{
	b->size = 0;
	b->failed = false;
	if (b->data)
		b->data[0] = '\0';
}

char *
strbuf_reserve(struct strbuf *b, size_t size)
{
	size_t want;

	if (b->failed)
		return NULL;
	if (size > b->max || b->size > b->max - size) {
		b->failed = true;
		return NULL;
	}
	want = b->size + size + 1;
	if (want > b->capacity) {
		size_t grown = b->capacity ? b->capacity * 2 : 64;

		if (grown > b->max + 1)
			grown = b->max + 1;
		if (grown < want)
			grown = want;
		b->data = xrealloc(b->data, grown);
		b->capacity = grown;
	}
	return b->data + b->size;
}

void
strbuf_append(struct strbuf *b, const void *data, size_t size)
{
	char *p = strbuf_reserve(b, size);

	if (!p)
		return;
	if (size)
		memcpy(p, data, size);
	b->size += size;
	b->data[b->size] = '\0';
}

void
strbuf_append_str(struct strbuf *b, const char *s)
{
	strbuf_append(b, s, strlen(s));
}

void
strbuf_append_text(struct strbuf *b, struct text t)
{
	if (t.data)
		strbuf_append(b, t.data, t.size);
}

void
strbuf_append_char(struct strbuf *b, char c)
{
	strbuf_append(b, &c, 1);
}

void
strbuf_append_int(struct strbuf *b, int64_t v)
{
	char digits[24];

	strbuf_append(b, digits, number_format_int64(v, digits));
}

void
strbuf_printf(struct strbuf *b, const char *format, ...)
{
	va_list args;
	va_list again;
	int n;
	char *p;

	va_start(args, format);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	p = n < 0 ? NULL : strbuf_reserve(b, (size_t)n);
	if (p) {
		vsnprintf(p, (size_t)n + 1, format, again);
		b->size += (size_t)n;
	} else {
		b->failed = true;
	}
	va_end(again);
}

bool
strbuf_read_file(struct strbuf *b, const char *path, struct error *err)
{
	bool is_input = strcmp(path, "-") == 0;
	const char *name = is_input ? "standard input" : path;
	FILE *in = is_input ? stdin : fopen(path, "rbe");
	char block[16384];
	size_t n;
	bool ok;

	if (!in)
		return error_set_errno(err, ERROR_FILE, "%s", name);
	while (!b->failed && (n = fread(block, 1, sizeof(block), in)) > 0)
		strbuf_append(b, block, n);
	ok = !ferror(in) || error_set_errno(err, ERROR_FILE, "%s", name);
	if (b->failed)
		ok = error_set(err, ERROR_LIMIT, "%s: longer than %zu bytes", name, b->max);
	if (!is_input)
		fclose(in);
	return ok;
}
