/* Searches by label. */
#include "base/number.h"
#include "db/sql_array.h"
#include "store/result_sets.h"
#include "store_private.h"

#include <string.h>

enum {
	LABELS_MAX_BYTES = 1024 * 1024,
};

/* Finds the INST_IDs of the result sets with the label, as an array for SQL. *inst_ids is NULL if there are
 * more than max_sets. */
static bool
find_few(struct db *db, struct arena *a, const struct label *label, int64_t max_sets,
	const char **inst_ids, struct error *err)
{
	const char *key = arena_strndup(a, label->key.data, label->key.size);
	const char *value = arena_strndup(a, label->value.data, label->value.size);
	struct db_result *r = STORE_QUERY(db, "label_sets", SQL_STORE_LABEL_SETS,
		err, [SQL_STORE_LABEL_SETS_MAX_SETS] = INT64_TEXT(max_sets),
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

/* Returns the labels as an array for SQL, without repetitions and without label number `omitted`. NULL on error. */
static const char *
label_array(struct arena *a, const struct option_list *labels, size_t omitted, struct error *err)
{
	const char *text = NULL;
	struct strbuf array;

	strbuf_init(&array, LABELS_MAX_BYTES);
	for (size_t i = 0; i < labels->count; i++)
		if (i != omitted && !is_repeated(labels, i))
			sql_array_text(&array, text_from(labels->items[i]));
	sql_array_end(&array);
	if (array.failed)
		error_set(err, ERROR_USAGE, "the labels are longer than %d bytes",
			(int)LABELS_MAX_BYTES);
	else
		text = arena_strdup(a, strbuf_str(&array));
	strbuf_release(&array);
	return text;
}

bool
label_search(struct db *db, struct arena *a, const struct option_list *labels, int64_t max_sets,
	struct label_search *search, struct error *err)
{
	size_t found = SIZE_MAX;

	*search = (struct label_search){ NULL, NULL, NULL };
	for (size_t i = 0; i < labels->count; i++) {
		struct label label;

		if (!label_parse(labels->items[i], &label, err))
			return false;
		if (found != SIZE_MAX || is_repeated(labels, i))
			continue;
		if (!find_few(db, a, &label, max_sets, &search->inst_ids, err))
			return false;
		if (search->inst_ids)
			found = i;
	}
	search->labels = label_array(a, labels, SIZE_MAX, err);
	search->rest = search->labels ? label_array(a, labels, found, err) : NULL;
	return search->rest != NULL;
}
