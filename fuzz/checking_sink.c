#include "checking_sink_private.h"

#include "base/array.h"
#include "base/hash.h"
#include "input/json/json_reader.h"

#include <stdio.h>
#include <stdlib.h>

/* --- checksum ----------------------------------------------------------- */

void
checking_add(struct checking_sink *c, const void *data, size_t size)
{
	struct hash128 h = hash128(data, size);

	c->sum = c->sum * 31 + h.low;
}

void
checking_add_int(struct checking_sink *c, int64_t v)
{
	checking_add(c, &v, sizeof(v));
}

void
checking_text(struct checking_sink *c, struct text t)
{
	MUST(t.data || t.size == 0);
	if (!t.data)
		return;
	MUST(text_utf8_prefix(t.data, t.size) == t.size);
	MUST(!memchr(t.data, 0, t.size));
	checking_add(c, t.data, t.size);
}

void
checking_texts(struct checking_sink *c, const struct text *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		checking_text(c, texts[i]);
}

void
checking_json_object(struct checking_sink *c, struct text t)
{
	const struct json_options options = { .source = "attributes" };
	struct error err = ERROR_INIT;
	struct json_reader *r;
	enum json_type type;
	bool end = false;

	if (!t.data)
		return;
	checking_text(c, t);
	r = json_reader_new_memory(t.data, t.size, 0, &options);
	MUST(json_peek(r, &type, &err) && type == JSON_OBJECT);
	MUST(json_skip(r, &err));
	MUST(json_at_end(r, &end, &err) && end);
	json_reader_free(r);
}

void
checking_decimal(struct checking_sink *c, struct decimal d, bool null_too)
{
	struct decimal again;

	MUST(d.kind <= DECIMAL_TEXT);
	MUST(null_too || d.kind != DECIMAL_NULL);
	checking_add_int(c, d.kind);
	if (d.kind == DECIMAL_COMPACT) {
		MUST(d.scale <= DECIMAL_MAX_SCALE);
		checking_add_int(c, d.mantissa);
		checking_add_int(c, d.scale);
	}
	if (d.kind == DECIMAL_TEXT) {
		checking_text(c, d.text);
		MUST(decimal_parse(d.text, &again) == DECIMAL_OK);
	}
}

bool
checking_begin(struct sink *s, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;

	MUST(!c->ended);
	MUST(!c->failed);
	c->calls++;
	checking_add_int(c, (int64_t)c->set_count);
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

struct checked_set *
checking_set(struct sink *s, uint32_t number)
{
	struct checked_set *t = any_set_of(s, number);

	MUST(!t->complete);
	return t;
}

struct checked_set *
checking_facts_set(struct sink *s, uint32_t number)
{
	struct checked_set *t = checking_set(s, number);

	t->facts = true;
	return t;
}

/* --- dictionaries ------------------------------------------------------------ */

static bool
tell_set(struct sink *s, const struct set_row *row, uint32_t *set, bool *wanted, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;

	checking_text(c, row->caption);
	checking_text(c, row->counter_description);
	checking_text(c, row->counter_frequency);
	checking_text(c, row->counter_name);
	*set = c->set_count;
	*ARRAY_ADD(c->sets, c->set_count, c->set_room) = (struct checked_set){ 0 };
	*wanted = true;
	return checking_begin(s, err);
}

static bool
tell_routine(struct sink *s, uint32_t set, const struct routine_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	const struct text texts[] = { row->analysis_result, row->class_name, row->code_type,
		row->module_name, row->name_space, row->routine_name, row->source_file,
		row->symbol_moniker, row->unit_name };
	bool added;

	checking_texts(c, texts, sizeof(texts) / sizeof(texts[0]));
	pair_map_add(&checking_set(s, set)->routines, row->rec_id, 0, 0, &added);
	MUST(added);
	checking_add_int(c, row->rec_id);
	checking_add_int(c, row->source_line);
	return checking_begin(s, err);
}

static bool
tell_line(struct sink *s, uint32_t set, const struct line_row *row, struct error *err)
{
	(void)checking_set(s, set);
	checking_add_int((struct checking_sink *)s, row->id);
	return checking_begin(s, err);
}

static bool
tell_thread(struct sink *s, uint32_t set, const struct thread_row *row, struct error *err)
{
	pair_map_add(&checking_set(s, set)->owners[OWNER_THREAD], row->id, 0, 0, NULL);
	checking_text((struct checking_sink *)s, row->name);
	checking_add_int((struct checking_sink *)s, row->id);
	return checking_begin(s, err);
}

static bool
tell_class_meta(struct sink *s, uint32_t set, const struct class_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;

	(void)checking_set(s, set);
	checking_text(c, row->class_name);
	checking_text(c, row->module_name);
	checking_text(c, row->symbol_moniker);
	return checking_begin(s, err);
}

static bool
tell_class_data(struct sink *s, uint32_t set, const struct class_data_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;

	(void)checking_set(s, set);
	checking_text(c, row->class_name);
	checking_text(c, row->module_name);
	return checking_begin(s, err);
}

static bool
tell_relation(struct sink *s, uint32_t set, const struct relation_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;

	(void)checking_set(s, set);
	checking_text(c, row->child_table);
	checking_text(c, row->parent_table);
	return checking_begin(s, err);
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
	struct checked_set *t = checking_set(s, set);

	MUST(!t->facts);
	MUST((unsigned)row->family < METRIC_FAMILIES);
	check_metric_name(row->name);
	for (size_t i = 0; i < t->metric_count; i++)
		MUST(!text_equal(t->metrics[i].name, row->name));
	MUST(text_among(row->unit, units, sizeof(units) / sizeof(units[0])) <
		sizeof(units) / sizeof(units[0]));
	checking_text(c, row->title);
	*ARRAY_ADD(t->metrics, t->metric_count, t->metric_room) =
		(struct checked_metric){ row->family, arena_text(&c->arena, row->name) };
	*number = (metric_number)t->metric_count;
	return checking_begin(s, err);
}

void
checking_metric(const struct checked_set *t, metric_number number, enum metric_family family)
{
	MUST(number >= 1 && (size_t)number <= t->metric_count);
	MUST(t->metrics[number - 1].family == family);
}

static bool
tell_track(struct sink *s, uint32_t set, const struct track_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;
	struct checked_set *t = checking_set(s, set);
	const struct text texts[] = { row->name, row->source_id, row->category, row->host,
		row->user_name, row->process_name };
	bool added;

	MUST(row->id > 0 && row->kind && *row->kind);
	pair_map_add(&t->tracks, row->id, 0, 0, &added);
	MUST(added);
	t->track_count++;
	checking_texts(c, texts, sizeof(texts) / sizeof(texts[0]));
	MUST(row->metric >= 0 && (size_t)row->metric <= t->metric_count);
	checking_decimal(c, row->start, true);
	checking_decimal(c, row->duration, true);
	checking_json_object(c, row->attributes);
	return checking_begin(s, err);
}

/* --- other rows -------------------------------------------------------------- */

static bool
tell_suppression(struct sink *s, uint32_t set, const struct suppression_row *row, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;

	MUST(row->id == ++checking_set(s, set)->suppressions);
	checking_text(c, row->name);
	checking_text(c, row->syntax);
	checking_text(c, row->kind);
	checking_text(c, row->pattern);
	checking_text(c, row->file);
	return checking_begin(s, err);
}

static bool
tell_issue(struct sink *s, uint32_t set, const struct issue *issue, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;

	if (set != ISSUE_EVERY_SET)
		(void)any_set_of(s, set);
	MUST((unsigned)issue->code < ISSUE_CODES && issue->message && *issue->message);
	checking_text(c, text_from(issue->message));
	checking_text(c, text_from(issue->source));
	c->issues++;
	checking_add(c, issue->raw.data ? issue->raw.data : "", issue->raw.size);
	return checking_begin(s, err);
}

static bool
tell_metadata(struct sink *s, uint32_t set, const char *key, struct text value, struct error *err)
{
	struct checking_sink *c = (struct checking_sink *)s;

	(void)any_set_of(s, set);
	MUST(key && *key);
	checking_text(c, text_from(key));
	if (strcmp(key, "attributes") == 0)
		checking_json_object(c, value);
	else
		checking_text(c, value);
	return checking_begin(s, err);
}

static void
tell_drop(struct sink *s, uint32_t set)
{
	MUST(!checking_set(s, set)->facts);
}

static bool
tell_complete(struct sink *s, uint32_t set, struct error *err)
{
	checking_set(s, set)->complete = true;
	return checking_begin(s, err);
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

	if (!checking_begin(s, err))
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
		.suppression = tell_suppression,
		.metric = tell_metric,
		.track = tell_track,
		.issue = tell_issue,
		.metadata = tell_metadata,
		.drop = tell_drop,
		.complete = tell_complete,
		.end = tell_end,
	};
	checking_facts_init(&c->sink);
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
