/*
 * The tables of a pprof profile in memory.
 */
#ifndef PROFDEPOT_FORMAT_PPROF_PPROF_TABLES_H
#define PROFDEPOT_FORMAT_PPROF_PPROF_TABLES_H

#include "format/common/frame_dictionary.h"

/* Valid UTF-8 with the depot's escape, one string after the other. */
struct pprof_strings {
	char *bytes;
	size_t used, room;
	size_t *ends;
	size_t count, ends_room;
	uint64_t bad_texts, bad_text_offset;
};

struct pprof_value_type {
	int64_t type, unit; /* strings */
	uint64_t offset;
};

struct pprof_mapping {
	uint64_t start, limit, file_offset;
	int64_t filename, build_id;
	unsigned has; /* functions, filenames, line numbers, inline frames: bits 0..3 */
};

struct pprof_function {
	int64_t name, system_name, filename, start_line;
};

/* A line of a location; after the location's frames are interned, their numbers. */
union pprof_line {
	struct {
		uint64_t function_id;
		int64_t line;
	} source;
	struct frame_numbers numbers;
};

struct pprof_location {
	uint64_t address, mapping_id;
	size_t first_line; /* a location without lines has one, for its address */
	uint32_t line_count;
	bool folded, interned;
};

#endif
