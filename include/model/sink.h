/*
 * The sink: a format reader calls it once per row.
 *
 * Order of calls:
 *     set+ (metadata | routine | line | thread | class_meta | class_data | relation | metric)*
 *     (stack | path | object | error | sample | span | frame | graph)* end
 *
 * track, issue and suppression may be called at any time; further_stack comes after its owner. The
 * rows of several result sets may alternate. A stack, path or object comes after the routines,
 * lines, classes and threads to which it refers, unless the input does not contain them. A reader
 * may emit routines between other rows.
 *
 * Every call returns false and sets err if the load must stop.
 */
#ifndef PROFDEPOT_MODEL_SINK_H
#define PROFDEPOT_MODEL_SINK_H

#include "base/error.h"
#include "model/issue.h"
#include "model/measures.h"
#include "model/rows.h"

struct sink {
	/* Begins a result set. *set receives its number, which the other calls take. *wanted is
	 * false if the depot already has this result set; the reader may then skip its rows. */
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
	/* Interns the stack: equal stacks receive the same number. */
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
	/* Must be called once per track. */
	bool (*track)(struct sink *s, uint32_t set, const struct track_row *row, struct error *err);
	bool (*sample)(
		struct sink *s, uint32_t set, const struct sample_row *row, struct error *err);
	/* Interns the call of a routine below the path `parent`, which is 0 for the root. */
	bool (*path)(struct sink *s, uint32_t set, path_number parent, int64_t routine_id,
		path_number *number, struct error *err);
	/* Spans may come in any order. IDs are unique among the spans and frames of a set. */
	bool (*span)(struct sink *s, uint32_t set, const struct span_row *row, struct error *err);
	bool (*frame)(struct sink *s, uint32_t set, const struct frame_row *row, struct error *err);
	/* If a set has graph rows, the costs of its routines are computed from these rows, not from
	 * the stacks of its samples. */
	bool (*graph)(struct sink *s, uint32_t set, const struct graph_row *row, struct error *err);
	/* `set` is ISSUE_EVERY_SET if the issue concerns the whole input. */
	bool (*issue)(struct sink *s, uint32_t set, const struct issue *issue, struct error *err);
	/* Metadata of the set. Keys:
	 *	caption, application, app_version, host, tool, label:KEY
	 *	attributes		a JSON object: values of the whole input that have no column
	 *	run_key, commit_id, parent_commit_id, environment	of the run
	 *	started_us, ended_us	Unix time of the run in microseconds
	 *	finished		"true" if the profiler wrote its end marker, else "false"
	 *	looked_for:WHAT		"DEGREE SOURCE", separated by a space (model/coverage.h)
	 *	format			the format from which the set was first loaded, if this
	 *				input is an export of a depot */
	bool (*metadata)(struct sink *s, uint32_t set, const char *key, struct text value,
		struct error *err);
	/* Forgets a set that is not in the reader's format, for example a set of another profiler in
	 * the same database. The reader must not have emitted any rows of this set. */
	void (*drop)(struct sink *s, uint32_t set);
	/* May be called when the set is complete: only issues and metadata may follow. The sink can then write its sums
	 * while the reader reads other sets. NULL if the sink has no use for it. */
	bool (*complete)(struct sink *s, uint32_t set, struct error *err);
	/* Must be called after the last row. */
	bool (*end)(struct sink *s, struct error *err);
};

#define ISSUE_EVERY_SET UINT32_MAX

#endif
