/* Tests folders and archives. */
#include "bundle_folder.h"
#include "input/bundle/bundle_private.h"
#include "input/csv/csv_rowset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <archive_entry.h>
#include <cmocka.h>

/* A file, folder or link that a test puts into a folder or an archive. */
struct member {
	const char *path;
	const char *text;  /* NULL for a folder */
	const char *other; /* target of a link */
	mode_t type;       /* 0 for a regular file */
};

static void
write_folder(struct arena *a, const char *name, const struct member *members)
{
	mkdir(path_of(a, name), 0700);
	for (; members->path; members++)
		write_file(path_of(a, arena_printf(a, "%s/%s", name, members->path)), members->text,
			strlen(members->text));
}

static void
write_member(struct archive *w, const struct member *m)
{
	struct archive_entry *e = archive_entry_new();
	size_t size = m->text ? strlen(m->text) : 0;

	archive_entry_set_pathname(e, m->path);
	archive_entry_set_filetype(e, m->type ? m->type : m->text ? AE_IFREG : AE_IFDIR);
	archive_entry_set_perm(e, 0600);
	archive_entry_set_size(e, (int64_t)size);
	if (m->other && m->type == AE_IFLNK)
		archive_entry_set_symlink(e, m->other);
	else if (m->other)
		archive_entry_set_hardlink(e, m->other);
	assert_true(archive_write_header(w, e) >= ARCHIVE_WARN);
	if (size)
		assert_int_equal(archive_write_data(w, m->text, size), (la_ssize_t)size);
	archive_entry_free(e);
}

/* Writes an archive and returns its path. The ending of the name selects the kind: .zip, .tar, .tgz, .tzst, or .enc for
 * an encrypted zip. */
static const char *
write_archive(struct arena *a, const char *name, const struct member *members)
{
	const char *path = path_of(a, name);
	const char *ending = strrchr(name, '.');
	struct archive *w = archive_write_new();

	if (strcmp(ending, ".zip") == 0 || strcmp(ending, ".enc") == 0)
		archive_write_set_format_zip(w);
	else
		archive_write_set_format_pax_restricted(w);
	if (strcmp(ending, ".tgz") == 0)
		archive_write_add_filter_gzip(w);
	if (strcmp(ending, ".tzst") == 0)
		archive_write_add_filter_zstd(w);
	if (strcmp(ending, ".enc") == 0) {
		assert_int_equal(
			archive_write_set_options(w, "zip:encryption=traditional"), ARCHIVE_OK);
		archive_write_set_passphrase(w, "secret");
	}
	assert_int_equal(archive_write_open_filename(w, path), ARCHIVE_OK);
	for (; members->path; members++)
		write_member(w, members);
	assert_int_equal(archive_write_close(w), ARCHIVE_OK);
	archive_write_free(w);
	return path;
}

static const struct member export[] = {
	{ .path = "dbo.instances.csv", .text = "INST_ID\n1\n2\n" },
	{ .path = "RELATIONS.TXT", .text = "ID\tINST_ID\n5\t1\n" },
	{ .path = "[dbo].[Resource_Profiler_Objects].tsv", .text = "ID\tX\n1\t2\n" },
	{ .path = "readme.md", .text = "no table" },
	{ .path = ".hidden.csv", .text = "" },
	{ NULL },
};

static const struct member nested[] = {
	{ .path = "./exports/nightly/" },
	{ .path = "./exports/nightly/dbo.instances.csv", .text = "INST_ID\n1\n2\n" },
	{ .path = "exports//nightly/RELATIONS.TXT", .text = "ID\tINST_ID\n5\t1\n" },
	{ .path = "exports\\nightly\\[dbo].[Resource_Profiler_Objects].tsv",
		.text = "ID\tX\n1\t2\n" },
	{ .path = "readme.md", .text = "no table" },
	{ .path = "__MACOSX/RELATIONS.TXT", .text = "junk" },
	{ .path = "exports/.git/RELATIONS.TXT", .text = "junk" },
	{ NULL },
};

static size_t
count_rows(struct rowset *r, size_t table)
{
	struct error err = ERROR_INIT;
	struct row_reader *reader = r->open(r, table, &err);
	struct row row;
	size_t rows = 0;

	assert_non_null(reader);
	while (reader->next(reader, &row, &err) == ROW_READ)
		rows++;
	assert_int_equal(err.code, ERROR_NONE);
	reader->close(reader);
	return rows;
}

/* Checks that a bundle contains the tables of an export, and reads each table twice. Writes the digest of the bundle to
 * `hex`. */
static void
check_export(const char *path, char hex[2 * SHA256_BYTES + 1])
{
	static const char *const tables[] = { "INSTANCES", "RELATIONS",
		"RESOURCE_PROFILER_OBJECTS" };
	static const size_t rows[] = { 2, 1, 1 };
	struct csv_options options = { 0 };
	struct error err = ERROR_INIT;
	struct bundle *b = bundle_open(path, NULL, &err);
	struct csv_rowset *s = b ? csv_rowset_new(b, &options, &err) : NULL;
	uint8_t digest[SHA256_BYTES];
	struct rowset *r;

	assert_string_equal(err.message, "");
	assert_non_null(s);
	r = csv_rowset_interface(s);
	assert_int_equal(r->table_count, 3);
	assert_int_equal(csv_rowset_size(s), 12 + 15 + 9);
	for (int again = 0; again < 2; again++) {
		for (size_t i = 0; i < 3; i++) {
			assert_string_equal(r->tables[i], tables[i]);
			assert_int_equal(count_rows(r, i), rows[i]);
		}
		assert_int_equal(csv_rowset_consumed(s), csv_rowset_size(s));
		csv_rowset_reset_consumed(s);
	}
	assert_int_equal(rowset_find(r, "RELATIONS"), 1);
	assert_int_equal(csv_rowset_table_size(s, 1), 15);
	assert_true(csv_rowset_digest(s, digest, &err));
	hex_format(digest, sizeof(digest), hex);
	csv_rowset_free(s);
	bundle_close(b);
}

/* A folder and all kinds of archives with the same files have the same digest. */
static void
test_kinds(void **state)
{
	static const char *const names[] = { "a.zip", "a.tar", "a.tgz", "a.tzst" };
	struct arena a = ARENA_INIT;
	char want[2 * SHA256_BYTES + 1], hex[2 * SHA256_BYTES + 1];

	(void)state;
	write_folder(&a, "plain", export);
	assert_int_equal(mkdir(path_of(&a, "plain/sub.csv"), 0700), 0);
	check_export(path_of(&a, "plain"), want);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		check_export(write_archive(&a, names[i], export), hex);
		assert_string_equal(hex, want);
		check_export(write_archive(&a, names[i], nested), hex);
		assert_string_equal(hex, want);
	}
	arena_release(&a);
}

static void
test_refused_members(void **state)
{
	static const struct {
		struct member members[3];
		enum error_code code;
		const char *what;
	} cases[] = {
		/* names that point outside the archive */
		{ { { .path = "../X.csv", .text = "A\n" } }, ERROR_INPUT,
			"points outside the archive" },
		{ { { .path = "a/../X.csv", .text = "A\n" } }, ERROR_INPUT,
			"points outside the archive" },
		{ { { .path = "a\\..\\X.csv", .text = "A\n" } }, ERROR_INPUT,
			"points outside the archive" },
		{ { { .path = "/X.csv", .text = "A\n" } }, ERROR_INPUT, "absolute" },
		{ { { .path = "C:\\X.csv", .text = "A\n" } }, ERROR_INPUT, "absolute" },
		{ { { .path = "a\x1b[1m.csv", .text = "A\n" } }, ERROR_INPUT,
			"control characters" },
		/* links and special files, even after a regular file */
		{ { { .path = "X.csv", .text = "", .other = "/etc/passwd", .type = AE_IFLNK } },
			ERROR_INPUT, "symbolic link" },
		{ { { .path = "X.csv", .text = "A\n" },
			  { .path = "Y.csv", .text = "", .other = "X.csv" } },
			ERROR_INPUT, "hard link" },
		{ { { .path = "X.csv", .text = "", .type = AE_IFIFO } }, ERROR_INPUT,
			"not a regular file" },
		/* two files with the same name, two files for one table, tables in two folders */
		{ { { .path = "a/X.csv", .text = "A\n" }, { .path = "b/X.csv", .text = "A\n" } },
			ERROR_INPUT, "two files named X.csv" },
		{ { { .path = "X.csv", .text = "A\n" }, { .path = "dbo.x.txt", .text = "A\n" } },
			ERROR_INPUT, "two files for the table X" },
		{ { { .path = "a/X.csv", .text = "A\n" }, { .path = "b/Y.csv", .text = "A\n" } },
			ERROR_INPUT, "several folders" },
		/* an archive without a file, without a table, with an invalid name */
		{ { { .path = "a/" } }, ERROR_INPUT, "has no files" },
		{ { { .path = "X.dat", .text = "A\n" } }, ERROR_INPUT, "has no table" },
		{ { { .path = "dbo.[].csv", .text = "A\n" } }, ERROR_INPUT, "not a table name" },
	};
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_refused(write_archive(&a, "bad.tar", cases[i].members), NULL, cases[i].code,
			cases[i].what);
	arena_release(&a);
}

static void
test_limits(void **state)
{
	struct arena a = ARENA_INIT;
	const char *path = write_archive(&a, "limits.tgz", export);
	size_t huge = 100000000;
	char *zeros = xmalloc(huge + 1);
	struct member bomb[] = { { .path = "X.csv", .text = zeros }, { NULL } };
	char hex[2 * SHA256_BYTES + 1];
	struct limits few_bytes = limits_local;
	struct limits few_files = limits_local;
	struct limits low_ratio = limits_local;

	(void)state;
	memset(zeros, '0', huge);
	zeros[huge] = '\0';
	few_bytes.bytes = 20;
	few_files.files = 3;
	low_ratio.ratio = 100;
	check_refused(path, &few_bytes, ERROR_LIMIT, "more than 20 bytes");
	check_refused(path, &few_files, ERROR_LIMIT, "more than 3 files");
	write_folder(&a, "limits", export);
	check_refused(path_of(&a, "limits"), &few_files, ERROR_LIMIT, "more than 3 files");
	check_refused(write_archive(&a, "bomb.zip", bomb), &low_ratio, ERROR_LIMIT,
		"X.csv: it unpacks to more than 100 times");
	check_refused(write_archive(&a, "bomb.tzst", bomb), &limits_upload, ERROR_LIMIT,
		"more than 1000 times");
	check_export(path, hex); /* this archive is accepted with the default limits */
	free(zeros);
	arena_release(&a);
}

static void
test_damaged(void **state)
{
	struct arena a = ARENA_INIT;
	struct stat st;
	const char *tar = write_archive(&a, "whole.tar", export);
	const char *zip = write_archive(&a, "whole.zip", export);
	const char *tgz = write_archive(&a, "whole.tgz", export);
	const char *tzst = write_archive(&a, "whole.tzst", export);

	(void)state;
	/* a tar that is cut in a member's header, in a member's bytes, or between two members */
	check_refused(cut(&a, tar, "cut.tar", 300), NULL, ERROR_INPUT, "has no table");
	check_refused(cut(&a, tar, "cut.tar", 517), NULL, ERROR_INPUT, "truncated");
	check_refused(cut(&a, tar, "cut.tar", 1024), NULL, ERROR_INPUT, "truncated");
	/* a zip that is cut before its directory or before its end record */
	check_refused(cut(&a, zip, "cut.zip", 100), NULL, ERROR_INPUT, "truncated");
	check_refused(cut(&a, zip, "cut.zip", -1), NULL, ERROR_INPUT, "truncated");
	/* a compressed archive that is cut anywhere; the error depends on the place */
	assert_int_equal(stat(tgz, &st), 0);
	for (long keep = 20; keep < (long)st.st_size; keep += 7)
		check_refused(cut(&a, tgz, "cut.tgz", keep), NULL, ERROR_INPUT, "");
	check_refused(cut(&a, tzst, "cut.tzst", 100), NULL, ERROR_INPUT, "");
	check_refused(write_archive(&a, "secret.enc", export), NULL, ERROR_INPUT, "encrypted");
	arena_release(&a);
}

static void
test_no_bundle(void **state)
{
	struct arena a = ARENA_INIT;
	static const struct member none[] = { { NULL } };

	(void)state;
	write_folder(&a, "empty", none);
	check_refused(path_of(&a, "empty"), NULL, ERROR_INPUT, "has no files");
	check_refused(path_of(&a, "nowhere"), NULL, ERROR_FILE, "No such file");
	write_file(path_of(&a, "nothing"), "", 0);
	check_refused(path_of(&a, "nothing"), NULL, ERROR_INPUT, "the file is empty");
	check_refused("/dev/null", NULL, ERROR_INPUT, "neither a file nor a folder");
	write_file(path_of(&a, "empty.zip"), "PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22);
	check_refused(path_of(&a, "empty.zip"), NULL, ERROR_INPUT, "has no files");
	arena_release(&a);
}

/* If a member of a folder or archive is a compressed file, it must be unpacked. */
static void
test_compressed_members(void **state)
{
	struct arena a = ARENA_INIT;
	char want[2 * SHA256_BYTES + 1], hex[2 * SHA256_BYTES + 1];

	(void)state;
	write_folder(&a, "packed", export);
	check_export(path_of(&a, "packed"), want);
	assert_int_equal(unlink(path_of(&a, "packed/RELATIONS.TXT")), 0);
	write_compressed(
		&a, "packed/RELATIONS.TXT.gz", archive_write_add_filter_gzip, export[1].text);
	check_export(path_of(&a, "packed"), hex);
	assert_string_equal(hex, want);
	cut(&a, path_of(&a, "packed/RELATIONS.TXT.gz"), "packed/X.csv.gz", 20);
	check_refused(path_of(&a, "packed"), NULL, ERROR_INPUT, "X.csv.gz");
	arena_release(&a);
}

/* Names that the C locale cannot represent must be returned unchanged. */
static void
test_foreign_names(void **state)
{
	static const char *const names[] = { "utf.zip", "utf.tar" };
	static const struct member members[] = {
		{ .path = "\xD1\x8D\xD0\xBA/INSTANCES.csv", .text = "A\n1\n" },
		{ NULL },
	};
	struct arena a = ARENA_INIT;
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		open_message(write_archive(&a, names[i], members), NULL, &err);
		assert_string_equal(err.message, "");
	}
	arena_release(&a);
}

/* Two readers of the same unpacked member must have separate positions. */
static void
test_side_by_side(void **state)
{
	struct arena a = ARENA_INIT;
	struct error err = ERROR_INIT;
	struct bundle *b = bundle_open(write_archive(&a, "side.tar", export), NULL, &err);
	int one, two;
	char x, y;

	(void)state;
	assert_non_null(b);
	one = bundle_open_member(b, 0, &err);
	two = bundle_open_member(b, 0, &err);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(read(one, &x, 1), 1);
		assert_int_equal(read(two, &y, 1), 1);
		assert_int_equal(x, y);
	}
	close(one);
	close(two);
	bundle_close(b);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_refused_members),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_no_bundle),
		cmocka_unit_test(test_compressed_members),
		cmocka_unit_test(test_foreign_names),
		cmocka_unit_test(test_side_by_side),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
