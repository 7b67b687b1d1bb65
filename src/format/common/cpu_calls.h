/*
 * The nodes of V8's CPU and heap profiles: a tree of calls. Chrome traces, .cpuprofile and
 * .heapprofile files contain the same nodes, so their readers share the code that names functions,
 * finds callers and cuts cycles.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_CPU_CALLS_H
#define PROFDEPOT_FORMAT_COMMON_CPU_CALLS_H

#include "base/pair_map.h"
#include "format/common/frame_dictionary.h"

#define CPU_NONE UINT32_MAX

enum cpu_kind {
	CPU_CALL,
	CPU_ROOT,
	CPU_IDLE,
	CPU_NATIVE,   /* the debugger's own calls, with url "native dummy.js" */
	CPU_ATTACHED, /* (program) and (garbage collector), whose caller is unknown */
};

/* A function as the profile describes it. The texts may be empty. */
struct cpu_function {
	struct text name, url, script, code_type;
	int32_t line, column; /* from 0; -1 if unknown */
};

/* A function in a call path. */
struct cpu_node {
	int64_t id, parent_id; /* as in the profile; MODEL_NULL if absent */
	int64_t self_size;     /* bytes; only in heap profiles */
	uint32_t parent;       /* index of its caller, or CPU_NONE */
	uint32_t routine;      /* rec_id */
	uint32_t same;      /* index of the node whose stack this node has, as far as it is known */
	uint32_t depth;     /* number of frames in the path to the node; set by cpu_link */
	stack_number stack; /* stack of the path to the node; 0 if not emitted */
	uint8_t kind;       /* enum cpu_kind */
	bool open;          /* used by cpu_samples.c */
};

/* The nodes of a profile. The reader and the dictionary are borrowed. */
struct cpu_calls {
	struct reader *in;
	struct frame_dictionary *frames;
	struct cpu_node *nodes;
	size_t count, room;
	struct pair_map by_id;   /* maps a node's id to its index */
	struct pair_map callers; /* maps a node's id to its caller's index */
	bool whole_paths;        /* stacks begin with the root, as in heap profiles */
	uint64_t frames_left;    /* frames that deep stacks may still have in sum */
	uint64_t duplicates, cycles, cut_stacks;
	uint64_t merged; /* nodes that have the stack of one of their callers */
};

void cpu_calls_release(struct cpu_calls *c);

/* Adds a node inside the node `parent`, or outside of all nodes if `parent` is CPU_NONE. Returns its
 * index. */
uint32_t cpu_add(struct cpu_calls *c, uint32_t parent);
/* Sets the node's function, and emits the function's routine on its first use. */
bool cpu_set_function(struct cpu_calls *c, uint32_t node, const struct cpu_function *f);
/* Registers the node's id, if it has one, for cpu_find. If several nodes have the same id, cpu_find finds the first of
 * them. The first repeated id becomes an issue at the offset. */
bool cpu_set_id(struct cpu_calls *c, uint32_t node, uint64_t offset);
/* Notes that the node lists a child. */
void cpu_set_child(struct cpu_calls *c, uint32_t node, int64_t child);

/* Finds the callers of all nodes, cuts cycles of callers, and finds nodes with the same path. Call
 * it after the last node. */
bool cpu_link(struct cpu_calls *c);

/* Index of the node with that id, or CPU_NONE. */
uint32_t cpu_find(const struct cpu_calls *c, int64_t id);
/* Finds the stack of the path to the node, and emits it on its first use. The number of the stack is
 * 0 for nodes that are not functions of the program, such as (root) and (idle). In a tree of n nodes, the paths can
 * have n * n / 2 frames. If there are too many frames, a deep node gets the stack of its nearest caller that has one. */
bool cpu_stack_of(struct cpu_calls *c, uint32_t node, stack_number *stack);
/* Index of the node whose stack this node has. */
uint32_t cpu_stack_owner(const struct cpu_calls *c, uint32_t node);
/* Returns whether another stack of that many frames can be emitted, and counts its frames. */
bool cpu_can_emit(struct cpu_calls *c, uint32_t depth);
/* Adds the path of the node's stack to the stack that is being built, innermost frame first. Returns false if the
 * stack has no room for the outermost frames. */
bool cpu_push_path(struct cpu_calls *c, uint32_t node);
/* Emits the issues about stacks that were too deep. */
bool cpu_calls_finish(struct cpu_calls *c);

#endif
