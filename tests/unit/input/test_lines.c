/* Tests reading lines from a stream: line ends, limits, encodings. The results must not depend on
 * the size of the reads. */
#include "input/line_reader.h"

#include "base/strbuf.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Writes each line as NUMBER@OFFSET:TEXT, then +BYTES for truncated bytes, ! for invalid UTF-8, and
 * ~ if it has no line end. */
static void
dump(struct line_reader *r, struct strbuf *out)
{
	struct error err = ERROR_INIT;
	struct line l;
	bool more;

	strbuf_reset(out);
	for (;;) {
		assert_true(line_next(r, &l, &more, &err));
		if (!more)
			break;
		assert_int_equal(l.text.data[l.text.size], 0);
		strbuf_printf(out, "%d@%d:%.*s", (int)l.number, (int)l.offset, (int)l.text.size,
			l.text.data);
		if (l.cut)
			strbuf_printf(out, "+%d", (int)l.cut);
		strbuf_append_str(out, l.bad_utf8 ? "!" : "");
		strbuf_append_str(out, l.unended ? "~|" : "|");
	}
	line_reader_free(r);
}

static void
expect(const char *bytes, size_t size, size_t max, const char *lines)
{
	struct line_options o = { .source = "test", .max_line_bytes = max };
	struct strbuf out;

	strbuf_init(&out, 1 << 20);
	for (size_t chunk = 0; chunk <= size + 1; chunk++) {
		dump(line_reader_new_memory(bytes, size, chunk, &o), &out);
		assert_string_equal(strbuf_str(&out), lines);
	}
	strbuf_release(&out);
}

#define EXPECT(bytes, max, lines) expect(bytes, sizeof(bytes) - 1, max, lines)

static void
test_ends(void **state)
{
	(void)state;
	EXPECT("", 0, "");
	EXPECT("\n", 0, "1@0:|");
	EXPECT("a", 0, "1@0:a~|");
	EXPECT("a\n", 0, "1@0:a|");
	EXPECT("a\r\nb\r\n\r\n", 0, "1@0:a|2@3:b|3@6:|");
	EXPECT("a\rb\n\nc", 0, "1@0:a\rb|2@4:|3@5:c~|");
	EXPECT("a\r", 0, "1@0:a\r~|");
}

static void
test_limits(void **state)
{
	(void)state;
	EXPECT("0123456789abcdef\nb", 16, "1@0:0123456789abcdef|2@17:b~|");
	EXPECT("0123456789abcdef\r\nb", 16, "1@0:0123456789abcdef|2@18:b~|");
	EXPECT("0123456789abcdefg\nb\n", 16, "1@0:0123456789abcdef+1|2@18:b|");
	EXPECT("0123456789abcdefghijklmnopqrstuv\nb\n", 16, "1@0:0123456789abcdef+16|2@33:b|");
	EXPECT("0123456789abcdefghijklmnopqrstuv", 16, "1@0:0123456789abcdef+16~|");
	EXPECT("0123456789abcd\xE2\x82\xAC\nb", 16, "1@0:0123456789abcd+3|2@18:b~|");
	EXPECT("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\n", 16,
		"1@0:\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
		"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
		"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD+1!|");
}

static void
test_encodings(void **state)
{
	(void)state;
	EXPECT("\xEF\xBB\xBF"
	       "a\nb",
		0, "1@3:a|2@5:b~|");
	EXPECT("\xFF\xFE"
	       "a\0\r\0\n\0\xAC\x20\n\0",
		0, "1@2:a|2@5:\xE2\x82\xAC|");
	EXPECT("\xFE\xFF"
	       "\0a\0\n\xD8\x3D\xDE\x00",
		0, "1@2:a|2@4:\xF0\x9F\x98\x80~|");
	EXPECT("\xFE\xFF\xD8\x3D\0a\xDE\x00\0", 0,
		"1@2:\xEF\xBF\xBD"
		"a\xEF\xBF\xBD\xEF\xBF\xBD~|");
	EXPECT("a\xC3(\nb\xE2\x82\n", 0, "1@0:a\xEF\xBF\xBD(!|2@4:b\xEF\xBF\xBD\xEF\xBF\xBD!|");
	EXPECT("a\0b\n\x1A\n", 0,
		"1@0:a\x1A"
		"0000b|2@4:\x1A"
		"001A|");
	/* A line that is truncated and contains invalid UTF-8. */
	EXPECT("a\0cdefghijklmnopqrst\nb\n", 16,
		"1@0:a\x1A"
		"0000cdefghijklmnop+4|2@21:b|");
}

static void
test_again(void **state)
{
	struct line_reader *r = line_reader_new_memory("a\nb\n", 4, 1, NULL);
	struct error err = ERROR_INIT;
	struct line l;
	bool more;

	(void)state;
	assert_true(line_next(r, &l, &more, &err));
	line_again(r);
	assert_true(line_next(r, &l, &more, &err) && more);
	assert_int_equal(l.number, 1);
	assert_true(line_next(r, &l, &more, &err) && more);
	assert_string_equal(l.text.data, "b");
	assert_true(line_next(r, &l, &more, &err) && !more);
	line_reader_free(r);
}

static void
test_descriptor(void **state)
{
	struct error err = ERROR_INIT;
	struct strbuf out = STRBUF_INIT(1000);
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "x\ny", 3), 3);
	close(ends[1]);
	dump(line_reader_new_fd(ends[0], NULL), &out);
	assert_string_equal(strbuf_str(&out), "1@0:x|2@2:y~|");
	close(ends[0]);
	strbuf_release(&out);

	struct line_reader *r =
		line_reader_new_fd(ends[0], &(struct line_options){ "gone", 0, NULL, NULL });
	struct line l;
	bool more;

	assert_false(line_next(r, &l, &more, &err));
	assert_int_equal(err.code, ERROR_FILE);
	assert_memory_equal(err.message, "gone: cannot be read", 20);
	line_reader_free(r);
}

static void
put_unit(unsigned char *out, unsigned unit)
{
	out[0] = unit & 0xFF;
	out[1] = (unsigned char)(unit >> 8);
}

/* Text that needs more bytes in UTF-8 than in UTF-16, as one line and as 200 lines. Every line
 * is longer than the smallest limit. */
static void
test_utf16_grows(void **state)
{
	enum {
		UNITS = 200000
	};
	static unsigned char text[2 + 2 * UNITS];
	static const size_t limits[] = { 16, 1000, 1000000 };

	(void)state;
	for (int every = 0; every < 2; every++) {
		put_unit(text, 0xFEFF);
		for (size_t i = 0; i < UNITS; i++)
			put_unit(text + 2 + 2 * i, every && i % 1000 == 999 ? '\n' : 0x4E2D);
		for (size_t k = 0; k < sizeof(limits) / sizeof(limits[0]); k++) {
			const struct line_options o = { "t", limits[k], NULL, NULL };
			struct line_reader *r = line_reader_new_memory(text, sizeof(text), 0, &o);
			struct error err = ERROR_INIT;
			struct line l;
			bool more = true;
			uint64_t lines = 0;

			while (line_next(r, &l, &more, &err) && more) {
				assert_memory_equal(l.text.data, "\xE4\xB8\xAD", 3);
				lines++;
			}
			assert_int_equal(err.code, ERROR_NONE);
			assert_int_equal(lines, every ? 200 : 1);
			line_reader_free(r);
		}
	}
}

/* An input that needs many reads: tests the order of the lines, reading to the end, and freeing the
 * reader before the end. */
static void
test_big_file(void **state)
{
	FILE *f = tmpfile();
	const uint64_t count = 900000;

	(void)state;
	assert_non_null(f);
	for (uint64_t i = 1; i <= count; i++)
		fprintf(f, "%" PRIu64 "\n", i);
	assert_int_equal(fflush(f), 0);
	for (uint64_t upto = count; upto > 1000; upto /= 3) {
		struct error err = ERROR_INIT;
		struct line_reader *r = line_reader_new_fd(fileno(f), NULL);
		struct line l;
		bool more = true;

		rewind(f);
		for (uint64_t i = 1; i <= upto; i++) {
			assert_true(line_next(r, &l, &more, &err) && more);
			assert_int_equal(l.number, i);
			assert_int_equal(strtoull(l.text.data, NULL, 10), i);
		}
		if (upto == count)
			assert_true(line_next(r, &l, &more, &err) && !more);
		line_reader_free(r);
	}
	fclose(f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_encodings),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_descriptor),
		cmocka_unit_test(test_utf16_grows),
		cmocka_unit_test(test_big_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
