/* Writes events as bodies for kernelscope's logger; event_bodies.h describes a body. */
#include "kernelscope_write.h"

#include "base/array.h"
#include "base/json_string.h"
#include "base/json_writer.h"
#include "base/pair_map.h"
#include "format/kernelscope/event_time.h"
#include "input/json/json_tree.h"
#include "model/source.h"

#include <stdlib.h>

enum {
	TIME_MAX_BYTES = 1024 * 1024,
	METRICS_MAX = 4096,
};

struct event_track {
	struct text category, host, process;
	struct text stack, elapsed; /* names of the stack and value columns */
	int64_t pid;
	bool has_value;
};

struct event_stack {
	const int64_t *routine_ids;
	size_t count;
};

/* The dictionaries of the result set, and the body that is being written. */
struct writer {
	struct sink sink;
	struct arena arena; /* freed with the result set */
	struct arena row;   /* reset for each row */
	struct strbuf value, stored;
	FILE *out;
	struct json_writer json;
	bool counts[METRICS_MAX]; /* whether each metric counts rows */
	struct pair_map routines; /* maps a REC_ID to the index in names */
	struct text *names;
	size_t name_room;
	struct event_track **tracks; /* indexed by track ID */
	size_t track_room;
	struct event_stack *stacks; /* indexed by stack number */
	size_t stack_room;
	bool events; /* whether a track has events */
	bool open;   /* whether a body is open */
	size_t bodies;
	struct text host;   /* the body's host */
	struct strbuf time; /* the body's time, as JSON */
	struct strbuf next_time;
	struct text *closed; /* the categories whose arrays in the body are closed */
	size_t closed_count, closed_room;
	struct text category; /* the category whose array is open, or NULL */
};

/* --- the result set --------------------------------------------------------------------------- */

static bool
/* cppcheck-suppress constParameter */
take_metric(struct sink *s, uint32_t set, const struct metric_row *row, metric_number *number,
	struct error *err)
{
	struct writer *w = (struct writer *)s;

	(void)set;
	(void)err;
	if (*number > 0 && *number < METRICS_MAX)
		w->counts[*number] = text_equal(row->unit, text_from("count"));
	return true;
}

static bool
take_routine(struct sink *s, uint32_t set, const struct routine_row *row, struct error *err)
{
	struct writer *w = (struct writer *)s;
	size_t n = w->routines.count;
	bool added;

	(void)set;
	(void)err;
	pair_map_add(&w->routines, row->rec_id, 0, (uint32_t)n, &added);
	if (!added)
		return true;
	ARRAY_RESERVE(w->names, w->name_room, n + 1);
	w->names[n] = arena_text(&w->arena, row->routine_name);
	return true;
}

/* Stores the names of the stack and value columns if they differ from the usual names. */
static bool
take_names(struct writer *w, struct event_track *t, struct text attributes, struct error *err)
{
	const struct json_node *all, *stack, *elapsed;

	if (!attributes.data)
		return true;
	all = json_tree_parse(&w->arena, attributes, err);
	stack = json_tree_get(all, "stack");
	elapsed = json_tree_get(all, "elapsed");
	if (json_tree_is(stack, JSON_STRING))
		t->stack = stack->text;
	if (json_tree_is(elapsed, JSON_STRING))
		t->elapsed = elapsed->text;
	return all != NULL;
}

static bool
take_track(struct sink *s, uint32_t set, const struct track_row *row, struct error *err)
{
	struct writer *w = (struct writer *)s;
	struct event_track *t;

	(void)set;
	if (!row->category.data || row->id < 0)
		return true;
	w->events = true;
	t = arena_alloc(&w->arena, sizeof(*t));
	*t = (struct event_track){ .category = arena_text(&w->arena, row->category),
		.host = arena_text(&w->arena, row->host),
		.process = arena_text(&w->arena, row->process_name),
		.stack = text_from("stack"),
		.elapsed = text_from("elapsed"),
		.pid = row->thread_id,
		.has_value =
			row->metric <= 0 || row->metric >= METRICS_MAX || !w->counts[row->metric] };
	ARRAY_RESERVE_ZEROED(w->tracks, w->track_room, (size_t)row->id + 1);
	w->tracks[row->id] = t;
	return take_names(w, t, row->attributes, err);
}

static bool
take_stack(struct sink *s, uint32_t set, const struct stack_row *row, stack_number *number,
	struct error *err)
{
	struct writer *w = (struct writer *)s;
	int64_t *ids = arena_alloc_array(&w->arena, row->count, sizeof(*ids));

	(void)set;
	(void)err;
	if (*number < 0)
		return true;
	memcpy(ids, row->routine_ids, row->count * sizeof(*ids));
	ARRAY_RESERVE_ZEROED(w->stacks, w->stack_room, (size_t)*number + 1);
	w->stacks[*number] = (struct event_stack){ ids, row->count };
	return true;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Appends an attribute as the sender wrote it. */
static void
append_attribute(struct writer *w, struct strbuf *b, const struct json_node *n)
{
	strbuf_reset(&w->stored);
	json_tree_put(&w->stored, n);
	json_append_original(b, strbuf_text(&w->stored));
}

/* Sets w->next_time to the time of the row, as JSON. If row->at cannot reproduce the sender's text,
 * the row has this text as an attribute. */
static void
find_time(struct writer *w, const struct sample_row *row, const struct json_node *attributes)
{
	const struct json_node *time = json_tree_get(attributes, "time");
	struct strbuf *b = &w->next_time;

	strbuf_reset(b);
	if (time) {
		append_attribute(w, b, time);
		return;
	}
	strbuf_append_char(b, '"');
	if (row->at.kind != DECIMAL_NULL && !event_time_append(b, row->at)) {
		strbuf_reset(b);
		strbuf_append_char(b, '"');
	}
	strbuf_append_char(b, '"');
}

static void
end_body(struct writer *w)
{
	if (!w->open)
		return;
	if (w->category.data)
		json_end_array(&w->json);
	json_end_object(&w->json);
	w->open = false;
	w->category = TEXT_NULL;
	w->closed_count = 0;
}

static void
begin_body(struct writer *w, struct text host)
{
	fputs(w->bodies++ ? ",\n" : "[\n", w->out);
	json_writer_init(&w->json, w->out, false);
	json_begin_object(&w->json);
	json_key_depot_text(&w->json, "hostname", host.data ? host : text_from(""));
	json_key_raw(&w->json, "time", strbuf_text(&w->next_time));
	w->host = host;
	strbuf_reset(&w->time);
	strbuf_append_text(&w->time, strbuf_text(&w->next_time));
	w->open = true;
}

/* Returns whether the body contains a closed array of this category. Adding rows to that array
 * would change the order of the rows. */
static bool
had_category(const struct writer *w, struct text category)
{
	for (size_t i = 0; i < w->closed_count; i++)
		if (text_equal(w->closed[i], category))
			return true;
	return false;
}

static void
begin_row(struct writer *w, const struct event_track *t)
{
	bool same = w->open && text_equal(w->host, t->host) &&
		    text_equal(strbuf_text(&w->time), strbuf_text(&w->next_time));

	if (!same || had_category(w, t->category)) {
		end_body(w);
		begin_body(w, t->host);
	}
	if (!w->category.data || !text_equal(w->category, t->category)) {
		if (w->category.data) {
			json_end_array(&w->json);
			*ARRAY_ADD(w->closed, w->closed_count, w->closed_room) = w->category;
		}
		json_depot_key(&w->json, t->category);
		json_begin_array(&w->json);
		w->category = t->category;
	}
	json_begin_object(&w->json);
}

static void
write_stack(struct writer *w, const struct event_track *t, stack_number number)
{
	const struct event_stack *stack;
	struct strbuf text;

	if (number <= 0 || (size_t)number >= w->stack_room)
		return;
	stack = &w->stacks[number];
	strbuf_init(&text, SIZE_MAX);
	for (size_t i = 0; i < stack->count; i++) {
		uint32_t n = pair_map_get(&w->routines, stack->routine_ids[i], 0);

		if (i)
			strbuf_append_char(&text, ';');
		if (n != PAIR_MAP_NONE)
			strbuf_append_text(&text, w->names[n]);
	}
	json_depot_key(&w->json, t->stack);
	json_depot_text(&w->json, strbuf_text(&text));
	strbuf_release(&text);
}

static void
write_others(struct writer *w, const struct json_node *attributes)
{
	for (const struct json_node *n = attributes->first; n; n = n->next) {
		if (text_equal(n->key, text_from("time")))
			continue;
		strbuf_reset(&w->value);
		append_attribute(w, &w->value, n);
		json_depot_key(&w->json, n->key);
		json_raw(&w->json, strbuf_text(&w->value));
	}
}

/* Writes a value. Values are integers, but SQL statements of users can have stored fractions. */
static void
write_value(struct writer *w, struct decimal d)
{
	char text[DECIMAL_FIXED_TEXT_MAX];

	if (d.kind == DECIMAL_TEXT)
		json_raw(&w->json, d.text);
	else if (d.kind == DECIMAL_COMPACT && d.scale == 0)
		json_int(&w->json, d.mantissa);
	else
		json_raw(&w->json, (struct text){ text, fixed_format(decimal_to_fixed(d), text) });
}

static bool
write_sample(struct sink *s, uint32_t set, const struct sample_row *row, struct error *err)
{
	struct writer *w = (struct writer *)s;
	const struct event_track *t =
		row->track > 0 && (size_t)row->track < w->track_room ? w->tracks[row->track] : NULL;
	const struct json_node *attributes = NULL;

	(void)set;
	if (!t)
		return true;
	arena_reset(&w->row);
	if (row->attributes.data) {
		attributes = json_tree_parse(&w->row, row->attributes, err);
		if (!attributes)
			return false;
	}
	find_time(w, row, attributes);
	begin_row(w, t);
	if (t->process.data)
		json_key_depot_text(&w->json, "process", t->process);
	if (t->pid != MODEL_NULL)
		json_key_int(&w->json, "pid", t->pid);
	if (json_tree_is(attributes, JSON_OBJECT))
		write_others(w, attributes);
	write_stack(w, t, row->stack);
	if (t->has_value) {
		json_depot_key(&w->json, t->elapsed);
		write_value(w, row->values[0]);
	}
	json_end_object(&w->json);
	return true;
}

/* --- the file --------------------------------------------------------------------------------- */

static void
forget_set(struct writer *w)
{
	pair_map_release(&w->routines);
	memset(w->counts, 0, sizeof(w->counts));
	if (w->track_room)
		memset(w->tracks, 0, w->track_room * sizeof(*w->tracks));
	if (w->stack_room)
		memset(w->stacks, 0, w->stack_room * sizeof(*w->stacks));
	arena_reset(&w->arena);
}

static bool
write_set(struct writer *w, struct source *source, uint32_t set, int32_t track, struct error *err)
{
	static const enum source_part parts[] = { SOURCE_SET, SOURCE_TRACKS, SOURCE_ROUTINES,
		SOURCE_STACKS, SOURCE_SAMPLES };

	w->events = false;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (!source->emit(source, set, parts[i],
			    parts[i] == SOURCE_SAMPLES ? track : SOURCE_EVERY_TRACK, &w->sink, err))
			return false;
		if (parts[i] == SOURCE_TRACKS && !w->events) {
			error_set(err, ERROR_USAGE, "%s has no events",
				source->set_count == 1 ? "the result set"
						       : "one of the result sets");
			return error_hint(err,
				"only result sets that were loaded from kernelscope bodies "
				"can be exported in this format");
		}
	}
	end_body(w);
	forget_set(w);
	return true;
}

bool
kernelscope_write(struct source *source, FILE *out, const struct format_write_options *options,
	struct error *err)
{
	struct writer *w = xcalloc(1, sizeof(*w));
	bool ok = true;

	*w = (struct writer){ .sink = { .metric = take_metric,
				      .routine = take_routine,
				      .track = take_track,
				      .stack = take_stack,
				      .sample = write_sample },
		.arena = ARENA_INIT,
		.row = ARENA_INIT,
		.out = out };
	strbuf_init(&w->time, TIME_MAX_BYTES);
	strbuf_init(&w->next_time, TIME_MAX_BYTES);
	strbuf_init(&w->value, SIZE_MAX);
	strbuf_init(&w->stored, SIZE_MAX);
	for (uint32_t i = 0; ok && i < source->set_count; i++)
		ok = write_set(w, source, i, (int32_t)options->track, err);
	if (ok)
		fputs(w->bodies ? "\n]\n" : "[]\n", out);
	pair_map_release(&w->routines);
	strbuf_release(&w->time);
	strbuf_release(&w->next_time);
	strbuf_release(&w->value);
	strbuf_release(&w->stored);
	arena_release(&w->arena);
	arena_release(&w->row);
	free(w->names);
	free(w->tracks);
	free(w->stacks);
	free(w->closed);
	free(w);
	return ok;
}
