/* Searches by label. */
#include "base/number.h"
#include "db/sql_array.h"
#include "store/result_sets.h"
#include "store_private.h"

#include <string.h>

enum {
	LABELS_MAX_BYTES = 1024 * 1024,
	FEW_SETS = 2000,
};

/* Finds the INST_IDs of the result sets with the label, as an array for SQL. *inst_ids is NULL if there are
 * more than FEW_SETS. */
static bool
find_few(struct db *db, struct arena *a, const struct label *label, const char **inst_ids,
	struct error *err)
{
	const char *key = arena_strndup(a, label->key.data, label->key.size);
	const char *value = arena_strndup(a, label->value.data, label->value.size);
	struct db_result *r = STORE_QUERY(db, "label_sets", SQL_STORE_LABEL_SETS,
		err, [SQL_STORE_LABEL_SETS_MAX_SETS] = INT64_TEXT(FEW_SETS),
		[SQL_STORE_LABEL_SETS_KEY] = key, [SQL_STORE_LABEL_SETS_VALUE] = value);

	*inst_ids = r ? arena_text(a, db_result_value(r, 0, 0)).data : NULL;
	return db_done(r);
}

static bool
is_repeated(const struct option_list *labels, size_t i)
{
	for (size_t n = 0; n < i; n++)
		if (strcmp(labels->items[n], labels->items[i]) == 0)
			return true;
	return false;
}

bool
label_search(struct db *db, struct arena *a, const struct option_list *labels,
	struct label_search *search, struct error *err)
{
	struct strbuf array;

	*search = (struct label_search){ NULL, NULL };
	strbuf_init(&array, LABELS_MAX_BYTES);
	for (size_t i = 0; i < labels->count; i++) {
		struct label label;

		if (is_repeated(labels, i))
			continue;
		if (!label_parse(labels->items[i], &label, err) ||
			(!search->inst_ids && !find_few(db, a, &label, &search->inst_ids, err))) {
			strbuf_release(&array);
			return false;
		}
		sql_array_text(&array, text_from(labels->items[i]));
	}
	sql_array_end(&array);
	if (array.failed)
		error_set(err, ERROR_USAGE, "the labels are longer than %d bytes",
			(int)LABELS_MAX_BYTES);
	else
		search->labels = arena_strdup(a, strbuf_str(&array));
	strbuf_release(&array);
	return search->labels != NULL;
}
