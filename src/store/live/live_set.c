/* Finds, creates and locks open result sets. */
#include "live_private.h"
#include "store/store_private.h"

#include "base/array.h"
#include "base/number.h"

#include <config.h>
#include <stdlib.h>

void
live_set_clear(struct live_set *set)
{
	struct pair_map *maps[] = { &set->routines, &set->lines, &set->stacks, &set->texts,
		&set->tracks, &set->profiles };

	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		pair_map_release(maps[i]);
	arena_release(&set->arena);
	set->arena = ARENA_INIT;
	free(set->known);
	set->known = NULL;
	set->known_room = 0;
	set->next_routine = 0;
	set->next_line = 0;
	set->last_sample = 0;
	set->last_span = 0;
	set->sample_count = 0;
	set->span_count = 0;
	set->next_stack = 1;
	set->next_track = 1;
	set->metric_count = 0;
	set->number = 0;
}

void
live_set_free(struct live_set *set)
{
	live_set_clear(set);
	free(set);
}

int64_t
live_inst_id(const struct live_set *set)
{
	return set->inst_id;
}

int32_t
live_profile_track(const struct live_set *set, struct text id)
{
	struct hash128 h = live_text_hash(id);
	uint32_t track = pair_map_get(&set->profiles, (int64_t)h.low, (int64_t)h.high);

	return track == PAIR_MAP_NONE ? 0 : (int32_t)track;
}

/* Locks the set's row. *held is false if another process has removed or closed the set. If `as_it_was` is
 * true, *held is also false if another process has changed the set. In this case, stores the set's counts, which this
 * transaction has not changed yet. */
static bool
touch(struct live *l, struct live_set *set, bool as_it_was, bool *held, struct error *err)
{
	char posted[100];
	struct db_result *r;

	snprintf(posted, sizeof(posted), "{%lld,%lld,%lld,%lld}", (long long)set->sample_count,
		(long long)set->last_sample, (long long)set->span_count, (long long)set->last_span);
	r = STORE_QUERY(l->db, "live_touch", SQL_STORE_LIVE_TOUCH,
		err, [SQL_STORE_LIVE_TOUCH_INST_ID] = INT64_TEXT(set->inst_id),
		[SQL_STORE_LIVE_TOUCH_NUMBER] = INT64_TEXT(l->number),
		[SQL_STORE_LIVE_TOUCH_POSTED] = as_it_was ? posted : NULL,
		[SQL_STORE_LIVE_TOUCH_WAS] = as_it_was ? INT64_TEXT(set->number) : NULL);

	*held = r && db_result_rows(r) > 0;
	return db_done(r);
}

static bool
find(struct live *l, const struct live_source *s, int64_t *inst_id, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct db_result *r = STORE_QUERY(l->db, "live_find", SQL_STORE_LIVE_FIND,
		err, [SQL_STORE_LIVE_FIND_FORMAT] = s->format,
		[SQL_STORE_LIVE_FIND_HOST] = arena_text(&a, s->host).data,
		[SQL_STORE_LIVE_FIND_CATEGORY] = arena_text(&a, s->category).data,
		[SQL_STORE_LIVE_FIND_DAY] = l->day);

	arena_release(&a);
	return store_int64(r, 0, inst_id);
}

static bool
insert(struct live *l, const struct live_source *s, int64_t inst_id, struct error *err)
{
	struct arena a = ARENA_INIT;
	const char *digits = INT64_TEXT(inst_id);
	const char *host = arena_text(&a, s->host).data;
	const char *category = arena_text(&a, s->category).data;
	const char *caption = arena_printf(&a, "%s of %s, %s", category, host, l->day);
	const char *labels[][2] = { { "category", category }, { "day", l->day } };
	bool ok;

	ok = db_done(STORE_QUERY(l->db, "live_insert", SQL_STORE_LIVE_INSERT, err,
		[SQL_STORE_LIVE_INSERT_INST_ID] = digits, [SQL_STORE_LIVE_INSERT_CAPTION] = caption,
		[SQL_STORE_LIVE_INSERT_FORMAT] = s->format, [SQL_STORE_LIVE_INSERT_HOST] = host,
		[SQL_STORE_LIVE_INSERT_TOOL] = s->tool,
		[SQL_STORE_LIVE_INSERT_VERSION] = PACKAGE_VERSION));
	for (size_t i = 0; ok && i < 2; i++)
		ok = db_done(STORE_QUERY(l->db, "set_label", SQL_STORE_SET_LABEL,
			err, [SQL_STORE_SET_LABEL_INST_ID] = digits,
			[SQL_STORE_SET_LABEL_KEY] = labels[i][0],
			[SQL_STORE_SET_LABEL_VALUE] = labels[i][1]));
	arena_release(&a);
	return ok && db_done(store_query_set(l->db, "store/stream_place", inst_id, err));
}

/* Takes a lock, so that two servers cannot create the same set. */
static bool
find_or_make(struct live *l, struct live_set *set, const struct live_source *s, struct error *err)
{
	bool held = false;

	if (!db_exec(l->db, "SELECT pg_advisory_xact_lock(7305094182306)", err) ||
		!find(l, s, &set->inst_id, err) ||
		(set->inst_id && !touch(l, set, false, &held, err)))
		return false;
	if (held)
		return live_set_read(l, set, err);
	return load_draw_inst_id(l->db, &set->inst_id, err) && insert(l, s, set->inst_id, err);
}

static struct hash128
source_key(struct live *l, const struct live_source *s)
{
	struct strbuf *b = &l->scratch;

	strbuf_reset(b);
	strbuf_append_str(b, s->format);
	strbuf_append_char(b, '\0');
	strbuf_append_text(b, s->host);
	strbuf_append_char(b, '\0');
	strbuf_append_text(b, s->category);
	return live_text_hash(strbuf_text(b));
}

static struct live_set *
cached(struct live *l, struct hash128 key)
{
	bool added;
	uint32_t i = pair_map_add(&l->set_by_key, (int64_t)key.low, (int64_t)key.high,
		(uint32_t)l->slot_count, &added);

	if (added) {
		struct live_set *set = xcalloc(1, sizeof(*set));

		live_set_clear(set);
		*ARRAY_ADD(l->slots, l->slot_count, l->slot_room) = set;
	}
	return l->slots[i];
}

/* *held is true if this transaction has locked the set's row and the dictionaries are valid. Otherwise
 * the dictionaries are empty. The set is marked as touched in both cases, so that a rollback clears
 * incomplete dictionaries. */
static bool
hold(struct live *l, struct live_set *set, bool *held, struct error *err)
{
	*held = set->touched;
	if (!*held && set->number && !touch(l, set, true, held, err))
		return false;
	if (!*held)
		live_set_clear(set);
	set->touched = true;
	return true;
}

struct live_set *
live_open(struct live *l, const struct live_source *source, struct error *err)
{
	struct live_set *set = cached(l, source_key(l, source));
	bool held;

	if (!hold(l, set, &held, err) || (!held && !find_or_make(l, set, source, err)))
		return NULL;
	return set;
}

/* Opens a set by number, because a set of an earlier day cannot be found by its source. */
static struct live_set *
open_number(struct live *l, int64_t inst_id, struct error *err)
{
	struct live_set *set = cached(l, live_text_hash(text_from(INT64_TEXT(inst_id))));
	bool held;

	set->inst_id = inst_id;
	if (!hold(l, set, &held, err))
		return NULL;
	if (held)
		return set;
	if (!touch(l, set, false, &held, err) || (held && !live_set_read(l, set, err)))
		return NULL;
	if (!held)
		error_set(err, ERROR_DATABASE, "result set %lld has just been closed",
			(long long)inst_id);
	return held ? set : NULL;
}

struct db_result *
live_named_query(struct live *l, const char *name, struct error *err)
{
	return STORE_QUERY(l->db, "live_batch_find", SQL_STORE_LIVE_BATCH_FIND,
		err, [SQL_STORE_LIVE_BATCH_FIND_NAME] = name);
}

bool
live_open_named(struct live *l, const char *name, struct live_set **set, struct error *err)
{
	struct db_result *batch = live_named_query(l, name, err);
	struct db_result *r;
	struct live_source source;
	int64_t inst_id = 0;

	*set = NULL;
	if (!batch)
		return false;
	r = STORE_QUERY(l->db, "live_named_set", SQL_STORE_LIVE_NAMED_SET, err,
		[SQL_STORE_LIVE_NAMED_SET_INST_IDS] =
			db_result_rows(batch) ? db_result_value(batch, 0, 1).data : "{}");
	db_result_free(batch);
	if (!r)
		return false;
	if (db_result_rows(r))
		inst_id = db_result_int64(r, 0, 0, 0);
	if (inst_id && text_equal(db_result_value(r, 0, 4), text_from(l->day))) {
		source = (struct live_source){ db_result_value(r, 0, 1).data, NULL,
			db_result_value(r, 0, 2), db_result_value(r, 0, 3) };
		*set = live_open(l, &source, err);
	} else if (inst_id) {
		*set = open_number(l, inst_id, err);
	}
	db_result_free(r);
	return !inst_id || *set;
}
