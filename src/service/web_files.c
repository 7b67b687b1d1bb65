/* Finds the web pages and reads them into memory. */
#define _DEFAULT_SOURCE /* fts */
#include "web_files.h"

#include "base/fd.h"
#include "base/hash.h"
#include "input/gzip.h"

#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The folder where `make install' puts the pages. The makefile sets it. */
#ifndef PROFDEPOT_WEB_DIR
#define PROFDEPOT_WEB_DIR "/usr/local/share/profdepot/web"
#endif

enum {
	MAX_FILES = 256,
	MAX_DEPTH = 3,
	MAX_PATH = 512,
};
#define MAX_BYTES ((size_t)32 * 1024 * 1024)

/* A page may load only this server's files, and other pages may not show it in a frame. */
static const char page_policy[] =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
	"connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
	"frame-ancestors 'none'";

/* speedscope, which our page shows in a frame, creates its style sheet at run time and decodes
 * names with WebAssembly. If a profile needs a token, our page passes the profile to speedscope as
 * a blob: URL. */
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

/* Returns the media type of a file; NULL if the file is not part of a page. */
static const char *
content_type(const char *name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (text_ends(text_from(name), types[i].suffix))
			return types[i].content_type;
	return NULL;
}

static const char *
policy(const char *path)
{
	if (strncmp(path, "vendor/speedscope/", 18) == 0)
		return speedscope_policy;
	return text_ends(text_from(path), ".html") ? page_policy : NULL;
}

static const char *
http_date(struct arena *a, time_t t)
{
	char text[64];
	struct tm tm;

	/* The program sets no locale, so day names are English. */
	if (!gmtime_r(&t, &tm) || !strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S GMT", &tm))
		return NULL;
	return arena_strdup(a, text);
}

static const char *
entity_tag(struct arena *a, struct text content)
{
	char hex[HASH128_HEX_BYTES];

	hash128_hex(hash128(content.data, content.size), hex);
	return arena_printf(a, "W/\"%s\"", hex);
}

static bool
read_file(struct finder *f, const char *path, int fd, struct error *err)
{
	struct web_file *w = &f->files[f->count];
	struct stat st;
	char *content;
	size_t size;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return true;
	size = (size_t)st.st_size;
	if (f->count == MAX_FILES || size > MAX_BYTES - f->bytes)
		return error_set(err, ERROR_LIMIT,
			"the page folder has more than %d files or %zu MiB", MAX_FILES,
			MAX_BYTES / 1024 / 1024);
	content = arena_alloc(f->arena, size + 1);
	if (fd_read_up_to(fd, content, size) < size)
		return error_set_errno(err, ERROR_FILE, "%s", path);
	w->path = arena_strdup(f->arena, path);
	w->content = (struct text){ content, size };
	w->packed = gzip_text(f->arena, w->content);
	w->content_type = content_type(path);
	w->policy = policy(path);
	w->etag = entity_tag(f->arena, w->content);
	w->modified = http_date(f->arena, st.st_mtime);
	f->bytes += size;
	f->count++;
	return true;
}

/* Skips links and unreadable files. */
static bool
find_file(struct finder *f, const FTSENT *e, size_t root_size, struct error *err)
{
	const char *path = e->fts_path + root_size;
	int fd = open(e->fts_accpath, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	bool ok;

	if (fd < 0)
		return true;
	ok = read_file(f, path + strspn(path, "/"), fd, err);
	close(fd);
	return ok;
}

/* node_modules: packages that are only needed to build the pages. */
static bool
is_skipped(const FTSENT *e)
{
	return e->fts_level > 0 &&
	       (e->fts_name[0] == '.' || strcmp(e->fts_name, "node_modules") == 0 ||
		       (e->fts_info == FTS_D && e->fts_level > MAX_DEPTH));
}

static bool
find_all(struct finder *f, const char *dir, struct error *err)
{
	char *roots[] = { arena_strdup(f->arena, dir), NULL };
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *e;
	bool ok = fts || error_set_errno(err, ERROR_FILE, "%s", dir);

	while (ok && (e = fts_read(fts)))
		if (is_skipped(e))
			fts_set(fts, e, FTS_SKIP);
		else if (e->fts_info == FTS_F && content_type(e->fts_name))
			ok = find_file(f, e, strlen(dir), err);
	if (fts)
		fts_close(fts);
	return ok;
}

static int
compare_files(const void *a, const void *b)
{
	return strcmp(((const struct web_file *)a)->path, ((const struct web_file *)b)->path);
}

static bool
has_pages(struct arena *a, const char *dir)
{
	return access(arena_printf(a, "%s/index.html", dir), R_OK) == 0;
}

/* Finds the folder with the pages. If the program is not installed, this folder is next to the program. Otherwise it
 * is below the prefix to which the installation was moved, or it is PROFDEPOT_WEB_DIR. Returns NULL if there are no
 * pages. */
static const char *
usual_folder(struct arena *a)
{
	static const char *const places[] = { "web", "../share/profdepot/web" };
	char self[MAX_PATH];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	while (n > 0 && self[n - 1] != '/')
		n--;
	for (size_t i = 0; n > 0 && i < sizeof(places) / sizeof(places[0]); i++) {
		const char *dir = arena_printf(a, "%.*s%s", (int)n, self, places[i]);

		if (has_pages(a, dir))
			return dir;
	}
	return has_pages(a, PROFDEPOT_WEB_DIR) ? PROFDEPOT_WEB_DIR : NULL;
}

bool
web_files_read(struct arena *a, const char *dir, struct web_files *out, struct error *err)
{
	struct finder *f = arena_alloc(a, sizeof(*f));
	bool ok;

	*out = (struct web_files){ NULL, 0 };
	if (dir && !has_pages(a, dir)) {
		error_set(err, ERROR_FILE, "%s: no pages found", dir);
		return error_hint(err, "the folder must contain index.html");
	}
	if (!dir)
		dir = usual_folder(a);
	if (!dir)
		return true;
	f->arena = a;
	ok = find_all(f, dir, err);
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
