/* Tests bundles of one file, plain or compressed. */
#include "base/hash.h"
#include "bundle_folder.h"
#include "input/bundle/bundle_private.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Checks that the bundle has one file with this name and these bytes, and the same digest as the
 * plain file. */
static void
check_file(struct bundle *b, const char *name, const char *text, size_t size)
{
	struct error err = ERROR_INIT;
	uint8_t digest[SHA256_BYTES], want[SHA256_BYTES];
	struct sha256 *sha = sha256_new();
	char *got = xmalloc(size + 2);
	int fd;

	assert_non_null(b);
	assert_true(bundle_is_file(b));
	assert_int_equal(bundle_count(b), 1);
	assert_string_equal(bundle_member(b, 0)->name, name);
	assert_int_equal(bundle_member(b, 0)->size, size);
	assert_int_equal(bundle_size(b), size);
	fd = bundle_open_member(b, 0, &err);
	assert_int_equal(read(fd, got, size + 1), size);
	assert_memory_equal(got, text, size);
	close(fd);
	sha256_update(sha, text, size);
	sha256_finish(sha, want);
	sha256_free(sha);
	assert_true(bundle_digest(b, digest, &err));
	assert_memory_equal(digest, want, sizeof(want));
	free(got);
	bundle_close(b);
}

static struct bundle *
open_file(const char *path)
{
	struct error err = ERROR_INIT;
	struct bundle *b = bundle_open(path, NULL, &err);

	assert_string_equal(err.message, "");
	return b;
}

/* Appends the file `from` to the file `to`. */
static void
append(const char *to, const char *from)
{
	char block[4096];
	int in = open(from, O_RDONLY);
	int out = open(to, O_WRONLY | O_APPEND);
	ssize_t n = read(in, block, sizeof(block));

	assert_true(n > 0 && write(out, block, (size_t)n) == n);
	close(in);
	close(out);
}

static const char text_of_file[] = "{\"profiles\": [1, 2, 3], \"shared\": {}}\n";

static void
test_files(void **state)
{
	static const struct {
		const char *name;
		int (*filter)(struct archive *);
	} kinds[] = {
		{ "t.json.gz", archive_write_add_filter_gzip },
		{ "t.json.ZST", archive_write_add_filter_zstd },
		{ "t.json.xz", archive_write_add_filter_xz },
		{ "t.json.bz2", archive_write_add_filter_bzip2 },
	};
	struct arena a = ARENA_INIT;
	size_t size = strlen(text_of_file);
	const char *twice = arena_printf(&a, "%s%s", text_of_file, text_of_file);

	(void)state;
	write_file(path_of(&a, "t.json"), text_of_file, size);
	check_file(open_file(path_of(&a, "t.json")), "t.json", text_of_file, size);
	check_file(bundle_from_memory("m", text_of_file, size), "m", text_of_file, size);
	check_file(bundle_from_memory("m", "", 0), "m", "", 0);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const char *path =
			write_compressed(&a, kinds[i].name, kinds[i].filter, text_of_file);
		struct stat st;

		check_file(open_file(path), "t.json", text_of_file, size);
		assert_int_equal(stat(path, &st), 0);
		for (long keep = 6; keep < (long)st.st_size - 12; keep += 5)
			check_refused(cut(&a, path, "c.json.gz", keep), NULL, ERROR_INPUT, "");
		append(cut(&a, path, "twice", (long)st.st_size), path);
		check_file(open_file(path_of(&a, "twice")), "twice", twice, 2 * size);
		append(cut(&a, path, "tail", (long)st.st_size), path_of(&a, "t.json"));
		check_refused(path_of(&a, "tail"), NULL, ERROR_INPUT, "");
	}
	arena_release(&a);
}

/* The content of a FIFO must be stored, so that it can be read again. */
static void
test_fifo(void **state)
{
	struct arena a = ARENA_INIT;
	const char *path = path_of(&a, "fifo");
	pid_t pid;

	(void)state;
	assert_int_equal(mkfifo(path, 0600), 0);
	pid = fork();
	if (pid == 0) {
		int fd = open(path, O_WRONLY);

		_exit(write(fd, text_of_file, strlen(text_of_file)) < 0);
	}
	check_file(open_file(path), "fifo", text_of_file, strlen(text_of_file));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_fifo),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
