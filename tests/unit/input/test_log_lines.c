/* Tests reading the lines of logs: encodings without a byte order mark, encodings that change within a
 * log, and line ends. The results must not depend on the size of the reads. */
#include "input/line_reader.h"

#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Writes each line as OFFSET:TEXT, then ~ if it has no line end. */
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
		strbuf_printf(out, "%d:%.*s%s|", (int)l.offset, (int)l.text.size, l.text.data,
			l.unended ? "~" : "");
	}
	line_reader_free(r);
}

static void
expect(const struct strbuf *bytes, const char *lines)
{
	const struct line_options o = { .source = "test", .log = true };
	struct strbuf out = STRBUF_INIT(1 << 20);

	for (size_t chunk = 0; chunk <= bytes->size + 1; chunk++) {
		dump(line_reader_new_memory(bytes->data, bytes->size, chunk, &o), &out);
		assert_string_equal(strbuf_str(&out), lines);
	}
	strbuf_release(&out);
}

/* Appends ASCII text as UTF-16. */
static void
append_wide(struct strbuf *b, const char *text, bool little)
{
	for (; *text; text++) {
		if (!little)
			strbuf_append_char(b, '\0');
		strbuf_append_char(b, *text);
		if (little)
			strbuf_append_char(b, '\0');
	}
}

static void
test_line_ends(void **state)
{
	struct strbuf b = STRBUF_INIT(1000);

	(void)state;
	strbuf_append_str(&b, "a\r\r\nb\r\nc\nd\r\r\n\r\r\ne");
	expect(&b, "0:a|4:b|7:c|9:d|13:|16:e~|");
	strbuf_release(&b);
}

static void
test_utf16(void **state)
{
	(void)state;
	for (int mark = 0; mark < 2; mark++)
		for (int little = 0; little < 2; little++) {
			struct strbuf b = STRBUF_INIT(1000);

			if (mark)
				strbuf_append_str(&b, little ? "\xFF\xFE" : "\xFE\xFF");
			append_wide(&b, "first\r\nsecond line\r\n", little);
			expect(&b, mark ? "2:first|16:second line|" : "0:first|14:second line|");
			strbuf_release(&b);
		}
}

static void
test_appended(void **state)
{
	struct strbuf b = STRBUF_INIT(1000);
	static const char after[] = "\r\nafter the UTF-16 text\r\n";

	(void)state;
	strbuf_append_str(&b, "eight bit\r\n");
	strbuf_append(&b, "a\0b\n", 4);
	append_wide(&b, "----wide----\r\nline\r\n", true);
	expect(&b, "0:eight bit|11:a|15:----wide----|43:line|");
	strbuf_append(&b, after, sizeof(after) - 1);
	expect(&b, "0:eight bit|11:a|15:----wide----|43:line|55:|57:after the UTF-16 text|");
	strbuf_release(&b);

	b = STRBUF_INIT(1000);
	strbuf_append_str(&b, "eight bit\r\n\xFF\xFE");
	append_wide(&b, "----wide----\r\n", true);
	strbuf_append_str(&b, "\xEF\xBB\xBF----2026-11-23 00:58:26.469----\r\n");
	expect(&b, "0:eight bit|13:----wide----|44:----2026-11-23 00:58:26.469----|");
	strbuf_release(&b);
}

static void
test_clean(void **state)
{
	struct line_reader *r = line_reader_new_memory("", 0, 0, NULL);
	bool bad = false;

	(void)state;
	assert_true(text_equal(
		line_clean(r, TEXT_LITERAL("T\xC3\xB6st"), &bad), TEXT_LITERAL("T\xC3\xB6st")));
	assert_false(bad);
	assert_true(text_equal(
		line_clean(r, TEXT_LITERAL("T\xF6st"), &bad), TEXT_LITERAL("T\xEF\xBF\xBDst")));
	assert_true(bad);
	assert_false(line_set_code_page(r, "no such page"));
	assert_true(line_set_code_page(r, "CP1251"));
	bad = false;
	assert_true(text_equal(
		line_clean(r, TEXT_LITERAL("\xCF\xF0"), &bad), TEXT_LITERAL("\xD0\x9F\xD1\x80")));
	assert_false(bad);
	assert_true(line_set_code_page(r, "CP1252"));
	assert_true(text_equal(line_clean(r, TEXT_LITERAL("\xF6\x81z"), &bad),
		TEXT_LITERAL("\xC3\xB6\xEF\xBF\xBDz")));
	assert_true(bad);
	assert_true(text_equal(
		line_clean(r, (struct text){ "\xF6\0z", 3 }, &bad), TEXT_LITERAL("\xC3\xB6\x1A"
										 "0000z")));
	line_reader_free(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line_ends),
		cmocka_unit_test(test_utf16),
		cmocka_unit_test(test_appended),
		cmocka_unit_test(test_clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
