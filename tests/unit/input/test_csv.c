#include "base/arena.h"
#include "base/strbuf.h"
#include "input/csv/csv_private.h"
#include "input/csv/csv_scan_private.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum {
	OUT_BYTES = 8 * 1024 * 1024
};

/* Bytes and their size, because the bytes may include NUL. */
#define B(s) s, sizeof(s) - 1

static int
file_with(const char *data, size_t size)
{
	char path[] = "/tmp/test_csv.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(write(fd, data, size), (ssize_t)size);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

/* Writes a row as "LINE@OFFSET field|field", with ~ for NULL. */
static void
put_row(struct strbuf *out, const struct row *row)
{
	strbuf_printf(out, "%u@%u ", (unsigned)row->line, (unsigned)row->offset);
	for (size_t i = 0; i < row->count; i++) {
		strbuf_append_str(out, i ? "|" : "");
		if (text_is_null(row->fields[i]))
			strbuf_append_char(out, '~');
		strbuf_append_text(out, row->fields[i]);
	}
	strbuf_append_char(out, '\n');
}

/* Writes the whole table as text: columns, rows, and the error if there is one. */
static void
dump(const char *data, size_t size, const struct csv_options *options, size_t chunk,
	struct strbuf *out)
{
	struct error err = ERROR_INIT;
	int64_t consumed = 0;
	struct row_reader *r =
		chunk ? csv_open_chunked(
				file_with(data, size), "f", options, chunk, &consumed, &err)
		      : csv_open(file_with(data, size), "f", options, &consumed, &err);
	enum row_status status = ROW_ERROR;
	struct row row;

	strbuf_init(out, OUT_BYTES);
	for (size_t i = 0; r && i < r->column_count; i++)
		strbuf_printf(out, "%s%s", i ? "|" : "", r->columns[i]);
	strbuf_append_char(out, '\n');
	while (r && (status = r->next(r, &row, &err)) == ROW_READ)
		put_row(out, &row);
	if (status == ROW_ERROR)
		strbuf_printf(out, "%s: %s", error_code_name(err.code), err.message);
	else
		assert_int_equal(consumed, size);
	if (r)
		r->close(r);
}

struct table_case {
	const char *data;
	size_t size;
	struct csv_options options;
	const char *want;
};

static void
check_cases(const struct table_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct strbuf got;

		/* To detect the delimiter, the first read must contain the whole header. */
		static const size_t chunks[] = { 0, 64, 65, 80, 127 };

		for (size_t k = 0; k < sizeof(chunks) / sizeof(chunks[0]); k++) {
			dump(cases[i].data, cases[i].size, &cases[i].options, chunks[k], &got);
			assert_string_equal(strbuf_str(&got), cases[i].want);
			strbuf_release(&got);
		}
	}
}

#define CHECK(cases) check_cases(cases, sizeof(cases) / sizeof((cases)[0]))

static void
test_rows(void **state)
{
	static const struct table_case cases[] = {
		/* a row with a line break, and a last row without a line break */
		{ B("A,B\n1,-1\n2,3"), { 0 }, "A|B\n2@4 1|-1\n3@9 2|3\n" },
		/* all three kinds of line breaks */
		{ B("A,B\r\n1,2\r3,4\n5,6\r\n"), { 0 }, "A|B\n2@5 1|2\n3@9 3|4\n4@13 5|6\n" },
		/* an empty field and the word NULL are NULL if they are not quoted; the word null is text */
		{ B("A,B,C,D,E\n,NULL,\"\",\"NULL\",null\n"), { 0 },
			"A|B|C|D|E\n2@10 ~|~||NULL|null\n" },
		/* NULL with a blank is text, and NULLS is text */
		{ B("A,B\nNULL ,NULLS\n"), { 0 }, "A|B\n2@4 NULL |NULLS\n" },
		/* after a delimiter at the end of a line, there is one more field */
		{ B("A,B\n1,\n2,"), { 0 }, "A|B\n2@4 1|~\n3@7 2|~\n" },
		/* rows with too few or too many fields are returned as they are */
		{ B("A,B\n1\n1,2,3\n"), { 0 }, "A|B\n2@4 1\n3@6 1|2|3\n" },
		/* doubled quotes, delimiters within quotes */
		{ B("A,B\n\"a\"\"b\",\"c,d\"\n\"\"\"\",\"\"\"\"\"\"\n"), { 0 },
			"A|B\n2@4 a\"b|c,d\n3@17 \"|\"\"\n" },
		/* line breaks within quotes are kept and counted; CR LF counts as one line break */
		{ B("A,B\n\"x\r\ny\nz\rw\",1\n2,3\n"), { 0 },
			"A|B\n2@4 x\r\ny\nz\rw|1\n6@17 2|3\n" },
		/* a quote within an unquoted field is text */
		{ B("A,B\n5\" pipe,a\"b\"\n"), { 0 }, "A|B\n2@4 5\" pipe|a\"b\"\n" },
		/* blank lines are ignored everywhere, but are counted in line numbers */
		{ B("\n\r\nA,B\n\n1,2\r\n\r\n3,4\n\n\n"), { 0 }, "A|B\n5@8 1|2\n7@15 3|4\n" },
		/* in a table of one column, blank lines are rows with a NULL */
		{ B("A\n1\n\n2\n"), { 0 }, "A\n2@2 1\n3@4 ~\n4@5 2\n" },
		/* a line with only a pair of quotes is not blank: it is a row with one empty field */
		{ B("A\n\"\"\n"), { 0 }, "A\n2@2 \n" },
		/* a header only */
		{ B("A,B"), { 0 }, "A|B\n" },
		{ B("A,B\r\n"), { 0 }, "A|B\n" },
		/* brackets, quotes and blanks are removed from names; NULL is a name */
		{ B("[A b], \"C\" ,\"[D]\",NULL,`E`\n"), { 0 }, "A b|C|D|NULL|E\n" },
	};

	(void)state;
	CHECK(cases);
}

static void
test_delimiters(void **state)
{
	static const struct table_case cases[] = {
		/* the most frequent delimiter in the header is chosen */
		{ B("A;B;C\n1;2;3,4\n"), { 0 }, "A|B|C\n2@6 1|2|3,4\n" },
		{ B("A\tB\n1\t2\n"), { 0 }, "A|B\n2@4 1|2\n" },
		{ B("A|B\n1|2\n"), { 0 }, "A|B\n2@4 1|2\n" },
		/* delimiters within quotes are not counted */
		{ B("\"A,B,C\";D\n1;2\n"), { 0 }, "A,B,C|D\n2@10 1|2\n" },
		/* if delimiters are equally frequent, the one that fits the rows is chosen */
		{ B("A,x;B\n1;2\n3;4\n"), { 0 }, "A,x|B\n2@6 1|2\n3@10 3|4\n" },
		/* if they are equally frequent and there are no rows, the comma is chosen */
		{ B("A,x;B\n"), { 0 }, "A|x;B\n" },
		/* if the delimiter is given, it is not detected */
		{ B("A,x;y;B\n1,2\n"), { .delimiter = ',' }, "A|x;y;B\n2@8 1|2\n" },
	};

	(void)state;
	CHECK(cases);
}

static void
test_encodings(void **state)
{
	static const struct table_case cases[] = {
		/* UTF-8 with a BOM; offsets include the BOM */
		{ B("\xEF\xBB\xBF"
		    "A,B\n\xD0\x9F,2\n3,4\n"),
			{ 0 }, "A|B\n2@7 \xD0\x9F|2\n3@12 3|4\n" },
		/* the largest characters of four and three bytes */
		{ B("A,B\n\xF4\x8F\xBF\xBF,\xEF\xBF\xBF\n"), { 0 },
			"A|B\n2@4 \xF4\x8F\xBF\xBF|\xEF\xBF\xBF\n" },
		/* UTF-16LE with a BOM and a surrogate pair; offsets count bytes of the file */
		{ B("\xFF\xFE"
		    "A\0\t\0B\0\r\0\n\0"
		    "\x3D\xD8\x00\xDE\t\0\x1F\x04\r\0\n\0"
		    "1\0\t\0"
		    "2\0"),
			{ 0 }, "A|B\n2@12 \xF0\x9F\x98\x80|\xD0\x9F\n3@24 1|2\n" },
		/* UTF-16BE with a BOM */
		{ B("\xFE\xFF\0A\0,\0B\0\n\x04\x1F\0,\0"
		    "1\0\n"),
			{ 0 }, "A|B\n2@10 \xD0\x9F|1\n" },
		/* UTF-16 selected by name, without a BOM */
		{ B("A\0,\0B\0\n\0"
		    "1\0,\0"
		    "2\0"),
			{ .encoding = "utf-16le" }, "A|B\n2@8 1|2\n" },
		/* code pages; offsets count bytes of the file */
		{ B("A,B\n\xCF\xF0,1\n2,3\n"), { .encoding = "CP1251" },
			"A|B\n2@4 \xD0\x9F\xD1\x80|1\n3@9 2|3\n" },
		{ B("A,B\n\x80,1\n2,3\n"), { .encoding = "WINDOWS-1252" },
			"A|B\n2@4 \xE2\x82\xAC|1\n3@8 2|3\n" },
		/* a BOM overrides a code page */
		{ B("\xEF\xBB\xBF"
		    "A,B\n\xD0\x9F,2\n"),
			{ .encoding = "CP1251" }, "A|B\n2@7 \xD0\x9F|2\n" },
	};

	(void)state;
	CHECK(cases);
}

static void
test_refused(void **state)
{
	static const struct table_case cases[] = {
		/* an empty file; a file with only a BOM or line breaks */
		{ B(""), { 0 }, "\ninput refused: f: the file is empty" },
		{ B("\xEF\xBB\xBF"), { 0 }, "\ninput refused: f: the file is empty" },
		{ B("\r\n\n"), { 0 }, "\ninput refused: f: the file is empty" },
		/* missing column names, and a repeated name in a different case */
		{ B("A,,B\n"), { 0 }, "\ninput refused: f: line 1: column 2 has no name" },
		{ B("A,[ ]\n"), { 0 }, "\ninput refused: f: line 1: column 2 has no name" },
		{ B("Id,B,ID\n"), { 0 }, "\ninput refused: f: line 1: the column Id occurs twice" },
		/* rows before a NUL byte are returned first */
		{ B("A,B\n1,2\n3,\0"
		    "4\n"),
			{ 0 }, "A|B\n2@4 1|2\ninput refused: f: line 3, byte 10: a NUL byte" },
		/* an invalid second byte, an overlong form, a surrogate, > U+10FFFF, a lone byte */
		{ B("A,B\n1,\xC3(\n"), { 0 },
			"A|B\ninput refused: f: line 2, byte 6: bytes that are not UTF-8" },
		{ B("A,B\n\xC0\x80\n"), { 0 },
			"A|B\ninput refused: f: line 2, byte 4: bytes that are not UTF-8" },
		{ B("A,B\n\xED\xA0\x80\n"), { 0 },
			"A|B\ninput refused: f: line 2, byte 4: bytes that are not UTF-8" },
		{ B("A,B\n\xF4\x90\x80\x80\n"), { 0 },
			"A|B\ninput refused: f: line 2, byte 4: bytes that are not UTF-8" },
		{ B("A,B\n1,\x80\n"), { 0 },
			"A|B\ninput refused: f: line 2, byte 6: bytes that are not UTF-8" },
		/* a character that is truncated by the end of the file */
		{ B("A,B\n1,\xE2\x82"), { 0 },
			"A|B\ninput refused: f: line 2, byte 6: bytes that are not UTF-8" },
		/* invalid bytes after line breaks in quotes: the error names the line that has
		 * these bytes */
		{ B("A,B\n\"x\ny\n\xFF\",1\n"), { 0 },
			"A|B\ninput refused: f: line 4, byte 9: bytes that are not UTF-8" },
		/* UTF-16 with a lone high surrogate, a lone low surrogate, half a code unit, NUL */
		{ B("\xFF\xFE"
		    "A\0\n\0\x00\xD8"
		    "B\0"),
			{ 0 }, "A\ninput refused: f: line 2, byte 6: an unpaired surrogate" },
		{ B("\xFF\xFE"
		    "A\0\n\0\x00\xDC"
		    "B\0"),
			{ 0 }, "A\ninput refused: f: line 2, byte 6: an unpaired surrogate" },
		{ B("\xFF\xFE"
		    "A\0\n\0"
		    "B"),
			{ 0 }, "A\ninput refused: f: line 2, byte 6: a truncated character" },
		{ B("\xFF\xFE"
		    "A\0\n\0\0\0"),
			{ 0 }, "A\ninput refused: f: line 2, byte 6: a NUL character" },
		/* a byte that is undefined in the code page; an unknown encoding */
		{ B("A\n\xE9\x98\n"), { .encoding = "CP1251" },
			"A\ninput refused: f: line 2, byte 3: bytes that are invalid in this encoding" },
		{ B("A\n"), { .encoding = "CP-NONE" },
			"\nusage: f: the encoding 'CP-NONE' is not known" },
		{ B("A\n"), { .encoding = "CP1251//IGNORE" },
			"\nusage: f: the encoding 'CP1251//IGNORE' is not known" },
		/* quotes */
		{ B("A,B\n\"a\"b,c\n"), { 0 },
			"A|B\ninput refused: f: line 2: text after a closing quote" },
		{ B("A,B\n1,2\n\"a\nb"), { 0 },
			"A|B\n2@4 1|2\ninput refused: f: line 4: the file ends within a quoted field" },
		/* limits; a row of exactly the maximum size is accepted */
		{ B("A,B\n12345678,\n12345678,9\n"), { .max_row_bytes = 9 },
			"A|B\n2@4 12345678|~\nlimit: f: line 3: a row of more than 9 bytes" },
		{ B("A,B\n1,2\n1,2,3\n"), { .max_columns = 2 },
			"A|B\n2@4 1|2\nlimit: f: line 3: more than 2 fields" },
		{ B("A,B,C\n"), { .max_columns = 2 }, "\nlimit: f: line 1: more than 2 fields" },
		/* an invalid delimiter */
		{ B("A\n"), { .delimiter = '"' },
			"\nusage: the delimiter must be one ASCII character other than a quote" },
	};

	(void)state;
	CHECK(cases);
}

/* The rows must not depend on where blocks and reads end. */
static void
test_edges(void **state)
{
	struct csv_options options = { .delimiter = ',' };
	struct strbuf data, small, large;

	(void)state;
	strbuf_init(&data, OUT_BYTES);
	strbuf_append_str(&data, "A,B\n");
	for (int i = 0; i < 200; i++)
		strbuf_printf(&data, "%.*s,\"%.*s\"\"\xD0\x9F\n\"\r\n", i,
			"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
			i % 67,
			"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy");
	dump(data.data, data.size, &options, 0, &large);
	for (size_t chunk = CSV_MIN_ROOM; chunk < 200; chunk++) {
		dump(data.data, data.size, &options, chunk, &small);
		assert_string_equal(strbuf_str(&small), strbuf_str(&large));
		strbuf_release(&small);
	}
	strbuf_release(&large);
	strbuf_release(&data);
}

/* `raw` must be the unchanged text of the row. */
static void
test_raw(void **state)
{
	static const char data[] = "A,B\n\"a\"\"b\",\"\"\"\"\n\"c\"\"\",d\r\n";
	static const char *const want[] = { "\"a\"\"b\",\"\"\"\"", "\"c\"\"\",d" };
	struct csv_options options = { 0 };
	struct error err = ERROR_INIT;
	struct row_reader *r = csv_open(file_with(B(data)), "f", &options, NULL, &err);
	struct row row;

	(void)state;
	assert_non_null(r);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(r->next(r, &row, &err), ROW_READ);
		assert_true(text_equal(row.raw, text_from(want[i])));
	}
	assert_int_equal(r->next(r, &row, &err), ROW_END);
	assert_int_equal(r->next(r, &row, &err), ROW_END);
	r->close(r);
}

/* A line that is far too long is rejected long before it is read completely. */
static void
test_endless_line(void **state)
{
	struct csv_options options = { .max_row_bytes = 1000000 };
	struct error err = ERROR_INIT;
	char path[] = "/tmp/test_csv.XXXXXX";
	int fd = mkstemp(path);
	int64_t consumed = 0;
	struct row_reader *r;
	struct row row;

	(void)state;
	unlink(path);
	/* Fills only the part of the file that is read. The remaining part is a hole, which would
	 * be read as NULs. */
	assert_int_equal(write(fd, "A,B\n", 4), 4);
	for (int i = 0; i < 64; i++) {
		char block[65536];

		memset(block, 'x', sizeof(block));
		assert_int_equal(write(fd, block, sizeof(block)), sizeof(block));
	}
	assert_int_equal(ftruncate(fd, (off_t)1 << 30), 0);
	lseek(fd, 0, SEEK_SET);
	r = csv_open(fd, "big.csv", &options, &consumed, &err);
	assert_non_null(r);
	assert_int_equal(r->next(r, &row, &err), ROW_ERROR);
	assert_int_equal(err.code, ERROR_LIMIT);
	assert_string_equal(err.message, "big.csv: line 2: a row of more than 1000000 bytes");
	assert_true(err.hint[0] != '\0');
	assert_true(consumed < 3000000);
	r->close(r);
}

/* The descriptor refers to a folder, so it cannot be read. */
static void
test_unreadable(void **state)
{
	struct csv_options options = { 0 };
	struct error err = ERROR_INIT;

	(void)state;
	assert_null(csv_open(open("/", O_RDONLY), "f", &options, NULL, &err));
	assert_int_equal(err.code, ERROR_FILE);
	assert_string_equal(err.message, "f: cannot be read: Is a directory");
}

static void
test_masks(void **state)
{
	static const char special[] = ",\"\n\r;\t|x\x80\xFF\x22\x2C\x8C\xAC\0";
	char block[CSV_BLOCK_BYTES];
	uint32_t seed = 1;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		uint64_t want = 0;
		char delimiter = special[round % 8];

		for (size_t i = 0; i < sizeof(block); i++) {
			seed = seed * 1664525 + 1013904223;
			block[i] = round & 1 ? special[(seed >> 16) % sizeof(special)]
					     : (char)(seed >> 16);
			if (block[i] == delimiter || block[i] == '"' || block[i] == '\n' ||
				block[i] == '\r')
				want |= UINT64_C(1) << i;
		}
		assert_true(csv_mask_portable(block, delimiter) == want);
		assert_true(csv_mask(block, delimiter) == want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_delimiters),
		cmocka_unit_test(test_encodings),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_raw),
		cmocka_unit_test(test_endless_line),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_masks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
