/* Tests V8's CPU and heap profiles: the emitted rows, and the offset of each error. */
#include "recorder.h"

#include "format/formats.h"
#include "input/bundle/bundle.h"
#include "input/json/json_shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static enum format_result
read_bytes(struct recorder *r, const struct format *format, const char *text, size_t size,
	struct error *err)
{
	struct bundle *b = bundle_from_memory("p.json", text, size);
	struct arena arena = ARENA_INIT;
	struct format_source source = { .path = "p.json", .bundle = b, .arena = &arena };
	enum format_result result;

	recorder_init(r);
	*err = ERROR_INIT;
	source.shape = json_shape_of(b, 0);
	result = format_read(format, &source, &r->sink, err);
	if (result == FORMAT_DONE)
		assert_true(format_probe(format, &source) > 0);
	arena_release(&arena);
	bundle_close(b);
	return result;
}

static void
check_said(const struct format *format, const char *text, const char *expected)
{
	struct recorder r;
	struct error err;

	assert_int_equal(read_bytes(&r, format, text, strlen(text), &err), FORMAT_DONE);
	assert_string_equal(strbuf_str(&r.said), expected);
	recorder_release(&r);
}

static void
check_refused(const struct format *format, const char *text, const char *message)
{
	struct recorder r;
	struct error err;

	assert_int_equal(read_bytes(&r, format, text, strlen(text), &err), FORMAT_FAILED);
	assert_string_equal(err.message, message);
	recorder_release(&r);
}

/* --- CPU profiles ------------------------------------------------------------------------ */

#define FRAME(name, url, line, column) \
	"\"callFrame\":{\"functionName\":\"" name "\",\"scriptId\":\"7\",\"url\":\"" url \
	"\",\"lineNumber\":" #line ",\"columnNumber\":" #column "}"
#define INTERNAL(name) \
	"\"callFrame\":{\"functionName\":\"" name \
	"\",\"scriptId\":\"0\",\"url\":\"\",\"lineNumber\":-1,\"columnNumber\":-1}"

/* (idle) closes all frames; (garbage collector) and (program) become the innermost frames.
 * A time that goes backwards is replaced by the previous time. Equal adjacent nodes are merged. */
static const char flat[] = "{\"title\":\"t\",\"nodes\":[{\"id\":1," INTERNAL(
	"(root)") ",\"children\":[2,5,6,7]},"
		  "{\"id\":2," FRAME("", "file:///app/x.js", 0,
			  9) ",\"children\":[3]},"
			     "{\"id\":3," FRAME("f", "file:///app/x.js", 4,
				     0) ",\"children\":[4]},"
					"{\"id\":4," FRAME("g", "", 5,
						-1) "},"
						    "{\"id\":5," INTERNAL(
							    "(idle)") "},"
								      "{\"id\":6," INTERNAL(
									      "(program)") "},"
											   "{\"id\":7," INTERNAL(
												   "(garbage collector)") "}],"
															  "\"startTime\":1000,\"endTime\":1100,"
															  "\"samples\":[4,4,7,6,3,5,6,2,9],\"timeDeltas\":[10,5,5,2.5,2.5,10,10,-5,20,1]}";

static const char flat_said[] =
	"routine 0 (root)\n"
	"routine 1 (anonymous x.js:1) at file:///app/x.js:1 {\"column\":10,\"script_id\":\"7\"}\n"
	"routine 2 f at file:///app/x.js:5 {\"column\":1,\"script_id\":\"7\"}\n"
	"routine 3 g:6 {\"script_id\":\"7\"}\n"
	"routine 4 (idle)\n"
	"routine 5 (program)\n"
	"routine 6 (garbage collector)\n"
	"attributes {\"title\":\"t\"}\n"
	"caption p.json\n"
	"metric 1 cpu_microseconds microseconds \"CPU profile\"\n"
	"track 1 cpu profile p.json metric 1 start 1000 duration 100\n"
	"sample 1.0 at 1000 metric 1: 10\n"
	"stack 1 <g <f <(anonymous x.js:1) (3)\n"
	"sample 1.1 at 1010 metric 1: 10\n"
	"stack 2 <(garbage collector) <g <f <(anonymous x.js:1) (4)\n"
	"sample 1.2 at 1020 metric 1: 2.5\n"
	"stack 3 <(program) <(garbage collector) <g <f <(anonymous x.js:1) (5)\n"
	"sample 1.3 at 1022.5 metric 1: 2.5\n"
	"stack 4 <f <(anonymous x.js:1) (2)\n"
	"sample 1.4 at 1025 metric 1: 10\n"
	"sample 1.0 at 1035 metric 1: 10\n"
	"stack 5 <(program) (1)\n"
	"sample 1.5 at 1045 metric 1: 0\n"
	"stack 6 <(anonymous x.js:1) (1)\n"
	"sample 1.6 at 1045 metric 1: 15\n"
	"sample 1.0 at 1060 metric 1: 0\n"
	"sample 1.0 at 1060 metric 1: 40\n"
	"issue time-backward at 0: 1 time is earlier than the previous time, which is used "
	"instead\n"
	"issue dangling-routine at 0: 1 sample names a missing node\n"
	"end\n";

static void
test_cpu(void **state)
{
	(void)state;
	check_said(&format_cpuprofile, flat, flat_said);
}

/* In the older format, nodes are nested and contain the members of the call frame, and samples have
 * times in seconds instead of deltas. Here, the samples precede the nodes that they name. */
static void
test_cpu_old(void **state)
{
	(void)state;
	check_said(&format_cpuprofile,
		"{\"samples\":[3,2],\"timestamps\":[2000003,2000007,9],\"startTime\":2,"
		"\"endTime\":2.00001,\"head\":{\"children\":[{\"children\":[{\"id\":3,"
		"\"functionName\":\"g\",\"url\":\"\",\"lineNumber\":5,\"scriptId\":4}],\"id\":2,"
		"\"functionName\":\"f\",\"url\":\"\",\"lineNumber\":-1,\"scriptId\":0}],\"id\":1,"
		"\"functionName\":\"(root)\",\"url\":\"\",\"lineNumber\":0}}",
		"routine 0 g:6 {\"script_id\":\"4\"}\n"
		"routine 1 f\n"
		"routine 2 (root):1\n"
		"caption p.json\n"
		"metric 1 cpu_microseconds microseconds \"CPU profile\"\n"
		"track 1 cpu profile p.json metric 1 start 2000000 duration 10\n"
		"sample 1.0 at 2000000 metric 1: 3\n"
		"stack 1 <g <f (2)\n"
		"sample 1.1 at 2000003 metric 1: 4\n"
		"stack 2 <f (1)\n"
		"sample 1.2 at 2000007 metric 1: 0\n"
		"sample 1.0 at 2000007 metric 1: 3\n"
		"end\n");
}

/* Nodes with `parent` instead of `children`, nodes that call each other, and a repeated id. */
static void
test_cpu_odd(void **state)
{
	(void)state;
	check_said(&format_cpuprofile,
		"{\"nodes\":[{\"id\":1,\"functionName\":\"a\",\"parent\":2},"
		"{\"id\":2,\"functionName\":\"b\",\"parent\":1},{\"id\":2,\"children\":5},"
		"{\"id\":3.5,\"children\":[\"x\"]}],"
		"\"samples\":[1,1.5],\"timeDeltas\":[1]}",
		"routine 0 a\n"
		"routine 1 b\n"
		"issue odd-value at 107: \"children\" of a node is not an array\n"
		"routine 2 (anonymous)\n"
		"issue duplicate-id at 109: several nodes have the id 2: the first one is used\n"
		"issue number-range at 116: id of a node is not an integer\n"
		"issue odd-value at 132: child of a node is neither a node nor an id\n"
		"issue parent-cycle at 0: node 2 calls itself\n"
		"caption p.json\n"
		"metric 1 cpu_microseconds microseconds \"CPU profile\"\n"
		"track 1 cpu profile p.json metric 1 start 0 duration 0\n"
		"sample 1.0 at 0 metric 1: 1\n"
		"stack 1 <a <b (2)\n"
		"sample 1.1 at 1 metric 1: 0\n"
		"sample 1.0 at 1 metric 1: 0\n"
		"issue dangling-routine at 0: 1 sample names a missing node\n"
		"issue odd-value at 0: 1 sample has no time\n"
		"end\n");
}

static void
test_cpu_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "[]", "p.json: offset 0: not a V8 profile: expected an object, found an array" },
		{ "{\"nodes\":[],\"samples\":[]}", "p.json: offset 25: \"timeDeltas\" is missing" },
		{ "{\"nodes\":[],\"timeDeltas\":[]}", "p.json: offset 28: \"samples\" is missing" },
		{ "{\"samples\":[],\"timeDeltas\":[]}", "p.json: offset 30: \"nodes\" is missing" },
		{ "{\"head\":{},\"samples\":[]}", "p.json: offset 24: \"timestamps\" is missing" },
		{ "{\"nodes\":5}",
			"p.json: offset 9: \"nodes\": expected an array, found a number" },
		{ "{\"nodes\":[5]}",
			"p.json: offset 10: node: expected an object, found a number" },
		{ "{\"nodes\":[],\"samples\":{}}",
			"p.json: offset 22: \"samples\": expected an array, found an object" },
		{ "{\"nodes\":[],\"nodes\":[]}", "p.json: offset 20: the nodes occur twice" },
		{ "{\"nodes\":[],\"samples\":[\"1\"],\"timeDeltas\":[1]}",
			"p.json: offset 23: sample: expected a number, found a string" },
		{ "{\"nodes\":[],\"samples\":[1],\"timeDeltas\":[null]}",
			"p.json: offset 40: time: expected a number, found null" },
		{ "{\"nodes\":[],\"samples\":[1],\"timeDeltas\":[1e300]}",
			"p.json: offset 0: the times of the profile have too many digits" },
		{ "{\"nodes\":[],\"samples\":[],\"timeDeltas\":[]}{}",
			"p.json: offset 41: text after the end of the JSON document" },
		{ "{\"nodes\":[{\"id\":1,\"children\":[{\"id\":",
			"p.json: offset 36: expected a value, found the end of the input" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_refused(&format_cpuprofile, cases[i].text, cases[i].message);
}

/* --- heap profiles --------------------------------------------------------------------------- */

/* Callers are found regardless of the order of a node's members. Line numbers start at 1, although
 * they start at 0 in the file. Nodes without a size have no sample. */
static void
test_heap(void **state)
{
	(void)state;
	check_said(&format_heapprofile,
		"{\"head\":{" INTERNAL(
			"(root)") ",\"selfSize\":0,\"id\":1,\"children\":["
				  "{\"children\":[{" FRAME("g", "a/x.js", 9,
					  4) ",\"selfSize\":24,\"id\":3,"
					     "\"children\":[]}],\"selfSize\":100,\"id\":2," FRAME(
						     "", "a/x.js", 1,
						     2) "},"
							"{" FRAME("h", "", 0,
								0) ",\"selfSize\":0,\"children\":null}]},"
								   "\"samples\":[{\"size\":24,\"nodeId\":3,\"ordinal\":5},{\"size\":8,\"nodeId\":77},"
								   "{\"nodeId\":3}]}",
		"routine 0 g at a/x.js:10 {\"column\":5,\"script_id\":\"7\"}\n"
		"routine 1 (anonymous x.js:2) at a/x.js:2 {\"column\":3,\"script_id\":\"7\"}\n"
		"routine 2 h:1 {\"column\":1,\"script_id\":\"7\"}\n"
		"routine 3 (root)\n"
		"caption p.json\n"
		"metric 1 inuse_space bytes \"memory in use (selfSize)\"\n"
		"metric 2 sampled_space bytes \"sampled allocations (samples)\"\n"
		"track 1 heap p.json metric 1 start 0 duration 0\n"
		"stack 1 <(anonymous x.js:2) <(root) (2)\n"
		"sample 1.1 metric 1: 100\n"
		"stack 2 <g <(anonymous x.js:2) <(root) (3)\n"
		"sample 1.2 metric 1: 24\n"
		"track 2 allocation samples allocation samples metric 2 start 0 duration 0\n"
		"sample 2.2 metric 2: 24 {\"ordinal\":5}\n"
		"issue dangling-routine at 568: sample names a missing node\n"
		"sample 2.0 metric 2: 8\n"
		"issue left-out at 591: sample left out: it has no size\n"
		"end\n");
}

/* Deep trees need no recursion. A stack that is too deep loses its outermost frames. */
static void
test_heap_deep(void **state)
{
	enum {
		DEPTH = 80000
	};
	struct strbuf text;
	struct recorder r;
	struct error err;

	(void)state;
	strbuf_init(&text, 1 << 24);
	strbuf_append_str(&text, "{\"head\":");
	for (int i = 0; i < DEPTH; i++)
		strbuf_append_str(&text, "{\"selfSize\":0,\"functionName\":\"f\",\"children\":[");
	strbuf_append_str(&text, "{\"selfSize\":5,\"functionName\":\"leaf\"}");
	for (int i = 0; i < DEPTH; i++)
		strbuf_append_str(&text, "]}");
	strbuf_append_str(&text, "}");
	assert_int_equal(
		read_bytes(&r, &format_heapprofile, text.data, text.size, &err), FORMAT_DONE);
	assert_non_null(strstr(strbuf_str(&r.said), "(65536)\nsample 1.1 metric 1: 5\n"));
	assert_non_null(strstr(strbuf_str(&r.said), "issue stack-cut"));
	recorder_release(&r);
	strbuf_release(&text);
}

static void
test_heap_refused(void **state)
{
	(void)state;
	check_refused(
		&format_heapprofile, "{\"samples\":[]}", "p.json: offset 14: \"head\" is missing");
	check_refused(&format_heapprofile, "{\"head\":[]}",
		"p.json: offset 8: node: expected an object, found an array");
	check_refused(&format_heapprofile, "{\"head\":{\"selfSize\":1},\"samples\":[7]}",
		"p.json: offset 34: sample: expected an object, found a number");
	check_refused(&format_heapprofile, "{\"head\":{\"selfSize\":1},\"head\":{}}",
		"p.json: offset 30: \"head\" occurs twice");
}

static void
test_probe(void **state)
{
	static const char *const others[] = { "{\"head\":{\"functionName\":\"f\"}}",
		"{\"nodes\":[],\"edges\":[]}", "{\"traceEvents\":[]}", "[]", "{\"samples\":[]}" };

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct bundle *b = bundle_from_memory("p.json", others[i], strlen(others[i]));
		struct arena arena = ARENA_INIT;
		struct format_source source = { .path = "p.json", .bundle = b, .arena = &arena };

		source.shape = json_shape_of(b, 0);
		assert_int_equal(format_probe(&format_cpuprofile, &source), 0);
		assert_int_equal(format_probe(&format_heapprofile, &source), 0);
		arena_release(&arena);
		bundle_close(b);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpu),
		cmocka_unit_test(test_cpu_old),
		cmocka_unit_test(test_cpu_odd),
		cmocka_unit_test(test_cpu_refused),
		cmocka_unit_test(test_heap),
		cmocka_unit_test(test_heap_deep),
		cmocka_unit_test(test_heap_refused),
		cmocka_unit_test(test_probe),
	};

	return cmocka_run_group_tests_name("v8_profile", tests, NULL, NULL);
}
