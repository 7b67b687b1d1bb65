/*
 * Raw recordings (heaptrack --raw) have addresses instead of names, and pointers instead of
 * allocation kinds. Each leaked block becomes an object. A frame is a module and an offset, because
 * only the program's files contain the names. Memory use grows with the number of live blocks.
 */
#include "heaptrack_private.h"

#include "base/array.h"
#include "base/pair_map.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	FIRST_ROOM = 1024,
	MAX_MODULE_PARTS = 1 << 20,
};

/* A mapped part of a module. */
struct module_part {
	uint64_t from, to; /* the range of addresses; it includes `to`, as in heaptrack */
	uint64_t base;
	uint32_t name;
};

/* A live block; pointer 0 marks a free slot. */
struct block {
	uint64_t pointer;
	uint64_t number; /* allocation number, from 1 */
	uint32_t info;
};

struct heaptrack_raw {
	struct module_part *parts;
	size_t part_count, part_room;
	bool sorted;
	struct pair_map ips;   /* instructions by address; an address keeps its first module */
	struct pair_map infos; /* infos by size and trace */
	struct block *blocks;  /* hash table with open addressing */
	size_t block_count, block_room;
	uint64_t allocations, seed;
};

void
heaptrack_raw_free(struct heaptrack_raw *r)
{
	if (!r)
		return;
	free(r->parts);
	free(r->blocks);
	pair_map_release(&r->ips);
	pair_map_release(&r->infos);
	free(r);
}

/* --- modules ---------------------------------------------------------------------------- */

/* Begins a raw recording, unless it has begun. Call this function for each line that only raw
 * recordings have. Fails if the recording already has strings or traces. */
static bool
begin_raw(struct heaptrack *h)
{
	if (h->raw)
		return true;
	if (h->string_count || h->trace_count)
		return reader_refuse(
			h->in, "a line of a raw recording in an interpreted recording");
	h->raw = xcalloc(1, sizeof(*h->raw));
	h->raw->seed = process_seed() | 1;
	return true;
}

/* Reads a length and a name of this length. In formats before version 3, the name has no length and
 * ends at the next blank. */
static bool
take_name(struct heaptrack *h, struct text *rest, struct text *name)
{
	uint64_t size = 0;

	if (h->format_version < 3) {
		while (size < rest->size && rest->data[size] != ' ')
			size++;
	} else if (!heaptrack_take(rest, &size) || size > rest->size) {
		return reader_refuse(h->in, "the length of a name is missing or exceeds the line");
	}
	*name = (struct text){ rest->data, (size_t)size };
	size += size < rest->size;
	*rest = text_from_at(*rest, (size_t)size);
	return true;
}

bool
heaptrack_raw_executable(struct heaptrack *h, struct text rest)
{
	struct text name = TEXT_NULL;

	if (!begin_raw(h) || !take_name(h, &rest, &name))
		return false;
	if (h->executable.data)
		return reader_refuse(h->in, "a second executable: another recording begins here");
	h->executable = arena_text(&h->arena, name);
	return true;
}

static bool
add_part(struct heaptrack *h, struct module_part part)
{
	struct heaptrack_raw *r = h->raw;

	if (r->part_count == MAX_MODULE_PARTS)
		return reader_refuse(h->in, "more than %d parts of modules", MAX_MODULE_PARTS);
	*ARRAY_ADD(r->parts, r->part_count, r->part_room) = part;
	r->sorted = false;
	return true;
}

/* Finds or adds the name. Searches linearly, because there are few different names: a recording
 * lists the same modules repeatedly. */
static bool
find_name(struct heaptrack *h, struct text name, uint32_t *number)
{
	for (size_t i = 0; i < h->string_count; i++)
		if (text_equal(h->strings[i].text, name)) {
			*number = (uint32_t)i + 1;
			return true;
		}
	return heaptrack_add_string(h, name, number);
}

bool
heaptrack_raw_module(struct heaptrack *h, struct text rest)
{
	struct module_part part = { 0 };
	struct text name = TEXT_NULL;
	uint64_t offset;
	uint64_t size;

	if (!begin_raw(h) || !take_name(h, &rest, &name))
		return false;
	if (text_equal(name, TEXT_LITERAL("-"))) {
		h->raw->part_count = 0;
		return true;
	}
	if (text_equal(name, TEXT_LITERAL("x")))
		name = h->executable;
	if (!find_name(h, name, &part.name))
		return false;
	if (!heaptrack_take(&rest, &part.base))
		return reader_refuse(h->in, "a module has no address");
	while (heaptrack_take(&rest, &offset) && heaptrack_take(&rest, &size)) {
		part.from = part.base + offset;
		part.to = part.from + size;
		if (!add_part(h, part))
			return false;
	}
	return true;
}

static int
compare_parts(const void *a, const void *b)
{
	const struct module_part *left = a;
	const struct module_part *right = b;

	return (left->from > right->from) - (left->from < right->from);
}

/* The part of a module that contains the address; NULL if there is no such part. */
static const struct module_part *
find_part(struct heaptrack_raw *r, uint64_t address)
{
	size_t low = 0;
	size_t high = r->part_count;

	if (!r->sorted && r->part_count)
		qsort(r->parts, r->part_count, sizeof(*r->parts), compare_parts);
	r->sorted = true;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->parts[middle].from <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address <= r->parts[low - 1].to ? &r->parts[low - 1] : NULL;
}

/* --- calls -------------------------------------------------------------------------------- */

bool
heaptrack_raw_trace(struct heaptrack *h, uint64_t address, uint64_t parent)
{
	struct heaptrack_raw *r = h->raw;
	const struct module_part *part;
	struct frame frame = { .address = address };
	uint32_t ip;
	bool added;

	if (!address)
		return heaptrack_add_trace(h, 0, parent);
	if (h->ip_count >= INT32_MAX)
		return reader_refuse(h->in, "more than %d instructions", INT32_MAX);
	ip = pair_map_add(&r->ips, (int64_t)address, 0, (uint32_t)h->ip_count + 1, &added);
	if (!added)
		return heaptrack_add_trace(h, ip, parent);
	part = find_part(r, address);
	if (part)
		frame_place(&frame, h->strings[part->name - 1].text, address, part->base);
	return heaptrack_add_ip(h, part ? part->name : 0) && heaptrack_add_frame(h, &frame, 0) &&
	       heaptrack_add_trace(h, ip, parent);
}

/* --- blocks ---------------------------------------------------------------------------------- */

/* The slot of the pointer, or the free slot for it. */
static size_t
find_place(const struct heaptrack_raw *r, uint64_t pointer)
{
	uint64_t hash = (pointer ^ r->seed) * UINT64_C(0x9E3779B97F4A7C15);
	size_t i = (size_t)(hash >> 20) & (r->block_room - 1);

	while (r->blocks[i].pointer && r->blocks[i].pointer != pointer)
		i = (i + 1) & (r->block_room - 1);
	return i;
}

static void
make_room(struct heaptrack_raw *r)
{
	struct block *old = r->blocks;
	size_t old_room = r->block_room;

	if (r->block_count * 4 < old_room * 3)
		return;
	r->block_room = old_room ? old_room * 2 : FIRST_ROOM;
	r->blocks = xcalloc(r->block_room, sizeof(*r->blocks));
	for (size_t i = 0; i < old_room; i++)
		if (old[i].pointer)
			r->blocks[find_place(r, old[i].pointer)] = old[i];
	free(old);
}

/* Removes a block and closes the gap, so that searches still find the blocks after it. */
static void
remove_block(struct heaptrack_raw *r, size_t place)
{
	size_t i = place;

	r->blocks[place].pointer = 0;
	for (;;) {
		struct block moved;

		i = (i + 1) & (r->block_room - 1);
		if (!r->blocks[i].pointer)
			break;
		moved = r->blocks[i];
		r->blocks[i].pointer = 0;
		r->blocks[find_place(r, moved.pointer)] = moved;
	}
	r->block_count--;
}

static bool
raw_allocate(struct heaptrack *h, uint64_t size, uint64_t trace, uint64_t pointer)
{
	struct heaptrack_raw *r = h->raw;
	uint32_t info;
	size_t place;
	bool added;

	if (h->info_count >= INT32_MAX)
		return reader_refuse(h->in, "more than %d kinds of allocations", INT32_MAX);
	info = pair_map_add(
		&r->infos, (int64_t)size, (int64_t)trace, (uint32_t)h->info_count, &added);
	if (added && !heaptrack_add_info(h, size, trace))
		return false;
	make_room(r);
	place = find_place(r, pointer);
	r->block_count += !r->blocks[place].pointer;
	r->blocks[place] = (struct block){ pointer, ++r->allocations, info };
	return heaptrack_allocate(h, info);
}

bool
heaptrack_raw_event(struct heaptrack *h, struct text rest)
{
	struct heaptrack_raw *r = h->raw;
	bool allocation = h->in->line.text.data[0] == '+';
	uint64_t size = 0;
	uint64_t trace = 0;
	uint64_t pointer;
	size_t place;

	if ((allocation && (!heaptrack_take(&rest, &size) || !heaptrack_take(&rest, &trace))) ||
		!heaptrack_take(&rest, &pointer) || !pointer || trace > h->trace_count)
		return reader_issue(h->in, ISSUE_LEFT_OUT, "%s",
			allocation ? "allocation left out: invalid numbers"
				   : "release left out: no pointer");
	if (allocation)
		return raw_allocate(h, size, trace, pointer);
	place = r->block_room ? find_place(r, pointer) : 0;
	/* Ignore an unknown pointer: its block was allocated before the recording began. */
	if (!r->block_room || !r->blocks[place].pointer)
		return true;
	if (!heaptrack_release(h, r->blocks[place].info))
		return false;
	remove_block(r, place);
	return true;
}

/* --- objects ----------------------------------------------------------------------------- */

static int
compare_blocks(const void *a, const void *b)
{
	const struct block *left = a;
	const struct block *right = b;

	return (left->number > right->number) - (left->number < right->number);
}

static bool
emit_block(struct heaptrack *h, const struct block *b)
{
	struct heaptrack_info *info = &h->infos[b->info];
	struct object_row row = { .number = { .magnitude = b->number },
		.address = { .magnitude = b->pointer },
		.size = { .magnitude = info->size },
		.block_count = 1 };

	info->live--;
	return heaptrack_emit_object(h, &h->sites[info->site], &row);
}

/* Emits one object for the blocks of `info` that are still counted as live. The recording does not
 * release these blocks, but has later allocations at their addresses. */
static bool
emit_lost(struct heaptrack *h, const struct heaptrack_info *info)
{
	struct object_row row = { .number = NUMBER_NULL,
		.address = NUMBER_NULL,
		.size = { .magnitude = info->size * info->live },
		.block_count = (int64_t)info->live };

	return !info->live || heaptrack_emit_object(h, &h->sites[info->site], &row);
}

bool
heaptrack_raw_emit_objects(struct heaptrack *h)
{
	struct heaptrack_raw *r = h->raw;
	size_t count = 0;

	for (size_t i = 0; i < r->block_room; i++)
		if (r->blocks[i].pointer)
			r->blocks[count++] = r->blocks[i];
	if (count)
		qsort(r->blocks, count, sizeof(*r->blocks), compare_blocks);
	for (size_t i = 0; i < count; i++)
		if (!emit_block(h, &r->blocks[i]))
			return false;
	for (size_t i = 0; i < h->info_count; i++)
		if (!emit_lost(h, &h->infos[i]))
			return false;
	return true;
}
