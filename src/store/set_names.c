/* Finds result sets by number, label or "latest". */
#include "store/set_names.h"

#include "base/number.h"
#include "base/option.h"
#include "store/result_sets.h"
#include "store_private.h"

#include <string.h>

/* Splits "a=1,b=2". A comma separates labels only if another '=' follows. */
static void
split_labels(struct arena *a, const char *words, struct option_list *labels)
{
	const char **items = arena_alloc_array(a, strlen(words) / 2 + 1, sizeof(*items));
	const char *start = words;

	*labels = (struct option_list){ .items = items };
	for (const char *s = words; *s; s++) {
		const char *next = *s == ',' ? strpbrk(s + 1, ",=") : NULL;

		if (next && *next == '=' && next > s + 1) {
			items[labels->count++] = arena_strndup(a, start, (size_t)(s - start));
			start = s + 1;
		}
	}
	items[labels->count++] = start;
}

/* Sets *inst_id to 0 if no result set matches. */
static bool
query_labels(struct db *db, const struct label_search *search, int64_t before, bool same_tool,
	int64_t skip, int64_t *inst_id, struct error *err)
{
	const char *before_digits = before ? INT64_TEXT(before) : NULL;
	struct db_result *r = STORE_QUERY(db, "find_set_by_labels", SQL_STORE_FIND_SET_BY_LABELS,
		err, [SQL_STORE_FIND_SET_BY_LABELS_LABELS] = search->rest,
		[SQL_STORE_FIND_SET_BY_LABELS_INST_IDS] = search->inst_ids,
		[SQL_STORE_FIND_SET_BY_LABELS_BEFORE] = before_digits,
		[SQL_STORE_FIND_SET_BY_LABELS_SAME_TOOL] = same_tool ? "true" : NULL,
		[SQL_STORE_FIND_SET_BY_LABELS_SKIP] = INT64_TEXT(skip));

	return store_int64(r, 0, inst_id);
}

/* Finds a result set by its labels. If `before` is not 0, the caller wants to compare the result set `before` with the
 * one that this function finds. A run can have result sets of several tools, so a result set of the same tool as
 * `before` is preferred. */
static bool
query_names(struct db *db, struct arena *a, const struct option_list *labels, int64_t before,
	int64_t skip, int64_t *inst_id, struct error *err)
{
	struct label_search search;

	*inst_id = 0;
	if (!label_search(db, a, labels, LABEL_FEW_SETS, &search, err))
		return false;
	if (before && labels->count && !query_labels(db, &search, before, true, skip, inst_id, err))
		return false;
	return *inst_id || query_labels(db, &search, before, false, skip, inst_id, err);
}

static bool
find_by_labels(struct db *db, const char *name, const char *words, int64_t before, int64_t skip,
	int64_t *inst_id, struct error *err)
{
	struct option_list labels = { NULL, 0 };
	struct arena a = ARENA_INIT;
	bool ok;

	if (words)
		split_labels(&a, words, &labels);
	ok = query_names(db, &a, &labels, before, skip, inst_id, err);
	arena_release(&a);
	if (!ok || *inst_id)
		return ok;
	if (before)
		error_set(err, ERROR_NOT_FOUND,
			"no result set \"%.200s\" was loaded before result set %lld", name,
			(long long)before);
	else if (!words && !skip)
		error_set(err, ERROR_NOT_FOUND, "the depot has no result sets");
	else
		error_set(err, ERROR_NOT_FOUND, "there is no result set \"%.200s\"", name);
	return error_hint(err, words  ? "\"profdepot list\" shows the labels"
			       : skip ? "\"profdepot list\" shows all of them"
				      : "load one: profdepot load PATH");
}

static const char *
after_prefix(const char *name)
{
	bool prefixed = strncmp(name, "label:", 6) == 0 ||
			(strncmp(name, "label=", 6) == 0 && strchr(name + 6, '='));

	return prefixed ? name + 6 : name;
}

static bool
refuse(const char *name, struct error *err)
{
	error_set(err, ERROR_USAGE, "\"%.200s\" is not the name of a result set", name);
	return error_hint(err, "write its INST_ID, latest, latest~1, label:KEY=VALUE or run:KEY");
}

static bool
find_number(struct db *db, const char *name, int64_t *inst_id, struct error *err)
{
	int64_t id;
	bool open;

	if (!inst_id_parse(name, &id, err))
		return refuse(name, err);
	*inst_id = id;
	return result_set_is_open(db, id, &open, err);
}

bool
set_name_is_relative(const char *name)
{
	return strchr(name, '=') || set_name_run(name);
}

const char *
set_name_run(const char *name)
{
	return strncmp(name, "run:", 4) == 0 && name[4] ? name + 4 : NULL;
}

static struct db_result *
query_run(struct db *db, const char *run_key, int64_t counterpart, struct error *err)
{
	char digits[24];

	number_format_int64(counterpart, digits);
	return STORE_QUERY(db, "find_run_sets", SQL_STORE_FIND_RUN_SETS,
		err, [SQL_STORE_FIND_RUN_SETS_COUNTERPART] = counterpart ? digits : NULL,
		[SQL_STORE_FIND_RUN_SETS_RUN_KEY] = run_key);
}

bool
set_run_find(struct db *db, struct arena *a, const char *run_key, int64_t **inst_ids, size_t *count,
	struct error *err)
{
	struct db_result *r = query_run(db, run_key, 0, err);

	if (!r)
		return false;
	*count = db_result_rows(r);
	*inst_ids = arena_alloc_array(a, *count, sizeof(**inst_ids));
	for (size_t i = 0; i < *count; i++)
		(*inst_ids)[i] = db_result_int64(r, i, 0, 0);
	db_result_free(r);
	if (*count)
		return true;
	error_set(err, ERROR_NOT_FOUND, "there is no run \"%.200s\"", run_key);
	return error_hint(err, "\"profdepot list --run KEY\" shows the result sets of a run");
}

/* Finds the only result set of a run, or the one that corresponds to the result set `before`. */
static bool
find_in_run(struct db *db, const char *run_key, int64_t before, int64_t *inst_id, struct error *err)
{
	struct db_result *r = query_run(db, run_key, before, err);
	size_t rows;

	if (!r)
		return false;
	rows = db_result_rows(r);
	*inst_id = rows ? db_result_int64(r, 0, 0, 0) : 0;
	db_result_free(r);
	if (rows == 1 || (rows && before))
		return true;
	if (rows) {
		error_set(err, ERROR_USAGE, "run \"%.200s\" has %zu result sets", run_key, rows);
		return error_hint(err,
			"name one by its INST_ID; \"profdepot list --run %.200s\" shows them",
			run_key);
	}
	if (before)
		return error_set(err, ERROR_NOT_FOUND,
			"run \"%.200s\" has no result set of the same tool as result set %lld",
			run_key, (long long)before);
	error_set(err, ERROR_NOT_FOUND, "there is no run \"%.200s\"", run_key);
	return error_hint(err, "\"profdepot list\" shows the result sets");
}

bool
set_name_find(struct db *db, const char *name, int64_t before, int64_t *inst_id, struct error *err)
{
	struct number n;
	int64_t skip = 0;

	if (set_name_run(name))
		return find_in_run(db, set_name_run(name), before, inst_id, err);
	if (strncmp(name, "latest", 6) == 0 && (!name[6] || name[6] == '~')) {
		if (name[6] && (number_parse(text_from(name + 7), &n) != NUMBER_OK ||
				       !number_to_int64(n, &skip) || skip < 0))
			return refuse(name, err);
		/* If `before` is given, latest~1 is the last result set before it. */
		if (before && skip)
			skip--;
		return find_by_labels(db, name, NULL, before, skip, inst_id, err);
	}
	if (!strchr(name, '='))
		return find_number(db, name, inst_id, err);
	return find_by_labels(db, name, after_prefix(name), before, 0, inst_id, err);
}

bool
set_names_find(struct db *db, struct arena *a, const char *const *names, size_t count,
	int64_t **inst_ids, size_t *id_count, struct error *err)
{
	size_t room = count;

	*inst_ids = arena_alloc_array(a, room, sizeof(**inst_ids));
	*id_count = 0;
	for (size_t i = 0; i < count; i++) {
		const char *run_key = set_name_run(names[i]);
		int64_t *found = NULL;
		size_t n = 1;
		int64_t one;

		if (run_key ? !set_run_find(db, a, run_key, &found, &n, err)
			    : !set_name_find(db, names[i], 0, &one, err))
			return false;
		if (n > 1) {
			int64_t *more = arena_alloc_array(a, room += n - 1, sizeof(*more));

			memcpy(more, *inst_ids, *id_count * sizeof(*more));
			*inst_ids = more;
		}
		memcpy(*inst_ids + *id_count, found ? found : &one, n * sizeof(one));
		*id_count += n;
	}
	return true;
}
