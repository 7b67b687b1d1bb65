/* Tests the renderers with a small table in each format. */
#include "base/arena.h"
#include "render/render.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const struct table_column columns[] = {
	{ "number", "#", TABLE_INTEGER, TABLE_UNIT_NONE, false, false },
	{ "count", "Objects", TABLE_INTEGER, TABLE_UNIT_COUNT, true, false },
	{ "size", "Size", TABLE_INTEGER, TABLE_UNIT_BYTES, true, false },
	{ "class", "Class Name", TABLE_TEXT, TABLE_UNIT_NONE, false, false },
	{ "address", "Address", TABLE_INTEGER, TABLE_UNIT_HEX, false, false },
	{ "id", "ID", TABLE_INTEGER, TABLE_UNIT_NONE, false, true },
	{ "stack", "Stack", TABLE_FRAMES, TABLE_UNIT_NONE, false, false },
};

enum {
	COLUMNS = sizeof(columns) / sizeof(columns[0])
};

/* An initialiser for static data, in which C11 does not allow a compound literal. */
#define TEXT(s) \
	{ \
		(s), sizeof(s) - 1 \
	}
#define NOTHING \
	{ \
		{ NULL, 0 }, NULL, 0 \
	}

static const struct table_frame frames[] = {
	{ TEXT("gdi32.dll"), TEXT(""), TEXT("CreatePen"), { NULL, 0 }, { NULL, 0 }, TABLE_NO_LINE,
		{ NULL, 0 } },
	{ TEXT("Orders.exe"), TEXT("TForm"), TEXT("Paint"), TEXT("Main"), TEXT("Main.pas"), 12,
		{ NULL, 0 } },
};

#define CELL(s) \
	{ \
		TEXT(s), NULL, 0 \
	}

static const struct table_cell first[COLUMNS] = { CELL("1"), CELL("12345"), CELL("1536"),
	CELL("Pe\tn \"x\", <b>|*"), CELL("18446744073705122959"), CELL("7"),
	{ { NULL, 0 }, frames, 2 } };
static const struct table_cell second[COLUMNS] = { CELL("2"), CELL("1"), CELL("0"), CELL("Größe"),
	NOTHING, CELL("8"), NOTHING };
static const struct table_cell totals[COLUMNS] = { NOTHING, CELL("12346"), CELL("1536"), NOTHING,
	NOTHING, NOTHING, NOTHING };

/* The caller frees the result. */
static char *
render(const char *name, enum table_layout layout, size_t width, bool several)
{
	static const char *const notes[] = { NULL };
	const struct renderer *r = renderer_find(name);
	const struct render_options options = { width, several };
	const struct table_head head = { "leaks", "Leaks", layout, columns, COLUMNS };
	const struct table_set set = { TEXT_LITERAL("3"), TEXT_LITERAL("night #4") };
	const struct table_foot foot = {
		.rows = 2, .all_rows = 2, .totals = totals, .notes = notes
	};
	struct error err = ERROR_INIT;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	struct table_sink *s;

	assert_non_null(r);
	assert_non_null(out);
	s = r->sink_new(out, &options);
	assert_true(s->begin(s, &head, &err));
	assert_true(s->set_begin(s, &set, &err));
	assert_true(s->row(s, first, &err));
	assert_true(s->row(s, second, &err));
	assert_true(s->set_end(s, &foot, &err));
	assert_true(s->end(s, &err));
	r->sink_free(s);
	fclose(out);
	return text;
}

static void
expect(const char *name, enum table_layout layout, size_t width, bool several, const char *expected)
{
	char *got = render(name, layout, width, several);

	assert_string_equal(got, expected);
	free(got);
}

static void
test_json(void **state)
{
	(void)state;
	expect("json", TABLE_RECORDS, 0, false,
		"{\"report\":\"leaks\",\"result_sets\":[\n"
		"{\"inst_id\":3,\"caption\":\"night #4\",\"columns\":["
		"{\"key\":\"number\",\"title\":\"#\",\"kind\":\"integer\",\"unit\":\"none\"},"
		"{\"key\":\"count\",\"title\":\"Objects\",\"kind\":\"integer\",\"unit\":\"count\"},"
		"{\"key\":\"size\",\"title\":\"Size\",\"kind\":\"integer\",\"unit\":\"bytes\"},"
		"{\"key\":\"class\",\"title\":\"Class Name\",\"kind\":\"text\",\"unit\":\"none\"},"
		"{\"key\":\"address\",\"title\":\"Address\",\"kind\":\"integer\",\"unit\":\"hex\"},"
		"{\"key\":\"id\",\"title\":\"ID\",\"kind\":\"integer\",\"unit\":\"none\"},"
		"{\"key\":\"stack\",\"title\":\"Stack\",\"kind\":\"frames\",\"unit\":\"none\"}],\"rows\":[\n"
		"{\"number\":1,\"count\":12345,\"size\":1536,\"class\":\"Pe\\tn \\\"x\\\", <b>|*\","
		"\"address\":\"18446744073705122959\",\"id\":7,\"stack\":["
		"{\"module\":\"gdi32.dll\",\"class\":\"\",\"routine\":\"CreatePen\",\"unit\":\"\","
		"\"file\":\"\",\"line\":null},"
		"{\"module\":\"Orders.exe\",\"class\":\"TForm\",\"routine\":\"Paint\","
		"\"unit\":\"Main\",\"file\":\"Main.pas\",\"line\":12}]}\n"
		",{\"number\":2,\"count\":1,\"size\":0,\"class\":\"Größe\",\"address\":null,\"id\":8,"
		"\"stack\":[]}],"
		"\"totals\":{\"rows\":2,\"shown\":2,\"count\":12346,\"size\":1536}}],"
		"\"complete\":true}\n");
}

static void
test_csv(void **state)
{
	(void)state;
	expect("csv", TABLE_GRID, 0, true,
		"inst_id,number,count,size,class,address,id,stack\r\n"
		"3,1,12345,1536,\"Pe\tn \"\"x\"\", <b>|*\",18446744073705122959,7,"
		"\"[{\"\"module\"\":\"\"gdi32.dll\"\",\"\"class\"\":\"\"\"\",\"\"routine\"\":"
		"\"\"CreatePen\"\",\"\"unit\"\":\"\"\"\",\"\"file\"\":\"\"\"\",\"\"line\"\":null},"
		"{\"\"module\"\":\"\"Orders.exe\"\",\"\"class\"\":\"\"TForm\"\",\"\"routine\"\":"
		"\"\"Paint\"\",\"\"unit\"\":\"\"Main\"\",\"\"file\"\":\"\"Main.pas\"\","
		"\"\"line\"\":12}]\"\r\n"
		"3,2,1,0,Größe,,8,[]\r\n");
}

static void
test_text_records(void **state)
{
	(void)state;
	expect("text", TABLE_RECORDS, 0, false,
		"Leaks: result set 3, night #4\n"
		"\n"
		"#1  12,345 objects, 1.5 KiB  Pe\\tn \"x\", <b>|*  0xffffffffffbc6c8f\n"
		"    gdi32.dll  CreatePen\n"
		"    Orders.exe  TForm.Paint  Main.pas:12\n"
		"\n"
		"#2  1 object, 0 B  Größe\n"
		"    (stack unknown)\n"
		"\n"
		"total: 2 records, 12,346 objects, 1.5 KiB\n");
}

static void
test_text_grid(void **state)
{
	(void)state;
	expect("text", TABLE_GRID, 0, false,
		"Leaks: result set 3, night #4\n"
		"\n"
		"    #  Objects     Size  Class Name                   Address\n"
		"-----  -------  -------  ----------------  ------------------\n"
		"    1   12,345  1.5 KiB  Pe\\tn \"x\", <b>|*  0xffffffffffbc6c8f\n"
		"    2        1      0 B  Größe\n"
		"Total   12,346  1.5 KiB\n");
}

/* Long names are shortened in the middle, but only for output with a limited width. */
static void
test_text_cut(void **state)
{
	char *got = render("text", TABLE_GRID, 57, false);

	(void)state;
	assert_non_null(strstr(got, "Pe\\tn …<b>|*"));
	free(got);
	got = render("text", TABLE_GRID, 40, false);
	assert_non_null(strstr(got, "Class Name: Pe\\tn \"x\", <b>|*\n"));
	free(got);
}

static void
test_markdown(void **state)
{
	(void)state;
	expect("markdown", TABLE_GRID, 0, false,
		"## Leaks: result set 3, night \\#4\n"
		"\n"
		"| \\# | Objects | Size | Class Name | Address |\n"
		"| ---: | ---: | ---: | --- | ---: |\n"
		"| 1 | 12,345 | 1.5 KiB | Pe\\\\tn \"x\", &lt;b&gt;\\|\\* | 0xffffffffffbc6c8f |\n"
		"| 2 | 1 | 0 B | Größe |  |\n"
		"\nTotal: 2 rows, Objects 12,346, Size 1.5 KiB\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_text_records),
		cmocka_unit_test(test_text_grid),
		cmocka_unit_test(test_text_cut),
		cmocka_unit_test(test_markdown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
