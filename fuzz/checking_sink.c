#include "checking_sink.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/pair_map.h"
#include "input/json/json_reader.h"
#include "must.h"

#include <stdio.h>
#include <stdlib.h>

struct checked_metric {
	enum metric_family family;
	struct text name;
};

struct checked_set {
	bool facts; /* facts were emitted, so no more metrics may follow */
	bool complete;
	struct checked_metric *metrics;
	size_t metric_count, metric_room;
	struct pair_map routines, tracks, tracks_named, spans, parents;
	/* The pair (ID, 0) for each owner that was emitted, and (ID, position) for each of its further stacks. */
	struct pair_map owners[STACK_OWNERS];
	int64_t suppressions, graph_rows;
	int32_t track_count;
	stack_number stacks;
	path_number paths;
	int64_t frame_count, frame_max;
};

struct checking_sink {
	struct sink sink;
	struct arena arena;
	struct checked_set *sets;
	uint32_t set_count;
	size_t set_room;
	uint64_t calls, fail_after, sum;
	uint64_t *sums; /* the checksum at the beginning of each call */
	size_t sum_count, sum_room;
	size_t records, issues;
	bool ended, failed;
};

/* --- checksum ----------------------------------------------------------- */

static void
add(struct checking_sink *c, const void *data, size_t size)
{
	struct hash128 h = hash128(data, size);

	c->sum = c->sum * 31 + h.low;
}

static void
add_int(struct checking_sink *c, int64_t v)
{
	add(c, &v, sizeof(v));
}

static void
check_text(struct checking_sink *c, struct text t)
{
	MUST(t.data || t.size == 0);
	if (!t.data)
		return;
	MUST(text_utf8_prefix(t.data, t.size) == t.size);
	MUST(!memchr(t.data, 0, t.size));
	add(c, t.data, t.size);
}

static void
check_texts(struct checking_sink *c, const struct text *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_text(c, texts[i]);
}

static void
check_json_object(struct checking_sink *c, struct text t)
{
	const struct json_options options = { .source = "attributes" };
	struct error err = ERROR_INIT;
	struct json_reader *r;
	enum json_type type;
	bool end = false;

	if (!t.data)
		return;
	check_text(c, t);
	r = json_reader_new_memory(t.data, t.size, 0, &options);
	MUST(json_peek(r, &type, &err) && type == JSON_OBJECT);
	MUST(json_skip(r, &err));
	MUST(json_at_end(r, &end, &err) && end);
	json_reader_free(r);
}

/* If null_too is true, the decimal may be NULL. */
static void
check_decimal(struct checking_sink *c, struct decimal d, bool null_too)
{
	struct decimal again;

	MUST(d.kind <= DECIMAL_TEXT);
	MUST(null_too || d.kind != DECIMAL_NULL);
	add_int(c, d.kind);
	if (d.kind == DECIMAL_COMPACT) {
		MUST(d.scale <= DECIMAL_MAX_SCALE);
		add_int(c, d.mantissa);
		add_int(c, d.scale);
	}
	if (d.kind == DECIMAL_TEXT) {
		check_text(c, d.text);
		MUST(decimal_parse(d.text, &again) == DECIMAL_OK);
	}
}

/* Counts a call. Returns false if this call must fail. */
static bool
begin(struct sink *s, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;

	MUST(!c->ended);
	MUST(!c->failed);
	c->calls++;
	add_int(c, (int64_t)c->set_count);
	*ARRAY_ADD(c->sums, c->sum_count, c->sum_room) = c->sum;
	if (c->calls != c->fail_after)
		return true;
	c->failed = true;
	return error_set(
		err, ERROR_DATABASE, "the sink fails at call %llu", (unsigned long long)c->calls);
}

static struct checked_set *
any_set_of(struct sink *s, uint32_t number)
{
	struct checking_sink *c = (struct checking_sink *)s;

	MUST(number < c->set_count);
	return &c->sets[number];
}

/* The set of a row that must come before the set is complete. */
static struct checked_set *
set_of(struct sink *s, uint32_t number)
{
	struct checked_set *t = any_set_of(s, number);

	MUST(!t->complete);
	return t;
}

/* Facts may be emitted only after all metrics. */
static struct checked_set *
facts_of(struct sink *s, uint32_t number)
{
	struct checked_set *t = set_of(s, number);

	t->facts = true;
	return t;
}

/* --- dictionaries ------------------------------------------------------------ */

static bool
tell_set(struct sink *s, const struct set_row *row, uint32_t *set, bool *wanted, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;

	check_text(c, row->caption);
	check_text(c, row->counter_description);
	check_text(c, row->counter_frequency);
	check_text(c, row->counter_name);
	*set = c->set_count;
	*ARRAY_ADD(c->sets, c->set_count, c->set_room) = (struct checked_set){ 0 };
	*wanted = true;
	return begin(s, err);
}

static bool
tell_routine(struct sink *s, uint32_t set, const struct routine_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	const struct text texts[] = { row->analysis_result, row->class_name, row->code_type,
		row->module_name, row->name_space, row->routine_name, row->source_file,
		row->symbol_moniker, row->unit_name };
	bool added;

	check_texts(c, texts, sizeof(texts) / sizeof(texts[0]));
	pair_map_add(&set_of(s, set)->routines, row->rec_id, 0, 0, &added);
	MUST(added);
	add_int(c, row->rec_id);
	add_int(c, row->source_line);
	return begin(s, err);
}

static bool
tell_line(struct sink *s, uint32_t set, const struct line_row *row, struct error *err)
{
	(void)set_of(s, set);
	add_int((struct checking_sink *)s, row->id);
	return begin(s, err);
}

static bool
tell_thread(struct sink *s, uint32_t set, const struct thread_row *row, struct error *err)
{
	pair_map_add(&set_of(s, set)->owners[OWNER_THREAD], row->id, 0, 0, NULL);
	check_text((struct checking_sink *)s, row->name);
	add_int((struct checking_sink *)s, row->id);
	return begin(s, err);
}

static bool
tell_class_meta(struct sink *s, uint32_t set, const struct class_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;

	(void)set_of(s, set);
	check_text(c, row->class_name);
	check_text(c, row->module_name);
	check_text(c, row->symbol_moniker);
	return begin(s, err);
}

static bool
tell_class_data(struct sink *s, uint32_t set, const struct class_data_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;

	(void)set_of(s, set);
	check_text(c, row->class_name);
	check_text(c, row->module_name);
	return begin(s, err);
}

static bool
tell_relation(struct sink *s, uint32_t set, const struct relation_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;

	(void)set_of(s, set);
	check_text(c, row->child_table);
	check_text(c, row->parent_table);
	return begin(s, err);
}

static void
check_metric_name(struct text name)
{
	MUST(name.size > 0 && name.data[0] >= 'a' && name.data[0] <= 'z');
	for (size_t i = 0; i < name.size; i++)
		MUST(char_is_word(name.data[i]) && !(name.data[i] >= 'A' && name.data[i] <= 'Z'));
}

static bool
tell_metric(struct sink *s, uint32_t set, const struct metric_row *row, metric_number *number,
	struct error *err)
{
	static const char *const units[] = { "count", "bytes", "nanoseconds", "microseconds",
		"milliseconds", "seconds", "none" };
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = set_of(s, set);

	MUST(!t->facts);
	MUST((unsigned)row->family < METRIC_FAMILIES);
	check_metric_name(row->name);
	for (size_t i = 0; i < t->metric_count; i++)
		MUST(!text_equal(t->metrics[i].name, row->name));
	MUST(text_among(row->unit, units, sizeof(units) / sizeof(units[0])) <
		sizeof(units) / sizeof(units[0]));
	check_text(c, row->title);
	*ARRAY_ADD(t->metrics, t->metric_count, t->metric_room) =
		(struct checked_metric){ row->family, arena_text(&c->arena, row->name) };
	*number = (metric_number)t->metric_count;
	return begin(s, err);
}

static void
check_metric(const struct checked_set *t, metric_number number, enum metric_family family)
{
	MUST(number >= 1 && (size_t)number <= t->metric_count);
	MUST(t->metrics[number - 1].family == family);
}

static bool
tell_track(struct sink *s, uint32_t set, const struct track_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = set_of(s, set);
	const struct text texts[] = { row->name, row->source_id, row->category, row->host,
		row->user_name, row->process_name };
	bool added;

	MUST(row->id > 0 && row->kind && *row->kind);
	pair_map_add(&t->tracks, row->id, 0, 0, &added);
	MUST(added);
	t->track_count++;
	check_texts(c, texts, sizeof(texts) / sizeof(texts[0]));
	MUST(row->metric >= 0 && (size_t)row->metric <= t->metric_count);
	check_decimal(c, row->start, true);
	check_decimal(c, row->duration, true);
	check_json_object(c, row->attributes);
	return begin(s, err);
}

/* --- facts ------------------------------------------------------------------- */

static void
check_routine(const struct checked_set *t, int64_t rec_id)
{
	MUST(rec_id == MODEL_NULL || pair_map_get(&t->routines, rec_id, 0) != PAIR_MAP_NONE);
}

static void
name_track(struct checked_set *t, int32_t track)
{
	MUST(track > 0);
	pair_map_add(&t->tracks_named, track, 0, 0, NULL);
}

static bool
tell_stack(struct sink *s, uint32_t set, const struct stack_row *row, stack_number *number,
	struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = facts_of(s, set);

	MUST(row->count >= 1 && row->count <= STACK_MAX_FRAMES);
	for (size_t i = 0; i < row->count; i++)
		check_routine(t, row->routine_ids[i]);
	add(c, row->routine_ids, row->count * sizeof(*row->routine_ids));
	*number = ++t->stacks;
	return begin(s, err);
}

static void
check_stack(const struct checked_set *t, stack_number stack)
{
	MUST(stack >= 0 && stack <= t->stacks);
}

static bool
tell_object(struct sink *s, uint32_t set, const struct object_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = facts_of(s, set);

	check_stack(t, row->stack);
	pair_map_add(&t->owners[OWNER_OBJECT], row->id, 0, 0, NULL);
	check_text(c, row->leak_kind);
	check_json_object(c, row->attributes);
	add_int(c, row->id);
	c->records++;
	return begin(s, err);
}

static bool
tell_error(struct sink *s, uint32_t set, const struct error_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = facts_of(s, set);

	check_stack(t, row->stack);
	pair_map_add(&t->owners[OWNER_ERROR], row->id, 0, 0, NULL);
	check_text(c, row->name);
	check_text(c, row->description);
	MUST(row->count >= 0);
	check_json_object(c, row->attributes);
	c->records++;
	return begin(s, err);
}

/* Positions must ascend from 1, and the owner must have been emitted before. */
static bool
tell_further_stack(
	struct sink *s, uint32_t set, const struct further_stack_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = set_of(s, set);
	bool added;

	MUST((unsigned)row->owner < STACK_OWNERS);
	MUST(pair_map_get(&t->owners[row->owner], row->owner_id, 0) != PAIR_MAP_NONE);
	MUST(row->position >= 1 && row->role.size > 0);
	MUST(row->position == 1 || pair_map_get(&t->owners[row->owner], row->owner_id,
					   row->position - 1) != PAIR_MAP_NONE);
	pair_map_add(&t->owners[row->owner], row->owner_id, row->position, 0, &added);
	MUST(added);
	check_stack(t, row->stack);
	check_text(c, row->role);
	check_text(c, row->description);
	return begin(s, err);
}

static void
check_values(struct checking_sink *c, const struct checked_set *t, metric_number metric,
	const struct decimal *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		metric_number number = metric + (metric_number)i;

		MUST(number >= 1 && (size_t)number <= t->metric_count);
		if (t->metrics[number - 1].family != METRIC_OF_GAUGES)
			check_metric(t, number, METRIC_OF_SAMPLES);
		check_decimal(c, values[i], false);
	}
}

static bool
tell_graph(struct sink *s, uint32_t set, const struct graph_row *row, struct error *err)
{
	static const char *const kinds[] = { "self", "call", "jump", "conditional jump" };
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = facts_of(s, set);

	MUST(row->id == ++t->graph_rows);
	MUST(text_among(text_from(row->kind), kinds, sizeof(kinds) / sizeof(kinds[0])) <
		sizeof(kinds) / sizeof(kinds[0]));
	check_routine(t, row->routine_id);
	check_routine(t, row->target_id);
	check_text(c, row->source_file);
	check_decimal(c, row->count, true);
	check_decimal(c, row->followed, true);
	check_values(c, t, row->metric, row->values, row->value_count);
	return begin(s, err);
}

static bool
tell_suppression(struct sink *s, uint32_t set, const struct suppression_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;

	MUST(row->id == ++set_of(s, set)->suppressions);
	check_text(c, row->name);
	check_text(c, row->syntax);
	check_text(c, row->kind);
	check_text(c, row->pattern);
	check_text(c, row->file);
	return begin(s, err);
}

static bool
tell_sample(struct sink *s, uint32_t set, const struct sample_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = facts_of(s, set);

	name_track(t, row->track);
	check_stack(t, row->stack);
	MUST(row->value_count >= 1);
	check_decimal(c, row->at, true);
	check_values(c, t, row->metric, row->values, row->value_count);
	check_json_object(c, row->attributes);
	c->records++;
	return begin(s, err);
}

static bool
tell_path(struct sink *s, uint32_t set, path_number parent, int64_t routine_id, path_number *number,
	struct error *err)
{
	struct checked_set *t = facts_of(s, set);

	MUST(parent <= t->paths);
	check_routine(t, routine_id);
	add_int((struct checking_sink *)s, (int64_t)parent);
	*number = ++t->paths;
	return begin(s, err);
}

static void
check_span_id(struct checked_set *t, int64_t id, int64_t parent_id)
{
	bool added;

	pair_map_add(&t->spans, id, 0, 0, &added);
	MUST(added);
	MUST(parent_id != id);
	if (parent_id != MODEL_NULL)
		pair_map_add(&t->parents, parent_id, 0, 0, NULL);
}

static bool
tell_span(struct sink *s, uint32_t set, const struct span_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = facts_of(s, set);
	const struct text texts[] = { row->name, row->source_id, row->category, row->execute_type,
		row->command };

	name_track(t, row->track);
	check_span_id(t, row->id, row->parent_id);
	MUST(row->kind && *row->kind);
	MUST(row->path <= t->paths && row->errored >= -1 && row->errored <= 1);
	if (row->metric)
		check_metric(t, row->metric, METRIC_OF_SPANS);
	check_routine(t, row->routine_id);
	check_stack(t, row->stack);
	check_texts(c, texts, sizeof(texts) / sizeof(texts[0]));
	check_decimal(c, row->start, true);
	check_decimal(c, row->duration, true);
	check_decimal(c, row->first_fetch, true);
	check_json_object(c, row->attributes);
	return begin(s, err);
}

static bool
tell_frame(struct sink *s, uint32_t set, const struct frame_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = facts_of(s, set);

	name_track(t, row->track);
	check_span_id(t, row->id, row->parent_id);
	MUST(row->id >= 1);
	MUST(row->parent_id == MODEL_NULL || (row->parent_id >= 1 && row->parent_id < row->id));
	t->frame_count++;
	if (row->id > t->frame_max)
		t->frame_max = row->id;
	check_metric(t, row->metric, METRIC_OF_SPANS);
	check_routine(t, row->routine_id);
	MUST(row->path <= t->paths);
	check_decimal(c, row->start, false);
	check_decimal(c, row->stop, false);
	MUST(decimal_compare(row->start, row->stop) <= 0);
	return begin(s, err);
}

static bool
tell_issue(struct sink *s, uint32_t set, const struct issue *issue, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;

	if (set != ISSUE_EVERY_SET)
		(void)any_set_of(s, set);
	MUST((unsigned)issue->code < ISSUE_CODES && issue->message && *issue->message);
	check_text(c, text_from(issue->message));
	check_text(c, text_from(issue->source));
	c->issues++;
	add(c, issue->raw.data ? issue->raw.data : "", issue->raw.size);
	return begin(s, err);
}

static bool
tell_metadata(struct sink *s, uint32_t set, const char *key, struct text value, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;

	(void)any_set_of(s, set);
	MUST(key && *key);
	check_text(c, text_from(key));
	if (strcmp(key, "attributes") == 0)
		check_json_object(c, value);
	else
		check_text(c, value);
	return begin(s, err);
}

static void
tell_drop(struct sink *s, uint32_t set)
{
	MUST(!set_of(s, set)->facts);
}

static bool
tell_complete(struct sink *s, uint32_t set, struct error *err)
{
	set_of(s, set)->complete = true;
	return begin(s, err);
}

/* --- the end ----------------------------------------------------------------- */

/* Returns whether every key of `a` is also in `b`. */
static bool
within(const struct pair_map *a, const struct pair_map *b)
{
	for (size_t i = 0; i < a->capacity; i++)
		if (a->entries[i].used &&
			pair_map_get(b, a->entries[i].a, a->entries[i].b) == PAIR_MAP_NONE)
			return false;
	return true;
}

static bool
tell_end(struct sink *s, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;

	if (!begin(s, err))
		return false;
	MUST(c->set_count > 0);
	for (uint32_t i = 0; i < c->set_count; i++) {
		const struct checked_set *t = &c->sets[i];

		MUST(within(&t->tracks_named, &t->tracks));
		for (int32_t id = 1; id <= t->track_count; id++)
			MUST(pair_map_get(&t->tracks, id, 0) != PAIR_MAP_NONE);
		MUST(within(&t->parents, &t->spans));
		MUST(t->frame_max == t->frame_count || t->spans.count > (size_t)t->frame_count);
	}
	c->ended = true;
	return true;
}

struct checking_sink *
checking_sink_new(uint64_t fail_after)
{
	struct checking_sink *c = xcalloc(1, sizeof(*c));

	c->arena = ARENA_INIT;
	c->fail_after = fail_after;
	c->sink = (struct sink){
		.set = tell_set,
		.routine = tell_routine,
		.line = tell_line,
		.thread = tell_thread,
		.class_meta = tell_class_meta,
		.class_data = tell_class_data,
		.relation = tell_relation,
		.stack = tell_stack,
		.object = tell_object,
		.error = tell_error,
		.further_stack = tell_further_stack,
		.suppression = tell_suppression,
		.graph = tell_graph,
		.metric = tell_metric,
		.track = tell_track,
		.sample = tell_sample,
		.path = tell_path,
		.span = tell_span,
		.frame = tell_frame,
		.issue = tell_issue,
		.metadata = tell_metadata,
		.drop = tell_drop,
		.complete = tell_complete,
		.end = tell_end,
	};
	return c;
}

void
checking_sink_free(struct checking_sink *c)
{
	for (uint32_t i = 0; i < c->set_count; i++) {
		struct checked_set *t = &c->sets[i];

		pair_map_release(&t->routines);
		pair_map_release(&t->tracks);
		pair_map_release(&t->tracks_named);
		pair_map_release(&t->spans);
		pair_map_release(&t->parents);
		for (int j = 0; j < STACK_OWNERS; j++)
			pair_map_release(&t->owners[j]);
		free(t->metrics);
	}
	free(c->sets);
	free(c->sums);
	arena_release(&c->arena);
	free(c);
}

struct sink *
checking_sink_interface(struct checking_sink *c)
{
	return &c->sink;
}

void
checking_sink_finish(struct checking_sink *c, enum format_result result, const struct error *err)
{
	if (result == FORMAT_DONE) {
		MUST(c->ended && !c->failed && err->code == ERROR_NONE);
	} else if (result == FORMAT_FAILED) {
		MUST(err->code != ERROR_NONE && err->message[0]);
		MUST(text_utf8_prefix(err->message, strlen(err->message)) == strlen(err->message));
	} else {
		MUST(result == FORMAT_AGAIN && !c->ended && !c->failed);
	}
}

uint64_t
checking_sink_calls(const struct checking_sink *c)
{
	return c->calls;
}

uint64_t
checking_sink_sum(const struct checking_sink *c)
{
	return c->sum;
}

uint64_t
checking_sink_sum_at(const struct checking_sink *c, uint64_t call)
{
	MUST(call >= 1 && call <= c->calls);
	return c->sums[call - 1];
}

struct checking_counts
checking_sink_counts(const struct checking_sink *c)
{
	return (struct checking_counts){ c->set_count, c->records, c->issues };
}
