/*
 * External merge sort of fixed-size records: runs in unlinked temporary files
 * (TMPDIR, else /var/tmp), memory bounded whatever the number of records.
 * Stable: equal records come out in the order they went in.
 */
#ifndef PROFDEPOT_INPUT_SORT_H
#define PROFDEPOT_INPUT_SORT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sorter;

/* compare(a, b): <0, 0, >0 over records. memory_bytes: 0 for 16 MiB. */
struct sorter *sorter_new(
	size_t record_bytes, int (*compare)(const void *, const void *), size_t memory_bytes);
void sorter_free(struct sorter *s);

bool sorter_add(struct sorter *s, const void *record, struct error *err);

/* After the last add; then sorter_next gives the records in order. */
bool sorter_finish(struct sorter *s, struct error *err);

/* *record is borrowed until the next call; NULL at the end. False on error. */
bool sorter_next(struct sorter *s, const void **record, struct error *err);

#endif
