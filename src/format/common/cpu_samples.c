/* The samples of V8's CPU profiles. */
#include "format/common/cpu_samples.h"

#include "base/array.h"

#include <stdlib.h>

void
cpu_samples_release(struct cpu_samples *s)
{
	pair_map_release(&s->stacks);
	free(s->attached);
}

bool
cpu_times_overflow(struct reader *in)
{
	return reader_refuse_at(in, 0, "the times of the profile have too many digits");
}

/* Emits the open sample. If no sample is open, emits the time up to `until` as a sample without a
 * stack. */
static bool
end_sample(struct cpu_samples *s, struct decimal until)
{
	struct reader *in = s->calls->in;
	struct decimal weight;
	struct sample_row row = { .track = s->track,
		.stack = s->stack,
		.metric = s->metric,
		.values = &weight,
		.value_count = 1 };

	if (!decimal_subtract(until, s->since, &weight) ||
		!decimal_add(s->start, s->since, &row.at))
		return cpu_times_overflow(in);
	if (!s->met && weight.mantissa == 0)
		return true;
	return emit_sample(in, &row);
}

/* --- stacks with nodes whose caller is unknown --------------------------------------- */

static void
detach_down_to(struct cpu_samples *s, size_t count)
{
	while (s->attached_count > count)
		s->calls->nodes[s->attached[--s->attached_count].node].open = false;
}

/* Builds the stack of the last sampled call, with the attached nodes as its innermost frames. If there are too many
 * frames, *stack is the stack without the last attached node. */
static bool
build(struct cpu_samples *s, stack_number *stack)
{
	struct cpu_calls *c = s->calls;
	const uint32_t depth =
		s->base == CPU_NONE ? 0 : c->nodes[cpu_stack_owner(c, s->base)].depth;

	*stack = s->stack;
	if (!cpu_can_emit(c, depth + (uint32_t)s->attached_count)) {
		c->merged++;
		return true;
	}
	stack_begin(c->frames);
	for (size_t i = s->attached_count; i-- > 0 && stack_depth(c->frames) < STACK_MAX_FRAMES;)
		stack_push_routine(c->frames, c->nodes[s->attached[i].node].routine);
	c->cut_stacks += !cpu_push_path(c, s->base);
	return stack_end(c->frames, false, stack, NULL, c->in->err);
}

/* If the node is already attached to the current stack, detaches the nodes that were attached after it.
 * Otherwise, attaches the node. */
static bool
attach(struct cpu_samples *s, uint32_t node)
{
	struct cpu_node *n = &s->calls->nodes[node];
	struct cpu_attached *a;
	uint32_t known;

	if (n->open) {
		while (s->attached[s->attached_count - 1].node != node)
			detach_down_to(s, s->attached_count - 1);
		s->stack = s->attached[s->attached_count - 1].stack;
		return true;
	}
	n->open = true;
	a = ARRAY_ADD(s->attached, s->attached_count, s->attached_room);
	*a = (struct cpu_attached){ .node = node };
	known = pair_map_get(&s->stacks, s->stack, node);
	if (known == PAIR_MAP_NONE) {
		if (!build(s, &a->stack))
			return false;
		pair_map_add(&s->stacks, s->stack, node, (uint32_t)a->stack, NULL);
	} else {
		a->stack = (stack_number)known;
	}
	s->stack = a->stack;
	return true;
}

/* Sets the stack of the next sample. */
static bool
switch_to(struct cpu_samples *s, uint32_t node)
{
	if (node != CPU_NONE && s->calls->nodes[node].kind == CPU_ATTACHED)
		return attach(s, node);
	detach_down_to(s, 0);
	s->base = node;
	s->stack = 0;
	return node == CPU_NONE || cpu_stack_of(s->calls, node, &s->stack);
}

/* --- samples ------------------------------------------------------------------------- */

static struct decimal
clamped(struct cpu_samples *s, struct decimal elapsed)
{
	if (decimal_compare(elapsed, s->since) >= 0)
		return elapsed;
	s->backward++;
	return s->since;
}

bool
cpu_sample(struct cpu_samples *s, uint32_t node, struct decimal elapsed)
{
	s->dangling += node == CPU_NONE;
	if (!s->any) {
		s->since = decimal_from_int64(0);
		s->base = CPU_NONE;
	} else if (node == s->node) {
		return true;
	}
	elapsed = clamped(s, elapsed);
	if (!end_sample(s, elapsed))
		return false;
	s->since = elapsed;
	s->node = node;
	s->any = s->met = true;
	return switch_to(s, node);
}

static bool
report(struct cpu_samples *s)
{
	struct reader *in = s->calls->in;

	if (!reader_issue_count(in, ISSUE_TIME_BACKWARD, 0, s->backward,
		    "time is earlier than the previous time, which is used instead",
		    "times are earlier than the previous time, which is used instead"))
		return false;
	return reader_issue_count(in, ISSUE_DANGLING_ROUTINE, 0, s->dangling,
		"sample names a missing node", "samples name a missing node");
}

bool
cpu_samples_end(struct cpu_samples *s, struct decimal elapsed, struct decimal total)
{
	if (!s->any)
		s->since = decimal_from_int64(0);
	elapsed = clamped(s, elapsed);
	if (!end_sample(s, elapsed))
		return false;
	detach_down_to(s, 0);
	s->since = elapsed;
	s->stack = 0;
	s->met = false;
	if (total.kind == DECIMAL_COMPACT && decimal_compare(total, elapsed) > 0 &&
		!end_sample(s, total))
		return false;
	return report(s);
}
