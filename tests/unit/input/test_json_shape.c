/* Tests the description of a JSON file's shape. Formats use it to recognise their files. */
#include "base/strbuf.h"
#include "input/json/json_shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Bytes and their size, because the bytes may include NUL. */
#define B(s) s, sizeof(s) - 1
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void
put_keys(struct strbuf *out, char open, const struct text *keys, size_t count)
{
	strbuf_append_char(out, open);
	for (size_t i = 0; i < count; i++) {
		strbuf_append_str(out, i ? "," : "");
		strbuf_append_text(out, keys[i]);
	}
}

static void
check(const char *data, size_t size, const char *wanted)
{
	static const char *const tops[] = { "none", "object", "array", "other" };
	struct arena a = ARENA_INIT;
	struct bundle *b = bundle_from_memory("x.json", data, size);
	const struct json_shape *s = json_shape_of(b, 0);
	struct strbuf out = STRBUF_INIT(65536);

	strbuf_append_str(&out, tops[s->top]);
	put_keys(&out, ' ', s->keys, s->key_count);
	put_keys(&out, ' ', s->inner, s->inner_count);
	if (s->schema.data)
		strbuf_append_char(&out, '$');
	strbuf_append_text(&out, s->schema);
	strbuf_append_str(&out, s->several ? "+" : "");
	assert_string_equal(strbuf_str(&out), wanted);
	for (size_t i = 0; i < s->key_count; i++)
		if (s->keys[i].size)
			assert_true(json_shape_has(s, s->keys[i].data));
	assert_false(json_shape_has(s, "absent") || json_shape_inner_has(s, "absent"));
	strbuf_release(&out);
	bundle_close(b);
	arena_release(&a);
}

static void
shapes(void **state)
{
	(void)state;
	check(B("{\"a\":1,\"b\":[{\"c\":2}]} \n"), "object a,b ");
	check(B("{\"a\":1}{\"b\":1}"), "object a +");
	check(B("[{\"ph\":\"X\",\"args\":{\"z\":1},\"ts\":0},{\"q\":1}]"), "array ph,args,ts ");
	check(B("[]"), "array  ");
	check(B("[[{\"a\":1}]]"), "array  ");
	check(B("{}"), "object  ");
	check(B("5 6"), "other  +");
	check(B("\"text\""), "other  ");
	check(B("\xEF\xBB\xBF{\"a\":1}"), "object a ");
}

static void
lists(void **state)
{
	(void)state;
	check(B("{\"metadata\":{\"traceEvents\":0},\"traceEvents\":[{\"ph\":1,\"ts\":2},{\"x\":3}],"
		"\"unread\":1}"),
		"object metadata,traceEvents ph,ts");
	check(B("{\"snapshots\":[{\"Id\":1}]}"), "object snapshots Id");
	check(B("{\"profiles\":[{\"type\":1},{}],\"x\":[{\"y\":1}],\"$schema\":\"s\"}"),
		"object profiles,x,$schema type$s");
	check(B("{\"$schema\":\"s\",\"profiles\":[{\"type\":1},{}],\"unread\":1}"),
		"object $schema,profiles $s");
	check(B("{\"traceEvents\":[],\"a\":1}"), "object traceEvents,a ");
	check(B("{\"traceEvents\":{\"a\":1},\"$schema\":1}"), "object traceEvents,$schema ");
	check(B("{\"traceEvents\":[1,{\"a\":1}],\"b\":1}"), "object traceEvents,b ");
}

/* Inputs that end early or are not JSON. */
static void
odd(void **state)
{
	(void)state;
	check(B("{\"traceEvents\":[{\"ph\":\"X\",\"ts"), "object traceEvents ph");
	check(B("[{\"ph\":\"X\",},"), "array ph ");
	check(B("{\"a\":1,b"), "object a ");
	check(B("{\"a\xFF\":1}"), "object a\uFFFD ");
	check(B(""), "none  ");
	check(B(" "), "none  ");
	check(B("var profiler = {}"), "none  ");
	check(B("\"ID\",\"REC_ID\"\n1,2\n"), "none  ");
	check(B("1,2\n"), "none  ");
	check(B("\xFF\xFE{\0}\0"), "none  ");
	check(B("\x1F\x8B"), "none  ");
}

static void
behind_much(void **state)
{
	struct strbuf b;

	(void)state;
	strbuf_init(&b, SIZE_MAX / 2);
	strbuf_append_str(&b, "{\"metadata\":[");
	for (int i = 0; i < 100000; i++)
		strbuf_append_str(&b, "{\"name\":\"value\"},");
	strbuf_append_str(&b, "0],\"traceEvents\":[{\"ph\":1}]}");
	check(b.data, b.size, "object metadata,traceEvents ph");
	strbuf_reset(&b);
	strbuf_append_str(&b, "{\"k\":0");
	for (int i = 0; i < 100; i++)
		strbuf_append_str(&b, ",\"k\":[]");
	strbuf_append_str(&b, "}");
	check(b.data, b.size,
		"object k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,"
		"k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k,k ");
	strbuf_release(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes),
		cmocka_unit_test(lists),
		cmocka_unit_test(odd),
		cmocka_unit_test(behind_much),
	};

	return cmocka_run_group_tests_name("json shape", tests, NULL, NULL);
}
