/*
 * The relations that a load writes: name and columns of the COPY.
 */
#ifndef PROFDEPOT_SRC_STORE_RELATIONS_H
#define PROFDEPOT_SRC_STORE_RELATIONS_H

#include "db/copy.h"

/* identifier, name, number of columns, columns. Those that result_set_counts
 * has come first, up to REL_CALL_GRAPH. */
#define RELATION_TABLE(X) \
	X(REL_RELATIONS, "relations", 4, "inst_id, id, col_child_table, col_parent_table") \
	X(REL_THREADS, "resource_profiler_threads", 7, \
		"inst_id, id, parent_id, rec_id, col_size, col_win32threadid, name") \
	X(REL_META_CLASSES, "resource_profiler_meta_classes_data", 7, \
		"inst_id, id, parent_id, rec_id, col_class_name, col_module_name, " \
		"col_symbol_moniker") \
	X(REL_CLASSES, "resource_profiler_classes_data", 12, \
		"inst_id, id, parent_id, rec_id, col_class_name, col_module_name, " \
		"col_live_count, col_live_size, col_peak_created, col_peak_size, " \
		"col_total_created, col_total_size") \
	X(REL_META_ROUTINES, "resource_profiler_meta_routines", 20, \
		"inst_id, id, parent_id, rec_id, col_hit_count, col_compiler, col_address, " \
		"col_analisys_result, col_class_name, col_code_type, col_module_name, " \
		"col_namespace, col_profilelines, col_routine_name, col_source_file, " \
		"col_source_line, col_symbol_moniker, col_token, col_unit_name, attributes") \
	X(REL_META_LINES, "resource_profiler_meta_lines", 5, \
		"inst_id, id, parent_id, rec_id, col_source_line") \
	X(REL_OBJECTS, "resource_profiler_objects", 15, \
		"inst_id, id, parent_id, rec_id, col_classrid, col_get_, col_threadid, col__, " \
		"col_address, col_size, block_count, stack_first_id, stack_id, leak_kind, attributes") \
	X(REL_ERRORS, "resource_profiler_errors", 13, \
		"inst_id, id, parent_id, rec_id, col__, col_error_code, col_kind, " \
		"col_description, col_name, stack_first_id, stack_id, count, attributes") \
	X(REL_STACKS, "stacks", 9, \
		"inst_id, stack_id, identity, line_identity, routine_ids, line_ids, hit_counts, " \
		"frame_ids, rec_ids") \
	X(REL_METRICS, "metrics", 6, "inst_id, metric_no, name, family, unit, title") \
	X(REL_TRACKS, "tracks", 16, \
		"inst_id, track_id, kind, name, source_id, category, host, user_name, " \
		"process_name, process_id, thread_id, metric_no, start, duration, started, " \
		"attributes") \
	X(REL_FURTHER_STACKS, "further_stacks", 8, \
		"inst_id, owner, owner_id, position, role, description, thread_id, stack_id") \
	X(REL_SUPPRESSIONS, "result_set_suppressions", 10, \
		"inst_id, id, name, syntax, kind, pattern, file, count, bytes, blocks") \
	X(REL_CALL_GRAPH, "call_graph", 12, \
		"inst_id, id, kind, routine_id, source_file, source_line, target_id, target_line, " \
		"count, followed, metric_no, costs") \
	X(REL_SAMPLE_BLOCKS, "sample_blocks", 11, \
		"inst_id, first_id, track_id, stack_ids, time_unit, times, exact_times, " \
		"value_unit, weights, exact_weights, track_ids") \
	X(REL_SAMPLE_ROWS, "sample_rows", 7, \
		"inst_id, id, track_id, stack_id, at, weights, attributes") \
	X(REL_SPAN_BLOCKS, "span_blocks", 12, \
		"inst_id, block_no, track_id, base_id, time_unit, ids, parents, routine_ids, " \
		"starts, stops, exact_starts, exact_stops") \
	X(REL_SPAN_ROWS, "span_rows", 17, \
		"inst_id, id, parent_id, track_id, kind, name, routine_id, stack_id, start, " \
		"duration, first_fetch, source_id, category, execute_type, command, errored, " \
		"attributes") \
	X(REL_CALL_TREE, "call_tree_blocks", 11, \
		"inst_id, metric_no, first_rank, nodes, parents, depths, routine_ids, selfs, " \
		"cut_selfs, totals, folded") \
	X(REL_ROUTINE_TOTALS, "routine_totals", 5, "inst_id, metric_no, routine_id, self, total") \
	X(REL_TOTALS, "stack_totals", 6, "inst_id, metric, class, stack_id, count, value") \
	X(REL_ISSUES, "import_issues", 10, \
		"inst_id, issue_no, severity, code, source, line, byte_offset, message, " \
		"occurrences, rejected") \
	X(REL_LABELS, "result_set_labels", 3, "inst_id, key, value") \
	X(REL_COUNTS, "result_set_counts", 5, "inst_id, relation, row_count, id_sum, value_sum")

enum relation {
#define RELATION_ENUM(id, name, column_count, columns) id,
	RELATION_TABLE(RELATION_ENUM)
#undef RELATION_ENUM
	RELATIONS_WRITTEN,
	/* Views: counted, never written. */
	REL_CREATION_FRAMES = RELATIONS_WRITTEN,
	REL_ERROR_FRAMES,
	REL_SAMPLES,
	REL_SPANS,
	RELATIONS_COUNTED,
};

/* By enum relation; RELATIONS_WRITTEN rows. */
extern const struct copy_relation store_relations[];

#endif
