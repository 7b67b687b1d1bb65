/* Opening an input: a folder, an archive, a file or standard input. */
#include "input/bundle/bundle.h"

#include "bundle_private.h"
#include "input/temp_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
add_file(struct bundle *b, const char *name, struct error *err)
{
	struct stat st;

	if (name[0] == '.')
		return true;
	/* Skip dangling links and files that have just disappeared. */
	if (fstatat(b->dir_fd, name, &st, 0) != 0)
		return true;
	if (S_ISDIR(st.st_mode) && (!b->subfolder || strcmp(name, b->subfolder) < 0))
		b->subfolder = arena_strdup(&b->arena, name);
	if (!S_ISREG(st.st_mode))
		return true;
	name = arena_strdup(&b->arena, name);
	bundle_note_source(b, name, &st);
	return bundle_add(b,
		(struct bundle_member){
			.name = name,
			.folder = "",
			.size = st.st_size,
		},
		-1, err);
}

static bool
list_folder(struct bundle *b, struct error *err)
{
	const struct dirent *entry;
	bool ok = true;
	DIR *dir = opendir(b->path);

	if (!dir)
		return error_set_errno(err, ERROR_FILE, "cannot open the folder %s", b->path);
	b->dir_fd = fcntl(dirfd(dir), F_DUPFD_CLOEXEC, 0);
	if (b->dir_fd < 0)
		ok = error_set_errno(err, ERROR_FILE, "cannot open the folder %s", b->path);
	while (ok && (errno = 0, entry = readdir(dir)) != NULL)
		ok = add_file(b, entry->d_name, err);
	if (ok && errno != 0)
		ok = error_set_errno(err, ERROR_FILE, "cannot read the folder %s", b->path);
	closedir(dir);
	bundle_settle(b);
	return ok;
}

/* The part of the path after the last slash. */
static const char *
file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool
take_stream(struct bundle *b, int fd, const char *name, struct error *err)
{
	int spooled = bundle_spool(b, fd, err);
	bool ok = spooled >= 0 && bundle_unpack(b, spooled, name, err);

	if (spooled >= 0)
		close(spooled);
	return ok;
}

/* Reads a regular file in place. */
static bool
take_in_place(struct bundle *b, int fd, const char *name, struct error *err)
{
	if (!bundle_note_file(b, fd, err))
		return false;
	bundle_settle(b);
	return bundle_unpack(b, fd, name, err);
}

static bool
take_file(struct bundle *b, struct error *err)
{
	struct stat st;
	/* Without O_NONBLOCK, opening a FIFO waits for a writer. */
	int fd = open(b->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool ok;

	if (fd < 0 || fstat(fd, &st) != 0)
		ok = error_set_errno(err, ERROR_FILE, "cannot open %s", b->path);
	else if (S_ISREG(st.st_mode))
		ok = take_in_place(b, fd, file_name(b->path), err);
	else
		ok = take_stream(b, fd, file_name(b->path), err);
	if (fd >= 0)
		close(fd);
	return ok;
}

/* Reopens standard input, because the bundle needs a separate file offset. If reopening fails (the
 * file may belong to another user), standard input is copied as if it were a pipe. */
static bool
take_standard_input(struct bundle *b, struct error *err)
{
	struct stat st;
	int fd = -1;
	bool ok;

	if (fstat(STDIN_FILENO, &st) != 0)
		return error_set_errno(err, ERROR_FILE, "cannot read standard input");
	if (S_ISDIR(st.st_mode))
		return error_set(err, ERROR_INPUT, "standard input is a folder");
	if (S_ISREG(st.st_mode) && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0)
		fd = bundle_reopen(STDIN_FILENO);
	if (fd < 0)
		return take_stream(b, STDIN_FILENO, "stdin", err);
	ok = take_in_place(b, fd, "stdin", err);
	close(fd);
	return ok;
}

static bool
open_path(struct bundle *b, struct error *err)
{
	struct stat st;

	if (strcmp(b->path, "-") == 0)
		return take_standard_input(b, err);
	if (stat(b->path, &st) != 0) {
		error_set_errno(err, ERROR_FILE, "cannot open %s", b->path);
		return error_hint(err, BUNDLE_HINT);
	}
	if (S_ISDIR(st.st_mode))
		return list_folder(b, err);
	if (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode))
		return take_file(b, err);
	error_set(err, ERROR_INPUT, "%s is neither a file nor a folder nor an archive", b->path);
	return error_hint(err, BUNDLE_HINT);
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(((const struct bundle_entry *)a)->member.name,
		((const struct bundle_entry *)b)->member.name);
}

bool
bundle_hint(const struct bundle *b, struct error *err)
{
	size_t end = strlen(b->path);

	while (end > 1 && b->path[end - 1] == '/')
		end--;
	if (!b->subfolder)
		return error_hint(err, BUNDLE_HINT);
	/* A shell would misread the printed command if the path contains a quote. */
	if (strchr(b->path, '\''))
		return error_hint(err, "each input is loaded by itself: name each folder");
	return error_hint(err, "each input is loaded by itself: profdepot load '%.*s'/*",
		(int)(end < 1000 ? end : 1000), b->path);
}

/* Sorts by name, because the order on disk varies. */
static bool
sort_members(struct bundle *b, struct error *err)
{
	if (b->count == 0) {
		error_set(err, ERROR_INPUT, "%s has no files%s%s", b->path,
			b->subfolder ? ", only folders, such as " : "",
			b->subfolder ? b->subfolder : "");
		return bundle_hint(b, err);
	}
	qsort(b->entries, b->count, sizeof(*b->entries), compare_names);
	for (size_t i = 1; i < b->count; i++)
		if (compare_names(&b->entries[i - 1], &b->entries[i]) == 0) {
			error_set(err, ERROR_INPUT, "%s has two files named %s", b->path,
				b->entries[i].member.name);
			return error_hint(err,
				"the files of an input need different names, because "
				"folders are ignored; load each folder separately");
		}
	return true;
}

static struct bundle *
bundle_new(const char *path, const struct bundle_options *options)
{
	struct bundle *b = xcalloc(1, sizeof(*b));

	b->arena = ARENA_INIT;
	b->path = arena_strdup(&b->arena, path);
	if (options)
		b->options = *options;
	b->limits = b->options.limits ? *b->options.limits : limits_local;
	b->dir_fd = -1;
	b->source_fd = -1;
	return b;
}

/* Converts the members to readable files and sorts them. On error, closes the bundle and returns
 * NULL. */
static struct bundle *
finish(struct bundle *b, bool opened, struct error *err)
{
	if (opened && bundle_expand_members(b, err) && bundle_plain_members(b, err) &&
		sort_members(b, err))
		return b;
	bundle_close(b);
	return NULL;
}

struct bundle *
bundle_open(const char *path, const struct bundle_options *options, struct error *err)
{
	struct bundle *b = bundle_new(path, options);

	return finish(b, open_path(b, err), err);
}

struct bundle *
bundle_open_fd(const char *name, int fd, const struct bundle_options *options, struct error *err)
{
	struct bundle *b = bundle_new(name, options);
	int own = bundle_reopen(fd);
	bool ok;

	if (own < 0)
		ok = error_set_errno(err, ERROR_FILE, "cannot open %s", name);
	else
		ok = bundle_unpack(b, own, file_name(name), err);
	if (own >= 0)
		close(own);
	return finish(b, ok, err);
}

struct bundle *
bundle_from_memory(const char *name, const void *data, size_t size)
{
	struct bundle *b = bundle_new(name, NULL);
	struct error err = ERROR_INIT;
	int fd = temp_open(&err);
	struct bundle_member member = {
		.name = arena_strdup(&b->arena, name), .folder = "", .size = (int64_t)size
	};

	b->is_file = true;
	if (fd < 0 || !bundle_add(b, member, fd, &err) || !temp_write(fd, data, size, &err)) {
		bundle_close(b);
		return NULL;
	}
	return b;
}
