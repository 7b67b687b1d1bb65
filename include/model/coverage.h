/* What a profiled run looked for, so that "found nothing" differs from "did not look". */
#ifndef PROFDEPOT_MODEL_COVERAGE_H
#define PROFDEPOT_MODEL_COVERAGE_H

#include "base/error.h"
#include "base/text.h"

enum coverage_what {
	COVERAGE_LEAKS,
	COVERAGE_ERRORS,
	COVERAGE_RACES,
	COVERAGE_HEAP,
	COVERAGE_SAMPLES,
	COVERAGE_SPANS,
	COVERAGE_WHATS
};

/* COVERAGE_UNKNOWN is not stored. COVERAGE_PARTIAL: the search began, but was not completed. */
enum coverage_degree {
	COVERAGE_NONE,
	COVERAGE_UNKNOWN,
	COVERAGE_PARTIAL,
	COVERAGE_SAMPLED,
	COVERAGE_FULL,
	COVERAGE_DEGREES
};

/* The degree to which a run looked for one kind of result. Arrays of this struct are indexed by enum
 * coverage_what. */
struct coverage {
	enum coverage_degree degree;
	struct text source; /* how this is known, such as "--leak-check=no"; NULL if unknown */
};

/* Return "leaks", "errors" ..., and "none", "unknown" ... */
const char *coverage_what_name(enum coverage_what what);
const char *coverage_degree_name(enum coverage_degree degree);

/* Return false if no value has this name. */
bool coverage_what_parse(struct text t, enum coverage_what *what);
bool coverage_degree_parse(struct text t, enum coverage_degree *degree);

/* Parses "leaks,errors" into flags, indexed by enum coverage_what. Can fail with ERROR_USAGE. */
bool coverage_list_parse(const char *list, bool out[COVERAGE_WHATS], struct error *err);

#endif
