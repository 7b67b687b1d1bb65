/* The history of a stream, as of a ledger number. */
#include "history_private.h"

#include "base/hash.h"
#include "base/number.h"
#include "store/result_sets.h"
#include "store/set_names.h"
#include "store/store_private.h"

#include <stdlib.h>
#include <string.h>

enum {
	IDENTITY_DIGITS = 2 * IDENTITY_BYTES,
	PREFIX_MIN_DIGITS = 4
};

/* --- as of ----------------------------------------------------------------------------------- */

static bool
find_newest(struct db *db, const char *until, int64_t *ledger_no, struct error *err)
{
	bool ok = store_int64(STORE_QUERY(db, "history_as_of", SQL_STORE_HISTORY_AS_OF,
				      err, [SQL_STORE_HISTORY_AS_OF_UNTIL] = until),
		0, ledger_no);

	if (!ok && strncmp(err->sqlstate, "22", 2) == 0) {
		error_set(err, ERROR_USAGE,
			"\"%.100s\" is not a ledger number, a time or a result set", until);
		return error_hint(err, "use 120, 2026-11-25, set:7, latest or label:KEY=VALUE");
	}
	return ok;
}

static bool
find_set(struct db *db, int64_t inst_id, int64_t *ledger_no, struct error *err)
{
	if (!store_int64(STORE_QUERY(db, "history_of_set", SQL_STORE_HISTORY_OF_SET,
				 err, [SQL_STORE_HISTORY_OF_SET_INST_ID] = INT64_TEXT(inst_id),
				 [SQL_STORE_HISTORY_OF_SET_AS_OF] = NULL),
		    0, ledger_no))
		return false;
	return *ledger_no || error_set(err, ERROR_NOT_FOUND,
				     "history does not know result set %lld", (long long)inst_id);
}

static bool
find_as_of(struct db *db, const char *text, int64_t *ledger_no, struct error *err)
{
	static const char set[] = "set:";
	struct number n;
	int64_t inst_id;

	if (number_parse(text_from(text), &n) == NUMBER_OK)
		return number_to_int64(n, ledger_no) ||
		       error_set(err, ERROR_USAGE, "\"%.100s\" is not a ledger number", text);
	if (strncmp(text, set, strlen(set)) == 0)
		return inst_id_parse(text + strlen(set), &inst_id, err) &&
		       find_set(db, inst_id, ledger_no, err);
	if (strncmp(text, "latest", 6) == 0 || set_name_is_relative(text))
		return set_name_find(db, text, 0, &inst_id, err) &&
		       find_set(db, inst_id, ledger_no, err);
	return find_newest(db, text, ledger_no, err);
}

bool
history_parse_as_of(struct db *db, const char *text, int64_t *ledger_no, struct error *err)
{
	/* 0 is not a valid result, because in struct history_question it means the newest number. */
	return find_as_of(db, text, ledger_no, err) &&
	       (*ledger_no > 0 || error_set(err, ERROR_NOT_FOUND,
					  "the ledger has no entry at \"%.100s\"", text));
}

/* --- the history ----------------------------------------------------------------------------- */

/* Converts a prefix of an identity to a range: "ab" becomes ab00... to abff.... */
static bool
set_range(struct history_reading *r, const char *finding, struct error *err)
{
	size_t size = finding ? strlen(finding) : 0;
	char hex[IDENTITY_DIGITS + 1];
	char *low, *high;

	if (!finding)
		return true;
	if (size < PREFIX_MIN_DIGITS || size > IDENTITY_DIGITS ||
		strspn(finding, "0123456789abcdef") != size) {
		error_set(err, ERROR_USAGE, "\"%.100s\" is not a finding", finding);
		return error_hint(err,
			"use at least %d of the hex digits that \"profdepot history\" "
			"shows",
			PREFIX_MIN_DIGITS);
	}
	low = arena_alloc(r->arena, IDENTITY_DIGITS + 1);
	high = arena_alloc(r->arena, IDENTITY_DIGITS + 1);
	memset(low, '0', IDENTITY_DIGITS);
	memset(high, 'f', IDENTITY_DIGITS);
	for (size_t i = 0; i < size; i++)
		low[i] = high[i] = finding[i];
	r->low = low;
	r->high = high;
	/* The prefix can belong to an alias. */
	for (size_t i = 0; i < r->h->alias_count; i++) {
		const struct history_alias *alias = &r->h->aliases[i];

		hex_format(alias->identity, IDENTITY_BYTES, hex);
		if (strncmp(hex, finding, size) == 0) {
			hex_format(alias->root, IDENTITY_BYTES, low);
			r->high = low;
		}
	}
	history_parse_identity(text_from(r->low), r->first);
	history_parse_identity(text_from(r->high), r->last);
	return true;
}

/* Fails if the history contained a run that was forgotten later. The facts of this run no longer exist, so
 * the answer cannot be repeated. */
static bool
check_forgotten(struct history_reading *r, struct error *err)
{
	struct db_result *rows =
		STORE_QUERY(r->db, "history_forgotten", SQL_STORE_HISTORY_FORGOTTEN,
			err, [SQL_STORE_HISTORY_FORGOTTEN_LEDGER_NO] = r->digits,
			[SQL_STORE_HISTORY_FORGOTTEN_APPLICATION] = r->application);

	if (rows && db_result_rows(rows))
		error_set(err, ERROR_NOT_FOUND,
			"forgotten: result set %lld was part of this history as of ledger number %s, "
			"but was forgotten at ledger number %lld",
			(long long)db_result_int64(rows, 0, 0, 0), r->digits,
			(long long)db_result_int64(rows, 0, 1, 0));
	db_result_free(rows);
	return rows && !err->code;
}

static bool
read_all(struct history_reading *r, const struct history_question *q, struct error *err)
{
	struct text labels;
	int64_t inst_id;

	if (!history_read_aliases(r, err) || !set_range(r, q->finding, err) ||
		!history_choose_stream(r, q, &labels, &inst_id, err))
		return false;
	r->h->application = text_from(r->application);
	r->h->inst_id = q->inst_id ? inst_id : 0;
	if (!check_forgotten(r, err) || !history_read_runs(r, labels, inst_id, err))
		return false;
	history_group(r->h);
	return history_read_sightings(r, err) && history_read_reviews(r, err);
}

bool
history_read(struct db *db, struct arena *a, const struct history_question *q, struct history *h,
	struct error *err)
{
	struct history_reading r = { .db = db, .arena = a, .h = h };
	struct history_finding *findings;
	int64_t newest;
	bool ok;

	*h = (struct history){ .ledger_no = q->ledger_no };
	if (!find_newest(db, NULL, &newest, err))
		return false;
	if (!h->ledger_no)
		h->ledger_no = newest;
	if (h->ledger_no > newest)
		return error_set(err, ERROR_NOT_FOUND, "the newest ledger number is %lld",
			(long long)newest);
	r.digits = arena_printf(a, "%lld", (long long)h->ledger_no);
	ok = read_all(&r, q, err);
	findings = h->findings;
	h->findings = arena_copy_array(a, findings, h->finding_count, sizeof(*findings));
	free(findings);
	free(r.fold_ids);
	pair_map_release(&r.run_by_inst);
	pair_map_release(&r.by_identity);
	return ok;
}
