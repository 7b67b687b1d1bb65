/* Tests how names of Delphi routines are split into their parts. Also uses the cases of corpora/textlogs. */
#include "format/common/borland.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
expect(const char *name, const char *given, const char *unit, const char *class_name,
	const char *routine)
{
	struct strbuf buffer = STRBUF_INIT(65536);
	struct borland_name n;
	char found[2000], wanted[2000];

	borland_split(text_from(name), text_from(given), &buffer, &n);
	snprintf(found, sizeof(found), "%s: %.*s|%.*s|%.*s", name, (int)n.unit.size, n.unit.data,
		(int)n.class_name.size, n.class_name.data ? n.class_name.data : "",
		(int)n.routine.size, n.routine.data);
	snprintf(wanted, sizeof(wanted), "%s: %s|%s|%s", name, unit, class_name, routine);
	assert_string_equal(found, wanted);
	strbuf_release(&buffer);
}

static void
test_names(void **state)
{
	(void)state;
	expect("TOrder.Create", "Orders", "Orders", "TOrder", "Create");
	expect("TOrder.TLine.Add", "Orders", "Orders", "TOrder.TLine", "Add");
	expect("Exception.Create", "SysUtils", "SysUtils", "Exception", "Create");
	expect("Exception.Create", "", "", "", "Exception.Create");
	expect("RawBuffer", "Orders", "Orders", "", "RawBuffer");
	expect("@ANSISTR_SETLENGTH", "System", "System", "", "@ANSISTR_SETLENGTH");
	expect("Orders.TList<System.Integer>.Add", "", "Orders", "TList<System.Integer>", "Add");
	expect("System.SysUtils.TEncoding.GetDefault", "System.SysUtils", "System.SysUtils",
		"TEncoding", "GetDefault");
	expect("@Orders@TOrder@$bdtr$qqrv", "", "Orders", "TOrder", "Destroy");
	expect("_ZN6Orders6TOrderC3Ev", "", "Orders", "TOrder", "Create");
	expect("ORDERS.TORDER.CREATE", "", "ORDERS", "TORDER", "CREATE");
	expect("", "", "", "", "");
	expect("@", "", "", "", "@");
	expect(".", "X", "X", "", ".");
}

/* Each line of the file has the fields FORM, NAME, GIVEN UNIT, UNIT, CLASS, ROUTINE and KIND, separated by tabs. */
static void
test_corpus(void **state)
{
	const char *corpora = getenv("PROFDEPOT_CORPORA");
	char path[1000], line[2000];
	FILE *in;

	(void)state;
	snprintf(path, sizeof(path), "%s/textlogs/mangling/mangling.tsv", corpora ? corpora : ".");
	in = fopen(path, "r");
	if (!in)
		skip();
	assert_non_null(fgets(line, sizeof(line), in));
	while (fgets(line, sizeof(line), in)) {
		char *fields[7] = { NULL };
		char *rest = line;

		for (int i = 0; i < 7; i++) {
			fields[i] = rest;
			rest += strcspn(rest, "\t\n");
			*rest++ = '\0';
		}
		expect(fields[1], fields[2], fields[3], fields[4], fields[5]);
	}
	fclose(in);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_corpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
