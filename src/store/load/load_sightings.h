/* Totals of facts, and the findings that are made from them. */
#ifndef PROFDEPOT_STORE_LOAD_LOAD_SIGHTINGS_H
#define PROFDEPOT_STORE_LOAD_LOAD_SIGHTINGS_H

#include "base/pair_map.h"
#include "model/rows.h"
#include "model/sink.h"

struct load;
struct load_set;
struct load_routine;
struct finding_frame;

/* Data from which the findings of a result set are computed, in addition to the totals. */
struct load_findings {
	struct text *names; /* the detector's names for leaks and errors; names[0] is empty */
	size_t name_count, name_room;
	struct pair_map name_map, sum_map;
	struct load_error_sum *sums;
	size_t sum_count, sum_room;
};

/* Identifies a total. class_id is the class of an object, the kind of an error or the track of a sample. */
struct load_total_key {
	int metric;
	int64_t class_id;
	stack_number stack;
	uint32_t name; /* see struct load_total */
	bool sized;    /* for an object: whether it has a size */
};

/* Adds the count and the value to the total with this key. Fails if a sum is out of range. */
bool load_add_total(
	struct load_set *set, const struct load_total_key *key, int64_t count, wide_int value);

/* Returns the first name of the class; the NULL text if the class is unknown. */
struct text load_class_name(const struct load_set *set, int64_t rec_id);

/* Returns the index of the name in findings.names. Adds the name if it is new. */
uint32_t load_finding_name(struct load *l, struct load_set *set, struct text name);
void load_note_error(struct load *l, struct load_set *set, const struct error_row *row);
/* Writes the identities of all routines that have a name. */
bool load_write_routine_identities(struct load *l, struct load_set *set, struct error *err);
/* Writes the result set's findings. Call it after the last fact. */
bool load_write_sightings(struct load *l, struct load_set *set, struct error *err);

#endif
