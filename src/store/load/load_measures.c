/* Metrics, tracks, paths, samples and spans. */
#include "load_measures.h"
#include "store/columns.h"

#include "base/arena.h"
#include "base/array.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool
name_is_taken(const struct load_set *set, struct text name)
{
	/* The metrics of objects and errors, and the names of these metrics in stack_totals. */
	static const char *const standing[] = { "live", "live_count", "live_size", "errors" };

	for (size_t i = 0; i < COUNT(standing); i++)
		if (text_equal(name, text_from(standing[i])))
			return true;
	for (size_t i = 0; i < set->metric_count; i++)
		if (text_equal(name, set->metrics[i].name))
			return true;
	return false;
}

bool
load_metric(struct sink *s, uint32_t number, const struct metric_row *row, metric_number *out,
	struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);
	const int64_t words[] = { (int64_t)set->metric_count + 1, row->family };
	const struct text texts[] = { row->name, row->unit, row->title };

	if (set->metric_count == METRICS_TOLD_MAX)
		return error_set(err, ERROR_LIMIT, "more than %d metrics in a result set",
			(int)METRICS_TOLD_MAX);
	if (name_is_taken(set, row->name))
		return error_set(err, ERROR_INTERNAL, "metric \"%.*s\" is repeated",
			text_precision(row->name, 100), row->name.data);
	set->metrics[set->metric_count++] = (struct metric_row){
		.family = row->family,
		.name = arena_text(l->arena, row->name),
		.unit = arena_text(l->arena, row->unit),
		.title = arena_text(l->arena, row->title),
		.aggregate = arena_text(l->arena, row->aggregate),
	};
	digest_row(&set->digest, DIGEST_METRICS, words, COUNT(words), texts, COUNT(texts));
	*out = (metric_number)set->metric_count;
	return true;
}

static bool
check_metric(const struct load_set *set, metric_number metric, size_t count, struct error *err)
{
	if (metric >= 1 && count <= set->metric_count &&
		(size_t)metric <= set->metric_count - count + 1)
		return true;
	return error_set(err, ERROR_INTERNAL, "metrics %d to %zu are used, but only %zu exist",
		metric, (size_t)metric + count - 1, set->metric_count);
}

static struct load_track *
track_at(struct load_set *set, int32_t id, struct error *err)
{
	if (id < 1 || id > TRACKS_MAX) {
		error_set(
			err, ERROR_LIMIT, "track %d is not between 1 and %d", id, (int)TRACKS_MAX);
		return NULL;
	}
	ARRAY_RESERVE_ZEROED(set->tracks, set->track_room, (size_t)id + 1);
	return &set->tracks[id];
}

/* Fails if the track has samples or spans of another metric. In the depot, a sample or span has the
 * metric of its track. */
static bool
use_track(struct load_set *set, int32_t id, metric_number metric, struct error *err)
{
	struct load_track *t;

	if ((size_t)id < set->track_room && id > 0 && set->tracks[id].used == metric)
		return true;
	t = track_at(set, id, err);
	if (!t)
		return false;
	if (t->used)
		return error_set(
			err, ERROR_INTERNAL, "track %d has metrics %d and %d", id, t->used, metric);
	t->used = metric;
	return true;
}

bool
load_check_tracks(const struct load_set *set, struct error *err)
{
	for (size_t i = 1; i < set->track_room; i++) {
		const struct load_track *t = &set->tracks[i];

		if (t->used && !t->told)
			return error_set(err, ERROR_INTERNAL, "track %zu is missing", i);
		if (t->used && t->used != t->told_metric)
			return error_set(err, ERROR_INTERNAL, "track %zu has metrics %d and %d", i,
				t->told_metric, t->used);
	}
	return true;
}

bool
load_track(struct sink *s, uint32_t number, const struct track_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);
	struct load_track *track = track_at(set, row->id, err);

	if (!track)
		return false;
	if (track->told)
		return error_set(err, ERROR_INTERNAL, "track %d is repeated", row->id);
	track->told = true;
	track->told_metric = row->metric;
	track_row_digest(&set->digest, DIGEST_TRACKS, row);
	load_counted(set, REL_TRACKS, row->id, 0);
	if (load_row(l, set, REL_TRACKS))
		track_row_put(l->copier, row);
	return load_row_end(l, err);
}

static void
check_routine(struct load_set *set, int64_t routine)
{
	if (load_routine_index(set, routine) == PAIR_MAP_NONE)
		load_dangles(set, DANGLING_ROUTINE, routine, 0);
}

bool
load_path(struct sink *s, uint32_t number, path_number parent, int64_t routine_id, path_number *out,
	struct error *err)
{
	struct load_set *set = load_set_at(s, number);
	int64_t routine = routine_id == MODEL_NULL ? CALL_TREE_UNKNOWN : routine_id;
	size_t size;

	*out = 0;
	if (!load_is_wanted((struct load *)s, err))
		return false;
	if (!set->tree)
		return true;
	size = call_tree_size(set->tree);
	*out = call_tree_child(set->tree, parent, routine);
	if (*out == size && routine != CALL_TREE_UNKNOWN)
		check_routine(set, routine);
	return load_within_limits((struct load *)s, set, err);
}

static void
digest_sample(struct load_set *set, int64_t id, const struct sample_row *row)
{
	struct hash128 stack = load_stack_content(set, row->stack);
	int64_t words[10] = { DIGEST_SAMPLES, id, row->track, row->metric, (int64_t)stack.low,
		(int64_t)stack.high };

	digest_decimal(row->at, words + 6);
	digest_decimal(row->values[0], words + 8);
	hash128_add(&set->outcome.digest, hash128(words, sizeof(words)));
	if (row->value_count == 1 && !row->attributes.size)
		return;
	for (size_t i = 1; i < row->value_count; i++) {
		const int64_t place[] = { id, (int64_t)i };

		digest_decimal(row->values[i], words + 8);
		digest_row(&set->digest, DIGEST_SAMPLES, words + 8, 2,
			&(struct text){ (const char *)place, sizeof(place) }, 1);
	}
	digest_row(&set->digest, DIGEST_SAMPLES, &id, 1, &row->attributes, 1);
}

static bool
sum_exceeded(struct error *err, const char *what, int64_t id)
{
	return error_set(err, ERROR_LIMIT,
		"%s %lld: the values up to this %s add up to more than 10^20", what, (long long)id,
		what);
}

/* Returns whether the sum is in range. The limits themselves are out of range. */
static bool
is_sum(wide_int sum)
{
	return sum > -WIDE_MAX && sum < WIDE_MAX;
}

bool
load_sample(struct sink *s, uint32_t number, const struct sample_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);
	int64_t id = set->counts[REL_SAMPLES].rows + 1;

	if (!load_is_wanted(l, err) || !check_metric(set, row->metric, row->value_count, err) ||
		!use_track(set, row->track, row->metric, err))
		return false;
	digest_sample(set, id, row);
	load_counted(set, REL_SAMPLES, id, decimal_to_fixed(row->values[0]));
	if (!is_sum(set->counts[REL_SAMPLES].values))
		return sum_exceeded(err, "sample", id);
	for (size_t i = 0; i < row->value_count; i++) {
		wide_int value = decimal_to_fixed(row->values[i]);

		if (!is_sum(value))
			return sum_exceeded(err, "sample", id);
		if (set->metrics[row->metric - 1 + (int)i].family == METRIC_OF_GAUGES)
			continue;
		if (!load_add_total(set,
			    &(struct load_total_key){
				    row->metric - 1 + (int)i, row->track, row->stack, 0, false },
			    1, value))
			return sum_exceeded(err, "sample", id);
	}
	if (!l->copier)
		return true;
	if (row->value_count == 1 && text_is_null(row->attributes))
		return block_add_sample(l, set, id, row, err);
	set->counts[REL_SAMPLE_ROWS].rows++;
	load_row(l, set, REL_SAMPLE_ROWS);
	sample_put(l->copier, id, row);
	return load_row_end(l, err);
}

/* Reports an ID that equals the previous ID. The server reports all other repeated IDs. */
static bool
check_span_id(struct load_set *set, int64_t id, struct error *err)
{
	if (id == set->last_span_id)
		return error_set(err, ERROR_INPUT, "span %lld is repeated", (long long)id);
	set->last_span_id = id;
	return true;
}

/* Counts the span, and adds its duration to the node of its path. */
static bool
count_span(struct load_set *set, int64_t id, metric_number metric, path_number path,
	wide_int duration, struct error *err)
{
	load_counted(set, REL_SPANS, id, duration);
	if (path == PATH_OF_PARENT)
		set->paths_missing = true;
	else if (set->tree && path)
		call_tree_add_total(set->tree, (size_t)metric - 1, path, duration);
	return is_sum(set->counts[REL_SPANS].values) || sum_exceeded(err, "span", id);
}

static bool
write_span(struct load *l, struct load_set *set, const struct span_row *row, struct error *err)
{
	set->counts[REL_SPAN_ROWS].rows++;
	if (load_row(l, set, REL_SPAN_ROWS))
		span_row_put(l->copier, row);
	return load_row_end(l, err);
}

bool
load_span(struct sink *s, uint32_t number, const struct span_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);
	struct hash128 stack = load_stack_content(set, row->stack);
	int64_t words[14] = { row->id, row->parent_id, row->track, row->metric, row->routine_id,
		(int64_t)stack.low, (int64_t)stack.high, row->errored };
	const struct text texts[] = { text_from(row->kind), row->name, row->source_id,
		row->category, row->execute_type, row->command, row->attributes };

	if (!check_metric(set, row->metric, 1, err) || !check_span_id(set, row->id, err) ||
		!use_track(set, row->track, row->metric, err))
		return false;
	digest_decimal(row->start, words + 8);
	digest_decimal(row->duration, words + 10);
	digest_decimal(row->first_fetch, words + 12);
	digest_row(&set->digest, DIGEST_SPANS, words, COUNT(words), texts, COUNT(texts));
	return count_span(set, row->id, row->metric, row->path, decimal_to_fixed(row->duration),
		       err) &&
	       write_span(l, set, row, err);
}

/* stop - start; 0 if either is unknown. */
static wide_int
frame_duration(const struct frame_row *row)
{
	struct decimal d;

	if (row->start.kind == DECIMAL_NULL || row->stop.kind == DECIMAL_NULL)
		return 0;
	if (decimal_subtract(row->stop, row->start, &d))
		return decimal_to_fixed(d);
	return fixed_subtract(decimal_to_fixed(row->stop), decimal_to_fixed(row->start));
}

/* Writes a frame whose numbers do not fit into a block. */
static bool
write_frame_row(
	struct load *l, struct load_set *set, const struct frame_row *row, struct error *err)
{
	char duration[DECIMAL_FIXED_TEXT_MAX];
	uint32_t routine = row->routine_id == MODEL_NULL ? PAIR_MAP_NONE
							 : load_routine_index(set, row->routine_id);
	struct span_row span = {
		.id = row->id,
		.parent_id = row->parent_id,
		.track = row->track,
		.kind = "frame",
		.name = routine == PAIR_MAP_NONE ? TEXT_NULL : set->routines[routine].routine,
		.routine_id = row->routine_id,
		.start = row->start,
		.errored = -1,
	};

	if (row->start.kind != DECIMAL_NULL && row->stop.kind != DECIMAL_NULL &&
		!decimal_subtract(row->stop, row->start, &span.duration)) {
		fixed_format(frame_duration(row), duration);
		decimal_parse(text_from(duration), &span.duration);
	}
	return write_span(l, set, &span, err);
}

bool
load_frame(struct sink *s, uint32_t number, const struct frame_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);
	int64_t words[10] = { DIGEST_FRAMES, row->id, row->parent_id, row->track, row->metric,
		row->routine_id };
	bool fits;

	if (!check_metric(set, row->metric, 1, err) || !check_span_id(set, row->id, err) ||
		!use_track(set, row->track, row->metric, err))
		return false;
	digest_decimal(row->start, words + 6);
	digest_decimal(row->stop, words + 8);
	hash128_add(&set->outcome.digest, hash128(words, sizeof(words)));
	if (!count_span(set, row->id, row->metric, row->path, frame_duration(row), err))
		return false;
	if (!l->copier)
		return true;
	if (!block_add_frame(l, set, row, &fits, err))
		return false;
	return fits || write_frame_row(l, set, row, err);
}
