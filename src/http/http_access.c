/*
 * Decides which requests are accepted. Every page in a browser on this machine can reach a server
 * on a loopback address. Therefore the server rejects requests from other sites' pages and requests
 * for a foreign host name.
 */
#include "http_head.h"

#include <arpa/inet.h>
#include <string.h>

/* Returns the host in "host:port" or "http://host:port". */
static struct text
host_of(struct text t)
{
	const char *scheme = t.data ? strstr(t.data, "://") : NULL;
	const char *from = scheme ? scheme + 3 : t.data;
	size_t n;

	if (!from)
		return TEXT_NULL;
	if (*from == '[')
		n = strcspn(from, "]") + (strchr(from, ']') != NULL);
	else
		n = strcspn(from, ":/");
	return (struct text){ from, n };
}

static bool
is_loopback_name(struct text host)
{
	if (text_equal_nocase(host, TEXT_LITERAL("localhost")) ||
		text_ends_nocase(host, ".localhost") || text_equal(host, TEXT_LITERAL("[::1]")))
		return true;
	return host.size > 4 && text_begins(host, "127.") &&
	       strspn(host.data, "0123456789.") >= host.size;
}

static bool
is_public_name(const struct exchange *x, struct text host)
{
	const struct option_list *names = &x->listener->server->options->public_names;

	for (size_t i = 0; i < names->count; i++)
		if (text_equal_nocase(host, text_from(names->items[i])))
			return true;
	return false;
}

/* Returns "host:port" without the scheme, and without a default port, which browsers omit. */
static struct text
authority_of(struct text t)
{
	const char *scheme = strstr(t.data, "://");
	struct text a = text_from(scheme ? scheme + 3 : t.data);
	size_t port = text_ends(a, ":80") ? 3 : text_ends(a, ":443") ? 4 : 0;

	return text_up_to(a, a.size - port);
}

/* Returns whether a page from another site or port made the browser send the request. The headers
 * Origin, Sec-Fetch-Site and Host show this, because a page cannot set them. */
static bool
is_cross_site(const struct exchange *x)
{
	const struct http_fields *h = &x->request.headers;
	struct text origin = http_header_find(h, "Origin");
	struct text site = http_header_find(h, "Sec-Fetch-Site");
	struct text host = http_header_find(h, "Host");

	if (text_equal(site, TEXT_LITERAL("cross-site")) ||
		text_equal(site, TEXT_LITERAL("same-site")))
		return true;
	if (!origin.data || is_public_name(x, host_of(origin)))
		return false;
	return !host.data || !text_equal_nocase(authority_of(origin), authority_of(host));
}

static bool
forbid(struct exchange *x, struct error *err, const char *why)
{
	x->answer.status = 403;
	return error_set(err, ERROR_USAGE, "%s", why);
}

/* Rejects a foreign host name, because another site can point its own host name at this server (DNS
 * rebinding). The pages of that site have no token. Therefore every host name is accepted if the server
 * requires tokens and --public-name is not given. */
static bool
check_host(struct exchange *x, struct error *err)
{
	const struct http_server *s = x->listener->server;
	struct text host = host_of(http_header_find(&x->request.headers, "Host"));
	size_t names = s->options->public_names.count;

	if (!host.data || x->listener->is_unix || (s->options->guarded && names == 0) ||
		is_loopback_name(host) || is_public_name(x, host))
		return true;
	forbid(x, err, "the request's Host header does not name this server");
	return error_hint(err, "add a name with profdepot serve --public-name NAME");
}

bool
http_check_site(struct exchange *x, struct error *err)
{
	bool writes = x->request.method != HTTP_GET && x->request.method != HTTP_HEAD;

	if (!check_host(x, err))
		return false;
	return !writes || !is_cross_site(x) ||
	       forbid(x, err, "pages from other sites may only read");
}

const char *
http_forwarded_peer(struct exchange *x, const char *peer)
{
	struct text all = http_header_find(&x->request.headers, "X-Forwarded-For");
	unsigned char address[sizeof(struct in6_addr)];
	const char *last;

	if (!x->listener->server->options->behind_proxy || !all.data)
		return peer;
	/* The proxy adds the last address; the client may have sent the earlier ones. */
	last = strrchr(all.data, ',');
	last = last ? last + 1 : all.data;
	last += strspn(last, " \t");
	if (inet_pton(AF_INET, last, address) == 1 || inet_pton(AF_INET6, last, address) == 1)
		return last;
	return peer;
}

bool
http_check_rate(struct exchange *x, struct error *err)
{
	struct http_server *s = x->listener->server;
	double wait = 0;

	/* The rate limit does not apply to old senders, because a rejected old sender would give
	 * up. */
	if (s->rate && !x->request.legacy)
		wait = http_rate_wait(s->rate, x->request.peer, s->options->rate);
	if (wait <= 0)
		return true;
	x->answer.status = 429;
	http_answer_field(
		&x->answer, "Retry-After", arena_printf(&x->arena, "%ld", (long)wait + 1));
	return error_set(err, ERROR_LIMIT, "this address sent more than %lld requests per second",
		(long long)s->options->rate);
}
