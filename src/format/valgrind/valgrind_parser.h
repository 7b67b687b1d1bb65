/* The parser of one file, which valgrind_file.c drives document by document. */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_PARSER_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_PARSER_H

#include "valgrind_input.h"

#include <expat.h>

struct vg_parser {
	struct vg_input in;
	struct vg_builder builder;
	struct vg_document *document;
	struct error *err;
	XML_Parser expat;
	uint64_t seed;         /* of the hashes of frames */
	uint64_t fed;          /* bytes that expat got */
	uint64_t token;        /* of these, before the token that it was at last */
	uint64_t piece_fed;    /* before the piece that it has */
	uint64_t piece_offset; /* of the piece in the file */
	uint64_t event_end;    /* as expat counts: behind the start of a stack or a frame's end */
	uint64_t segment;      /* where expat began, in the file */
	uint64_t stopped_at, stopped_behind; /* the token that stopped it, in the file */
	bool stopped;
	bool refused;     /* expat tells why */
	bool in_section;  /* CDATA */
	unsigned retries; /* at the end of the file */
	bool doctype;
	struct format_source *source;
	int64_t consumed_before;
	bool blind; /* the last tag of a stack was none: the next piece is all there is */
};

/* One document from its begin, or a part of one; *next: where it ended. */
bool valgrind_parse_document(struct vg_parser *p, uint64_t begin, bool part, uint64_t *next);

/* valgrind_feed.c. Feeds bytes at that offset of the file to expat; false when it stopped. */
bool valgrind_feed(struct vg_parser *p, const char *data, size_t size, uint64_t offset);
/* Feeds some or all of the window, and skips them there. False: it needs more bytes, never with
 * `last`. */
bool valgrind_feed_some(struct vg_parser *p, const char *data, size_t size, bool last);
/* Where expat's current token begins, as it counts. */
uint64_t valgrind_token_index(struct vg_parser *p);

#endif
