/*
 * Facts of one result set, or of two that are compared, summed by class, kind
 * and stack: what comparisons, trends and budgets start from.
 *
 * Frames of both sides share one dictionary and stacks one trie, so that what
 * is the same has the same number. Frames are the same by module, class and
 * routine, stacks by their frames, with MATCH_LINES also by source file and
 * line; addresses count nowhere, nor do the folders of modules and files. Everything lives in the
 * arena until facts_free.
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
	FACTS_ERRORS,  /* count: times seen; value: the same */
	FACTS_SAMPLES, /* count: samples; value: their weights */
	FACTS_SPANS    /* count: calls that have something themselves; value: self */
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
	FACTS_NO_STACK = 0 /* the trie's root: the stack is unknown */
};

#define FACTS_NONE UINT32_MAX

struct fact {
	struct text class_name, module_name; /* of objects */
	struct text kind;                    /* of objects the leak kind, of errors the name */
	struct text description;             /* of errors, of one of them */
	struct text number;                  /* of an object told alone: its # */
	uint32_t stack;
	wide_int count; /* whole */
	wide_int value; /* fixed (decimal_to_fixed) */
};

/* A stack's frame; its callers are its parents. */
struct facts_node {
	uint32_t parent, frame;
};

struct facts {
	enum facts_match match;
	struct fact *rows[FACTS_SIDES];
	size_t row_count[FACTS_SIDES];
	const struct table_frame *frames; /* distinct with their lines */
	const uint32_t *names; /* of a frame: the first with its module, class, routine */
	size_t frame_count;
	const struct facts_node *nodes; /* nodes[0] is the root */
	size_t node_count;
};

/* Releases with facts_free what does not lie in the arena. */
struct facts *facts_new(struct arena *a, enum facts_match match);
void facts_free(struct facts *f); /* NULL does nothing */

/* The frame's number; its texts are copied. */
uint32_t facts_frame(struct facts *f, const struct table_frame *frame);

/* The stack of `caller` that called `frame`. Of stacks that are the same the
 * first one's frames stay. */
uint32_t facts_call(struct facts *f, uint32_t caller, uint32_t frame);

/* Innermost frame first. */
uint32_t facts_stack(struct facts *f, const struct table_frame *frames, size_t count);

/* Texts are copied. */
void facts_add(struct facts *f, enum facts_side side, const struct fact *fact);

/* The stack's frames, innermost first, in the arena. */
const struct table_frame *facts_frames(
	const struct facts *f, struct arena *a, uint32_t stack, size_t *count);

/* identity or line_identity of the stack, as SQL computes them, by f->match:
 * with the folders that the frames told have. */
void facts_identity(const struct facts *f, uint32_t stack, uint8_t out[IDENTITY_BYTES]);

/* A path without its folders. */
struct text facts_file_name(struct text path);

/* Whose a frame is. */
enum facts_owner {
	FACTS_FOREIGN,
	FACTS_NEARLY_OWN, /* taken for own in stacks that have no better one */
	FACTS_OWN
};

/* Which frames match a glob of `own` by module, with or without folders, or class: an enum
 * facts_owner for each frame, in the arena. */
unsigned char *facts_own_frames(
	const struct facts *f, struct arena *a, const struct option_list *own);

/* The node of the stack's innermost own frame, FACTS_NO_STACK when it has none. */
uint32_t facts_first_own_call(const struct facts *f, const unsigned char *own, uint32_t stack);

/* Its frame, FACTS_NONE when it has none. */
uint32_t facts_first_own(const struct facts *f, const unsigned char *own, uint32_t stack);

/* Does the stack hold a frame for which `marked` is set? */
bool facts_holds(const struct facts *f, const bool *marked, uint32_t stack);

/* The order of stacks that report/report.h defines: < 0, 0, > 0. */
int facts_compare_stacks(const struct facts *f, uint32_t x, uint32_t y);
int facts_compare_frames(const struct table_frame *x, const struct table_frame *y);

#endif
