/* Makes and checks the cookies of sessions. */
#define _DEFAULT_SOURCE /* getentropy */
#include "session.h"

#include "base/char.h"
#include "base/memory.h"
#include "tokens_private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	KEY_BYTES = 32,
	ID_HEX = 32,
	MAC_HEX = 2 * SHA256_BYTES,
	EXPIRY_DIGITS = 12,
	MAX_ENDED = 65536,
	/* EXPIRY.ID.SIGNATURE.NAME */
	COOKIE_BYTES = EXPIRY_DIGITS + 1 + ID_HEX + 1 + MAC_HEX + 1 + TOKEN_NAME_MAX + 1,
};

struct ended {
	char id[ID_HEX + 1];
	time_t expiry; /* of the session's cookie; after this time, the entry is not needed */
};

struct sessions {
	struct tokens *tokens;
	int64_t seconds;
	bool tls;
	pthread_mutex_t mutex; /* for the members below */
	uint8_t key[KEY_BYTES];
	struct ended *ended;
	size_t ended_count;
};

struct cookie {
	time_t expiry;
	char id[ID_HEX + 1];
	char mac[MAC_HEX + 1];
	char name[TOKEN_NAME_MAX + 1];
};

/* --- signatures --- */

static void
sign(struct sessions *s, const struct cookie *c, const uint8_t digest[SHA256_BYTES],
	char out[MAC_HEX + 1])
{
	char text[COOKIE_BYTES + SHA256_BYTES];
	uint8_t mac[SHA256_BYTES];
	int n = snprintf(text, COOKIE_BYTES, "%lld.%s.%s", (long long)c->expiry, c->id, c->name);

	memcpy(text + n, digest, SHA256_BYTES);
	pthread_mutex_lock(&s->mutex);
	sha256_hmac(s->key, KEY_BYTES, text, (size_t)n + SHA256_BYTES, mac);
	pthread_mutex_unlock(&s->mutex);
	hex_format(mac, SHA256_BYTES, out);
}

/* --- cookies --- */

/* The name contains the port of the Host header, because a browser sends a cookie to all servers on the same host.
 * Without a port, the name is "profdepot". Returns the length of the name. */
static size_t
cookie_name(const struct http_request *q, char out[32])
{
	struct text host = http_header_find(&q->headers, "Host");
	const char *port = host.data ? strrchr(host.data, ':') : NULL;
	const char *digits =
		port && port[strspn(port + 1, "0123456789") + 1] == '\0' ? port + 1 : "";

	return (size_t)snprintf(out, 32, "profdepot%s%.5s", *digits ? "-" : "", digits);
}

/* Returns the value of our cookie; NULL text if the request does not have it. */
static struct text
cookie_value(const struct http_request *q)
{
	char name[32];
	size_t n = cookie_name(q, name);
	struct text all = http_header_find(&q->headers, "Cookie");
	const char *p = all.data;

	while (p && *p) {
		size_t size;

		p += strspn(p, "; \t");
		size = strcspn(p, ";");
		if (size > n && memcmp(p, name, n) == 0 && p[n] == '=')
			return text_trim((struct text){ p + n + 1, size - n - 1 });
		p += size;
	}
	return TEXT_NULL;
}

bool
sessions_has_cookie(const struct http_request *q)
{
	return cookie_value(q).data != NULL;
}

static bool
take_hex(const char **p, size_t digits, char *out)
{
	if (strspn(*p, "0123456789abcdef") != digits || (*p)[digits] != '.')
		return false;
	memcpy(out, *p, digits);
	out[digits] = '\0';
	*p += digits + 1;
	return true;
}

static bool
read_cookie(const struct http_request *q, struct cookie *c)
{
	struct text value = cookie_value(q);
	char text[COOKIE_BYTES];
	const char *p = text;
	char *end;

	if (!value.data || value.size >= sizeof(text))
		return false;
	memcpy(text, value.data, value.size);
	text[value.size] = '\0';
	if (!char_is_digit(*p) || strspn(p, "0123456789") > EXPIRY_DIGITS)
		return false;
	c->expiry = (time_t)strtoll(p, &end, 10);
	p = end + 1;
	if (*end != '.' || !take_hex(&p, ID_HEX, c->id) || !take_hex(&p, MAC_HEX, c->mac) ||
		!token_is_name(p))
		return false;
	memcpy(c->name, p, strlen(p) + 1);
	return true;
}

/* Behind a proxy, the header X-Forwarded-Proto shows whether the browser uses TLS. A client gains nothing by sending
 * this header itself. */
static const char *
set_cookie(struct sessions *s, const struct http_request *q, struct arena *a, const char *value,
	int64_t seconds)
{
	struct text scheme = http_header_find(&q->headers, "X-Forwarded-Proto");
	const bool secure = s->tls || text_equal_nocase(scheme, TEXT_LITERAL("https"));
	char name[32];

	cookie_name(q, name);
	return arena_printf(a, "%s=%s; Path=/; Max-Age=%lld; HttpOnly; SameSite=Strict%s", name,
		value, (long long)seconds, secure ? "; Secure" : "");
}

/* --- sessions --- */

struct sessions *
sessions_new(struct tokens *tokens, int64_t seconds, bool tls, struct error *err)
{
	struct sessions *s = xcalloc(1, sizeof(*s));

	*s = (struct sessions){ .tokens = tokens, .seconds = seconds, .tls = tls };
	pthread_mutex_init(&s->mutex, NULL);
	if (getentropy(s->key, KEY_BYTES) == 0)
		return s;
	error_set_errno(err, ERROR_INTERNAL, "no random numbers");
	sessions_free(s);
	return NULL;
}

void
sessions_free(struct sessions *s)
{
	if (!s)
		return;
	pthread_mutex_destroy(&s->mutex);
	free(s->ended);
	free(s);
}

const char *
sessions_begin(struct sessions *s, const struct http_request *q, struct text token, struct arena *a,
	unsigned *scopes)
{
	struct cookie c = { .expiry = time(NULL) + (time_t)s->seconds };
	uint8_t digest[SHA256_BYTES];
	uint8_t id[ID_HEX / 2];

	*scopes = tokens_scopes(s->tokens, token, c.name);
	if (!*scopes || getentropy(id, sizeof(id)) != 0)
		return NULL;
	hex_format(id, sizeof(id), c.id);
	token_digest(token, digest);
	sign(s, &c, digest, c.mac);
	return set_cookie(s, q, a,
		arena_printf(a, "%lld.%s.%s.%s", (long long)c.expiry, c.id, c.mac, c.name),
		s->seconds);
}

/* Forgets the sessions whose cookies have expired. */
static void
forget_expired(struct sessions *s)
{
	time_t now = time(NULL);
	size_t kept = 0;

	for (size_t i = 0; i < s->ended_count; i++)
		if (s->ended[i].expiry > now)
			s->ended[kept++] = s->ended[i];
	s->ended_count = kept;
}

static bool
has_ended(struct sessions *s, const struct cookie *c)
{
	bool found = c->expiry <= time(NULL);

	pthread_mutex_lock(&s->mutex);
	for (size_t i = 0; i < s->ended_count && !found; i++)
		found = strcmp(s->ended[i].id, c->id) == 0;
	pthread_mutex_unlock(&s->mutex);
	return found;
}

struct signature {
	struct sessions *sessions;
	const struct cookie *cookie;
};

/* A token_test function. Compares in constant time. */
static bool
is_signed(void *self, const uint8_t digest[SHA256_BYTES])
{
	const struct signature *g = self;
	char expected[MAC_HEX + 1];
	unsigned differ = 0;

	sign(g->sessions, g->cookie, digest, expected);
	for (size_t i = 0; i < MAC_HEX; i++)
		differ |= (unsigned)expected[i] ^ (unsigned)g->cookie->mac[i];
	return differ == 0;
}

static unsigned
scopes_of(struct sessions *s, const struct http_request *q, struct cookie *c)
{
	struct signature g = { s, c };

	if (!read_cookie(q, c) || has_ended(s, c))
		return 0;
	return tokens_scopes_by_name(s->tokens, c->name, is_signed, &g);
}

unsigned
sessions_scopes(struct sessions *s, struct http_request *q)
{
	struct cookie c;
	unsigned scopes = scopes_of(s, q, &c);

	if (scopes)
		snprintf(q->user, sizeof(q->user), "%s", c.name);
	return scopes;
}

/* Remembers that the session has ended. If there are already too many ended sessions, makes a new random key. This ends
 * all sessions. */
static void
remember_end(struct sessions *s, const struct cookie *c)
{
	pthread_mutex_lock(&s->mutex);
	forget_expired(s);
	if (s->ended_count == MAX_ENDED && getentropy(s->key, KEY_BYTES) == 0)
		s->ended_count = 0;
	if (!s->ended)
		s->ended = xcalloc(MAX_ENDED, sizeof(*s->ended));
	if (s->ended_count < MAX_ENDED) {
		struct ended *e = &s->ended[s->ended_count++];

		memcpy(e->id, c->id, sizeof(e->id));
		e->expiry = c->expiry;
	}
	pthread_mutex_unlock(&s->mutex);
}

const char *
sessions_end(struct sessions *s, const struct http_request *q, struct arena *a)
{
	struct cookie c;

	if (scopes_of(s, q, &c))
		remember_end(s, &c);
	return set_cookie(s, q, a, "", 0);
}
