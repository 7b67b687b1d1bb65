/* Reads the runs in which each finding was seen, from the blocks of single result sets and from folds. */
#include "history_private.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "db/sql_array.h"
#include "store/binary_values.h"
#include "store/store_private.h"

#include <stdlib.h>
#include <string.h>

enum {
	IDS_MAX_BYTES = 16 * 1024 * 1024,
};

/* --- findings -------------------------------------------------------------------------------- */

static struct history_finding *
finding_of(struct history_reading *r, struct text identity, struct text kind)
{
	struct history *h = r->h;
	const uint8_t *root = history_root(h, (const uint8_t *)identity.data);
	struct history_finding *f;
	int64_t halves[2];
	uint32_t index;
	bool added;

	memcpy(halves, root, sizeof(halves));
	index = pair_map_add(
		&r->by_identity, halves[0], halves[1], (uint32_t)h->finding_count, &added);
	if (added) {
		f = ARRAY_ADD(h->findings, h->finding_count, r->room);
		*f = (struct history_finding){ .kind = arena_text(r->arena, kind) };
		f->what = history_what_of(f->kind);
		memcpy(f->identity, root, IDENTITY_BYTES);
	}
	return &h->findings[index];
}

static void
add_seen(struct history_finding *f, uint32_t run)
{
	*ARRAY_ADD(f->seen, f->seen_count, f->seen_room) = run;
}

static bool
is_wanted(const struct history_reading *r, struct text identity)
{
	const uint8_t *root;

	if (identity.size != IDENTITY_BYTES)
		return false;
	if (!r->low)
		return true;
	root = history_root(r->h, (const uint8_t *)identity.data);
	return memcmp(root, r->first, IDENTITY_BYTES) >= 0 &&
	       memcmp(root, r->last, IDENTITY_BYTES) <= 0;
}

/* --- blocks ---------------------------------------------------------------------------------- */

static bool
take_block(void *self, const struct db_result *row, struct error *err)
{
	struct history_reading *r = self;
	uint32_t run = pair_map_get(&r->run_by_inst, binary_integer(db_result_value(row, 0, 0)), 0);
	struct binary_array identities = binary_array_of(row, 1);
	struct binary_array kinds = binary_array_of(row, 2);

	(void)err;
	if (run == PAIR_MAP_NONE)
		return true;
	while (identities.left) {
		struct text identity = binary_next(&identities);
		struct text kind = binary_next(&kinds);

		if (is_wanted(r, identity))
			add_seen(finding_of(r, identity, kind), run);
	}
	return true;
}

/* Reads the kind of a finding that no fold contains. The kind is that of the first run that saw the finding. */
static bool
read_kind(struct history_reading *r, struct history_finding *f, struct error *err)
{
	char hex[2 * IDENTITY_BYTES + 1], digits[24];
	struct db_result *rows;

	hex_format(f->identity, IDENTITY_BYTES, hex);
	number_format_int64(r->h->runs[f->seen[0]].inst_id, digits);
	rows = STORE_QUERY(r->db, "history_kind", SQL_STORE_HISTORY_KIND, err,
		[SQL_STORE_HISTORY_KIND_IDENTITY] = hex, [SQL_STORE_HISTORY_KIND_INST_ID] = digits);
	if (rows && db_result_rows(rows))
		f->kind = arena_text(r->arena, db_result_value(rows, 0, 0));
	f->what = history_what_of(f->kind);
	return db_done(rows);
}

/* Reads the blocks of the runs that are not folded. If the request names one finding, the blocks are read
 * without kinds, and read_kind adds the finding's kind. But if there are aliases, the finding may have
 * several identities in the blocks, so even then the kinds are read with the blocks. */
static bool
read_blocks(struct history_reading *r, struct error *err)
{
	bool single = r->low && !r->h->alias_count;
	struct strbuf ids;
	bool ok;

	strbuf_init(&ids, IDS_MAX_BYTES);
	for (size_t i = 0; i < r->h->run_count; i++)
		if (!r->h->runs[i].fold_no)
			sql_array_int(&ids, r->h->runs[i].inst_id);
	ok = db_query_each_binary(r->db, store_sql("store/history_blocks"),
		SQL_VALUES(SQL_STORE_HISTORY_BLOCKS,
			[SQL_STORE_HISTORY_BLOCKS_INST_IDS] = sql_array_end(&ids),
			[SQL_STORE_HISTORY_BLOCKS_SINGLE] = single ? "t" : "f"),
		SQL_STORE_HISTORY_BLOCKS_PARAMS, take_block, r, err);
	strbuf_release(&ids);

	for (size_t i = 0; ok && single && i < r->h->finding_count; i++)
		if (text_is_empty(r->h->findings[i].kind))
			ok = read_kind(r, &r->h->findings[i], err);
	return ok;
}

/* --- folds ----------------------------------------------------------------------------------- */

/* Finds the run for each bit of each fold. */
static void
find_folded_runs(struct history_reading *r)
{
	size_t count = r->h->fold_count * HISTORY_FOLD_RUNS;
	uint32_t *runs = arena_alloc_array(r->arena, count, sizeof(*runs));

	for (size_t i = 0; i < count; i++)
		runs[i] = pair_map_get(&r->run_by_inst, r->fold_ids[i], 0);
	r->h->fold_runs = runs;
}

/* Adds the runs in which the finding was seen. Each bit represents a run of the fold; the first bit
 * is the most significant bit of the first byte. */
static void
take_bits(struct history_reading *r, struct text identity, struct text kind, struct text bits,
	const uint32_t *runs)
{
	struct history_finding *f = NULL;

	if (bits.size < HISTORY_FOLD_RUNS / 8 || !is_wanted(r, identity))
		return;
	for (size_t i = 0; i < HISTORY_FOLD_RUNS; i++) {
		if (runs[i] == PAIR_MAP_NONE || !(bits.data[i / 8] & 0x80 >> i % 8))
			continue;
		if (!f)
			f = finding_of(r, identity, kind);
		add_seen(f, runs[i]);
	}
}

/* Reads the row of one fold. A bit string begins with 4 bytes for its length. */
static bool
take_folded(void *self, const struct db_result *row, struct error *err)
{
	struct history_reading *r = self;
	size_t fold = (size_t)binary_integer(db_result_value(row, 0, 0));
	struct binary_array identities = binary_array_of(row, 1);
	struct binary_array kinds = binary_array_of(row, 2);
	struct binary_array seen = binary_array_of(row, 3);

	(void)err;
	while (fold < r->h->fold_count && identities.left) {
		struct text identity = binary_next(&identities);
		struct text kind = binary_next(&kinds);

		take_bits(r, identity, kind, text_from_at(binary_next(&seen), 4),
			r->h->fold_runs + fold * HISTORY_FOLD_RUNS);
	}
	return true;
}

/* --- order and queries ----------------------------------------------------------------------- */

static int
compare_runs(const void *a, const void *b)
{
	const uint32_t *x = a;
	const uint32_t *y = b;

	return (*x > *y) - (*x < *y);
}

/* Removes repeated runs, because a finding can have several identities in one run. */
static size_t
unique(uint32_t *runs, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (!kept || runs[kept - 1] != runs[i])
			runs[kept++] = runs[i];
	return kept;
}

/* Sorts each finding's runs and moves them from allocated memory into the arena. */
static void
settle(struct history_reading *r)
{
	struct history *h = r->h;

	for (size_t i = 0; i < h->finding_count; i++) {
		struct history_finding *f = &h->findings[i];
		uint32_t *seen = f->seen;

		array_sort(seen, f->seen_count, sizeof(*seen), compare_runs);
		f->seen_count = unique(seen, f->seen_count);
		f->seen = arena_copy_array(r->arena, seen, f->seen_count, sizeof(*seen));
		free(seen);
	}
}

/* Folded runs are the oldest, so they are read first. Each finding's runs are then already sorted, unless the
 * order of the loads differs from the order of the history. */
bool
history_read_sightings(struct history_reading *r, struct error *err)
{
	bool ok;

	history_index_runs(r->h, &r->run_by_inst);
	find_folded_runs(r);
	ok = db_query_each_binary(r->db, store_sql("store/history_folded"),
		     SQL_VALUES(SQL_STORE_HISTORY_FOLDED,
			     [SQL_STORE_HISTORY_FOLDED_APPLICATION] = r->application,
			     [SQL_STORE_HISTORY_FOLDED_LOW] = r->h->alias_count ? NULL : r->low,
			     [SQL_STORE_HISTORY_FOLDED_HIGH] = r->high),
		     SQL_STORE_HISTORY_FOLDED_PARAMS, take_folded, r, err) &&
	     read_blocks(r, err);
	settle(r);
	return ok;
}

void
history_index_runs(const struct history *h, struct pair_map *run_by_inst)
{
	for (size_t i = 0; i < h->run_count; i++)
		pair_map_add(run_by_inst, h->runs[i].inst_id, 0, (uint32_t)i, NULL);
}
