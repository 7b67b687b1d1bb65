/* Processes, threads, navigations and bounds of a trace. */
#include "base/array.h"
#include "chrome_private.h"

#include <math.h>
#include <stdlib.h>

/* As JSON text; "null" if absent. */
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

	/* DevTools shows the GPU's main thread elsewhere. */
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
	static const char *const version_keys[] = { "product-version", "version" };

	if (!is_name(key, "metadata"))
		return;
	for (size_t i = 0; i < 2; i++) {
		const struct text t = chrome_json_string(json_tree_get(j, version_keys[i]));

		if (t.size > 0 && text_is_null(c->application))
			c->application = arena_text(&c->arena, t);
	}
}

static void
append_name(struct strbuf *b, const char *key, struct text value)
{
	strbuf_printf(b, ",\"%s\":", key);
	if (text_is_null(value))
		strbuf_append_str(b, "null");
	else
		json_append_text(b, value);
}

static void
append_processes(struct chrome *c, struct strbuf *b)
{
	bool first = true;

	strbuf_append_str(b, ",\"processes\":[");
	for (size_t i = 0; i < c->process_count; i++) {
		const struct chrome_process *p = &c->processes[i];

		if (!p->named)
			continue;
		strbuf_printf(
			b, "%s{\"order\":%lld,\"pid\":", first ? "" : ",", (long long)p->named);
		strbuf_append_text(b, p->pid);
		append_name(b, "name", p->name);
		strbuf_append_char(b, '}');
		first = false;
	}
	strbuf_append_char(b, ']');
}

static void
append_threads(struct chrome *c, struct strbuf *b)
{
	bool first = true;

	strbuf_append_str(b, ",\"threads\":[");
	for (size_t i = 0; i < c->track_count; i++) {
		const struct chrome_track *t = &c->tracks[i];

		if (!t->named)
			continue;
		strbuf_printf(b, "%s{\"process\":%lld,\"order\":%lld,\"pid\":", first ? "" : ",",
			(long long)c->processes[t->process].thread_named, (long long)t->named);
		strbuf_append_text(b, t->pid);
		strbuf_append_str(b, ",\"tid\":");
		strbuf_append_text(b, t->tid);
		append_name(b, "name", t->name);
		strbuf_printf(b, ",\"devtools\":%s}", t->hidden ? "false" : "true");
		first = false;
	}
	strbuf_append_char(b, ']');
}

static void
append_navigations(struct chrome *c, struct strbuf *b)
{
	strbuf_append_str(b, ",\"navigations\":[");
	for (size_t i = 0; i < c->navigation_count; i++) {
		struct chrome_navigation *n = &c->navigations[i];

		/* DevTools ignores navigations of frames that no event announced. */
		if (!pair_map_add_bytes(&c->frame_map, n->frame.data, n->frame.size, 0, NULL))
			n->hidden = true;
		strbuf_append_str(b, i ? ",{\"ts\":" : "{\"ts\":");
		strbuf_append_text(b, n->ts);
		strbuf_append_str(b, ",\"pid\":");
		strbuf_append_text(b, n->pid);
		strbuf_append_str(b, ",\"frame\":");
		strbuf_append_text(b, n->frame);
		append_name(b, "navigationId", n->id);
		append_name(b, "url", n->url);
		strbuf_printf(b, ",\"devtools\":%s}", n->hidden ? "false" : "true");
	}
	strbuf_append_char(b, ']');
}

static void
append_bound(struct strbuf *b, const char *key, double v, bool known)
{
	strbuf_printf(b, ",\"%s\":", key);
	if (known && isfinite(v))
		chrome_json_write_double(b, v);
	else
		strbuf_append_str(b, "null");
}

const char *
chrome_refusal_text(unsigned bit)
{
	switch (bit) {
	case CHROME_BAD_JSON:
		return "not strict JSON";
	case CHROME_NON_OBJECT:
		return "an event that is no object";
	case CHROME_NAMELESS:
		return "an event without name";
	case CHROME_NO_FRAMES:
		return "no frames where tracing started";
	default:
		return "a timing, name or navigation without args";
	}
}

static void
append_refusals(struct chrome *c, struct strbuf *b)
{
	bool first = true;

	strbuf_append_str(b, ",\"devtoolsRefuses\":[");
	for (unsigned bit = 1; bit <= CHROME_TIMING_NO_ARGS; bit <<= 1) {
		if (!(c->refusals & bit))
			continue;
		strbuf_printf(b, "%s\"%s\"", first ? "" : ",", chrome_refusal_text(bit));
		first = false;
	}
	strbuf_append_char(b, ']');
}

/* Emits the content of the trace other than timings, as attributes of the result set. */
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
	append_bound(&b, "min", bounds->has_started ? bounds->started : bounds->min,
		any || bounds->has_started);
	append_bound(&b, "max", bounds->max, any);
	append_refusals(c, &b);
	append_processes(c, &b);
	append_threads(c, &b);
	append_navigations(c, &b);
	strbuf_append_str(&b, ",\"file\":");
	strbuf_append_text(&b, c->others.size ? strbuf_text(&c->others) : TEXT_LITERAL("{"));
	strbuf_append_str(&b, "}}");
	if (b.failed)
		ok = error_set(c->in->err, ERROR_LIMIT,
			"names of processes, threads and navigations "
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
		strbuf_append_str(&b, ",\"tid\":");
		strbuf_append_text(&b, t->tid);
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
