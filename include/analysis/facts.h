/*
 * Facts of one result set or of two compared result sets, summed by class, kind and stack.
 * Comparisons, trends and budgets are computed from facts.
 *
 * Each result set is a side. Both sides share one frame dictionary and one stack trie, so equal frames
 * and stacks have equal numbers. Frames are equal if their modules, classes and routines are equal. With
 * MATCH_LINES, their source files and lines must be equal, too. Without MATCH_LINES, an unknown
 * module equals any module. Stacks are equal if all their frames are equal. Addresses and folders
 * are ignored. All data remain valid until facts_free.
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
	FACTS_ERRORS,  /* count and value: occurrences */
	FACTS_SAMPLES, /* count: samples; value: their weights */
	FACTS_SPANS    /* count: calls that have a self value; value: the sum of self values */
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
	FACTS_NO_STACK = 0 /* an unknown stack; the root of the trie */
};

#define FACTS_NONE UINT32_MAX

/* What a sum of values contains. Objects can have no size. */
enum facts_part {
	FACTS_KNOWN = 1,
	FACTS_UNKNOWN = 2
};

struct fact {
	struct text class_name, module_name; /* objects: class and module */
	struct text kind;                    /* objects: the leak kind; errors: the name */
	struct text description;             /* the description of one of the errors */
	struct text number;                  /* the object's #; set if each object is one fact */
	uint32_t stack, lines;               /* see facts_stack */
	uint8_t parts;                       /* bits of enum facts_part; 0 means FACTS_KNOWN */
	wide_int count;                      /* whole number */
	wide_int value; /* fixed-point (decimal_to_fixed); the sum of the known values */
};

/* A frame in a stack; its ancestors are its callers. */
struct facts_node {
	uint32_t parent, frame;
};

struct facts {
	enum facts_match match;
	struct fact *rows[FACTS_SIDES];
	size_t row_count[FACTS_SIDES];
	const struct table_frame *frames; /* distinct frames, including their lines */
	const uint32_t *names; /* per frame: the first frame with equal module, class and routine */
	size_t frame_count;
	const struct facts_node *nodes; /* nodes[0] is the root */
	size_t node_count;
	const uint32_t *line_frames; /* frames of stacks with `lines`, from index lines - 1 on */
};

/* facts_free releases the memory that is not in the arena. */
struct facts *facts_new(struct arena *a, enum facts_match match);
void facts_free(struct facts *f); /* NULL is allowed */

/* Returns the frame's number. Copies the texts. */
uint32_t facts_frame(struct facts *f, const struct table_frame *frame);

/* Returns the stack whose innermost frame is `frame` and whose other frames are the stack `caller`. Adds it if
 * there is no equal stack yet. */
uint32_t facts_call(struct facts *f, uint32_t caller, uint32_t frame);

/* Returns the stack with these frames (numbers of facts_frame), innermost first. Frames that are equal can have different
 * lines, so the stack may contain other frames than these. Then *lines becomes the number to pass to facts_frames for
 * these frames; otherwise it becomes 0. */
uint32_t facts_stack(struct facts *f, const uint32_t *frames, size_t count, uint32_t *lines);

/* Adds a fact to one side. Copies the texts. */
void facts_add(struct facts *f, enum facts_side side, const struct fact *fact);

/* Returns the stack's frames, innermost first, in the arena. lines: the result of facts_stack, or 0. */
const struct table_frame *facts_frames(
	const struct facts *f, struct arena *a, uint32_t stack, uint32_t lines, size_t *count);

/* Computes the stack's identity or, with MATCH_LINES, its line_identity. The view stack_identities
 * computes the same values. The folders in the frames are part of the identity, although comparisons of
 * stacks ignore them. */
void facts_identity(const struct facts *f, uint32_t stack, uint8_t out[IDENTITY_BYTES]);

/* Whether a frame belongs to the program's own code. */
enum facts_owner {
	FACTS_FOREIGN,
	FACTS_NEARLY_OWN, /* treated as own code in stacks without an own frame */
	FACTS_OWN
};

/* Matches each frame's module (with and without folders) and class with the globs that define own code.
 * Without globs, all frames except those of allocators and the system are own frames (model/frame_owner.h).
 * Returns an enum facts_owner for each frame, in the arena. */
unsigned char *facts_own_frames(
	const struct facts *f, struct arena *a, const struct option_list *own);

/* Returns the node of the stack's innermost own frame; FACTS_NO_STACK if there is no own frame. */
uint32_t facts_first_own_call(const struct facts *f, const unsigned char *own, uint32_t stack);

/* Returns the stack's innermost own frame; FACTS_NONE if there is no own frame. */
uint32_t facts_first_own(const struct facts *f, const unsigned char *own, uint32_t stack);

/* Returns whether the stack has a frame for which `marked` is set. */
bool facts_holds(const struct facts *f, const bool *marked, uint32_t stack);

/* Compares stacks in the order that report/report.h defines. With MATCH_NAMES, files and lines do not count. Returns
 * < 0, 0 or > 0. */
int facts_compare_stacks(const struct facts *f, uint32_t x, uint32_t y);
int facts_compare_frames(const struct table_frame *x, const struct table_frame *y);

#endif
