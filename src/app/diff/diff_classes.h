/* The classes of the objects in a comparison. A class has one number in both result sets. */
#ifndef PROFDEPOT_APP_DIFF_CLASSES_H
#define PROFDEPOT_APP_DIFF_CLASSES_H

#include "base/pair_map.h"
#include "diff_private.h"
#include "store/stack_sums.h"

/* Classes are equal if their names and their modules' file names are equal. */
struct diff_class {
	struct text class_name;
	/* with their folders; NULL if the side does not have the class */
	struct text modules[FACTS_SIDES];
};

struct diff_classes {
	struct diff_class *items; /* indexed by number; class 0 has no name */
	size_t count, room;
	struct pair_map by_id, by_name;
};

/* Reads the classes of both result sets. Sets *known to false if stacks decide whether two classes are equal or which
 * folders to show, or if suppressions hide objects. diff_classes_release frees the memory, except the texts, which are in
 * the arena. */
bool diff_classes_read(struct db *db, struct arena *a, const struct diff_request *d,
	struct diff_classes *c, bool *known, struct error *err);
void diff_classes_release(struct diff_classes *c);

/* Returns the number of the sum's class. If its REC_ID is unknown, returns 0. */
uint32_t diff_classes_find(
	const struct diff_classes *c, enum facts_side side, const struct stack_sum *sum);

/* Returns bits of enum facts_part. */
uint8_t diff_parts_of(const struct stack_sum *sum);

#endif
