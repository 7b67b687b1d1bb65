/* Emits the result set of a report in a text log; see log_report.h. */
#include "log_report.h"

#include "base/array.h"
#include "format/common/borland.h"
#include "format/linker_map.h"

#include <stdlib.h>

enum {
	MAX_KNOWN_FRAMES = 1024 * 1024,
	MAX_STACKS = 100000,
	NAMES_MAX_BYTES = 64 * 1024,
};

bool
log_report_begin_at(struct log_report *r, struct reader *in, uint64_t line)
{
	const struct set_row row = {
		.source_inst_id = MODEL_NULL, .file = text_from(in->name), .line = line
	};

	*r = (struct log_report){ .in = in };
	if (!in->sink->set(in->sink, &row, &r->set, &r->wanted, in->err))
		return false;
	r->frames = frame_dictionary_new(in->sink, r->set);
	log_report_use(r);
	return true;
}

bool
log_report_begin(struct log_report *r, struct reader *in)
{
	return log_report_begin_at(r, in, in->line.number);
}

void
log_report_use(struct log_report *r)
{
	r->in->set = r->set;
	r->in->wanted = r->wanted;
}

void
log_report_release(struct log_report *r)
{
	frame_dictionary_free(r->frames);
	pair_map_release(&r->threads);
	pair_map_release(&r->known_frames);
	strbuf_release(&r->names);
	free(r->known);
	*r = (struct log_report){ .in = r->in };
}

bool
log_report_thread(struct log_report *r, uint64_t os_id, int64_t *id)
{
	bool added;
	struct thread_row row = { .parent_id = -1, .size = MODEL_NULL };

	*id = LOG_NO_THREAD;
	if (!r->wanted || os_id > INT64_MAX)
		return true;
	row.id = row.rec_id =
		pair_map_add(&r->threads, (int64_t)os_id, 0, (uint32_t)r->threads.count, &added);
	row.os_thread_id = (int64_t)os_id;
	*id = row.id;
	return !added || emit_thread(r->in, &row);
}

/* --- stacks --------------------------------------------------------------------------------- */

void
log_stack_begin(struct log_report *r)
{
	r->depth = 0;
	if (r->wanted)
		stack_begin(r->frames);
}

bool
log_stack_known(struct log_report *r, struct text line)
{
	uint32_t at;

	if (!r->wanted)
		return true;
	at = pair_map_get_bytes(&r->known_frames, line.data, line.size);
	if (at == PAIR_MAP_NONE)
		return false;
	stack_push_numbers(r->frames, r->known[at]);
	r->depth++;
	return true;
}

/* Looks up a frame without a name in the linker's maps. */
static void
name_frame(struct log_report *r, struct frame *f)
{
	const struct linker_maps *maps = r->in->source->options.maps;
	struct linker_place place;

	if (!maps || f->function.size || !f->address ||
		!linker_maps_find(maps, f->module, f->address, f->exact, &place))
		return;
	if (!r->names.max)
		strbuf_init(&r->names, NAMES_MAX_BYTES);
	borland_name_frame(f, place.name, place.unit, &r->names);
	borland_find_unit(f);
	if (!f->file.size)
		f->file = place.file;
	if (f->line <= 0 && place.line)
		f->line = place.line;
}

bool
log_stack_add(struct log_report *r, struct text line, const struct frame *given)
{
	struct frame_numbers numbers;
	struct frame frame = *given;

	if (!r->wanted)
		return true;
	name_frame(r, &frame);
	if (!frame_intern(r->frames, &frame, &numbers, r->in->err))
		return false;
	stack_push_numbers(r->frames, numbers);
	r->depth++;
	if (r->known_count == MAX_KNOWN_FRAMES)
		return true;
	pair_map_add_bytes(&r->known_frames, line.data, line.size, (uint32_t)r->known_count, NULL);
	*ARRAY_ADD(r->known, r->known_count, r->known_room) = numbers;
	return true;
}

bool
log_stack_end(struct log_report *r, struct log_stack *out)
{
	out->depth = r->depth;
	out->number = 0;
	return !r->wanted || stack_end_reported(r->frames, r->in, &out->number);
}

bool
log_stacks_end(struct log_stacks *s, struct log_report *r)
{
	if (!s->open)
		return true;
	s->open = false;
	if (!log_stack_end(r, &s->current))
		return false;
	if (s->count < MAX_STACKS)
		*ARRAY_ADD(s->items, s->count, s->room) = s->current;
	return true;
}

bool
log_stacks_begin(struct log_stacks *s, struct log_report *r, const char *role, int64_t thread)
{
	if (!log_stacks_end(s, r))
		return false;
	s->current = (struct log_stack){ .role = role, .thread = thread };
	s->open = true;
	log_stack_begin(r);
	return true;
}

bool
log_stacks_at_start(const struct log_stacks *s, const struct log_report *r)
{
	return !s->count && !r->depth;
}

void
log_stacks_reset(struct log_stacks *s)
{
	s->open = false;
	s->count = 0;
}

void
log_stacks_release(struct log_stacks *s)
{
	free(s->items);
	*s = (struct log_stacks){ 0 };
}

void
log_keep(struct reader *in, struct strbuf *to, struct text t)
{
	bool bad = false;

	strbuf_reset(to);
	strbuf_append_text(to, line_clean(in->lines, text_trim(t), &bad));
}

/* --- rows ----------------------------------------------------------------------------------- */

bool
log_report_object(struct log_report *r, struct object_row *row, struct text class_name,
	int64_t thread, const struct log_stack *stack)
{
	if (!r->wanted)
		return true;
	row->id = row->rec_id = r->objects++;
	row->parent_id = -1;
	row->get_number = MODEL_NULL;
	row->thread_id = thread;
	row->stack = stack ? stack->number : 0;
	stack_ids(r->frames, OWNER_OBJECT, stack ? stack->depth : 0, &row->stack_first_id);
	return class_intern(r->frames, class_name, TEXT_NULL, &row->class_id, r->in->err) &&
	       emit_object(r->in, row);
}

static bool
emit_further(
	struct log_report *r, int64_t id, const struct log_stack *stacks, size_t count, size_t own)
{
	int64_t position = 0;

	for (size_t i = 0; i < count; i++) {
		const struct further_stack_row row = { .owner = OWNER_ERROR,
			.owner_id = id,
			.position = position + 1,
			.role = text_from(stacks[i].role ? stacks[i].role : "other"),
			.description = stacks[i].description,
			.thread_id = stacks[i].thread,
			.stack = stacks[i].number };

		if (i == own)
			continue;
		position++;
		if (!emit_further_stack(r->in, &row))
			return false;
	}
	return true;
}

bool
log_report_counted(struct log_report *r, struct text kind, struct text description,
	struct text attributes, uint64_t times, const struct log_stack *stacks, size_t count)
{
	struct error_row row = { .id = r->errors,
		.rec_id = r->errors,
		.parent_id = LOG_NO_THREAD,
		.number = r->errors + 1,
		.error_code = MODEL_NULL,
		.kind = 1,
		.description = description,
		.name = kind,
		.count = times <= INT64_MAX ? (int64_t)times : INT64_MAX,
		.attributes = attributes };
	size_t own = 0;

	if (!r->wanted)
		return true;
	r->errors++;
	while (own < count && stacks[own].role)
		own++;
	if (own < count) {
		row.parent_id = stacks[own].thread;
		row.stack = stacks[own].number;
	}
	stack_ids(r->frames, OWNER_ERROR, own < count ? stacks[own].depth : 0, &row.stack_first_id);
	return emit_error(r->in, &row) && emit_further(r, row.id, stacks, count, own);
}

bool
log_report_error(struct log_report *r, struct text kind, struct text description,
	struct text attributes, const struct log_stack *stacks, size_t count)
{
	return log_report_counted(r, kind, description, attributes, 1, stacks, count);
}
