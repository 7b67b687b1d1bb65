/* Reads the texts and figures of findings. Usually reads only the data of each finding's newest runs. */
#include "history_private.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "db/sql_array.h"
#include "store/binary_values.h"
#include "store/store_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	IDS_MAX_BYTES = 1 << 30,
	UUID_DIGITS = 2 * IDENTITY_BYTES,
	/* The database selects findings in the blocks if they are at most so many, or at most this part of all. */
	FEW_FINDINGS = 16,
	SMALL_PART = 16,
	TEXTS = 6 /* name, class, module, routine class, routine, file */
};

struct details {
	struct db *db;
	struct arena *arena;
	const struct history *h;
	struct history_finding *findings; /* those whose details are read */
	size_t count;
	const char *application;
	enum history_details wanted;
	uint32_t first_recent; /* number of the first recent group of runs */
	struct pair_map run_by_inst, by_identity;
	bool *needed;                           /* for each run: whether its blocks must be read */
	struct strbuf identities, fold_numbers; /* keys of the needed folded rows, as SQL arrays */
	size_t folded;
};

/* --- choice of rows -------------------------------------------------------------------------- */

/* If only unfinished runs saw a finding, it has no last_seen; its recent sightings then decide its figures. */
static enum history_details
wanted_of(const struct details *d, const struct history_finding *f)
{
	return f->last_seen == HISTORY_NEVER && d->wanted < HISTORY_RECENT ? HISTORY_RECENT
									   : d->wanted;
}

static bool
is_needed(const struct details *d, const struct history_finding *f, uint32_t run)
{
	const enum history_details wanted = wanted_of(d, f);
	const uint32_t group = d->h->runs[run].group;

	return wanted == HISTORY_ALL || group == f->last_seen ||
	       (wanted >= HISTORY_NEWEST && run == f->seen[f->seen_count - 1]) ||
	       (wanted >= HISTORY_RECENT && group >= d->first_recent);
}

static void
need_identity(struct details *d, const uint8_t identity[IDENTITY_BYTES], int64_t fold)
{
	char hex[UUID_DIGITS + 1];

	hex_format(identity, IDENTITY_BYTES, hex);
	strbuf_printf(&d->identities, "%s%s", d->folded ? "," : "", hex);
	strbuf_printf(&d->fold_numbers, "%s%" PRId64, d->folded ? "," : "", fold);
	d->folded++;
}

static void
need_folded(struct details *d, const struct history_finding *f, int64_t fold)
{
	need_identity(d, f->identity, fold);
	for (size_t i = 0; i < d->h->alias_count; i++)
		if (memcmp(d->h->aliases[i].root, f->identity, IDENTITY_BYTES) == 0)
			need_identity(d, d->h->aliases[i].identity, fold);
}

static void
survey_finding(struct details *d, const struct history_finding *f, struct pair_map *pairs)
{
	const enum history_details wanted = wanted_of(d, f);
	uint32_t first = f->last_seen;

	if (wanted >= HISTORY_RECENT && first > d->first_recent)
		first = d->first_recent;
	for (size_t i = f->seen_count; i-- > 0;) {
		const struct history_run *run = &d->h->runs[f->seen[i]];
		bool added = false;

		if (wanted != HISTORY_ALL && run->group < first && i + 1 < f->seen_count)
			break;
		if (!is_needed(d, f, f->seen[i]))
			continue;
		if (!run->fold_no)
			d->needed[f->seen[i]] = true;
		else
			pair_map_add(pairs, f - d->findings, run->fold_no, 0, &added);
		if (added)
			need_folded(d, f, run->fold_no);
	}
}

static void
survey(struct details *d)
{
	const struct history *h = d->h;
	struct pair_map pairs = { .entries = NULL };

	d->first_recent =
		h->group_count > HISTORY_RECENT_GROUPS ? h->group_count - HISTORY_RECENT_GROUPS : 0;
	d->needed = arena_alloc_array(d->arena, h->run_count + 1, sizeof(*d->needed));
	strbuf_append_char(&d->identities, '{');
	strbuf_append_char(&d->fold_numbers, '{');
	for (size_t i = 0; i < d->count; i++) {
		int64_t halves[2];

		memcpy(halves, d->findings[i].identity, sizeof(halves));
		pair_map_add(&d->by_identity, halves[0], halves[1], (uint32_t)i, NULL);
		survey_finding(d, &d->findings[i], &pairs);
	}
	strbuf_append_char(&d->identities, '}');
	strbuf_append_char(&d->fold_numbers, '}');
	pair_map_release(&pairs);
}

/* --- findings -------------------------------------------------------------------------------- */

static struct history_finding *
find(const struct details *d, struct text identity)
{
	int64_t halves[2];
	uint32_t index;

	if (identity.size != IDENTITY_BYTES)
		return NULL;
	memcpy(halves, history_root(d->h, (const uint8_t *)identity.data), sizeof(halves));
	index = pair_map_get(&d->by_identity, halves[0], halves[1]);
	return index == PAIR_MAP_NONE ? NULL : &d->findings[index];
}

/* Adds a sighting. The finding's texts are those of its newest run. */
static void
add(struct details *d, struct history_finding *f, const struct history_sighting *s,
	const struct text texts[TEXTS])
{
	struct text *const members[TEXTS] = { &f->name, &f->class_name, &f->module_name,
		&f->routine_class, &f->routine_name, &f->source_file };

	*ARRAY_ADD(f->sightings, f->sighting_count, f->sighting_room) = *s;
	for (size_t i = 0; i < TEXTS && s->run == f->seen[f->seen_count - 1]; i++)
		*members[i] = arena_text(d->arena, texts[i]);
}

/* The columns of the queries, in order. */
enum {
	BLOCK_INST_ID,
	BLOCK_IDENTITIES,
	BLOCK_TEXTS,
	BLOCK_LINES = BLOCK_TEXTS + TEXTS,
	BLOCK_PLACES,
	BLOCK_COUNTS,
	BLOCK_SIZES,
	BLOCK_COLUMNS
};

static bool
take_block(void *self, const struct db_result *row, struct error *err)
{
	struct details *d = self;
	uint32_t run = pair_map_get(
		&d->run_by_inst, binary_integer(db_result_value(row, 0, BLOCK_INST_ID)), 0);
	struct binary_array columns[BLOCK_COLUMNS];
	struct text values[BLOCK_COLUMNS];

	(void)err;
	for (size_t c = 1; c < BLOCK_COLUMNS; c++)
		columns[c] = binary_array_of(row, c);
	while (run != PAIR_MAP_NONE && columns[BLOCK_IDENTITIES].left) {
		struct history_finding *f;

		for (size_t c = 1; c < BLOCK_COLUMNS; c++)
			values[c] = binary_next(&columns[c]);
		f = find(d, values[BLOCK_IDENTITIES]);
		if (f && is_needed(d, f, run))
			add(d, f,
				&(struct history_sighting){ .run = run,
					.source_line = (int32_t)binary_integer(values[BLOCK_LINES]),
					.places = (int32_t)binary_integer(values[BLOCK_PLACES]),
					.count = binary_integer(values[BLOCK_COUNTS]),
					.size = binary_wide(values[BLOCK_SIZES]),
					.sized = !text_is_null(values[BLOCK_SIZES]) },
				&values[BLOCK_TEXTS]);
	}
	return true;
}

enum {
	FOLDED_FOLD,
	FOLDED_IDENTITY,
	FOLDED_RUNS,
	FOLDED_WORDINGS,
	FOLDED_TEXTS,
	FOLDED_LINES = FOLDED_TEXTS + TEXTS,
	FOLDED_PLACES,
	FOLDED_COUNTS,
	FOLDED_SIZES
};

/* Reads one element of each array of texts: element number `wording`, counted from 1. */
static void
take_wording(const struct db_result *row, int64_t wording, struct text texts[TEXTS])
{
	for (size_t t = 0; t < TEXTS; t++) {
		struct binary_array all = binary_array_of(row, FOLDED_TEXTS + t);

		for (int64_t i = 0; i < wording; i++)
			texts[t] = binary_next(&all);
	}
}

static bool
take_folded(void *self, const struct db_result *row, struct error *err)
{
	struct details *d = self;
	size_t fold = (size_t)binary_integer(db_result_value(row, 0, FOLDED_FOLD));
	struct history_finding *f = find(d, db_result_value(row, 0, FOLDED_IDENTITY));
	struct binary_array runs = binary_array_of(row, FOLDED_RUNS);
	struct binary_array wordings = binary_array_of(row, FOLDED_WORDINGS);
	struct binary_array lines = binary_array_of(row, FOLDED_LINES);
	struct binary_array places = binary_array_of(row, FOLDED_PLACES);
	struct binary_array counts = binary_array_of(row, FOLDED_COUNTS);
	struct binary_array sizes = binary_array_of(row, FOLDED_SIZES);
	struct text texts[TEXTS] = { TEXT_NULL };

	(void)err;
	while (f && fold < d->h->fold_count && runs.left) {
		size_t at = (size_t)binary_integer(binary_next(&runs)) - 1;
		struct text size = binary_next(&sizes);
		int64_t wording = wordings.left ? binary_integer(binary_next(&wordings)) : 1;
		struct history_sighting s = {
			.run = at < HISTORY_FOLD_RUNS
				       ? d->h->fold_runs[fold * HISTORY_FOLD_RUNS + at]
				       : PAIR_MAP_NONE,
			.source_line = (int32_t)binary_integer(binary_next(&lines)),
			.places = (int32_t)binary_integer(binary_next(&places)),
			.count = binary_integer(binary_next(&counts)),
			.size = binary_wide(size),
			.sized = !text_is_null(size)
		};

		if (s.run == PAIR_MAP_NONE || !is_needed(d, f, s.run))
			continue;
		if (s.run == f->seen[f->seen_count - 1])
			take_wording(row, wording, texts);
		add(d, f, &s, texts);
	}
	return true;
}

/* --- queries --------------------------------------------------------------------------------- */

/* Returns the value of the parameter `whole`: whether texts, lines and places are read besides the figures. */
static const char *
whole(const struct details *d)
{
	return d->wanted > HISTORY_FIGURES ? "t" : "f";
}

static bool
read_folded(struct details *d, struct error *err)
{
	return !d->folded ||
	       db_query_each_binary(d->db, store_sql("store/history_folded_details"),
		       SQL_VALUES(SQL_STORE_HISTORY_FOLDED_DETAILS,
			       [SQL_STORE_HISTORY_FOLDED_DETAILS_APPLICATION] = d->application,
			       [SQL_STORE_HISTORY_FOLDED_DETAILS_IDENTITIES] =
				       strbuf_str(&d->identities),
			       [SQL_STORE_HISTORY_FOLDED_DETAILS_FOLDS] =
				       strbuf_str(&d->fold_numbers),
			       [SQL_STORE_HISTORY_FOLDED_DETAILS_WHOLE] = whole(d)),
		       SQL_STORE_HISTORY_FOLDED_DETAILS_PARAMS, take_folded, d, err);
}

/* Appends the identities under which the blocks contain the finding. */
static void
append_identities(const struct details *d, const struct history_finding *f, struct strbuf *b)
{
	char hex[UUID_DIGITS + 1];

	hex_format(f->identity, IDENTITY_BYTES, hex);
	sql_array_text(b, text_from(hex));
	for (size_t i = 0; i < d->h->alias_count; i++) {
		if (memcmp(d->h->aliases[i].root, f->identity, IDENTITY_BYTES) != 0)
			continue;
		hex_format(d->h->aliases[i].identity, IDENTITY_BYTES, hex);
		sql_array_text(b, text_from(hex));
	}
}

/* Reads only the wanted findings of the blocks, and texts only from the runs that are the newest of a finding. */
static bool
read_slices(struct details *d, const char *ids, struct error *err)
{
	struct strbuf identities, newest;
	bool ok;

	strbuf_init(&identities, IDS_MAX_BYTES);
	strbuf_init(&newest, IDS_MAX_BYTES);
	for (size_t i = 0; i < d->count; i++) {
		const struct history_finding *f = &d->findings[i];

		append_identities(d, f, &identities);
		sql_array_int(&newest, d->h->runs[f->seen[f->seen_count - 1]].inst_id);
	}
	ok = db_query_each_binary(d->db, store_sql("store/history_block_slices"),
		SQL_VALUES(SQL_STORE_HISTORY_BLOCK_SLICES,
			[SQL_STORE_HISTORY_BLOCK_SLICES_INST_IDS] = ids,
			[SQL_STORE_HISTORY_BLOCK_SLICES_IDENTITIES] = sql_array_end(&identities),
			[SQL_STORE_HISTORY_BLOCK_SLICES_NEWEST] = sql_array_end(&newest)),
		SQL_STORE_HISTORY_BLOCK_SLICES_PARAMS, take_block, d, err);
	strbuf_release(&identities);
	strbuf_release(&newest);
	return ok;
}

static bool
read_blocks(struct details *d, struct error *err)
{
	struct strbuf ids;
	bool any = false;
	bool ok = true;

	strbuf_init(&ids, IDS_MAX_BYTES);
	for (size_t i = 0; i < d->h->run_count; i++) {
		if (!d->needed[i])
			continue;
		sql_array_int(&ids, d->h->runs[i].inst_id);
		any = true;
	}
	if (any && (d->count <= FEW_FINDINGS || d->count <= d->h->finding_count / SMALL_PART))
		ok = read_slices(d, sql_array_end(&ids), err);
	else if (any)
		ok = db_query_each_binary(d->db, store_sql("store/history_block_details"),
			SQL_VALUES(SQL_STORE_HISTORY_BLOCK_DETAILS,
				[SQL_STORE_HISTORY_BLOCK_DETAILS_INST_IDS] = sql_array_end(&ids),
				[SQL_STORE_HISTORY_BLOCK_DETAILS_WHOLE] = whole(d)),
			SQL_STORE_HISTORY_BLOCK_DETAILS_PARAMS, take_block, d, err);
	strbuf_release(&ids);
	return ok;
}

static int
compare_sightings(const void *a, const void *b)
{
	const struct history_sighting *x = a;
	const struct history_sighting *y = b;

	return (x->run > y->run) - (x->run < y->run);
}

/* Adds up the sightings of the same run, because a finding can have several identities in one run.
 * Returns the number of sightings that remain. */
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
		s->sized |= all[i].sized;
		s->places += all[i].places;
	}
	return kept;
}

/* Removes the sightings of an earlier call. */
static void
forget(struct details *d)
{
	for (size_t i = 0; i < d->count; i++) {
		d->findings[i].sightings = NULL;
		d->findings[i].sighting_count = d->findings[i].sighting_room = 0;
	}
}

/* Sorts the sightings and moves them from allocated memory into the arena. */
static void
settle(struct details *d)
{
	for (size_t i = 0; i < d->count; i++) {
		struct history_finding *f = &d->findings[i];
		struct history_sighting *all = f->sightings;

		array_sort(all, f->sighting_count, sizeof(*all), compare_sightings);
		f->sighting_count = add_up(all, f->sighting_count);
		f->sightings = arena_copy_array(d->arena, all, f->sighting_count, sizeof(*all));
		free(all);
	}
}

bool
history_read_details(struct db *db, struct arena *a, const struct history *h, size_t first,
	size_t count, enum history_details wanted, struct error *err)
{
	struct details d = { .db = db,
		.arena = a,
		.h = h,
		.findings = h->findings + first,
		.count = count,
		.wanted = wanted };
	bool ok;

	d.application = arena_text(a, h->application).data;
	strbuf_init(&d.identities, IDS_MAX_BYTES);
	strbuf_init(&d.fold_numbers, IDS_MAX_BYTES);
	history_index_runs(h, &d.run_by_inst);
	forget(&d);
	survey(&d);
	ok = read_folded(&d, err) && read_blocks(&d, err);
	settle(&d);
	strbuf_release(&d.identities);
	strbuf_release(&d.fold_numbers);
	pair_map_release(&d.run_by_inst);
	pair_map_release(&d.by_identity);
	return ok;
}
