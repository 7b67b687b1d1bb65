/*
 * V8's CPU and heap profiles: a tree of calls whose nodes name functions.
 *
 * Format: Chrome DevTools Protocol, domains Profiler and HeapProfiler (types Profile, ProfileNode,
 * SamplingHeapProfile, SamplingHeapProfileNode, Runtime.CallFrame), and the older format of V8's
 * C++ API, whose nodes contain the members of the call frame. Nodes are nested, or they are the
 * items of an array and are linked by "parent" or "children". In the file, line and column numbers
 * start at 0, and -1 means unknown. In the depot, they start at 1.
 */
#ifndef PROFDEPOT_FORMAT_V8_V8_PROFILE_H
#define PROFDEPOT_FORMAT_V8_V8_PROFILE_H

#include "base/arena.h"
#include "format/common/cpu_calls.h"
#include "format/common/members.h"
#include "input/json/json_reader.h"

enum {
	V8_MAX_NODES = 8 * 1000 * 1000,
	V8_MAX_STRING_BYTES = 1024 * 1024,
	V8_MAX_DEPTH = 200 * 1000, /* nested containers: two per call level */
};

/* A top-level member that is read later. */
struct v8_array {
	bool found;
	uint64_t offset; /* offset of the opening bracket */
};

struct v8_profile {
	struct reader *in;
	struct json_reader *json;
	struct cpu_calls calls; /* a caller precedes the nodes nested in it (preorder) */
	struct v8_level *levels;
	size_t level_count, level_room;
	struct strbuf strings; /* strings of the open nodes */
	struct strbuf others;  /* other members, for the attributes */
	uint64_t bad_texts, bad_text_offset, odd_nodes;
};

void v8_init(struct v8_profile *v, struct reader *in);
void v8_release(struct v8_profile *v);

/* Opens the file as JSON at an offset. The caller frees the reader, then closes *fd. */
struct json_reader *v8_open(struct v8_profile *v, uint64_t offset, int *fd);

/* Refuses the file unless the next value is of `type`. `what` names the value, and `base` is the
 * offset at which `json` was opened. */
bool v8_expect(struct v8_profile *v, struct json_reader *json, uint64_t base, enum json_type type,
	const char *what);
/* Refuses the file, because it lacks the member `key`. */
bool v8_missing(struct v8_profile *v, const char *key);

/* Reads the top-level object. Calls `member` with a copy of each key. `member` must read or skip
 * the value. */
bool v8_read_top(struct v8_profile *v, bool (*member)(void *self, struct text key), void *self);
/* Skips the value, which must be an array, and notes where it begins. */
bool v8_note_array(struct v8_profile *v, struct text key, struct v8_array *array);
/* Keeps an unknown member for the attributes, if it is small. */
bool v8_keep_member(struct v8_profile *v, struct text key);
/* Emits the set's "attributes" and "caption". */
bool v8_add_metadata(struct v8_profile *v);

/* v8_read_nodes reads the array of nodes. v8_read_head reads the root node and the nodes nested in it. */
bool v8_read_nodes(struct v8_profile *v);
bool v8_read_head(struct v8_profile *v);

/* Emits the issues that were counted. Called at the end. */
bool v8_finish(struct v8_profile *v);

#endif
