/*
 * The reader of valgrind's XML; valgrind_log.h describes the reader of its text. In valgrind's sources,
 * docs/internals/xml-output-protocol4.txt and the files for protocols 5 and 6 define the format.
 *
 * valgrind.c finds the documents in a file; valgrind_parse.c reads each document with expat.
 * valgrind_build.c makes records: children of the document element with their leaves
 * (elements without children) and stacks. valgrind_record.c turns records into
 * rows (valgrind_emit.c) or attributes of the result set (valgrind_end.c).
 */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_PRIVATE_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_PRIVATE_H

#include "base/arena.h"
#include "base/pair_map.h"
#include "format/common/emit.h"
#include "format/common/members.h"
#include "valgrind_records.h"

enum {
	VG_ARRAY_MAX_BYTES = 1024 * 1024, /* limit for each kind of document attribute */
};

/* A document's threads, by valgrind's and helgrind's numbers. */
enum {
	VG_NO_THREAD = -1
};

struct vg_thread {
	int64_t tid;     /* valgrind's slot number, or MODEL_NULL */
	int64_t hthread; /* helgrind's thread number, or MODEL_NULL */
	struct text name;
	bool emitted;
	stack_number stack; /* creation stack; 0 if unknown */
};

struct vg_threads {
	struct vg_thread *items;
	size_t count, room;
	struct pair_map map;
	struct arena names;
};

void valgrind_threads_release(struct vg_threads *t);
/* The ID of the thread with these numbers or this name. VG_NO_THREAD if the numbers and the name are missing. */
int64_t valgrind_thread(struct vg_threads *t, int64_t tid, int64_t hthread, struct text name);
/* If the thread has been emitted without its creation stack, emits the stack now. */
bool valgrind_thread_emit_stack(struct vg_threads *t, int64_t id, struct reader *in);
/* Emits the thread and its creation stack, unless the thread has been emitted. */
bool valgrind_thread_emit(struct vg_threads *t, int64_t id, struct reader *in);

struct vg_leak_sum {
	uint64_t bytes, blocks, records; /* sums over the last leak search */
	bool has_summary;
	uint64_t summary_bytes, summary_blocks; /* as stated in the leak summary */
};

struct vg_waiting;

/* The facts that a document shares with its parts. */
struct vg_origin {
	struct text application, tool, pid;
	uint32_t set;
	bool has_set;
};

/* One result set. */
struct vg_document {
	struct reader *in;
	unsigned part; /* 0 for a whole document; else the part number */
	struct vg_origin about;
	bool wanted;
	bool rooted;         /* the document element has begun */
	bool damaged;        /* not closed, or some records are missing */
	bool leak_check_off; /* --leak-check=no */
	/* For a document from a log in text form. */
	bool log;
	bool headed;                     /* the log has the process's first lines */
	bool log_ended;                  /* the log has the error summary */
	bool no_leaks;                   /* all blocks were freed */
	bool leaks_grew;                 /* the last leak check listed only leaks that changed */
	struct frame_dictionary *frames; /* NULL before the set begins or if !wanted */
	struct vg_routine *routines;
	size_t routine_room;
	struct pair_map frame_index; /* maps a frame's bytes to an index into known_frames */
	struct vg_frame *known_frames;
	size_t known_count, known_room;
	struct vg_threads threads;
	struct arena arena;
	/* The document's attributes: `head` contains object members, the other buffers contain
	 * array elements. `others` contains the unknown elements. */
	struct strbuf head, clients, loose, others;
	bool left_out;                   /* some attributes did not fit */
	struct strbuf notes, attributes; /* texts for the current record */
	int64_t errors, signals, objects, suppressions, leak_check;
	uint64_t last_loss, loss_records; /* "loss record 3 of 9" */
	struct vg_leak_sum leaks[VG_LEAKS];
	bool has_error_summary;
	uint64_t summary_errors, summary_contexts, sum_errors;
	/* Errors wait for their counts, and for the names of their threads. */
	struct arena waiting;
	struct vg_waiting *first, *last;
	struct pair_map counts; /* maps an error's unique number to an index into count_values */
	uint64_t *count_values;
	size_t count_room;
	bool counts_known;
	bool seen[VG_OTHER + 1]; /* elements already read; a repeated one is treated as unknown */
};

/* valgrind_document.c */
void valgrind_document_init(struct vg_document *d, struct reader *in);
void valgrind_document_release(struct vg_document *d);
/* Begins the result set, unless it has begun. */
bool valgrind_document_set(struct vg_document *d);
/* Begins the result set if necessary, then reports an issue. */
bool valgrind_issue(struct vg_document *d, enum issue_code code, uint64_t line, uint64_t offset,
	const char *format, ...) ERROR_PRINTF(5, 6);

/* valgrind_record.c: handles a complete record. */
bool valgrind_document_record(struct vg_document *d, const struct vg_record *r);

/* valgrind_end.c: emits waiting errors and the document's attributes after the last record. */
bool valgrind_document_end(struct vg_document *d);

/* valgrind_emit.c */
bool valgrind_emit_error(struct vg_document *d, const struct vg_record *r);
bool valgrind_emit_signal(struct vg_document *d, const struct vg_record *r);
bool valgrind_emit_announced(struct vg_document *d, const struct vg_record *r);
bool valgrind_emit_waiting(struct vg_document *d);

/* valgrind_counts.c: notes how often an error occurred. */
void valgrind_count_add(struct vg_document *d, uint64_t unique, uint64_t count);
/* The error's count; 1 if unknown. */
uint64_t valgrind_count(const struct vg_document *d, uint64_t unique);
/* Searches the rest of the document for counts. */
bool valgrind_counts_ahead(struct vg_document *d, uint64_t from);

#endif
