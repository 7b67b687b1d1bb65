/*
 * Fuzzes event query bodies, parsed leniently and strictly. The SQL depends only on the catalogue
 * and on the shape of the query. All values from the client are parameters.
 */
#include "events/event_sql.h"
#include "must.h"

#include <stdio.h>
#include <stdlib.h>

#define NAME(s) \
	{ \
		(s), sizeof(s) - 1 \
	}
#define COLUMN(n, t) \
	{ \
		NAME(n), NAME(n), t \
	}

static const struct category_column columns[] = {
	COLUMN("hostname", CATEGORY_STRING),
	COLUMN("time", CATEGORY_TIMESTAMP),
	COLUMN("process", CATEGORY_STRING),
	COLUMN("pid", CATEGORY_INT),
	COLUMN("stack", CATEGORY_STACK),
	COLUMN("elapsed", CATEGORY_ELAPSED),
	COLUMN("state", CATEGORY_STRING),
	COLUMN("seen", CATEGORY_TIMESTAMP),
	COLUMN("waker", CATEGORY_STACK),
	COLUMN("runs", CATEGORY_INT),
};

static const struct category category = { NAME("offcputime"), columns,
	sizeof(columns) / sizeof(columns[0]), true };

/* The SQL contains no text that comes from a client. */
static void
check_sql(const struct event_statement *s)
{
	size_t highest = 0;

	MUST(s->param_count >= 1 && s->param_count <= EVENT_MAX_CONDITIONS + 32);
	for (const char *p = s->sql; *p; p++) {
		unsigned char c = (unsigned char)*p;

		MUST(c == '\n' || (c >= ' ' && c < 0x7F));
		MUST(c != '\\');
		if (c == '$') {
			size_t n = (size_t)strtoul(p + 1, NULL, 10);

			MUST(n >= 1 && n <= s->param_count);
			highest = n > highest ? n : highest;
		}
	}
	MUST(highest == s->param_count);
	for (size_t i = 0; i < s->param_count; i++)
		MUST(s->params[i] && text_utf8_prefix(s->params[i], strlen(s->params[i])) ==
					     strlen(s->params[i]));
}

/* The recursion is at most as deep as the body's JSON, whose depth is limited.
 * NOLINTBEGIN(misc-no-recursion) */

/* Replaces every value of the query. */
static void
change_values(const struct event_node *node)
{
	struct event_node *n;

	if (!node)
		return;
	memcpy(&n, &node, sizeof(n));
	if (n->kind == EVENT_COMPARE)
		n->value = "'; --";
	for (const struct event_node *m = n->first; m; m = m->next)
		change_values(m);
}

/* NOLINTEND(misc-no-recursion) */

static const char *
build(struct arena *a, const struct event_query *q, const struct event_sets *sets)
{
	static const struct event_track_sums sums = { "{1}", "{2}", "{3}", "{4}" };
	struct error err = ERROR_INIT;
	struct event_statement s;
	bool of_tracks;

	if (q->format != EVENT_LIST) {
		MUST(event_sql_stacks(a, q, &q->filter, sets, &s, &err));
	} else if (event_query_is_grouped(q)) {
		of_tracks = event_sql_asks_tracks(a, q, sets);
		MUST(event_sql_groups(a, q, sets, of_tracks ? &sums : NULL, &s, &err));
	} else {
		MUST(event_sql_list(a, q, sets, &s, &err));
	}
	check_sql(&s);
	return s.sql;
}

static void
check_statements(struct arena *a, const struct event_query *q, const struct event_sets *sets)
{
	struct error err = ERROR_INIT;
	struct event_statement s;
	const char *sql;

	MUST(q->column_count <= category.column_count);
	MUST(q->group_count <= category.column_count);
	MUST(q->limit >= -1 && q->offset >= 0);
	sql = build(a, q, sets);
	if (q->has_base) {
		MUST(event_sql_stacks(a, q, &q->base, sets, &s, &err));
		check_sql(&s);
	}
	change_values(q->filter.constraints);
	MUST(strcmp(sql, build(a, q, sets)) == 0);
}

static void
check(struct arena *a, const struct json_node *v, bool strict)
{
	static const struct event_sets sets[] = {
		{ .ids = "{1}", .storage = EVENT_IN_BLOCKS, .loaded = true },
		{ .ids = "{1,2}",
			.storage = EVENT_IN_ROWS | EVENT_IN_BLOCKS,
			.mixed = true,
			.loaded = true,
			.posted_ids = "{2}",
			.first_posted = 2 },
		{ .ids = "{2}", .storage = EVENT_IN_ROWS, .posted_ids = "{2}", .first_posted = 2 },
	};
	struct error err = ERROR_INIT;
	struct event_query q;

	if (strict ? event_parse_strict(a, &category, v, &q, &err)
		   : event_parse_legacy(a, &category, v, &q, &err)) {
		for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
			check_statements(a, &q, &sets[i]);
	} else {
		MUST(err.code == ERROR_USAGE || err.code == ERROR_LIMIT);
		MUST(err.message[0]);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct error err = ERROR_INIT;
	const struct json_node *v =
		json_tree_parse_body(&a, (struct text){ (const char *)data, size }, &err);

	if (v) {
		const struct json_node *member = json_tree_get(v, "offcputime");

		check(&a, v, true);
		check(&a, member ? member : v, false);
	} else {
		MUST(err.code == ERROR_INPUT || err.code == ERROR_LIMIT);
		MUST(err.message[0]);
	}
	arena_release(&a);
	return 0;
}
