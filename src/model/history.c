/* Names the states and reviews of findings, and divides runs into groups. */
#include "model/history.h"

#include "base/array.h"
#include "base/pair_map.h"

#include <string.h>

const char *const history_state_names[HISTORY_STATES] = {
#define HISTORY_STATE_NAME(code, word) [code] = word,
	HISTORY_STATE_TABLE(HISTORY_STATE_NAME)
#undef HISTORY_STATE_NAME
};

const char *const review_status_names[REVIEW_STATUSES] = {
#define REVIEW_STATUS_NAME(code, word) [code] = word,
	REVIEW_STATUS_TABLE(REVIEW_STATUS_NAME)
#undef REVIEW_STATUS_NAME
};

enum history_what
history_what_of(struct text kind)
{
	if (text_equal(kind, TEXT_LITERAL("leak")))
		return HISTORY_LEAKS;
	if (text_equal(kind, TEXT_LITERAL("race")) || text_equal(kind, TEXT_LITERAL("lock-order")))
		return HISTORY_RACES;
	return HISTORY_ERRORS;
}

const uint8_t *
history_root(const struct history *h, const uint8_t identity[IDENTITY_BYTES])
{
	for (size_t low = 0, high = h->alias_count; low < high;) {
		size_t middle = (low + high) / 2;
		int c = memcmp(h->aliases[middle].identity, identity, IDENTITY_BYTES);

		if (c == 0)
			return h->aliases[middle].root;
		if (c < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return identity;
}

static int
compare_groups(const void *a, const void *b)
{
	const struct history_run *x = a;
	const struct history_run *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return (x->inst_id > y->inst_id) - (x->inst_id < y->inst_id);
}

void
history_group(struct history *h)
{
	/* There are two maps, because a run of the parent and a different run of the branch can
	 * have the same key. */
	struct pair_map by_key[2] = { { .entries = NULL } };

	h->group_count = 0;
	h->own_group = HISTORY_NEVER;
	for (size_t i = 0; i < h->run_count; i++) {
		struct history_run *r = &h->runs[i];

		r->group = h->group_count;
		if (!text_is_empty(r->group_key))
			r->group = pair_map_add_bytes(&by_key[r->of_parent], r->group_key.data,
				r->group_key.size, h->group_count, NULL);
		if (!r->of_parent && h->own_group == HISTORY_NEVER)
			h->own_group = r->group;
		if (r->group == h->group_count)
			h->group_count++;
	}
	pair_map_release(&by_key[0]);
	pair_map_release(&by_key[1]);
	if (h->own_group == HISTORY_NEVER)
		h->own_group = h->group_count;
	array_sort(h->runs, h->run_count, sizeof(*h->runs), compare_groups);
}
