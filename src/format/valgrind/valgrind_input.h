/*
 * A window over the XML file. It reads bytes in order, can return to any offset, and finds where
 * records and documents begin.
 */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_INPUT_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_INPUT_H

#include "valgrind_private.h"

struct vg_input {
	struct reader *reader;
	char *data;               /* the caller frees it */
	uint64_t base;            /* offset of data in the file */
	size_t at, size;          /* data[at .. size) is unread */
	size_t clean;             /* data[.. clean) is checked */
	bool ended;               /* the file ends at data + size */
	bool repair;              /* bytes that are invalid in XML become U+007F */
	uint64_t repaired;        /* number of such bytes */
	uint64_t repaired_at;     /* offset of the first such byte */
	uint64_t repaired_upto;   /* invalid bytes before this offset are already counted */
	uint64_t line, line_upto; /* number of lines that end before line_upto */
};

void valgrind_input_init(struct vg_input *in, struct reader *reader);

/* The checked, unread bytes; empty before the first valgrind_input_more. */
struct text valgrind_input_window(const struct vg_input *in);
uint64_t valgrind_input_offset(const struct vg_input *in);
/* Reads more bytes. *more is false at the end of the file, or if the window is full. */
bool valgrind_input_more(struct vg_input *in, bool *more);
void valgrind_input_seek(struct vg_input *in, uint64_t offset);

/* Begins to replace invalid bytes, at the current offset. */
void valgrind_input_repair(struct vg_input *in);
/* Whether the character at the offset is invalid in XML. */
bool valgrind_input_is_bad(struct vg_input *in, uint64_t offset);

/* Moves to the first mark at or after `from`, or to the file's end (VG_MARK_NONE). */
bool valgrind_input_find(struct vg_input *in, uint64_t from, enum vg_mark *mark, uint64_t *offset);
/* Whether there are only blanks between the two offsets. */
bool valgrind_input_blank(struct vg_input *in, uint64_t from, uint64_t to);

/* The line number at an offset, starting at 1. Fast if each call passes a larger offset than the
 * previous one. */
uint64_t valgrind_input_line(struct vg_input *in, uint64_t offset);

#endif
