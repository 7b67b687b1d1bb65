/* Writes a rowset as a folder of .csv files. */
#define _DEFAULT_SOURCE /* fwrite_unlocked */
#include "format/aqtime/aqtime_write.h"

#include "base/arena.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	BUFFER_BYTES = 256 * 1024
};

/* An export in progress. */
struct export
{
	struct arena arena;
	const char *folder; /* without trailing slashes */
	const char *temporary;
	int fd;       /* descriptor of the temporary folder */
	char *buffer; /* buffer of the open file */
	struct aqtime_written written;
};

static bool
is_csv(const char *name)
{
	size_t n = strlen(name);

	return n > 4 && strcasecmp(name + n - 4, ".csv") == 0;
}

static bool
is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static bool
check_entry(const char *folder, const char *name, bool replace, struct error *err)
{
	if (!replace) {
		error_set(err, ERROR_FILE, "%s exists and is not empty", folder);
		return error_hint(err, "name a new folder, or use --force to replace this one");
	}
	if (!is_csv(name)) {
		error_set(err, ERROR_FILE, "%s contains \"%s\", which is not an export file",
			folder, name);
		return error_hint(err, "--force replaces only a folder of .csv files");
	}
	return true;
}

/* Returns true if the folder is absent, is empty, or may be replaced. */
static bool
check_place(const char *folder, bool replace, struct error *err)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	bool ok = true;

	if (!dir)
		return errno == ENOENT ? true : error_set_errno(err, ERROR_FILE, "%s", folder);
	while (ok && (entry = readdir(dir)))
		if (!is_dots(entry->d_name))
			ok = check_entry(folder, entry->d_name, replace, err);
	closedir(dir);
	return ok;
}

/* Removes an export folder and its files; ignores errors. */
static void
remove_folder(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if (!is_dots(entry->d_name))
			unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
	rmdir(folder);
}

/* Creates the temporary folder next to the target. */
static bool
make_beside(struct export *e, struct error *err)
{
	for (int i = 0; i < 1000; i++) {
		e->temporary =
			arena_printf(&e->arena, "%s.new-%ld-%d", e->folder, (long)getpid(), i);
		if (mkdir(e->temporary, 0777) == 0) {
			e->fd = open(e->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
			if (e->fd >= 0)
				return true;
			break;
		}
		if (errno != EEXIST)
			break;
	}
	return error_set_errno(err, ERROR_FILE, "%s", e->temporary);
}

/* Renames the temporary folder to its final name. rename() can replace only an empty folder. If the old folder has
 * files, it is first renamed as a whole, so that no reader ever sees part of an export. */
static bool
take_place(struct export *e, bool replace, struct error *err)
{
	const char *aside = arena_printf(&e->arena, "%s.old-%ld", e->folder, (long)getpid());
	bool moved = false;

	if (rename(e->temporary, e->folder) == 0)
		return true;
	if (replace && (errno == ENOTEMPTY || errno == EEXIST)) {
		moved = rename(e->folder, aside) == 0;
		if (moved && rename(e->temporary, e->folder) == 0) {
			remove_folder(aside);
			return true;
		}
	}
	error_set_errno(err, ERROR_FILE, "%s", e->folder);
	if (moved)
		rename(aside, e->folder);
	return false;
}

static bool
needs_quotes(struct text t)
{
	if (t.size == 0 || char_is_blank(t.data[0]) || char_is_blank(t.data[t.size - 1]))
		return true;
	for (size_t i = 0; i < t.size; i++) {
		char c = t.data[i];

		if (c == ',' || c == '"' || c == '\n' || c == '\r')
			return true;
	}
	return text_equal_nocase(t, TEXT_LITERAL("NULL"));
}

static void
put_quoted(FILE *out, struct text t)
{
	putc_unlocked('"', out);
	for (size_t i = 0; i < t.size; i++) {
		if (t.data[i] == '"')
			putc_unlocked('"', out);
		putc_unlocked(t.data[i], out);
	}
	putc_unlocked('"', out);
}

/* Returns false and sets errno if the file cannot be written. */
static bool
put_row(FILE *out, const struct text *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i)
			putc_unlocked(',', out);
		if (text_is_null(fields[i]))
			continue;
		if (needs_quotes(fields[i]))
			put_quoted(out, fields[i]);
		else
			fwrite_unlocked(fields[i].data, 1, fields[i].size, out);
	}
	putc_unlocked('\n', out);
	return !ferror_unlocked(out);
}

static bool
write_rows(struct export *e, FILE *out, const char *name, struct row_reader *r, struct error *err)
{
	struct text *names = arena_alloc_array(&e->arena, r->column_count, sizeof(*names));
	enum row_status status = ROW_END;
	struct row row;
	bool ok;

	for (size_t i = 0; i < r->column_count; i++)
		names[i] = text_from(r->columns[i]);
	ok = put_row(out, names, r->column_count);
	/* Stop at the first row that cannot be written, for example because the disk is full. */
	for (; ok && (status = r->next(r, &row, err)) == ROW_READ; e->written.rows++)
		ok = put_row(out, row.fields, row.count);
	if (status == ROW_ERROR)
		return false;
	if (ok && fflush(out) == 0 && (fsync(fileno(out)) == 0 || errno == EINVAL))
		return true;
	return error_set_errno(err, ERROR_FILE, "%s", name);
}

static bool
write_table(struct export *e, struct row_reader *r, struct error *err)
{
	const char *name = arena_printf(&e->arena, "%s.csv", r->source);
	int fd = openat(e->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	bool ok;

	if (!out)
		return error_set_errno(err, ERROR_FILE, "%s/%s", e->temporary, name);
	setvbuf(out, e->buffer, _IOFBF, BUFFER_BYTES);
	ok = write_rows(e, out, name, r, err);
	e->written.bytes += ftello(out);
	e->written.tables++;
	if (fclose(out) != 0 && ok)
		return error_set_errno(err, ERROR_FILE, "%s", name);
	return ok;
}

static bool
write_tables(struct export *e, struct rowset *s, struct error *err)
{
	for (size_t i = 0; i < s->table_count; i++) {
		struct row_reader *r = s->open(s, i, err);
		bool ok;

		if (!r)
			return error_prefix(err, "%s", s->tables[i]);
		ok = write_table(e, r, err);
		r->close(r);
		if (!ok)
			return false;
	}
	if (fsync(e->fd) != 0 && errno != EINVAL)
		return error_set_errno(err, ERROR_FILE, "%s", e->temporary);
	return true;
}

bool
aqtime_write(struct rowset *s, const char *folder, bool replace, struct aqtime_written *written,
	struct error *err)
{
	struct export e = { .arena = ARENA_INIT, .fd = -1 };
	size_t size = strlen(folder);
	bool ok;

	while (size > 1 && folder[size - 1] == '/')
		size--;
	e.folder = arena_strndup(&e.arena, folder, size);
	e.buffer = arena_alloc(&e.arena, BUFFER_BYTES);
	ok = check_place(e.folder, replace, err) && make_beside(&e, err);
	if (ok) {
		ok = write_tables(&e, s, err);
		close(e.fd);
		ok = ok && take_place(&e, replace, err);
		if (!ok)
			remove_folder(e.temporary);
	}
	if (written)
		*written = e.written;
	arena_release(&e.arena);
	return ok;
}
