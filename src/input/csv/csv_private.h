/*
 * What the parts of the CSV reader share: decoder, sniffer and lexer.
 */
#ifndef PROFDEPOT_INPUT_CSV_CSV_PRIVATE_H
#define PROFDEPOT_INPUT_CSV_CSV_PRIVATE_H

#include "input/csv/csv.h"

#include <iconv.h>

enum csv_encoding {
	CSV_UTF8,
	CSV_UTF16LE,
	CSV_UTF16BE,
	CSV_ICONV
};

/* The least room a csv_decoder_read must be given, in bytes. */
enum {
	CSV_MIN_ROOM = 16
};

/* Bytes of a descriptor to valid UTF-8 without NUL and without BOM. */
struct csv_decoder {
	int fd;
	enum csv_encoding encoding;
	iconv_t cd;       /* CSV_ICONV only */
	bool single_byte; /* CSV_ICONV: every character is one byte on disk */
	bool eof;         /* the descriptor is at its end */
	bool ended;       /* no more text comes: all was decoded, or `bad` */
	const char *bad;  /* what is wrong with the bytes at `offset`; NULL: nothing */
	uint64_t offset;  /* of the next byte to decode, in the file as on disk */
	int64_t *consumed;
	unsigned char *raw; /* read and not decoded: raw[start..end) */
	size_t start;
	size_t end;
};

/* Borrows fd. Looks for a BOM, which wins over `encoding` (may be NULL).
 * ERROR_USAGE: no such encoding. ERROR_FILE: cannot be read. */
bool csv_decoder_open(
	struct csv_decoder *d, int fd, const char *encoding, int64_t *consumed, struct error *err);
void csv_decoder_close(struct csv_decoder *d);

/*
 * Decodes up to `room` (>= CSV_MIN_ROOM) bytes of text into out; fewer only
 * at the end of the file, or before bytes that are no text: `bad` is set then,
 * and true returned, so that the rows before come out first.
 * False: ERROR_FILE.
 */
bool csv_decoder_read(
	struct csv_decoder *d, char *out, size_t room, size_t *got, struct error *err);

/* How many bytes decoded text took on disk; its own size where that is not
 * known (code pages with characters of several bytes). */
uint64_t csv_decoder_disk_bytes(const struct csv_decoder *d, const char *text, size_t size);

/* The delimiter of the table that begins with this text. */
char csv_sniff_delimiter(const char *text, size_t size);

/* A name without blanks, brackets and quotes around it. */
struct text csv_bare_name(struct text t);

/* csv_open with another size of the reads, in bytes, at least CSV_MIN_ROOM:
 * the rows must not depend on it. */
struct row_reader *csv_open_chunked(int fd, const char *source, const struct csv_options *options,
	size_t chunk_bytes, int64_t *consumed, struct error *err);

#endif
