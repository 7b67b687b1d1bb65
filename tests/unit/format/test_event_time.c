/* Tests event times: which texts are accepted, refused, and reproduced exactly. */
#include "format/kernelscope/event_time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

struct taken {
	const char *text;
	int64_t mantissa;
	int scale;
	bool exact;
};

static void
takes(void **state)
{
	static const struct taken cases[] = {
		{ "1970-01-01 00:00:00", 0, 0, true },
		{ "2016-10-24 17:12:43.288693", 1477329163288693, 6, true },
		{ "2016-10-25 00:00:01.500000", 1477353601500000, 6, true },
		{ "2016-10-25 00:00:01.5", 14773536015, 1, true },
		{ "1969-12-31 23:59:59.25", -75, 2, true },
		{ "0001-01-01 00:00:00.000001", -62135596799999999, 6, true },
		{ "9999-12-31 23:59:59.999999", 253402300799999999, 6, true },
		{ "2000-02-29 12:00:00", 951825600, 0, true },
		{ "2016-10-24T17:12:43", 1477329163, 0, false },
		{ "2016-10-24 17:12", 1477329120, 0, false },
		{ "2016-10-24", 1477267200, 0, false },
		{ "2016-10-24 17:12:43Z", 1477329163, 0, false },
		{ "2016-10-24 17:12:43.25+02:00", 147732196325, 2, false },
		{ "2016-10-24 17:12:43-0530", 1477348963, 0, false },
		{ "2016-10-24 17:12:43+02", 1477321963, 0, false },
		{ "2016-10-24 17:12:43.123456789", 1477329163123456, 6, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct decimal at;
		bool exact;

		assert_true(event_time_parse(text_from(cases[i].text), &at, &exact));
		assert_int_equal(at.mantissa, cases[i].mantissa);
		assert_int_equal(at.scale, cases[i].scale);
		assert_int_equal(exact, cases[i].exact);
	}
}

static void
refuses(void **state)
{
	static const char *const cases[] = { "", "yesterday", "2016", "2016-10", "2016-10-24 ",
		"2016-10-24x", "2016-1-24 17:12:43", "2016-10-24  17:12:43", "2016-10-24 17",
		"2016-10-24 17:", "2016-10-24 17:1:43", "2016-10-24 17:12:", "2016-10-24 17:12:43.",
		"2016-10-24 17:12:43.5 ", " 2016-10-24 17:12:43", "2016-10-24 24:00:00",
		"2016-10-24 17:60:00", "2016-10-24 17:12:60", "2016-13-01 00:00:00",
		"2016-00-01 00:00:00", "2016-02-30 00:00:00", "2015-02-29 00:00:00",
		"1900-02-29 00:00:00", "0000-01-01 00:00:00", "2016-10-24 17:12:43+",
		"2016-10-24 17:12:43+2", "2016-10-24 17:12:43+16:00", "2016-10-24 17:12:43+02:60",
		"2016-10-24 17:12:43+02:", "2016-10-24 17:12:43ZZ", "10000-01-01 00:00:00",
		"0001-01-01 00:00:00+01:00", "9999-12-31 23:59:59-01:00" };
	struct decimal at;
	bool exact;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (event_time_parse(text_from(cases[i]), &at, &exact))
			fail_msg("\"%s\" is accepted", cases[i]);
}

/* Tests one second of every fifth day in the range, with every number of fraction digits. */
static void
comes_back(void **state)
{
	const int64_t first = -62135596800;
	const int64_t last = 253402300799;
	struct strbuf b = STRBUF_INIT(100);

	(void)state;
	for (int64_t s = first + 77, i = 0; s <= last; s += INT64_C(5) * 86399, i++) {
		static const int64_t units[] = { 1, 10, 100, 1000, 10000, 100000, 1000000 };
		struct decimal at = { .scale = (uint8_t)(i % 7), .kind = DECIMAL_COMPACT };
		struct decimal again;
		bool exact;

		at.mantissa = s * units[at.scale] + i % units[at.scale];
		strbuf_reset(&b);
		assert_true(event_time_append(&b, at));
		assert_true(event_time_parse(strbuf_text(&b), &again, &exact));
		assert_true(exact);
		assert_int_equal(again.mantissa, at.mantissa);
		assert_int_equal(again.scale, at.scale);
	}
	strbuf_release(&b);
}

static void
out_of_range(void **state)
{
	struct decimal at = { .mantissa = 253402300800, .kind = DECIMAL_COMPACT };
	struct strbuf b = STRBUF_INIT(100);

	(void)state;
	assert_false(event_time_append(&b, at));
	at = (struct decimal){ .kind = DECIMAL_NULL };
	assert_false(event_time_append(&b, at));
	assert_int_equal(b.size, 0);
	assert_true(event_time_from_number(text_from("1477329163.25"), &at));
	assert_int_equal(at.mantissa, 147732916325);
	assert_false(event_time_from_number(text_from("1477329163000"), &at));
	assert_false(event_time_from_number(text_from("-1e300"), &at));
	strbuf_release(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes),
		cmocka_unit_test(refuses),
		cmocka_unit_test(comes_back),
		cmocka_unit_test(out_of_range),
	};

	return cmocka_run_group_tests_name("event_time", tests, NULL, NULL);
}
