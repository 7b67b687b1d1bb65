/* Lists result sets, and counts them by their properties. */
#include "base/number.h"
#include "store/result_sets.h"
#include "store_private.h"

#include <string.h>

enum {
	FILTER_MAX_BYTES = 1024 * 1024,
	OVERVIEW_SETS = 20, /* per stream and format */
	FEW_SETS = 1000,    /* see list_result_sets.sql */
};

/* Converts a glob to a LIKE pattern. */
static void
append_like(struct strbuf *b, const char *glob)
{
	for (const char *s = glob; *s; s++) {
		if (*s == '*') {
			strbuf_append_char(b, '%');
		} else if (*s == '?') {
			strbuf_append_char(b, '_');
		} else {
			if (*s == '%' || *s == '_' || *s == '\\')
				strbuf_append_char(b, '\\');
			strbuf_append_char(b, *s);
		}
	}
}

/* The filters as texts of query parameters. */
struct filter_texts {
	struct strbuf like;
	struct strbuf ids;
	struct strbuf words;
	struct label_search search;
	struct arena arena;
	const char *sort;      /* a column, or NULL */
	const char *direction; /* "1" or "-1" */
};

/* Writes "orders  5.2" as '{"%orders%","%5.2%"}'. */
static void
append_words(struct strbuf *b, const char *search)
{
	strbuf_append_char(b, '{');
	for (const char *s = search ? search + strspn(search, " ") : ""; *s; s += strspn(s, " ")) {
		size_t n = strcspn(s, " ");

		strbuf_append_str(b, b->size > 1 ? ",\"%" : "\"%");
		for (size_t i = 0; i < n; i++) {
			if (strchr("%_\\", s[i])) /* LIKE needs one backslash, the array two */
				strbuf_append_str(b, "\\\\");
			if (strchr("\"\\", s[i]))
				strbuf_append_char(b, '\\');
			strbuf_append_char(b, s[i]);
		}
		strbuf_append_str(b, "%\"");
		s += n;
	}
	strbuf_append_char(b, '}');
}

/* By default, numbers and times are sorted in descending order, texts in ascending order. */
static bool
parse_sort(struct filter_texts *t, const char *sort, struct error *err)
{
	static const char *const columns[] = { "inst_id", "loaded_at", "caption", "format",
		"application", "app_version", "host" };
	enum {
		NUMBERS = 2
	};
	size_t n = strcspn(sort, ":");
	const char *way = sort + n;

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		if (strlen(columns[i]) != n || strncmp(columns[i], sort, n) != 0)
			continue;
		t->sort = columns[i];
		t->direction = strcmp(way, ":desc") == 0 || (!*way && i < NUMBERS) ? "-1" : "1";
		if (!*way || strcmp(way, ":asc") == 0 || strcmp(way, ":desc") == 0)
			return true;
	}
	error_set(
		err, ERROR_USAGE, "option --sort: \"%.100s\" is not a column and direction", sort);
	return error_hint(err, "write one of inst_id, loaded_at, caption, format, application, "
			       "app_version and host, optionally with :asc or :desc");
}

static bool
write_filter(
	struct filter_texts *t, struct db *db, const struct result_set_filter *f, struct error *err)
{
	/* A long list contains all result sets with the labels except those that it skips. With an age, most of them can
	 * be too young. */
	const bool is_long = !f->older_than_seconds && (f->limit == 0 || f->limit > FEW_SETS);
	const int64_t max_sets = is_long ? LABEL_ALL_SETS : LABEL_FEW_SETS;

	*t = (struct filter_texts){ .arena = ARENA_INIT };
	strbuf_init(&t->like, FILTER_MAX_BYTES);
	strbuf_init(&t->ids, FILTER_MAX_BYTES);
	strbuf_init(&t->words, FILTER_MAX_BYTES);
	if (!label_search(db, &t->arena, &f->labels, max_sets, &t->search, err) ||
		(f->sort && !parse_sort(t, f->sort, err)))
		return false;
	if (f->inst_ids)
		t->search.inst_ids = store_ids(&t->ids, f->inst_ids, f->inst_id_count);
	if (f->caption)
		append_like(&t->like, f->caption);
	append_words(&t->words, f->search);
	if (t->like.failed || t->ids.failed || t->words.failed)
		return error_set(err, ERROR_USAGE, "the filters are longer than %d bytes",
			(int)FILTER_MAX_BYTES);
	return true;
}

static void
release_filter(struct filter_texts *t)
{
	strbuf_release(&t->like);
	strbuf_release(&t->ids);
	strbuf_release(&t->words);
	arena_release(&t->arena);
}

/* The part of the matching result sets that a list contains. */
struct list_range {
	const char *from_us, *before_us; /* times of loads; NULL for no limit */
	int64_t skip, limit;
};

/* The result sets of a list. */
struct list_page {
	const char *inst_ids; /* as an array for SQL */
	int64_t count;
};

static bool
find_page(struct db *db, const struct result_set_filter *f, struct filter_texts *t,
	const struct list_range *range, struct list_page *page, struct error *err)
{
	const char *most = range->limit ? INT64_TEXT(range->limit) : NULL;
	struct db_result *r = STORE_QUERY(db, "list_page", SQL_STORE_LIST_PAGE, err,
		[SQL_STORE_LIST_PAGE_FORMAT] = f->format, [SQL_STORE_LIST_PAGE_RUN_KEY] = f->run,
		[SQL_STORE_LIST_PAGE_APPLICATION] = f->application,
		[SQL_STORE_LIST_PAGE_APP_VERSION] = f->app_version,
		[SQL_STORE_LIST_PAGE_HOST] = f->host, [SQL_STORE_LIST_PAGE_TOOL] = f->tool,
		[SQL_STORE_LIST_PAGE_WORDS] = strbuf_str(&t->words),
		[SQL_STORE_LIST_PAGE_SORT] = t->sort,
		[SQL_STORE_LIST_PAGE_DIRECTION] = t->direction,
		[SQL_STORE_LIST_PAGE_CAPTION] = f->caption ? strbuf_str(&t->like) : NULL,
		[SQL_STORE_LIST_PAGE_SINCE] = f->since, [SQL_STORE_LIST_PAGE_UNTIL] = f->until,
		[SQL_STORE_LIST_PAGE_METRIC] = f->metric,
		[SQL_STORE_LIST_PAGE_LOOKED_FOR] = f->looked_for ? f->looked_for : "{}",
		[SQL_STORE_LIST_PAGE_LABELS] = t->search.rest,
		[SQL_STORE_LIST_PAGE_FROM_US] = range->from_us,
		[SQL_STORE_LIST_PAGE_BEFORE_US] = range->before_us,
		[SQL_STORE_LIST_PAGE_SKIP] = INT64_TEXT(range->skip),
		[SQL_STORE_LIST_PAGE_MAX_ROWS] = most,
		[SQL_STORE_LIST_PAGE_AFTER_ID] = f->after ? f->after->inst_id : NULL,
		[SQL_STORE_LIST_PAGE_AFTER_US] = f->after ? f->after->loaded_us : NULL,
		[SQL_STORE_LIST_PAGE_AFTER_TEXT] = f->after ? f->after->sorted : NULL,
		[SQL_STORE_LIST_PAGE_INST_IDS] = t->search.inst_ids);

	if (!r) {
		store_blame_user(err);
		return false;
	}
	*page = (struct list_page){
		.inst_ids = arena_text(&t->arena, db_result_value(r, 0, 0)).data,
		.count = db_result_int64(r, 0, 1, 0),
	};
	db_result_free(r);
	return true;
}

/* Finds the range of result sets that are old enough. The newest result sets, which the filter skips, can be too young,
 * so they are counted first. The list then begins at the old ones, instead of reading all result sets. Both queries
 * must use the same time. */
static bool
find_old(struct db *db, const struct result_set_filter *f, struct filter_texts *t,
	struct list_range *range, struct error *err)
{
	const char *age = INT64_TEXT(f->older_than_seconds);
	struct db_result *r = db_query(db,
		"SELECT (extract(epoch FROM now() - make_interval(secs => $1::double precision)) * "
		"1000000)::bigint",
		&age, 1, err);
	struct list_range young = { .limit = f->skip_newest };
	struct list_page page;

	if (!r) {
		store_blame_user(err);
		return false;
	}
	range->before_us = arena_text(&t->arena, db_result_value(r, 0, 0)).data;
	db_result_free(r);
	if (!f->skip_newest)
		return true;
	young.from_us = range->before_us;
	if (!find_page(db, f, t, &young, &page, err))
		return false;
	range->skip -= page.count;
	return true;
}

static struct db_result *
list_query(struct db *db, const struct result_set_filter *f, const struct filter_texts *t,
	const struct list_page *page, struct error *err)
{
	return STORE_QUERY(db, "list_result_sets", SQL_STORE_LIST_RESULT_SETS,
		err, [SQL_STORE_LIST_RESULT_SETS_INST_IDS] = page->inst_ids,
		[SQL_STORE_LIST_RESULT_SETS_FEW] = page->count > FEW_SETS ? NULL : page->inst_ids,
		[SQL_STORE_LIST_RESULT_SETS_COUNTS] = f->without_counts ? "f" : "t",
		[SQL_STORE_LIST_RESULT_SETS_SORT] = t->sort,
		[SQL_STORE_LIST_RESULT_SETS_DIRECTION] = t->direction,
		[SQL_STORE_LIST_RESULT_SETS_TIME_ZONE] = db_time_zone(db));
}

struct db_result *
result_sets_list(struct db *db, const struct result_set_filter *f, struct error *err)
{
	struct list_range range = { .skip = f->skip_newest, .limit = f->limit };
	struct list_page page;
	struct filter_texts t;
	struct db_result *r = NULL;

	if (write_filter(&t, db, f, err) &&
		(!f->older_than_seconds || find_old(db, f, &t, &range, err)) &&
		find_page(db, f, &t, &range, &page, err))
		r = list_query(db, f, &t, &page, err);
	release_filter(&t);
	return r;
}

struct db_result *
result_sets_facets(
	struct db *db, const struct result_set_filter *f, int64_t max_values, struct error *err)
{
	struct filter_texts t;
	struct db_result *r = NULL;

	if (write_filter(&t, db, f, err)) {
		r = STORE_QUERY(db, "facets", SQL_STORE_FACETS, err,
			[SQL_STORE_FACETS_FORMAT] = f->format, [SQL_STORE_FACETS_RUN_KEY] = f->run,
			[SQL_STORE_FACETS_APPLICATION] = f->application,
			[SQL_STORE_FACETS_APP_VERSION] = f->app_version,
			[SQL_STORE_FACETS_HOST] = f->host, [SQL_STORE_FACETS_TOOL] = f->tool,
			[SQL_STORE_FACETS_WORDS] = strbuf_str(&t.words),
			[SQL_STORE_FACETS_CAPTION] = f->caption ? strbuf_str(&t.like) : NULL,
			[SQL_STORE_FACETS_SINCE] = f->since, [SQL_STORE_FACETS_UNTIL] = f->until,
			[SQL_STORE_FACETS_LABELS] = t.search.labels,
			[SQL_STORE_FACETS_TIME_ZONE] = db_time_zone(db),
			[SQL_STORE_FACETS_MAX_VALUES] = INT64_TEXT(max_values));
		if (!r)
			store_blame_user(err);
	}
	release_filter(&t);
	return r;
}

struct db_result *
result_sets_overview(struct db *db, int64_t max_streams, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct db_result *r = STORE_QUERY(db, "overview_sets", SQL_STORE_OVERVIEW_SETS,
		err, [SQL_STORE_OVERVIEW_SETS_MAX_STREAMS] = INT64_TEXT(max_streams),
		[SQL_STORE_OVERVIEW_SETS_MAX_SETS] = INT64_TEXT(OVERVIEW_SETS),
		[SQL_STORE_OVERVIEW_SETS_MAX_COUNT] = INT64_TEXT(STREAM_MAX_COUNT));
	const char *inst_ids = r ? arena_text(&a, db_result_value(r, 0, 0)).data : NULL;
	const char *counts = r ? arena_text(&a, db_result_value(r, 0, 1)).data : NULL;

	if (db_done(r))
		r = STORE_QUERY(db, "overview", SQL_STORE_OVERVIEW,
			err, [SQL_STORE_OVERVIEW_INST_IDS] = inst_ids,
			[SQL_STORE_OVERVIEW_COUNTS] = counts,
			[SQL_STORE_OVERVIEW_TIME_ZONE] = db_time_zone(db));
	else
		r = NULL;
	arena_release(&a);
	return r;
}
