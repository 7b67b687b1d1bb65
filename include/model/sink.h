/*
 * The sink: what a format reader tells, row by row, and knows no table.
 *
 * Grammar: set+ (metadata, dictionary rows: routine, line, thread, class, class_data,
 * relation, metric)* then (stack | path | object | error | sample | span | frame | graph)*,
 * tracks, issues and suppressions anywhere, further stacks after their owner, then one end.
 * Rows of several result sets may alternate; each carries its set's number.
 * A frame's routine and line, an object's class and thread must be told
 * before the stack, path or object that names them, when they exist at all;
 * routines may be told between facts.
 *
 * A call returns false when the load must stop; err tells why.
 */
#ifndef PROFDEPOT_MODEL_SINK_H
#define PROFDEPOT_MODEL_SINK_H

#include "base/error.h"
#include "model/issue.h"
#include "model/measures.h"
#include "model/rows.h"

struct sink {
	/* *set: the number to use in rows. *wanted false: the result set is
	 * known, its rows need not be told. */
	bool (*set)(struct sink *s, const struct set_row *row, uint32_t *set, bool *wanted,
		struct error *err);
	bool (*routine)(
		struct sink *s, uint32_t set, const struct routine_row *row, struct error *err);
	bool (*line)(struct sink *s, uint32_t set, const struct line_row *row, struct error *err);
	bool (*thread)(
		struct sink *s, uint32_t set, const struct thread_row *row, struct error *err);
	bool (*class_meta)(
		struct sink *s, uint32_t set, const struct class_row *row, struct error *err);
	bool (*class_data)(
		struct sink *s, uint32_t set, const struct class_data_row *row, struct error *err);
	bool (*relation)(
		struct sink *s, uint32_t set, const struct relation_row *row, struct error *err);
	/* Interns the stack: equal ones get the same number. */
	bool (*stack)(struct sink *s, uint32_t set, const struct stack_row *row,
		stack_number *number, struct error *err);
	bool (*object)(
		struct sink *s, uint32_t set, const struct object_row *row, struct error *err);
	bool (*error)(struct sink *s, uint32_t set, const struct error_row *row, struct error *err);
	bool (*further_stack)(struct sink *s, uint32_t set, const struct further_stack_row *row,
		struct error *err);
	bool (*suppression)(
		struct sink *s, uint32_t set, const struct suppression_row *row, struct error *err);
	bool (*metric)(struct sink *s, uint32_t set, const struct metric_row *row,
		metric_number *number, struct error *err);
	/* Each track once. */
	bool (*track)(struct sink *s, uint32_t set, const struct track_row *row, struct error *err);
	bool (*sample)(
		struct sink *s, uint32_t set, const struct sample_row *row, struct error *err);
	/* Interns the call of a routine below a path, 0 for the root. */
	bool (*path)(struct sink *s, uint32_t set, path_number parent, int64_t routine_id,
		path_number *number, struct error *err);
	/* In any order; IDs are unique in the set, over spans and frames. */
	bool (*span)(struct sink *s, uint32_t set, const struct span_row *row, struct error *err);
	bool (*frame)(struct sink *s, uint32_t set, const struct frame_row *row, struct error *err);
	/* When a set has rows of a graph, what each routine costs is worked out from
	 * them, not from its samples' stacks. */
	bool (*graph)(struct sink *s, uint32_t set, const struct graph_row *row, struct error *err);
	/* ISSUE_EVERY_SET: about the whole input. */
	bool (*issue)(struct sink *s, uint32_t set, const struct issue *issue, struct error *err);
	/* What an export of ours says of the set: "caption", "application",
	 * "app_version", "host", "tool", "label:KEY", or "attributes": a JSON object of what the
	 * input carries as a whole and no column holds. */
	bool (*metadata)(struct sink *s, uint32_t set, const char *key, struct text value,
		struct error *err);
	/* The set is no result of this format after all (another profiler's in
	 * the same database): nothing was told of it, nothing is kept. */
	void (*drop)(struct sink *s, uint32_t set);
	/* All rows were told. */
	bool (*end)(struct sink *s, struct error *err);
};

#define ISSUE_EVERY_SET UINT32_MAX

#endif
