/* The relations that a load writes, and the views that it counts. schema/ declares their columns. */
#ifndef PROFDEPOT_SRC_STORE_RELATIONS_H
#define PROFDEPOT_SRC_STORE_RELATIONS_H

#include "db/copy.h"

/* Identifier and name. The relations up to REL_CALL_GRAPH have rows in result_set_counts. The numbers up to
 * REL_STACKS must not change, because they are part of content digests, which depots store. A load uses
 * COPY for all relations except instances. */
#define RELATION_TABLE(X) \
	X(REL_RELATIONS, relations) \
	X(REL_THREADS, resource_profiler_threads) \
	X(REL_META_CLASSES, resource_profiler_meta_classes_data) \
	X(REL_CLASSES, resource_profiler_classes_data) \
	X(REL_META_ROUTINES, resource_profiler_meta_routines) \
	X(REL_META_LINES, resource_profiler_meta_lines) \
	X(REL_OBJECTS, resource_profiler_objects) \
	X(REL_ERRORS, resource_profiler_errors) \
	X(REL_STACKS, stacks) \
	X(REL_METRICS, metrics) \
	X(REL_TRACKS, tracks) \
	X(REL_FURTHER_STACKS, further_stacks) \
	X(REL_SUPPRESSIONS, result_set_suppressions) \
	X(REL_CALL_GRAPH, call_graph) \
	X(REL_SAMPLE_BLOCKS, sample_blocks) \
	X(REL_SAMPLE_ROWS, sample_rows) \
	X(REL_SPAN_BLOCKS, span_blocks) \
	X(REL_SPAN_ROWS, span_rows) \
	X(REL_CALL_TREE, call_tree_blocks) \
	X(REL_ROUTINE_TOTALS, routine_totals) \
	X(REL_TOTALS, stack_totals) \
	X(REL_ISSUES, import_issues) \
	X(REL_LABELS, result_set_labels) \
	X(REL_RUNS, runs) \
	X(REL_COVERAGE, coverage) \
	X(REL_ROUTINE_IDENTITIES, routine_identity_blocks) \
	X(REL_COUNTS, result_set_counts) \
	X(REL_INSTANCES, instances) \
	X(REL_CHECKSUMS, result_set_checksums) \
	X(REL_SIGHTINGS, sighting_blocks) \
	X(REL_VERDICTS, budget_verdicts)

enum relation {
#define RELATION_ENUM(id, name) id,
	RELATION_TABLE(RELATION_ENUM)
#undef RELATION_ENUM
	RELATIONS_WRITTEN,
	/* These are views, which are counted but never written. */
	REL_CREATION_FRAMES = RELATIONS_WRITTEN,
	REL_ERROR_FRAMES,
	REL_SAMPLES,
	REL_SPANS,
	RELATIONS_COUNTED,
};

enum {
	RELATIONS_SUMMED = REL_CHECKSUMS, /* number of relations with a checksum; they come first */
};

/* True if the rows of this relation remain when a result set is removed, because the history needs
 * them. */
static inline bool
relation_is_history(enum relation r)
{
	return r == REL_RUNS || r == REL_COVERAGE || r == REL_SIGHTINGS;
}

/* True if a result set can have very many rows in this relation. Only these relations are partitioned. */
bool relation_is_large(enum relation r);

/* Indexed by enum relation, up to RELATIONS_WRITTEN. */
extern const struct copy_relation store_relations[];

#endif
