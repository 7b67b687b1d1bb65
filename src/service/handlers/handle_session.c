/* Signs browsers in and out. */
#include "handle.h"

#include "service/session.h"
#include "service/tokens.h"

void
handle_put_scopes(struct json_writer *w, unsigned scopes)
{
	char names[32];

	token_scopes_text(scopes, names);
	json_key_array(w, "scopes");
	for (const char *p = names; *p; p += strspn(p, ",")) {
		size_t n = strcspn(p, ",");

		json_text(w, (struct text){ p, n });
		p += n;
	}
	json_end_array(w);
}

/* Answers with the client's scopes, so that a page can ask the user for a token before one is needed. */
bool
handle_whoami(struct http_call *c, struct error *err)
{
	struct json_writer w;

	(void)err;
	handle_json_begin(c, &w);
	handle_put_scopes(&w, c->request->scopes);
	json_key_string(&w, "user", c->request->user);
	json_key_bool(&w, "session", c->request->session);
	json_key_bool(&w, "tokens", service_of(c)->tokens != NULL);
	handle_json_end(c, &w);
	return true;
}

/* {"token": "pd_..."} */
bool
handle_sign_in(struct http_call *c, struct error *err)
{
	static const char *const keys[] = { "token", NULL };
	struct sessions *sessions = service_of(c)->sessions;
	const struct json_node *body = body_read(c, keys, err);
	const char *token = NULL;
	const char *cookie;
	struct json_writer w;
	unsigned scopes;

	if (!body || !body_string(body, "token", &token, err))
		return false;
	if (!token)
		return error_set(err, ERROR_USAGE, "the body has no token");
	if (!sessions)
		return error_set(
			err, ERROR_USAGE, "this server has no tokens, so nobody needs to sign in");
	cookie = sessions_begin(
		sessions, c->request, text_trim(text_from(token)), c->arena, &scopes);
	if (!cookie) {
		c->answer->status = 401;
		return error_set(err, ERROR_USAGE, "the token is invalid or has expired");
	}
	http_answer_field(c->answer, "Set-Cookie", cookie);
	handle_json_begin(c, &w);
	handle_put_scopes(&w, scopes & TOKEN_ADMIN ? scopes | TOKEN_ALL : scopes);
	handle_json_end(c, &w);
	return true;
}

bool
handle_sign_out(struct http_call *c, struct error *err)
{
	struct sessions *sessions = service_of(c)->sessions;

	(void)err;
	if (sessions)
		http_answer_field(
			c->answer, "Set-Cookie", sessions_end(sessions, c->request, c->arena));
	c->answer->status = 204;
	return true;
}
