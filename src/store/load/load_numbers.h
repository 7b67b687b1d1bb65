/* The numbers of a load's result sets. */
#ifndef PROFDEPOT_STORE_LOAD_LOAD_NUMBERS_H
#define PROFDEPOT_STORE_LOAD_LOAD_NUMBERS_H

#include "db/connection.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct load;

enum {
	LOAD_SPARES_MAX = 64
};

/* The range of a partitioned depot whose tables the load writes directly. */
struct load_range {
	bool known; /* whether the range was looked up */
	bool direct;
	int64_t first, end; /* the range's first INST_ID, and the first one after it */
};

/* Numbers that were drawn for result sets that have not begun: numbers[next .. count). */
struct load_spares {
	int64_t numbers[LOAD_SPARES_MAX];
	size_t next, count;
	struct load_range range;
};

/* Draws a single number. */
bool load_draw_inst_id(struct db *db, int64_t *inst_id, struct error *err);
/* Returns the number for the load's newest result set. */
bool load_draw_number(struct load *l, int64_t *inst_id, struct error *err);

/* Gives back the numbers of result sets that have not begun, so that the next load uses them. A failure is
 * harmless: some numbers are then never used. */
void load_give_back_spares(struct load *l);
/* Gives back the numbers of all the load's result sets in the same way. */
void load_give_back_numbers(struct load *l);

#endif
