/* The contents of a load's result sets: finds those that are already in the depot, and locks them. */
#include "load_private.h"
#include "store/store_private.h"

#include "base/array.h"
#include "db/sql_array.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	LOCKS_MAX = 64, /* per load */
	CONTENTS_AT_ONCE = 1000,
};

/* The key of an advisory lock on the contents of all result sets. */
#define ALL_CONTENTS "7305094182309"

/* Returns whether all rows of the set were skipped because of errors. The digest of such a set covers nothing.
 * Two different inputs would therefore seem equal, and the issues of the second one would be lost. */
static bool
has_only_issues(const struct load_set *set)
{
	if (!set->outcome.issues[ISSUE_ERROR])
		return false;
	for (int r = 0; r < RELATIONS_COUNTED; r++)
		if (r != REL_METRICS && r != REL_ISSUES && r != REL_LABELS && r != REL_COUNTS &&
			set->counts[r].rows)
			return false;
	return true;
}

/* Returns how many earlier reports in the log are equal to this one. The number becomes part of the digest, because
 * reports without a time can be equal. It does not depend on later reports, so known reports are also
 * recognised in a log that has grown. A later pass skips the rows of known sets, so only the digest pass can
 * determine the number. */
static uint32_t
count_equal(struct load_equals *e, const struct load_set *set, struct strbuf *key)
{
	uint32_t at;
	bool added;

	strbuf_reset(key);
	strbuf_append(key, &set->outcome.digest, sizeof(set->outcome.digest));
	strbuf_append_text(key, set->row.file);
	at = pair_map_add_bytes(&e->index, key->data, key->size, (uint32_t)e->index.count, &added);
	ARRAY_RESERVE(e->counts, e->room, at + (size_t)1);
	e->counts[at] = added ? 0 : e->counts[at] + 1;
	return e->counts[at];
}

void
load_count_equal(struct load *l, struct load_set *set)
{
	int64_t before;

	if (!set->row.line)
		return;
	set->outcome.equal_before = set->number < l->known_count
					    ? l->known[set->number].equal_before
					    : count_equal(&l->equals, set, &l->scratch);
	before = set->outcome.equal_before;
	if (before)
		digest_row(&set->digest, DIGEST_POSITION, &before, 1, NULL, 0);
}

void
load_equals_release(struct load_equals *e)
{
	pair_map_release(&e->index);
	free(e->counts);
}

/* Writes the digests of up to CONTENTS_AT_ONCE sets as an array. */
static const char *
digest_array(const struct load *l, size_t from, size_t count, struct strbuf *out)
{
	for (size_t i = from; i < from + count; i++) {
		char hex[HASH128_HEX_BYTES];

		hash128_hex(l->sets[i]->outcome.digest, hex);
		if (!has_only_issues(l->sets[i]))
			sql_array_text(out, text_from(hex));
	}
	return sql_array_end(out);
}

/* Sets the items of inst_ids: to an INST_ID if the depot already has the content, and to 0 if the content is new. Each
 * row of r has a digest and the INST_ID of the result set with this content. */
static void
assign_found(const struct load *l, size_t from, size_t count, const struct db_result *r,
	int64_t *inst_ids)
{
	struct pair_map rows = { 0 };

	for (size_t i = 0; i < db_result_rows(r); i++) {
		struct text digest = db_result_value(r, i, 0);

		pair_map_add_bytes(&rows, digest.data, digest.size, (uint32_t)i, NULL);
	}
	for (size_t i = from; i < from + count; i++) {
		char hex[HASH128_HEX_BYTES];
		uint32_t row;

		hash128_hex(l->sets[i]->outcome.digest, hex);
		row = pair_map_get_bytes(&rows, hex, strlen(hex));
		inst_ids[i] = row == PAIR_MAP_NONE || has_only_issues(l->sets[i])
				      ? 0
				      : db_result_int64(r, row, 1, 0);
	}
	pair_map_release(&rows);
}

bool
load_find_known(struct load *l, struct db *db, int64_t *inst_ids, struct error *err)
{
	struct strbuf digests = STRBUF_INIT((size_t)CONTENTS_AT_ONCE * (HASH128_HEX_BYTES + 8));
	bool ok = true;

	for (size_t from = 0; ok && from < l->set_count; from += CONTENTS_AT_ONCE) {
		size_t left = l->set_count - from;
		size_t count = left < CONTENTS_AT_ONCE ? left : CONTENTS_AT_ONCE;
		struct db_result *r;

		strbuf_reset(&digests);
		r = STORE_QUERY(db, "find_contents", SQL_STORE_FIND_CONTENTS, err,
			[SQL_STORE_FIND_CONTENTS_DIGESTS] = digest_array(l, from, count, &digests),
			[SQL_STORE_FIND_CONTENTS_RUN_KEY] = l->config.run.key);
		if (r)
			assign_found(l, from, count, r, inst_ids);
		ok = db_done(r);
	}
	strbuf_release(&digests);
	return ok;
}

bool
load_is_new(struct load *l, bool *fresh, struct error *err)
{
	int64_t *inst_ids = arena_alloc_array(l->arena, l->set_count, sizeof(*inst_ids));

	*fresh = l->sets[0]->complete;
	if (!*fresh)
		return true;
	if (!copier_rest(l->copier, err) || !load_find_known(l, l->db, inst_ids, err))
		return false;
	for (size_t i = 0; i < l->set_count; i++)
		*fresh &= inst_ids[i] == 0;
	return true;
}

static int
compare_keys(const void *a, const void *b)
{
	const int64_t *x = a;
	const int64_t *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * Takes one lock per content. In shared mode, also takes the lock that stands for all contents. The server has room for
 * a limited number of locks. Therefore a load of many contents takes only the lock for all contents, in exclusive mode.
 * The locks last until the transaction ends. They are taken in key order, so that two loads cannot wait for each other.
 * Keys are literals: if they were parameters, some distributed engines would take the lock on another server.
 */
bool
load_lock_contents(struct load *l, struct error *err)
{
	int64_t keys[LOCKS_MAX] = { 0 };
	size_t count = 0;
	struct strbuf sql = STRBUF_INIT((size_t)LOCKS_MAX * 80);
	bool ok;

	for (size_t i = 0; i < l->set_count; i++) {
		if (!l->sets[i]->wanted)
			continue;
		if (count == LOCKS_MAX)
			return db_exec(
				l->db, "SELECT pg_advisory_xact_lock(" ALL_CONTENTS ")", err);
		keys[count++] = (int64_t)l->sets[i]->outcome.digest.low;
	}
	qsort(keys, count, sizeof(*keys), compare_keys);
	strbuf_append_str(&sql, "SELECT pg_advisory_xact_lock_shared(" ALL_CONTENTS ")");
	for (size_t i = 0; i < count; i++)
		strbuf_printf(&sql, "; SELECT pg_advisory_xact_lock(%" PRId64 ")", keys[i]);
	ok = db_exec(l->db, strbuf_str(&sql), err);
	strbuf_release(&sql);
	return ok;
}

bool
load_find_late_known(struct load *l, bool *known, struct error *err)
{
	int64_t *inst_ids = arena_alloc_array(l->arena, l->set_count, sizeof(*inst_ids));

	*known = false;
	if (l->config.again)
		return true;
	if (!load_find_known(l, l->db, inst_ids, err))
		return false;
	for (size_t i = 0; i < l->set_count; i++) {
		struct load_set *set = l->sets[i];

		if (!set->wanted || !inst_ids[i])
			continue;
		set->outcome.state = LOAD_KNOWN;
		set->outcome.inst_id = inst_ids[i];
		*known = true;
	}
	return true;
}
