/* The parser state for one file. */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_PARSER_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_PARSER_H

#include "valgrind_input.h"
#include "valgrind_seen.h"

#include <expat.h>

struct vg_parser {
	struct vg_input in;
	struct vg_builder builder;
	struct vg_document *document;
	struct reader *reader;
	XML_Parser expat;
	uint64_t fed;       /* bytes fed to expat */
	uint64_t token;     /* number of these bytes before the last token */
	uint64_t shift;     /* offset in the file minus expat's byte count */
	uint64_t event_end; /* end of the last start or end tag, in expat's count */
	uint64_t segment;   /* where expat began, as an offset in the file */
	uint64_t stopped_at,
		stopped_after; /* file offsets: start and end of the token that stopped expat */
	bool stopped;
	bool refused;     /* XML_GetErrorCode gives the reason */
	bool in_section;  /* inside a CDATA section */
	unsigned retries; /* number of retries at the end of the file */
	bool doctype;
	bool blind;         /* the last "<stack>" was not a tag: feed the next piece as a whole */
	size_t piece_bytes; /* maximum size of the next piece; grows during a segment */
	struct vg_seen seen;
};

/* Reads the document or part that begins at the offset. *next is its end. */
bool valgrind_parse_document(struct vg_parser *p, uint64_t begin, bool part, uint64_t *next);

#endif
