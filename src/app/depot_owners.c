/* Reads the depot's owners, and applies them to reports. */
#include "app/depot_owners.h"

#include "analysis/owners.h"
#include "base/sql_file.h"
#include "store/owners.h"

#include <string.h>

bool
depot_owners_read(struct db *db, struct arena *a, int64_t ledger_no, struct depot_owners *owners,
	struct error *err)
{
	struct text content;

	*owners = (struct depot_owners){ .arena = a };
	if (!owners_load(db, a, ledger_no, &content, err))
		return false;
	if (text_is_empty(content))
		return true;
	owners->rules = owners_parse(a, "the depot's owners", content, err);
	return owners->rules != NULL;
}

struct text
depot_owner(struct depot_owners *owners, struct text source_file)
{
	if (!owners->rules || text_is_empty(source_file))
		return TEXT_NULL;
	return owners_of(owners->rules, owners->arena, source_file);
}

bool
owner_passes(const struct option_list *globs, struct text owner)
{
	while (owner.size) {
		const char *space = memchr(owner.data, ' ', owner.size);
		size_t n = space ? (size_t)(space - owner.data) : owner.size;

		for (size_t i = 0; i < globs->count; i++)
			if (text_glob((struct text){ owner.data, n }, globs->items[i]))
				return true;
		n += space != NULL;
		owner = (struct text){ owner.data + n, owner.size - n };
	}
	return false;
}

static bool
has_owner_column(const struct report *r)
{
	return r->column_count && r->columns[r->column_count - 1].owner;
}

const struct report *
report_owners_shape(struct db *db, struct arena *a, const struct report *r, struct error *err)
{
	struct text content;
	struct report *shaped;

	if (!has_owner_column(r))
		return r;
	if (!owners_load(db, a, 0, &content, err))
		return NULL;
	if (!text_is_empty(content))
		return r;
	shaped = arena_alloc(a, sizeof(*shaped));
	*shaped = *r;
	shaped->column_count--;
	return shaped;
}

static struct text
owner_of_file(void *owners, struct text source_file)
{
	return depot_owner(owners, source_file);
}

/* Fails because the result set is open. The owners of a finding depend on the file of its own frame, and own frames
 * are stored only when a result set is closed. */
static bool
refuse_open(struct db_result *r, int64_t inst_id, struct error *err)
{
	db_result_free(r);
	error_set(err, ERROR_INPUT, "option --owner: result set %lld is open", (long long)inst_id);
	return error_hint(err, "\"profdepot reindex %lld\" closes it", (long long)inst_id);
}

/* Lists the source files of the own frames in the result set, and selects the files of the requested owners. */
static bool
select_files(struct db *db, struct arena *a, struct depot_owners *owners, struct report_request *q,
	struct error *err)
{
	const char *inst_id = arena_printf(a, "%lld", (long long)q->inst_id);
	struct db_result *r = db_query(db, sql_file_find("report/own_files")->text,
		SQL_VALUES(SQL_REPORT_OWN_FILES, [SQL_REPORT_OWN_FILES_INST_ID] = inst_id),
		SQL_REPORT_OWN_FILES_PARAMS, err);
	struct text *files;
	size_t count = 0;

	if (!r)
		return false;
	files = arena_alloc_array(a, db_result_rows(r) + 1, sizeof(*files));
	for (size_t i = 0; i < db_result_rows(r); i++) {
		struct text file = db_result_value(r, i, 1);

		if (!text_equal(db_result_value(r, i, 0), TEXT_LITERAL("t")))
			return refuse_open(r, q->inst_id, err);

		if (owner_passes(&q->lists[REPORT_OWNER], depot_owner(owners, file)))
			files[count++] = file;
	}
	q->values[REPORT_OWNER_FILES] = report_texts(a, files, count);
	db_result_free(r);
	return true;
}

bool
report_owners_prepare(struct db *db, struct arena *a, const struct report *r,
	struct report_request *q, struct error *err)
{
	struct depot_owners *owners;
	bool selects = q->lists[REPORT_OWNER].count > 0 && report_takes(r, REPORT_OWNER);

	if (!selects && !has_owner_column(r))
		return true;
	owners = arena_alloc(a, sizeof(*owners));
	if (!depot_owners_read(db, a, 0, owners, err))
		return false;
	q->owner_of = owner_of_file;
	q->owners = owners;
	if (!selects)
		return true;
	if (!owners->rules) {
		error_set(err, ERROR_NOT_FOUND, "option --owner: the depot has no owners");
		return error_hint(err, "\"profdepot owners set CODEOWNERS\" stores them");
	}
	return select_files(db, a, owners, q, err);
}
