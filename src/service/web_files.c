/* Finds the pages and reads them into memory. */
#include "web_files.h"

#include "base/fd.h"
#include "base/hash.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Where `make install' puts them; set by the makefile. */
#ifndef PROFDEPOT_WEB_DIR
#define PROFDEPOT_WEB_DIR "/usr/local/share/profdepot/web"
#endif

enum {
	MAX_FILES = 256,
	MAX_DEPTH = 3,
	MAX_PATH = 512,
};
#define MAX_BYTES ((size_t)32 * 1024 * 1024)

/* Only our own scripts, and in no frame. */
static const char page_policy[] =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
	"connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
	"frame-ancestors 'none'";

/* speedscope is in a frame of our page. It creates its style sheet at run time and decodes names
 * with WebAssembly. A profile that needs a token reaches it as a blob: of our page. */
static const char speedscope_policy[] =
	"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
	"style-src 'self' 'unsafe-inline'; img-src 'self'; font-src 'self'; "
	"connect-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

static const struct {
	const char *suffix, *content_type;
} types[] = {
	{ ".html", "text/html; charset=utf-8" },
	{ ".css", "text/css; charset=utf-8" },
	{ ".js", "text/javascript; charset=utf-8" },
	{ ".svg", "image/svg+xml" },
	{ ".png", "image/png" },
	{ ".ico", "image/x-icon" },
	{ ".woff2", "font/woff2" },
	{ ".wasm", "application/wasm" },
	{ ".txt", "text/plain; charset=utf-8" },
};

struct finder {
	struct arena *arena;
	struct web_file files[MAX_FILES];
	size_t count, bytes;
};

static bool
ends_with(const char *s, const char *suffix)
{
	size_t n = strlen(s);
	size_t m = strlen(suffix);

	return n >= m && strcmp(s + n - m, suffix) == 0;
}

/* NULL for a file that is not part of a page. */
static const char *
content_type(const char *name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (ends_with(name, types[i].suffix))
			return types[i].content_type;
	return NULL;
}

static const char *
policy(const char *path)
{
	if (strncmp(path, "vendor/speedscope/", 18) == 0)
		return speedscope_policy;
	return ends_with(path, ".html") ? page_policy : NULL;
}

static const char *
http_date(struct arena *a, time_t t)
{
	char text[64];
	struct tm tm;

	/* The program sets no locale, so names of days are English. */
	if (!gmtime_r(&t, &tm) || !strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S GMT", &tm))
		return NULL;
	return arena_strdup(a, text);
}

static const char *
entity_tag(struct arena *a, struct text content)
{
	uint8_t bytes[IDENTITY_BYTES];
	char hex[2 * IDENTITY_BYTES + 1];

	hash128_bytes(hash128(content.data, content.size), bytes);
	hex_format(bytes, sizeof(bytes), hex);
	return arena_printf(a, "\"%s\"", hex);
}

/* --- finding --- */

static bool
take_file(struct finder *f, const char *path, int fd, const struct stat *st, struct error *err)
{
	struct web_file *w = &f->files[f->count];
	size_t size = (size_t)st->st_size;
	char *content;

	if (f->count == MAX_FILES || size > MAX_BYTES - f->bytes)
		return error_set(err, ERROR_LIMIT,
			"the folder of the pages has more than %d files or %zu MiB", MAX_FILES,
			MAX_BYTES / 1024 / 1024);
	content = arena_alloc(f->arena, size + 1);
	if (fd_read_up_to(fd, content, size) < size)
		return error_set_errno(err, ERROR_FILE, "%s", path);
	w->path = arena_strdup(f->arena, path);
	w->content = (struct text){ content, size };
	w->content_type = content_type(path);
	w->policy = policy(path);
	w->etag = entity_tag(f->arena, w->content);
	w->modified = http_date(f->arena, st->st_mtime);
	f->bytes += size;
	f->count++;
	return true;
}

/* Folders in folders, MAX_DEPTH of them.
 * NOLINTBEGIN(misc-no-recursion) */

static bool find_in(struct finder *f, int dir, const char *path, unsigned depth, struct error *err);

/* Packages that are only needed to build the pages. */
static bool
is_skipped(const char *name)
{
	return name[0] == '.' || strcmp(name, "node_modules") == 0;
}

static bool
find_entry(struct finder *f, int dir, const char *prefix, const char *name, unsigned depth,
	struct error *err)
{
	char path[MAX_PATH];
	struct stat st;
	bool ok = true;
	int fd;

	if (is_skipped(name) || (size_t)snprintf(path, sizeof(path), "%s%s%s", prefix,
					*prefix ? "/" : "", name) >= sizeof(path))
		return true;
	fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd < 0)
		return true; /* a link, or unreadable */
	if (fstat(fd, &st) != 0)
		ok = error_set_errno(err, ERROR_FILE, "%s", path);
	else if (S_ISDIR(st.st_mode))
		return depth == MAX_DEPTH ? close(fd) == 0 : find_in(f, fd, path, depth + 1, err);
	else if (S_ISREG(st.st_mode) && content_type(name))
		ok = take_file(f, path, fd, &st, err);
	close(fd);
	return ok;
}

/* Closes dir. */
static bool
find_in(struct finder *f, int dir, const char *path, unsigned depth, struct error *err)
{
	DIR *d = fdopendir(dir);
	struct dirent *e;
	bool ok = true;

	if (!d) {
		close(dir);
		return error_set_errno(err, ERROR_FILE, "%s", path);
	}
	while (ok && (e = readdir(d)))
		ok = find_entry(f, dir, path, e->d_name, depth, err);
	closedir(d);
	return ok;
}

/* NOLINTEND(misc-no-recursion) */

static int
compare_files(const void *a, const void *b)
{
	return strcmp(((const struct web_file *)a)->path, ((const struct web_file *)b)->path);
}

/* --- where --- */

static int
open_folder(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && faccessat(fd, "index.html", R_OK, 0) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Next to a program that is not installed, or below the prefix that it was moved to. */
static int
open_beside_program(struct arena *a)
{
	char self[MAX_PATH];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;
	int fd;

	if (n <= 0)
		return -1;
	self[n] = '\0';
	slash = strrchr(self, '/');
	if (!slash)
		return -1;
	*slash = '\0';
	fd = open_folder(arena_printf(a, "%s/web", self));
	return fd >= 0 ? fd : open_folder(arena_printf(a, "%s/../share/profdepot/web", self));
}

bool
web_files_read(struct arena *a, const char *dir, struct web_files *out, struct error *err)
{
	struct finder *f;
	bool ok;
	int fd = dir ? open_folder(dir) : open_beside_program(a);

	*out = (struct web_files){ NULL, 0 };
	if (fd < 0 && dir) {
		error_set(err, ERROR_FILE, "%s: no pages found", dir);
		return error_hint(err, "the folder must contain index.html");
	}
	if (fd < 0)
		fd = open_folder(PROFDEPOT_WEB_DIR);
	if (fd < 0)
		return true;
	f = arena_alloc(a, sizeof(*f));
	f->arena = a;
	ok = find_in(f, fd, "", 0, err);
	qsort(f->files, f->count, sizeof(f->files[0]), compare_files);
	*out = (struct web_files){ f->files, f->count };
	return ok;
}

const struct web_file *
web_file_find(const struct web_files *w, struct text path)
{
	struct web_file key = { .path = path.data };

	if (!w->count || strlen(path.data) != path.size)
		return NULL;
	return bsearch(&key, w->items, w->count, sizeof(key), compare_files);
}
