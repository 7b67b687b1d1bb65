/* Shared by the files of the checking sink. */
#ifndef PROFDEPOT_FUZZ_CHECKING_SINK_PRIVATE_H
#define PROFDEPOT_FUZZ_CHECKING_SINK_PRIVATE_H

#include "base/arena.h"
#include "base/pair_map.h"
#include "checking_sink.h"
#include "must.h"

struct checked_metric {
	enum metric_family family;
	struct text name;
};

struct checked_set {
	bool facts; /* facts were emitted, so no more metrics may follow */
	bool complete;
	struct checked_metric *metrics;
	size_t metric_count, metric_room;
	struct pair_map routines, tracks, tracks_named, spans, parents;
	/* The pair (ID, 0) for each owner that was emitted, and (ID, position) for each of its further stacks. */
	struct pair_map owners[STACK_OWNERS];
	int64_t suppressions, graph_rows;
	int32_t track_count;
	stack_number stacks;
	path_number paths;
	int64_t frame_count, frame_max;
};

struct checking_sink {
	struct sink sink;
	struct arena arena;
	struct checked_set *sets;
	uint32_t set_count;
	size_t set_room;
	uint64_t calls, fail_after, sum;
	uint64_t *sums; /* the checksum at the beginning of each call */
	size_t sum_count, sum_room;
	size_t records, issues;
	bool ended, failed;
};

/* These add a value to the checksum. The others add the texts and numbers that they check. */
void checking_add(struct checking_sink *c, const void *data, size_t size);
void checking_add_int(struct checking_sink *c, int64_t v);

void checking_text(struct checking_sink *c, struct text t);
void checking_texts(struct checking_sink *c, const struct text *texts, size_t count);
/* The text may be NULL. */
void checking_json_object(struct checking_sink *c, struct text t);
/* If null_too is true, the decimal may be NULL. */
void checking_decimal(struct checking_sink *c, struct decimal d, bool null_too);

/* Counts a call. Returns false if this call must fail. */
bool checking_begin(struct sink *s, struct error *err);

/* The set of a row that must come before the set is complete. */
struct checked_set *checking_set(struct sink *s, uint32_t number);
/* The same for a fact. Facts may be emitted only after all metrics. */
struct checked_set *checking_facts_set(struct sink *s, uint32_t number);

/* Checks that the set has this metric, and that it is of this family. */
void checking_metric(const struct checked_set *t, metric_number number, enum metric_family family);

/* Sets the functions for facts. */
void checking_facts_init(struct sink *s);

#endif
