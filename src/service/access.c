/* Decides what a client may do, by its token, its session or the user whom a proxy has signed in. */
#include "service/tokens.h"
#include "service_private.h"
#include "session.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define USER_PREFIX "user:"

static struct text
bearer(const struct http_request *q)
{
	struct text t = text_trim(http_header_find(&q->headers, "Authorization"));

	if (t.data && t.size > 7 && strncasecmp(t.data, "Bearer ", 7) == 0)
		return text_trim((struct text){ t.data + 7, t.size - 7 });
	return TEXT_NULL;
}

/* Old senders have only one place for a token: the path. */
static unsigned
scopes_of_path(struct tokens *tokens, const char *path, char name[TOKEN_NAME_MAX + 1])
{
	unsigned scopes = 0;

	while (*path == '/' && !scopes) {
		size_t n = strcspn(++path, "/");

		scopes = tokens_scopes(tokens, (struct text){ path, n }, name);
		path += n;
	}
	return scopes;
}

/* Returns the user's name from the proxy's header. Returns a NULL text if the name is missing or too long, or has a
 * character other than visible ASCII, or a quote, backslash or comma. Also rejects a repeated header, because the
 * client may have sent one of the two. */
static struct text
user_of_proxy(const struct service *s, const struct http_request *q)
{
	struct text name = TEXT_NULL;

	for (size_t i = 0; i < q->headers.count; i++) {
		if (strcasecmp(q->headers.items[i].name, s->options->user_header) != 0)
			continue;
		if (name.data)
			return TEXT_NULL;
		name = q->headers.items[i].value;
	}
	if (!name.data || name.size == 0 || name.size > HTTP_USER_BYTES - sizeof(USER_PREFIX))
		return TEXT_NULL;
	for (size_t i = 0; i < name.size; i++)
		if (name.data[i] <= ' ' || name.data[i] > '~' || strchr("\"\\,", name.data[i]))
			return TEXT_NULL;
	return name;
}

/* Sets q->user to the user's name with a prefix, and returns the user's scopes. A token can have the same
 * name as a user, but its name has no colon. */
static unsigned
scopes_of_proxy(const struct service *s, struct http_request *q)
{
	struct text name = s->options->user_header ? user_of_proxy(s, q) : TEXT_NULL;

	if (!name.data)
		return 0;
	snprintf(q->user, sizeof(q->user), USER_PREFIX "%.*s", (int)name.size, name.data);
	return s->user_scopes;
}

/* A browser adds cookies to requests by itself, and a proxy signs in every request from a browser. Therefore a
 * request that changes something must prove that one of our pages sent it. The header Origin proves this, because
 * the server has already rejected requests with the origin of another site. */
static bool
check_origin(const struct http_request *q, struct http_answer *a, struct error *err)
{
	const bool reads = q->method == HTTP_GET || q->method == HTTP_HEAD;

	if (reads || http_header_find(&q->headers, "Origin").data)
		return true;
	a->status = 403;
	error_set(err, ERROR_USAGE, "without a token, this request needs the header Origin");
	return error_hint(err, "programs send \"Authorization: Bearer TOKEN\" instead of a cookie");
}

/* Sets the client's name and scopes. Returns true if a session's cookie or a proxy identified the client. In this
 * case, another site's page may have made the browser send the request. */
static bool
identify(const struct service *s, struct http_request *q, struct text token)
{
	bool by_itself = false;

	if (!s->tokens)
		q->scopes = TOKEN_ALL | (s->options->sql ? TOKEN_SQL : 0);
	else if (token.data)
		q->scopes = tokens_scopes(s->tokens, token, q->user);
	else if (q->legacy)
		q->scopes = scopes_of_path(s->tokens, q->path, q->user);
	else {
		q->scopes = sessions_scopes(s->sessions, q);
		q->session = q->scopes != 0;
		if (!q->session)
			q->scopes = scopes_of_proxy(s, q);
		by_itself = q->scopes != 0;
	}
	if (q->scopes & TOKEN_ADMIN)
		q->scopes |= TOKEN_ALL;
	return by_itself;
}

bool
service_authorise(void *service, const struct http_route *route, struct http_request *q,
	struct http_answer *a, struct error *err)
{
	struct text token = bearer(q);

	if (identify(service, q, token) && !check_origin(q, a, err))
		return false;
	if ((q->scopes & route->scope) == route->scope)
		return true;
	a->status = q->scopes ? 403 : 401;
	if (q->scopes)
		return error_set(err, ERROR_USAGE, "this %s does not allow this request",
			!((struct service *)service)->tokens ? "server"
			: strncmp(q->user, USER_PREFIX, sizeof(USER_PREFIX) - 1) == 0
				? "user's scope"
				: "token");
	http_answer_field(a, "WWW-Authenticate", "Bearer realm=\"profdepot\"");
	error_set(err, ERROR_USAGE,
		token.data               ? "the token is invalid or has expired"
		: sessions_has_cookie(q) ? "the session has ended"
					 : "this request needs a token");
	return error_hint(err,
		"send \"Authorization: Bearer TOKEN\"; \"profdepot token add\" creates a token");
}
