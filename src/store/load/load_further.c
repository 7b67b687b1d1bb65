/* What detectors tell beside objects and errors. */
#include "load_private.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool
has_thread(const struct pair_map *threads, int64_t id)
{
	return pair_map_get(threads, id, 0) != PAIR_MAP_NONE;
}

bool
load_further_stack(
	struct sink *s, uint32_t number, const struct further_stack_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);
	struct copier *c = l->copier;
	struct hash128 stack =
		row->stack ? set->stacks[row->stack - 1].content : (struct hash128){ 0, 0 };
	const int64_t words[] = { row->owner, row->owner_id, row->position, row->thread_id,
		(int64_t)stack.low, (int64_t)stack.high };
	const struct text texts[] = { row->role, row->description };

	if (row->position < 1 || row->position > INT32_MAX)
		return error_set(err, ERROR_INTERNAL, "further stack %lld of an owner",
			(long long)row->position);
	if (row->owner == OWNER_THREAD && !has_thread(&set->thread_by_id, row->owner_id))
		load_dangles(set, DANGLING_THREAD, row->owner_id, 0);
	if (row->thread_id != MODEL_NULL && !has_thread(&set->thread_by_rec, row->thread_id))
		load_dangles(set, DANGLING_THREAD, row->thread_id, 0);
	digest_row(l, set, DIGEST_FURTHER_STACKS, words, COUNT(words), texts, COUNT(texts));
	load_counted(set, REL_FURTHER_STACKS, row->owner_id, row->position);
	if (!load_row(l, set, REL_FURTHER_STACKS))
		return true;
	copier_text(c, text_from(stack_owner_name(row->owner)));
	copier_int64(c, row->owner_id);
	copier_int32(c, (int32_t)row->position);
	for (size_t i = 0; i < COUNT(texts); i++)
		copier_text(c, texts[i]);
	copier_int64_or_null(c, row->thread_id);
	if (row->stack)
		copier_int32(c, row->stack);
	else
		copier_null(c);
	return load_row_end(l, err);
}

bool
load_suppression(
	struct sink *s, uint32_t number, const struct suppression_row *row, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = load_set_at(s, number);
	struct copier *c = l->copier;
	const int64_t words[] = { row->id, row->count, row->bytes, row->blocks };
	const struct text texts[] = { row->name, row->syntax, row->kind, row->pattern, row->file };

	digest_row(l, set, DIGEST_SUPPRESSIONS, words, COUNT(words), texts, COUNT(texts));
	load_counted(set, REL_SUPPRESSIONS, row->id, row->count == MODEL_NULL ? 0 : row->count);
	if (!load_row(l, set, REL_SUPPRESSIONS))
		return true;
	copier_int64(c, row->id);
	for (size_t i = 0; i < COUNT(texts); i++)
		copier_text(c, texts[i]);
	for (size_t i = 1; i < COUNT(words); i++)
		copier_int64_or_null(c, words[i]);
	return load_row_end(l, err);
}
