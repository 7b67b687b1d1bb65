/*
 * What the leaves of an <error> say, and the attributes of the row that it becomes.
 */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_FACTS_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_FACTS_H

#include "valgrind_private.h"

enum {
	VG_MAX_NOTES = 64 /* of an error; further ones stay among what has no place */
};

/* An <auxwhat>. */
struct vg_note {
	struct text text, dir, file, line;
	int64_t hthread; /* MODEL_NULL: not said */
	size_t leaf;     /* its first; notes go in this order */
	bool used;       /* a stack follows, which has it as its description */
};

struct vg_facts {
	struct text unique, tid, thread_name, kind, what, bytes, blocks, fd, path, suppression;
	int64_t hthread; /* MODEL_NULL: not said */
	struct vg_note *notes;
	size_t note_count;
};

int64_t valgrind_number_or_null(struct text t);

/* notes: room for VG_MAX_NOTES. What has no place lies in d->notes then, as elements of
 * an array. Texts live as long as the record, those put together as what waits. */
void valgrind_facts(struct vg_document *d, const struct vg_record *r, struct vg_note *notes,
	struct vg_facts *f);

/* Members that errors and leaks share, into d->attributes; more may follow. */
void valgrind_attributes_begin(
	struct vg_document *d, const struct vg_record *r, const struct vg_facts *f);
/* The object, good until the next record; NULL: it would be empty, or is too large. */
struct text valgrind_attributes_end(struct vg_document *d);

#endif
