/* Lists, creates and revokes tokens in the server's token file. */
#include "handle_cursor.h"

#include "service/tokens.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_TOKENS_SHOWN = 1000
};

/* Returns the token file's path. Fails with ERROR_NOT_FOUND if the server has none. */
static const char *
token_file(struct http_call *c, struct error *err)
{
	const char *path = service_of(c)->options->token_file;

	if (!path)
		error_set(err, ERROR_NOT_FOUND, "this server has no token file");
	return path;
}

static void
put_token(struct json_writer *w, const struct token *t)
{
	json_begin_object(w);
	json_key_string(w, "name", t->name);
	handle_put_scopes(w, t->scopes);
	json_key_string(w, "expires", t->expiry);
	json_key_bool(w, "expired", token_is_past(t->expiry));
	json_end_object(w);
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(((const struct token *)a)->name, ((const struct token *)b)->name);
}

/* Returns copies of the tokens, sorted by name. Reads the token file again instead of using the server's copy, because
 * another thread can change that copy while the caller writes the answer. NULL on error. */
static struct token *
read_tokens(struct http_call *c, size_t *count, struct error *err)
{
	const char *path = token_file(c, err);
	struct tokens *tokens = path ? tokens_open(path, err) : NULL;
	struct token *all;

	if (!tokens)
		return NULL;
	*count = tokens_count(tokens);
	all = arena_alloc_array(c->arena, *count + 1, sizeof(*all));
	for (size_t i = 0; i < *count; i++) {
		all[i] = *tokens_at(tokens, i);
		all[i].name = arena_strdup(c->arena, all[i].name);
	}
	tokens_free(tokens);
	qsort(all, *count, sizeof(*all), compare_names);
	return all;
}

/* A page begins after the last name of the previous page, so it does not matter which tokens were added or revoked in
 * between. A page therefore ends only between different names. */
bool
handle_tokens(struct http_call *c, struct error *err)
{
	const size_t most = (size_t)http_query_int(c, "limit", MAX_TOKENS_SHOWN);
	struct cursor cursor, next = { .given = false };
	struct json_writer w;
	size_t count, first, i;
	struct token *all;

	if (!cursor_read(c, &cursor, err))
		return false;
	if (cursor.given && !cursor.parts[0])
		return cursor_refuse(err);
	all = read_tokens(c, &count, err);
	if (!all)
		return false;
	for (first = 0; cursor.given && first < count; first++)
		if (strcmp(all[first].name, cursor.parts[0]) > 0)
			break;
	http_answer_field(c->answer, "Cache-Control", "no-store");
	json_writer_init(&w, c->answer->out, false);
	json_begin_array(&w);
	for (i = first; i < count; i++) {
		if (i - first >= most && compare_names(&all[i - 1], &all[i]) != 0)
			break;
		put_token(&w, &all[i]);
	}
	json_end_array(&w);
	fputc('\n', c->answer->out);
	if (i < count) {
		next.parts[0] = all[i - 1].name;
		cursor_link(c, &cursor, &next, (int64_t)(i - first));
	}
	return true;
}

/* Converts ["read", "sql"] to bits. */
static bool
read_scopes(const struct json_node *n, unsigned *scopes, struct error *err)
{
	unsigned one;

	if (!n)
		return error_set(err, ERROR_USAGE, "the body has no scopes");
	if (!body_expect(n, "scopes", JSON_ARRAY, err))
		return false;
	*scopes = 0;
	for (const struct json_node *m = n->first; m; m = m->next) {
		if (!body_expect(m, "a scope", JSON_STRING, err) ||
			!token_scopes_parse(m->text.data, &one, err))
			return false;
		*scopes |= one;
	}
	return *scopes || error_set(err, ERROR_USAGE, "scopes is empty");
}

/* {"name": "ci", "scopes": ["ingest"], "expires": "2027-01-31"} */
bool
handle_token_add(struct http_call *c, struct error *err)
{
	static const char *const keys[] = { "name", "scopes", "expires", NULL };
	const char *path = token_file(c, err);
	const struct json_node *body = path ? body_read(c, keys, err) : NULL;
	const char *name = NULL;
	const char *expires = NULL;
	char secret[TOKEN_BYTES];
	struct json_writer w;
	unsigned scopes = 0;

	if (!body || !body_string(body, "name", &name, err) ||
		!body_string(body, "expires", &expires, err) ||
		!read_scopes(json_tree_get(body, "scopes"), &scopes, err))
		return false;
	if (!name)
		return error_set(err, ERROR_USAGE, "the body has no name");
	if (!expires)
		expires = "never";
	if (!token_add(path, name, scopes, expires, secret, err))
		return false;
	c->answer->status = 201;
	http_answer_field(c->answer, "Location", arena_printf(c->arena, "/v1/tokens/%s", name));
	handle_json_begin(c, &w);
	json_key_string(&w, "name", name);
	handle_put_scopes(&w, scopes);
	json_key_string(&w, "expires", expires);
	json_key_string(&w, "token", secret);
	handle_json_end(c, &w);
	return true;
}

bool
handle_token_revoke(struct http_call *c, struct error *err)
{
	const char *path = token_file(c, err);

	if (!path || !token_revoke(path, http_field_find(&c->request->parts, "name").data, err))
		return false;
	c->answer->status = 204;
	return true;
}
