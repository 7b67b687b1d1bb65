/*
 * The sink: a format reader calls it once per row. The reader knows no table.
 *
 * Order of calls:
 *     set+ (metadata | routine | line | thread | class_meta | class_data | relation | metric)*
 *     (stack | path | object | error | sample | span | frame | graph)* end
 * track, issue and suppression may be called anywhere, further_stack after its owner. Rows of
 * several result sets may alternate: each call names its set. A stack, path or object comes
 * after the routines, lines, classes and threads that it names, if they exist; a reader may
 * emit routines between facts.
 *
 * All calls return false with err set when the load must stop.
 */
#ifndef PROFDEPOT_MODEL_SINK_H
#define PROFDEPOT_MODEL_SINK_H

#include "base/error.h"
#include "model/issue.h"
#include "model/measures.h"
#include "model/rows.h"

struct sink {
	/* Begins a result set. Rows name it by *set. *wanted is false if the depot has this
	 * result set already: the reader may skip its rows. */
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
	/* Interns the stack: equal stacks get the same number. */
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
	/* Once per track. */
	bool (*track)(struct sink *s, uint32_t set, const struct track_row *row, struct error *err);
	bool (*sample)(
		struct sink *s, uint32_t set, const struct sample_row *row, struct error *err);
	/* Interns the call of a routine below the path `parent`; 0 is the root. */
	bool (*path)(struct sink *s, uint32_t set, path_number parent, int64_t routine_id,
		path_number *number, struct error *err);
	/* In any order. IDs are unique in the set, across spans and frames. */
	bool (*span)(struct sink *s, uint32_t set, const struct span_row *row, struct error *err);
	bool (*frame)(struct sink *s, uint32_t set, const struct frame_row *row, struct error *err);
	/* If a set has graph rows, the costs of its routines are computed from them, not from
	 * its samples' stacks. */
	bool (*graph)(struct sink *s, uint32_t set, const struct graph_row *row, struct error *err);
	/* set is ISSUE_EVERY_SET if the issue concerns the whole input. */
	bool (*issue)(struct sink *s, uint32_t set, const struct issue *issue, struct error *err);
	/* Metadata of the set from one of our own exports. Keys: "caption", "application",
	 * "app_version", "host", "tool", "label:KEY", and "attributes": a JSON object of what
	 * the input holds as a whole and no column stores. */
	bool (*metadata)(struct sink *s, uint32_t set, const char *key, struct text value,
		struct error *err);
	/* The set turned out not to be of this format (it may be another profiler's, in the
	 * same database). The reader emitted no rows for it; the sink forgets it. */
	void (*drop)(struct sink *s, uint32_t set);
	/* After the last row. */
	bool (*end)(struct sink *s, struct error *err);
};

#define ISSUE_EVERY_SET UINT32_MAX

#endif
