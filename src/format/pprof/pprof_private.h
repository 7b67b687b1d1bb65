/*
 * pprof profiles (profile.proto of github.com/google/pprof), optionally compressed with gzip.
 *
 * Samples may precede the tables that they refer to, as in Go's files. Therefore the file is read
 * three times: first strings and scalars, then functions, mappings and locations, finally samples.
 * Memory use depends on the size of the tables.
 */
#ifndef PROFDEPOT_FORMAT_PPROF_PPROF_PRIVATE_H
#define PROFDEPOT_FORMAT_PPROF_PPROF_PRIVATE_H

#include "base/array.h"
#include "format/common/frame_dictionary.h"
#include "format/common/members.h"
#include "id_table.h"
#include "wire_reader.h"

#include <protobuf-c/protobuf-c.h>

enum {
	PPROF_MAX_MEMBER_BYTES = 4 * 1024 * 1024,
	PPROF_MAX_STRING_BYTES = 1024 * 1024,
	PPROF_MAX_SAMPLE_TYPES = 64,
	PPROF_MAX_COMMENTS = 1000,
	PPROF_MAX_LABELS = 256, /* labels per sample */
	PPROF_MAX_MAPPINGS_KEPT = 1000,
};

#define PPROF_MERGE_HINT \
	"if the file has several profiles, load each from its own file, or merge them: pprof -proto"

enum pprof_field {
	PPROF_SAMPLE_TYPE = 1,
	PPROF_SAMPLE = 2,
	PPROF_MAPPING = 3,
	PPROF_LOCATION = 4,
	PPROF_FUNCTION = 5,
	PPROF_STRING_TABLE = 6,
	PPROF_DROP_FRAMES = 7,
	PPROF_KEEP_FRAMES = 8,
	PPROF_TIME_NANOS = 9,
	PPROF_DURATION_NANOS = 10,
	PPROF_PERIOD_TYPE = 11,
	PPROF_PERIOD = 12,
	PPROF_COMMENT = 13,
	PPROF_DEFAULT_SAMPLE_TYPE = 14,
	PPROF_DOC_URL = 15,
	PPROF_FIELDS
};

/* The strings, stored one after another as valid UTF-8 with the depot's escapes. */
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
	unsigned has; /* bits 0..3: functions, filenames, line numbers, inline frames */
};

struct pprof_function {
	int64_t name, system_name, filename, start_line;
};

/* A location's line. When the location is interned, `numbers` replaces `source`. */
union pprof_line {
	struct {
		uint64_t function_id;
		int64_t line;
	} source;
	struct frame_numbers numbers;
};

struct pprof_location {
	uint64_t address, mapping_id;
	size_t first_line; /* a location without source lines has one entry for its address */
	uint32_t line_count;
	bool folded, interned;
};

struct pprof {
	struct reader *in;
	struct wire_reader *wire;
	unsigned pass;
	struct arena scratch; /* memory for one unpacked message */
	struct pprof_strings strings;
	struct pprof_value_type types[PPROF_MAX_SAMPLE_TYPES], period_type;
	size_t type_count;
	uint64_t scalars[PPROF_FIELDS]; /* the last value of each field that is not a list */
	uint64_t scalar_offsets[PPROF_FIELDS];
	int64_t comments[PPROF_MAX_COMMENTS];
	size_t comment_count, comments_left;
	struct pprof_mapping *mappings;
	size_t mapping_count, mapping_room;
	struct pprof_function *functions;
	size_t function_count, function_room;
	struct pprof_location *locations;
	size_t location_count, location_room, folded;
	union pprof_line *lines;
	size_t line_count, line_room;
	struct id_table mapping_ids, function_ids, location_ids;
	struct pair_map stacks; /* hash of the location ids -> stack */
	struct frame_dictionary *frames;
	size_t order[PPROF_MAX_SAMPLE_TYPES]; /* indices into types; the default type is first */
	metric_number metric;
	struct strbuf attributes;
	uint64_t duplicates, no_function, no_location, cut_stacks, labels_left;
};

/* Calls `field` for each field of the file. */
bool pprof_walk(struct pprof *p, bool (*field)(struct pprof *p, const struct wire_field *f));
/* Parses the field's bytes as a message, which stays in p->scratch until the next call. */
bool pprof_unpack(struct pprof *p, const struct wire_field *f,
	const ProtobufCMessageDescriptor *type, const char *what, ProtobufCMessage **message);

/* Adds a string from the file; bytes that are not UTF-8 become U+FFFD. */
void pprof_strings_add(struct pprof *p, const uint8_t *bytes, size_t size, uint64_t offset);
struct text pprof_string(const struct pprof *p, int64_t index);
/* Refuses the file if the string table has no string with this index. In the message, `what` names
 * the use of the string. */
bool pprof_check_string(struct pprof *p, int64_t index, uint64_t offset, const char *what);

bool pprof_read_strings(struct pprof *p);
bool pprof_read_tables(struct pprof *p);
bool pprof_read_samples(struct pprof *p);

bool pprof_add_metadata(struct pprof *p);
bool pprof_add_metrics(struct pprof *p);

/* Pushes the frames of a location, innermost first. */
bool pprof_push_location(struct pprof *p, uint32_t location);

/* Whether the field may have this type. Fields from later versions may have any type. */
bool pprof_has_wire_type(uint32_t field, enum wire_type type);
/* Whether a profile can begin with these bytes. */
bool pprof_may_begin(struct text head);
/* Returns the number of bits that identify the file as a complete or truncated profile; 0 if it is
 * not a profile. */
int pprof_verify(int fd, uint64_t size);

#endif
