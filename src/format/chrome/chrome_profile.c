/* --events all: CPU profiles in a trace, from Profile, ProfileChunk and CpuProfile events. */
#include "base/array.h"
#include "chrome_private.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	MAX_NODES = 8 * 1000 * 1000,
	MAX_SAMPLES = 64 * 1000 * 1000,
	MAX_PROFILES = 100 * 1000
};

/* A node of the call tree: a function, called by the function of its parent node. */
struct profile_node {
	int64_t id, parent; /* node numbers in the profile; MODEL_NULL if absent */
	uint32_t routine;
	stack_number stack; /* 0 until the stack is emitted */
	bool is_root;
};

struct profile_sample {
	int64_t at; /* microseconds */
	int64_t node;
	uint32_t number;
};

struct profile {
	uint32_t track;  /* the sampled thread */
	int64_t at, end; /* start and end; MODEL_NULL if unknown */
	struct profile_sample *samples;
	size_t count, room;
	struct pair_map nodes; /* maps a node's number to its index */
};

struct chrome_profiles {
	struct pair_map map; /* maps a process, and an id or thread, to the profile */
	struct profile *profiles;
	size_t count, room;
	struct profile_node *nodes;
	size_t node_count, node_room;
	size_t sample_count;
	metric_number metric;
	uint64_t dangling;
};

void
chrome_profiles_free(struct chrome *c)
{
	struct chrome_profiles *x = c->profiles;

	if (!x)
		return;
	for (size_t i = 0; i < x->count; i++) {
		free(x->profiles[i].samples);
		pair_map_release(&x->profiles[i].nodes);
	}
	pair_map_release(&x->map);
	free(x->profiles);
	free(x->nodes);
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
	*p = (struct profile){ .track = track, .end = MODEL_NULL };
	return p;
}

static int64_t
place_of(const struct json_node *frame, const char *key)
{
	int64_t v;

	/* Line and column numbers of a profile start at 0; -1 means unknown. */
	return integer_of(json_tree_get(frame, key), &v) && v >= 0 ? v + 1 : MODEL_NULL;
}

static uint32_t
routine_of(struct chrome *c, const struct json_node *node)
{
	const struct json_node *frame = json_tree_get(node, "callFrame");
	struct text name = chrome_json_string(json_tree_get(frame, "functionName"));
	const struct text url = chrome_json_string(json_tree_get(frame, "url"));
	const int64_t place[] = { place_of(frame, "lineNumber"), place_of(frame, "columnNumber") };
	struct routine_row row = blank_routine(0);
	char attributes[64];

	if (text_is_empty(name))
		name = TEXT_LITERAL("(anonymous)");
	row.source_line = place[0];
	row.source_file = text_is_empty(url) ? TEXT_NULL : url;
	row.code_type = chrome_json_string(json_tree_get(frame, "codeType"));
	row.routine_name = name;
	if (place[1] != MODEL_NULL) {
		snprintf(attributes, sizeof(attributes), "{\"column\":%" PRId64 "}", place[1]);
		row.attributes = text_from(attributes);
	}
	return chrome_routine(c,
		(const struct text[]){ name, url, { (const char *)place, sizeof(place) } }, 3,
		&row);
}

static bool
add_node(struct chrome *c, struct profile *p, const struct json_node *node)
{
	struct chrome_profiles *x = c->profiles;
	struct profile_node n = { .parent = MODEL_NULL };
	const struct text name =
		chrome_json_string(json_tree_get(json_tree_get(node, "callFrame"), "functionName"));
	bool added;

	if (!integer_of(json_tree_get(node, "id"), &n.id))
		return true;
	if (!integer_of(json_tree_get(node, "parent"), &n.parent))
		n.parent = MODEL_NULL;
	if (x->node_count >= MAX_NODES)
		return chrome_limit(c, MAX_NODES, "nodes of CPU profiles");
	pair_map_add(&p->nodes, n.id, 0, (uint32_t)x->node_count, &added);
	if (!added)
		return true;
	n.is_root = text_equal(name, TEXT_LITERAL("(root)"));
	n.routine = routine_of(c, node);
	if (n.routine == CHROME_NONE)
		return false;
	*ARRAY_ADD(x->nodes, x->node_count, x->node_room) = n;
	return true;
}

/* Sets the parent of a node's children; older profiles list children instead of parents. */
static void
link_children(struct chrome *c, struct profile *p, const struct json_node *node)
{
	const struct json_node *children = json_tree_get(node, "children");
	int64_t parent, child;

	if (!children || children->type != JSON_ARRAY ||
		!integer_of(json_tree_get(node, "id"), &parent))
		return;
	for (const struct json_node *j = children->first; j; j = j->next) {
		uint32_t at;

		if (!integer_of(j, &child))
			continue;
		at = pair_map_get(&p->nodes, child, 0);
		if (at != PAIR_MAP_NONE && c->profiles->nodes[at].parent == MODEL_NULL)
			c->profiles->nodes[at].parent = parent;
	}
}

static bool
add_nodes(struct chrome *c, struct profile *p, const struct json_node *nodes)
{
	if (!nodes || nodes->type != JSON_ARRAY)
		return true;
	for (const struct json_node *j = nodes->first; j; j = j->next)
		if (!add_node(c, p, j))
			return false;
	for (const struct json_node *j = nodes->first; j; j = j->next)
		link_children(c, p, j);
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

		if (delta && integer_of(delta, &step))
			p->at += step;
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

	(void)h;
	if (!chrome_track_of(c, event, &track))
		return false;
	p = profile_of(c, event, track);
	if (!p)
		return false;
	if (text_equal(name, TEXT_LITERAL("Profile")))
		p->track = track;
	if (!deltas)
		deltas = json_tree_get(profile, "timeDeltas");
	if (integer_of(json_tree_get(data, "startTime"), &v) ||
		integer_of(json_tree_get(profile, "startTime"), &v))
		p->at = v;
	if (integer_of(json_tree_get(data, "endTime"), &v) ||
		integer_of(json_tree_get(profile, "endTime"), &v))
		p->end = v;
	return add_nodes(c, p, json_tree_get(profile, "nodes")) &&
	       add_samples(c, p, json_tree_get(profile, "samples"), deltas);
}

bool
chrome_profile_add(struct chrome *c, const struct chrome_head *h)
{
	if (!c->profiles)
		c->profiles = xcalloc(1, sizeof(*c->profiles));
	return chrome_take_event(c, h, add_profile);
}

/* Emits the stack of the node, without the root, which is part of every stack. */
static bool
stack_of(struct chrome *c, struct profile *p, uint32_t node, stack_number *stack)
{
	struct chrome_profiles *x = c->profiles;
	uint32_t at = node;

	*stack = x->nodes[node].stack;
	if (*stack)
		return true;
	stack_begin(c->frames);
	/* The nodes of a damaged profile may form a cycle, so the depth is limited. */
	for (size_t i = 0; at != PAIR_MAP_NONE && i <= STACK_MAX_FRAMES; i++) {
		const struct profile_node *n = &x->nodes[at];

		if (!n->is_root)
			stack_push_routine(c->frames, n->routine);
		at = n->parent == MODEL_NULL ? PAIR_MAP_NONE
					     : pair_map_get(&p->nodes, n->parent, 0);
	}
	if (!stack_end(c->frames, false, stack, NULL, c->in->err))
		return false;
	x->nodes[node].stack = *stack;
	return true;
}

static int
compare_samples(const void *a, const void *b)
{
	const struct profile_sample *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Emits the samples. A sample lasts until the next sample, or else until the end of the profile. */
static bool
emit_samples(struct chrome *c, struct profile *p, int32_t track)
{
	struct chrome_profiles *x = c->profiles;

	if (p->count)
		qsort(p->samples, p->count, sizeof(*p->samples), compare_samples);
	for (size_t i = 0; i < p->count; i++) {
		const struct profile_sample *s = &p->samples[i];
		const uint32_t node = pair_map_get(&p->nodes, s->node, 0);
		int64_t until = i + 1 < p->count ? p->samples[i + 1].at : p->end;
		struct decimal value;
		struct sample_row row = { .track = track,
			.at = decimal_from_int64(s->at),
			.metric = x->metric,
			.values = &value,
			.value_count = 1 };

		if (until == MODEL_NULL || until < s->at)
			until = s->at;
		value = chrome_duration(c, decimal_from_int64(until - s->at));
		if (value.kind == DECIMAL_NULL)
			value = decimal_from_int64(0);
		if (node == PAIR_MAP_NONE)
			x->dangling++;
		else if (!stack_of(c, p, node, &row.stack))
			return false;
		if (!emit_sample(c->in, &row))
			return false;
	}
	return true;
}

static bool
emit_profile(struct chrome *c, struct profile *p)
{
	const struct chrome_track *t = &c->tracks[p->track];
	const int64_t start = p->count ? p->samples[0].at : p->at;
	struct track_row row = { .id = ++c->last_track,
		.kind = "cpu profile",
		.name = t->name,
		.process_name = c->processes[t->process].name,
		.process_id = t->process_id,
		.thread_id = t->thread_id,
		.metric = c->profiles->metric,
		.start = decimal_from_int64(start),
		.started_us = MODEL_NULL };

	if (p->end != MODEL_NULL && p->end >= start)
		row.duration = decimal_from_int64(p->end - start);
	return emit_track(c->in, &row) && emit_samples(c, p, row.id);
}

bool
chrome_profiles_emit(struct chrome *c)
{
	struct chrome_profiles *x = c->profiles;

	if (!x)
		return true;
	for (size_t i = 0; i < x->count; i++)
		if (!emit_profile(c, &x->profiles[i]))
			return false;
	return reader_issue_count(c->in, ISSUE_DANGLING_ROUTINE, 0, x->dangling,
		"sample of a CPU profile names a missing node",
		"samples of CPU profiles name a missing node");
}
