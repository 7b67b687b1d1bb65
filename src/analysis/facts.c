/* Facts: the frame dictionary and the stack trie. */
#include "analysis/facts.h"

#include "base/array.h"
#include "base/number.h"
#include "base/pair_map.h"
#include "base/strbuf.h"
#include "model/frame_owner.h"

#include <assert.h>
#include <stdlib.h>

enum {
	FRAME_KEY_MAX_BYTES = 64 * 1024 * 1024
};

/* The private part of struct facts. */
struct facts_store {
	struct facts shown; /* must be first */
	struct arena *arena;
	struct table_frame *frames;
	uint32_t *names;
	size_t frame_room, name_room;
	struct facts_node *nodes;
	size_t node_room;
	uint32_t *line_frames;
	size_t line_count, line_room;
	size_t row_room[FACTS_SIDES];
	struct pair_map frame_map, name_map, call_map;
	struct pair_map any_module_map; /* maps class and routine to the first name that has both */
	struct pair_map class_map;      /* maps class and stack to an index into modules */
	struct text *modules;
	size_t module_count, module_room;
	struct strbuf key;
};

static struct facts_store *
store_of(struct facts *f)
{
	return (struct facts_store *)f;
}

struct facts *
facts_new(struct arena *a, enum facts_match match)
{
	struct facts_store *s = xcalloc(1, sizeof(*s));

	s->arena = a;
	s->shown.match = match;
	s->node_room = 1024;
	s->nodes = xcalloc(s->node_room, sizeof(*s->nodes));
	s->nodes[0] = (struct facts_node){ 0, FACTS_NONE };
	s->shown.nodes = s->nodes;
	s->shown.node_count = 1;
	strbuf_init(&s->key, FRAME_KEY_MAX_BYTES);
	return &s->shown;
}

void
facts_free(struct facts *f)
{
	struct facts_store *s = store_of(f);

	if (!f)
		return;
	pair_map_release(&s->frame_map);
	pair_map_release(&s->name_map);
	pair_map_release(&s->any_module_map);
	pair_map_release(&s->class_map);
	free(s->modules);
	pair_map_release(&s->call_map);
	strbuf_release(&s->key);
	for (int side = 0; side < FACTS_SIDES; side++)
		free(f->rows[side]);
	free(s->frames);
	free(s->names);
	free(s->nodes);
	free(s->line_frames);
	free(s);
}

/* --- frames ---------------------------------------------------------------------------------- */

static void
append_part(struct strbuf *b, struct text t)
{
	strbuf_append_text(b, t);
	strbuf_append_char(b, '\x1f');
}

static void
keep_frame(struct facts_store *s, const struct table_frame *frame)
{
	size_t n = s->shown.frame_count++;

	ARRAY_RESERVE(s->frames, s->frame_room, n + 1);
	ARRAY_RESERVE(s->names, s->name_room, n + 1);
	s->frames[n] = (struct table_frame){
		.module_name = arena_text(s->arena, frame->module_name),
		.class_name = arena_text(s->arena, frame->class_name),
		.routine_name = arena_text(s->arena, frame->routine_name),
		.unit_name = arena_text(s->arena, frame->unit_name),
		.source_file = arena_text(s->arena, frame->source_file),
		.source_line = frame->source_line,
		.symbol = arena_text(s->arena, frame->symbol),
	};
	s->shown.frames = s->frames;
	s->shown.names = s->names;
}

static bool
is_named(struct text routine)
{
	return routine.size && !text_begins(routine, "0x") &&
	       !text_equal(routine, TEXT_LITERAL("??"));
}

/* Returns the number of the frame's name, whose key is s->key. A new name gets the number `next`. A name without a
 * module shares its number with the first name that has the same class and routine. */
static uint32_t
name_number(struct facts_store *s, const struct table_frame *frame, uint32_t next)
{
	const struct text key = strbuf_text(&s->key);
	const struct text without_module =
		text_from_at(key, text_file_name(frame->module_name).size);
	uint32_t known = pair_map_get_bytes(&s->name_map, key.data, key.size);

	if (known != PAIR_MAP_NONE)
		return known;
	if (is_named(frame->routine_name)) {
		const struct pair_map *others =
			without_module.size < key.size ? &s->name_map : &s->any_module_map;

		known = pair_map_get_bytes(others, without_module.data, without_module.size);
		if (known == PAIR_MAP_NONE)
			pair_map_add_bytes(&s->any_module_map, without_module.data,
				without_module.size, next, NULL);
	}
	return pair_map_add_bytes(
		&s->name_map, key.data, key.size, known == PAIR_MAP_NONE ? next : known, NULL);
}

uint32_t
facts_frame(struct facts *f, const struct table_frame *frame)
{
	struct facts_store *s = store_of(f);
	uint32_t next = (uint32_t)f->frame_count;
	size_t name_size;
	uint32_t number;
	bool added;

	assert(f->frame_count < FACTS_NONE);
	strbuf_reset(&s->key);
	append_part(&s->key, text_file_name(frame->module_name));
	append_part(&s->key, frame->class_name);
	append_part(&s->key, frame->routine_name);
	name_size = s->key.size;
	append_part(&s->key, text_file_name(frame->source_file));
	strbuf_append(&s->key, &frame->source_line, sizeof(frame->source_line));
	number = pair_map_add_bytes(&s->frame_map, s->key.data, s->key.size, next, &added);
	if (!added)
		return number;
	keep_frame(s, frame);
	s->key.size = name_size;
	s->names[number] = name_number(s, frame, number);
	return number;
}

/* --- stacks ---------------------------------------------------------------------------------- */

uint32_t
facts_call(struct facts *f, uint32_t caller, uint32_t frame)
{
	struct facts_store *s = store_of(f);
	uint32_t key = f->match == MATCH_NAMES ? f->names[frame] : frame;
	uint32_t number;
	bool added;

	assert(f->node_count < FACTS_NONE);
	number = pair_map_add(&s->call_map, caller, key, (uint32_t)f->node_count, &added);
	if (!added)
		return number;
	*ARRAY_ADD(s->nodes, f->node_count, s->node_room) = (struct facts_node){ caller, frame };
	f->nodes = s->nodes;
	return number;
}

static uint32_t
keep_lines(struct facts_store *s, const uint32_t *frames, size_t count)
{
	size_t at = s->line_count;

	if (count >= FACTS_NONE - at)
		return 0;
	s->line_count += count;
	ARRAY_RESERVE(s->line_frames, s->line_room, s->line_count);
	memcpy(&s->line_frames[at], frames, count * sizeof(*frames));
	s->shown.line_frames = s->line_frames;
	return (uint32_t)at + 1;
}

uint32_t
facts_stack(struct facts *f, const uint32_t *frames, size_t count, uint32_t *lines)
{
	uint32_t stack = FACTS_NO_STACK;
	bool differs = false;

	for (size_t i = count; i-- > 0;) {
		stack = facts_call(f, stack, frames[i]);
		differs |= f->nodes[stack].frame != frames[i];
	}
	*lines = differs ? keep_lines(store_of(f), frames, count) : 0;
	return stack;
}

/* Returns the module to store for the fact's class. If the first fact with the same class and stack has no module, the
 * result is empty. Otherwise the result is the module of `fact` or, if this module is empty, the module of that first
 * fact. */
static struct text
class_module(struct facts_store *s, const struct fact *fact)
{
	struct text module = arena_text(s->arena, fact->module_name);
	uint32_t at;
	bool added;

	if (text_is_empty(fact->class_name))
		return module;
	strbuf_reset(&s->key);
	append_part(&s->key, fact->class_name);
	strbuf_append(&s->key, &fact->stack, sizeof(fact->stack));
	at = pair_map_add_bytes(
		&s->class_map, s->key.data, s->key.size, (uint32_t)s->module_count, &added);
	if (added)
		*ARRAY_ADD(s->modules, s->module_count, s->module_room) = module;
	return text_is_empty(module) || text_is_empty(s->modules[at]) ? s->modules[at] : module;
}

void
facts_add(struct facts *f, enum facts_side side, const struct fact *fact)
{
	struct facts_store *s = store_of(f);
	struct fact *row;

	row = ARRAY_ADD(f->rows[side], f->row_count[side], s->row_room[side]);
	*row = *fact;
	row->class_name = arena_text(s->arena, fact->class_name);
	row->module_name = class_module(s, fact);
	row->kind = arena_text(s->arena, fact->kind);
	row->description = arena_text(s->arena, fact->description);
	row->number = arena_text(s->arena, fact->number);
}

const struct table_frame *
facts_frames(const struct facts *f, struct arena *a, uint32_t stack, uint32_t lines, size_t *count)
{
	struct table_frame *frames;
	size_t n = 0;

	for (uint32_t at = stack; at != FACTS_NO_STACK; at = f->nodes[at].parent)
		n++;
	frames = arena_alloc_array(a, n, sizeof(*frames));
	*count = n;
	n = 0;
	for (uint32_t at = stack; at != FACTS_NO_STACK; at = f->nodes[at].parent) {
		frames[n] = f->frames[lines ? f->line_frames[lines - 1 + n] : f->nodes[at].frame];
		n++;
	}
	return frames;
}

static void
hash_frame(struct sha256 *sha, const struct table_frame *frame, bool lines, uint8_t *out)
{
	uint8_t digest[SHA256_BYTES];
	char line[24] = "";

	sha256_update(sha, frame->module_name.data, frame->module_name.size);
	sha256_update(sha, "\x1f", 1);
	sha256_update(sha, frame->class_name.data, frame->class_name.size);
	sha256_update(sha, "\x1f", 1);
	sha256_update(sha, frame->routine_name.data, frame->routine_name.size);
	if (lines) {
		sha256_update(sha, "\x1f", 1);
		sha256_update(sha, frame->source_file.data, frame->source_file.size);
		sha256_update(sha, "\x1f", 1);
		if (frame->source_line != TABLE_NO_LINE)
			number_format_int64(frame->source_line, line);
		sha256_update(sha, line, strlen(line));
	}
	sha256_finish(sha, digest);
	memcpy(out, digest, IDENTITY_BYTES);
}

void
facts_identity(const struct facts *f, uint32_t stack, uint8_t out[IDENTITY_BYTES])
{
	struct sha256 *one = sha256_new();
	struct sha256 *all = sha256_new();
	uint8_t digest[SHA256_BYTES];

	for (uint32_t at = stack; at != FACTS_NO_STACK; at = f->nodes[at].parent) {
		hash_frame(one, &f->frames[f->nodes[at].frame], f->match == MATCH_LINES, digest);
		sha256_update(all, digest, IDENTITY_BYTES);
	}
	sha256_finish(all, digest);
	memcpy(out, digest, IDENTITY_BYTES);
	sha256_free(one);
	sha256_free(all);
}

/* --- own frames ------------------------------------------------------------------------------ */

static bool
matches_own(const struct table_frame *frame, const char *glob)
{
	return text_glob(frame->module_name, glob) ||
	       text_glob(text_file_name(frame->module_name), glob) ||
	       text_glob(frame->class_name, glob);
}

static enum facts_owner
owner_of(const struct table_frame *f)
{
	static const enum facts_owner owners[] = { [FRAME_OWN] = FACTS_OWN,
		[FRAME_SYSTEM] = FACTS_NEARLY_OWN,
		[FRAME_ALLOCATOR] = FACTS_FOREIGN };

	return owners[frame_owner_of(
		f->module_name, f->class_name, f->routine_name, f->source_file, f->unit_name)];
}

unsigned char *
facts_own_frames(const struct facts *f, struct arena *a, const struct option_list *own)
{
	unsigned char *marks = arena_alloc_array(a, f->frame_count, sizeof(*marks));

	for (size_t i = 0; i < f->frame_count && !own->count; i++)
		marks[i] = (unsigned char)owner_of(&f->frames[i]);
	for (size_t i = 0; i < f->frame_count; i++)
		for (size_t n = 0; n < own->count && !marks[i]; n++)
			if (matches_own(&f->frames[i], own->items[n]))
				marks[i] = FACTS_OWN;
	return marks;
}

uint32_t
facts_first_own_call(const struct facts *f, const unsigned char *own, uint32_t stack)
{
	uint32_t nearly = FACTS_NO_STACK;

	for (uint32_t at = stack; at != FACTS_NO_STACK; at = f->nodes[at].parent) {
		if (own[f->nodes[at].frame] == FACTS_OWN)
			return at;
		if (own[f->nodes[at].frame] == FACTS_NEARLY_OWN && nearly == FACTS_NO_STACK)
			nearly = at;
	}
	return nearly;
}

uint32_t
facts_first_own(const struct facts *f, const unsigned char *own, uint32_t stack)
{
	uint32_t call = facts_first_own_call(f, own, stack);

	return call == FACTS_NO_STACK ? FACTS_NONE : f->nodes[call].frame;
}

bool
facts_holds(const struct facts *f, const bool *marked, uint32_t stack)
{
	for (uint32_t at = stack; at != FACTS_NO_STACK; at = f->nodes[at].parent)
		if (marked[f->nodes[at].frame])
			return true;
	return false;
}

/* --- order ----------------------------------------------------------------------------------- */

/* Compares bytes. NULL is equal to an empty name. */
static int
compare_names(struct text x, struct text y)
{
	size_t n = x.size < y.size ? x.size : y.size;
	int c = n ? memcmp(x.data, y.data, n) : 0;

	return c ? c : (x.size > y.size) - (x.size < y.size);
}

static int
compare_routines(const struct table_frame *x, const struct table_frame *y)
{
	int c = compare_names(x->module_name, y->module_name);

	if (!c)
		c = compare_names(x->class_name, y->class_name);
	return c ? c : compare_names(x->routine_name, y->routine_name);
}

int
facts_compare_frames(const struct table_frame *x, const struct table_frame *y)
{
	int c = compare_routines(x, y);

	if (!c)
		c = compare_names(x->source_file, y->source_file);
	return c ? c : (x->source_line > y->source_line) - (x->source_line < y->source_line);
}

int
facts_compare_stacks(const struct facts *f, uint32_t x, uint32_t y)
{
	while (x != y && x != FACTS_NO_STACK && y != FACTS_NO_STACK) {
		const struct table_frame *v = &f->frames[f->nodes[x].frame];
		const struct table_frame *w = &f->frames[f->nodes[y].frame];
		int c = f->match == MATCH_NAMES ? compare_routines(v, w)
						: facts_compare_frames(v, w);

		if (c)
			return c;
		x = f->nodes[x].parent;
		y = f->nodes[y].parent;
	}
	return (x != FACTS_NO_STACK) - (y != FACTS_NO_STACK);
}
