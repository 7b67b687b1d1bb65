/*
 * A window over the XML file: bytes in order or again from any place, and the places where a record
 * or document begins.
 */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_INPUT_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_INPUT_H

#include "valgrind_private.h"

struct vg_input {
	struct reader *reader;
	char *data;
	uint64_t base;            /* offset of data in the file */
	size_t at, size;          /* to be read: data[at .. size) */
	size_t clean;             /* data[.. clean) is checked */
	bool ended;               /* the file ends at data[size) */
	bool repair;              /* bytes that are invalid in XML become U+007F */
	uint64_t repaired;        /* number of such bytes */
	uint64_t repaired_at;     /* offset of the first */
	uint64_t repaired_upto;   /* those before it are counted */
	uint64_t line, line_upto; /* lines that end before */
};

void valgrind_input_init(struct vg_input *in, struct reader *reader);
void valgrind_input_release(struct vg_input *in);

/* The checked bytes from the current place on; empty before valgrind_input_more. */
const char *valgrind_input_data(const struct vg_input *in, size_t *size);
uint64_t valgrind_input_offset(const struct vg_input *in);
void valgrind_input_skip(struct vg_input *in, size_t size);
/* Reads more; *more false at the end of the file. A window full of unread bytes counts as the end: the
 * caller leaves at least 64 KiB free. */
bool valgrind_input_more(struct vg_input *in, bool *more);
void valgrind_input_seek(struct vg_input *in, uint64_t offset);

/* Replaces invalid bytes from the current place on. */
void valgrind_input_repair(struct vg_input *in);
/* Is the byte or sequence there invalid in XML? */
bool valgrind_input_is_bad(struct vg_input *in, uint64_t offset);

/* Moves to the next mark at or after the place; VG_MARK_NONE: to the end of the file. */
bool valgrind_input_find(struct vg_input *in, uint64_t from, enum vg_mark *mark, uint64_t *offset);
/* Only blanks between the two places? */
bool valgrind_input_blank(struct vg_input *in, uint64_t from, uint64_t to);

/* The line of a place, from 1. Fast if places ascend. */
uint64_t valgrind_input_line(struct vg_input *in, uint64_t offset);

#endif
