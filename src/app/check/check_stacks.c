/* The distinct stacks of a check, each with a place in the source files. */
#include "check_private.h"

#include "base/array.h"
#include "base/strbuf.h"

enum {
	KEY_MAX_BYTES = 1024 * 1024
};

/* Returns the index of the frame whose source line represents the stack. If the file of first_own (the first
 * frame of the user's own code) is known, this frame is chosen. Otherwise the next frame with a line is chosen.
 * If no frame has a line, returns first_own. */
static size_t
find_place(const struct table_frame *frames, size_t count, size_t first_own)
{
	if (first_own < count && !text_is_empty(frames[first_own].source_file))
		return first_own;
	for (size_t n = 0; n < count; n++) {
		size_t i = (first_own + n) % count;

		if (!text_is_empty(frames[i].source_file) && frames[i].source_line > 0)
			return i;
	}
	return first_own;
}

static size_t
first_own(const struct loaded *l, uint32_t stack, size_t count)
{
	uint32_t own = facts_first_own_call(l->facts, l->own, stack);
	size_t n = 0;

	if (own == FACTS_NO_STACK)
		return count;
	for (uint32_t at = stack; at != own; at = l->facts->nodes[at].parent)
		n++;
	return n;
}

static const char *
rule_of(struct checking *c, const struct loaded *l, const struct compare_row *r)
{
	const char *kind = r->kind.size ? arena_strndup(c->arena, r->kind.data, r->kind.size) : "";

	if (l->metric.family == FACTS_OBJECTS)
		return *kind ? arena_printf(c->arena, "leak-%s", kind) : "leak";
	if (l->metric.family == FACTS_ERRORS)
		return *kind ? kind : "error";
	return l->name;
}

static enum check_state
state_of(const struct checking *c, const struct compare_row *r)
{
	static const enum check_state states[] = { [COMPARE_ADDED] = CHECK_NEW,
		[COMPARE_GROWN] = CHECK_UPDATED,
		[COMPARE_SHRUNK] = CHECK_UPDATED,
		[COMPARE_GONE] = CHECK_ABSENT,
		[COMPARE_SAME] = CHECK_UNCHANGED };

	return c->request->base_id ? states[r->status] : CHECK_NOT_COMPARED;
}

static void
fill_sums(struct checking *c, const struct loaded *l, const struct compare_row *r,
	struct check_stack *s)
{
	const struct compare_sums *now = &r->sums[FACTS_NEW];
	uint8_t parts = now->parts | r->sums[FACTS_BASE].parts;
	bool compared = c->request->base_id != 0;

	s->count = fixed_text(c->arena, fixed_from_wide(now->count));
	if (compared)
		s->count_change = fixed_text(c->arena, fixed_from_wide(r->count_change));
	if (l->metric.family == FACTS_ERRORS || now->parts == FACTS_UNKNOWN)
		return;
	s->value = fixed_text(c->arena, now->value);
	if (compared && !(parts & FACTS_UNKNOWN))
		s->value_change = fixed_text(c->arena, r->value_change);
	s->unit = l->metric.unit;
}

/* Returns the number that the check gives to the row's stack. Rows with the same metric, stack, rule, class and
 * module have the same number. */
static uint32_t
number_of(struct checking *c, const struct loaded *l, const struct compare_row *r, const char *rule,
	bool *added)
{
	struct strbuf key;
	uint32_t number;

	strbuf_init(&key, KEY_MAX_BYTES);
	strbuf_printf(&key, "%d %u %s", (int)l->metric.family, (unsigned)r->stack, l->name);
	strbuf_append_char(&key, '\0');
	strbuf_append_str(&key, rule);
	strbuf_append_char(&key, '\0');
	strbuf_append_text(&key, r->class_name);
	strbuf_append_char(&key, '\0');
	strbuf_append_text(&key, r->module_name);
	number = pair_map_add_bytes(
		&c->stacks.map, key.data, key.size, (uint32_t)c->stacks.count, added);
	strbuf_release(&key);
	return number;
}

/* Sets the identity of the leak or error. */
static void
identify(struct checking *c, const struct loaded *l, const struct compare_row *r,
	struct check_stack *s)
{
	const struct finding_frame **frames =
		arena_alloc_array(c->arena, s->frame_count, sizeof(const struct finding_frame *));
	struct finding f = { .leak = s->fact == CHECK_LEAK,
		.name = r->kind,
		.class_name = finding_class(r->class_name) };
	uint8_t identity[IDENTITY_BYTES], own[IDENTITY_BYTES];
	size_t n = 0;

	for (uint32_t at = r->stack; at != FACTS_NO_STACK; at = l->facts->nodes[at].parent)
		frames[n++] = &l->findings[l->facts->nodes[at].frame];
	if (finding_own_identity(c->sha, frames, n, own)) {
		f.own = own;
	} else if (n) {
		finding_module_identity(c->sha, frames, n, own);
		f.stack = own;
	}
	finding_identity(c->sha, &f, identity);
	hex_format(identity, sizeof(identity), s->finding);
}

size_t
check_add_stack(struct checking *c, const struct loaded *l, const struct compare_row *r)
{
	const char *rule = rule_of(c, l, r);
	uint8_t identity[IDENTITY_BYTES];
	struct check_stack *s;
	bool added;
	size_t number = number_of(c, l, r, rule, &added);

	if (!added)
		return number;
	s = ARRAY_ADD(c->stacks.items, c->stacks.count, c->stacks.room);
	*s = (struct check_stack){ .fact = l->metric.family == FACTS_OBJECTS  ? CHECK_LEAK
					   : l->metric.family == FACTS_ERRORS ? CHECK_ERROR
									      : CHECK_MEASURE,
		.rule = rule,
		.class_name = r->class_name,
		.module_name = r->module_name,
		.kind = r->kind,
		.description = r->description,
		.state = state_of(c, r) };
	s->frames = facts_frames(l->facts, c->arena, r->stack, r->lines, &s->frame_count);
	s->place = find_place(s->frames, s->frame_count, first_own(l, r->stack, s->frame_count));
	if (s->place < s->frame_count)
		s->owner = depot_owner(&c->owners, s->frames[s->place].source_file);
	facts_identity(l->facts, r->stack, identity);
	hex_format(identity, sizeof(identity), s->identity);
	if (s->fact != CHECK_MEASURE)
		identify(c, l, r, s);
	fill_sums(c, l, r, s);
	return number;
}
