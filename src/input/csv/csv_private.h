/* Shared by the parts of the CSV reader: decoder, sniffer and lexer. */
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

/* The smallest room for csv_decoder_read, in bytes. */
enum {
	CSV_MIN_ROOM = 16
};

/* Decodes a descriptor's bytes to valid UTF-8 without NUL and BOM. */
struct csv_decoder {
	int fd;
	enum csv_encoding encoding;
	iconv_t cd;       /* CSV_ICONV only */
	bool single_byte; /* CSV_ICONV: every character is one byte on disk */
	const char *mark; /* the BOM's encoding, if the caller named a different one; else NULL */
	bool eof;         /* the descriptor is at its end */
	bool ended;       /* no more text follows: all bytes are decoded, or `bad` is set */
	const char *bad;  /* the error in the bytes at `offset`; NULL if valid */
	uint64_t offset;  /* offset of the next byte to decode, in the file on disk */
	int64_t *consumed;
	unsigned char *raw; /* bytes not yet decoded: raw[start..end) */
	size_t start;
	size_t end;
};

/* Borrows fd. A BOM overrides `encoding`, which may be NULL. Fails with ERROR_USAGE for an unknown
 * encoding, ERROR_FILE for a read error. */
bool csv_decoder_open(
	struct csv_decoder *d, int fd, const char *encoding, int64_t *consumed, struct error *err);
void csv_decoder_close(struct csv_decoder *d);

/*
 * Decodes up to `room` (>= CSV_MIN_ROOM) bytes of text into out. Decodes fewer bytes only at the end
 * of the file or before invalid bytes. On invalid bytes, sets `bad` and returns true, so that the rows
 * before these bytes are returned first. Fails with ERROR_FILE.
 */
bool csv_decoder_read(
	struct csv_decoder *d, char *out, size_t room, size_t *got, struct error *err);

/* Returns how many bytes the decoded text takes in the file on disk. For multi-byte code pages this
 * is unknown, so the function returns `size`. */
uint64_t csv_decoder_disk_bytes(const struct csv_decoder *d, const char *text, size_t size);

/* Detects the delimiter of the table that begins with this text. */
char csv_sniff_delimiter(const char *text, size_t size);

/* Removes surrounding blanks, brackets and quotes from a name. */
struct text csv_bare_name(struct text t);

/* Like csv_open, but reads chunk_bytes (>= CSV_MIN_ROOM) at a time. The rows must not depend on
 * this size. */
struct row_reader *csv_open_chunked(int fd, const char *source, const struct csv_options *options,
	size_t chunk_bytes, int64_t *consumed, struct error *err);

#endif
