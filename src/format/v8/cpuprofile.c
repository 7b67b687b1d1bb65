/*
 * V8's CPU profile (.cpuprofile). Format: see v8_profile.h; "samples" lists the sampled nodes, and
 * "timeDeltas" lists the microseconds between the samples. The older form has nested nodes and
 * "timestamps".
 *
 * The file is read twice. The first pass skips the arrays of samples and times. The second pass reads
 * these two arrays in parallel. Memory use therefore depends on the number of nodes, not on the number
 * of samples.
 */
#include "v8_profile.h"

#include "format/common/cpu_samples.h"
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
	struct cpu_samples walked;
	uint64_t missing; /* samples without a time */
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

/* --- the arrays, in parallel --------------------------------------------------------------- */

struct cpu_walk {
	struct json_reader *samples, *times;
	int samples_fd, times_fd;
	bool more_times;
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

/* Sets w->elapsed to the time of the next sample. If the file has no time for this sample, w->elapsed
 * stays the same. */
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
		return cpu_times_overflow(c->v8.in);
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
		reader_tick(v->in, json_offset(w->samples));
		if (!next_time(c, w) ||
			!cpu_sample(
				&c->walked, known ? cpu_find(&v->calls, id) : CPU_NONE, w->elapsed))
			return false;
	}
	return v->in->err->code == ERROR_NONE;
}

static bool
walk(struct cpu *c)
{
	struct cpu_walk w = { .elapsed = decimal_from_int64(0) };
	struct decimal total = { 0 };
	bool ok;

	c->walked = (struct cpu_samples){
		.calls = &c->v8.calls, .track = TRACK, .metric = c->metric, .start = c->start
	};
	ok = open_walk(c, &w) && walk_samples(c, &w);
	if (ok && c->end.kind == DECIMAL_COMPACT && !decimal_subtract(c->end, c->start, &total))
		ok = cpu_times_overflow(c->v8.in);
	ok = ok && cpu_samples_end(&c->walked, w.elapsed, total);
	cpu_samples_release(&c->walked);
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
		return cpu_times_overflow(c->v8.in);
	if (!emit_metric(v->in, &metric, &c->metric))
		return false;
	row.metric = c->metric;
	return emit_track(v->in, &row);
}

static bool
report_counts(struct cpu *c)
{
	struct v8_profile *v = &c->v8;

	return reader_issue_count(v->in, ISSUE_ODD_VALUE, 0, c->missing, "sample has no time",
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
	ok = ok && cpu_link(&c.v8.calls) && v8_add_metadata(&c.v8) && add_track(&c) && walk(&c) &&
	     report_counts(&c);
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
