/* Writes a folder's files to a tar archive (ustar, or POSIX.1-2001 pax where needed). */
#include "input/bundle/bundle.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	COPY_BYTES = 64 * 1024
};

static bool
fail(struct archive *tar, struct error *err)
{
	return error_set(err, ERROR_FILE, "cannot write a tar archive: %s",
		archive_error_string(tar) ? archive_error_string(tar) : "no reason given");
}

static bool
write_header(struct archive *tar, const char *name, const struct stat *st, struct error *err)
{
	struct archive_entry *entry = archive_entry_new();
	bool ok;

	archive_entry_set_pathname(entry, name);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_size(entry, st->st_size);
	archive_entry_set_mtime(entry, time(NULL), 0);
	ok = archive_write_header(tar, entry) == ARCHIVE_OK;
	archive_entry_free(entry);
	return ok || fail(tar, err);
}

static bool
write_content(struct archive *tar, int fd, struct error *err)
{
	char *block = xmalloc(COPY_BYTES);
	bool ok = true;
	ssize_t n;

	while (ok && (n = read(fd, block, COPY_BYTES)) != 0)
		ok = n > 0 ? archive_write_data(tar, block, (size_t)n) == n || fail(tar, err)
			   : error_set_errno(err, ERROR_FILE, "cannot read an exported file");
	free(block);
	return ok;
}

static bool
add_file(struct archive *tar, const char *path, const char *name, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool ok;

	if (fd < 0)
		return error_set_errno(err, ERROR_FILE, "cannot open %s", path);
	ok = fstat(fd, &st) == 0 || error_set_errno(err, ERROR_FILE, "cannot read %s", path);
	ok = ok && write_header(tar, name, &st, err) && write_content(tar, fd, err);
	close(fd);
	return ok;
}

static int
is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

bool
bundle_move_to_tar(const char *folder, FILE *out, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct archive *tar = archive_write_new();
	struct dirent **names = NULL;
	int count = scandir(folder, &names, is_visible, alphasort);
	bool ok = count >= 0 || error_set_errno(err, ERROR_FILE, "cannot read %s", folder);

	if (ok && (archive_write_set_format_pax_restricted(tar) != ARCHIVE_OK ||
			  archive_write_set_bytes_in_last_block(tar, 1) != ARCHIVE_OK ||
			  archive_write_open_FILE(tar, out) != ARCHIVE_OK))
		ok = fail(tar, err);
	for (int i = 0; i < count; i++) {
		const char *path = arena_printf(&a, "%s/%s", folder, names[i]->d_name);

		ok = ok && add_file(tar, path, names[i]->d_name, err);
		unlink(path);
		free(names[i]);
	}
	free(names);
	rmdir(folder);
	arena_release(&a);
	if (ok && archive_write_close(tar) != ARCHIVE_OK)
		ok = fail(tar, err);
	archive_write_free(tar);
	return ok;
}
