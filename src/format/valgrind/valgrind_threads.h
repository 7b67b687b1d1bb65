/*
 * Threads of a document of valgrind's XML, by its numbers and helgrind's.
 */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_THREADS_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_THREADS_H

#include "base/arena.h"
#include "base/pair_map.h"
#include "format/common/emit.h"

enum {
	VG_NO_THREAD = -1
};

struct vg_thread {
	int64_t tid;     /* valgrind's number of the slot, or MODEL_NULL */
	int64_t hthread; /* helgrind's number of the thread, or MODEL_NULL */
	struct text name;
	bool emitted;
	stack_number stack; /* where it was created; 0 if unknown */
};

struct vg_threads {
	struct vg_thread *items;
	size_t count, room;
	struct pair_map map;
	struct arena names;
};

void valgrind_threads_init(struct vg_threads *t);
void valgrind_threads_release(struct vg_threads *t);
/* The ID of the thread with these numbers or this name; VG_NO_THREAD if all are missing. */
int64_t valgrind_thread(struct vg_threads *t, int64_t tid, int64_t hthread, struct text name);
/* The stack of its creation, if the thread was emitted before. */
bool valgrind_thread_emit_stack(struct vg_threads *t, int64_t id, struct reader *in);
/* Emits the thread and the stack of its creation, once. */
bool valgrind_thread_emit(struct vg_threads *t, int64_t id, struct reader *in);

#endif
