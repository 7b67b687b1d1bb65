/* The findings of a result set in the form that the history keeps: leaks and errors summed by
 * identity. */
#include "load_private.h"

#include "base/array.h"

#include <stdlib.h>

enum {
	BLOCK_SIGHTINGS = 256,
	BLOCK_ROUTINES = 1024,
	KIND_MAX_BYTES = 64 * 1024,
};

struct sighting {
	uint8_t identity[IDENTITY_BYTES];
	struct text kind, name, class_name;
	stack_number stack; /* the stack of the fact with the highest count */
	int64_t most, count;
	int32_t places;
	wide_int size;
	bool sized; /* whether any fact has a size */
};

struct sightings {
	struct load *load;
	struct load_set *set;
	struct sighting *items;
	size_t count, room;
	struct pair_map by_identity;
	struct text *error_kinds; /* same index as findings.names; NULL before the first use */
};

uint32_t
load_finding_name(struct load *l, struct load_set *set, struct text name)
{
	uint32_t index;
	bool added;

	if (text_is_empty(name))
		return 0;
	if (!set->findings.name_count)
		*ARRAY_ADD(set->findings.names, set->findings.name_count, set->findings.name_room) =
			TEXT_LITERAL("");
	index = pair_map_add_bytes(&set->findings.name_map, name.data, name.size,
		(uint32_t)set->findings.name_count, &added);
	if (added)
		*ARRAY_ADD(set->findings.names, set->findings.name_count, set->findings.name_room) =
			arena_text(l->arena, name);
	return index;
}

void
load_note_error(struct load *l, struct load_set *set, const struct error_row *row)
{
	uint32_t name = load_finding_name(l, set, row->name);
	bool added;
	uint32_t index = pair_map_add(&set->findings.sum_map, name, row->stack,
		(uint32_t)set->findings.sum_count, &added);

	if (added)
		*ARRAY_ADD(set->findings.sums, set->findings.sum_count, set->findings.sum_room) =
			(struct load_error_sum){ .name = name, .stack = row->stack };
	set->findings.sums[index].count += row->count;
}

/* --- findings -------------------------------------------------------------------------------- */

static struct text
name_of(const struct load_set *set, uint32_t name)
{
	return name ? set->findings.names[name] : TEXT_LITERAL("");
}

static struct text
kind_of(struct sightings *s, bool leak, uint32_t name)
{
	struct text *kind;
	struct strbuf b;

	if (leak)
		return TEXT_LITERAL("leak");
	kind = &s->error_kinds[name];
	if (!kind->data) {
		strbuf_init(&b, KIND_MAX_BYTES);
		finding_kind(&b, false, name_of(s->set, name));
		*kind = arena_text(s->load->arena, strbuf_text(&b));
		strbuf_release(&b);
	}
	return *kind;
}

/* Adds a group of facts with the same class, name and stack to the finding to which they belong. */
static void
add(struct sightings *s, const struct finding *f, const struct load_total *t)
{
	const uint32_t name = t->name;
	const stack_number stack = t->stack;
	const int64_t count = t->count;
	const struct load_stack *st = stack ? &s->set->stacks[stack - 1] : NULL;
	struct finding whole = *f;
	uint8_t identity[IDENTITY_BYTES];
	int64_t halves[2];
	struct sighting *item;
	uint32_t index;
	bool added;

	whole.name = name_of(s->set, name);
	whole.own = st && st->named ? st->own : NULL;
	whole.stack = st && !st->named && st->frames ? st->own : NULL;
	finding_identity(s->load->sha, &whole, identity);
	memcpy(halves, identity, sizeof(halves));
	index = pair_map_add(&s->by_identity, halves[0], halves[1], (uint32_t)s->count, &added);
	if (added) {
		item = ARRAY_ADD(s->items, s->count, s->room);
		*item = (struct sighting){ .kind = kind_of(s, f->leak, name), .most = -1 };
		memcpy(item->identity, identity, sizeof(identity));
	}
	item = &s->items[index];
	if (count > item->most) {
		item->most = count;
		item->stack = stack;
		item->name = whole.name;
		item->class_name = f->class_name;
	}
	item->places++;
	item->count += count;
	item->size = fixed_add(item->size, t->value);
	item->sized |= t->sized;
}

static void
add_all(struct sightings *s)
{
	const struct load_set *set = s->set;

	for (size_t i = 0; i < set->total_count; i++) {
		const struct load_total *t = &set->totals[i];
		struct finding f = { .leak = true,
			.class_name = finding_class(load_class_name(set, t->class_id)) };

		if (t->metric == METRIC_LIVE_SIZE)
			add(s, &f, t);
	}
	for (size_t i = 0; i < set->findings.sum_count; i++) {
		const struct load_error_sum *e = &set->findings.sums[i];

		add(s, &(struct finding){ .leak = false },
			&(struct load_total){
				.name = e->name, .stack = e->stack, .count = e->count });
	}
}

/* --- blocks ---------------------------------------------------------------------------------- */

/* The columns of a block. */
struct columns {
	uint8_t identities[BLOCK_SIGHTINGS * IDENTITY_BYTES];
	struct text kinds[BLOCK_SIGHTINGS], names[BLOCK_SIGHTINGS], classes[BLOCK_SIGHTINGS];
	struct text modules[BLOCK_SIGHTINGS], routine_classes[BLOCK_SIGHTINGS];
	struct text routines[BLOCK_SIGHTINGS], files[BLOCK_SIGHTINGS];
	int32_t lines[BLOCK_SIGHTINGS], places[BLOCK_SIGHTINGS];
	int64_t counts[BLOCK_SIGHTINGS];
	wide_int sizes[BLOCK_SIGHTINGS];
	bool sized[BLOCK_SIGHTINGS];
};

static void
fill(const struct sightings *s, const struct sighting *item, struct columns *c, size_t i)
{
	static const struct load_stack no_stack = { .own_line = 0 };
	static const struct load_routine no_routine = { .line_at = NULL };
	const struct load_stack *st = item->stack ? &s->set->stacks[item->stack - 1] : &no_stack;
	const struct load_routine *r =
		st->own_routine ? &s->set->routines[st->own_routine - 1] : &no_routine;

	memcpy(c->identities + i * IDENTITY_BYTES, item->identity, IDENTITY_BYTES);
	c->kinds[i] = item->kind;
	c->names[i] = item->name;
	c->classes[i] = item->class_name;
	c->modules[i] = r->module;
	c->routine_classes[i] = r->class_name;
	c->routines[i] = r->routine;
	c->files[i] = r->file;
	c->lines[i] = st->own_line;
	c->places[i] = item->places;
	c->counts[i] = item->count;
	c->sizes[i] = item->size;
	c->sized[i] = item->sized;
}

static bool
write_block(struct load *l, struct load_set *set, int32_t number, const struct columns *c,
	size_t count, struct error *err)
{
	const struct text *const texts[] = { c->kinds, c->names, c->classes, c->modules,
		c->routine_classes, c->routines, c->files };

	if (!load_row(l, set, REL_SIGHTINGS))
		return true;
	copier_int32(l->copier, number);
	copier_uuid_array(l->copier, c->identities, count);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		copier_text_array(l->copier, texts[i], count);
	copier_int32_array(l->copier, c->lines, count);
	copier_int32_array(l->copier, c->places, count);
	copier_int64_array(l->copier, c->counts, count);
	copier_wide_array(l->copier, c->sizes, c->sized, count);
	return load_row_end(l, err);
}

static bool
write_blocks(const struct sightings *s, struct error *err)
{
	struct columns *c = xmalloc(sizeof(*c));
	int32_t number = 0;
	bool ok = true;

	for (size_t at = 0; ok && at < s->count; at += BLOCK_SIGHTINGS) {
		size_t count = s->count - at;

		if (count > BLOCK_SIGHTINGS)
			count = BLOCK_SIGHTINGS;
		for (size_t i = 0; i < count; i++)
			fill(s, &s->items[at + i], c, i);
		ok = write_block(s->load, s->set, ++number, c, count, err);
	}
	free(c);
	return ok;
}

bool
load_write_sightings(struct load *l, struct load_set *set, struct error *err)
{
	struct sightings s = { .load = l, .set = set };
	bool ok;

	s.error_kinds =
		arena_alloc_array(l->arena, set->findings.name_count + 1, sizeof(*s.error_kinds));
	add_all(&s);
	ok = write_blocks(&s, err);
	free(s.items);
	pair_map_release(&s.by_identity);
	return ok;
}

/* --- routines -------------------------------------------------------------------------------- */

static bool
write_routines(struct load *l, struct load_set *set, int32_t number, const int64_t *ids,
	const uint8_t *identities, size_t count, struct error *err)
{
	if (!count || !load_row(l, set, REL_ROUTINE_IDENTITIES))
		return true;
	copier_int32(l->copier, number);
	copier_int64_array(l->copier, ids, count);
	copier_uuid_array(l->copier, identities, count);
	return load_row_end(l, err);
}

/* If several routines have the same REC_ID, only the first one is written, as in load_routine_index. */
bool
load_write_routine_identities(struct load *l, struct load_set *set, struct error *err)
{
	uint8_t identities[BLOCK_ROUTINES * IDENTITY_BYTES];
	int64_t ids[BLOCK_ROUTINES];
	int32_t number = 0;
	size_t count = 0;

	for (size_t i = 0; i < set->routine_count; i++) {
		struct load_routine *r = &set->routines[i];
		const struct finding_frame *f;

		if (r->rec_id == MODEL_NULL || load_routine_index(set, r->rec_id) != i)
			continue;
		f = load_routine_finding(l, r);
		if (!f->named)
			continue;
		ids[count] = r->rec_id;
		memcpy(identities + count++ * IDENTITY_BYTES, f->name, IDENTITY_BYTES);
		if (count < BLOCK_ROUTINES)
			continue;
		if (!write_routines(l, set, ++number, ids, identities, count, err))
			return false;
		count = 0;
	}
	return write_routines(l, set, ++number, ids, identities, count, err);
}
