/*
 * Adds tokens to the token file, and revokes them. All other lines of the file remain unchanged. A server that reads
 * the file at the same time sees either the old file or the new one. Concurrent writers wait for each other.
 */
#define _DEFAULT_SOURCE /* getentropy, flock */
#include "base/fd.h"
#include "base/strbuf.h"
#include "service/tokens.h"
#include "tokens_private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	SECRET_BYTES = 32
};

/* A token file, locked against other writers. */
struct edit {
	struct arena arena;
	const char *path, *beside;
	struct strbuf text;
	struct stat was; /* state of the old file; st_nlink is 0 if there is no file */
	int folder;      /* descriptor of the file's folder, which is locked */
};

static void
edit_release(struct edit *e)
{
	arena_release(&e->arena);
	strbuf_release(&e->text);
	if (e->folder >= 0)
		close(e->folder);
}

static bool
lock_folder(struct edit *e, struct error *err)
{
	const char *slash = strrchr(e->path, '/');
	const char *folder =
		slash ? arena_strndup(&e->arena, e->path, (size_t)(slash - e->path) + 1) : ".";

	e->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return (e->folder >= 0 && flock(e->folder, LOCK_EX) == 0) ||
	       error_set_errno(err, ERROR_FILE, "%s", folder);
}

static bool
read_text(struct edit *e, struct error *err)
{
	int fd = open(e->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *room = NULL;

	if (fd < 0 && errno == ENOENT)
		return true;
	if (fd < 0 || fstat(fd, &e->was) != 0)
		error_set_errno(err, ERROR_FILE, "%s", e->path);
	else if (!(room = strbuf_reserve(&e->text, (size_t)e->was.st_size + 1)))
		error_set(err, ERROR_USAGE, "%s: not a token file", e->path);
	else
		e->text.size = fd_read_up_to(fd, room, (size_t)e->was.st_size);
	if (fd >= 0)
		close(fd);
	return room != NULL;
}

static bool
edit_begin(struct edit *e, const char *path, struct error *err)
{
	*e = (struct edit){ .path = path, .folder = -1 };
	e->beside = arena_printf(&e->arena, "%s.new", path);
	strbuf_init(&e->text, TOKENS_MAX_BYTES);
	return lock_folder(e, err) && read_text(e, err);
}

/* The server's account must still be able to read the file after root has changed it. */
static bool
keep_owner(const struct edit *e, int fd)
{
	if (e->was.st_nlink == 0)
		return true;
	if (fchmod(fd, e->was.st_mode & 0777) != 0)
		return false;
	return (e->was.st_uid == geteuid() && e->was.st_gid == getegid()) ||
	       fchown(fd, e->was.st_uid, e->was.st_gid) == 0;
}

static bool
edit_write(const struct edit *e, struct error *err)
{
	FILE *f;
	int fd;
	bool ok;

	unlink(e->beside); /* a file left over from a crash */
	fd = open(e->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	f = fd >= 0 ? fdopen(fd, "w") : NULL;
	ok = f && fwrite(e->text.data, 1, e->text.size, f) == e->text.size && keep_owner(e, fd) &&
	     fflush(f) == 0 && fsync(fd) == 0;
	ok = f && fclose(f) == 0 && ok && rename(e->beside, e->path) == 0 && fsync(e->folder) == 0;
	return ok || error_set_errno(err, ERROR_FILE, "%s", e->path);
}

static bool
has_name(struct tokens *t, const char *name)
{
	for (size_t i = 0; i < tokens_count(t); i++)
		if (strcmp(tokens_at(t, i)->name, name) == 0)
			return true;
	return false;
}

static bool
make_secret(char out[TOKEN_BYTES], struct error *err)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	static const char prefix[] = "pd_";
	uint8_t secret[SECRET_BYTES + 1] = { 0 };
	size_t n = sizeof(prefix) - 1;

	if (getentropy(secret, SECRET_BYTES) != 0)
		return error_set_errno(err, ERROR_INTERNAL, "no random numbers");
	memcpy(out, prefix, n);
	for (size_t bit = 0; bit < 8 * (size_t)SECRET_BYTES; bit += 6) {
		unsigned two = (unsigned)secret[bit / 8] << 8 | secret[bit / 8 + 1];

		out[n++] = letters[two >> (10 - bit % 8) & 63];
	}
	out[n] = '\0';
	return true;
}

static bool
check_new(
	struct tokens *t, const char *path, const char *name, const char *expiry, struct error *err)
{
	if (!token_is_name(name)) {
		error_set(err, ERROR_USAGE, "\"%s\" is not a valid token name", name);
		return error_hint(err, "use up to %d letters, digits, or . _ -", TOKEN_NAME_MAX);
	}
	if (!token_is_expiry(expiry))
		return error_set(err, ERROR_USAGE,
			"\"%s\" is neither a day such as 2027-01-31 nor \"never\"", expiry);
	if (token_is_past(expiry))
		return error_set(err, ERROR_USAGE, "%s is in the past", expiry);
	if (has_name(t, name)) {
		error_set(err, ERROR_USAGE, "the token \"%s\" already exists", name);
		return error_hint(err, "\"profdepot token revoke %s\" deletes it", name);
	}
	if (tokens_count(t) + 1 >= TOKENS_MAX)
		return error_set(err, ERROR_LIMIT, "%s already has %zu tokens, the maximum", path,
			tokens_count(t));
	return true;
}

static bool
append_line(struct edit *e, const char *name, unsigned scopes, const char *expiry,
	const char *token, struct error *err)
{
	uint8_t digest[SHA256_BYTES];
	char hex[2 * SHA256_BYTES + 1];
	char names[32];
	struct strbuf *b = &e->text;

	token_digest(text_from(token), digest);
	hex_format(digest, SHA256_BYTES, hex);
	if (b->size == 0)
		strbuf_append_str(b, "# profdepot tokens: NAME SCOPES EXPIRY SHA-256\n");
	else if (b->data[b->size - 1] != '\n')
		strbuf_append_char(b, '\n');
	strbuf_printf(b, "%s %s %s %s\n", name, token_scopes_text(scopes, names), expiry, hex);
	return !b->failed ||
	       error_set(err, ERROR_LIMIT, "%s: the file would be too large", e->path);
}

bool
token_add(const char *path, const char *name, unsigned scopes, const char *expiry,
	char out[TOKEN_BYTES], struct error *err)
{
	struct edit e;
	bool ok = edit_begin(&e, path, err);
	struct tokens *t = ok ? tokens_open(path, err) : NULL;

	ok = t && check_new(t, path, name, expiry, err) && make_secret(out, err) &&
	     append_line(&e, name, scopes, expiry, out, err) && edit_write(&e, err);
	tokens_free(t);
	edit_release(&e);
	return ok;
}

static bool
is_line_of(const char *line, size_t size, const char *name)
{
	size_t n = strlen(name);
	size_t blanks = 0;

	while (blanks < size && (line[blanks] == ' ' || line[blanks] == '\t'))
		blanks++;
	return blanks + n < size && memcmp(line + blanks, name, n) == 0 &&
	       (line[blanks + n] == ' ' || line[blanks + n] == '\t');
}

/* Removes all lines with that name and returns how many there were. */
static size_t
remove_lines(struct strbuf *b, const char *name)
{
	size_t removed = 0;
	size_t kept = 0;

	for (size_t at = 0; at < b->size;) {
		const char *end = memchr(b->data + at, '\n', b->size - at);
		size_t n = end ? (size_t)(end - b->data) + 1 - at : b->size - at;

		if (is_line_of(b->data + at, n, name)) {
			removed++;
		} else {
			memmove(b->data + kept, b->data + at, n);
			kept += n;
		}
		at += n;
	}
	b->size = kept;
	return removed;
}

bool
token_revoke(const char *path, const char *name, struct error *err)
{
	struct edit e;
	bool ok = edit_begin(&e, path, err);

	if (ok && !token_is_name(name))
		ok = error_set(err, ERROR_USAGE, "\"%s\" is not a valid token name", name);
	if (ok && remove_lines(&e.text, name) == 0)
		ok = error_set(err, ERROR_NOT_FOUND, "%s has no token \"%s\"", path, name);
	ok = ok && edit_write(&e, err);
	edit_release(&e);
	return ok;
}
