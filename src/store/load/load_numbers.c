/*
 * The numbers of the result sets. The query that draws a number has to wait until the server has stored
 * all rows sent so far, and then the server is idle until the next rows arrive. Therefore the loader
 * draws several numbers with one query if an input has many result sets.
 */
#include "load_private.h"

#include "db/sql_array.h"
#include "store/store_private.h"

#include <inttypes.h>

enum {
	/* Once the load has begun this many sets, a query draws as many numbers as there are sets so far. */
	MANY_SETS = 8,
	NUMBERS_MAX_BYTES = 64 * 1024,
};

bool
load_draw_inst_id(struct db *db, int64_t *inst_id, struct error *err)
{
	struct db_result *r = db_query(db, "SELECT profdepot.draw_inst_id()", NULL, 0, err);

	if (!r)
		return error_prefix(err, "cannot number the result set");
	*inst_id = db_result_int64(r, 0, 0, 0);
	db_result_free(r);
	return true;
}

static bool
draw_several(struct load *l, struct load_spares *s, struct error *err)
{
	static const char sql[] = "SELECT profdepot.draw_inst_id() "
				  "FROM pg_catalog.generate_series(1, $1::integer)";
	char count[24];
	const char *const params[] = { count };
	struct db_result *r;

	snprintf(count, sizeof(count), "%zu",
		l->set_count < LOAD_SPARES_MAX ? l->set_count : LOAD_SPARES_MAX);
	r = db_query(l->db, sql, params, 1, err);
	if (!r)
		return error_prefix(err, "cannot number the result sets");
	s->next = 0;
	for (s->count = 0; s->count < db_result_rows(r); s->count++)
		s->numbers[s->count] = db_result_int64(r, s->count, 0, 0);
	db_result_free(r);
	return true;
}

/* The names of the relations, with the suffix of a range if they are partitioned. */
static const struct copy_relation *
tables_of_range(struct arena *a, const char *suffix)
{
	struct copy_relation *tables = arena_alloc_array(a, RELATIONS_WRITTEN, sizeof(*tables));

	for (int r = 0; r < RELATIONS_WRITTEN; r++) {
		tables[r] = store_relations[r];
		if (relation_is_large((enum relation)r))
			tables[r].name = arena_printf(a, "%s%s", tables[r].name, suffix);
	}
	return tables;
}

/* In a partitioned depot, a connection's first COPY into a relation reads the limits of all ranges. With 100 ranges and
 * 17 relations, this takes longer than a small load. Therefore the load writes directly into the tables of its range.
 * This range cannot be dropped, because draw_inst_id has locked it. */
static bool
look_up_range(struct load *l, int64_t inst_id, struct error *err)
{
	struct load_range *range = &l->spares.range;
	struct db_result *r = STORE_QUERY(l->db, "partition_tables", SQL_STORE_PARTITION_TABLES,
		err, [SQL_STORE_PARTITION_TABLES_INST_ID] = INT64_TEXT(inst_id));

	if (!r)
		return false;
	range->known = true;
	range->direct = db_result_rows(r) > 0;
	if (range->direct) {
		range->first = db_result_int64(r, 0, 0, 0);
		range->end = db_result_int64(r, 0, 1, 0);
		copier_set_relations(
			l->copier, tables_of_range(l->arena, db_result_value(r, 0, 2).data));
	}
	db_result_free(r);
	return true;
}

/* If a result set is not in the range of the first one, this and all later rows are written through the relations
 * themselves, because a buffer can have rows of several result sets. */
static bool
choose_tables(struct load *l, int64_t inst_id, struct error *err)
{
	struct load_range *range = &l->spares.range;

	if (!range->known)
		return look_up_range(l, inst_id, err);
	if (!range->direct || (inst_id >= range->first && inst_id < range->end))
		return true;
	if (!copier_rest(l->copier, err))
		return false;
	copier_set_relations(l->copier, store_relations);
	range->direct = false;
	return true;
}

static bool
draw_number(struct load *l, int64_t *inst_id, struct error *err)
{
	struct load_spares *s = &l->spares;

	if (s->next == s->count) {
		/* The copier may still be sending rows of the previous set. */
		if (!copier_rest(l->copier, err))
			return false;
		if (l->set_count < MANY_SETS)
			return load_draw_inst_id(l->db, inst_id, err);
		if (!draw_several(l, s, err))
			return false;
	}
	*inst_id = s->numbers[s->next++];
	return true;
}

bool
load_draw_number(struct load *l, int64_t *inst_id, struct error *err)
{
	return draw_number(l, inst_id, err) && choose_tables(l, *inst_id, err);
}

/* Gives back the numbers in the order of the array. Uses a single transaction, because each transaction waits for
 * the disk. */
static bool
give_back(struct load *l, struct strbuf *numbers)
{
	struct error ignored = ERROR_INIT;
	const char *const params[] = { sql_array_end(numbers) };
	bool ok = db_done(
		db_query(l->db, "SELECT profdepot.give_back_inst_id(n) FROM unnest($1::bigint[]) n",
			params, 1, &ignored));

	strbuf_reset(numbers);
	return ok;
}

static void
take_spares(struct load *l, struct strbuf *numbers)
{
	struct load_spares *s = &l->spares;

	while (s->count > s->next)
		sql_array_int(numbers, s->numbers[--s->count]);
}

void
load_give_back_spares(struct load *l)
{
	struct strbuf numbers = STRBUF_INIT(NUMBERS_MAX_BYTES);

	take_spares(l, &numbers);
	if (numbers.size)
		give_back(l, &numbers);
	strbuf_release(&numbers);
}

/* Gives back the numbers in reverse order, because the server takes back only the number that was drawn last. */
void
load_give_back_numbers(struct load *l)
{
	struct strbuf numbers = STRBUF_INIT(NUMBERS_MAX_BYTES);
	bool ok = true;

	take_spares(l, &numbers);
	for (size_t i = l->set_count; ok && i-- > 0;) {
		if (l->sets[i]->drawn)
			sql_array_int(&numbers, l->sets[i]->drawn);
		l->sets[i]->drawn = 0;
		if (numbers.size > NUMBERS_MAX_BYTES / 2)
			ok = give_back(l, &numbers);
	}
	if (ok && numbers.size)
		give_back(l, &numbers);
	strbuf_release(&numbers);
}
