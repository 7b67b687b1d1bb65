/*
 * The leaves of an <error>, and the attributes of its row.
 */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_FACTS_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_FACTS_H

#include "valgrind_private.h"

enum {
	VG_MAX_NOTES = 64 /* limit per error; further notes become unknown leaves */
};

/* An <auxwhat>. */
struct vg_note {
	struct text text, dir, file, line;
	int64_t hthread; /* or MODEL_NULL */
	size_t leaf;     /* index of its first leaf; the notes are sorted by this index */
	bool used;       /* describes the next stack, so the list of notes omits it */
};

struct vg_facts {
	struct text unique, tid, thread_name, kind, what, bytes, blocks, fd, path, suppression;
	int64_t hthread; /* or MODEL_NULL */
	struct vg_note *notes;
	size_t note_count;
};

int64_t valgrind_number_or_null(struct text t);

/* `notes` has room for VG_MAX_NOTES. Leaves for which struct vg_facts has no member are added to d->notes.
 * Texts are valid until the record ends; joined texts are valid until d->waiting is reset. */
void valgrind_facts(struct vg_document *d, const struct vg_record *r, struct vg_note *notes,
	struct vg_facts *f);

/* Begins d->attributes with the members that errors and leaks share. */
void valgrind_attributes_begin(
	struct vg_document *d, const struct vg_record *r, const struct vg_facts *f);

#endif
