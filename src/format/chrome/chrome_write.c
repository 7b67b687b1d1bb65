/* Writes a Chrome trace that DevTools can open, with the timings that were loaded. Format: see
 * "Trace Event Format" (Google, 2016), and chrome_private.h. */
#include "base/array.h"
#include "chrome_private.h"
#include "chrome_write_private.h"

#include <stdlib.h>

/* --- events as they were loaded ------------------------------------------------------- */

/* Parses the attributes of a row, and restores the strings of the original trace. Returns NULL if
 * the attributes are not JSON. */
static struct json_node *
parse_attributes(struct chrome_writer *w, struct arena *a, struct text attributes)
{
	strbuf_reset(&w->text);
	json_append_original(&w->text, attributes);
	return chrome_json_parse(a, strbuf_text(&w->text), false);
}

static void
put_node(struct chrome_writer *w, const struct json_node *j)
{
	strbuf_reset(&w->text);
	json_tree_put(&w->text, j);
	json_raw(&w->json, strbuf_text(&w->text));
}

/* Writes an event. Adds the name or the args if the event lacks them, because DevTools requires
 * both. If the args are null, a second member with args follows and overrides the null. */
static void
put_event(struct chrome_writer *w, const struct json_node *event)
{
	const bool named = json_tree_get(event, "name") != NULL;
	const struct json_node *args = json_tree_get(event, "args");
	const bool has_args = args && args->type != JSON_NULL;

	if (event->type == JSON_STRING) { /* stored as text: too deep for PostgreSQL */
		strbuf_reset(&w->text);
		json_append_original(&w->text, event->text);
		json_raw(&w->json, strbuf_text(&w->text));
		return;
	}
	if (named && has_args) {
		put_node(w, event);
		return;
	}
	json_begin_object(&w->json);
	for (const struct json_node *j = event->first; j; j = j->next) {
		json_depot_key(&w->json, j->key);
		put_node(w, j);
	}
	if (!named)
		json_key_string(&w->json, "name", "");
	if (!has_args) {
		json_key_object(&w->json, "args");
		json_end_object(&w->json);
	}
	json_end_object(&w->json);
}

static int64_t
index_of(const struct json_node *j)
{
	double v;

	return chrome_json_double(j, &v) && v >= 0 && v < (double)INT32_MAX * 4 ? (int64_t)v
										: CHROME_AFTER_ALL;
}

/* Stores an event with its index in the loaded trace. */
static bool
keep_event(struct chrome_writer *w, const struct json_node *event, const struct json_node *index,
	struct error *err)
{
	if (!event || (event->type != JSON_OBJECT && event->type != JSON_STRING))
		return true;
	put_event(w, event);
	return chrome_keep(w, index_of(index), err);
}

static bool
take_instants(struct chrome_writer *w, const struct json_node *attributes, struct error *err)
{
	const struct json_node *events = json_tree_get(attributes, "instants");
	const struct json_node *indexes = json_tree_get(attributes, "inner");
	const struct json_node *i = indexes ? indexes->first : NULL;

	for (const struct json_node *e = events ? events->first : NULL; e; e = e->next) {
		if (!keep_event(w, e, i, err))
			return false;
		i = i ? i->next : NULL;
	}
	return true;
}

/* Returns whether the span is a stamp without args. With such an event, DevTools would refuse the
 * whole file, and adding args would change the stamp. */
static bool
is_unwritable(const struct span_row *row, const struct json_node *attributes)
{
	return strcmp(row->kind, "stamp") == 0 &&
	       text_equal(chrome_json_string(json_tree_get(attributes, "lost")),
		       TEXT_LITERAL("no-args"));
}

static bool
take_span(struct sink *s, uint32_t set, const struct span_row *row, struct error *err)
{
	struct chrome_writer *w = (struct chrome_writer *)s;
	const struct json_node *a;

	(void)set;
	if (text_is_null(row->attributes))
		return true;
	arena_reset(&w->scratch);
	a = parse_attributes(w, &w->scratch, row->attributes);
	if (text_equal(row->name, TEXT_LITERAL("navigationStart")))
		w->has_navigation = true;
	if (text_equal(row->name, TEXT_LITERAL("TracingStartedInBrowser")))
		w->has_frames = true;
	if (!is_unwritable(row, a) &&
		!keep_event(w, json_tree_get(a, "begin"), json_tree_get(a, "event"), err))
		return false;
	return keep_event(w, json_tree_get(a, "end"), json_tree_get(a, "last"), err) &&
	       take_instants(w, a, err);
}

static bool
take_metadata(struct sink *s, uint32_t set, const char *key, struct text value, struct error *err)
{
	struct chrome_writer *w = (struct chrome_writer *)s;

	(void)set;
	(void)err;
	if (strcmp(key, "attributes") == 0)
		w->trace = parse_attributes(w, &w->arena, value);
	return true;
}

/* --- events before the loaded events -------------------------------------------------- */

static void
put_member(struct chrome_writer *w, const char *key, const struct json_node *value)
{
	json_key(&w->json, key);
	if (value)
		put_node(w, value);
	else
		json_int(&w->json, 0);
}

/* Writes the members of an event except its args, and ends the event's object. */
static void
put_rest(struct chrome_writer *w, const char *category, const char *name, const char *ph,
	const struct json_node *pid, const struct json_node *tid, const struct json_node *ts)
{
	json_key_string(&w->json, "cat", category);
	json_key_string(&w->json, "name", name);
	json_key_string(&w->json, "ph", ph);
	if (strcmp(ph, "M") != 0)
		json_key_string(&w->json, "s", "t");
	put_member(w, "pid", pid);
	put_member(w, "tid", tid);
	put_member(w, "ts", ts);
	json_end_object(&w->json);
}

static const struct json_node *
items_of(const struct chrome_writer *w, const char *list)
{
	const struct json_node *j = json_tree_get(w->trace, list);

	return j && j->type == JSON_ARRAY ? j->first : NULL;
}

static int
compare_named(const void *x, const void *y)
{
	const struct json_node *const *a = x, *const *b = y;
	const int64_t first = index_of(json_tree_get(*a, "order"));
	const int64_t second = index_of(json_tree_get(*b, "order"));

	return (first > second) - (first < second);
}

static bool
write_name(struct chrome_writer *w, const struct json_node *named, const char *event,
	struct error *err)
{
	json_begin_object(&w->json);
	json_key_object(&w->json, "args");
	put_member(w, "name", json_tree_get(named, "name"));
	json_end_object(&w->json);
	put_rest(w, "__metadata", event, "M", json_tree_get(named, "pid"),
		json_tree_get(named, "tid"), NULL);
	return chrome_keep(w, CHROME_BEFORE_ALL, err);
}

/* Writes the names in the order of the trace, which is also DevTools' order. */
static bool
write_names(struct chrome_writer *w, const char *list, const char *event, struct error *err)
{
	const struct json_node **items = NULL;
	/* cppcheck-suppress unreadVariable ; ARRAY_ADD uses room */
	size_t count = 0, room = 0;
	bool ok = true;

	for (const struct json_node *i = items_of(w, list); i; i = i->next)
		*ARRAY_ADD(items, count, room) = i;
	if (count)
		qsort(items, count, sizeof(*items), compare_named);
	for (size_t n = 0; ok && n < count; n++)
		ok = write_name(w, items[n], event, err);
	free(items);
	return ok;
}

static void
write_frame(struct chrome_writer *w, const struct json_node *navigation, bool first)
{
	json_begin_object(&w->json);
	if (first) {
		json_key_bool(&w->json, "isInPrimaryMainFrame", true);
		json_key_bool(&w->json, "isOutermostMainFrame", true);
	}
	put_member(w, "frame", json_tree_get(navigation, "frame"));
	json_key_string(&w->json, "name", "");
	put_member(w, "processId", json_tree_get(navigation, "pid"));
	put_member(w, "url", json_tree_get(navigation, "url"));
	json_end_object(&w->json);
}

/* Writes the list of frames. DevTools accepts a navigation only if this list contains the
 * navigation's frame. */
static bool
write_frames(struct chrome_writer *w, struct error *err)
{
	const struct json_node *start = json_tree_get(w->trace, "min");
	const struct json_node *first = items_of(w, "navigations");

	while (first && !json_tree_is(json_tree_get(first, "devtools"), JSON_TRUE))
		first = first->next;
	if (!first)
		return true;
	json_begin_object(&w->json);
	json_key_object(&w->json, "args");
	json_key_object(&w->json, "data");
	json_key_int(&w->json, "frameTreeNodeId", 1);
	json_key_array(&w->json, "frames");
	for (const struct json_node *n = first; n; n = n->next)
		if (json_tree_is(json_tree_get(n, "devtools"), JSON_TRUE))
			write_frame(w, n, n == first);
	json_end_array(&w->json);
	json_key_bool(&w->json, "persistentIds", true);
	json_end_object(&w->json);
	json_end_object(&w->json);
	put_rest(w, "disabled-by-default-devtools.timeline", "TracingStartedInBrowser", "I",
		json_tree_get(first, "pid"), NULL,
		json_tree_is(start, JSON_NUMBER) ? start : json_tree_get(first, "ts"));
	return chrome_keep(w, CHROME_BEFORE_ALL, err);
}

static bool
write_navigation(struct chrome_writer *w, const struct json_node *n, struct error *err)
{
	json_begin_object(&w->json);
	json_key_object(&w->json, "args");
	json_key_object(&w->json, "data");
	put_member(w, "documentLoaderURL", json_tree_get(n, "url"));
	json_key_bool(&w->json, "isLoadingMainFrame", true);
	put_member(w, "navigationId", json_tree_get(n, "navigationId"));
	json_end_object(&w->json);
	put_member(w, "frame", json_tree_get(n, "frame"));
	json_end_object(&w->json);
	put_rest(w, "blink.user_timing", "navigationStart", "R", json_tree_get(n, "pid"),
		json_tree_get(n, "pid"), json_tree_get(n, "ts"));
	return chrome_keep(w, CHROME_BEFORE_ALL, err);
}

/* --- a trace --------------------------------------------------------------------------- */

/* Writes the top-level members other than the events. */
static void
write_file_members(struct chrome_writer *w)
{
	const struct json_node *file = json_tree_get(w->trace, "file");

	strbuf_reset(&w->text);
	for (const struct json_node *j = json_tree_is(file, JSON_OBJECT) ? file->first : NULL; j;
		j = j->next) {
		strbuf_append_str(&w->text, ",\n");
		json_append_depot_text(&w->text, j->key);
		strbuf_append_str(&w->text, ": ");
		json_tree_put(&w->text, j);
	}
	fwrite(strbuf_str(&w->text), 1, w->text.size, w->out);
}

static bool
write_trace(struct chrome_writer *w, struct error *err)
{
	fputs("{\"traceEvents\": [", w->out);
	if (!write_names(w, "processes", "process_name", err) ||
		!write_names(w, "threads", "thread_name", err) ||
		(!w->has_frames && !write_frames(w, err)))
		return false;
	for (const struct json_node *n = w->has_navigation ? NULL : items_of(w, "navigations"); n;
		n = n->next)
		if (!write_navigation(w, n, err))
			return false;
	if (!chrome_write_kept(w, err))
		return false;
	fputs("\n]", w->out);
	write_file_members(w);
	fputs("}\n", w->out);
	return ferror(w->out) ? error_set_errno(err, ERROR_FILE, "output") : true;
}

static bool
take_all(struct source *source, struct chrome_writer *w, int32_t track, struct error *err)
{
	const struct sink set = { .metadata = take_metadata, .metric = chrome_write_metric };
	const char *format = source->format(source, 0);

	if (!chrome_write_part(w, SOURCE_SET, SOURCE_EVERY_TRACK, &set, err))
		return false;
	if (format && strcmp(format, "chrome") == 0) {
		const struct sink spans = { .span = take_span };

		w->has_spans = true;
		return chrome_write_part(w, SOURCE_SPANS, track, &spans, err);
	}
	w->trace = NULL; /* attributes of another format */
	return chrome_write_others(w, track, err);
}

bool
chrome_write(struct source *source, FILE *out, const struct format_write_options *options,
	struct error *err)
{
	struct chrome_writer w = {
		.source = source, .arena = ARENA_INIT, .scratch = ARENA_INIT, .out = out
	};
	bool ok;

	if (source->set_count != 1)
		return error_set(err, ERROR_USAGE, "a Chrome trace holds one result set, not %u",
			source->set_count);
	w.kept = tmpfile();
	if (!w.kept)
		return error_set_errno(err, ERROR_FILE, "temporary file");
	json_writer_init(&w.json, w.kept, false);
	strbuf_init(&w.text, SIZE_MAX / 2);
	ok = take_all(source, &w, (int32_t)options->track, err);
	if (ok && !w.has_spans) {
		error_set(
			err, ERROR_USAGE, "the result set has no spans to write as a Chrome trace");
		ok = error_hint(err, "\"profdepot export --format speedscope\" writes any "
				     "result set that has stacks");
	}
	ok = ok && write_trace(&w, err);
	fclose(w.kept);
	free(w.events);
	free(w.routines);
	free(w.metrics);
	pair_map_release(&w.routine_map);
	strbuf_release(&w.text);
	arena_release(&w.scratch);
	arena_release(&w.arena);
	return ok;
}
