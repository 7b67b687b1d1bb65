/* Tokens: reads the token file, rereads it after each change, and looks up token scopes. */
#include "service/tokens.h"

#include "base/char.h"
#include "base/fd.h"
#include "tokens_private.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	SHORTEST_TOKEN = 8,
};

static const struct {
	const char *name;
	unsigned scope;
} scope_names[] = {
	{ "read", TOKEN_READ },
	{ "ingest", TOKEN_INGEST },
	{ "review", TOKEN_REVIEW },
	{ "sql", TOKEN_SQL },
	{ "admin", TOKEN_ADMIN },
};

enum {
	SCOPE_NAMES = sizeof(scope_names) / sizeof(scope_names[0])
};

struct tokens {
	pthread_mutex_t mutex;
	char *path;
	struct arena arena;
	struct token *items;
	size_t count;
	struct stat seen; /* the status of the file when it was read */
};

/* --- scopes and days --- */

static unsigned
scope_find(const char *name, size_t size)
{
	for (size_t i = 0; i < SCOPE_NAMES; i++)
		if (strlen(scope_names[i].name) == size &&
			memcmp(scope_names[i].name, name, size) == 0)
			return scope_names[i].scope;
	return 0;
}

bool
token_scopes_parse(const char *text, unsigned *scopes, struct error *err)
{
	*scopes = 0;
	for (const char *p = text;; p++) {
		size_t n = strcspn(p, ",");
		unsigned scope = scope_find(p, n);

		if (!scope) {
			error_set(err, ERROR_USAGE, "unknown scope \"%.*s\"", (int)n, p);
			return error_hint(err,
				"use read, ingest, review, sql and admin, separated by commas");
		}
		*scopes |= scope;
		p += n;
		if (!*p)
			return true;
	}
}

const char *
token_scopes_text(unsigned scopes, char out[32])
{
	size_t n = 0;

	out[0] = '\0';
	for (size_t i = 0; i < SCOPE_NAMES; i++)
		if (scopes & scope_names[i].scope)
			n += (size_t)snprintf(
				out + n, 32 - n, "%s%s", n ? "," : "", scope_names[i].name);
	return out;
}

bool
token_is_expiry(const char *s)
{
	static const char shape[] = "dddd-dd-dd";

	if (strcmp(s, "never") == 0)
		return true;
	for (size_t i = 0; i < sizeof(shape) - 1; i++)
		if (shape[i] == 'd' ? s[i] < '0' || s[i] > '9' : s[i] != shape[i])
			return false;
	return s[10] == '\0' && memcmp(s + 5, "00", 2) > 0 && memcmp(s + 5, "12", 2) <= 0 &&
	       memcmp(s + 8, "00", 2) > 0 && memcmp(s + 8, "31", 2) <= 0;
}

bool
token_is_past(const char *expiry)
{
	char today[16];
	time_t now = time(NULL);
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(today, sizeof(today), "%Y-%m-%d", &tm);
	return strcmp(expiry, "never") != 0 && strcmp(expiry, today) < 0;
}

bool
token_is_name(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");

	return n > 0 && n <= TOKEN_NAME_MAX && s[n] == '\0';
}

/* --- the file --- */

static bool
read_digest(const char *hex, uint8_t out[SHA256_BYTES])
{
	size_t i = 0;

	for (; i < 2 * (size_t)SHA256_BYTES && char_hex_value(hex[i]) >= 0; i++)
		out[i / 2] = (uint8_t)(out[i / 2] << 4 | char_hex_value(hex[i]));
	return i == 2 * (size_t)SHA256_BYTES && hex[i] == '\0';
}

/* Takes the next word off the line. */
static char *
next_word(char **rest)
{
	char *word = *rest + strspn(*rest, " \t");
	char *end = word + strcspn(word, " \t");

	*rest = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

static bool
read_line(struct tokens *t, char *line, size_t number, struct error *err)
{
	struct token *k = &t->items[t->count];
	const char *name = next_word(&line);
	const char *scopes = next_word(&line);
	const char *expiry = next_word(&line);
	const char *digest = next_word(&line);

	if (*name == '\0' || *name == '#')
		return true;
	if (!token_is_name(name) || !token_is_expiry(expiry) || !read_digest(digest, k->digest) ||
		*next_word(&line) || t->count + 1 == TOKENS_MAX)
		return error_set(err, ERROR_USAGE, "%s: line %zu is not NAME SCOPES EXPIRY DIGEST",
			t->path, number);
	if (!token_scopes_parse(scopes, &k->scopes, err))
		return error_prefix(err, "%s: line %zu", t->path, number);
	k->name = arena_strdup(&t->arena, name);
	memcpy(k->expiry, expiry, strlen(expiry) + 1);
	t->count++;
	return true;
}

static bool
read_lines(struct tokens *t, char *text, struct error *err)
{
	t->items = arena_alloc_array(&t->arena, TOKENS_MAX, sizeof(*t->items));
	t->count = 0;
	for (size_t number = 1; *text; number++) {
		char *end = text + strcspn(text, "\n");
		char *next = *end ? end + 1 : end;

		*end = '\0';
		if (!read_line(t, text, number, err))
			return false;
		text = next;
	}
	return true;
}

/* Refuses a file that another account can write, because that account could give itself full
 * access. */
static bool
check_file(const struct tokens *t, struct error *err)
{
	if (!S_ISREG(t->seen.st_mode) || t->seen.st_size > TOKENS_MAX_BYTES)
		return error_set(err, ERROR_USAGE, "%s: not a token file", t->path);
	if (t->seen.st_mode & (S_IWGRP | S_IWOTH)) {
		error_set(err, ERROR_USAGE, "%s: other accounts can write it", t->path);
		return error_hint(
			err, "use chmod 600: an account that can write it has full access");
	}
	if (t->seen.st_uid == 0 || t->seen.st_uid == geteuid())
		return true;
	error_set(err, ERROR_USAGE, "%s: it belongs to another account", t->path);
	return error_hint(err, "its owner must be root or the account that runs the server");
}

static bool
read_file(struct tokens *t, int fd, struct error *err)
{
	char *text;

	if (fstat(fd, &t->seen) != 0)
		return error_set_errno(err, ERROR_FILE, "%s", t->path);
	if (!check_file(t, err))
		return false;
	text = arena_alloc(&t->arena, (size_t)t->seen.st_size + 1);
	text[fd_read_up_to(fd, text, (size_t)t->seen.st_size)] = '\0';
	return read_lines(t, text, err);
}

static bool
load(struct tokens *t, struct error *err)
{
	int fd = open(t->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool ok;

	arena_reset(&t->arena);
	t->count = 0;
	if (fd < 0)
		return errno == ENOENT || error_set_errno(err, ERROR_FILE, "%s", t->path);
	ok = read_file(t, fd, err);
	close(fd);
	return ok;
}

struct tokens *
tokens_open(const char *path, struct error *err)
{
	struct tokens *t = xcalloc(1, sizeof(*t));

	pthread_mutex_init(&t->mutex, NULL);
	t->path = xmalloc(strlen(path) + 1);
	memcpy(t->path, path, strlen(path) + 1);
	if (load(t, err))
		return t;
	tokens_free(t);
	return NULL;
}

void
tokens_free(struct tokens *t)
{
	if (!t)
		return;
	pthread_mutex_destroy(&t->mutex);
	arena_release(&t->arena);
	free(t->path);
	free(t);
}

/* Rereads the file if it has changed. If the new file is invalid, all tokens are invalid. */
static void
refresh(struct tokens *t)
{
	struct error err = ERROR_INIT;
	struct stat now = { .st_size = -1 };

	if (stat(t->path, &now) == 0 && now.st_ino == t->seen.st_ino &&
		now.st_size == t->seen.st_size && now.st_ctim.tv_sec == t->seen.st_ctim.tv_sec &&
		now.st_ctim.tv_nsec == t->seen.st_ctim.tv_nsec)
		return;
	if (!load(t, &err)) {
		t->count = 0;
		t->seen = now;
		error_print(&err, stderr);
	}
}

/* Compares in constant time. */
static bool
is_equal(const uint8_t *a, const uint8_t *b)
{
	unsigned differ = 0;

	for (size_t i = 0; i < SHA256_BYTES; i++)
		differ |= a[i] ^ b[i];
	return differ == 0;
}

void
token_digest(struct text token, uint8_t out[SHA256_BYTES])
{
	struct sha256 *sha = sha256_new();

	sha256_update(sha, token.data, token.size);
	sha256_finish(sha, out);
	sha256_free(sha);
}

unsigned
tokens_scopes(struct tokens *t, struct text token, char name[TOKEN_NAME_MAX + 1])
{
	uint8_t digest[SHA256_BYTES];
	unsigned scopes = 0;

	if (token.size < SHORTEST_TOKEN || token.size >= TOKEN_BYTES)
		return 0;
	token_digest(token, digest);
	pthread_mutex_lock(&t->mutex);
	refresh(t);
	for (size_t i = 0; i < t->count; i++)
		if (is_equal(t->items[i].digest, digest) && !token_is_past(t->items[i].expiry)) {
			scopes |= t->items[i].scopes;
			snprintf(name, TOKEN_NAME_MAX + 1, "%s", t->items[i].name);
		}
	pthread_mutex_unlock(&t->mutex);
	return scopes;
}

unsigned
tokens_scopes_by_name(struct tokens *t, const char *name, token_test *passes, void *self)
{
	unsigned scopes = 0;

	pthread_mutex_lock(&t->mutex);
	refresh(t);
	for (size_t i = 0; i < t->count; i++) {
		const struct token *k = &t->items[i];

		if (strcmp(k->name, name) == 0 && !token_is_past(k->expiry) &&
			passes(self, k->digest))
			scopes |= k->scopes;
	}
	pthread_mutex_unlock(&t->mutex);
	return scopes;
}

size_t
tokens_count(struct tokens *t)
{
	return t->count;
}

const struct token *
tokens_at(struct tokens *t, size_t i)
{
	return &t->items[i];
}
