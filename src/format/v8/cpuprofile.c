/*
 * V8's CPU profile (.cpuprofile). Format: see v8_profile.h; "samples" lists the sampled nodes, and
 * "timeDeltas" the microseconds between the samples. The older form has nested nodes and
 * "timestamps".
 *
 * The file is read twice. The first pass skips these two arrays, and the second one reads both in
 * parallel. Memory use therefore depends on the number of nodes, not on the number of samples.
 */
#include "v8_profile.h"

#include "base/array.h"
#include "format/formats.h"
#include "input/json/json_shape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

struct cpu {
	struct v8_profile v8;
	struct v8_array samples, deltas, timestamps;
	bool has_head, has_nodes;
	struct decimal start, end; /* times as in the file */
	metric_number metric;
	/* open calls, outermost first */
	uint32_t *open;
	size_t open_count, open_room;
	size_t attached; /* number of open calls with a guessed caller */
	/* the current sample, which lasts until the next one */
	stack_number stack;
	struct decimal since; /* start of the sample, relative to the profile's start */
	bool met;             /* false before the first sample and after the last */
	uint64_t backward, dangling, missing;
};

enum {
	MICROSECONDS_DIGITS = 6,
	TRACK = 1
};

/* --- top-level members ----------------------------------------------------------------- */

static bool
read_time(struct cpu *c, struct text key, struct decimal *time)
{
	struct v8_profile *v = &c->v8;
	enum json_type type;
	bool ok;

	if (!json_peek(v->json, &type, v->in->err))
		return false;
	if (type != JSON_NUMBER)
		return v8_keep_member(v, key);
	if (!json_read_decimal(v->json, time, &ok, v->in->err))
		return false;
	if (ok && time->kind == DECIMAL_COMPACT)
		return true;
	*time = (struct decimal){ 0 };
	return reader_issue_at(v->in, ISSUE_NUMBER_RANGE, json_value_offset(v->json),
		"\"%.*s\" has too many digits", (int)key.size, key.data);
}

static bool
read_tree(struct cpu *c, bool *seen, bool (*read)(struct v8_profile *v))
{
	if (c->has_head || c->has_nodes)
		return reader_refuse_at(c->v8.in, json_offset(c->v8.json), "the nodes occur twice");
	*seen = true;
	return read(&c->v8);
}

static bool
read_member(void *self, struct text key)
{
	struct cpu *c = self;

	if (text_equal(key, TEXT_LITERAL("nodes")))
		return read_tree(c, &c->has_nodes, v8_read_nodes);
	if (text_equal(key, TEXT_LITERAL("head")))
		return read_tree(c, &c->has_head, v8_read_head);
	if (text_equal(key, TEXT_LITERAL("samples")))
		return v8_note_array(&c->v8, key, &c->samples);
	if (text_equal(key, TEXT_LITERAL("timeDeltas")))
		return v8_note_array(&c->v8, key, &c->deltas);
	if (text_equal(key, TEXT_LITERAL("timestamps")))
		return v8_note_array(&c->v8, key, &c->timestamps);
	if (text_equal(key, TEXT_LITERAL("startTime")))
		return read_time(c, key, &c->start);
	if (text_equal(key, TEXT_LITERAL("endTime")))
		return read_time(c, key, &c->end);
	return v8_keep_member(&c->v8, key);
}

/* --- times --------------------------------------------------------------------------------- */

/* Converts seconds of the older form to microseconds. */
static bool
from_seconds(struct cpu *c, struct decimal *d)
{
	int64_t factor;

	if (d->kind != DECIMAL_COMPACT)
		return true;
	if (d->scale >= MICROSECONDS_DIGITS) {
		d->scale = (uint8_t)(d->scale - MICROSECONDS_DIGITS);
		return true;
	}
	factor = decimal_power((unsigned)(MICROSECONDS_DIGITS - d->scale));
	d->scale = 0;
	return !__builtin_mul_overflow(d->mantissa, factor, &d->mantissa) ||
	       reader_refuse_at(c->v8.in, 0, "the times of the profile are too large");
}

static bool
times_overflow(struct cpu *c)
{
	return reader_refuse_at(c->v8.in, 0, "the times of the profile have too many digits");
}

/* Emits the current sample. Consecutive samples of the same node become one sample. */
static bool
end_sample(struct cpu *c, struct decimal until)
{
	struct v8_profile *v = &c->v8;
	struct decimal weight;
	struct sample_row row = { .track = TRACK,
		.stack = c->stack,
		.metric = c->metric,
		.values = &weight,
		.value_count = 1 };

	if (!decimal_subtract(until, c->since, &weight) ||
		!decimal_add(c->start, c->since, &row.at))
		return times_overflow(c);
	if (!c->met && weight.mantissa == 0)
		return true;
	return emit_sample(v->in, &row);
}

/* --- the stack of calls that are open -------------------------------------------------------- */

static void
close_down_to(struct cpu *c, size_t count)
{
	while (c->open_count > count) {
		struct v8_node *n = &c->v8.nodes[c->open[--c->open_count]];

		n->open = false;
		c->attached -= n->kind == V8_ATTACHED;
	}
}

static void
open_call(struct cpu *c, uint32_t node)
{
	*ARRAY_ADD(c->open, c->open_count, c->open_room) = node;
	c->v8.nodes[node].open = true;
	c->attached += c->v8.nodes[node].kind == V8_ATTACHED;
}

/* Closes the open calls that are not on the path to the node, and opens the rest of the path. */
static void
switch_to(struct cpu *c, uint32_t node)
{
	struct v8_node *nodes = c->v8.nodes;
	size_t kept, from;
	uint32_t at = node;

	while (at != V8_NONE && !nodes[at].open &&
		(nodes[at].kind == V8_CALL || nodes[at].kind == V8_ATTACHED))
		if (nodes[at].kind == V8_ATTACHED)
			at = c->open_count ? c->open[c->open_count - 1] : V8_NONE;
		else
			at = nodes[at].parent;
	for (kept = c->open_count; kept > 0 && (at == V8_NONE || c->open[kept - 1] != at);)
		kept--;
	close_down_to(c, kept);
	from = kept;
	for (uint32_t n = node; n != V8_NONE && n != at && !nodes[n].open &&
				(nodes[n].kind == V8_CALL || nodes[n].kind == V8_ATTACHED);) {
		const bool is_attached = nodes[n].kind == V8_ATTACHED;

		open_call(c, n);
		if (is_attached)
			break;
		n = nodes[n].parent;
	}
	/* Reverse the opened calls, because the loop opened the innermost call first. */
	for (size_t i = from, j = c->open_count; i + 1 < j; i++) {
		const uint32_t inner = c->open[i];

		c->open[i] = c->open[--j];
		c->open[j] = inner;
	}
}

static bool
add_stack(struct cpu *c)
{
	struct v8_profile *v = &c->v8;
	const size_t kept = c->open_count < STACK_MAX_FRAMES ? c->open_count : STACK_MAX_FRAMES;

	v->cut_stacks += kept < c->open_count;
	stack_begin(v->frames);
	for (size_t i = 1; i <= kept; i++)
		stack_push_routine(v->frames, v->nodes[c->open[c->open_count - i]].routine);
	return stack_end(v->frames, false, &c->stack, NULL, v->in->err);
}

/* Begins a sample of another node. A stack without a guessed caller is emitted once. */
static bool
meet(struct cpu *c, uint32_t node, struct decimal at)
{
	struct v8_node *n = node == V8_NONE ? NULL : &c->v8.nodes[node];

	if (!end_sample(c, at))
		return false;
	c->since = at;
	c->met = false;
	if (n)
		switch_to(c, node);
	else
		close_down_to(c, 0);
	if (n && !c->attached && n->stack) {
		c->stack = n->stack;
		return true;
	}
	if (!add_stack(c))
		return false;
	if (n && !c->attached)
		n->stack = c->stack;
	return true;
}

/* --- the arrays, in parallel --------------------------------------------------------------- */

struct cpu_walk {
	struct json_reader *samples, *times;
	int samples_fd, times_fd;
	bool more_times;
	int64_t node; /* id of the last node */
	bool any;
	struct decimal elapsed;
};

static bool
open_walk(struct cpu *c, struct cpu_walk *w)
{
	const struct v8_array *times = c->deltas.found ? &c->deltas : &c->timestamps;

	w->samples_fd = w->times_fd = -1;
	w->samples = v8_open(&c->v8, c->samples.offset, &w->samples_fd);
	w->times = w->samples ? v8_open(&c->v8, times->offset, &w->times_fd) : NULL;
	w->more_times = true;
	return w->times && json_enter(w->samples, c->v8.in->err) &&
	       json_enter(w->times, c->v8.in->err);
}

static void
close_walk(struct cpu_walk *w)
{
	json_reader_free(w->samples);
	json_reader_free(w->times);
	if (w->samples_fd >= 0)
		close(w->samples_fd);
	if (w->times_fd >= 0)
		close(w->times_fd);
}

/* Advances to the time of the next sample. After the last entry, the time does not change. */
static bool
next_time(struct cpu *c, struct cpu_walk *w)
{
	struct v8_profile *v = &c->v8;
	const struct v8_array *array = c->deltas.found ? &c->deltas : &c->timestamps;
	struct decimal d;
	bool ok;

	if (w->more_times && !json_next_item(w->times, &w->more_times, v->in->err))
		return false;
	if (!w->more_times) {
		c->missing++;
		return true;
	}
	if (!v8_expect(v, w->times, array->offset, JSON_NUMBER, "time") ||
		!json_read_decimal(w->times, &d, &ok, v->in->err))
		return false;
	if (!ok || !(c->deltas.found ? decimal_add(w->elapsed, d, &w->elapsed)
				     : decimal_subtract(d, c->start, &w->elapsed)))
		return times_overflow(c);
	return true;
}

/* If the time goes backwards, the previous time is used. */
static struct decimal
clamped(struct cpu *c, const struct cpu_walk *w)
{
	if (decimal_compare(w->elapsed, c->since) >= 0)
		return w->elapsed;
	c->backward++;
	return c->since;
}

static bool
take_sample(struct cpu *c, struct cpu_walk *w, int64_t id, bool known)
{
	const uint32_t node = known ? v8_find(&c->v8, id) : V8_NONE;

	if (!next_time(c, w))
		return false;
	c->dangling += node == V8_NONE;
	if (!w->any || id != w->node) {
		if (!meet(c, node, clamped(c, w)))
			return false;
		w->any = true;
		w->node = id;
	}
	c->met = true;
	return true;
}

static bool
walk_samples(struct cpu *c, struct cpu_walk *w)
{
	struct v8_profile *v = &c->v8;
	int64_t id = 0;
	bool known;

	while (json_more_items(w->samples, v->in->err)) {
		if (!v8_expect(v, w->samples, c->samples.offset, JSON_NUMBER, "sample") ||
			!json_read_int64(w->samples, &id, &known, v->in->err))
			return false;
		if (!known)
			id = MODEL_NULL;
		reader_tick(v->in, json_offset(w->samples));
		if (!take_sample(c, w, id, known))
			return false;
	}
	return v->in->err->code == ERROR_NONE;
}

/* The last sample ends at the last entry of the times; the rest of the profile has no stack. */
static bool
end_samples(struct cpu *c, const struct cpu_walk *w)
{
	struct decimal end = clamped(c, w), total;

	if (!end_sample(c, end))
		return false;
	c->since = end;
	c->stack = 0;
	c->met = false;
	if (c->end.kind != DECIMAL_COMPACT)
		return true;
	if (!decimal_subtract(c->end, c->start, &total))
		return times_overflow(c);
	return decimal_compare(total, end) <= 0 || end_sample(c, total);
}

static bool
walk(struct cpu *c)
{
	struct cpu_walk w = { 0 };
	bool ok;

	w.elapsed = c->since = decimal_from_int64(0);
	ok = open_walk(c, &w) && walk_samples(c, &w) && end_samples(c, &w);
	close_walk(&w);
	return ok;
}

/* --- a member ------------------------------------------------------------------------------- */

static bool
add_track(struct cpu *c)
{
	struct v8_profile *v = &c->v8;
	const struct metric_row metric = { METRIC_OF_SAMPLES, TEXT_LITERAL("cpu_microseconds"),
		TEXT_LITERAL("microseconds"), TEXT_LITERAL("CPU profile") };
	struct track_row row = { .id = TRACK,
		.kind = "cpu profile",
		.name = text_from(v->in->name),
		.process_id = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.start = c->start,
		.started_us = MODEL_NULL };

	if (c->end.kind == DECIMAL_COMPACT && decimal_compare(c->end, c->start) >= 0 &&
		!decimal_subtract(c->end, c->start, &row.duration))
		return times_overflow(c);
	if (!emit_metric(v->in, &metric, &c->metric))
		return false;
	row.metric = c->metric;
	return emit_track(v->in, &row);
}

static bool
report_counts(struct cpu *c)
{
	struct v8_profile *v = &c->v8;

	if (c->backward &&
		!reader_issue_at(v->in, ISSUE_TIME_BACKWARD, 0,
			"the time goes backwards at %" PRIu64 " samples: it counts as unchanged",
			c->backward))
		return false;
	return reader_issue_count(v->in, ISSUE_DANGLING_ROUTINE, 0, c->dangling,
		       "sample names a missing node", "samples name a missing node") &&
	       reader_issue_count(v->in, ISSUE_ODD_VALUE, 0, c->missing, "sample has no time",
		       "samples have no time") &&
	       v8_finish(v);
}

static bool
check_parts(struct cpu *c)
{
	const char *missing = NULL;

	if (!c->has_nodes && !c->has_head)
		missing = "nodes";
	else if (!c->samples.found)
		missing = "samples";
	else if (!c->deltas.found && !c->timestamps.found)
		missing = c->has_head ? "timestamps" : "timeDeltas";
	if (missing)
		return v8_missing(&c->v8, missing);
	if (c->has_head && !c->deltas.found)
		return from_seconds(c, &c->start) && from_seconds(c, &c->end);
	return true;
}

static bool
read_profile(struct reader *in)
{
	struct cpu c = { 0 };
	bool ok;

	v8_init(&c.v8, in);
	ok = v8_read_top(&c.v8, read_member, &c) && check_parts(&c);
	if (ok && c.start.kind == DECIMAL_NULL)
		c.start = decimal_from_int64(0);
	ok = ok && v8_link(&c.v8) && v8_add_metadata(&c.v8) && add_track(&c) && walk(&c) &&
	     report_counts(&c);
	free(c.open);
	v8_release(&c.v8);
	return ok;
}

static int
look(const struct format_source *source, size_t member)
{
	const struct json_shape *shape = json_shape_of(source->bundle, member);
	const struct text name = text_from(bundle_member(source->bundle, member)->name);

	if (shape->top != JSON_TOP_OBJECT || shape->several)
		return 0;
	if (json_shape_has(shape, "nodes") && json_shape_has(shape, "samples") &&
		json_shape_has(shape, "timeDeltas"))
		return 8 * (int)sizeof("nodessamplestimeDeltas");
	if (json_shape_has(shape, "head") && json_shape_has(shape, "samples") &&
		json_shape_has(shape, "timestamps"))
		return 8 * (int)sizeof("headsamplestimestamps");
	return text_ends_nocase(name, ".cpuprofile") &&
			       (json_shape_has(shape, "nodes") || json_shape_has(shape, "head"))
		       ? 8 * (int)sizeof(".cpuprofile")
		       : 0;
}

static const struct member_kind kind = {
	.noun = "V8 CPU profile", .look = look, .read = read_profile
};

const struct format format_cpuprofile = {
	.name = "cpuprofile",
	.title = "V8 CPU profile (.cpuprofile of Chrome and Node.js)",
	.profiler = "V8 CPU profiler",
	.known_by = "an object with \"nodes\", \"samples\" and \"timeDeltas\", or with \"head\", "
		    "\"samples\" and \"timestamps\"",
	.json = true,
	.covers = { [COVERAGE_SAMPLES] = COVERAGE_SAMPLED },
	.reads = true,
	.several = true,
	.members = &kind,
};
