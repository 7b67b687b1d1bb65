/*
 * External merge sort of fixed-size records. Sorted parts are written to unlinked temporary files (in TMPDIR, or else
 * in /var/tmp), so memory does not grow with the number of records. The sort is stable: equal records
 * keep their order.
 */
#ifndef PROFDEPOT_INPUT_SORT_H
#define PROFDEPOT_INPUT_SORT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sorter;

/* compare(a, b) returns <0, 0 or >0 for two records. memory_bytes 0 means 16 MiB. */
struct sorter *sorter_new(
	size_t record_bytes, int (*compare)(const void *, const void *), size_t memory_bytes);
void sorter_free(struct sorter *s);

bool sorter_add(struct sorter *s, const void *record, struct error *err);

/* Call this after the last add. Then sorter_next returns the records in order. */
bool sorter_finish(struct sorter *s, struct error *err);

/* Sets *record to the next record, valid until the next call; NULL at the end. False on error. */
bool sorter_next(struct sorter *s, const void **record, struct error *err);

#endif
