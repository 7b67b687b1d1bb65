/*
 * Writes profiles from the columns and attributes of tracks and spans. A profile is written with the keys
 * of its shape, so that it equals the input.
 */
#include "miniprofiler_writer.h"

#include "base/array.h"

#include <stdlib.h>

#define BUFFER_MAX_BYTES ((size_t)1 << 30)

static struct decimal
keep_decimal(struct arena *a, struct decimal d)
{
	d.text = arena_text(a, d.text);
	return d;
}

static bool
keep_track(struct sink *s, uint32_t set, const struct track_row *row, struct error *err)
{
	struct mini_writer *w = (struct mini_writer *)s;

	(void)set, (void)err;
	if (strcmp(row->kind, "profile") != 0 || (w->only && row->id != w->only))
		return true;
	w->all_tracks += w->counting;
	if (w->counting)
		return true;
	*ARRAY_ADD(w->tracks, w->track_count, w->track_room) = (struct kept_track){ row->id,
		arena_text(&w->arena, row->name), arena_text(&w->arena, row->source_id),
		arena_text(&w->arena, row->host), arena_text(&w->arena, row->user_name),
		arena_text(&w->arena, row->attributes), keep_decimal(&w->arena, row->duration),
		row->started_us };
	return true;
}

static void
take_span(const struct kept_span *s, enum mini_kind kind, struct values *v)
{
	const struct span_row *row = &s->row;
	bool client = kind == MINI_CLIENT;

	*v = (struct values){ .kind = kind, .started_us = MODEL_NULL, .errored = row->errored };
	v->texts[MINI_F_ID] = row->source_id;
	v->texts[MINI_F_NAME] = row->name;
	v->texts[MINI_F_EXECUTE_TYPE] = row->execute_type;
	v->texts[kind == MINI_SQL ? MINI_F_SQL_COMMAND : MINI_F_COMMAND] = row->command;
	v->numbers[client ? MINI_F_CLIENT_START : MINI_F_START] = row->start;
	v->numbers[client ? MINI_F_CLIENT_DURATION : MINI_F_DURATION] = row->duration;
	v->numbers[MINI_F_FIRST_FETCH] = row->first_fetch;
}

static bool
put_leaf(struct mini_writer *w, const struct kept_span *s, enum mini_kind kind, struct error *err)
{
	static const bool none[MINI_FIELDS] = { false };
	struct values v;

	arena_reset(&w->object);
	take_span(s, kind, &v);
	if (!mini_values_parse(&v, &w->object, s->row.attributes, err))
		return false;
	json_begin_object(&w->json);
	mini_put_members(w, &v, none);
	json_end_object(&w->json);
	return true;
}

static bool
is_kind(const struct kept_span *s, const char *kind)
{
	return strcmp(s->row.kind, kind) == 0;
}

/* Whether the span is a call from an SQL timings list. The attributes of such a span have a mark. */
static bool
is_sql(const struct kept_span *s)
{
	return is_kind(s, "call") && text_begins(s->row.attributes, "{\"" MINI_LIST_MARK "\":");
}

static enum mini_field
list_of(const struct kept_span *s)
{
	if (is_kind(s, "step"))
		return MINI_F_CHILDREN;
	return is_sql(s) ? MINI_F_SQL_TIMINGS : MINI_F_CUSTOM_TIMINGS;
}

static struct text
list_key(const struct mini_writer *w, enum mini_kind kind, enum mini_field f)
{
	static const char *const keys[MINI_FIELDS] = { [MINI_F_ROOT] = "Root",
		[MINI_F_CLIENT_TIMINGS] = "ClientTimings",
		[MINI_F_CHILDREN] = "Children",
		[MINI_F_CUSTOM_TIMINGS] = "CustomTimings",
		[MINI_F_SQL_TIMINGS] = "SqlTimings",
		[MINI_F_TIMINGS] = "Timings" };
	struct text key = w->shape.places[kind][f].key;

	return key.data ? key : text_from(keys[f]);
}

static bool
put_sql(struct mini_writer *w, const struct kept_span *step, struct error *err)
{
	json_depot_key(&w->json, list_key(w, MINI_STEP, MINI_F_SQL_TIMINGS));
	json_begin_array(&w->json);
	for (size_t i = step->first; i != NO_SPAN; i = w->spans[i].next)
		if (list_of(&w->spans[i]) == MINI_F_SQL_TIMINGS &&
			!put_leaf(w, &w->spans[i], MINI_SQL, err))
			return false;
	json_end_array(&w->json);
	return true;
}

static void
put_kept(struct mini_writer *w, const struct json_node *kept)
{
	for (const struct json_node *n = kept ? kept->first : NULL; n; n = n->next) {
		json_depot_key(&w->json, n->key);
		mini_put_node(w, n);
	}
}

/* Writes the calls of a step, grouped by type. The spans of one type are adjacent. `kept` contains
 * the types without calls. */
static bool
put_custom(struct mini_writer *w, const struct kept_span *step, const struct json_node *kept,
	struct error *err)
{
	struct text type = TEXT_NULL;

	json_depot_key(&w->json, list_key(w, MINI_STEP, MINI_F_CUSTOM_TIMINGS));
	json_begin_object(&w->json);
	put_kept(w, kept);
	for (size_t i = step->first; i != NO_SPAN; i = w->spans[i].next) {
		const struct kept_span *s = &w->spans[i];
		struct text own = s->row.category.data ? s->row.category : TEXT_LITERAL("");

		if (list_of(s) != MINI_F_CUSTOM_TIMINGS)
			continue;
		if (text_is_null(type) || !text_equal(own, type)) {
			if (type.data)
				json_end_array(&w->json);
			json_depot_key(&w->json, own);
			json_begin_array(&w->json);
			type = own;
		}
		if (!put_leaf(w, s, MINI_CALL, err))
			return false;
	}
	if (type.data)
		json_end_array(&w->json);
	json_end_object(&w->json);
	return true;
}

/* Opens a step and writes its members except its children. *children says whether the step has
 * children. */
static bool
open_step(struct mini_writer *w, const struct kept_span *s, bool *children, struct error *err)
{
	bool left[MINI_FIELDS] = { false };
	const struct json_node *kept = NULL;
	struct values v;

	arena_reset(&w->object);
	take_span(s, MINI_STEP, &v);
	if (!mini_values_parse(&v, &w->object, s->row.attributes, err))
		return false;
	for (size_t i = s->first; i != NO_SPAN; i = w->spans[i].next)
		left[list_of(&w->spans[i])] = true;
	*children = left[MINI_F_CHILDREN];
	json_begin_object(&w->json);
	mini_put_members(w, &v, left);
	if (left[MINI_F_CUSTOM_TIMINGS]) {
		if (!mini_keep_list(
			    w, &v, list_key(w, MINI_STEP, MINI_F_CUSTOM_TIMINGS), &kept, err))
			return false;
		if (!put_custom(w, s, kept, err))
			return false;
	}
	return !left[MINI_F_SQL_TIMINGS] || put_sql(w, s, err);
}

static size_t
next_step(const struct mini_writer *w, size_t i)
{
	while (i != NO_SPAN && !is_kind(&w->spans[i], "step"))
		i = w->spans[i].next;
	return i;
}

/* The index of the span with that ID, or NO_SPAN. */
static size_t
find_span(const struct mini_writer *w, int64_t id)
{
	size_t low = 0;
	size_t high = w->span_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (w->spans[middle].row.id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < w->span_count && w->spans[low].row.id == id ? low : NO_SPAN;
}

/* Writes the step tree. The function is not recursive, because the tree may be deep. */
static bool
put_steps(struct mini_writer *w, size_t root, struct error *err)
{
	size_t at = root;

	for (;;) {
		bool children;

		if (!open_step(w, &w->spans[at], &children, err))
			return false;
		if (children) {
			json_depot_key(&w->json, list_key(w, MINI_STEP, MINI_F_CHILDREN));
			json_begin_array(&w->json);
			at = next_step(w, w->spans[at].first);
			continue;
		}
		json_end_object(&w->json);
		while (at != root && next_step(w, w->spans[at].next) == NO_SPAN) {
			at = find_span(w, w->spans[at].row.parent_id);
			json_end_array(&w->json);
			json_end_object(&w->json);
		}
		if (at == root)
			return true;
		at = next_step(w, w->spans[at].next);
	}
}

static bool
put_clients(struct mini_writer *w, const struct json_node *kept, struct error *err)
{
	json_depot_key(&w->json, list_key(w, MINI_PROFILE, MINI_F_CLIENT_TIMINGS));
	json_begin_object(&w->json);
	put_kept(w, kept);
	json_depot_key(&w->json, list_key(w, MINI_CLIENTS, MINI_F_TIMINGS));
	json_begin_array(&w->json);
	for (size_t i = 0; i < w->span_count; i++)
		if (is_kind(&w->spans[i], "client") && !put_leaf(w, &w->spans[i], MINI_CLIENT, err))
			return false;
	json_end_array(&w->json);
	json_end_object(&w->json);
	return true;
}

/* Links the spans to their parents. Returns the root, or NO_SPAN. */
static size_t
link_spans(struct mini_writer *w, bool *clients)
{
	size_t root = NO_SPAN;

	*clients = false;
	for (size_t i = 0; i < w->span_count; i++) {
		struct kept_span *s = &w->spans[i];
		size_t parent = s->row.parent_id == MODEL_NULL || s->row.parent_id >= s->row.id
					? NO_SPAN
					: find_span(w, s->row.parent_id);

		*clients |= is_kind(s, "client");
		if (parent == NO_SPAN) {
			if (root == NO_SPAN && is_kind(s, "step"))
				root = i;
			continue;
		}
		if (w->spans[parent].first == NO_SPAN)
			w->spans[parent].first = i;
		else
			w->spans[w->spans[parent].last].next = i;
		w->spans[parent].last = i;
	}
	return root;
}

static bool
put_profile(struct mini_writer *w, const struct kept_track *t, struct error *err)
{
	bool left[MINI_FIELDS] = { false };
	struct values v = { .kind = MINI_PROFILE, .started_us = t->started_us, .errored = -1 };
	const struct json_node *kept;
	bool clients;
	size_t root = link_spans(w, &clients);

	v.texts[MINI_F_ID] = t->source_id;
	v.texts[MINI_F_NAME] = t->name;
	v.texts[MINI_F_MACHINE] = t->host;
	v.texts[MINI_F_USER] = t->user_name;
	v.numbers[MINI_F_DURATION] = t->duration;
	if (!mini_values_parse(&v, &w->profile, t->attributes, err))
		return false;
	mini_shape_get(
		&w->shape, &w->profile, json_tree_member(v.attributes, TEXT_LITERAL("@keys")));
	left[MINI_F_ROOT] = root != NO_SPAN;
	left[MINI_F_CLIENT_TIMINGS] = clients;
	json_begin_object(&w->json);
	mini_put_members(w, &v, left);
	if (root != NO_SPAN) {
		json_depot_key(&w->json, list_key(w, MINI_PROFILE, MINI_F_ROOT));
		if (!put_steps(w, root, err))
			return false;
	}
	if (clients && (!mini_keep_list(w, &v, list_key(w, MINI_PROFILE, MINI_F_CLIENT_TIMINGS),
				&kept, err) ||
			       !put_clients(w, kept, err)))
		return false;
	json_end_object(&w->json);
	return true;
}

/* Writes the tracks whose ids are smaller than `id`. All their spans have been read. */
static bool
finish_tracks(struct mini_writer *w, int32_t id, struct error *err)
{
	while (w->next_track < w->track_count && w->tracks[w->next_track].id < id) {
		if (!put_profile(w, &w->tracks[w->next_track], err))
			return false;
		w->next_track++;
		w->span_count = 0;
		arena_reset(&w->profile);
	}
	return true;
}

static bool
keep_span(struct sink *s, uint32_t set, const struct span_row *row, struct error *err)
{
	struct mini_writer *w = (struct mini_writer *)s;
	struct arena *a = &w->profile;
	struct kept_span *kept;
	struct span_row *own;

	(void)set;
	if (!finish_tracks(w, row->track, err))
		return false;
	if (w->next_track == w->track_count || w->tracks[w->next_track].id != row->track)
		return true;
	kept = ARRAY_ADD(w->spans, w->span_count, w->span_room);
	*kept = (struct kept_span){ .row = *row, .first = NO_SPAN, .next = NO_SPAN };
	own = &kept->row;
	own->kind = arena_strdup(a, row->kind);
	own->name = arena_text(a, row->name);
	own->source_id = arena_text(a, row->source_id);
	own->category = arena_text(a, row->category);
	own->execute_type = arena_text(a, row->execute_type);
	own->command = arena_text(a, row->command);
	own->attributes = arena_text(a, row->attributes);
	own->start = keep_decimal(a, row->start);
	own->duration = keep_decimal(a, row->duration);
	own->first_fetch = keep_decimal(a, row->first_fetch);
	return true;
}

static bool
write_set(struct mini_writer *w, struct source *source, uint32_t set, struct error *err)
{
	bool ok;

	w->track_count = w->next_track = w->span_count = 0;
	arena_reset(&w->arena);
	ok = source->emit(source, set, SOURCE_TRACKS, SOURCE_EVERY_TRACK, &w->sink, err) &&
	     source->emit(source, set, SOURCE_SPANS, (int32_t)w->only, &w->sink, err) &&
	     finish_tracks(w, INT32_MAX, err);
	if (ok && w->next_track < w->track_count)
		ok = put_profile(w, &w->tracks[w->next_track], err);
	return ok;
}

static bool
count_profiles(struct mini_writer *w, struct source *source, struct error *err)
{
	w->counting = true;
	for (uint32_t i = 0; i < source->set_count; i++) {
		const char *format = source->format(source, i);

		if (!format || (strcmp(format, MINI_FORMAT) != 0 &&
				       strcmp(format, MINI_STORAGE_FORMAT) != 0)) {
			error_set(err, ERROR_USAGE, "the result set's format is %s, not %s",
				format ? format : "unknown", MINI_FORMAT);
			return error_hint(
				err, "\"profdepot list\" shows the format of each result set");
		}
		if (!source->emit(source, i, SOURCE_TRACKS, SOURCE_EVERY_TRACK, &w->sink, err))
			return false;
	}
	w->counting = false;
	if (w->all_tracks)
		return true;
	return error_set(err, ERROR_USAGE,
		w->only ? "the result set has no profile on that track"
			: "the result set has no profile");
}

static bool
write_all(struct mini_writer *w, struct source *source, struct error *err)
{
	if (!count_profiles(w, source, err))
		return false;
	json_writer_init(&w->json, w->out, false);
	if (w->all_tracks > 1)
		json_begin_array(&w->json);
	for (uint32_t i = 0; i < source->set_count; i++)
		if (!write_set(w, source, i, err))
			return false;
	if (w->all_tracks > 1)
		json_end_array(&w->json);
	fputc('\n', w->out);
	return true;
}

bool
mini_write(struct source *source, FILE *out, const struct format_write_options *options,
	struct error *err)
{
	struct mini_writer w = { .sink = { .track = keep_track, .span = keep_span },
		.arena = ARENA_INIT,
		.profile = ARENA_INIT,
		.object = ARENA_INIT,
		.out = out,
		.only = options->track };
	bool ok;

	strbuf_init(&w.buffer, BUFFER_MAX_BYTES);
	ok = write_all(&w, source, err);
	strbuf_release(&w.buffer);
	arena_release(&w.arena);
	arena_release(&w.profile);
	arena_release(&w.object);
	free(w.tracks);
	free(w.spans);
	return ok;
}
