/*
 * compare_chrome [--exported] MAP REPORTS CORPUS: checks that the reports on Chrome traces agree with
 * DevTools.
 *
 * MAP has a line "INST_ID CASE" for each result set. REPORTS/NAME.json is the output of
 * `profdepot report NAME all --like-devtools --output json`.
 * CORPUS/CASE/expected.json is the answer of DevTools' own code. Every field and the order must be
 * equal. Where DevTools has no answer (null), nothing is compared. Prints the differences. Exits
 * with status 1 if it finds differences.
 *
 * With --exported, the traces were exported from the depot and contain fewer events than the
 * originals. The following are then not compared: positions, the number of events, and the bounds
 * and the form of the file.
 */
#include "format/chrome/chrome_json.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	NAME_BYTES = 200,
	SHOWN_BYTES = 120
};

struct field {
	const char *expected; /* member of DevTools' item */
	const char *column;   /* column of the report */
};

struct list {
	const char *expected; /* member of expected.json */
	const char *report;   /* REPORTS/report.json */
	struct field fields[20];
};

#define COMMON \
	{ "pid", "pid" }, \
	{ \
		"tid", "tid" \
	}
static const struct list lists[] = {
	{ "marks", "marks",
		{ { "name", "name" }, { "ts", "start" }, COMMON, { "ph", "phase" },
			{ "navigationId", "navigation_id" }, { "startTime", "start_time" },
			{ "callTime", "call_time" }, { "detail", "detail" },
			{ "event", "event" } } },
	{ "measures", "measures",
		{ { "name", "name" }, { "ts", "start" }, { "dur", "duration" },
			{ "id", "source_id" }, COMMON, { "begin", "event" },
			{ "end", "last_event" }, { "instants", "inner_events" },
			{ "detail", "detail" }, { "callTime", "call_time" },
			{ "traceId", "trace_id" } } },
	{ "consoleTimings", "console",
		{ { "name", "name" }, { "ts", "start" }, { "dur", "duration" },
			{ "id", "source_id" }, COMMON, { "begin", "event" },
			{ "end", "last_event" }, { "instants", "inner_events" } } },
	{ "timeStamps", "stamps",
		{ { "ts", "start" }, COMMON, { "cat", "category" }, { "message", "message" },
			{ "name", "name" }, { "start", "stamp_start" }, { "end", "stamp_end" },
			{ "track", "track" }, { "trackGroup", "track_group" }, { "color", "color" },
			{ "devtools", "data" }, { "event", "event" } } },
	{ "measureCalls", "calls",
		{ { "traceId", "trace_id" }, { "ts", "start" }, { "dur", "duration" }, COMMON,
			{ "event", "event" } } },
	{ "navigations", "navigations",
		{ { "navigationId", "navigation_id" }, { "ts", "start" }, { "pid", "pid" },
			{ "frame", "frame" }, { "url", "url" } } },
	{ "threads", "threads", { { "pid", "pid" }, { "tid", "tid" }, { "name", "name" } } },
	{ "processes", "processes", { { "pid", "pid" }, { "name", "name" } } },
};

static const struct field entry_fields[] = { { "name", "name" }, { "ts", "start" },
	{ "dur", "duration" }, COMMON, { "event", "event" }, { "userDetail", "detail" },
	{ "selfTime", "self" }, { "depth", "depth" }, { NULL, NULL } };
static const struct field payload_fields[] = { { "dataType", "data_type" }, { "track", "track" },
	{ "trackGroup", "track_group" }, { "color", "color" }, { "tooltipText", "tooltip" },
	{ "properties", "properties" }, { NULL, NULL } };
/* A marker is not on a track, so it has no fields for tracks. */
static const struct field marker_fields[] = { { "dataType", "data_type" }, { "color", "color" },
	{ "tooltipText", "tooltip" }, { "properties", "properties" }, { NULL, NULL } };
static const struct field stamp_fields[] = { { "name", "name" }, { "ts", "start" },
	{ "dur", "duration" }, COMMON, { "event", "event" }, { NULL, NULL } };

struct comparison {
	struct arena arena;
	const char *name; /* name of the case */
	struct text inst_id;
	const char *reports;
	bool exported;
	int differences;
};

static struct json_node *
read_json(struct arena *a, const char *path)
{
	FILE *in = fopen(path, "rb");
	struct json_node *j;
	struct strbuf b;
	char chunk[65536];
	size_t n;

	if (!in) {
		perror(path);
		exit(2);
	}
	strbuf_init(&b, (size_t)1 << 30);
	while ((n = fread(chunk, 1, sizeof(chunk), in)) > 0)
		strbuf_append(&b, chunk, n);
	fclose(in);
	j = chrome_json_parse(a, strbuf_text(&b), false);
	strbuf_release(&b);
	if (!j) {
		fprintf(stderr, "%s: no JSON\n", path);
		exit(2);
	}
	return j;
}

static bool
is_null(const struct json_node *j)
{
	return !j || j->type == JSON_NULL;
}

/* Replaces the depot's escapes for characters that it cannot store. They begin with U+001A. */
static struct text
unescape(struct arena *a, struct text t)
{
	char *out = arena_alloc(a, t.size + 1);
	size_t n = 0;

	for (size_t i = 0; i < t.size; i++) {
		out[n++] = t.data[i];
		if (t.data[i] == 0x1A && i + 5 <= t.size && memcmp(t.data + i + 1, "001A", 4) == 0)
			i += 4;
	}
	return (struct text){ out, n };
}

static bool equal(struct arena *a, const struct json_node *x, const struct json_node *y);

static bool
equal_children(struct arena *a, const struct json_node *x, const struct json_node *y)
{
	const struct json_node *i = x->first, *j = y->first;

	for (; i && j; i = i->next, j = j->next)
		if (!text_equal(i->key, j->key) || !equal(a, i, j))
			return false;
	return !i && !j;
}

/* x is the expected value, y the reported value. Numbers are compared as doubles. A text column can contain a number,
 * an object or an array in its original spelling. */
static bool
equal(struct arena *a, const struct json_node *x, const struct json_node *y)
{
	double v, w;
	struct text t;

	if (is_null(x) || is_null(y))
		return is_null(x) && is_null(y);
	if (chrome_json_double(x, &v) && chrome_json_double(y, &w))
		return chrome_compare(v, w) == 0;
	if (y->type == JSON_STRING) {
		t = unescape(a, y->text);
		if (x->type == JSON_STRING)
			return text_equal(x->text, t);
		y = chrome_json_parse(a, t, false);
		return y && y->type != JSON_STRING && equal(a, x, y);
	}
	if (x->type != y->type)
		return false;
	return x->type == JSON_OBJECT || x->type == JSON_ARRAY ? equal_children(a, x, y) : true;
}

static const char *
shown(struct arena *a, const struct json_node *j)
{
	struct strbuf b;
	char *s;

	if (!j)
		return "nothing";
	strbuf_init(&b, (size_t)1 << 28);
	json_tree_keep(&b, j);
	s = arena_strndup(a, strbuf_str(&b), b.size < SHOWN_BYTES ? b.size : SHOWN_BYTES);
	strbuf_release(&b);
	return s;
}

static void
differ(struct comparison *c, const char *list, size_t row, const char *field,
	const struct json_node *expected, const struct json_node *got)
{
	c->differences++;
	printf("# %s: %s %zu: %s is %s, DevTools has %s\n", c->name, list, row, field,
		shown(&c->arena, got), shown(&c->arena, expected));
}

/* In the report, userDetail is JSON text, even if it is a string. */
static bool
equal_field(struct comparison *c, const struct field *f, const struct json_node *x,
	const struct json_node *y)
{
	/* DevTools cannot open a trace with an unnamed event, so an export gives the event an empty name. */
	if (c->exported && strcmp(f->expected, "name") == 0 && is_null(x))
		return is_null(y) || (y->type == JSON_STRING && text_is_empty(y->text));
	if (strcmp(f->expected, "userDetail") == 0 && y && y->type == JSON_STRING)
		y = chrome_json_parse(&c->arena, unescape(&c->arena, y->text), false);
	return equal(&c->arena, x, y);
}

static bool
is_place(const struct field *f)
{
	return strcmp(f->column, "event") == 0 || strcmp(f->column, "last_event") == 0 ||
	       strcmp(f->column, "inner_events") == 0;
}

static void
compare_item(struct comparison *c, const char *list, size_t row, const struct field *fields,
	const struct json_node *expected, const struct json_node *got)
{
	for (const struct field *f = fields; f->expected; f++) {
		const struct json_node *x = json_tree_get(expected, f->expected);
		const struct json_node *y = json_tree_get(got, f->column);

		if (c->exported && is_place(f))
			continue;
		if (!equal_field(c, f, x, y))
			differ(c, list, row, f->column, x, y);
	}
}

/* Returns the report's rows for the case. */
static const struct json_node *
rows_of(struct comparison *c, const char *report)
{
	struct json_node *all =
		read_json(&c->arena, arena_printf(&c->arena, "%s/%s.json", c->reports, report));
	const struct json_node *sets = json_tree_get(all, "result_sets");

	for (const struct json_node *s = sets ? sets->first : NULL; s; s = s->next)
		if (text_equal(chrome_json_js_text(&c->arena, json_tree_get(s, "inst_id")),
			    c->inst_id))
			return json_tree_get(s, "rows");
	return NULL;
}

static void
compare_rows(struct comparison *c, const char *list, const struct field *fields,
	const struct json_node *expected, const struct json_node *row)
{
	size_t n = 0;

	for (; expected && row; expected = expected->next, row = row->next)
		compare_item(c, list, n++, fields, expected, row);
	if (expected || row)
		differ(c, list, n, "row", expected, row);
}

static void
compare_list(struct comparison *c, const struct list *list, const struct json_node *expected)
{
	const struct json_node *items = json_tree_get(expected, list->expected);
	const struct json_node *rows;

	if (is_null(items))
		return;
	rows = rows_of(c, list->report);
	if (!rows) {
		differ(c, list->expected, 0, "report", items, NULL);
		return;
	}
	compare_rows(c, list->expected, list->fields, items->first, rows->first);
}

static const struct json_node *
next_of(const struct json_node *row, const char *column, bool wanted)
{
	for (; row; row = row->next)
		if ((json_tree_get(row, column)->type == JSON_TRUE) == wanted)
			return row;
	return NULL;
}

static void
compare_markers(
	struct comparison *c, const struct json_node *expected, const struct json_node *rows)
{
	const struct json_node *row = next_of(rows, "marker", true);
	size_t n = 0;

	for (; expected && row; expected = expected->next) {
		compare_item(c, "markers", n, entry_fields, expected, row);
		compare_item(
			c, "markers", n++, marker_fields, json_tree_get(expected, "devtools"), row);
		row = next_of(row->next, "marker", true);
	}
	if (expected || row)
		differ(c, "markers", n, "row", expected, row);
}

static const struct json_node *
compare_track(struct comparison *c, const struct json_node *entries, const struct json_node *row,
	size_t *n)
{
	for (const struct json_node *e = entries->first; e; e = e->next, (*n)++) {
		if (!row) {
			differ(c, "track entries", *n, "row", e, NULL);
			return NULL;
		}
		compare_item(c, "track entries", *n, entry_fields, e, row);
		compare_item(
			c, "track entries", *n, payload_fields, json_tree_get(e, "devtools"), row);
		row = next_of(row->next, "marker", false);
	}
	return row;
}

static void
compare_extension(struct comparison *c, const struct json_node *extension)
{
	const struct json_node *rows = rows_of(c, "tracks");
	const struct json_node *tracks = json_tree_get(extension, "tracks");
	const struct json_node *row;
	size_t n = 0;

	if (!rows) {
		differ(c, "extension", 0, "report", extension, NULL);
		return;
	}
	compare_markers(c, json_tree_get(extension, "markers")->first, rows->first);
	row = next_of(rows->first, "marker", false);
	for (const struct json_node *t = tracks->first; t; t = t->next)
		for (const struct json_node *e = json_tree_get(t, "entriesByTrack")->first; e;
			e = e->next)
			row = compare_track(c, e, row, &n);
	if (row)
		differ(c, "track entries", n, "row", NULL, row);
}

/* Compares the Timings track. On this track, DevTools also shows the timestamps that have a start or an end. */
static void
compare_timings_track(struct comparison *c, const struct json_node *expected)
{
	const struct json_node *rows = rows_of(c, "usertimings");

	for (; expected; expected = expected->next) {
		const struct json_node *row = rows ? rows->first : NULL;
		const struct json_node *event = json_tree_get(expected, "event");

		while (row && !equal(&c->arena, event, json_tree_get(row, "event")))
			row = row->next;
		if (row)
			compare_item(c, "Timings track", 0, stamp_fields, expected, row);
		else
			differ(c, "Timings track", 0, "row", expected, NULL);
	}
}

static void
compare_file(struct comparison *c, const struct json_node *expected)
{
	const struct json_node *rows = rows_of(c, "file");
	const struct json_node *row = rows ? rows->first : NULL;
	const struct json_node *bounds = json_tree_get(expected, "traceBounds");
	const struct json_node *container = json_tree_get(expected, "container");
	const struct json_node *errors = json_tree_get(expected, "engineErrors");
	const bool refused = errors->first || !is_null(json_tree_get(container, "strictJsonError"));
	static const struct field bound_fields[] = { { "min", "min" }, { "max", "max" },
		{ NULL, NULL } };

	if (!equal(&c->arena, json_tree_get(expected, "totalEvents"), json_tree_get(row, "events")))
		differ(c, "file", 0, "events", json_tree_get(expected, "totalEvents"),
			json_tree_get(row, "events"));
	if (!is_null(bounds) || !errors->first)
		compare_item(c, "bounds", 0, bound_fields, bounds, row);
	if (!equal(&c->arena, json_tree_get(container, "form"), json_tree_get(row, "form")))
		differ(c, "file", 0, "form", json_tree_get(container, "form"),
			json_tree_get(row, "form"));
	if (refused != !is_null(json_tree_get(row, "refused")))
		differ(c, "file", 0, "refused", errors, json_tree_get(row, "refused"));
}

static int
compare_case(const char *reports, const char *corpus, struct text inst_id, const char *name,
	bool exported)
{
	struct comparison c = { .arena = ARENA_INIT,
		.name = name,
		.inst_id = inst_id,
		.reports = reports,
		.exported = exported };
	struct json_node *expected =
		read_json(&c.arena, arena_printf(&c.arena, "%s/%s/expected.json", corpus, name));
	const struct json_node *extension = json_tree_get(expected, "extension");

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		compare_list(&c, &lists[i], expected);
	if (!is_null(extension)) {
		compare_extension(&c, extension);
		if (!exported)
			compare_timings_track(
				&c, json_tree_get(extension, "timingsTrackStamps")->first);
	}
	if (!exported)
		compare_file(&c, expected);
	arena_release(&c.arena);
	return c.differences;
}

int
main(int argc, char **argv)
{
	const bool exported = argc > 1 && strcmp(argv[1], "--exported") == 0;
	char name[NAME_BYTES], inst_id[NAME_BYTES];
	int different = 0, cases = 0;
	FILE *map;

	argv += exported;
	if (argc - exported != 4 || !(map = fopen(argv[1], "r"))) {
		fprintf(stderr, "usage: compare_chrome [--exported] MAP REPORTS CORPUS\n");
		return 2;
	}
	while (fscanf(map, "%199s %199s", inst_id, name) == 2) {
		const int n = compare_case(argv[2], argv[3], text_from(inst_id), name, exported);

		cases++;
		different += n > 0;
		if (n)
			printf("# %s: %d differences\n", name, n);
	}
	fclose(map);
	printf("# %d cases, %d different\n", cases, different);
	return different || !cases;
}
