/* Processes, threads, navigations and bounds of a trace. */
#include "base/array.h"
#include "base/double.h"
#include "chrome_private.h"

#include <math.h>
#include <stdlib.h>

/* The value as JSON text; "null" if j is NULL. */
static struct text
json_text_of(struct chrome *c, const struct json_node *j)
{
	struct strbuf b;
	struct text t;

	if (!j)
		return TEXT_LITERAL("null");
	if (j->type == JSON_NUMBER)
		return j->text;
	strbuf_init(&b, CHROME_MAX_EVENT_BYTES);
	json_tree_keep(&b, j);
	t = arena_text(&c->scratch, strbuf_text(&b));
	strbuf_release(&b);
	return t;
}

static int64_t
whole_number(struct text json)
{
	struct decimal d;

	if (decimal_parse(json, &d) != DECIMAL_OK || d.kind != DECIMAL_COMPACT || d.scale != 0)
		return MODEL_NULL;
	return d.mantissa;
}

static uint32_t
process_of(struct chrome *c, struct text pid)
{
	bool added;
	const uint32_t n = pair_map_add_bytes(
		&c->process_map, pid.data, pid.size, (uint32_t)c->process_count, &added);

	if (!added)
		return n;
	*ARRAY_ADD(c->processes, c->process_count, c->process_room) =
		(struct chrome_process){ .pid = arena_text(&c->arena, pid) };
	return n;
}

bool
chrome_track_of(struct chrome *c, const struct json_node *event, uint32_t *track)
{
	const struct text pid = json_text_of(c, json_tree_get(event, "pid"));
	const struct text tid = json_text_of(c, json_tree_get(event, "tid"));
	const uint32_t process = process_of(c, pid);
	const struct hash128 h = hash128(tid.data, tid.size);
	bool added;

	*track = pair_map_add(&c->track_map, (int64_t)(h.low ^ h.high), process,
		(uint32_t)c->track_count, &added);
	if (!added)
		return true;
	if (c->track_count >= CHROME_MAX_TRACKS)
		return error_set(
			c->in->err, ERROR_LIMIT, "more than %d threads", CHROME_MAX_TRACKS);
	*ARRAY_ADD(c->tracks, c->track_count, c->track_room) = (struct chrome_track){
		.pid = c->processes[process].pid,
		.tid = arena_text(&c->arena, tid),
		.process_id = whole_number(pid),
		.thread_id = whole_number(tid),
		.process = process,
	};
	return true;
}

void
chrome_bounds_add(struct chrome_bounds *b, double ts, double dur)
{
	if (!b->any || ts < b->min)
		b->min = ts;
	if (!b->any || ts + dur > b->max)
		b->max = ts + dur;
	b->any = true;
}

static void
know_frame(struct chrome *c, const struct json_node *frame)
{
	const struct text t = json_text_of(c, frame);

	pair_map_add_bytes(&c->frame_map, t.data, t.size, 1, NULL);
}

static void
know_frames(struct chrome *c, const struct json_node *data)
{
	const struct json_node *frames = json_tree_get(data, "frames");

	if (!frames)
		return;
	for (const struct json_node *f = frames->first; f; f = f->next)
		know_frame(c, json_tree_get(f, "frame"));
}

static bool
is_name(struct text name, const char *s)
{
	return text_equal(name, text_from(s));
}

static void
thread_name(struct chrome *c, uint32_t track, const struct json_node *args)
{
	struct chrome_track *t = &c->tracks[track];
	struct chrome_process *p = &c->processes[t->process];
	const struct text name = chrome_json_js_text(&c->scratch, json_tree_get(args, "name"));

	/* DevTools does not show the GPU's main thread in the list of threads. */
	if (is_name(name, "CrGpuMain")) {
		t->hidden = t->named == 0;
	} else {
		t->hidden = false;
		if (!p->thread_named)
			p->thread_named = (int64_t)c->events + 1;
	}
	if (!t->named)
		t->named = (int64_t)c->events + 1;
	t->name = arena_text(&c->arena, name);
}

static void
process_name(struct chrome *c, uint32_t track, const struct json_node *args)
{
	struct chrome_process *p = &c->processes[c->tracks[track].process];

	if (!p->named)
		p->named = (int64_t)c->events + 1;
	p->name = arena_text(
		&c->arena, chrome_json_js_text(&c->scratch, json_tree_get(args, "name")));
}

static void
navigation(struct chrome *c, const struct json_node *event, const struct json_node *args)
{
	const struct json_node *data = json_tree_get(args, "data");
	const struct json_node *url = json_tree_get(data, "documentLoaderURL");
	const struct json_node *id = json_tree_get(data, "navigationId");
	struct chrome_navigation n = { { 0 } };
	const struct text key = json_text_of(c, id);
	bool first = true;

	if (!data)
		return;
	n.hidden = url && url->type == JSON_STRING && url->text.size == 0;
	if (!n.hidden)
		pair_map_add_bytes(&c->navigation_map, key.data, key.size, 1, &first);
	n.hidden = n.hidden || !first;
	n.id = arena_text(&c->arena, chrome_json_string(id));
	n.url = arena_text(&c->arena, chrome_json_string(url));
	n.frame = arena_text(&c->arena, json_text_of(c, json_tree_get(args, "frame")));
	n.ts = arena_text(&c->arena, json_text_of(c, json_tree_get(event, "ts")));
	n.pid = arena_text(&c->arena, json_text_of(c, json_tree_get(event, "pid")));
	*ARRAY_ADD(c->navigations, c->navigation_count, c->navigation_room) = n;
}

bool
chrome_trace_event(struct chrome *c, const struct json_node *event)
{
	const struct text name = chrome_json_string(json_tree_get(event, "name"));
	const struct json_node *args = json_tree_get(event, "args");
	const struct json_node *data = json_tree_get(args, "data");
	const bool no_args = !args || args->type == JSON_NULL;
	uint32_t track;

	if (is_name(name, "TracingStartedInBrowser") || is_name(name, "TracingStartedInPage")) {
		if (!chrome_json_truthy(data))
			c->refusals |= CHROME_NO_FRAMES;
		if (is_name(name, "TracingStartedInPage"))
			return true;
		c->bounds.has_started =
			chrome_json_double(json_tree_get(event, "ts"), &c->bounds.started);
		know_frames(c, data);
		return true;
	}
	if (is_name(name, "FrameCommittedInBrowser") || is_name(name, "CommitLoad")) {
		if (chrome_json_truthy(data))
			know_frame(c, json_tree_get(data, "frame"));
		return true;
	}
	if (no_args)
		c->refusals |= CHROME_TIMING_NO_ARGS;
	if (is_name(name, "navigationStart")) {
		navigation(c, event, args);
		return true;
	}
	if (!chrome_track_of(c, event, &track))
		return false;
	if (is_name(name, "thread_name"))
		thread_name(c, track, args);
	else
		process_name(c, track, args);
	return true;
}

void
chrome_trace_metadata(struct chrome *c, struct text key, const struct json_node *j)
{
	struct text t;

	if (!is_name(key, "metadata") || !text_is_null(c->application))
		return;
	t = chrome_json_string(json_tree_get(j, "product-version"));
	if (!t.size)
		t = chrome_json_string(json_tree_get(j, "version"));
	if (t.size)
		c->application = arena_text(&c->arena, t);
}

void
chrome_put_json(struct strbuf *b, const char *key, struct text json)
{
	strbuf_printf(b, ",\"%s\":", key);
	strbuf_append_text(b, json);
}

void
chrome_put_number(struct strbuf *b, const char *key, double v)
{
	char digits[DOUBLE_TEXT_MAX];

	chrome_put_json(b, key,
		isfinite(v) ? (struct text){ digits, double_format(v, digits) }
			    : TEXT_LITERAL("null"));
}

void
chrome_put_string(struct strbuf *b, const char *key, struct text value)
{
	strbuf_printf(b, ",\"%s\":", key);
	if (text_is_null(value))
		strbuf_append_str(b, "null");
	else
		json_append_text(b, value);
}

/* Begins the next object of a list. */
static void
begin_item(struct strbuf *b)
{
	strbuf_append_str(b, b->data[b->size - 1] == '[' ? "{" : ",{");
}

static void
append_processes(struct chrome *c, struct strbuf *b)
{
	strbuf_append_str(b, ",\"processes\":[");
	for (size_t i = 0; i < c->process_count; i++) {
		const struct chrome_process *p = &c->processes[i];

		if (!p->named)
			continue;
		begin_item(b);
		strbuf_printf(b, "\"order\":%lld", (long long)p->named);
		chrome_put_json(b, "pid", p->pid);
		chrome_put_string(b, "name", p->name);
		strbuf_append_char(b, '}');
	}
	strbuf_append_char(b, ']');
}

static void
append_threads(struct chrome *c, struct strbuf *b)
{
	strbuf_append_str(b, ",\"threads\":[");
	for (size_t i = 0; i < c->track_count; i++) {
		const struct chrome_track *t = &c->tracks[i];

		if (!t->named)
			continue;
		begin_item(b);
		strbuf_printf(b, "\"process\":%lld,\"order\":%lld",
			(long long)c->processes[t->process].thread_named, (long long)t->named);
		chrome_put_json(b, "pid", t->pid);
		chrome_put_json(b, "tid", t->tid);
		chrome_put_string(b, "name", t->name);
		strbuf_printf(b, ",\"devtools\":%s}", t->hidden ? "false" : "true");
	}
	strbuf_append_char(b, ']');
}

static void
append_navigations(struct chrome *c, struct strbuf *b)
{
	strbuf_append_str(b, ",\"navigations\":[");
	for (size_t i = 0; i < c->navigation_count; i++) {
		struct chrome_navigation *n = &c->navigations[i];

		/* DevTools ignores navigations of frames that no other event mentions. */
		if (!pair_map_add_bytes(&c->frame_map, n->frame.data, n->frame.size, 0, NULL))
			n->hidden = true;
		begin_item(b);
		strbuf_append_str(b, "\"ts\":");
		strbuf_append_text(b, n->ts);
		chrome_put_json(b, "pid", n->pid);
		chrome_put_json(b, "frame", n->frame);
		chrome_put_string(b, "navigationId", n->id);
		chrome_put_string(b, "url", n->url);
		strbuf_printf(b, ",\"devtools\":%s}", n->hidden ? "false" : "true");
	}
	strbuf_append_char(b, ']');
}

/* Reasons by bit number of enum chrome_refusal. */
const char *const chrome_refusals[CHROME_REFUSALS] = { "not strict JSON",
	"an event that is no object", "an event without name", "no frames where tracing started",
	"a timing, name or navigation without args" };

static void
append_refusals(struct chrome *c, struct strbuf *b)
{
	const char *comma = "";

	strbuf_append_str(b, ",\"devtoolsRefuses\":[");
	for (size_t i = 0; i < CHROME_REFUSALS; i++)
		if (c->refusals & 1u << i) {
			strbuf_printf(b, "%s\"%s\"", comma, chrome_refusals[i]);
			comma = ",";
		}
	strbuf_append_char(b, ']');
}

/* Emits everything in the trace except timings, as attributes of the result set. */
bool
chrome_emit_trace(struct chrome *c)
{
	const struct chrome_bounds *bounds = &c->bounds;
	const bool any = bounds->any && !bounds->broken;
	struct strbuf b;
	bool ok = true;

	strbuf_init(&b, 256 * (size_t)1024 * 1024);
	strbuf_printf(&b, "{\"form\":\"%s\",\"events\":%llu", c->array_form ? "array" : "object",
		(unsigned long long)c->events);
	chrome_put_number(&b, "min",
		bounds->has_started ? bounds->started
		: any               ? bounds->min
				    : NAN);
	chrome_put_number(&b, "max", any ? bounds->max : NAN);
	append_refusals(c, &b);
	append_processes(c, &b);
	append_threads(c, &b);
	append_navigations(c, &b);
	chrome_put_json(&b, "file", c->others.size ? strbuf_text(&c->others) : TEXT_LITERAL("{"));
	strbuf_append_str(&b, "}}");
	if (b.failed)
		ok = error_set(c->in->err, ERROR_LIMIT,
			"process, thread and navigation names "
			"of more than 256 MiB");
	ok = ok && emit_metadata(c->in, "attributes", strbuf_text(&b));
	strbuf_release(&b);
	if (ok && !text_is_null(c->application))
		ok = emit_metadata(c->in, "app_version", c->application);
	for (size_t i = 0; ok && i < c->navigation_count; i++)
		if (!c->navigations[i].hidden && c->navigations[i].url.size > 0)
			return emit_metadata(c->in, "application", c->navigations[i].url);
	return ok;
}

bool
chrome_emit_track(struct chrome *c, const struct chrome_track *t, const char *kind,
	metric_number metric, int32_t *id)
{
	const struct chrome_process *p = &c->processes[t->process];
	struct track_row row = {
		.kind = kind,
		.name = t->name,
		.process_name = p->name,
		.process_id = t->process_id,
		.thread_id = t->thread_id,
		.metric = metric,
		.started_us = MODEL_NULL,
	};
	struct strbuf b;
	bool ok;

	if (*id)
		return true;
	strbuf_init(&b, 2 * (size_t)CHROME_MAX_EVENT_BYTES);
	if (t->process_id == MODEL_NULL || t->thread_id == MODEL_NULL) {
		strbuf_append_str(&b, "{\"pid\":");
		strbuf_append_text(&b, t->pid);
		chrome_put_json(&b, "tid", t->tid);
		strbuf_append_char(&b, '}');
		row.attributes = strbuf_text(&b);
	}
	row.id = *id = ++c->last_track;
	ok = emit_track(c->in, &row);
	strbuf_release(&b);
	return ok;
}

bool
chrome_emit_threads(struct chrome *c)
{
	for (size_t i = 0; i < c->track_count; i++)
		if (!chrome_emit_track(c, &c->tracks[i], "thread", c->metric, &c->tracks[i].id))
			return false;
	return true;
}
