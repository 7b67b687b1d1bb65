/*
 * A sink that stores nothing and aborts the process when a reader breaks the sink's grammar. For
 * fuzz targets and reader tests.
 *
 * It checks the rules of model/sink.h and model/measures.h: calls are in order, IDs and numbers exist
 * and are unique, texts are UTF-8 without NUL, decimals are numbers, and attributes are JSON objects.
 */
#ifndef PROFDEPOT_FUZZ_CHECKING_SINK_H
#define PROFDEPOT_FUZZ_CHECKING_SINK_H

#include "format/format.h"
#include "model/sink.h"

struct checking_sink;

/* fail_after: the number of the call that fails, as if the disk were full; 0 means that no call fails. */
struct checking_sink *checking_sink_new(uint64_t fail_after);
void checking_sink_free(struct checking_sink *c);

struct sink *checking_sink_interface(struct checking_sink *c);

/* Call this after the read. Aborts unless the result matches the emitted rows. */
void checking_sink_finish(
	struct checking_sink *c, enum format_result result, const struct error *err);

/* The number of calls so far, and a checksum of everything emitted, in order. */
uint64_t checking_sink_calls(const struct checking_sink *c);
uint64_t checking_sink_sum(const struct checking_sink *c);
/* The checksum at the beginning of call number `call`. Calls are numbered from 1. */
uint64_t checking_sink_sum_at(const struct checking_sink *c, uint64_t call);

/* How much has been emitted; records are objects, errors and samples. */
struct checking_counts {
	size_t sets, records, issues;
};
struct checking_counts checking_sink_counts(const struct checking_sink *c);

#endif
