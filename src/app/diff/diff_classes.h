/* The classes of the objects in a comparison. A class has one number in both result sets. */
#ifndef PROFDEPOT_APP_DIFF_CLASSES_H
#define PROFDEPOT_APP_DIFF_CLASSES_H

#include "analysis/facts.h"
#include "base/pair_map.h"

struct db;

/* Classes are equal if their names and their modules' file names are equal. */
struct diff_class {
	struct text class_name;
	struct text modules
		[FACTS_SIDES]; /* with their folders; NULL if the side does not have the class */
};

struct diff_classes {
	struct diff_class *items; /* indexed by number; class 0 has no name */
	size_t count, room;
	struct pair_map by_id, by_name;
	bool ambiguous; /* it depends on stacks, too, whether two classes are equal, or which folders to show */
};

/* Reads the classes of one result set. diff_classes_release frees the memory, except the texts, which are in the arena. */
bool diff_classes_read(struct db *db, struct arena *a, enum facts_side side, int64_t inst_id,
	struct diff_classes *c, struct error *err);
void diff_classes_release(struct diff_classes *c);

/* Call this after both sides have been read. Sets c->ambiguous. */
void diff_classes_check(struct diff_classes *c);

/* Returns the number of the class with this REC_ID. If the REC_ID is unknown, returns 0. */
uint32_t diff_classes_find(const struct diff_classes *c, enum facts_side side, int64_t class_id);

#endif
