/* Reads "profiles": the members of each profile, and its track. */
#include "base/array.h"
#include "speedscope_private.h"

#include <stdlib.h>

static bool
keep_odd(struct speedscope_file *f, enum speedscope_key k)
{
	return f->look || speedscope_odd_member(f, &f->p_members, text_from(speedscope_keys[k]));
}

/* --- members other than the events --------------------------------------------------- */

static bool
read_type(struct speedscope_file *f, struct speedscope_head *head)
{
	uint64_t offset = json_offset(f->json);
	struct text value;
	enum speedscope_value v = speedscope_read_text(f, &value);

	if (v == SPEEDSCOPE_FAILED)
		return false;
	head->type = SPEEDSCOPE_NO_TYPE;
	if (text_equal(value, TEXT_LITERAL("evented")))
		head->type = SPEEDSCOPE_EVENTED;
	else if (text_equal(value, TEXT_LITERAL("sampled")))
		head->type = SPEEDSCOPE_SAMPLED;
	if (head->type || f->look)
		return true;
	if (v != SPEEDSCOPE_GOOD)
		return reader_refuse_at(f->in, offset, "type is not a string");
	return reader_refuse_at(f->in, offset, "type \"%.*s\" is neither evented nor sampled",
		text_precision(value, 80), value.data);
}

static bool
read_name(struct speedscope_file *f, struct speedscope_head *head)
{
	struct text value;
	enum speedscope_value v = speedscope_read_text(f, &value);

	if (v == SPEEDSCOPE_FAILED)
		return false;
	head->name = value.size ? arena_text(&f->arena, value) : TEXT_NULL;
	speedscope_name_profile(f);
	if (v == SPEEDSCOPE_GOOD && value.size)
		return true;
	if (v == SPEEDSCOPE_GOOD)
		speedscope_set_scratch(f, TEXT_LITERAL("\"\""));
	return keep_odd(f, SPEEDSCOPE_KEY_NAME);
}

static bool
read_unit(struct speedscope_file *f, struct speedscope_head *head)
{
	uint64_t offset = json_offset(f->json);
	struct text value;
	enum speedscope_value v = speedscope_read_text(f, &value);

	if (v == SPEEDSCOPE_FAILED)
		return false;
	head->unit = SPEEDSCOPE_UNIT_none;
	if (v == SPEEDSCOPE_GOOD) {
		const size_t unit = text_among(value, speedscope_units, SPEEDSCOPE_UNIT_COUNT);

		if (unit < SPEEDSCOPE_UNIT_COUNT) {
			head->unit = (enum speedscope_unit)unit;
			return true;
		}
		strbuf_reset(&f->scratch);
		json_append_depot_text(&f->scratch, value);
	}
	return keep_odd(f, SPEEDSCOPE_KEY_UNIT) &&
	       (f->look || reader_issue_at(f->in, ISSUE_ODD_VALUE, offset,
				   "unknown unit, read as \"none\""));
}

static bool
read_limit(struct speedscope_file *f, enum speedscope_key k, struct decimal *out)
{
	uint64_t offset = json_offset(f->json);
	struct decimal d;
	enum speedscope_value v = speedscope_read_number(f, &d);

	if (v == SPEEDSCOPE_FAILED)
		return false;
	*out = speedscope_keep(&f->arena, d);
	if (v == SPEEDSCOPE_GOOD || f->look)
		return true;
	if (v == SPEEDSCOPE_BAD)
		return reader_refuse_at(f->in, offset, "%s is not a number", speedscope_keys[k]);
	return keep_odd(f, k) &&
	       reader_issue_at(f->in, ISSUE_ODD_VALUE, offset,
		       v == SPEEDSCOPE_NULL ? "%s is null" : "%s is a string", speedscope_keys[k]);
}

static bool
read_head_key(struct speedscope_file *f, enum speedscope_key k, struct speedscope_head *head)
{
	if (k == SPEEDSCOPE_KEY_TYPE)
		return read_type(f, head);
	if (k == SPEEDSCOPE_KEY_NAME)
		return read_name(f, head);
	if (k == SPEEDSCOPE_KEY_UNIT)
		return read_unit(f, head);
	return read_limit(f, k, k == SPEEDSCOPE_KEY_START ? &head->start : &head->end);
}

bool
speedscope_need_metric(
	struct speedscope_file *f, enum speedscope_type type, enum speedscope_unit unit)
{
	enum speedscope_type other =
		type == SPEEDSCOPE_EVENTED ? SPEEDSCOPE_SAMPLED : SPEEDSCOPE_EVENTED;
	const char *word = unit == SPEEDSCOPE_UNIT_none ? "weight" : speedscope_units[unit];
	char name[48];
	struct metric_row row = { .family = type == SPEEDSCOPE_EVENTED ? METRIC_OF_SPANS
								       : METRIC_OF_SAMPLES,
		.unit = text_from(speedscope_units[unit]) };

	if (f->metrics[type][unit])
		return true;
	if (f->has_facts) {
		f->in->again = true;
		return false;
	}
	snprintf(name, sizeof(name), "%s%s", word,
		!f->metrics[other][unit]     ? ""
		: type == SPEEDSCOPE_EVENTED ? "_calls"
					     : "_samples");
	row.name = text_from(name);
	return emit_metric(f->in, &row, &f->metrics[type][unit]);
}

/* --- events, samples and weights ----------------------------------------------------- */

/* Returns whether the events or samples can be read now. Type and unit must come before them; for
 * events, the start must also come before them. */
static bool
is_ready(const struct speedscope_file *f, enum speedscope_key k)
{
	const uint32_t *seen = f->head.seen;

	return seen[SPEEDSCOPE_KEY_TYPE] && seen[SPEEDSCOPE_KEY_UNIT] && seen[k] == 1 &&
	       (f->head.type != SPEEDSCOPE_EVENTED || seen[SPEEDSCOPE_KEY_START]);
}

static bool
read_body(struct speedscope_file *f, enum speedscope_key k, const struct speedscope_head *here)
{
	const bool evented = k == SPEEDSCOPE_KEY_EVENTS;

	if (f->look)
		return json_skip(f->json, f->in->err);
	if (f->emit_shared && !is_ready(f, k)) {
		f->in->again = true;
		return false;
	}
	if (!f->emit_shared && here->seen[k] != f->head.seen[k])
		return json_skip(f->json, f->in->err);
	if (f->head.type == SPEEDSCOPE_NO_TYPE)
		return json_skip(f->json, f->in->err); /* refused at the end of the profile */
	if (evented != (f->head.type == SPEEDSCOPE_EVENTED))
		return speedscope_read_raw(f) && keep_odd(f, k);
	if (!speedscope_need_metric(f, f->head.type, f->head.unit))
		return false;
	f->metric = f->metrics[f->head.type][f->head.unit];
	f->has_facts = true;
	if (evented)
		return speedscope_read_events(f);
	return k == SPEEDSCOPE_KEY_SAMPLES ? speedscope_read_samples(f)
					   : speedscope_read_weights(f);
}

static bool
read_unknown(struct speedscope_file *f, struct text borrowed)
{
	struct text key;

	if (f->look)
		return json_skip(f->json, f->in->err);
	arena_reset(&f->frame_arena);
	key = arena_text(&f->frame_arena, borrowed);
	return speedscope_read_raw(f) && speedscope_odd_member(f, &f->p_members, key);
}

/* Returns whether the key comes too late: the events or samples that need it have already been read. */
static bool
comes_late(const struct speedscope_file *f, enum speedscope_key k)
{
	const uint32_t *seen = f->head.seen;

	return f->emit_shared && k != SPEEDSCOPE_KEY_NAME && k != SPEEDSCOPE_KEY_END &&
	       (seen[SPEEDSCOPE_KEY_EVENTS] || seen[SPEEDSCOPE_KEY_SAMPLES] ||
		       seen[SPEEDSCOPE_KEY_WEIGHTS]);
}

/* Reads the members of a profile, and counts their keys in `here`. After an earlier pass,
 * f->head contains the counts of that pass. */
static bool
read_keys(struct speedscope_file *f, struct speedscope_head *here)
{
	struct text key;
	bool ok;

	while (json_more_keys(f->json, &key, f->in->err)) {
		const enum speedscope_key k =
			(enum speedscope_key)text_among(key, speedscope_keys, SPEEDSCOPE_KEY_COUNT);

		if (k < SPEEDSCOPE_KEY_COUNT)
			here->seen[k]++;
		if (k == SPEEDSCOPE_KEY_COUNT) {
			ok = read_unknown(f, key);
		} else if (k >= SPEEDSCOPE_KEY_EVENTS) {
			ok = read_body(f, k, here);
		} else if (comes_late(f, k) &&
			   (k != SPEEDSCOPE_KEY_START || f->head.type == SPEEDSCOPE_EVENTED)) {
			f->in->again = true;
			ok = false;
		} else {
			ok = read_head_key(f, k, here);
		}
		if (!ok)
			return false;
	}
	return f->in->err->code == ERROR_NONE;
}

/* --- the track ----------------------------------------------------------------------- */

/* Appends { "absent": ..., "members": ... }, or nothing if columns store everything. */
static void
write_attributes(struct speedscope_file *f, struct strbuf *b)
{
	const struct {
		const char *name;
		const struct speedscope_odd *odd;
		char end;
	} parts[] = {
		{ "members", &f->p_members, '}' },
		{ "events", &f->p_events, ']' },
		{ "samples", &f->p_samples, ']' },
		{ "weights", &f->p_weights, ']' },
	};
	bool absent = false;

	for (unsigned k = 0; k < SPEEDSCOPE_KEY_EVENTS; k++)
		if (!f->head.seen[k]) {
			strbuf_append_str(b, absent ? "," : "{\"absent\":[");
			strbuf_printf(b, "\"%s\"", speedscope_keys[k]);
			absent = true;
		}
	if (absent)
		strbuf_append_char(b, ']');
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].odd->text.size) {
			strbuf_printf(b, "%c\"%s\":", b->size ? ',' : '{', parts[i].name);
			strbuf_append_text(b, strbuf_text(&parts[i].odd->text));
			strbuf_append_char(b, parts[i].end);
		}
	if (b->size)
		strbuf_append_char(b, '}');
}

static bool
add_track(struct speedscope_file *f, struct decimal start, struct decimal duration)
{
	struct track_row row = { .id = (int32_t)f->profile + 1,
		.kind = "profile",
		.name = f->head.name.size ? f->head.name : text_from(f->in->name),
		.process_id = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.metric = f->metric,
		.start = start,
		.duration = duration,
		.started_us = MODEL_NULL };
	struct strbuf attributes;
	bool ok;

	strbuf_init(&attributes, 5 * (size_t)SPEEDSCOPE_MAX_ODD_BYTES);
	write_attributes(f, &attributes);
	if (attributes.size)
		row.attributes = strbuf_text(&attributes);
	ok = emit_track(f->in, &row);
	strbuf_release(&attributes);
	return ok;
}

/* Keeps endValue if the writer cannot compute it from the track. */
static bool
keep_end(struct speedscope_file *f, struct decimal start, struct decimal duration)
{
	char digits[DECIMAL_TEXT_BYTES];
	struct decimal sum;

	if (!f->head.seen[SPEEDSCOPE_KEY_END] || f->head.end.kind == DECIMAL_NULL)
		return true;
	if (decimal_add(start, duration, &sum) && decimal_compare(sum, f->head.end) == 0 &&
		f->head.end.kind == DECIMAL_COMPACT)
		return true;
	speedscope_set_scratch(f, decimal_text(f->head.end, 0, digits));
	return keep_odd(f, SPEEDSCOPE_KEY_END);
}

static bool
check_key(struct speedscope_file *f, enum speedscope_key k, const char *taken)
{
	if (f->head.seen[k])
		return true;
	return reader_issue_at(f->in, ISSUE_ODD_VALUE, json_offset(f->json), "%s is missing: %s",
		speedscope_keys[k], taken);
}

/* Refuses a profile without an array that its type requires; reports other missing keys. */
static bool
check_body(struct speedscope_file *f, uint64_t offset)
{
	const uint32_t *seen = f->head.seen;

	if (f->head.type == SPEEDSCOPE_NO_TYPE)
		return reader_refuse_at(f->in, offset, "the profile has no type");
	if (f->head.type == SPEEDSCOPE_EVENTED && !seen[SPEEDSCOPE_KEY_EVENTS])
		return reader_refuse_at(f->in, offset, "an evented profile has no events");
	if (f->head.type == SPEEDSCOPE_SAMPLED &&
		(!seen[SPEEDSCOPE_KEY_SAMPLES] || !seen[SPEEDSCOPE_KEY_WEIGHTS]))
		return reader_refuse_at(f->in, offset, "a sampled profile has no %s",
			seen[SPEEDSCOPE_KEY_SAMPLES] ? "weights" : "samples");
	return check_key(f, SPEEDSCOPE_KEY_UNIT, "\"none\" is used") &&
	       check_key(f, SPEEDSCOPE_KEY_START, "the first time is used") &&
	       check_key(f, SPEEDSCOPE_KEY_END, "the last time is used");
}

static bool
end_profile(struct speedscope_file *f, uint64_t offset)
{
	struct decimal start, end, extent, duration;

	if (!check_body(f, offset))
		return false;
	/* Both functions set head.start if the profile has no startValue. */
	if (f->head.type == SPEEDSCOPE_EVENTED ? !speedscope_end_evented(f, &extent)
					       : !speedscope_end_sampled(f, &extent))
		return false;
	start = f->head.start.kind ? f->head.start : decimal_from_int64(0);
	end = f->head.end;
	duration = extent;
	if (end.kind != DECIMAL_NULL) {
		struct decimal stated = speedscope_difference(&f->arena, end, start);

		if (extent.kind == DECIMAL_NULL || decimal_compare(stated, extent) > 0)
			duration = stated;
		if (decimal_compare(end, start) < 0 &&
			!reader_issue_at(
				f->in, ISSUE_ODD_VALUE, offset, "endValue is before startValue"))
			return false;
	}
	if (duration.kind == DECIMAL_NULL)
		duration = decimal_from_int64(0);
	return keep_end(f, start, duration) && add_track(f, start, duration);
}

static void
begin_profile(struct speedscope_file *f)
{
	struct speedscope_odd *odds[] = { &f->p_members, &f->p_events, &f->p_samples,
		&f->p_weights };

	for (size_t i = 0; i < sizeof(odds) / sizeof(odds[0]); i++) {
		strbuf_reset(&odds[i]->text);
		odds[i]->reported = false;
	}
	f->head = (struct speedscope_head){ 0 };
	if (!f->emit_shared && !f->look)
		f->head = f->heads[f->profile];
	f->metric = 0;
	f->has_last = false;
	f->events = 0;
	f->has_samples = f->has_weights = false;
	f->sample_count = f->weight_count = 0;
	f->bad_sample = UINT64_MAX;
	f->weight_sum = 0;
	f->weight_double = 0;
	f->weight_inexact = false;
	f->last = (struct decimal){ 0 };
	pair_map_release(&f->stack_texts);
	spool_reset(f->stacks);
	spool_reset(f->weights);
}

static bool
read_profile(struct speedscope_file *f)
{
	struct speedscope_head counted = { 0 };
	uint64_t offset = json_offset(f->json);

	if (f->profile == SPEEDSCOPE_MAX_PROFILES)
		return error_set(f->in->err, ERROR_LIMIT, "%s: more than %d profiles", f->in->name,
			SPEEDSCOPE_MAX_PROFILES);
	begin_profile(f);
	speedscope_name_profile(f);
	if (!speedscope_enter(f, JSON_OBJECT, "the profile", -1) ||
		!read_keys(f, f->look || f->emit_shared ? &f->head : &counted))
		return false;
	if (f->look)
		*ARRAY_ADD(f->heads, f->head_count, f->head_room) = f->head;
	else if (!end_profile(f, offset))
		return false;
	if (f->profile == 0)
		f->first_profile = f->head.name;
	f->in->part = NULL;
	return true;
}

bool
speedscope_read_profiles(struct speedscope_file *f)
{
	if (!speedscope_enter(f, JSON_ARRAY, "\"profiles\"", -1))
		return false;
	for (f->profile = 0; json_more_items(f->json, f->in->err); f->profile++)
		if (!read_profile(f))
			return false;
	f->profile_count = f->profile;
	return f->in->err->code == ERROR_NONE;
}
