/* --events all: CPU profiles in a trace, from Profile, ProfileChunk and CpuProfile events. */
#include "base/array.h"
#include "chrome_private.h"
#include "format/common/cpu_samples.h"

#include <stdlib.h>

enum {
	MAX_NODES = 8 * 1000 * 1000,
	MAX_SAMPLES = 64 * 1000 * 1000,
	MAX_PROFILES = 100 * 1000
};

struct profile_sample {
	int64_t at; /* in nanoseconds, like all times in this file */
	int64_t node;
	uint32_t number;
};

struct profile {
	uint32_t track;         /* the sampled thread */
	int64_t start, at, end; /* start, last sample, end; start and end may be MODEL_NULL */
	struct profile_sample *samples;
	size_t count, room;
	struct cpu_calls calls;
};

struct chrome_profiles {
	struct pair_map map; /* maps a process together with an id or thread to the profile */
	struct profile *profiles;
	size_t count, room;
	size_t node_count, sample_count; /* sums over all profiles */
	metric_number metric;
};

void
chrome_profiles_free(struct chrome *c)
{
	struct chrome_profiles *x = c->profiles;

	if (!x)
		return;
	for (size_t i = 0; i < x->count; i++) {
		free(x->profiles[i].samples);
		cpu_calls_release(&x->profiles[i].calls);
	}
	pair_map_release(&x->map);
	free(x->profiles);
	free(x);
}

bool
chrome_profiles_metrics(struct chrome *c)
{
	const struct metric_row row = { METRIC_OF_SAMPLES, TEXT_LITERAL("cpu_microseconds"),
		TEXT_LITERAL("microseconds"), TEXT_LITERAL("CPU profile") };

	return !c->profiles || !c->profiles->count ||
	       emit_metric(c->in, &row, &c->profiles->metric);
}

static bool
integer_of(const struct json_node *j, int64_t *v)
{
	const struct decimal d = chrome_json_decimal(j);

	if (d.kind != DECIMAL_COMPACT)
		return false;
	*v = d.mantissa / decimal_power(d.scale);
	return *v > INT64_MIN / 4 && *v < INT64_MAX / 4;
}

/* Converts microseconds to nanoseconds. */
static bool
time_of(const struct json_node *j, int64_t *v)
{
	const struct decimal d = chrome_json_decimal(j);
	wide_int ns;

	if (d.kind != DECIMAL_COMPACT)
		return false;
	ns = (wide_int)d.mantissa * 1000 / decimal_power(d.scale);
	if (ns <= INT64_MIN / 4 || ns >= INT64_MAX / 4)
		return false;
	*v = (int64_t)ns;
	return true;
}

static struct decimal
microseconds(int64_t ns)
{
	if (ns % 1000 == 0)
		return decimal_from_int64(ns / 1000);
	return (struct decimal){ .mantissa = ns, .scale = 3, .kind = DECIMAL_COMPACT };
}

/* Finds the profile of the event by pid and id, or by pid and tid if the event has no id. */
static struct profile *
profile_of(struct chrome *c, const struct json_node *event, uint32_t track)
{
	struct chrome_profiles *x = c->profiles;
	const struct json_node *id = json_tree_get(event, "id");
	struct strbuf b;
	struct profile *p;
	uint32_t n;
	bool added;

	strbuf_init(&b, 2 * (size_t)CHROME_MAX_EVENT_BYTES);
	strbuf_append_text(&b, c->tracks[track].pid);
	strbuf_append_char(&b, '\n');
	strbuf_append_text(&b, id ? chrome_json_js_text(&c->scratch, id) : c->tracks[track].tid);
	n = pair_map_add_bytes(&x->map, b.data, b.size, (uint32_t)x->count, &added);
	strbuf_release(&b);
	if (!added)
		return &x->profiles[n];
	if (x->count >= MAX_PROFILES) {
		chrome_limit(c, MAX_PROFILES, "CPU profiles");
		return NULL;
	}
	p = ARRAY_ADD(x->profiles, x->count, x->room);
	*p = (struct profile){ .track = track,
		.start = MODEL_NULL,
		.end = MODEL_NULL,
		.calls = { .in = c->in, .frames = c->frames } };
	return p;
}

/* Reads a line or column number. In a profile, these numbers start at 0, and -1 means unknown. */
static int32_t
place_of(const struct json_node *frame, const char *key)
{
	int64_t v;

	return integer_of(json_tree_get(frame, key), &v) && v >= 0 && v < INT32_MAX ? (int32_t)v
										    : -1;
}

static bool
set_function(struct profile *p, uint32_t node, const struct json_node *frame)
{
	const struct json_node *script = json_tree_get(frame, "scriptId");
	const struct cpu_function f = {
		.name = chrome_json_string(json_tree_get(frame, "functionName")),
		.url = chrome_json_string(json_tree_get(frame, "url")),
		.script = json_tree_is(script, JSON_NUMBER) ? script->text
							    : chrome_json_string(script),
		.code_type = chrome_json_string(json_tree_get(frame, "codeType")),
		.line = place_of(frame, "lineNumber"),
		.column = place_of(frame, "columnNumber"),
	};

	return cpu_set_function(&p->calls, node, &f);
}

/* Adds a node, and notes the ids of its children if the profile lists them, as older profiles
 * do. */
static bool
add_node(struct chrome *c, struct profile *p, const struct json_node *node, uint64_t offset)
{
	const struct json_node *children = json_tree_get(node, "children");
	int64_t id, other;
	uint32_t n;

	if (!integer_of(json_tree_get(node, "id"), &id))
		return true;
	if (c->profiles->node_count++ >= MAX_NODES)
		return chrome_limit(c, MAX_NODES, "nodes of CPU profiles");
	n = cpu_add(&p->calls, CPU_NONE);
	p->calls.nodes[n].id = id;
	if (integer_of(json_tree_get(node, "parent"), &other))
		p->calls.nodes[n].parent_id = other;
	if (json_tree_is(children, JSON_ARRAY))
		for (const struct json_node *j = children->first; j; j = j->next)
			if (integer_of(j, &other))
				cpu_set_child(&p->calls, n, other);
	return set_function(p, n, json_tree_get(node, "callFrame")) &&
	       cpu_set_id(&p->calls, n, offset);
}

static bool
add_nodes(struct chrome *c, struct profile *p, const struct json_node *nodes, uint64_t offset)
{
	if (!json_tree_is(nodes, JSON_ARRAY))
		return true;
	for (const struct json_node *j = nodes->first; j; j = j->next)
		if (!add_node(c, p, j, offset))
			return false;
	return true;
}

static bool
add_samples(struct chrome *c, struct profile *p, const struct json_node *samples,
	const struct json_node *deltas)
{
	const struct json_node *delta = deltas ? deltas->first : NULL;

	if (!samples || samples->type != JSON_ARRAY)
		return true;
	for (const struct json_node *j = samples->first; j; j = j->next) {
		struct profile_sample *s;
		int64_t node, step;

		if (delta && time_of(delta, &step) && __builtin_add_overflow(p->at, step, &p->at))
			return cpu_times_overflow(c->in);
		if (delta)
			delta = delta->next;
		if (!integer_of(j, &node))
			continue;
		if (c->profiles->sample_count++ >= MAX_SAMPLES)
			return chrome_limit(c, MAX_SAMPLES, "samples of CPU profiles");
		s = ARRAY_ADD(p->samples, p->count, p->room);
		*s = (struct profile_sample){ p->at, node, (uint32_t)p->count - 1 };
	}
	return true;
}

static bool
add_profile(struct chrome *c, const struct chrome_head *h, const struct json_node *event)
{
	const struct text name = chrome_json_string(json_tree_get(event, "name"));
	const struct json_node *data = json_tree_get(json_tree_get(event, "args"), "data");
	const struct json_node *profile = json_tree_get(data, "cpuProfile");
	const struct json_node *deltas = json_tree_get(data, "timeDeltas");
	uint32_t track;
	int64_t v;
	struct profile *p;

	if (!chrome_track_of(c, event, &track))
		return false;
	p = profile_of(c, event, track);
	if (!p)
		return false;
	if (text_equal(name, TEXT_LITERAL("Profile")))
		p->track = track;
	if (!deltas)
		deltas = json_tree_get(profile, "timeDeltas");
	if (time_of(json_tree_get(data, "startTime"), &v) ||
		time_of(json_tree_get(profile, "startTime"), &v)) {
		p->start = p->start == MODEL_NULL ? v : p->start;
		p->at = v;
	}
	if (time_of(json_tree_get(data, "endTime"), &v) ||
		time_of(json_tree_get(profile, "endTime"), &v))
		p->end = v;
	return add_nodes(c, p, json_tree_get(profile, "nodes"), h->offset) &&
	       add_samples(c, p, json_tree_get(profile, "samples"), deltas);
}

bool
chrome_profile_add(struct chrome *c, const struct chrome_head *h)
{
	if (!c->profiles)
		c->profiles = xcalloc(1, sizeof(*c->profiles));
	return chrome_take_event(c, h, add_profile);
}

static int
compare_samples(const void *a, const void *b)
{
	const struct profile_sample *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Emits the samples in the order of their times, because chunks can be in any order. */
static bool
emit_samples(struct chrome *c, struct profile *p, int64_t start, int32_t track)
{
	struct cpu_samples s = { .calls = &p->calls,
		.track = track,
		.metric = c->profiles->metric,
		.start = microseconds(start) };
	const int64_t last = p->count ? p->samples[p->count - 1].at : start;
	const int64_t end = p->end > last ? p->end : last;
	struct decimal total, elapsed = decimal_from_int64(0);
	bool ok = true, fits;
	int64_t lasted;

	if (__builtin_sub_overflow(end, start, &lasted))
		return cpu_times_overflow(c->in);
	total = microseconds(lasted);
	fits = chrome_duration(c, total).kind != DECIMAL_NULL;
	for (size_t i = 0; ok && i < p->count; i++) {
		if (fits)
			elapsed = microseconds(p->samples[i].at - start);
		ok = cpu_sample(&s, cpu_find(&p->calls, p->samples[i].node), elapsed);
	}
	ok = ok && cpu_samples_end(&s, elapsed, fits ? total : elapsed);
	cpu_samples_release(&s);
	return ok;
}

static bool
emit_profile(struct chrome *c, struct profile *p)
{
	const struct chrome_track *t = &c->tracks[p->track];
	struct track_row row = { .id = ++c->last_track,
		.kind = "cpu profile",
		.name = t->name,
		.process_name = c->processes[t->process].name,
		.process_id = t->process_id,
		.thread_id = t->thread_id,
		.metric = c->profiles->metric,
		.started_us = MODEL_NULL };
	int64_t start = p->start, lasted;

	if (p->count)
		qsort(p->samples, p->count, sizeof(*p->samples), compare_samples);
	if (p->count && (start == MODEL_NULL || p->samples[0].at < start))
		start = p->samples[0].at;
	if (start == MODEL_NULL)
		start = p->at;
	row.start = microseconds(start);
	if (p->end != MODEL_NULL && p->end >= start) {
		if (__builtin_sub_overflow(p->end, start, &lasted))
			return cpu_times_overflow(c->in);
		row.duration = microseconds(lasted);
	}
	return cpu_link(&p->calls) && emit_track(c->in, &row) &&
	       emit_samples(c, p, start, row.id) && cpu_calls_finish(&p->calls);
}

bool
chrome_profiles_emit(struct chrome *c)
{
	struct chrome_profiles *x = c->profiles;

	for (size_t i = 0; x && i < x->count; i++)
		if (!emit_profile(c, &x->profiles[i]))
			return false;
	return true;
}
