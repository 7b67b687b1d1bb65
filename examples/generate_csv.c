#include "generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	BUFFER_BYTES = 1 << 20,
	ROW_BYTES_MAX = 8192
};

struct csv {
	FILE *file;
	char *path;
	char *buffer;
	char *wide; /* UTF-16 only */
	size_t size;
	enum csv_format format;
	char delimiter;
	bool started; /* the current row already has a cell */
};

static void
write_bytes(struct csv *c, const void *bytes, size_t size)
{
	if (fwrite(bytes, 1, size, c->file) != size)
		generate_fail("cannot write", c->path);
}

/* Encodes one code point; all names are in the basic multilingual plane. */
static unsigned
decode(const unsigned char *p, size_t *used)
{
	if (p[0] < 0x80) {
		*used = 1;
		return p[0];
	}
	if (p[0] < 0xe0) {
		*used = 2;
		return (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
	}
	*used = 3;
	return (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
}

static void
write_wide(struct csv *c)
{
	const unsigned char *p = (const unsigned char *)c->buffer;
	const unsigned char *end = p + c->size;
	size_t n = 0;

	while (p < end) {
		size_t used;
		unsigned code = decode(p, &used);

		c->wide[n++] = (char)(code & 0xff);
		c->wide[n++] = (char)(code >> 8);
		p += used;
	}
	write_bytes(c, c->wide, n);
}

/* Call this only between rows, so that no character is split. */
static void
flush(struct csv *c)
{
	if (c->format == CSV_SSMS)
		write_wide(c);
	else
		write_bytes(c, c->buffer, c->size);
	c->size = 0;
}

static void
cell_begin(struct csv *c)
{
	if (c->started)
		c->buffer[c->size++] = c->delimiter;
	c->started = true;
}

void
csv_uint(struct csv *c, uint64_t v)
{
	char digits[20];
	size_t n = sizeof(digits);

	cell_begin(c);
	do {
		digits[--n] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	memcpy(c->buffer + c->size, digits + n, sizeof(digits) - n);
	c->size += sizeof(digits) - n;
}

void
csv_int(struct csv *c, int64_t v)
{
	if (v >= 0) {
		csv_uint(c, (uint64_t)v);
		return;
	}
	cell_begin(c);
	c->buffer[c->size++] = '-';
	c->started = false;
	csv_uint(c, 0 - (uint64_t)v);
}

void
csv_text(struct csv *c, const char *s)
{
	const char special[] = { '"', '\r', '\n', c->delimiter, '\0' };

	cell_begin(c);
	if (!s)
		s = c->format == CSV_SSMS ? "NULL" : "";
	if (strlen(s) > ROW_BYTES_MAX / 8)
		generate_fail("text too long for", c->path);
	if (!s[strcspn(s, special)]) {
		memcpy(c->buffer + c->size, s, strlen(s));
		c->size += strlen(s);
		return;
	}
	c->buffer[c->size++] = '"';
	for (; *s; s++) {
		if (*s == '"')
			c->buffer[c->size++] = '"';
		c->buffer[c->size++] = *s;
	}
	c->buffer[c->size++] = '"';
}

/* SSMS writes a row's line end only if another row follows. */
static void
row_end(struct csv *c)
{
	if (c->format != CSV_PLAIN)
		c->buffer[c->size++] = '\r';
	c->buffer[c->size++] = '\n';
}

void
csv_row(struct csv *c)
{
	if (c->format != CSV_SSMS)
		row_end(c);
	c->started = false;
	if (c->size > BUFFER_BYTES - ROW_BYTES_MAX)
		flush(c);
	if (c->format == CSV_SSMS)
		row_end(c);
}

struct csv *
csv_open(const char *dir, const char *table, const char *columns, enum csv_format format)
{
	static const char delimiters[] = { ',', ';', '\t' };
	static const char bom[] = { '\xef', '\xbb', '\xbf' };
	struct csv *c = generate_alloc(1, sizeof(*c));
	size_t room = strlen(dir) + strlen(table) + 6;

	c->format = format;
	c->delimiter = delimiters[format];
	c->path = generate_alloc(room, 1);
	snprintf(c->path, room, "%s/%s.csv", dir, table);
	c->buffer = generate_alloc(BUFFER_BYTES, 1);
	if (format == CSV_SSMS)
		c->wide = generate_alloc(BUFFER_BYTES, 2);
	c->file = fopen(c->path, "wb");
	if (!c->file)
		generate_fail("cannot create", c->path);
	setvbuf(c->file, NULL, _IONBF, 0);
	if (format != CSV_PLAIN) {
		memcpy(c->buffer, bom, sizeof(bom));
		c->size = sizeof(bom);
	}
	for (const char *p = columns; *p; p++)
		c->buffer[c->size++] = *p == ',' ? c->delimiter : *p;
	csv_row(c);
	return c;
}

void
csv_close(struct csv *c)
{
	if (c->format == CSV_SSMS)
		c->size -= 2;
	flush(c);
	if (fclose(c->file) != 0)
		generate_fail("cannot write", c->path);
	free(c->path);
	free(c->buffer);
	free(c->wide);
	free(c);
}
