/*
 * A small profile that uses all features of pprof profiles. Its samples come first.
 * tests/golden/inputs/pprof.pb contains these bytes. With `odd`, the profile also refers to a
 * missing location and a missing function.
 */
#ifndef PROFDEPOT_TESTS_UNIT_FORMAT_PPROF_CASE_H
#define PROFDEPOT_TESTS_UNIT_FORMAT_PPROF_CASE_H

#include "tests/lib/wire_writer.h"

#include <stdbool.h>

enum case_string {
	S_EMPTY,
	S_ALLOC_OBJECTS,
	S_COUNT,
	S_ALLOC_SPACE,
	S_BYTES,
	S_INUSE,
	S_KILOBYTES,
	S_PROGRAM,
	S_BUILD,
	S_MAIN,
	S_MAIN_FILE,
	S_INLINED,
	S_MANGLED,
	S_LIBRARY,
	S_WORKER,
	S_ONE,
	S_TWO,
	S_LATENCY,
	S_MILLISECONDS,
	S_COMMENT,
	S_URL,
	S_DROP,
	CASE_STRINGS
};

#define CASE_FAR_ID UINT64_C(0x8000000100000001) /* differs from ID 1 only in its upper half */

static void
case_string(struct wire_buffer *b, const char *s)
{
	wire_bytes(b, 6, s, strlen(s));
}

static void
case_strings(struct wire_buffer *b)
{
	static const char *const strings[CASE_STRINGS] = { "", "alloc_objects", "count",
		"alloc_space", "bytes", "InUse Space", "kilobytes", "/opt/app/server", "00ff00ff",
		"main.main", "/src/main.go", "main.(*Cache[int]).grow", "_ZN3app4main4growEv",
		"/lib/libz.so.1", "worker", "one", "two", "latency", "milliseconds",
		"made by a test", "https://example.com/doc", "^runtime\\." };

	for (size_t i = 0; i < CASE_STRINGS; i++)
		case_string(b, strings[i]);
}

static void
case_value_type(struct wire_buffer *b, uint32_t field, uint64_t type, uint64_t unit)
{
	struct wire_buffer m = { 0 };

	wire_varint(&m, 1, type);
	wire_varint(&m, 2, unit);
	wire_message(b, field, &m);
	free(m.data);
}

static void
case_label(struct wire_buffer *sample, uint64_t key, uint64_t str, uint64_t num, uint64_t unit)
{
	struct wire_buffer m = { 0 };

	wire_varint(&m, 1, key);
	if (str)
		wire_varint(&m, 2, str);
	if (num)
		wire_varint(&m, 3, num);
	if (unit)
		wire_varint(&m, 4, unit);
	wire_message(sample, 3, &m);
	free(m.data);
}

static void
case_samples(struct wire_buffer *b, bool odd)
{
	const int64_t first[] = { 2, 1 }, first_values[] = { 3, 3000, 7 };
	const int64_t last_values[] = { -2, INT64_MIN, 0 };
	struct wire_buffer m = { 0 };

	/* packed, with labels */
	wire_packed(&m, 1, first, 2);
	wire_packed(&m, 2, first_values, 3);
	case_label(&m, S_WORKER, S_ONE, 0, 0);
	case_label(&m, S_BYTES, 0, 1000, 0);
	case_label(&m, S_WORKER, S_TWO, 0, 0);
	case_label(&m, S_LATENCY, 0, 5, S_MILLISECONDS);
	wire_message(b, 2, &m);
	/* numbers that are not packed, and an unknown field */
	wire_varint(&m, 1, 3);
	wire_varint(&m, 1, CASE_FAR_ID);
	wire_varint(&m, 1, 1);
	for (int i = 0; i < 3; i++)
		wire_varint(&m, 2, (uint64_t)(10 + i));
	wire_bytes(&m, 99, "later", 5);
	wire_message(b, 2, &m);
	/* no location, and negative values, which the difference of two profiles can contain */
	wire_packed(&m, 2, last_values, 3);
	if (odd)
		wire_varint(&m, 1, 77);
	wire_message(b, 2, &m);
	free(m.data);
}

static void
case_mapping(struct wire_buffer *b, uint64_t id, uint64_t start, uint64_t offset, uint64_t file,
	uint64_t build_id)
{
	struct wire_buffer m = { 0 };

	wire_varint(&m, 1, id);
	wire_varint(&m, 2, start);
	wire_varint(&m, 3, start + 0x10000);
	wire_varint(&m, 4, offset);
	wire_varint(&m, 5, file);
	if (build_id) {
		wire_varint(&m, 6, build_id);
		wire_varint(&m, 7, 1);
	}
	wire_message(b, 3, &m);
	free(m.data);
}

static void
case_line(struct wire_buffer *location, uint64_t function, uint64_t line)
{
	struct wire_buffer m = { 0 };

	wire_varint(&m, 1, function);
	wire_varint(&m, 2, line);
	wire_message(location, 4, &m);
	free(m.data);
}

static void
case_locations(struct wire_buffer *b, bool odd)
{
	struct wire_buffer m = { 0 };

	wire_varint(&m, 1, 1);
	wire_varint(&m, 2, 1);
	wire_varint(&m, 3, 0x400100);
	case_line(&m, 1, 12);
	wire_message(b, 4, &m);
	/* an inlined frame precedes its caller */
	wire_varint(&m, 1, 2);
	wire_varint(&m, 2, 1);
	wire_varint(&m, 3, 0x400200);
	case_line(&m, 2, 41);
	case_line(&m, 1, 13);
	wire_varint(&m, 5, 1);
	wire_message(b, 4, &m);
	/* only an address */
	wire_varint(&m, 1, 3);
	wire_varint(&m, 2, 2);
	wire_varint(&m, 3, 0x7000abcd);
	wire_message(b, 4, &m);
	/* no function */
	wire_varint(&m, 1, CASE_FAR_ID);
	wire_varint(&m, 2, 1);
	wire_varint(&m, 3, 0x400300);
	case_line(&m, odd ? 55 : 0, 9);
	wire_message(b, 4, &m);
	free(m.data);
}

static void
case_function(struct wire_buffer *b, uint64_t id, uint64_t name, uint64_t system_name,
	uint64_t start_line)
{
	struct wire_buffer m = { 0 };

	wire_varint(&m, 1, id);
	wire_varint(&m, 2, name);
	wire_varint(&m, 3, system_name);
	wire_varint(&m, 4, S_MAIN_FILE);
	wire_varint(&m, 5, start_line);
	wire_message(b, 5, &m);
	free(m.data);
}

static void
case_profile(struct wire_buffer *b, bool odd)
{
	case_value_type(b, 1, S_ALLOC_OBJECTS, S_COUNT);
	case_value_type(b, 1, S_ALLOC_SPACE, S_BYTES);
	case_value_type(b, 1, S_INUSE, S_KILOBYTES);
	case_samples(b, odd);
	case_mapping(b, 1, 0x400000, 0, S_PROGRAM, S_BUILD);
	case_mapping(b, 2, 0x70000000, 0x1000, S_LIBRARY, 0);
	case_locations(b, odd);
	case_function(b, 1, S_MAIN, S_MAIN, 10);
	case_function(b, 2, S_INLINED, S_MANGLED, 40);
	case_strings(b);
	wire_varint(b, 7, S_DROP);
	wire_varint(b, 9, UINT64_C(1700000000123456789));
	wire_varint(b, 10, 5000000000);
	case_value_type(b, 11, S_ALLOC_SPACE, S_BYTES);
	wire_varint(b, 12, 524288);
	wire_varint(b, 13, S_COMMENT);
	wire_varint(b, 14, S_ALLOC_SPACE);
	wire_varint(b, 15, S_URL);
	wire_varint(b, 31, 7);
}

#endif
