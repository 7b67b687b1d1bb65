/*
 * An export of several files as one: a tar archive (POSIX.1-1988, "ustar").
 */
#include "app/exports.h"
#include "base/arena.h"
#include "format/aqtime/aqtime_write.h"
#include "store/export/depot_rowset.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	BLOCK_BYTES = 512,
	COPY_BYTES = 64 * 1024,
	MAX_FILES = 100,
	OCTAL_BITS = 33 /* that a size has room for as digits */
};

/* Fields of a header, by their offsets. */
struct tar_header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type[1],
		link[100], magic[6], version[2], rest[247];
};

_Static_assert(sizeof(struct tar_header) == BLOCK_BYTES, "a header is a block");

static void
put_octal(char *field, size_t size, uint64_t v)
{
	for (size_t i = size - 1; i-- > 0; v >>= 3)
		field[i] = (char)('0' + (v & 7));
}

/* As digits; what has no room as the number itself, as GNU tar does. */
static void
put_size(char field[12], uint64_t v)
{
	if (v >> OCTAL_BITS == 0) {
		put_octal(field, 12, v);
		return;
	}
	for (size_t i = 12; i-- > 1; v >>= 8)
		field[i] = (char)(v & 0xFF);
	field[0] = (char)0x80;
}

static void
write_header(const char *name, uint64_t size, FILE *out)
{
	struct tar_header h = { .type = "0", .magic = "ustar", .version = "00" };
	const unsigned char *bytes = (const unsigned char *)&h;
	unsigned sum = 0;

	h.version[0] = h.version[1] = '0';
	memcpy(h.name, name, strnlen(name, sizeof(h.name)));
	put_octal(h.mode, sizeof(h.mode), 0644);
	put_octal(h.uid, sizeof(h.uid), 0);
	put_octal(h.gid, sizeof(h.gid), 0);
	put_size(h.size, size);
	put_octal(h.mtime, sizeof(h.mtime), (uint64_t)time(NULL));
	memset(h.checksum, ' ', sizeof(h.checksum));
	for (size_t i = 0; i < sizeof(h); i++)
		sum += bytes[i];
	put_octal(h.checksum, sizeof(h.checksum) - 1, sum);
	h.checksum[6] = '\0';
	fwrite(&h, 1, sizeof(h), out);
}

static bool
copy_file(int fd, uint64_t size, FILE *out, struct error *err)
{
	static const char zeros[BLOCK_BYTES];
	char *block = xmalloc(COPY_BYTES);
	uint64_t left = size;
	bool ok = true;

	while (ok && left) {
		ssize_t n = read(fd, block, left < COPY_BYTES ? (size_t)left : COPY_BYTES);

		ok = n > 0 && fwrite(block, 1, (size_t)n, out) == (size_t)n;
		if (ok)
			left -= (uint64_t)n;
	}
	free(block);
	if (!ok)
		return error_set_errno(err, ERROR_FILE, "cannot copy an exported file");
	fwrite(zeros, 1, (BLOCK_BYTES - size % BLOCK_BYTES) % BLOCK_BYTES, out);
	return true;
}

static bool
add_file(int folder, const char *name, FILE *out, struct error *err)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool ok;

	if (fd < 0 || fstat(fd, &st) != 0) {
		error_set_errno(err, ERROR_FILE, "cannot read an exported file");
		if (fd >= 0)
			close(fd);
		return false;
	}
	write_header(name, (uint64_t)st.st_size, out);
	ok = copy_file(fd, (uint64_t)st.st_size, out, err);
	close(fd);
	return ok;
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* By name, so that the same tables give the same order. */
static size_t
list_files(struct arena *a, DIR *dir, const char *names[MAX_FILES])
{
	const struct dirent *entry;
	size_t count = 0;

	while (count < MAX_FILES && (entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.')
			names[count++] = arena_strdup(a, entry->d_name);
	qsort(names, count, sizeof(*names), compare_names);
	return count;
}

/* Adds the files, and removes them and the folder. */
static bool
pack(struct arena *a, const char *folder, FILE *out, struct error *err)
{
	static const char end[2 * BLOCK_BYTES];
	const char *names[MAX_FILES];
	DIR *dir = opendir(folder);
	bool ok = true;
	size_t count;

	if (!dir)
		return error_set_errno(err, ERROR_FILE, "cannot read %s", folder);
	count = list_files(a, dir, names);
	for (size_t i = 0; i < count; i++) {
		ok = ok && add_file(dirfd(dir), names[i], out, err);
		unlinkat(dirfd(dir), names[i], 0);
	}
	closedir(dir);
	rmdir(folder);
	fwrite(end, 1, sizeof(end), out);
	return ok;
}

bool
export_write_tar(struct db *db, const int64_t *inst_ids, size_t count, FILE *out, struct error *err)
{
	const char *where = getenv("TMPDIR");
	struct arena a = ARENA_INIT;
	char *temporary = arena_printf(
		&a, "%s/profdepot-export.XXXXXX", where && *where ? where : "/var/tmp");
	const char *folder;
	struct depot_rowset *rows;
	bool ok;

	if (!mkdtemp(temporary)) {
		error_set_errno(err, ERROR_FILE, "no folder for an export");
		arena_release(&a);
		return false;
	}
	folder = arena_printf(&a, "%s/tables", temporary);
	rows = depot_rowset_new(db, inst_ids, count, err);
	ok = rows && aqtime_write(depot_rowset_interface(rows), folder, false, NULL, err) &&
	     pack(&a, folder, out, err);
	depot_rowset_free(rows);
	rmdir(temporary);
	arena_release(&a);
	return ok;
}
