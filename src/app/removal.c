/* Removes many result sets in batches. */
#include "app/removal.h"

#include "base/terminal.h"
#include "store/partitions.h"

enum {
	/* A list with this number of consecutive result sets always contains at least one whole range. */
	LISTED_SETS = 2 * PARTITION_MAX_SETS,
	/* Limits of a batch, which is removed in one transaction. They do not apply to a range that is removed as a
	 * whole: it is one batch, and its number of rows does not matter. */
	BATCH_SETS = 100,
	BATCH_ROWS = 100 * 1000,
	RANGE_SETS = PARTITION_MAX_SETS,
};

/* Result sets that are removed in one transaction. */
struct batch {
	size_t *listed; /* indexes of their rows in the list */
	int64_t *inst_ids;
	int64_t *rows;
	bool *removed;
	size_t count;
};

/* The part of a list that is removed now. The next list contains the remaining result sets. */
struct part {
	struct db *db;
	const struct db_result *listed;
	const struct removal *options;
	struct db_result *order; /* see partitions_removal_order; NULL for the order of the list */
	size_t next, count;      /* places in this order */
};

static size_t
listed_row(const struct part *p, size_t place)
{
	return p->order ? (size_t)db_result_int64(p->order, place, REMOVAL_ROW, 0) : place;
}

static struct text
range_of(const struct part *p, size_t place)
{
	return p->order ? db_result_value(p->order, place, REMOVAL_RANGE) : TEXT_NULL;
}

static bool
is_partial(const struct part *p, size_t place)
{
	return p->order &&
	       text_equal(db_result_value(p->order, place, REMOVAL_PARTIAL), TEXT_LITERAL("t"));
}

static bool
add(struct part *p, struct batch *b, size_t row, struct error *err)
{
	const size_t i = b->count++;

	b->listed[i] = row;
	b->inst_ids[i] = db_result_int64(p->listed, row, RESULT_SET_INST_ID, 0);
	b->removed[i] = true;
	/* The list has no row count for an open result set. */
	b->rows[i] = db_result_int64(p->listed, row, RESULT_SET_ROWS, -1);
	return b->rows[i] >= 0 || result_set_count_rows(p->db, b->inst_ids[i], &b->rows[i], err);
}

/* Fills the batch with the next result sets: all those of a range, or as many as a batch may have. */
static bool
take_batch(struct part *p, struct batch *b, struct error *err)
{
	const struct text range = range_of(p, p->next);
	const bool whole = !text_is_null(range);
	int64_t sum = 0;

	b->count = 0;
	while (p->next < p->count && b->count < (whole ? RANGE_SETS : BATCH_SETS) &&
		(whole ? text_equal(range_of(p, p->next), range) : sum < BATCH_ROWS)) {
		if (!add(p, b, listed_row(p, p->next++), err))
			return false;
		sum += b->rows[b->count - 1];
	}
	return true;
}

static void
print_batch(const struct part *p, const struct batch *b)
{
	const struct removal *o = p->options;

	for (size_t i = 0; i < b->count; i++) {
		if (!b->removed[i]) {
			fprintf(o->out, "result set %lld was already removed\n",
				(long long)b->inst_ids[i]);
			continue;
		}
		fprintf(o->out, "%s result set %lld \"", o->dry_run ? "would remove" : "removed",
			(long long)b->inst_ids[i]);
		terminal_print(
			o->out, db_result_value(p->listed, b->listed[i], RESULT_SET_CAPTION));
		fprintf(o->out, "\", %lld %s\n", (long long)b->rows[i],
			by_count((unsigned long long)b->rows[i], "row", "rows"));
	}
}

static bool
name_batch(const struct batch *b, struct error *err)
{
	if (b->count == 1)
		return error_prefix(err, "result set %lld", (long long)b->inst_ids[0]);
	return error_prefix(err, "%zu result sets from %lld to %lld", b->count,
		(long long)b->inst_ids[0], (long long)b->inst_ids[b->count - 1]);
}

static void
batch_init(struct batch *b, struct arena *a, size_t max)
{
	*b = (struct batch){
		.listed = arena_alloc_array(a, max, sizeof(*b->listed)),
		.inst_ids = arena_alloc_array(a, max, sizeof(*b->inst_ids)),
		.rows = arena_alloc_array(a, max, sizeof(*b->rows)),
		.removed = arena_alloc_array(a, max, sizeof(*b->removed)),
	};
}

static bool
remove_part(struct part *p, struct arena *a, size_t *count, struct error *err)
{
	const struct removal *o = p->options;
	struct batch b;

	batch_init(&b, a, p->count < RANGE_SETS ? p->count : RANGE_SETS);

	while (p->next < p->count) {
		bool ok = take_batch(p, &b, err);

		if (ok && !o->dry_run)
			ok = result_sets_remove(
				     p->db, b.inst_ids, b.count, o->forget, b.removed, err) ||
			     name_batch(&b, err);
		if (!ok) {
			if (*count && !o->dry_run)
				err->code = ERROR_PARTLY;
			return false;
		}
		print_batch(p, &b);
		*count += b.count;
	}
	return true;
}

/* Postpones the removal of result sets whose range is only partly in the list; they are at the end of the order. The
 * next list may contain the rest of such a range, so that the range can be removed as a whole. Postpones nothing if
 * the list has only such result sets. */
static void
defer_partial(struct part *p)
{
	size_t count = 0;

	for (size_t i = 0; i < p->count; i++)
		count += !is_partial(p, i);
	if (!count)
		return;
	while (is_partial(p, p->count - 1))
		p->count--;
}

static bool
remove_listed(struct db *db, const struct db_result *listed, bool is_last, const struct removal *o,
	size_t *count, struct error *err)
{
	struct part p = { db, listed, o, NULL, 0, db_result_rows(listed) };
	struct arena a = ARENA_INIT;
	bool ok;

	if (!o->dry_run && p.count) {
		p.order = partitions_removal_order(db, listed, err);
		if (!p.order)
			return false;
		if (!is_last)
			defer_partial(&p);
	}
	ok = remove_part(&p, &a, count, err);
	arena_release(&a);
	db_result_free(p.order);
	return ok;
}

bool
removal_of_list(struct db *db, const struct db_result *listed, const struct removal *o,
	size_t *count, struct error *err)
{
	return remove_listed(db, listed, true, o, count, err);
}

bool
removal_of_filter(struct db *db, const struct result_set_filter *filter, const struct removal *o,
	size_t *count, struct error *err)
{
	struct result_set_filter f = *filter;
	size_t rows;

	f.limit = LISTED_SETS;
	do {
		struct db_result *listed = result_sets_list(db, &f, err);
		bool ok;

		rows = listed ? db_result_rows(listed) : 0;
		ok = listed && remove_listed(db, listed, rows < LISTED_SETS, o, count, err);
		db_result_free(listed);
		if (!ok)
			return false;
		if (o->dry_run)
			f.skip_newest += (int64_t)rows;
	} while (rows >= LISTED_SETS);
	return true;
}
