/* Uses the scopes of a token to decide what its client may do. */
#include "service/tokens.h"
#include "service_private.h"
#include "session.h"

#include <string.h>
#include <strings.h>

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

/* A browser sends cookies by itself, so a request that changes something must prove that one of our pages sent it.
 * The header Origin proves this, because the server has already rejected requests with the origin of another site. */
static bool
check_origin(const struct http_request *q, struct http_answer *a, struct error *err)
{
	const bool reads = q->method == HTTP_GET || q->method == HTTP_HEAD;

	if (!q->session || reads || http_header_find(&q->headers, "Origin").data)
		return true;
	a->status = 403;
	error_set(err, ERROR_USAGE, "a request with a session's cookie needs the header Origin");
	return error_hint(err, "programs send \"Authorization: Bearer TOKEN\" instead of a cookie");
}

static void
identify(const struct service *s, struct http_request *q, struct text token)
{
	if (!s->tokens)
		q->scopes = TOKEN_ALL | (s->options->sql ? TOKEN_SQL : 0);
	else if (token.data)
		q->scopes = tokens_scopes(s->tokens, token, q->user);
	else if (q->legacy)
		q->scopes = scopes_of_path(s->tokens, q->path, q->user);
	else
		q->scopes = sessions_scopes(s->sessions, q);
	q->session = s->tokens && !token.data && !q->legacy && q->scopes;
	if (q->scopes & TOKEN_ADMIN)
		q->scopes |= TOKEN_ALL;
}

bool
service_authorise(void *service, const struct http_route *route, struct http_request *q,
	struct http_answer *a, struct error *err)
{
	struct text token = bearer(q);

	identify(service, q, token);
	if (!check_origin(q, a, err))
		return false;
	if ((q->scopes & route->scope) == route->scope)
		return true;
	a->status = q->scopes ? 403 : 401;
	if (q->scopes)
		return error_set(err, ERROR_USAGE, "this token does not allow this request");
	http_answer_field(a, "WWW-Authenticate", "Bearer realm=\"profdepot\"");
	error_set(err, ERROR_USAGE,
		token.data               ? "the token is invalid or has expired"
		: sessions_has_cookie(q) ? "the session has ended"
					 : "this request needs a token");
	return error_hint(err,
		"send \"Authorization: Bearer TOKEN\"; \"profdepot token add\" creates a token");
}
