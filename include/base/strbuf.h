/*
 * A growing byte buffer with a maximum size.
 *
 * An append that exceeds the maximum sets `failed`; from then on appends do nothing. Callers
 * check once, at the end.
 */
#ifndef PROFDEPOT_BASE_STRBUF_H
#define PROFDEPOT_BASE_STRBUF_H

#include "base/error.h"
#include "base/text.h"

#include <stdint.h>

struct strbuf {
	char *data; /* NUL terminated; NULL, which means "", before the first append */
	size_t size;
	size_t capacity;
	size_t max; /* maximum size in bytes */
	bool failed;
};

/* An empty buffer. No memory is allocated before the first append. */
#define STRBUF_INIT(max_bytes) ((struct strbuf){ .max = (max_bytes) })
void strbuf_init(struct strbuf *b, size_t max_bytes);
void strbuf_release(struct strbuf *b);

/* Empties the buffer and clears `failed`, but keeps the memory. */
void strbuf_reset(struct strbuf *b);

void strbuf_append(struct strbuf *b, const void *data, size_t size);
void strbuf_append_str(struct strbuf *b, const char *s);
void strbuf_append_text(struct strbuf *b, struct text t); /* NULL appends nothing */
void strbuf_append_char(struct strbuf *b, char c);
void strbuf_append_int(struct strbuf *b, int64_t v);
void strbuf_printf(struct strbuf *b, const char *format, ...) ERROR_PRINTF(2, 3);

/* Makes room for `size` more bytes at the end; returns NULL if they exceed the maximum. The caller
 * writes there and increases b->size. */
char *strbuf_reserve(struct strbuf *b, size_t size);

/* Appends a file's content ("-" is standard input). Fails with ERROR_FILE or ERROR_LIMIT. */
bool strbuf_read_file(struct strbuf *b, const char *path, struct error *err);

static inline struct text
strbuf_text(const struct strbuf *b)
{
	return (struct text){ b->data ? b->data : "", b->size };
}

/* Returns the content as a C string. */
static inline const char *
strbuf_str(const struct strbuf *b)
{
	return b->data ? b->data : "";
}

#endif
