/* Tests the rows that the reader emits for pprof profiles, and the offset in each error message. */
#include "pprof_case.h"
#include "recorder.h"

#include "format/formats.h"
#include "input/bundle/bundle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static enum format_result
read_bytes(struct recorder *r, const void *bytes, size_t size, int *bits, struct error *err)
{
	struct bundle *b = bundle_from_memory("p.pb", bytes, size);
	struct arena arena = ARENA_INIT;
	struct format_source source = { .path = "p.pb", .bundle = b, .arena = &arena };
	enum format_result result;

	recorder_init(r);
	*err = ERROR_INIT;
	if (bits)
		*bits = format_probe(&format_pprof, &source);
	result = format_read(&format_pprof, &source, &r->sink, err);
	arena_release(&arena);
	bundle_close(b);
	return result;
}

static void
check_said(struct wire_buffer *b, const char *expected)
{
	struct recorder r;
	struct error err;
	int bits;

	assert_int_equal(read_bytes(&r, b->data, b->size, &bits, &err), FORMAT_DONE);
	assert_true(bits > 0);
	if (expected)
		assert_string_equal(strbuf_str(&r.said), expected);
	recorder_release(&r);
	free(b->data);
	*b = (struct wire_buffer){ 0 };
}

static void
check_refused(struct wire_buffer *b, const char *message)
{
	struct recorder r;
	struct error err;

	assert_int_equal(read_bytes(&r, b->data, b->size, NULL, &err), FORMAT_FAILED);
	assert_string_equal(err.message, message);
	recorder_release(&r);
	free(b->data);
	*b = (struct wire_buffer){ 0 };
}

/* The expected rows contain the whole profile. They do not come from speedscope, which refuses
 * negative values, and loses inlined frames, labels, addresses and all sample types but one. */
static const char golden[] =
	"caption p.pb\n"
	"attributes {\"default_sample_type\":\"alloc_space\",\"period_type\":\"alloc_space\","
	"\"period_unit\":\"bytes\",\"period\":524288,\"time_nanos\":1700000000123456789,"
	"\"duration_nanos\":5000000000,\"drop_frames\":\"^runtime\\\\.\","
	"\"doc_url\":\"https://example.com/doc\",\"comments\":[\"made by a test\"],"
	"\"mappings\":[{\"memory_start\":4194304,\"memory_limit\":4259840,\"file_offset\":0,"
	"\"filename\":\"/opt/app/server\",\"build_id\":\"00ff00ff\",\"has_functions\":true},"
	"{\"memory_start\":1879048192,\"memory_limit\":1879113728,\"file_offset\":4096,"
	"\"filename\":\"/lib/libz.so.1\"}],\"folded_locations\":1}\n"
	"application server\n"
	"metric 1 alloc_space bytes \"alloc_space (bytes)\"\n"
	"metric 2 alloc_objects count \"alloc_objects (count)\"\n"
	"metric 3 inuse_space none \"InUse Space (kilobytes)\"\n"
	"track 1 heap p.pb metric 1 start 0 duration 0 at 1700000000123456\n"
	"routine 0 main.(*Cache[int]).grow =_ZN3app4main4growEv in /opt/app/server at "
	"/src/main.go:40\n"
	"line 0.0 at 41\n"
	"routine 1 main.main in /opt/app/server at /src/main.go:10\n"
	"line 1.0 at 13\n"
	"line 1.1 at 12\n"
	"stack 1 <main.(*Cache[int]).grow <main.main <main.main (3)\n"
	"sample 1.1 metric 1: 3000 3 7 {\"labels\":{\"worker\":[\"one\",\"two\"],\"bytes\":1000,"
	"\"latency\":{\"value\":5,\"unit\":\"milliseconds\"}}}\n"
	"routine 2 0xbbcd in /lib/libz.so.1\n"
	"routine 3 0x300 in /opt/app/server\n"
	"line 3.0 at 9\n"
	"stack 2 <0xbbcd <0x300 <main.main (3)\n"
	"sample 1.2 metric 1: 11 10 12\n"
	"sample 1.0 metric 1: -9223372036854775808 -2 0\n"
	"issue dangling-routine at 0: 1 frame left out: its location is missing\n"
	"issue dangling-routine at 0: 1 line has only an address: its function is missing\n"
	"end\n";

static void
test_all(void **state)
{
	struct wire_buffer b = { 0 };

	(void)state;
	case_profile(&b, true);
	check_said(&b, golden);
}

/* tests/cli/input/bad_input.sh uses the golden file, so the file must have exactly these bytes. */
static void
test_golden(void **state)
{
	const char *srcdir = getenv("srcdir");
	struct wire_buffer b = { 0 };
	uint8_t *bytes;
	char path[4096];
	size_t size;
	FILE *f;

	(void)state;
	snprintf(path, sizeof(path), "%s/tests/golden/inputs/pprof.pb", srcdir ? srcdir : ".");
	f = fopen(path, "rb");
	assert_non_null(f);
	case_profile(&b, false);
	bytes = malloc(b.size + 1);
	assert_non_null(bytes);
	size = fread(bytes, 1, b.size + 1, f);
	fclose(f);
	assert_int_equal(size, b.size);
	assert_memory_equal(bytes, b.data, size);
	free(bytes);
	free(b.data);
}

/* If a profile does not name a default sample type, its last sample type is the default. Repeated and
 * invalid names are made unique and valid. */
static void
test_metrics(void **state)
{
	struct wire_buffer b = { 0 };

	(void)state;
	case_string(&b, "");
	case_string(&b, "9 lives");
	case_string(&b, "errors");
	case_value_type(&b, 1, 1, 0);
	case_value_type(&b, 1, 1, 0);
	case_value_type(&b, 1, 2, 2);
	check_said(&b, "caption p.pb\n"
		       "metric 1 errors_2 none \"errors (errors)\"\n"
		       "metric 2 m9_lives none \"9 lives\"\n"
		       "metric 3 m9_lives_2 none \"9 lives\"\n"
		       "track 1 profile p.pb metric 1 start 0 duration 0\n"
		       "end\n");
}

static void
test_odd_texts(void **state)
{
	struct wire_buffer b = { 0 };

	(void)state;
	case_string(&b, "");
	wire_bytes(&b, 6,
		"a\0b\x1a\xff"
		"c\xc3\xa4",
		8);
	case_value_type(&b, 1, 1, 0);
	wire_varint(&b, 14, 0);
	wire_varint(&b, 13, 1);
	check_said(&b, "caption p.pb\n"
		       "attributes {\"comments\":[\"a\\u001a0000b\\u001a001A\xEF\xBF\xBD"
		       "c\xc3\xa4\"]}\n"
		       "metric 1 a_0000b_001a___c__ none \"a\x1a"
		       "0000b\x1a"
		       "001A\xEF\xBF\xBD"
		       "c\xc3\xa4\"\n"
		       "track 1 profile p.pb metric 1 start 0 duration 0\n"
		       "issue bad-utf8 at 2: 1 string has bytes that are not UTF-8, which became "
		       "U+FFFD\n"
		       "end\n");
}

/* Writes the beginning of a profile that has one sample type. */
static void
begin_small(struct wire_buffer *b)
{
	case_string(b, "");
	case_string(b, "n");
	case_value_type(b, 1, 1, 1);
}

static void
test_repeated(void **state)
{
	struct wire_buffer b = { 0 };

	(void)state;
	begin_small(&b);
	case_mapping(&b, 1, 0x1000, 0, 1, 0);
	case_mapping(&b, 1, 0x1000, 0, 1, 0);
	check_said(&b, NULL);
	begin_small(&b);
	case_mapping(&b, 1, 0x1000, 0, 1, 0);
	case_mapping(&b, 1, 0x2000, 0, 1, 0);
	check_refused(&b, "p.pb: offset 26: two mappings have the id 1");
	begin_small(&b);
	for (uint64_t i = 2; i-- > 0;) {
		struct wire_buffer m = { 0 };

		wire_varint(&m, 1, 9);
		wire_varint(&m, 3, i);
		wire_message(&b, 4, &m);
		free(m.data);
	}
	check_refused(&b, "p.pb: offset 17: two locations have the id 9");
	/* two whole profiles, one after the other */
	case_profile(&b, true);
	case_profile(&b, true);
	check_refused(&b, "p.pb: offset 18: sample has 3 values for 6 sample types");
}

static void
test_refused(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		const char *message;
	} cases[] = {
		{ "\x08", 1, "p.pb: offset 12: bytes end inside a varint" },
		{ "\x80", 1, "p.pb: offset 11: bytes end inside the tag of a field" },
		{ "\x12\x05\x0a", 3,
			"p.pb: offset 11: field 2 has 5 bytes, but the file ends after 1" },
		{ "\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11,
			"p.pb: offset 11: field 2 has 18446744073709551615 bytes, but the file "
			"ends after 0" },
		{ "\x48\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80", 12,
			"p.pb: offset 12: varint of more than 10 bytes" },
		{ "\x13", 1,
			"p.pb: offset 11: field of wire type \"group\", which profiles do not "
			"have" },
		{ "\x00", 1, "p.pb: offset 11: invalid tag of a field" },
		{ "\x17", 1, "p.pb: offset 11: invalid tag of a field" },
		{ "\x61\x01\x02", 3, "p.pb: offset 12: bytes end inside a number" },
		{ "\x10\x01", 2, "p.pb: offset 11: field 2 of a profile has wire type 0" },
		{ "\x70\x09", 2,
			"p.pb: offset 11: default_sample_type is string 9, but only 2 exist" },
		{ "\x0a\x02\x08\x05", 4,
			"p.pb: offset 11: the name of a sample type is string 5, but only 2 exist" },
		{ "\x12\x00", 2, "p.pb: offset 11: sample has 0 values for 1 sample type" },
		{ "\x12\x04\x10\x01\x10\x01", 6,
			"p.pb: offset 11: sample has 2 values for 1 sample type" },
		{ "\x12\x03\x12\x05\x01", 5,
			"p.pb: offset 14: in a sample: field exceeds its message" },
		{ "\x12\x02\x10\x80", 4,
			"p.pb: offset 14: in a sample: bytes end inside a varint" },
		{ "\x12\x04\x10\x01\x1a\x00", 6, NULL },
		{ "\x12\x06\x10\x01\x1a\x02\x08\x07", 8,
			"p.pb: offset 11: the key of a label is string 7, but only 2 exist" },
		{ "\x2a\x02\x10\x07", 4,
			"p.pb: offset 11: the name of a function is string 7, but only 2 exist" },
		{ "\x2a\x03\x15\x07\x00", 5,
			"p.pb: offset 14: in a function: bytes end inside a number" },
		{ "\x2a\x05\x15\x07\x00\x00\x00", 7,
			"p.pb: offset 11: a function has fields of a wrong type" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct wire_buffer b = { 0 };

		begin_small(&b);
		wire_raw(&b, cases[i].bytes, cases[i].size);
		if (cases[i].message)
			check_refused(&b, cases[i].message);
		else
			check_said(&b, NULL);
	}
}

/* If a profile is truncated at any byte, the reader must either report an error and its offset, or
 * accept the messages that are complete. */
static void
test_cut(void **state)
{
	struct wire_buffer b = { 0 };
	size_t whole = 0;

	(void)state;
	case_profile(&b, true);
	for (size_t size = 0; size < b.size; size++) {
		struct recorder r;
		struct error err;

		if (read_bytes(&r, b.data, size, NULL, &err) == FORMAT_DONE) {
			whole++;
		} else {
			assert_int_equal(err.code, ERROR_INPUT);
			assert_true(strstr(err.message, "offset ") ||
				    strstr(err.message, " is missing"));
		}
		recorder_release(&r);
	}
	/* The reader accepts a truncated profile only if the cut is after the last string. */
	assert_true(whole < 16);
	free(b.data);
}

static int
probe_bytes(const void *bytes, size_t size)
{
	struct bundle *b = bundle_from_memory("p.pb", bytes, size);
	struct arena arena = ARENA_INIT;
	struct format_source source = { .path = "p.pb", .bundle = b, .arena = &arena };
	const int bits = format_probe(&format_pprof, &source);

	arena_release(&arena);
	bundle_close(b);
	return bits;
}

static void
test_probe(void **state)
{
	static const char utf16[] = "a\0;\0b\0 \0001\0\n\0", json[] = "{\"nodes\":[]}",
			  text[] = "\nmain;f 12\n\nmain;g 7\n", tags[] = "\x30\x01\x38\x02";
	struct wire_buffer b = { 0 };
	uint64_t random = 1;
	uint8_t bytes[64];

	(void)state;
	case_profile(&b, true);
	assert_true(probe_bytes(b.data, b.size) > 0);
	assert_true(probe_bytes(b.data, b.size / 2) > 0);
	assert_true(probe_bytes(b.data, b.size) > probe_bytes(b.data, b.size / 2));
	b.data[b.size - 1] = 0x80;
	assert_true(probe_bytes(b.data, b.size) > 0);
	assert_int_equal(probe_bytes(b.data + 2, b.size - 2), 0);
	assert_int_equal(probe_bytes(utf16, sizeof(utf16) - 1), 0);
	assert_int_equal(probe_bytes(json, sizeof(json) - 1), 0);
	assert_int_equal(probe_bytes(text, sizeof(text) - 1), 0);
	assert_int_equal(probe_bytes(tags, sizeof(tags) - 1), 0);
	for (int i = 0; i < 100000; i++) {
		for (size_t k = 0; k < sizeof(bytes); k++) {
			random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
			bytes[k] = (uint8_t)(random >> 56);
		}
		assert_int_equal(probe_bytes(bytes, sizeof(bytes)), 0);
	}
	free(b.data);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_odd_texts),
		cmocka_unit_test(test_repeated),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_probe),
	};

	return cmocka_run_group_tests_name("pprof", tests, NULL, NULL);
}
