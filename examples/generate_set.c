#include "generate.h"

enum {
	EMPTY_EVERY = 64
};

uint64_t
set_routine_rec(const struct result_set *s, uint32_t routine)
{
	return 11 + 2 * s->inst_id + 3 * (uint64_t)routine;
}

uint32_t
set_class_rec(const struct result_set *s, uint32_t class_index)
{
	return 1000 + s->inst_id + 7 * class_index;
}

uint32_t
set_thread_rec(const struct result_set *s, uint32_t thread)
{
	return 1 + s->inst_id + 2 * thread;
}

uint64_t
object_bits(const struct world *w, uint32_t object)
{
	return prng_mix(w->settings->seed ^ prng_mix(object + 1));
}

uint32_t
object_thread(const struct world *w, const struct stack *s, uint32_t object)
{
	return s->worker ? 1 + (uint32_t)(object_bits(w, object) >> 40) % (THREADS - 1) : 0;
}

uint64_t
object_size(const struct world *w, const struct stack *s, uint32_t object)
{
	unsigned block = api_table[s->api].block_bytes;

	return block ? block / 2 + (object_bits(w, object) & 0xffff) % block : 0;
}

/* 64-bit Windows sign-extends handles with the upper bit set. */
uint64_t
object_address(const struct stack *s, uint32_t object)
{
	const struct api *api = &api_table[s->api];
	uint64_t handle = api->first_handle + (uint64_t)object * api->handle_step;

	if (api->block_bytes == 0 && api->handle_step >= 0x10000) {
		handle &= 0xffffffff;
		if (object % 64 == 5)
			handle |= 0xffffffff80000000;
	}
	return handle;
}

static void
add_background(const struct world *w, struct result_set *s)
{
	uint32_t stacks = w->settings->stacks;
	uint32_t objects = w->settings->objects;
	uint32_t step = objects > stacks ? objects / stacks : 1;

	for (uint32_t i = 0; i < objects; i++) {
		uint64_t bits = object_bits(
			w, i + (s->after || s->inst_id == 1 ? 0 : s->inst_id * objects));
		uint64_t u = bits >> 32;
		uint32_t k =
			(uint32_t)((u * u >> 32) * stacks >> 32); /* a few stacks are frequent */

		if (i % step == 0 && i / step < stacks)
			k = i / step; /* each stack has at least one object */
		k += (uint32_t)leak_count;
		if (i % EMPTY_EVERY == EMPTY_EVERY / 2 + 1)
			k |= NO_STACK;
		s->objects[s->object_count++] = k;
	}
}

static void
add_story(const struct world *w, struct result_set *s)
{
	struct prng p = { .state = w->settings->seed + s->after };

	for (uint32_t k = 0; k < leak_count; k++) {
		unsigned count = s->after ? leak_table[k].after : leak_table[k].before;

		while (count-- > 0)
			s->objects[s->object_count++] = k;
	}
	for (uint32_t i = s->object_count; i > 1; i--) {
		uint32_t j = prng_below(&p, i);
		uint32_t last = s->objects[i - 1];

		s->objects[i - 1] = s->objects[j];
		s->objects[j] = last;
	}
}

void
set_fill(const struct world *w, struct result_set *s, uint32_t number)
{
	enum profile profile = w->settings->profile;
	size_t room = w->settings->objects;

	for (size_t k = 0; k < leak_count; k++)
		room += leak_table[k].before + leak_table[k].after;
	s->inst_id = number + 1;
	s->after = profile == PROFILE_AFTER || (profile == PROFILE_BOTH && number == 1);
	s->rotation = (number + s->after) * 37 % w->routine_count;
	s->objects = generate_alloc(room, sizeof(*s->objects));
	add_background(w, s);
	if (profile != PROFILE_NONE)
		add_story(w, s);
}
