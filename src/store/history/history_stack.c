/* The stack of a finding in one result set. */
#include "history_private.h"

#include "model/finding.h"
#include "store/store_private.h"

#include <stdio.h>
#include <string.h>

enum {
	STORED_MAX = 100
};

/* Returns whether the row is about the finding. Compares the identity with and without the class, because
 * in results of leak detectors the class is the allocating function, which is not part of the identity. */
static bool
is_of_finding(
	struct sha256 *sha, const struct db_result *r, size_t row, const struct history_finding *f)
{
	uint8_t own[IDENTITY_BYTES], identity[IDENTITY_BYTES];
	struct finding candidate = { .leak = db_result_bool(r, row, 4),
		.name = db_result_value(r, row, 3),
		.class_name = db_result_value(r, row, 2) };

	if (!text_is_null(db_result_value(r, row, 1))) {
		history_parse_identity(db_result_value(r, row, 1), own);
		candidate.own = own;
	}
	for (int with_class = 1; with_class >= 0; with_class--) {
		if (!with_class)
			candidate.class_name = TEXT_NULL;
		finding_identity(sha, &candidate, identity);
		if (memcmp(identity, f->identity, IDENTITY_BYTES) == 0)
			return true;
	}
	return false;
}

static bool
find_stack(struct db *db, const char *inst_id, const struct history_finding *f, char stack_id[24],
	struct error *err)
{
	struct db_result *r = STORE_QUERY(db, "history_stacks", SQL_STORE_HISTORY_STACKS,
		err, [SQL_STORE_HISTORY_STACKS_INST_ID] = inst_id,
		[SQL_STORE_HISTORY_STACKS_ROUTINE] = f->routine_name.data,
		[SQL_STORE_HISTORY_STACKS_SOURCE_FILE] = f->source_file.data);
	struct sha256 *sha = sha256_new();

	stack_id[0] = '\0';
	for (size_t i = 0; r && i < db_result_rows(r) && !stack_id[0]; i++)
		if (is_of_finding(sha, r, i, f))
			snprintf(stack_id, 24, "%s", db_result_value(r, i, 0).data);
	sha256_free(sha);
	return db_done(r);
}

bool
history_find_stored(struct db *db, struct arena *a, const struct history *h,
	const struct history_finding *f, int64_t *inst_id, struct error *err)
{
	int64_t *ids = arena_alloc_array(a, STORED_MAX, sizeof(*ids));
	size_t count = 0;

	for (size_t i = f->seen_count; i-- > 0 && count < STORED_MAX;)
		ids[count++] = h->runs[f->seen[i]].inst_id;
	return store_int64(
		store_query_sets(db, "store/history_stored", ids, count, err), 0, inst_id);
}

bool
history_read_stack(struct db *db, struct arena *a, int64_t inst_id, const struct history_finding *f,
	struct history_frame frames[HISTORY_STACK_FRAMES], size_t *count, struct error *err)
{
	const char *digits = arena_printf(a, "%lld", (long long)inst_id);
	struct db_result *r;
	char stack_id[24];

	*count = 0;
	if (!find_stack(db, digits, f, stack_id, err))
		return false;
	if (!stack_id[0])
		return true;
	r = STORE_QUERY(db, "history_stack_frames", SQL_STORE_HISTORY_STACK_FRAMES,
		err, [SQL_STORE_HISTORY_STACK_FRAMES_INST_ID] = digits,
		[SQL_STORE_HISTORY_STACK_FRAMES_STACK_ID] = stack_id);
	for (size_t i = 0; r && i < db_result_rows(r) && *count < HISTORY_STACK_FRAMES; i++)
		frames[(*count)++] = (struct history_frame){
			.module = arena_text(a, db_result_value(r, i, 0)),
			.class_name = arena_text(a, db_result_value(r, i, 1)),
			.routine = arena_text(a, db_result_value(r, i, 2)),
			.source_file = arena_text(a, db_result_value(r, i, 3)),
			.source_line = db_result_int64(r, i, 4, 0),
		};
	return db_done(r);
}
