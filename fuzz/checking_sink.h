/*
 * A sink that stores nothing and ends the process (abort) when a reader breaks
 * the sink's grammar: for fuzz targets and tests of readers.
 *
 * It checks the order of calls, that IDs and numbers exist and are unique, and
 * that texts are UTF-8 without NUL, decimals numbers and attributes JSON
 * objects, as model/sink.h and model/measures.h promise the depot.
 */
#ifndef PROFDEPOT_FUZZ_CHECKING_SINK_H
#define PROFDEPOT_FUZZ_CHECKING_SINK_H

#include "format/format.h"
#include "model/sink.h"

struct checking_sink;

/* fail_after: the call of that number says no, as a full disk would; 0: none does. */
struct checking_sink *checking_sink_new(uint64_t fail_after);
void checking_sink_free(struct checking_sink *c);

struct sink *checking_sink_interface(struct checking_sink *c);

/* After the read: what it returned must fit what was told. */
void checking_sink_finish(
	struct checking_sink *c, enum format_result result, const struct error *err);

/* Calls so far, and a sum over all that was told, in its order. */
uint64_t checking_sink_calls(const struct checking_sink *c);
uint64_t checking_sink_sum(const struct checking_sink *c);

#endif
