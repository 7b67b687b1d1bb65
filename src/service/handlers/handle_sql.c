/*
 * Runs a query that a client sends. The query has a separate connection, which is closed
 * afterwards.
 *
 * Several barriers keep the query from changing anything. PostgreSQL's grammar accepts only a SELECT, VALUES or
 * TABLE after DECLARE CURSOR FOR. The extended protocol accepts only one statement. The transaction is read-only
 * from the start, no statement after its first query can make it writable, and it is always rolled back. The login
 * has only the reader's rights, so set_config('role', ...) gains nothing. A single FETCH reads all rows, so a query
 * that changes statement_timeout does not change the timeout of this FETCH.
 */
#include "handle.h"

#include "db/client.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define DECLARE "DECLARE query NO SCROLL CURSOR FOR "

enum {
	DEFAULT_ROWS = 10000,
};

/* --- the statement --- */

/* Skips white space, comments and parentheses. Comments can be nested. */
static const char *
skip_to_word(const char *s)
{
	for (size_t depth = 0;;) {
		if (s[0] == '/' && s[1] == '*')
			depth++, s += 2;
		else if (depth && s[0] == '*' && s[1] == '/')
			depth--, s += 2;
		else if (!depth && s[0] == '-' && s[1] == '-')
			s += strcspn(s, "\r\n");
		else if (*s && (depth || *s == '(' || isspace((unsigned char)*s)))
			s++;
		else
			return s;
	}
}

/* Gives a clear message for a statement that is not a query. Without this check, PostgreSQL would still reject the
 * statement. */
static bool
check_kind(const char *sql, struct error *err)
{
	static const char *const kinds[] = { "select", "with", "values", "table", NULL };
	const char *word = skip_to_word(sql);
	const struct text first = { word, strspn(word, "abcdefghijklmnopqrstuvwxyz"
						       "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") };

	if (!*word)
		return error_set(err, ERROR_USAGE, "the body contains no statement");
	if (text_among_nocase(first, kinds))
		return true;
	error_set(err, ERROR_USAGE,
		"only queries are accepted, but the statement begins with \"%.*s\"",
		(int)(first.size ? text_up_to(first, 40).size : 1), word);
	return error_hint(err, "begin with SELECT, WITH, VALUES or TABLE");
}

static bool
read_statement(struct http_call *c, const char **sql, struct error *err)
{
	const size_t most = (size_t)service_of(c)->options->http.max_request_bytes;
	struct text body;

	if (!http_body_text(c, most, &body, err))
		return false;
	c->answer->status = 400;
	if (text_utf8_prefix(body.data, body.size) != body.size ||
		memchr(body.data, '\0', body.size))
		return error_set(err, ERROR_USAGE, "the statement is not UTF-8 text");
	*sql = arena_strndup(c->arena, body.data, body.size);
	if (!check_kind(*sql, err))
		return false;
	c->answer->status = 200;
	return true;
}

/* --- errors --- */

/* Appends the line and the column at which PostgreSQL found the error. */
static void
append_place(const char *sql, struct error *err)
{
	const size_t before = sizeof(DECLARE) - 1;
	unsigned line = 1;
	unsigned column = 1;
	size_t n = strlen(err->message);

	if (err->position <= before)
		return;
	for (size_t left = err->position - before - 1; left && *sql; sql++) {
		if (((unsigned char)sql[1] & 0xC0) == 0x80)
			continue; /* the character has further bytes */
		column = *sql == '\n' ? 1 : column + 1;
		line += *sql == '\n';
		left--;
	}
	snprintf(err->message + n, sizeof(err->message) - n, " (line %u, column %u)", line, column);
}

static bool
refuse(struct http_call *c, const char *sql, struct error *err)
{
	const char *state = err->sqlstate;
	const bool is_place_known = err->position > 0;

	if (strcmp(state, "57014") == 0) {
		error_set(err, ERROR_LIMIT, "the query took longer than %lld seconds",
			(long long)service_of(c)->options->query_seconds);
		error_hint(err, "ask for less: every condition on inst_id makes a query faster");
		c->answer->status = 504;
	} else if (strcmp(state, "42601") == 0 && !is_place_known) {
		/* A syntax error without a position means that there are several statements. */
		error_set(err, ERROR_USAGE, "the body contains several statements");
		error_hint(err, "send each statement in its own request");
		c->answer->status = 400;
	} else if (strcmp(state, "25006") == 0 || strstr(err->message, "data-modifying")) {
		error_set(err, ERROR_USAGE, "the query would change the depot");
		error_hint(err, "queries can only read");
		c->answer->status = 403;
	} else if (strcmp(state, "42501") == 0) {
		err->code = ERROR_USAGE;
		c->answer->status = 403;
	} else if (err->code == ERROR_MEMORY) {
		error_set(err, ERROR_MEMORY, "a row needs more memory than the server allows");
		error_hint(err, "ask for less: a row is in memory as a whole");
	} else if (err->code == ERROR_DATABASE && *state && strncmp(state, "08", 2) != 0 &&
		   strncmp(state, "53", 2) != 0 && strncmp(state, "57", 2) != 0 &&
		   strncmp(state, "58", 2) != 0 && strncmp(state, "XX", 2) != 0) {
		append_place(sql, err);
		err->code = ERROR_USAGE;
		c->answer->status = 400;
	}
	return false;
}

/* --- the answer --- */

struct query {
	struct http_call *call;
	const struct renderer *renderer;
	struct table_sink *sink;
	struct table_column *columns;
	struct table_cell *cells;
	struct table_head head;
	int64_t rows, most;
	bool more;
};

/* The numbers are PostgreSQL's OIDs of the types. */
static enum table_kind
kind_of(uint32_t type)
{
	switch (type) {
	case 16: /* bool */
		return TABLE_BOOL;
	case 20: /* int8, int2, int4, oid */
	case 21:
	case 23:
	case 26:
		return TABLE_INTEGER;
	case 700: /* float4, float8, numeric */
	case 701:
	case 1700:
		return TABLE_DECIMAL;
	default:
		return TABLE_TEXT;
	}
}

/* Returns a name that no earlier column has, because columns become the keys of objects. */
static const char *
key_of(struct query *q, const char *name, size_t count)
{
	const char *key = arena_strdup(q->call->arena, name);
	size_t number = 2;

	for (size_t i = 0; i < count; i++)
		if (strcmp(q->columns[i].key, key) == 0) {
			key = arena_printf(q->call->arena, "%s_%zu", name, number++);
			i = (size_t)-1;
		}
	return key;
}

static void
read_columns(struct query *q, const struct db_result *r)
{
	const size_t count = db_result_columns(r);

	q->columns = arena_alloc_array(q->call->arena, count, sizeof(*q->columns));
	q->cells = arena_alloc_array(q->call->arena, count, sizeof(*q->cells));
	for (size_t i = 0; i < count; i++) {
		const char *key = key_of(q, db_result_column_name(r, i), i);

		q->columns[i] = (struct table_column){
			.key = key, .title = key, .kind = kind_of(db_result_column_type(r, i))
		};
	}
	q->head = (struct table_head){ "sql", "Query", TABLE_GRID, q->columns, count };
}

/* JSON has no NaN and no infinity. */
static struct text
value_of(const struct query *q, const struct db_result *r, size_t i)
{
	const struct text t = db_result_value(r, 0, i);
	const char *last = t.size ? &t.data[t.size - 1] : "";

	if (q->columns[i].kind == TABLE_DECIMAL && isalpha((unsigned char)*last) &&
		strcmp(q->renderer->name, "json") == 0)
		return TEXT_NULL;
	return t;
}

static bool
put_row(void *self, const struct db_result *r, struct error *err)
{
	struct query *q = self;

	q->more = q->rows == q->most;
	if (q->more)
		return false;
	for (size_t i = 0; i < q->head.column_count; i++)
		q->cells[i] = (struct table_cell){ .text = value_of(q, r, i) };
	q->rows++;
	return q->sink->row(q->sink, q->cells, err);
}

static bool
end_answer(struct query *q, struct error *err)
{
	static const char *const no_notes[] = { NULL };
	const char *const gaps[] = { arena_printf(q->call->arena,
					     "the query has more rows than the limit of %lld",
					     (long long)q->most),
		NULL };
	const struct table_foot foot = { .rows = (uint64_t)q->rows,
		.all_rows = (uint64_t)q->rows,
		.more = q->more,
		.totals = arena_alloc_array(
			q->call->arena, q->head.column_count, sizeof(struct table_cell)),
		.notes = q->more ? gaps : no_notes,
		.gaps = q->more ? gaps : NULL };

	if (q->more)
		http_answer_field(q->call->answer, "Profdepot-Incomplete", "rows");
	return q->sink->set_end(q->sink, &foot, err) && q->sink->end(q->sink, err);
}

/* --- running --- */

/* Limits the memory of this process, because libpq keeps each value in memory as a whole, however large it is. The
 * limit ends with the request. */
static void
limit_memory(struct http_call *c, struct rlimit *before)
{
	char text[64] = "";
	unsigned long pages = 0;
	struct rlimit now;
	FILE *f = fopen("/proc/self/statm", "re");

	getrlimit(RLIMIT_AS, before);
	now = *before;
	if (f && fgets(text, sizeof(text), f))
		pages = strtoul(text, NULL, 10);
	if (f)
		fclose(f);
	now.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) +
		       (rlim_t)service_of(c)->options->memory_bytes;
	if (pages && now.rlim_cur < before->rlim_cur)
		setrlimit(RLIMIT_AS, &now);
}

static bool
fetch(struct query *q, struct db *db, struct error *err)
{
	const struct table_set set = { .members = NULL };
	struct db_result *r = db_query(db, "FETCH FORWARD 0 FROM query", NULL, 0, err);
	char sql[64];

	if (!r)
		return false;
	read_columns(q, r);
	db_result_free(r);
	snprintf(sql, sizeof(sql), "FETCH FORWARD %lld FROM query", (long long)q->most + 1);
	return q->sink->begin(q->sink, &q->head, err) && q->sink->set_begin(q->sink, &set, err) &&
	       db_query_each(db, sql, NULL, 0, put_row, q, err) && end_answer(q, err);
}

static bool
run(struct query *q, struct db *db, const char *sql, struct error *err)
{
	const struct render_options options = { 0, false };
	struct rlimit before;
	bool ok;

	limit_memory(q->call, &before);
	q->sink = q->renderer->sink_new(q->call->answer->out, &options);
	ok = db_begin_snapshot(db, err) && db_set_timeout(db, handle_timeout_ms(q->call), err) &&
	     db_done(db_query(db, arena_printf(q->call->arena, DECLARE "%s", sql), NULL, 0, err)) &&
	     fetch(q, db, err);
	q->renderer->sink_free(q->sink);
	setrlimit(RLIMIT_AS, &before);
	return ok || refuse(q->call, sql, err);
}

static struct db *
connect(struct http_call *c, struct error *err)
{
	const struct service *s = service_of(c);
	const struct db_target target = {
		.uri = s->options->sql_db ? s->options->sql_db : s->pool.uri, .role = DB_ROLE_READER
	};
	struct connections *own = c->worker;
	bool only = false;
	struct db *db;

	/* This process may have only one connection, so close the reader's connection first. */
	pool_close(own->pool, &own->reader);
	db = db_open(&target, err);
	if (!db || (client_only_reads(db, &only, err) && only))
		return db;
	db_close(db);
	if (err->code != ERROR_NONE)
		return NULL;
	c->answer->status = 403;
	error_set(err, ERROR_USAGE, "the server's database login may do more than read");
	error_hint(err, "start the server with --sql-db and a login that has only the role "
			"profdepot_reader");
	return NULL;
}

bool
handle_sql(struct http_call *c, struct error *err)
{
	struct query q = { .call = c,
		.most = http_query_int(c, "limit", DEFAULT_ROWS),
		.renderer = handle_renderer(c, "format", err) };
	const char *sql = NULL;
	struct db *db = q.renderer && read_statement(c, &sql, err) ? connect(c, err) : NULL;
	bool ok = db && run(&q, db, sql, err);

	db_close(db);
	return ok;
}
