/*
 * A window over the file that valgrind's XML is read from: bytes in order, again from
 * any place, and the places where something begins anew.
 */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_INPUT_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_INPUT_H

#include "valgrind_private.h"

struct vg_input {
	int fd;
	const char *name;
	char *data;
	uint64_t base;            /* of data in the file */
	size_t at, size;          /* not yet taken: data[at .. size) */
	size_t clean;             /* data[.. clean) may be taken */
	bool ended;               /* the file has nothing behind data[size) */
	bool mend;                /* what no XML may hold becomes U+007F */
	uint64_t mended;          /* such bytes; */
	uint64_t mended_at;       /* the first; */
	uint64_t mended_upto;     /* all before were counted */
	uint64_t line, line_upto; /* lines that end before */
};

void valgrind_input_init(struct vg_input *in, int fd, const char *name);
void valgrind_input_release(struct vg_input *in);

/* What is there to take, at least as much as after valgrind_input_more; *size 0 needs that. */
const char *valgrind_input_data(const struct vg_input *in, size_t *size);
uint64_t valgrind_input_offset(const struct vg_input *in);
void valgrind_input_skip(struct vg_input *in, size_t size);
/* Reads on; *more false: the file has nothing more. At least 64 KiB fit beside what is not
 * taken; a window that is full of it counts as the end. */
bool valgrind_input_more(struct vg_input *in, bool *more, struct error *err);
void valgrind_input_seek(struct vg_input *in, uint64_t offset);

/* From now on; what is in the window too. */
void valgrind_input_mend(struct vg_input *in);
/* Is the byte or sequence there one that no XML in UTF-8 may hold? */
bool valgrind_input_is_bad(struct vg_input *in, uint64_t offset);

/* The next mark at or behind the place, and where; VG_MARK_NONE: the file ends first. The
 * window stands there then. */
bool valgrind_input_find(struct vg_input *in, uint64_t from, enum vg_mark *mark, uint64_t *offset,
	struct error *err);
/* Nothing but blanks from there to the mark or the end? */
bool valgrind_input_blank(struct vg_input *in, uint64_t from, uint64_t to);

/* Line of a place, from 1. Fast when places come in order. */
uint64_t valgrind_input_line(struct vg_input *in, uint64_t offset);

#endif
