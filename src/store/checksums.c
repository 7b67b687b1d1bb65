/* Checksums of a result set's rows. */
#include "checksums.h"

#include "db/sql_array.h"
#include "store/result_sets.h"
#include "store_private.h"

enum {
	SELECT_MAX_BYTES = 16 * 1024,
};

static bool
is_zero(struct hash128 h)
{
	return !h.low && !h.high;
}

bool
checksum_read(
	struct db *db, int64_t inst_id, enum relation r, struct hash128 *sum, struct error *err)
{
	struct strbuf select;
	bool ok;

	*sum = (struct hash128){ 0, 0 };
	strbuf_init(&select, SELECT_MAX_BYTES);
	strbuf_printf(&select, "SELECT %s FROM profdepot.%s WHERE inst_id = %lld",
		store_relations[r].columns, store_relations[r].name, (long long)inst_id);
	ok = copy_sum_rows(db, strbuf_str(&select), sum, err);
	strbuf_release(&select);
	return ok || error_prefix(err, "cannot read the rows of %s", store_relations[r].name);
}

/* Writes the hash as a uuid: the high half is first, as in hash128_hex. */
static void
put_uuid(struct copier *c, struct hash128 h)
{
	char bytes[16];

	for (int i = 0; i < 8; i++) {
		bytes[i] = (char)(h.high >> (56 - 8 * i));
		bytes[8 + i] = (char)(h.low >> (56 - 8 * i));
	}
	copier_text(c, (struct text){ bytes, sizeof(bytes) });
}

bool
checksums_write(struct copier *c, int64_t inst_id, const struct hash128 *sums, struct error *err)
{
	for (size_t i = 0; i < RELATIONS_SUMMED; i++) {
		if (is_zero(sums[i]))
			continue;
		copier_row(c, REL_CHECKSUMS);
		copier_int64(c, inst_id);
		copier_text(c, text_from(relation_name(i)));
		put_uuid(c, sums[i]);
		if (!copier_row_end(c, err))
			return false;
	}
	return true;
}

static bool
read_all(struct db *db, int64_t inst_id, struct hash128 sums[RELATIONS_SUMMED], struct error *err)
{
	for (size_t i = 0; i < RELATIONS_SUMMED; i++)
		if (!checksum_read(db, inst_id, (enum relation)i, &sums[i], err))
			return false;
	return true;
}

bool
checksums_renew(struct db *db, int64_t inst_id, struct error *err)
{
	struct hash128 sums[RELATIONS_SUMMED];
	struct copier *c;
	bool ok;

	if (!read_all(db, inst_id, sums, err) ||
		!db_done(store_query_set(db, "store/checksums_delete", inst_id, err)))
		return false;
	c = copier_new(db, store_relations, RELATIONS_WRITTEN);
	ok = checksums_write(c, inst_id, sums, err) && copier_settle(c, err);
	copier_free(c);
	return ok;
}

bool
checksum_renew(struct db *db, int64_t inst_id, enum relation r, struct error *err)
{
	char hex[HASH128_HEX_BYTES];
	struct hash128 sum;

	if (!checksum_read(db, inst_id, r, &sum, err))
		return false;
	hash128_hex(sum, hex);
	return db_done(STORE_QUERY(db, "checksum_renew", SQL_STORE_CHECKSUM_RENEW,
		err, [SQL_STORE_CHECKSUM_RENEW_INST_ID] = INT64_TEXT(inst_id),
		[SQL_STORE_CHECKSUM_RENEW_RELATION] = relation_name(r),
		[SQL_STORE_CHECKSUM_RENEW_CHECKSUM] = is_zero(sum) ? NULL : hex));
}

bool
checksums_list(struct db *db, int64_t inst_id, struct strbuf *names, struct strbuf *sums,
	struct error *err)
{
	struct hash128 found[RELATIONS_SUMMED];
	char hex[HASH128_HEX_BYTES];

	if (!read_all(db, inst_id, found, err))
		return false;
	for (size_t i = 0; i < RELATIONS_SUMMED; i++) {
		if (is_zero(found[i]))
			continue;
		hash128_hex(found[i], hex);
		sql_array_text(names, text_from(relation_name(i)));
		sql_array_text(sums, text_from(hex));
	}
	return true;
}
