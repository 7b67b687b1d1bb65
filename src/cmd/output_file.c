/* An output file that appears completely or not at all. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "cmd/output_file.h"

#include "base/arena.h"
#include "render/render.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct extension {
	const char *name, *format;
} extensions[] = {
	{ ".txt", "text" },
	{ ".csv", "csv" },
	{ ".json", "json" },
	{ ".md", "markdown" },
	{ ".html", "html" },
	{ ".htm", "html" },
};

static const char *
format_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < sizeof(extensions) / sizeof(extensions[0]); i++)
		if (strcmp(dot, extensions[i].name) == 0)
			return extensions[i].format;
	return NULL;
}

bool
output_file_choose(const char *output, const char **format, const char **path, struct error *err)
{
	*format = renderer_find(output) ? output : format_of(output);
	if (!*format) {
		error_set(err, ERROR_USAGE,
			"option --output: \"%.200s\" is neither a format nor a file whose extension "
			"names one",
			output);
		return error_hint(
			err, "use one of %s, or a file such as report.html", RENDERER_CHOICES);
	}
	if (renderer_find(output))
		return true;
	if (*path) {
		error_set(err, ERROR_USAGE, "--output and --out both name a file");
		return error_hint(err, "omit --out");
	}
	*path = output;
	return true;
}

static bool
open_failed(struct output_file *f, struct error *err)
{
	error_set_errno(err, ERROR_FILE, "cannot write %s", f->path);
	free(f->path);
	free(f->temporary);
	return false;
}

/* Sets the usual mode, because mkstemp creates a file that only its owner can read. */
static void
set_mode(int fd, bool exists, mode_t mode)
{
	mode_t mask = umask(0);

	umask(mask);
	(void)!fchmod(fd, exists ? mode & 0777 : 0666 & ~mask);
}

/* Opens a file without a name in the directory of path. The file vanishes if the process is killed. */
static int
open_unnamed(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t size = slash ? (size_t)(slash - path) + 1 : 0;
	char *folder = xmalloc(size + 2);
	int fd;

	memcpy(folder, path, size);
	memcpy(folder + size, ".", 2);
	fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	free(folder);
	return fd;
}

/* Gives an unnamed file the temporary name. */
static bool
link_unnamed(const struct output_file *f)
{
	char own[64];

	if (!f->temporary)
		return false;
	snprintf(own, sizeof(own), "/proc/self/fd/%d", fileno(f->stream));
	return linkat(AT_FDCWD, own, AT_FDCWD, f->temporary, AT_SYMLINK_FOLLOW) == 0;
}

/* Chooses the temporary name, and opens a file without a name. If the file system does not support unnamed files, or
 * if there is no /proc, which is needed to name the file later, opens a file with the temporary name instead. */
static int
open_temporary(struct output_file *f)
{
	int fd = mkstemp(f->temporary);
	int unnamed = fd >= 0 && access("/proc/self/fd", X_OK) == 0 ? open_unnamed(f->path) : -1;

	if (unnamed < 0)
		return fd;
	close(fd);
	unlink(f->temporary);
	f->is_unnamed = true;
	return unnamed;
}

bool
output_file_open(struct output_file *f, const char *path, FILE *otherwise, struct error *err)
{
	static const char suffix[] = ".XXXXXX";
	struct stat st;
	bool exists;
	int fd;

	*f = (struct output_file){ .stream = otherwise };
	if (!path || strcmp(path, "-") == 0)
		return true;
	exists = stat(path, &st) == 0;
	f->path = xmalloc(strlen(path) + 1);
	memcpy(f->path, path, strlen(path) + 1);
	if (exists && !S_ISREG(st.st_mode)) {
		fd = open(path, O_WRONLY | O_CLOEXEC);
	} else {
		f->temporary = xmalloc(strlen(path) + sizeof(suffix));
		memcpy(f->temporary, path, strlen(path));
		memcpy(f->temporary + strlen(path), suffix, sizeof(suffix));
		fd = open_temporary(f);
		if (fd >= 0)
			set_mode(fd, exists, exists ? st.st_mode : 0);
	}
	f->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
	return f->stream || open_failed(f, err);
}

bool
output_file_close(struct output_file *f, bool keep, struct error *err)
{
	bool ok = true;

	if (!f->path)
		return true;
	errno = 0;
	if (fflush(f->stream) != 0 || ferror(f->stream) ||
		(f->temporary && fsync(fileno(f->stream)) != 0))
		ok = false;
	if (ok && keep && f->is_unnamed && !link_unnamed(f))
		ok = false;
	if (fclose(f->stream) != 0)
		ok = false;
	if (ok && keep && f->temporary && rename(f->temporary, f->path) != 0)
		ok = false;
	if (!ok && keep)
		error_set_errno(err, ERROR_FILE, "cannot write %s", f->path);
	if ((!ok || !keep) && f->temporary && !(f->is_unnamed && !keep))
		unlink(f->temporary);
	free(f->path);
	free(f->temporary);
	return ok;
}
