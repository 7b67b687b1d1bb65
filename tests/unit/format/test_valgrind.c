/*
 * Tests valgrind XML that is cut off (see is_place_to_cut) or mixed with another process's XML. The
 * reader must emit exactly the complete records. Frames that it recognises without expat must be
 * equal to the frames that expat parses.
 */
#include "format/formats.h"
#include "fuzz/checking_sink.h"
#include "input/bundle/bundle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *golden; /* folder of the golden files */

struct outcome {
	enum format_result result;
	size_t sets, records, issues;
	uint64_t sum;
};

static struct outcome
read_bytes(const char *data, size_t size)
{
	struct checking_sink *c = checking_sink_new(0);
	struct arena arena = ARENA_INIT;
	struct error err = ERROR_INIT;
	struct bundle *b = bundle_from_memory("f.xml", data, size);
	struct format_source source = { .path = "f.xml", .bundle = b, .arena = &arena };
	enum format_result result =
		format_read(&format_valgrind, &source, checking_sink_interface(c), &err);
	struct checking_counts n = checking_sink_counts(c);
	const struct outcome o = { result, n.sets, n.records, n.issues, checking_sink_sum(c) };

	checking_sink_finish(c, result, &err);
	checking_sink_free(c);
	bundle_close(b);
	arena_release(&arena);
	return o;
}

static char *
read_golden(const char *name, size_t *size)
{
	char path[1000];
	FILE *in;
	char *data = calloc(1, 1 << 20);

	snprintf(path, sizeof(path), "%s/%s", golden, name);
	in = fopen(path, "rb");
	assert_non_null(in);
	*size = fread(data, 1, 1 << 20, in);
	fclose(in);
	return data;
}

/* Returns how many times the bytes contain the word. */
static size_t
count_word(const char *data, size_t size, const char *word)
{
	size_t n = 0;
	size_t length = strlen(word);

	for (size_t i = 0; i + length <= size; i++)
		n += memcmp(data + i, word, length) == 0;
	return n;
}

static const char end_of_error[] = "</error>";

/* Returns whether the test cuts the file at n. It cuts at multiples of `step`, in end tags, and near both
 * ends of the file. */
static bool
is_place_to_cut(const char *data, size_t size, size_t n, size_t step)
{
	size_t end = strlen(end_of_error);

	if (n % step == 0 || n < 300 || n + 40 > size)
		return true;
	for (size_t i = n - end; i <= n && i + end <= size; i++)
		if (memcmp(data + i, end_of_error, end) == 0)
			return true;
	return false;
}

static void
test_cut(void **state)
{
	static const struct {
		const char *name;
		size_t step;
	} files[] = { { "memcheck.xml", 11 }, { "helgrind.xml", 7 }, { "drd.xml", 1 } };

	(void)state;
	for (size_t f = 0; f < 3; f++) {
		size_t size;
		char *data = read_golden(files[f].name, &size);
		/* A file that is cut off before this offset does not contain the process ID. */
		size_t known = (size_t)(strstr(data, "</pid>") - data) + 6;

		for (size_t n = 1; n < size; n++) {
			struct outcome o;

			if (!is_place_to_cut(data, size, n, files[f].step))
				continue;
			o = read_bytes(data, n);
			if (n < known) {
				assert_int_equal(o.result, FORMAT_FAILED);
				continue;
			}
			assert_int_equal(o.result, FORMAT_DONE);
			assert_int_equal(o.sets, 1);
			assert_int_equal(o.records, count_word(data, n, end_of_error));
			/* An issue is reported, unless only the final line end is missing. */
			assert_true(o.issues > 0 || n >= size - 1);
		}
		free(data);
	}
}

/* The output of one process is cut off, and the output of another process follows. */
static void
test_cut_and_followed(void **state)
{
	size_t size, next_size;
	char *data = read_golden("memcheck.xml", &size);
	char *next = read_golden("drd.xml", &next_size);
	char *both = calloc(1, size + next_size);
	size_t begin = (size_t)(strstr(data, "<args>") - data);
	size_t all = count_word(next, next_size, end_of_error);

	(void)state;
	for (size_t n = begin; n <= size; n++) {
		struct outcome o;

		if (!is_place_to_cut(data, size, n, 11))
			continue;
		memcpy(both, data, n);
		memcpy(both + n, next, next_size);
		o = read_bytes(both, n + next_size);
		assert_int_equal(o.result, FORMAT_DONE);
		assert_int_equal(o.sets, 2);
		assert_int_equal(o.records, count_word(data, n, end_of_error) + all);
	}
	free(data);
	free(next);
	free(both);
}

/* If the tag <frame> contains a blank, the reader parses the frame with expat. Otherwise, it recognises the frame by
 * its text. The blank must not change the result. */
static void
test_frames_again(void **state)
{
	static const char *const names[] = { "memcheck.xml", "helgrind.xml", "drd.xml",
		"imitator.xml" };

	(void)state;
	for (size_t f = 0; f < 4; f++) {
		size_t size;
		char *data = read_golden(names[f], &size);
		char *other = calloc(2, size);
		size_t n = 0;

		for (size_t i = 0; i < size; i++) {
			other[n++] = data[i];
			if (i >= 6 && memcmp(data + i - 5, "<frame", 6) == 0)
				other[n++] = ' ';
		}
		assert_true(n > size);
		assert_true(read_bytes(data, size).sum == read_bytes(other, n).sum);
		free(data);
		free(other);
	}
}

/* The counts come after the errors in the file. The reader looks ahead for the counts instead of storing the errors. */
static void
test_counts_ahead(void **state)
{
	enum {
		ERRORS = 30000
	};
	size_t room = (size_t)ERRORS * 1000;
	char *data = malloc(room);
	size_t n = 0;
	struct outcome o;

	(void)state;
	n += (size_t)snprintf(data, room, "<valgrindoutput>");
	for (unsigned i = 0; i < ERRORS; i++)
		n += (size_t)snprintf(data + n, room - n,
			"<error><unique>0x%x</unique><kind>K</kind><what>%0500u</what></error>\n",
			i, i);
	n += (size_t)snprintf(data + n, room - n, "<errorcounts>");
	for (unsigned i = 0; i < ERRORS; i++)
		n += (size_t)snprintf(data + n, room - n,
			"<pair><count>%u</count><unique>0x%x</unique></pair>\n", i + 2, i);
	n += (size_t)snprintf(data + n, room - n,
		"</errorcounts><error_summary><errors>%llu</errors>"
		"<error_contexts>%d</error_contexts></error_summary></valgrindoutput>",
		(unsigned long long)ERRORS * (ERRORS + 3) / 2, ERRORS);
	o = read_bytes(data, n);
	assert_int_equal(o.result, FORMAT_DONE);
	assert_int_equal(o.records, ERRORS);
	/* The summary of the file equals the sum of all counts, so no issue is reported. */
	assert_int_equal(o.issues, 0);
	free(data);
}

/* Each comment or tag has a maximum size; a longer one is reported as an issue. */
static void
test_long_tokens(void **state)
{
	enum {
		ERRORS = 4000,
		COMMENT = 900 * 1000,
		TAG = 5 * 1000 * 1000
	};
	static const char record[] = "<error><unique>0x1</unique><kind>K</kind></error>\n";
	size_t room = (size_t)ERRORS * 600 + COMMENT + TAG;
	char *data = malloc(room);
	size_t n = 0;
	struct outcome o;

	(void)state;
	n += (size_t)snprintf(data, room, "<valgrindoutput>");
	for (unsigned i = 0; i < ERRORS; i++)
		n += (size_t)snprintf(data + n, room - n,
			"<error><unique>0x%x</unique><kind>K</kind><what>%0500u</what></error>\n",
			i + 2, i);
	n += (size_t)snprintf(data + n, room - n, "<!--");
	memset(data + n, 'c', COMMENT);
	n += COMMENT;
	n += (size_t)snprintf(data + n, room - n, "-->%s", record);
	o = read_bytes(data, n);
	assert_int_equal(o.result, FORMAT_DONE);
	assert_int_equal(o.records, ERRORS + 1);
	assert_int_equal(o.issues, 1); /* the document has no end tag */

	n = (size_t)snprintf(data, room, "<valgrindoutput>%s<error ", record);
	memset(data + n, 'a', TAG);
	n += TAG;
	o = read_bytes(data, n);
	assert_int_equal(o.result, FORMAT_DONE);
	assert_int_equal(o.records, 1);
	assert_true(o.issues >= 2); /* the document has no end tag, and a tag is too long */
	n += (size_t)snprintf(data + n, room - n, ">\n%s", record);
	o = read_bytes(data, n);
	assert_int_equal(o.result, FORMAT_DONE);
	assert_int_equal(o.records, 2);
	free(data);
}

/* For any damaged input, the reader must end in a time that is proportional to the input's size. */
static void
test_hostile(void **state)
{
	enum {
		SIZE = 16 * 1024
	};
	static const char *const parts[] = { "<stack>", "<!-- <stack>", "<error>", "<error><stack>",
		"<a>", "<error><stack><frame>", "<valgrindoutput>", "</valgrindoutput>", "\xff",
		"<", "<error><a><a><a><a><a><a><a><a>", "<?xml ", "&a;", "<errorcounts><pair>",
		"<error></error>" };
	char *data = malloc(SIZE + 100);

	(void)state;
	for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++) {
		size_t n = (size_t)snprintf(data, 100, "<valgrindoutput><pid>1</pid>");
		size_t part = strlen(parts[p]);

		while (n + part <= SIZE) {
			memcpy(data + n, parts[p], part);
			n += part;
		}
		(void)read_bytes(data, n);
	}
	free(data);
}

static size_t
append(char *data, size_t n, const char *text)
{
	while (*text)
		data[n++] = *text++;
	return n;
}

/* A record with too many frames, which are equal here, is reported with the line on which it starts. All other records,
 * before and after this one, are read exactly once. */
static void
test_too_many_frames(void **state)
{
	enum {
		FRAMES = 1024 * 1024 + 5
	};
	static const char frame[] = "<frame>\n<fn>f</fn>\n</frame>\n";
	static const char begin[] = "<error>\n<kind>InvalidRead</kind>\n<stack>\n";
	static const char end[] = "</stack>\n</error>\n";
	char *data = malloc((size_t)FRAMES * sizeof(frame) + 4096);
	size_t n = append(data, 0, "<valgrindoutput>\n<pid>1</pid>\n<tool>memcheck</tool>\n");
	struct outcome o;

	(void)state;
	for (int record = 0; record < 12; record++) {
		n = append(data, n, begin);
		for (int i = 0; i < (record == 8 ? FRAMES : 2); i++)
			n = append(data, n, frame);
		n = append(data, n, end);
	}
	n = append(data, n, "</valgrindoutput>\n");
	o = read_bytes(data, n);
	assert_int_equal(o.result, FORMAT_DONE);
	assert_int_equal(o.sets, 1);
	assert_int_equal(o.records, 11);
	assert_int_equal(o.issues, 1);
	free(data);
}

int
main(void)
{
	static char folder[900];
	const char *srcdir = getenv("srcdir");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_cut_and_followed),
		cmocka_unit_test(test_frames_again),
		cmocka_unit_test(test_counts_ahead),
		cmocka_unit_test(test_long_tokens),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_too_many_frames),
	};

	snprintf(folder, sizeof(folder), "%s/tests/golden/valgrind", srcdir ? srcdir : ".");
	golden = folder;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
