/*
 * The inside of the reader of valgrind's XML (docs/internals/xml-output-protocol4.txt,
 * 5 and 6 of its sources).
 *
 * valgrind_parse.c cuts the input into documents, valgrind_feed.c feeds these to expat,
 * and valgrind_build.c makes records: a record is a child of the
 * document element with its leaves (elements without children) and stacks. valgrind_document.c
 * keeps what a document says of itself, valgrind_tell.c makes rows of the others.
 */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_PRIVATE_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_PRIVATE_H

#include "format/format.h"
#include "valgrind_frames.h"
#include "valgrind_records.h"
#include "valgrind_threads.h"

/* --- a document -------------------------------------------------------------------------- */

struct vg_leak_sum {
	uint64_t bytes, blocks, records; /* of the records, of the last search for leaks */
	bool told;                       /* by the leak summary: */
	uint64_t summary_bytes, summary_blocks;
};

struct vg_waiting;

/* What a document and the parts of it share. */
struct vg_origin {
	struct text application, tool, pid;
	uint32_t set;
	bool has_set;
};

/* One result set. */
struct vg_document {
	struct format_source *source;
	struct sink *sink;
	const char *file; /* the member's name */
	int fd;
	unsigned part; /* 0: a whole document; else the number behind it */
	struct vg_origin about;
	bool wanted;
	bool rooted;                     /* its document element was there */
	bool damaged;                    /* not closed, or a record of it is left out */
	struct frame_dictionary *frames; /* NULL: no set yet, or not wanted */
	struct vg_routine *routines;
	size_t routine_room;
	struct vg_known_frames known_frames;
	struct vg_threads threads;
	struct arena arena;                 /* of the document */
	struct strbuf head, clients, loose; /* of its attributes: members; two arrays */
	struct strbuf notes, attributes;    /* of the record */
	int64_t errors, signals, objects, suppressions, leak_check;
	uint64_t last_loss;
	struct vg_leak_sum leaks[VG_LEAKS];
	bool has_error_summary;
	uint64_t summary_errors, summary_contexts, sum_errors;
	/* Errors wait for their counts and for what will be known of their threads. */
	struct arena waiting;
	struct vg_waiting *first, *last;
	struct pair_map counts; /* by the error's unique number */
	uint64_t *count_values;
	size_t count_room;
	bool counts_known;
	bool seen[VG_OTHER + 1]; /* elements that are told once */
	struct strbuf others;    /* of its attributes: an array of what came else */
	bool left_out;           /* some did not fit */
};

/* valgrind_document.c */
void valgrind_document_init(struct vg_document *d, struct format_source *source, struct sink *sink,
	const char *file, int fd);
void valgrind_document_release(struct vg_document *d);
/* Makes the result set when there is none. */
bool valgrind_document_set(struct vg_document *d, struct error *err);
/* A whole record. */
bool valgrind_document_record(struct vg_document *d, const struct vg_record *r, struct error *err);
/* Nothing follows: what waited is told, and what the document says of itself. */
bool valgrind_document_end(struct vg_document *d, struct error *err);
/* Needs the set. */
bool valgrind_issue(struct vg_document *d, enum issue_code code, uint64_t line, uint64_t offset,
	struct error *err, const char *format, ...) ERROR_PRINTF(6, 7);

/* valgrind_tell.c */
bool valgrind_tell_error(struct vg_document *d, const struct vg_record *r, struct error *err);
bool valgrind_tell_signal(struct vg_document *d, const struct vg_record *r, struct error *err);
bool valgrind_tell_announced(struct vg_document *d, const struct vg_record *r, struct error *err);
/* A stack of the record for the sink; *depth frames. */
bool valgrind_tell_stack(struct vg_document *d, const struct vg_record *r,
	const struct vg_stack *stack, stack_number *number, size_t *depth, struct error *err);
bool valgrind_tell_waiting(struct vg_document *d, struct error *err);

/* valgrind_counts.c: how often an error was seen. */
void valgrind_count_add(struct vg_document *d, uint64_t unique, uint64_t count);
/* 1 when nobody said. */
uint64_t valgrind_count(const struct vg_document *d, uint64_t unique);
/* Looks ahead in the file for what the document has to say. */
bool valgrind_counts_ahead(struct vg_document *d, uint64_t from, struct error *err);

/* --- valgrind_parse.c -------------------------------------------------------------------- */

/* Reads all documents of the descriptor; the sink is told but its end. */
bool valgrind_parse(int fd, struct format_source *source, struct sink *sink, const char *file,
	struct error *err);

#endif
