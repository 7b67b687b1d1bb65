#include "base/json_string.h"
#include "base/json_writer.h"
#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void
write_document(struct json_writer *w)
{
	json_begin_object(w);
	json_key(w, "a\"b");
	json_begin_array(w);
	json_int(w, INT64_MIN);
	json_bool(w, true);
	json_null(w);
	json_text(w, TEXT_NULL);
	json_fixed3(w, -0.0625);
	json_fixed3(w, 1.9999);
	json_raw(w, TEXT_LITERAL("1e400"));
	json_end_array(w);
	json_key(w, "empty");
	json_begin_object(w);
	json_end_object(w);
	json_key(w, "s");
	json_text(w, (struct text){ "\\\"\n\r\t\x01\0\x7F/\xD0\x9F", 11 });
	json_end_object(w);
}

static void
test_json_writer(void **state)
{
	static const char *const want[] = {
		"{\"a\\\"b\":[-9223372036854775808,true,null,null,-0.063,2.000,1e400],\"empty\":{},"
		"\"s\":\"\\\\\\\"\\n\\r\\t\\u0001\\u0000\\u007f/\xD0\x9F\"}",
		"{\n  \"a\\\"b\": [\n    -9223372036854775808,\n    true,\n    null,\n    null,\n"
		"    -0.063,\n    2.000,\n    1e400\n  ],\n  \"empty\": {},\n"
		"  \"s\": \"\\\\\\\"\\n\\r\\t\\u0001\\u0000\\u007f/\xD0\x9F\"\n}",
	};

	(void)state;
	for (int pretty = 0; pretty < 2; pretty++) {
		char *got = NULL;
		size_t size = 0;
		FILE *out = open_memstream(&got, &size);
		struct json_writer w;

		json_writer_init(&w, out, pretty);
		write_document(&w);
		fclose(out);
		assert_string_equal(got, want[pretty]);
		free(got);
	}
}

/* Only the outermost object of an answer has the last member. */
static void
test_json_answer(void **state)
{
	char *got = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&got, &size);
	struct json_writer w;

	(void)state;
	json_writer_init_answer(&w, out, false);
	json_begin_object(&w);
	json_key_object(&w, "inner");
	json_end_object(&w);
	json_end_object(&w);
	putc(' ', out);
	json_writer_init_answer(&w, out, false);
	json_begin_array(&w);
	json_begin_object(&w);
	json_end_object(&w);
	json_end_array(&w);
	fclose(out);
	assert_string_equal(got, "{\"inner\":{},\"complete\":true} [{}]");
	free(got);
}

static void
check_json_string(struct text t, unsigned how, const char *want)
{
	struct strbuf b = STRBUF_INIT(256);

	json_append_string(&b, t, how);
	assert_string_equal(strbuf_str(&b), want);
	strbuf_release(&b);
}

static void
test_json_string(void **state)
{
	const struct text t = TEXT_LITERAL("a\"\\\n\t\x7F\x1A"
					   "D83D\x1A"
					   "0041\x1F");
	struct strbuf b = STRBUF_INIT(256);

	(void)state;
	check_json_string(TEXT_NULL, 0, "\"\"");
	check_json_string(t, 0, "\"a\\\"\\\\\\u000a\\u0009\x7F\\u001aD83D\\u001a0041\\u001f\"");
	check_json_string(t, JSON_ESCAPE_NEWLINE | JSON_ESCAPE_DEPOT,
		"\"a\\\"\\\\\\n\\u0009\x7F\\ud83d\\u001a0041\\u001f\"");
	check_json_string(
		t, JSON_ESCAPE_LETTERS, "\"a\\\"\\\\\\n\\t\\u007f\\u001aD83D\\u001a0041\\u001f\"");
	json_append_original(
		&b, TEXT_LITERAL("[\"\\u001aD83D\",\"\\\\u001aD83D\",\"\\u001a0041\"]"));
	assert_string_equal(strbuf_str(&b), "[\"\\ud83d\",\"\\\\u001aD83D\",\"\\u001a0041\"]");
	strbuf_release(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json_writer),
		cmocka_unit_test(test_json_answer),
		cmocka_unit_test(test_json_string),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
