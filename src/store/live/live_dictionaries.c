/*
 * The dictionaries of an open set, which map known entries to numbers. A new entry is written in
 * the same transaction as the facts that refer to it.
 */
#include "live_private.h"
#include "store/columns.h"

#include "base/array.h"

#include <stdlib.h>

struct hash128
live_text_hash(struct text t)
{
	return hash128_seeded(t.data ? t.data : "", t.size, process_seed());
}

void
live_row(struct live *l, const struct live_set *set, enum relation r)
{
	copier_row(l->copier, r);
	copier_int64(l->copier, set->inst_id);
}

static void
append_part(struct strbuf *b, struct text t)
{
	strbuf_append_text(b, t);
	strbuf_append_char(b, '\0');
}

struct hash128
live_routine_key(struct live *l, const struct load_routine *r, struct text code)
{
	struct strbuf *b = &l->scratch;

	/* Most routines have only a name. */
	if (!r->module.size && !r->class_name.size && !r->file.size && !code.size)
		return live_text_hash(r->routine);
	strbuf_reset(b);
	append_part(b, r->module);
	append_part(b, r->class_name);
	append_part(b, r->routine);
	append_part(b, r->file);
	append_part(b, code);
	return live_text_hash(strbuf_text(b));
}

void
live_keep_routine(struct live *l, struct live_set *set, int64_t rec_id,
	const struct load_routine *r, int64_t source_line)
{
	struct load_routine *k;

	ARRAY_RESERVE_ZEROED(set->known, set->known_room, (size_t)rec_id + 1);
	k = &set->known[rec_id];
	k->module = arena_text(&set->arena, r->module);
	k->class_name = arena_text(&set->arena, r->class_name);
	k->routine = arena_text(&set->arena, r->routine);
	k->file = arena_text(&set->arena, r->file);
	frame_identity(l->sha, k, k->names);
	line_identity(l->sha, k, source_line, k->lines);
}

bool
live_routine(struct live *l, struct live_set *set, const struct routine_row *row, int64_t *rec_id,
	struct error *err)
{
	const struct load_routine r = { .module = row->module_name,
		.class_name = row->class_name,
		.routine = row->routine_name,
		.file = row->source_file };
	struct hash128 h = live_routine_key(l, &r, row->code_type);
	struct routine_row mine = *row;
	bool added;

	if (set->next_routine >= INT32_MAX)
		return error_set(err, ERROR_LIMIT, "too many routines in a result set");
	*rec_id = pair_map_add(&set->routines, (int64_t)h.low, (int64_t)h.high,
		(uint32_t)set->next_routine, &added);
	if (!added)
		return true;
	mine.id = mine.rec_id = set->next_routine++;
	live_keep_routine(l, set, mine.rec_id, &r, row->source_line);
	live_row(l, set, REL_META_ROUTINES);
	routine_row_put(l->copier, &mine);
	return copier_row_end(l->copier, err);
}

bool
live_line(struct live *l, struct live_set *set, int64_t routine, int64_t source_line,
	int64_t *rec_id, struct error *err)
{
	struct line_row row;
	bool added;

	if (set->next_line >= INT32_MAX)
		return error_set(err, ERROR_LIMIT, "too many lines in a result set");
	*rec_id = pair_map_add(&set->lines, routine, source_line, (uint32_t)set->next_line, &added);
	if (!added)
		return true;
	set->next_line++;
	row = (struct line_row){
		.id = *rec_id, .rec_id = *rec_id, .parent_id = routine, .source_line = source_line
	};
	live_row(l, set, REL_META_LINES);
	line_row_put(l->copier, &row);
	return copier_row_end(l->copier, err);
}

struct hash128
live_stack_key(struct live *l, const struct stack_row *row)
{
	struct strbuf *b = &l->scratch;

	strbuf_reset(b);
	strbuf_append(b, row->routine_ids, row->count * sizeof(*row->routine_ids));
	if (row->line_ids)
		strbuf_append(b, row->line_ids, row->count * sizeof(*row->line_ids));
	return live_text_hash(strbuf_text(b));
}

/* Writes a stack without determining its own frame (the first frame of the program's own code). If the
 * stack has call lines, its identities are not computed either, because an open set does not keep the
 * identities of lines. "profdepot reindex" computes all of these values. */
static bool
write_stack(struct live *l, struct live_set *set, const struct stack_row *row, int32_t number,
	struct error *err)
{
	uint8_t names[SHA256_BYTES];
	uint8_t lines[SHA256_BYTES];
	bool known = !row->line_ids;

	for (size_t i = 0; known && i < row->count; i++)
		sha256_update(l->sha, set->known[row->routine_ids[i]].names, IDENTITY_BYTES);
	sha256_finish(l->sha, names);
	for (size_t i = 0; known && i < row->count; i++)
		sha256_update(l->sha, set->known[row->routine_ids[i]].lines, IDENTITY_BYTES);
	sha256_finish(l->sha, lines);
	live_row(l, set, REL_STACKS);
	stack_put(l->copier, number, known ? names : NULL, known ? lines : NULL, row, 0, NULL);
	return copier_row_end(l->copier, err);
}

bool
live_stack(struct live *l, struct live_set *set, const struct stack_row *row, stack_number *number,
	struct error *err)
{
	struct hash128 h = live_stack_key(l, row);
	bool added;

	if (set->next_stack == INT32_MAX)
		return error_set(err, ERROR_LIMIT, "too many call stacks in a result set");
	*number = (stack_number)pair_map_add(
		&set->stacks, (int64_t)h.low, (int64_t)h.high, (uint32_t)set->next_stack, &added);
	if (!added)
		return true;
	set->next_stack++;
	return write_stack(l, set, row, *number, err);
}

static bool
frame_routine(
	struct live *l, struct live_set *set, struct text name, int64_t *id, struct error *err)
{
	const struct routine_row row = { .parent_id = -1,
		.hit_count = MODEL_NULL,
		.compiler = MODEL_NULL,
		.profile_lines = MODEL_NULL,
		.source_line = MODEL_NULL,
		.token = MODEL_NULL,
		.address = NUMBER_NULL,
		.routine_name = name };

	return live_routine(l, set, &row, id, err);
}

/* Splits a text into frames, and finds or adds their stack. The text is not in set->texts, but the
 * stack can already be in the set, because set->texts is not filled from the depot. */
static bool
split(struct live *l, struct live_set *set, struct text t, stack_number *number, struct error *err)
{
	const char *end = t.data + t.size;
	struct stack_row row = { .count = 0 };

	for (const char *p = t.data; p <= end; p++) {
		const char *semicolon = memchr(p, ';', (size_t)(end - p));
		const char *stop = semicolon ? semicolon : end;

		ARRAY_RESERVE(l->ids, l->id_room, row.count + 1);
		if (!frame_routine(l, set, (struct text){ p, (size_t)(stop - p) },
			    &l->ids[row.count++], err))
			return false;
		p = stop;
	}
	row.routine_ids = l->ids;
	return live_stack(l, set, &row, number, err);
}

bool
live_stack_text(struct live *l, struct live_set *set, struct text text, struct hash128 hash,
	stack_number *number, struct error *err)
{
	uint32_t known = pair_map_get(&set->texts, (int64_t)hash.low, (int64_t)hash.high);

	if (known != PAIR_MAP_NONE) {
		*number = (stack_number)known;
		return true;
	}
	if (!split(l, set, text, number, err))
		return false;
	pair_map_add(&set->texts, (int64_t)hash.low, (int64_t)hash.high, (uint32_t)*number, NULL);
	return true;
}

bool
live_metric(struct live *l, struct live_set *set, const struct metric_row *row,
	metric_number *number, struct error *err)
{
	for (*number = 1; *number <= set->metric_count; ++*number)
		if (text_equal(set->metrics[*number - 1], row->name))
			return true;
	if (set->metric_count == LIVE_METRICS_MAX)
		return error_set(err, ERROR_LIMIT, "too many metrics in a result set");
	set->metrics[set->metric_count++] = arena_text(&set->arena, row->name);
	live_row(l, set, REL_METRICS);
	metric_put(l->copier, *number, row);
	return copier_row_end(l->copier, err);
}

struct hash128
live_track_key(struct live *l, struct text category, struct text host, struct text process,
	int64_t thread_id)
{
	struct strbuf *b = &l->scratch;

	strbuf_reset(b);
	append_part(b, category);
	append_part(b, host);
	append_part(b, process);
	strbuf_append_char(b, process.data ? '1' : '0');
	strbuf_append(b, &thread_id, sizeof(thread_id));
	return live_text_hash(strbuf_text(b));
}

bool
live_track(struct live *l, struct live_set *set, const struct track_row *row, int32_t *id,
	struct error *err)
{
	bool is_process = strcmp(row->kind, "process") == 0;
	struct hash128 h = is_process ? live_track_key(l, row->category, row->host,
						row->process_name, row->thread_id)
				      : live_text_hash(row->source_id);
	struct track_row mine = *row;
	bool added;

	if (set->next_track == INT32_MAX)
		return error_set(err, ERROR_LIMIT, "too many tracks in a result set");
	mine.id = set->next_track;
	*id = (int32_t)pair_map_add(is_process ? &set->tracks : &set->profiles, (int64_t)h.low,
		(int64_t)h.high, (uint32_t)mine.id, &added);
	if (is_process && !added)
		return true;
	*id = mine.id;
	set->next_track++;
	live_row(l, set, REL_TRACKS);
	track_row_put(l->copier, &mine);
	return copier_row_end(l->copier, err);
}
