/* Names of routines that several result sets share. */
#include "load_names.h"

#include "load_private.h"

#include "base/array.h"
#include "model/table.h"

#include <stdlib.h>

void
load_names_release(struct load_names *n)
{
	pair_map_release(&n->by_texts);
	pair_map_release(&n->line_by_key);
	free(n->items);
	free(n->lines);
	*n = (struct load_names){ 0 };
}

static void
copy_texts(struct load *l, const struct routine_row *row, struct load_routine *r)
{
	r->module = arena_text(l->arena, row->module_name);
	r->class_name = arena_text(l->arena, row->class_name);
	r->routine = arena_text(l->arena, row->routine_name);
	r->file = arena_text(l->arena, row->source_file);
	r->unit = arena_text(l->arena, row->unit_name);
}

static void
compute(struct load *l, struct load_routine *r)
{
	if (!l->copier)
		return;
	frame_identity(l->sha, r, r->names);
	line_identity(l->sha, r, r->source_line, r->lines);
}

/* Writes to l->scratch all values that determine the identities. */
static void
lay_out(struct load *l, const struct routine_row *row)
{
	const struct text texts[] = { row->module_name, row->class_name, row->routine_name,
		row->source_file, row->unit_name };
	struct strbuf *b = &l->scratch;

	strbuf_reset(b);
	strbuf_append(b, &row->source_line, sizeof(row->source_line));
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const int64_t size = text_is_null(texts[i]) ? -1 : (int64_t)texts[i].size;

		strbuf_append(b, &size, sizeof(size));
		strbuf_append_text(b, texts[i]);
	}
}

static struct load_routine *
shared_routine(struct load *l, const struct routine_row *row, struct load_routine *r)
{
	struct load_names *n = &l->names;
	bool added;
	uint32_t index;

	lay_out(l, row);
	index = pair_map_add_bytes(
		&n->by_texts, l->scratch.data, l->scratch.size, (uint32_t)n->count, &added);
	if (added) {
		copy_texts(l, row, r);
		compute(l, r);
		*ARRAY_ADD(n->items, n->count, n->room) = *r;
	}
	r->name = index + 1;
	return &n->items[index];
}

void
load_name_routine(struct load *l, const struct load_set *set, const struct routine_row *row,
	struct load_routine *r)
{
	const struct load_routine *shared;

	if (set->number == 0) {
		copy_texts(l, row, r);
		compute(l, r);
		return;
	}
	shared = shared_routine(l, row, r);
	r->module = shared->module;
	r->class_name = shared->class_name;
	r->routine = shared->routine;
	r->file = shared->file;
	r->unit = shared->unit;
	memcpy(r->names, shared->names, IDENTITY_BYTES);
	memcpy(r->lines, shared->lines, IDENTITY_BYTES);
}

void
load_name_line(
	struct load *l, const struct load_routine *r, int64_t line, uint8_t out[IDENTITY_BYTES])
{
	struct load_names *n = &l->names;
	uint32_t index;
	bool added;

	if (!l->copier)
		return;
	if (!r->name) {
		line_identity(l->sha, r, line, out);
		return;
	}
	index = pair_map_add(&n->line_by_key, r->name, line, (uint32_t)n->line_count, &added);
	if (added)
		line_identity(l->sha, r, line, *ARRAY_ADD(n->lines, n->line_count, n->line_room));
	memcpy(out, n->lines[index], IDENTITY_BYTES);
}

static void
find_finding(struct load *l, struct load_routine *r)
{
	const struct table_frame frame = { .module_name = r->module,
		.class_name = r->class_name,
		.routine_name = r->routine,
		.unit_name = r->unit,
		.source_file = r->file };

	finding_frame_of(l->sha, &frame, &r->finding);
	r->has_finding = true;
}

const struct finding_frame *
load_routine_finding(struct load *l, struct load_routine *r)
{
	struct load_routine *shared = r->name ? &l->names.items[r->name - 1] : r;

	if (r->has_finding)
		return &r->finding;
	if (!shared->has_finding)
		find_finding(l, shared);
	r->finding = shared->finding;
	r->has_finding = true;
	return &r->finding;
}
