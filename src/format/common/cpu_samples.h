/*
 * The samples of V8's CPU profiles, for Chrome traces and .cpuprofile files.
 *
 * A sample lasts until another node is sampled; the last sample has no duration. (root) and (idle) are not frames of
 * the program: their time becomes a sample without a stack. The same applies to the time before the first sample and
 * after the last one. The callers of (program) and (garbage collector) are unknown, so a sample of one of these
 * nodes gets the previous stack, with the node as its innermost frame. If a time is earlier than the previous time, the previous time is used.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_CPU_SAMPLES_H
#define PROFDEPOT_FORMAT_COMMON_CPU_SAMPLES_H

#include "format/common/cpu_calls.h"
#include "format/common/emit.h"

/* A node whose caller is unknown, and the stack that has this node as its innermost frame. */
struct cpu_attached {
	uint32_t node;
	stack_number stack;
};

/* After cpu_link, the caller sets the first four members and zeroes the others. */
struct cpu_samples {
	struct cpu_calls *calls;
	int32_t track;
	metric_number metric;
	struct decimal start; /* start of the profile; times of samples are relative to it */
	uint32_t node;        /* node of the last sample */
	bool any;             /* a sample has been read */
	bool met;             /* a sample is open */
	stack_number stack;   /* stack of the open sample, which began at `since` */
	struct decimal since;
	uint32_t base;                 /* the last sampled call, or CPU_NONE */
	struct cpu_attached *attached; /* nodes attached to that call, outermost first */
	size_t attached_count, attached_room;
	struct pair_map stacks; /* maps a stack and an attached node to the resulting stack */
	uint64_t backward, dangling;
};

void cpu_samples_release(struct cpu_samples *s);

/* Handles the next sample. node is CPU_NONE if the profile does not contain the sampled node. */
bool cpu_sample(struct cpu_samples *s, uint32_t node, struct decimal elapsed);
/* Ends the last sample. `total` is the duration of the profile; NULL if unknown. */
bool cpu_samples_end(struct cpu_samples *s, struct decimal elapsed, struct decimal total);
/* Sets the error for a time of the profile that does not fit into 64 bits. Returns false. */
bool cpu_times_overflow(struct reader *in);

#endif
