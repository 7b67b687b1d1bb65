/* A rowset over the CSV files of a bundle. */
#include "input/csv/csv_rowset.h"

#include "base/arena.h"
#include "csv_private.h"
#include "input/bundle/bundle_private.h"

#include <fcntl.h>
#include <stdlib.h>

struct table {
	const char *name;
	size_t member; /* index in the bundle */
};

struct csv_rowset {
	struct rowset rowset; /* must be first: a rowset is cast to its csv_rowset */
	struct bundle *bundle;
	struct csv_options options;
	struct arena arena;
	struct table *tables; /* sorted by name */
	int64_t consumed;
};

/* Removes the ending .csv, .tsv or .txt. Returns false if the name has a different ending. */
static bool
drop_ending(struct text *name)
{
	static const char *const endings[] = { ".csv", ".tsv", ".txt" };

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (name->size > strlen(endings[i]) && text_ends_nocase(*name, endings[i])) {
			name->size -= strlen(endings[i]);
			return true;
		}
	return false;
}

/* The text after the last dot outside brackets and quotes. */
static struct text
drop_schema(struct text t)
{
	size_t begin = 0;
	char close = 0;

	for (size_t i = 0; i < t.size; i++) {
		char c = t.data[i];

		if (close)
			close = c == close ? 0 : close;
		else if (c == '[' || c == '"')
			close = c == '[' ? ']' : '"';
		else if (c == '.')
			begin = i + 1;
	}
	return (struct text){ t.data + begin, t.size - begin };
}

/* Whether the name can be shown in messages and stored in the depot. */
static bool
is_printable(struct text t)
{
	if (text_utf8_prefix(t.data, t.size) != t.size)
		return false;
	for (size_t i = 0; i < t.size; i++)
		if (char_is_control(t.data[i]))
			return false;
	return true;
}

/* The table's name, in the arena; NULL without an error if the file is not a table. */
static const char *
table_name(struct csv_rowset *s, const char *file, struct error *err)
{
	struct text t = text_from(file);

	if (!drop_ending(&t))
		return NULL;
	t = csv_bare_name(drop_schema(t));
	if (text_is_empty(t) || !is_printable(text_from(file))) {
		error_set(err, ERROR_INPUT, "%s has a file whose name is not a table name",
			bundle_path(s->bundle));
		error_hint(err, BUNDLE_HINT);
		return NULL;
	}
	return arena_upper(&s->arena, t);
}

static int
compare_tables(const void *a, const void *b)
{
	return strcmp(((const struct table *)a)->name, ((const struct table *)b)->name);
}

static const struct bundle_member *
member_of(const struct csv_rowset *s, size_t table)
{
	return bundle_member(s->bundle, s->tables[table].member);
}

/* Checks that each table occurs only once, and that all tables of an archive are in one folder. */
static bool
check_tables(const struct csv_rowset *s, struct error *err)
{
	const char *path = bundle_path(s->bundle);

	if (s->rowset.table_count == 0) {
		error_set(err, ERROR_INPUT, "%s has no table: no file ends in .csv, .tsv or .txt",
			path);
		return bundle_hint(s->bundle, err);
	}
	for (size_t i = 1; i < s->rowset.table_count; i++) {
		const struct bundle_member *one = member_of(s, i - 1);
		const struct bundle_member *two = member_of(s, i);

		if (compare_tables(&s->tables[i - 1], &s->tables[i]) == 0)
			return error_set(err, ERROR_INPUT,
				"%s has two files for the table %s: %s and %s", path,
				s->tables[i].name, one->name, two->name);
		if (strcmp(one->folder, two->folder) != 0) {
			error_set(err, ERROR_INPUT,
				"%s has tables in several folders: '%s' and '%s'", path,
				one->folder, two->folder);
			return error_hint(err, "load each export separately");
		}
	}
	return true;
}

static bool
find_tables(struct csv_rowset *s, struct error *err)
{
	size_t members = bundle_count(s->bundle);
	const char **names = arena_alloc_array(&s->arena, members, sizeof(*names));
	size_t n = 0;

	s->tables = arena_alloc_array(&s->arena, members, sizeof(*s->tables));
	for (size_t i = 0; i < members; i++) {
		struct error bad = ERROR_INIT;
		const char *name = table_name(s, bundle_member(s->bundle, i)->name, &bad);

		if (bad.code != ERROR_NONE) {
			*err = bad;
			return false;
		}
		if (name)
			s->tables[n++] = (struct table){ name, i };
	}
	qsort(s->tables, n, sizeof(*s->tables), compare_tables);
	for (size_t i = 0; i < n; i++)
		names[i] = s->tables[i].name;
	s->rowset.tables = names;
	s->rowset.table_count = n;
	return check_tables(s, err);
}

static struct row_reader *
open_table(struct rowset *r, size_t table, struct error *err)
{
	struct csv_rowset *s = (struct csv_rowset *)r;
	int fd = bundle_open_member(s->bundle, s->tables[table].member, err);

	if (fd < 0)
		return NULL;
	posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	return csv_open(fd, member_of(s, table)->name, &s->options, &s->consumed, err);
}

struct csv_rowset *
csv_rowset_new(struct bundle *b, const struct csv_options *options, struct error *err)
{
	struct csv_rowset *s = xcalloc(1, sizeof(*s));

	s->arena = ARENA_INIT;
	s->bundle = b;
	s->rowset.open = open_table;
	s->options = *options;
	if (options->encoding)
		s->options.encoding = arena_strdup(&s->arena, options->encoding);
	if (!find_tables(s, err)) {
		csv_rowset_free(s);
		return NULL;
	}
	return s;
}

void
csv_rowset_free(struct csv_rowset *s)
{
	if (!s)
		return;
	arena_release(&s->arena);
	free(s);
}

struct rowset *
csv_rowset_interface(struct csv_rowset *s)
{
	return &s->rowset;
}

bool
csv_rowset_digest(struct csv_rowset *s, uint8_t out[SHA256_BYTES], struct error *err)
{
	struct sha256 *all = sha256_new();
	bool ok = true;

	for (size_t i = 0; ok && i < s->rowset.table_count; i++)
		ok = bundle_digest_line(
			s->bundle, s->tables[i].member, s->tables[i].name, all, err);
	if (ok)
		sha256_finish(all, out);
	sha256_free(all);
	return ok;
}

int64_t
csv_rowset_table_size(const struct csv_rowset *s, size_t table)
{
	return member_of(s, table)->size;
}

int64_t
csv_rowset_size(const struct csv_rowset *s)
{
	int64_t size = 0;

	for (size_t i = 0; i < s->rowset.table_count; i++)
		size += csv_rowset_table_size(s, i);
	return size;
}

int64_t
csv_rowset_consumed(const struct csv_rowset *s)
{
	return s->consumed;
}

void
csv_rowset_reset_consumed(struct csv_rowset *s)
{
	s->consumed = 0;
}
