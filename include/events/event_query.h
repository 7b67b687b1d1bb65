/*
 * Event queries, parsed from a request body without a database.
 *
 * In lenient bodies (kernelscope's /api), profdepot ignores everything that kernelscope ignores. In
 * strict bodies (/v1), every unknown part causes an error, which says where the part is.
 */
#ifndef PROFDEPOT_EVENTS_EVENT_QUERY_H
#define PROFDEPOT_EVENTS_EVENT_QUERY_H

#include "input/json/json_tree.h"
#include "model/category.h"

#define EVENT_OPERATOR_TABLE(X) \
	X(EVENT_EQUAL, "=", "=") \
	X(EVENT_NOT_EQUAL, "!=", "<>") \
	X(EVENT_LESS, "<", "<") \
	X(EVENT_LESS_EQUAL, "<=", "<=") \
	X(EVENT_GREATER, ">", ">") \
	X(EVENT_GREATER_EQUAL, ">=", ">=") \
	X(EVENT_CONTAINS, "contains", NULL)

enum event_operator {
#define EVENT_ENUM(op, name, sql) op,
	EVENT_OPERATOR_TABLE(EVENT_ENUM)
#undef EVENT_ENUM
	EVENT_OPERATORS
};

#define EVENT_FORMAT_TABLE(X) \
	X(EVENT_LIST, "list") \
	X(EVENT_FLAMEGRAPH, "flamegraph") \
	X(EVENT_FOLDED, "folded") \
	X(EVENT_GRAFANA, "grafana") \
	X(EVENT_SVG, "svg") \
	X(EVENT_HTML, "html")

enum event_format {
#define EVENT_ENUM(format, name) format,
	EVENT_FORMAT_TABLE(EVENT_ENUM)
#undef EVENT_ENUM
	EVENT_FORMATS
};

enum {
	EVENT_MAX_CONDITIONS = 1000, /* conditions in one body */
	EVENT_MAX_ROWS = 1000000,    /* rows in one answer */
	EVENT_LIST_ROWS = 1000,      /* default limit in /v1 */
	EVENT_MAX_NODES = 1048576,   /* largest max_nodes */
};

enum event_node_kind {
	EVENT_ALL_OF,
	EVENT_ANY_OF,
	EVENT_COMPARE,
	EVENT_TRUE,
	EVENT_FALSE
};

/* How to compare a value; the column's type and the value determine this. */
enum event_value_type {
	EVENT_AS_TEXT,
	EVENT_AS_INT,     /* 64 bits */
	EVENT_AS_NUMBER,  /* exact decimal */
	EVENT_AS_SECONDS, /* seconds since 1970, for a timestamp */
};

/* A condition, or a group of them. */
struct event_node {
	enum event_node_kind kind;
	struct event_node *first, *next; /* a group's first member; the next member */
	size_t column;                   /* index in the category */
	enum event_operator op;
	enum event_value_type as;
	const char *value;
};

/* An event must meet all of these conditions. */
struct event_filter {
	const struct event_node *constraints; /* NULL if absent */
	const char *from, *until; /* from <= time < until, in seconds since 1970; NULL if absent */
};

enum event_order_kind {
	EVENT_ORDER_ARRIVED,
	EVENT_ORDER_COLUMN, /* the column event_order.column */
	EVENT_ORDER_BUCKET,
	EVENT_ORDER_COUNT,
	EVENT_ORDER_SUM,
};

struct event_order {
	enum event_order_kind kind;
	size_t column; /* index in the category */
	bool descending;
};

struct event_query {
	const struct category *category;
	size_t columns[CATEGORY_COLUMNS_MAX];
	size_t column_count;
	enum event_format format;
	struct event_filter filter;
	struct event_filter base; /* the events to compare with */
	bool has_base;
	int64_t limit, offset; /* limit -1: no limit */
	/* Selects only the events that follow event after_id of result set after_set. If after_set
	 * is -1, selects all events. */
	int64_t after_set, after_id;
	struct event_order order;
	size_t groups[CATEGORY_COLUMNS_MAX]; /* columns to group by */
	size_t group_count;
	int64_t bucket_seconds; /* time interval of a group; 0: no grouping by time */
	size_t stack, weight;   /* column indexes; category->column_count if absent */
	bool weight_named;
	int64_t max_nodes; /* maximum number of nodes of a tree; 0: no limit */
	bool inverted;
};

static inline bool
event_query_is_grouped(const struct event_query *q)
{
	return q->group_count > 0 || q->bucket_seconds > 0;
}

/* --- event_parse.c ---------------------------------------------------------------------------- */

/* Parses one category's part of a lenient body. Can fail with ERROR_USAGE. */
bool event_parse_legacy(struct arena *a, const struct category *c, const struct json_node *v,
	struct event_query *q, struct error *err);

/* Parses a strict body. Can fail with ERROR_USAGE; the message names the field. */
bool event_parse_strict(struct arena *a, const struct category *c, const struct json_node *v,
	struct event_query *q, struct error *err);

/* Parses a time or a number of seconds since 1970. *seconds is in the arena. Sets ERROR_USAGE. */
bool event_parse_time(struct arena *a, struct text t, const char **seconds, struct error *err);

const char *event_format_name(enum event_format format);
const char *event_operator_name(enum event_operator op);

/* --- event_conditions.c ----------------------------------------------------------------------- */

/* Parses a body's constraints. *out is NULL if the body has no constraints. */
bool event_parse_constraints(struct arena *a, const struct category *c, const struct json_node *v,
	bool strict, const struct event_node **out, struct error *err);

/* Reports an unknown column (ERROR_USAGE); the hint lists the columns. Always returns false. */
bool event_no_column(const struct category *c, struct text name, struct error *err);

#endif
