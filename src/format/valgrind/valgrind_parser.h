/* The parser state for one file. */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_PARSER_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_PARSER_H

#include "valgrind_input.h"

#include <expat.h>

struct vg_parser {
	struct vg_input in;
	struct vg_builder builder;
	struct vg_document *document;
	struct reader *reader;
	XML_Parser expat;
	uint64_t fed;                       /* bytes fed to expat */
	uint64_t token;                     /* of these, before its last token */
	uint64_t piece_fed;                 /* before the current piece */
	uint64_t piece_offset;              /* of the piece in the file */
	uint64_t event_end;                 /* in expat's count: after the last start or end tag */
	uint64_t segment;                   /* where expat began, in the file */
	uint64_t stopped_at, stopped_after; /* the token that stopped it, in the file */
	bool stopped;
	bool refused;     /* XML_GetErrorCode gives the reason */
	bool in_section;  /* CDATA */
	unsigned retries; /* made at the end of the file */
	bool doctype;
	bool blind; /* the last "<stack>" was not a tag: feed all bytes */
};

/* Reads the document or part that begins at the offset. *next is its end. */
bool valgrind_parse_document(struct vg_parser *p, uint64_t begin, bool part, uint64_t *next);

/* valgrind_feed.c. Feeds bytes at that offset of the file to expat; false when it stopped. */
bool valgrind_feed(struct vg_parser *p, const char *data, size_t size, uint64_t offset);
/* Feeds some or all bytes of the window, and skips them in the window. Returns false if it needs
 * more bytes, which cannot happen with `last`. */
bool valgrind_feed_some(struct vg_parser *p, const char *data, size_t size, bool last);
/* Where expat's current token begins, in expat's own count of bytes. */
uint64_t valgrind_token_index(struct vg_parser *p);

#endif
