/*
 * What V8's profiles have in common: a tree of calls whose nodes name functions.
 *
 * Format: Chrome DevTools Protocol, domains Profiler and HeapProfiler (types Profile,
 * ProfileNode, SamplingHeapProfile, SamplingHeapProfileNode, Runtime.CallFrame), and
 * the older one of V8's C++ API, whose nodes hold the call frame's members themselves.
 * Nodes are a flat array, linked by `parent' or by `children', or nested.
 *
 * Lines and columns count from 0 there, -1 is unknown; here they count from 1.
 */
#ifndef PROFDEPOT_FORMAT_V8_V8_PROFILE_H
#define PROFDEPOT_FORMAT_V8_V8_PROFILE_H

#include "base/pair_map.h"
#include "base/strbuf.h"
#include "format/format.h"
#include "input/json/json_reader.h"

#define V8_NONE UINT32_MAX

enum {
	V8_MAX_NODES = 8 * 1000 * 1000,
	V8_MAX_STRING_BYTES = 1024 * 1024,
	V8_MAX_DEPTH = 200 * 1000, /* of containers: two for a level of calls */
};

enum v8_kind {
	V8_CALL,
	V8_ROOT,
	V8_IDLE,
	V8_NATIVE,   /* the debugger's own calls: url "native dummy.js" */
	V8_ATTACHED, /* (program), (garbage collector): nobody knows who called them */
};

/* A function on a path of calls. */
struct v8_node {
	int64_t id; /* the profile's own number; MODEL_NULL: none */
	int64_t parent_id;
	int64_t self_size;  /* bytes */
	uint32_t parent;    /* index of its caller; V8_NONE */
	uint32_t routine;   /* rec_id */
	stack_number stack; /* of the path to it; 0: not told */
	uint8_t kind;       /* enum v8_kind */
	bool open;          /* for walks */
};

/* A top-level member that is read later, on its own. */
struct v8_array {
	bool there;
	uint64_t offset; /* of its [ */
};

struct v8_profile {
	struct format_source *source;
	struct sink *sink;
	struct error *err;
	uint32_t set;
	size_t member;
	const char *name; /* of the file */
	int64_t before;   /* bytes of the files before it */
	struct json_reader *json;
	struct v8_node *nodes; /* a nested node stands behind its caller: preorder */
	size_t node_count, node_room;
	struct v8_level *levels;
	size_t level_count, level_room;
	struct pair_map by_id, callers; /* node's number: index of itself, of its caller */
	struct pair_map string_map, routine_map;
	struct text *strings;
	size_t string_count, string_room;
	struct arena arena;
	struct strbuf others; /* members that are kept as attributes */
	int64_t *frames;      /* room for a stack */
	uint64_t bad_texts, bad_text_offset, duplicates, cycles, odd_nodes, cut_stacks;
	unsigned ticks;
};

void v8_init(struct v8_profile *v, struct format_source *source, struct sink *sink, uint32_t set,
	size_t member, struct error *err);
void v8_release(struct v8_profile *v);

/* Opens the file as JSON, from an offset; into v->json or a reader beside it. *fd is
 * for the caller to close, behind json_reader_free. */
struct json_reader *v8_open(struct v8_profile *v, uint64_t offset, int *fd);

bool v8_refuse(struct v8_profile *v, uint64_t offset, const char *format, ...) ERROR_PRINTF(3, 4);
/* The file ends without this member. */
bool v8_missing(struct v8_profile *v, const char *key);
bool v8_issue(struct v8_profile *v, enum issue_code code, uint64_t offset, const char *format, ...)
	ERROR_PRINTF(4, 5);
/* Now and then. */
void v8_tick(struct v8_profile *v, const struct json_reader *json);

/* The top-level object's members, the keys copied, by a callback that reads or skips the value. */
bool v8_read_top(struct v8_profile *v, bool (*member)(void *self, struct text key), void *self);
/* The value is an array: where it stands. Passes it. */
bool v8_note_array(struct v8_profile *v, struct text key, struct v8_array *array);
/* A member of no meaning here is kept for the attributes, when it is small. */
bool v8_keep_member(struct v8_profile *v, struct text key);
/* "attributes" and "caption" of the set. */
bool v8_tell_metadata(struct v8_profile *v);

/* The array of nodes, or the node with those it called inside. */
bool v8_read_nodes(struct v8_profile *v);
bool v8_read_head(struct v8_profile *v);
/* After all of them: callers by number, and issues of what was odd. */
bool v8_link(struct v8_profile *v);

/* Index of the node of that number; V8_NONE. */
uint32_t v8_find(const struct v8_profile *v, int64_t id);
/* Tells the stack of the path from the root to the node; 0 when it is too deep by far. */
bool v8_stack_of(struct v8_profile *v, uint32_t node, stack_number *stack);
/* At the end: issues that were counted. */
bool v8_finish(struct v8_profile *v);

#endif
