#include "bundle_folder.h"

#include "input/bundle/bundle.h"
#include "input/csv/csv_rowset.h"

#include <fcntl.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <archive_entry.h>
#include <cmocka.h>

static char folder[64]; /* temporary folder, which is removed at the end */

const char *
path_of(struct arena *a, const char *name)
{
	return arena_printf(a, "%s/%s", folder, name);
}

int
make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/test_bundle.XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

int
remove_folder(void **state)
{
	char name[] = "rm";
	char how[] = "-rf";
	char *argv[] = { name, how, folder, NULL };
	char *no_environment[] = { NULL };
	pid_t pid;
	int status;

	(void)state;
	if (posix_spawnp(&pid, name, NULL, NULL, argv, no_environment) != 0 ||
		waitpid(pid, &status, 0) != pid)
		return -1;
	return status;
}

void
write_file(const char *path, const char *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, size), (ssize_t)size);
	close(fd);
}

const char *
cut(struct arena *a, const char *path, const char *name, long keep)
{
	char *data = arena_alloc(a, 1 << 20);
	int fd = open(path, O_RDONLY);
	ssize_t size = read(fd, data, 1 << 20);

	close(fd);
	assert_true(size > 0);
	path = path_of(a, name);
	write_file(path, data, (size_t)(keep < 0 ? size + keep : keep));
	return path;
}

const char *
write_compressed(
	struct arena *a, const char *name, int (*filter)(struct archive *), const char *text)
{
	const char *path = path_of(a, name);
	struct archive *w = archive_write_new();
	struct archive_entry *e = archive_entry_new();

	archive_write_set_format_raw(w);
	assert_int_equal(filter(w), ARCHIVE_OK);
	assert_int_equal(archive_write_open_filename(w, path), ARCHIVE_OK);
	archive_entry_set_filetype(e, AE_IFREG);
	assert_int_equal(archive_write_header(w, e), ARCHIVE_OK);
	assert_int_equal(archive_write_data(w, text, strlen(text)), (la_ssize_t)strlen(text));
	archive_entry_free(e);
	assert_int_equal(archive_write_close(w), ARCHIVE_OK);
	archive_write_free(w);
	return path;
}

void
open_message(const char *path, const struct limits *limits, struct error *err)
{
	struct csv_options options = { 0 };
	struct bundle *b;

	*err = ERROR_INIT;
	b = bundle_open(path, &(struct bundle_options){ .limits = limits }, err);
	csv_rowset_free(b ? csv_rowset_new(b, &options, err) : NULL);
	bundle_close(b);
}

void
check_refused(const char *path, const struct limits *limits, enum error_code code, const char *what)
{
	struct error err;

	open_message(path, limits, &err);
	if (err.code != code || !strstr(err.message, what))
		fail_msg("%s: \"%s\" instead of \"%s\"", path, err.message, what);
	assert_non_null(strstr(err.message, path));
}
