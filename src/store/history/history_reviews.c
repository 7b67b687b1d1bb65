/* Reviews of findings, and aliases of their identities. */
#include "history_private.h"

#include "store/store_private.h"

#include <stdlib.h>
#include <string.h>

enum {
	IDENTITY_DIGITS = 2 * IDENTITY_BYTES,
	ALIAS_STEPS_MAX = 100
};

/* --- reviews --------------------------------------------------------------------------------- */

static enum review_status
status_of(struct text name)
{
	int i = REVIEW_STATUSES - 1;

	/* The name is a known status, because the table's CHECK rejects all others. */
	while (i > 0 && !text_equal(name, text_from(review_status_names[i])))
		i--;
	return (enum review_status)i;
}

static struct history_review *
review_of(struct arena *a, const struct db_result *r, size_t row)
{
	struct history_review *review = arena_alloc(a, sizeof(*review));

	*review = (struct history_review){ .ledger_no = db_result_int64(r, row, 1, 0),
		.status = status_of(db_result_value(r, row, 2)),
		.fixed_in = arena_text(a, db_result_value(r, row, 3)),
		.author = arena_text(a, db_result_value(r, row, 4)),
		.reason = arena_text(a, db_result_value(r, row, 5)),
		.ticket = arena_text(a, db_result_value(r, row, 6)),
		.until = arena_text(a, db_result_value(r, row, 7)),
		.reviewed_at = arena_text(a, db_result_value(r, row, 8)),
		.expired = db_result_bool(r, row, 9) };
	return review;
}

void
history_parse_identity(struct text uuid, uint8_t out[IDENTITY_BYTES])
{
	size_t digits = 0;

	memset(out, 0, IDENTITY_BYTES);
	for (size_t i = 0; i < uuid.size && digits < IDENTITY_DIGITS; i++) {
		char c = uuid.data[i];

		if (c == '-')
			continue;
		out[digits / 2] =
			(uint8_t)(out[digits / 2] << 4 | (c <= '9' ? c - '0' : c - 'a' + 10));
		digits++;
	}
}

bool
history_read_reviews(struct history_reading *r, struct error *err)
{
	struct db_result *rows = STORE_QUERY(r->db, "history_reviews", SQL_STORE_HISTORY_REVIEWS,
		err, [SQL_STORE_HISTORY_REVIEWS_LEDGER_NO] = r->digits);

	for (size_t i = 0; rows && i < db_result_rows(rows); i++) {
		uint8_t identity[IDENTITY_BYTES];
		struct history_review *review;
		int64_t halves[2];
		uint32_t index;

		history_parse_identity(db_result_value(rows, i, 0), identity);
		memcpy(halves, identity, sizeof(halves));
		index = pair_map_get(&r->by_identity, halves[0], halves[1]);
		if (index == PAIR_MAP_NONE)
			continue;
		review = review_of(r->arena, rows, i);
		review->older = r->h->findings[index].review;
		r->h->findings[index].review = review;
	}
	return db_done(rows);
}

bool
review_add(struct db *db, const char *identity, const struct history_review *review,
	int64_t *ledger_no, struct error *err)
{
	if (store_int64(STORE_QUERY(db, "review_add", SQL_STORE_REVIEW_ADD,
				err, [SQL_STORE_REVIEW_ADD_IDENTITY] = identity,
				[SQL_STORE_REVIEW_ADD_STATUS] = review_status_names[review->status],
				[SQL_STORE_REVIEW_ADD_FIXED_IN] = review->fixed_in.data,
				[SQL_STORE_REVIEW_ADD_AUTHOR] = review->author.data,
				[SQL_STORE_REVIEW_ADD_REASON] = review->reason.data,
				[SQL_STORE_REVIEW_ADD_TICKET] = review->ticket.data,
				[SQL_STORE_REVIEW_ADD_UNTIL] = review->until.data),
		    0, ledger_no))
		return true;
	if (strcmp(err->sqlstate, "22007") != 0 && strcmp(err->sqlstate, "22008") != 0)
		return false;
	error_set(err, ERROR_USAGE, "option --until: \"%.100s\" is not a date", review->until.data);
	return error_hint(err, "write it as 2026-12-31");
}

/* --- aliases --------------------------------------------------------------------------------- */

/* Follows a chain of aliases to its end: the identity to which an alias leads can be an alias,
 * too. */
static void
find_root(const struct history_alias *aliases, size_t count, struct history_alias *alias)
{
	const struct history h = { .aliases = aliases, .alias_count = count };
	const uint8_t *root = alias->root;

	for (int i = 0; i < ALIAS_STEPS_MAX; i++) {
		const uint8_t *next = history_root(&h, root);

		if (next == root || memcmp(next, alias->identity, IDENTITY_BYTES) == 0)
			break;
		root = next;
	}
	memmove(alias->root, root, IDENTITY_BYTES);
}

bool
history_read_aliases(struct history_reading *r, struct error *err)
{
	struct db_result *rows = STORE_QUERY(r->db, "history_aliases", SQL_STORE_HISTORY_ALIASES,
		err, [SQL_STORE_HISTORY_ALIASES_LEDGER_NO] = r->digits);
	size_t count = rows ? db_result_rows(rows) : 0;
	struct history_alias *given = arena_alloc_array(r->arena, count, sizeof(*given));
	struct history_alias *aliases;

	for (size_t i = 0; i < count; i++) {
		history_parse_identity(db_result_value(rows, i, 0), given[i].identity);
		history_parse_identity(db_result_value(rows, i, 1), given[i].root);
	}
	aliases = arena_copy_array(r->arena, given, count, sizeof(*given));
	for (size_t i = 0; i < count; i++)
		find_root(given, count, &aliases[i]);
	r->h->aliases = aliases;
	r->h->alias_count = count;
	return db_done(rows);
}

bool
history_alias_add(struct db *db, const char *identity, const char *same_as,
	const struct history_review *why, int64_t *ledger_no, struct error *err)
{
	return store_int64(STORE_QUERY(db, "alias_add", SQL_STORE_ALIAS_ADD,
				   err, [SQL_STORE_ALIAS_ADD_IDENTITY] = identity,
				   [SQL_STORE_ALIAS_ADD_SAME_AS] = same_as,
				   [SQL_STORE_ALIAS_ADD_AUTHOR] = why->author.data,
				   [SQL_STORE_ALIAS_ADD_REASON] = why->reason.data),
		0, ledger_no);
}
