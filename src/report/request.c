/* What is asked: options held against a report, and the SELECT they give. */
#include "report_private.h"

#include "base/strbuf.h"

enum {
	SQL_MAX_BYTES = 256 * 1024,
	PATTERNS_MAX_BYTES = 1024 * 1024
};

static void
append_pattern(struct strbuf *b, const char *glob)
{
	strbuf_append_char(b, '"');
	for (const char *s = glob; *s; s++) {
		if (*s == '*')
			strbuf_append_char(b, '%');
		else if (*s == '?')
			strbuf_append_char(b, '_');
		else if (*s == '%' || *s == '_')
			/* LIKE's backslash, doubled for the array literal. */
			strbuf_printf(b, "\\\\%c", *s);
		else if (*s == '\\')
			strbuf_append_str(b, "\\\\\\\\");
		else if (*s == '"')
			strbuf_append_str(b, "\\\"");
		else
			strbuf_append_char(b, *s);
	}
	strbuf_append_char(b, '"');
}

const char *
report_patterns(struct arena *a, const struct option_list *globs)
{
	struct strbuf b;
	const char *done;

	strbuf_init(&b, PATTERNS_MAX_BYTES);
	strbuf_append_char(&b, '{');
	for (size_t i = 0; i < globs->count; i++) {
		if (i)
			strbuf_append_char(&b, ',');
		append_pattern(&b, globs->items[i]);
	}
	strbuf_append_char(&b, '}');
	done = arena_strdup(a, strbuf_str(&b));
	strbuf_release(&b);
	return done;
}

static bool
is_asked(const struct report_request *q, enum report_param p)
{
	switch (p) {
	case REPORT_MIN_COUNT:
		return q->min_count != 0;
	case REPORT_MIN_SIZE:
		return q->min_size != 0;
	case REPORT_OBJECT:
		return q->object >= 0;
	case REPORT_ERROR:
		return q->error >= 0;
	case REPORT_CLASS:
	case REPORT_MODULE:
	case REPORT_ROUTINE:
	case REPORT_THREAD:
	case REPORT_OWN:
		return q->lists[p].count != 0;
	case REPORT_INST_ID:
	case REPORT_BY:
	case REPORT_PARAMS:
		break;
	}
	return false;
}

static void
option_name(enum report_param p, char *out, size_t size)
{
	snprintf(out, size, "--%s", report_param_name(p));
	for (char *s = out; *s; s++)
		if (*s == '_')
			*s = '-';
}

/* "reports classes, leaks take it" */
static bool
refuse(const struct report *r, enum report_param p, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct error ignored = ERROR_INIT;
	const struct report *other;
	const char *last = "";
	char option[32];
	char takers[256] = "";

	option_name(p, option, sizeof(option));
	for (size_t i = 0; (other = report_at(&a, i, &ignored)); i++) {
		size_t n = strlen(takers);

		if (!report_takes(other, p) || strcmp(last, other->name) == 0)
			continue;
		last = other->name;
		snprintf(takers + n, sizeof(takers) - n, "%s%s", n ? ", " : "", last);
	}
	error_set(err, ERROR_USAGE, "report %s%s%s takes no %s", r->name, r->by ? " --by " : "",
		r->by ? r->by : "", option);
	error_hint(err, "these do: %s", takers);
	arena_release(&a);
	return false;
}

static bool
parse_sort(const struct report *r, const char *sort, struct report_order *order, struct error *err)
{
	const char *colon = strchr(sort, ':');
	size_t n = colon ? (size_t)(colon - sort) : strlen(sort);

	for (size_t i = 0; i < r->column_count; i++) {
		const struct table_column *c = &r->columns[i];

		if (strlen(c->key) != n || strncmp(c->key, sort, n) != 0 ||
			c->kind == TABLE_FRAMES || (int)i == r->rank_column)
			continue;
		*order = (struct report_order){ i, table_column_is_right(c) };
		if (colon && strcmp(colon, ":asc") != 0 && strcmp(colon, ":desc") != 0) {
			error_set(err, ERROR_USAGE, "option --sort: \"%s\" is no direction",
				colon + 1);
			error_hint(err, "write COLUMN:asc or COLUMN:desc");
			return false;
		}
		if (colon)
			order->descending = strcmp(colon, ":desc") == 0;
		return true;
	}
	error_set(err, ERROR_USAGE, "option --sort: report %s has no column \"%.*s\" to sort by",
		r->name, n > 100 ? 100 : (int)n, sort);
	error_hint(err, "\"profdepot reports\" lists the columns");
	return false;
}

bool
report_check(const struct report *r, const struct report_request *q, struct error *err)
{
	struct report_order order;

	for (int i = 0; i < REPORT_PARAMS; i++)
		if (is_asked(q, (enum report_param)i) && !report_takes(r, (enum report_param)i))
			return refuse(r, (enum report_param)i, err);
	if (!r->order_count && (q->sort || q->top))
		return error_set(err, ERROR_USAGE,
			"report %s takes no --%s: its order is its meaning", r->name,
			q->sort ? "sort" : "top");
	if (q->sort && !parse_sort(r, q->sort, &order, err))
		return false;
	if (report_takes(r, REPORT_OWN) && !q->lists[REPORT_OWN].count) {
		error_set(err, ERROR_USAGE, "--by own needs --own");
		return error_hint(err, "name your modules or classes, such as --own 'Orders*'");
	}
	if (report_takes(r, REPORT_OBJECT) && (q->object >= 0) == (q->error >= 0)) {
		error_set(err, ERROR_USAGE, "report %s needs one of --object and --error", r->name);
		return error_hint(err, "both take an ID; report objects --output json shows IDs");
	}
	return true;
}

/* Bare names of output columns: the body stays one query, so that the planner
 * computes stacks behind LIMIT only. */
static void
append_order(struct strbuf *b, const struct report *r, struct report_order o, bool first)
{
	strbuf_printf(b, "%s\"%s\" %s", first ? "" : ", ", r->columns[o.column].key,
		o.descending ? "DESC NULLS LAST" : "NULLS FIRST");
}

/* Names come from the report's own columns only. */
const char *
report_sql(
	struct arena *a, const struct report *r, const struct report_request *q, struct error *err)
{
	struct strbuf b;
	struct report_order sort;
	const char *done;

	if (!r->order_count)
		return r->sql;
	if (q->sort && !parse_sort(r, q->sort, &sort, err))
		return NULL;
	strbuf_init(&b, SQL_MAX_BYTES);
	strbuf_append_str(&b, r->sql);
	strbuf_append_str(&b, "ORDER BY ");
	if (q->sort)
		append_order(&b, r, sort, true);
	for (size_t i = 0; i < r->order_count; i++)
		append_order(&b, r, r->order[i], i == 0 && !q->sort);
	/* Ties are cut behind their sorting by stack. */
	strbuf_printf(&b, "\nFETCH FIRST ($%zu::bigint) ROWS %s", r->param_count + 1,
		r->tie_column >= 0 ? "WITH TIES" : "ONLY");
	done = b.failed ? NULL : arena_strdup(a, strbuf_str(&b));
	if (!done)
		error_set(err, ERROR_INTERNAL, "report %s: the query is too long", r->name);
	strbuf_release(&b);
	return done;
}
