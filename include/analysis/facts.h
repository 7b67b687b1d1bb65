/*
 * Facts of one result set, or of two that are compared, summed by class, kind and stack.
 * Comparisons, trends and budgets start here.
 *
 * Both sides share one dictionary of frames and one trie of stacks, so equal things have equal
 * numbers. Frames are equal by module, class and routine, stacks by their frames, with MATCH_LINES
 * also by source file and line. Addresses do not count, nor do the folders of modules and files.
 * Everything is valid until facts_free.
 */
#ifndef PROFDEPOT_ANALYSIS_FACTS_H
#define PROFDEPOT_ANALYSIS_FACTS_H

#include "base/arena.h"
#include "base/decimal.h"
#include "base/hash.h"
#include "base/option.h"
#include "model/table.h"

enum facts_family {
	FACTS_OBJECTS, /* count: objects; value: their size in bytes */
	FACTS_ERRORS,  /* count: occurrences; value: the same */
	FACTS_SAMPLES, /* count: samples; value: their weights */
	FACTS_SPANS    /* count: calls with self; value: self */
};

enum facts_match {
	MATCH_NAMES,
	MATCH_LINES
};

enum facts_side {
	FACTS_NEW,
	FACTS_BASE,
	FACTS_SIDES
};

enum {
	FACTS_NO_STACK = 0 /* the trie's root: an unknown stack */
};

#define FACTS_NONE UINT32_MAX

struct fact {
	struct text class_name, module_name; /* of objects */
	struct text kind;                    /* objects: the leak kind; errors: the name */
	struct text description;             /* errors: the description of one of them */
	struct text number;                  /* an object listed individually: its # */
	uint32_t stack;
	wide_int count; /* whole */
	wide_int value; /* fixed (decimal_to_fixed) */
};

/* A frame of a stack; its parents are its callers. */
struct facts_node {
	uint32_t parent, frame;
};

struct facts {
	enum facts_match match;
	struct fact *rows[FACTS_SIDES];
	size_t row_count[FACTS_SIDES];
	const struct table_frame *frames; /* distinct, including lines */
	const uint32_t *names; /* by frame: the first one with its module, class, routine */
	size_t frame_count;
	const struct facts_node *nodes; /* nodes[0] is the root */
	size_t node_count;
};

/* facts_free releases what is not in the arena. */
struct facts *facts_new(struct arena *a, enum facts_match match);
void facts_free(struct facts *f); /* NULL is allowed */

/* The frame's number. Copies the texts. */
uint32_t facts_frame(struct facts *f, const struct table_frame *frame);

/* The stack in which `caller` calls `frame`. For equal stacks, the first one's frames are kept. */
uint32_t facts_call(struct facts *f, uint32_t caller, uint32_t frame);

/* Innermost frame first. */
uint32_t facts_stack(struct facts *f, const struct table_frame *frames, size_t count);

/* Copies the texts. */
void facts_add(struct facts *f, enum facts_side side, const struct fact *fact);

/* The stack's frames, innermost first, in the arena. */
const struct table_frame *facts_frames(
	const struct facts *f, struct arena *a, uint32_t stack, size_t *count);

/* The stack's identity or line_identity, by f->match, as SQL computes it: including the folders of
 * the frames as added. */
void facts_identity(const struct facts *f, uint32_t stack, uint8_t out[IDENTITY_BYTES]);

/* A path without its folders. */
struct text facts_file_name(struct text path);

/* Who owns a frame. */
enum facts_owner {
	FACTS_FOREIGN,
	FACTS_NEARLY_OWN, /* counts as own in stacks without an own frame */
	FACTS_OWN
};

/* Which frames match a glob of `own` by module (with or without folders) or class: an enum
 * facts_owner for each frame, in the arena. */
unsigned char *facts_own_frames(
	const struct facts *f, struct arena *a, const struct option_list *own);

/* The node of the stack's innermost own frame; FACTS_NO_STACK if it has no own frame. */
uint32_t facts_first_own_call(const struct facts *f, const unsigned char *own, uint32_t stack);

/* The frame of that node; FACTS_NONE if the stack has no own frame. */
uint32_t facts_first_own(const struct facts *f, const unsigned char *own, uint32_t stack);

/* Whether the stack has a frame for which `marked` is set. */
bool facts_holds(const struct facts *f, const bool *marked, uint32_t stack);

/* Orders stacks as report/report.h defines: < 0, 0, > 0. */
int facts_compare_stacks(const struct facts *f, uint32_t x, uint32_t y);
int facts_compare_frames(const struct table_frame *x, const struct table_frame *y);

#endif
