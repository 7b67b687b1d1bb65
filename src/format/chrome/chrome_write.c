#include "chrome_write_private.h"

#include "chrome_private.h"
#include "chrome_write.h"

#include <stdlib.h>

enum {
	MAX_EVENTS = 64 * 1000 * 1000
};

/* --- events, put aside until all are known ------------------------------------------ */

/* DevTools wants a name and args of every event. */
static void
append_event(struct chrome_writer *w, const struct json_node *event)
{
	const struct json_node *args = json_tree_get(event, "args");
	const bool no_args = !args || args->type == JSON_NULL;
	struct strbuf json;

	strbuf_init(&json, CHROME_WRITE_TEXT_MAX);
	if (event->type == JSON_STRING) {
		strbuf_append_text(&json, event->text); /* nested too deep for PostgreSQL */
	} else {
		json_tree_put(&json, event);
		if (json.size && (no_args || !json_tree_get(event, "name"))) {
			json.size--; /* the brace; of a key that is there twice the last counts */
			strbuf_append_str(&json, event->first ? "," : "");
			if (!json_tree_get(event, "name"))
				strbuf_printf(&json, "\"name\":\"\"%s", no_args ? "," : "");
			if (no_args)
				strbuf_append_str(&json, "\"args\":{}");
			strbuf_append_char(&json, '}');
		}
	}
	json_append_original(&w->text, strbuf_text(&json));
	w->text.failed = w->text.failed || json.failed;
	strbuf_release(&json);
}

bool
chrome_write_keep(struct chrome_writer *w, int64_t index, struct error *err)
{
	struct kept_event *e;

	if (w->count >= MAX_EVENTS)
		return error_set(err, ERROR_LIMIT, "more than %d events", MAX_EVENTS);
	if (w->count == w->room) {
		w->room = w->room ? w->room * 2 : 256;
		w->events = xrealloc(w->events, w->room * sizeof(*w->events));
	}
	if (w->text.failed)
		return error_set(
			err, ERROR_LIMIT, "an event of more than %d bytes", CHROME_WRITE_TEXT_MAX);
	e = &w->events[w->count];
	*e = (struct kept_event){
		.index = index, .number = w->count, .at = ftello(w->kept), .size = w->text.size
	};
	if (fwrite(w->text.data, 1, w->text.size, w->kept) != w->text.size)
		return error_set_errno(err, ERROR_FILE, "temporary file");
	w->count++;
	return true;
}

static bool
put_aside(struct chrome_writer *w, int64_t index, const struct json_node *event, struct error *err)
{
	strbuf_reset(&w->text);
	append_event(w, event);
	return chrome_write_keep(w, index, err);
}

static int64_t
index_of(const struct json_node *j, int64_t otherwise)
{
	double v;

	return chrome_json_double(j, &v) && v >= 0 && v < (double)INT32_MAX * 4 ? (int64_t)v
										: otherwise;
}

static bool
take_instants(struct chrome_writer *w, const struct json_node *attributes, struct error *err)
{
	const struct json_node *events = json_tree_get(attributes, "instants");
	const struct json_node *indexes = json_tree_get(attributes, "inner");
	const struct json_node *i = indexes ? indexes->first : NULL;

	for (const struct json_node *e = events ? events->first : NULL; e; e = e->next) {
		if (!put_aside(w, index_of(i, INT64_MAX), e, err))
			return false;
		i = i ? i->next : NULL;
	}
	return true;
}

static bool
is_event(const struct json_node *j)
{
	return j && (j->type == JSON_OBJECT || j->type == JSON_STRING);
}

/* A time stamp without args makes DevTools refuse the file, one with args is
 * another time stamp. */
static bool
is_unsayable(const struct span_row *row, const struct json_node *attributes)
{
	return strcmp(row->kind, "stamp") == 0 &&
	       text_equal(chrome_json_string(json_tree_get(attributes, "lost")),
		       TEXT_LITERAL("no-args"));
}

static bool
take_span(struct sink *s, uint32_t set, const struct span_row *row, struct error *err)
{
	struct chrome_writer *w = (struct chrome_writer *)s;
	const struct json_node *a, *begin, *end;
	bool ok = true;

	(void)set;
	if (text_is_null(row->attributes))
		return true;
	arena_reset(&w->scratch);
	a = chrome_json_parse(&w->scratch, row->attributes, false);
	begin = json_tree_get(a, "begin");
	end = json_tree_get(a, "end");
	if (is_event(begin) && !is_unsayable(row, a))
		ok = put_aside(w, index_of(json_tree_get(a, "event"), INT64_MAX), begin, err);
	if (ok && is_event(end))
		ok = put_aside(w, index_of(json_tree_get(a, "last"), INT64_MAX), end, err);
	if (text_equal(row->name, TEXT_LITERAL("navigationStart")))
		w->has_navigation = true;
	if (text_equal(row->name, TEXT_LITERAL("TracingStartedInBrowser")))
		w->has_frames = true;
	return ok && take_instants(w, a, err);
}

static bool
take_metadata(struct sink *s, uint32_t set, const char *key, struct text value, struct error *err)
{
	struct chrome_writer *w = (struct chrome_writer *)s;

	(void)set;
	(void)err;
	if (strcmp(key, "attributes") == 0)
		w->trace = chrome_json_parse(&w->arena, value, false);
	return true;
}

/* --- what stands before them --------------------------------------------------------- */

static void
write_text(struct chrome_writer *w, const struct strbuf *b)
{
	fputs(w->first ? "\n" : ",\n", w->out);
	w->first = false;
	fwrite(b->data ? b->data : "", 1, b->size, w->out);
}

static void
append_value(struct strbuf *b, const char *key, const struct json_node *j)
{
	strbuf_printf(b, "\"%s\":", key);
	if (j)
		json_tree_put(b, j);
	else
		strbuf_append_str(b, "0");
}

/* The text in b, unescaped, as an event. */
static void
write_made(struct chrome_writer *w, struct strbuf *b)
{
	strbuf_reset(&w->text);
	json_append_original(&w->text, strbuf_text(b));
	write_text(w, &w->text);
	strbuf_reset(b);
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
	const int64_t first = index_of(json_tree_get(*a, "order"), INT64_MAX);
	const int64_t second = index_of(json_tree_get(*b, "order"), INT64_MAX);

	return (first > second) - (first < second);
}

/* In the order in which the trace named them, which is DevTools' order. */
static void
write_names(struct chrome_writer *w, struct strbuf *b, const char *list, const char *event)
{
	const struct json_node **items;
	size_t count = 0;

	for (const struct json_node *i = items_of(w, list); i; i = i->next)
		count++;
	items = xcalloc(count + 1, sizeof(*items));
	count = 0;
	for (const struct json_node *i = items_of(w, list); i; i = i->next)
		items[count++] = i;
	qsort(items, count, sizeof(*items), compare_named);
	for (size_t n = 0; n < count; n++) {
		const struct json_node *i = items[n];

		strbuf_append_str(b, "{\"args\":{");
		append_value(b, "name", json_tree_get(i, "name"));
		strbuf_append_str(b, "},\"cat\":\"__metadata\",");
		strbuf_printf(b, "\"name\":\"%s\",\"ph\":\"M\",", event);
		append_value(b, "pid", json_tree_get(i, "pid"));
		strbuf_append_char(b, ',');
		append_value(b, "tid", json_tree_get(i, "tid"));
		strbuf_append_str(b, ",\"ts\":0}");
		write_made(w, b);
	}
	free(items);
}

static bool
in_devtools(const struct json_node *navigation)
{
	const struct json_node *j = json_tree_get(navigation, "devtools");

	return j && j->type == JSON_TRUE;
}

/* DevTools takes the navigations of frames that it is told of here. */
static void
write_frames(struct chrome_writer *w, struct strbuf *b)
{
	const struct json_node *start = json_tree_get(w->trace, "min");
	const struct json_node *first = NULL;

	strbuf_append_str(b, "{\"args\":{\"data\":{\"frameTreeNodeId\":1,\"frames\":[");
	for (const struct json_node *n = items_of(w, "navigations"); n; n = n->next) {
		if (!in_devtools(n))
			continue;
		strbuf_append_str(b, first ? ",{" : "{");
		if (!first)
			strbuf_append_str(b, "\"isInPrimaryMainFrame\":true,"
					     "\"isOutermostMainFrame\":true,");
		first = first ? first : n;
		append_value(b, "frame", json_tree_get(n, "frame"));
		strbuf_append_str(b, ",\"name\":\"\",");
		append_value(b, "processId", json_tree_get(n, "pid"));
		strbuf_append_char(b, ',');
		append_value(b, "url", json_tree_get(n, "url"));
		strbuf_append_char(b, '}');
	}
	strbuf_append_str(b, "],\"persistentIds\":true}},\"cat\":"
			     "\"disabled-by-default-devtools.timeline\",\"name\":"
			     "\"TracingStartedInBrowser\",\"ph\":\"I\",\"s\":\"t\",");
	append_value(b, "pid", json_tree_get(first, "pid"));
	strbuf_append_str(b, ",\"tid\":0,");
	append_value(
		b, "ts", start && start->type == JSON_NUMBER ? start : json_tree_get(first, "ts"));
	strbuf_append_char(b, '}');
	if (first)
		write_made(w, b);
	strbuf_reset(b);
}

static void
write_navigations(struct chrome_writer *w, struct strbuf *b)
{
	for (const struct json_node *n = items_of(w, "navigations"); n; n = n->next) {
		strbuf_append_str(b, "{\"args\":{\"data\":{");
		append_value(b, "documentLoaderURL", json_tree_get(n, "url"));
		strbuf_append_str(b, ",\"isLoadingMainFrame\":true,");
		append_value(b, "navigationId", json_tree_get(n, "navigationId"));
		strbuf_append_str(b, "},");
		append_value(b, "frame", json_tree_get(n, "frame"));
		strbuf_append_str(b, "},\"cat\":\"blink.user_timing\",\"name\":"
				     "\"navigationStart\",\"ph\":\"R\",\"s\":\"t\",");
		append_value(b, "pid", json_tree_get(n, "pid"));
		strbuf_append_char(b, ',');
		append_value(b, "tid", json_tree_get(n, "pid"));
		strbuf_append_char(b, ',');
		append_value(b, "ts", json_tree_get(n, "ts"));
		strbuf_append_char(b, '}');
		write_made(w, b);
	}
}

static int
compare_kept(const void *x, const void *y)
{
	const struct kept_event *a = x, *b = y;

	if (a->index != b->index)
		return a->index < b->index ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* An event that was two things at once is kept twice. */
static bool
write_kept(struct chrome_writer *w, struct error *err)
{
	if (w->count)
		qsort(w->events, w->count, sizeof(*w->events), compare_kept);
	for (size_t i = 0; i < w->count; i++) {
		const struct kept_event *e = &w->events[i];
		char *into;

		if (i && e->index == w->events[i - 1].index && e->index != INT64_MAX)
			continue;
		strbuf_reset(&w->text);
		into = strbuf_reserve(&w->text, e->size);
		if (fseeko(w->kept, e->at, SEEK_SET) != 0 || !into ||
			fread(into, 1, e->size, w->kept) != e->size)
			return error_set_errno(err, ERROR_FILE, "temporary file");
		w->text.size = e->size;
		write_text(w, &w->text);
	}
	return true;
}

/* What stood beside the events. */
static void
write_others(struct chrome_writer *w, struct strbuf *b)
{
	const struct json_node *file = json_tree_get(w->trace, "file");

	for (const struct json_node *j = file && file->type == JSON_OBJECT ? file->first : NULL; j;
		j = j->next) {
		strbuf_append_str(b, ",\n");
		json_append_depot_text(b, j->key);
		strbuf_append_str(b, ": ");
		json_tree_put(b, j);
	}
	strbuf_reset(&w->text);
	json_append_original(&w->text, strbuf_text(b));
	fwrite(w->text.data ? w->text.data : "", 1, w->text.size, w->out);
}

static bool
write_trace(struct chrome_writer *w, struct error *err)
{
	struct strbuf b;
	bool ok;

	strbuf_init(&b, CHROME_WRITE_TEXT_MAX);
	fputs("{\"traceEvents\": [", w->out);
	write_names(w, &b, "processes", "process_name");
	write_names(w, &b, "threads", "thread_name");
	if (!w->has_frames)
		write_frames(w, &b);
	if (!w->has_navigation)
		write_navigations(w, &b);
	ok = write_kept(w, err);
	fputs("\n]", w->out);
	write_others(w, &b);
	fputs("}\n", w->out);
	strbuf_release(&b);
	if (ok && ferror(w->out))
		return error_set_errno(err, ERROR_FILE, "output");
	return ok;
}

static bool
take_all(struct source *source, struct chrome_writer *w, int32_t track, struct error *err)
{
	const struct sink set = { .metadata = take_metadata, .metric = chrome_write_metric };
	const char *format = source->format(source, 0);

	if (!chrome_write_tell(w, SOURCE_SET, SOURCE_EVERY_TRACK, &set, err))
		return false;
	if (format && strcmp(format, "chrome") == 0) {
		const struct sink spans = { .span = take_span };

		w->has_spans = true;
		return chrome_write_tell(w, SOURCE_SPANS, track, &spans, err);
	}
	w->trace = NULL; /* another format's */
	return chrome_write_others(w, track, err);
}

bool
chrome_write(struct source *source, FILE *out, const struct format_write_options *options,
	struct error *err)
{
	struct chrome_writer w = { .source = source,
		.arena = ARENA_INIT,
		.scratch = ARENA_INIT,
		.out = out,
		.first = true };
	bool ok;

	if (source->set_count != 1)
		return error_set(err, ERROR_USAGE, "a Chrome trace holds one result set, not %u",
			source->set_count);
	w.kept = tmpfile();
	if (!w.kept)
		return error_set_errno(err, ERROR_FILE, "temporary file");
	strbuf_init(&w.text, CHROME_WRITE_TEXT_MAX);
	pair_map_init(&w.routine_map);
	ok = take_all(source, &w, (int32_t)options->track, err);
	if (ok && !w.has_spans) {
		error_set(err, ERROR_USAGE,
			"the result set holds no spans: a Chrome trace has "
			"nothing to say of it");
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
