/* A document's threads; see valgrind_private.h. */
#include "valgrind_private.h"

#include "base/array.h"
#include "base/hash.h"

#include <stdlib.h>

enum thread_key {
	KEY_TID,
	KEY_HTHREAD,
	KEY_NAME
};

void
valgrind_threads_release(struct vg_threads *t)
{
	free(t->items);
	pair_map_release(&t->map);
	arena_release(&t->names);
}

static int64_t
add(struct vg_threads *t, enum thread_key key, int64_t number)
{
	bool added;
	uint32_t id = pair_map_add(&t->map, key, number, (uint32_t)t->count, &added);

	if (!added)
		return id;
	*ARRAY_ADD(t->items, t->count, t->room) =
		(struct vg_thread){ .tid = MODEL_NULL, .hthread = MODEL_NULL };
	return id;
}

/* valgrind's number identifies a slot, which a later thread can reuse. helgrind's number identifies
 * the thread. */
int64_t
valgrind_thread(struct vg_threads *t, int64_t tid, int64_t hthread, struct text name)
{
	struct hash128 h;
	int64_t id;

	if (hthread != MODEL_NULL) {
		id = add(t, KEY_HTHREAD, hthread);
		t->items[id].hthread = hthread;
	} else if (tid != MODEL_NULL) {
		id = add(t, KEY_TID, tid);
	} else if (!text_is_empty(name)) {
		h = hash128(name.data, name.size);
		id = add(t, KEY_NAME, (int64_t)h.low);
	} else {
		return VG_NO_THREAD;
	}
	if (t->items[id].tid == MODEL_NULL)
		t->items[id].tid = tid;
	if (text_is_null(t->items[id].name) && !text_is_empty(name))
		t->items[id].name = arena_text(&t->names, name);
	return id;
}

bool
valgrind_thread_emit_stack(struct vg_threads *t, int64_t id, struct reader *in)
{
	const struct further_stack_row row = { .owner = OWNER_THREAD,
		.owner_id = id,
		.position = 1,
		.role = TEXT_LITERAL("thread_start"),
		.thread_id = MODEL_NULL,
		.stack = t->items[id].stack };

	return !t->items[id].emitted || !row.stack || emit_further_stack(in, &row);
}

bool
valgrind_thread_emit(struct vg_threads *t, int64_t id, struct reader *in)
{
	struct vg_thread *thread = id == VG_NO_THREAD ? NULL : &t->items[id];
	char name[40];
	struct thread_row row = { .id = id, .parent_id = -1, .rec_id = id, .size = MODEL_NULL };

	if (!thread || thread->emitted)
		return true;
	thread->emitted = true;
	row.os_thread_id = thread->tid;
	row.name = thread->name;
	if (text_is_null(row.name) && thread->hthread != MODEL_NULL) {
		/* The name that helgrind uses in its texts. */
		snprintf(name, sizeof(name), "thread #%lld", (long long)thread->hthread);
		row.name = text_from(name);
	}
	return emit_thread(in, &row) && valgrind_thread_emit_stack(t, id, in);
}
