/* Reads sightings from blocks, each of one result set, and from folds, which are ordered by
 * finding. */
#include "history_private.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/number.h"
#include "store/store_private.h"

#include <stdlib.h>
#include <string.h>

enum {
	ARRAY_HEADER_BYTES = 20,
	FOLD_RUNS = 256,
};

/* --- binary values --------------------------------------------------------------------------- */

static uint64_t
big_endian(const char *p, size_t bytes)
{
	uint64_t v = 0;

	for (size_t i = 0; i < bytes; i++)
		v = v << 8 | (unsigned char)p[i];
	return v;
}

static int64_t
integer(struct text t)
{
	switch (t.size) {
	case 8:
		return (int64_t)big_endian(t.data, 8);
	case 4:
		return (int32_t)big_endian(t.data, 4);
	case 2:
		return (int16_t)big_endian(t.data, 2);
	default:
		return 0;
	}
}

/* An array in the server's binary format: a header, then the length and value of each element. */
struct elements {
	const char *at, *end;
	size_t left;
};

static struct elements
elements_of(const struct db_result *row, size_t column)
{
	struct text t = db_result_value(row, 0, column);
	struct elements e = { t.data, t.data + t.size, 0 };

	if (t.size >= ARRAY_HEADER_BYTES && big_endian(t.data, 4) == 1) {
		e.left = (size_t)big_endian(t.data + 12, 4);
		e.at += ARRAY_HEADER_BYTES;
	}
	return e;
}

/* Returns the next element. It is an empty text if it is NULL or if there are no more elements. */
static struct text
next(struct elements *e)
{
	struct text t = TEXT_LITERAL("");
	int32_t size;

	if (!e->left || e->end - e->at < 4)
		return t;
	e->left--;
	size = (int32_t)big_endian(e->at, 4);
	e->at += 4;
	if (size <= 0 || e->end - e->at < size)
		return t;
	t = (struct text){ e->at, (size_t)size };
	e->at += size;
	return t;
}

static wide_int
wide_of(struct text digits)
{
	wide_int v = 0;

	for (size_t i = 0; i < digits.size && digits.data[i] != '.'; i++)
		if (digits.data[i] >= '0' && digits.data[i] <= '9')
			v = v * 10 + (digits.data[i] - '0');
	return v;
}

/* --- findings -------------------------------------------------------------------------------- */

/* Finds or adds the finding. */
static struct history_finding *
finding_of(struct history_reading *r, struct text identity, bool *added)
{
	struct history *h = r->h;
	const uint8_t *root = history_root(h, (const uint8_t *)identity.data);
	int64_t halves[2];
	uint32_t index;

	memcpy(halves, root, sizeof(halves));
	index = pair_map_add(
		&r->by_identity, halves[0], halves[1], (uint32_t)h->finding_count, added);
	if (*added) {
		*ARRAY_ADD(h->findings, h->finding_count, r->room) =
			(struct history_finding){ .sightings = NULL };
		memcpy(h->findings[index].identity, root, IDENTITY_BYTES);
	}
	return &h->findings[index];
}

static void
add_sighting(struct history_finding *f, const struct history_sighting *s)
{
	*ARRAY_ADD(f->sightings, f->sighting_count, f->sighting_room) = *s;
}

static bool
is_wanted(const struct history_reading *r, struct text identity)
{
	char hex[2 * IDENTITY_BYTES + 1];

	if (identity.size != IDENTITY_BYTES)
		return false;
	if (!r->low)
		return true;
	hex_format(history_root(r->h, (const uint8_t *)identity.data), IDENTITY_BYTES, hex);
	return strcmp(hex, r->low) >= 0 && strcmp(hex, r->high) <= 0;
}

/* --- blocks ---------------------------------------------------------------------------------- */

enum {
	BLOCK_INST_ID,
	BLOCK_IDENTITIES,
	BLOCK_KINDS, /* kinds, names, classes, modules, routine classes, routines, files */
	BLOCK_LINES = BLOCK_KINDS + 7,
	BLOCK_PLACES,
	BLOCK_COUNTS,
	BLOCK_SIZES,
	BLOCK_COLUMNS
};

static void
set_texts(struct history_reading *r, struct history_finding *f, const struct text *texts)
{
	struct text *const members[] = { &f->kind, &f->name, &f->class_name, &f->module_name,
		&f->routine_class, &f->routine_name, &f->source_file };

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		*members[i] = arena_text(r->arena, texts[i]);
	f->what = history_what_of(f->kind);
}

static bool
take_block(void *self, const struct db_result *row, struct error *err)
{
	struct history_reading *r = self;
	uint32_t run =
		pair_map_get(&r->run_by_inst, integer(db_result_value(row, 0, BLOCK_INST_ID)), 0);
	struct elements columns[BLOCK_COLUMNS];
	struct text values[BLOCK_COLUMNS];
	bool added;

	(void)err;
	if (run == PAIR_MAP_NONE)
		return true;
	for (size_t c = 1; c < BLOCK_COLUMNS; c++)
		columns[c] = elements_of(row, c);
	while (columns[BLOCK_IDENTITIES].left) {
		struct history_finding *f;

		for (size_t c = 1; c < BLOCK_COLUMNS; c++)
			values[c] = next(&columns[c]);
		if (!is_wanted(r, values[BLOCK_IDENTITIES]))
			continue;
		f = finding_of(r, values[BLOCK_IDENTITIES], &added);
		if (added)
			set_texts(r, f, &values[BLOCK_KINDS]);
		add_sighting(f, &(struct history_sighting){ .run = run,
					.source_line = (int32_t)integer(values[BLOCK_LINES]),
					.places = (int32_t)integer(values[BLOCK_PLACES]),
					.count = integer(values[BLOCK_COUNTS]),
					.size = wide_of(values[BLOCK_SIZES]) });
	}
	return true;
}

/* --- folds ----------------------------------------------------------------------------------- */

enum {
	FOLDED_FOLD,
	FOLDED_IDENTITY,
	FOLDED_KIND, /* and six more texts */
	FOLDED_RUNS = FOLDED_KIND + 7,
	FOLDED_LINES,
	FOLDED_PLACES,
	FOLDED_COUNTS,
	FOLDED_SIZES
};

static bool
take_fold(void *self, const struct db_result *row, struct error *err)
{
	struct history_reading *r = self;
	struct elements ids = elements_of(row, 1);
	size_t fold = (size_t)integer(db_result_value(row, 0, 0));

	(void)err;
	ARRAY_RESERVE_ZEROED(r->fold_runs, r->fold_room, (fold + 1) * FOLD_RUNS);
	r->fold_count = fold + 1;
	for (size_t i = 0; i < FOLD_RUNS; i++)
		r->fold_runs[fold * FOLD_RUNS + i] =
			pair_map_get(&r->run_by_inst, integer(next(&ids)), 0);
	return true;
}

/* The arrays of figures have one element per run, or only the element of the last run. */
static bool
take_folded(void *self, const struct db_result *row, struct error *err)
{
	struct history_reading *r = self;
	size_t fold = (size_t)integer(db_result_value(row, 0, FOLDED_FOLD));
	struct elements runs = elements_of(row, FOLDED_RUNS);
	struct elements lines = elements_of(row, FOLDED_LINES);
	struct elements places = elements_of(row, FOLDED_PLACES);
	struct elements counts = elements_of(row, FOLDED_COUNTS);
	struct elements sizes = elements_of(row, FOLDED_SIZES);
	size_t bare = runs.left > counts.left ? runs.left - counts.left : 0;
	struct text identity = db_result_value(row, 0, FOLDED_IDENTITY);
	struct history_finding *f = NULL;
	struct text texts[7];
	bool added = false;

	(void)err;
	if (!is_wanted(r, identity) || fold >= r->fold_count)
		return true;
	while (runs.left) {
		size_t at = (size_t)integer(next(&runs)) - 1;
		uint32_t run = at < FOLD_RUNS ? r->fold_runs[fold * FOLD_RUNS + at] : PAIR_MAP_NONE;
		struct history_sighting s = { .run = run };

		if (bare) {
			bare--;
		} else {
			s.source_line = (int32_t)integer(next(&lines));
			s.places = (int32_t)integer(next(&places));
			s.count = integer(next(&counts));
			s.size = wide_of(next(&sizes));
		}
		if (run == PAIR_MAP_NONE)
			continue;
		if (!f) {
			f = finding_of(r, identity, &added);
			for (size_t i = 0; added && i < 7; i++)
				texts[i] = db_result_value(row, 0, FOLDED_KIND + i);
			if (added)
				set_texts(r, f, texts);
		}
		add_sighting(f, &s);
	}
	return true;
}

/* --- all together ---------------------------------------------------------------------------- */

static int
compare_sightings(const void *a, const void *b)
{
	const struct history_sighting *x = a;
	const struct history_sighting *y = b;

	return (x->run > y->run) - (x->run < y->run);
}

/* Adds up the sightings that a finding has in one result set under several identities. */
static size_t
add_up(struct history_sighting *all, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct history_sighting *s = &all[kept ? kept - 1 : 0];

		if (!kept || s->run != all[i].run) {
			all[kept++] = all[i];
			continue;
		}
		s->count += all[i].count;
		s->size = fixed_add(s->size, all[i].size);
		s->places += all[i].places;
	}
	return kept;
}

/* Sorts and adds up the sightings, and moves them into the arena. */
static void
settle(struct history_reading *r)
{
	struct history *h = r->h;

	for (size_t i = 0; i < h->finding_count; i++) {
		struct history_finding *f = &h->findings[i];
		struct history_sighting *all = f->sightings;

		if (f->sighting_count)
			qsort(all, f->sighting_count, sizeof(*all), compare_sightings);
		f->sighting_count = add_up(all, f->sighting_count);
		f->sightings = arena_copy_array(r->arena, all, f->sighting_count, sizeof(*all));
		free(all);
	}
}

bool
history_read_sightings(struct history_reading *r, struct error *err)
{
	bool ok;

	for (size_t i = 0; i < r->h->run_count; i++)
		pair_map_add(&r->run_by_inst, r->h->runs[i].inst_id, 0, (uint32_t)i, NULL);
	ok = db_query_each_binary(r->db, store_sql("store/history_blocks"),
		     SQL_VALUES(SQL_STORE_HISTORY_BLOCKS,
			     [SQL_STORE_HISTORY_BLOCKS_APPLICATION] = r->application,
			     [SQL_STORE_HISTORY_BLOCKS_LEDGER_NO] = r->digits),
		     SQL_STORE_HISTORY_BLOCKS_PARAMS, take_block, r, err) &&
	     db_query_each_binary(r->db, store_sql("store/history_folds"),
		     SQL_VALUES(SQL_STORE_HISTORY_FOLDS, [SQL_STORE_HISTORY_FOLDS_APPLICATION] =
								 r->application),
		     SQL_STORE_HISTORY_FOLDS_PARAMS, take_fold, r, err) &&
	     db_query_each_binary(r->db, store_sql("store/history_folded"),
		     SQL_VALUES(SQL_STORE_HISTORY_FOLDED,
			     [SQL_STORE_HISTORY_FOLDED_APPLICATION] = r->application,
			     [SQL_STORE_HISTORY_FOLDED_FIGURES] = r->low ? "t" : "f",
			     [SQL_STORE_HISTORY_FOLDED_LOW] = r->h->alias_count ? NULL : r->low,
			     [SQL_STORE_HISTORY_FOLDED_HIGH] = r->high),
		     SQL_STORE_HISTORY_FOLDED_PARAMS, take_folded, r, err);
	settle(r);
	return ok;
}
