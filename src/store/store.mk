# Layer store: sources and public headers, one per line.
libprofdepot_a_SOURCES += \
	include/store/categories.h \
	include/store/export/depot_rowset.h \
	include/store/tree/depot_tree.h \
	include/store/export/depot_source.h \
	include/store/live/live.h \
	include/store/load/load.h \
	include/store/owners.h \
	include/store/result_sets.h \
	include/store/suppressions.h \
	include/store/gauges.h \
	include/store/history/history.h \
	include/store/runs.h \
	include/store/set_names.h \
	include/store/verify.h \
	include/store/tree/span_times.h \
	src/store/arguments.c \
	src/store/categories.c \
	src/store/checksums.c \
	src/store/checksums.h \
	src/store/export/depot_rowset.c \
	src/store/tree/depot_tree.c \
	src/store/export/depot_source.c \
	src/store/export/frame_reader.c \
	src/store/id_array_private.h \
	src/store/live/live.c \
	src/store/live/live_batch.c \
	src/store/live/live_dictionaries.c \
	src/store/live/live_private.h \
	src/store/live/live_progress.c \
	src/store/live/live_read.c \
	src/store/live/live_samples.c \
	src/store/live/live_set.c \
	src/store/live/live_sink.c \
	src/store/load/load.c \
	src/store/load/load_blocks.c \
	src/store/load/load_dictionaries.c \
	src/store/load/load_digest.c \
	src/store/load/load_end.c \
	src/store/load/load_facts.c \
	src/store/tree/graph_totals.c \
	src/store/load/load_issues.c \
	src/store/load/load_measures.c \
	src/store/load/load_measures.h \
	src/store/load/load_parts.h \
	src/store/load/load_private.h \
	src/store/load/load_rows.c \
	src/store/load/load_sightings.c \
	src/store/load/load_sightings.h \
	src/store/load/load_runs.c \
	src/store/load/load_stacks.c \
	src/store/load/load_tree.c \
	src/store/owners.c \
	src/store/history/history.c \
	src/store/history/history_reviews.c \
	src/store/history/history_private.h \
	src/store/history/history_runs.c \
	src/store/history/history_sightings.c \
	src/store/history/history_stack.c \
	src/store/queries.c \
	src/store/reindex.c \
	src/store/relations.c \
	src/store/relations.h \
	src/store/result_sets.c \
	src/store/sample_block.c \
	src/store/sample_block.h \
	src/store/rows.c \
	src/store/gauges.c \
	src/store/runs.c \
	src/store/rows.h \
	src/store/set_names.c \
	src/store/tree/span_times.c \
	src/store/export/own_tables.c \
	src/store/export/rowset_private.h \
	src/store/export/source_private.h \
	src/store/export/source_query.c \
	src/store/export/source_rows.c \
	src/store/verify.c \
	src/store/store_private.h \
	src/store/suppress_facts.c \
	src/store/suppressions.c \
	src/store/export/table_reader.c \
	src/store/tree/tree_facts.c \
	src/store/tree/tree_metric.c \
	src/store/tree/tree_private.h \
	src/store/tree/tree_spans.c \
	src/store/tree/tree_stored.c \
	src/store/tree/tree_rows.c
nodist_libprofdepot_a_SOURCES += src/store/columns.c src/store/columns.h

EXTRA_DIST += tools/schema2c.awk
CLEANFILES += src/store/columns.c src/store/columns.c.tmp src/store/columns.h src/store/columns.h.tmp \
	src/store/columns.stamp
BUILT_SOURCES += src/store/columns.h

# Code made from the schema's declarations. The stamp allows unchanged files to keep their times.
src/store/columns.stamp: $(SCHEMA_SQL) tools/schema2c.awk Makefile
	$(AM_V_GEN)$(MKDIR_P) src/store && out=`pwd`/src/store/columns && \
	(cd $(srcdir) && LC_ALL=C $(AWK) -v header=1 -f tools/schema2c.awk $(SCHEMA_SQL)) > $$out.h.tmp && \
	(cd $(srcdir) && LC_ALL=C $(AWK) -f tools/schema2c.awk $(SCHEMA_SQL)) > $$out.c.tmp && \
	for f in h c; do cmp -s $$out.$$f.tmp $$out.$$f || mv $$out.$$f.tmp $$out.$$f; done && touch $@

src/store/columns.c src/store/columns.h: src/store/columns.stamp
	@test -f $@ || { rm -f src/store/columns.stamp && $(MAKE) src/store/columns.stamp; }

# SQL of this layer, compiled in as "store/name".
SQL_FILES += \
	src/store/sql/categories.sql \
	src/store/sql/category_add.sql \
	src/store/sql/category_remove.sql \
	src/store/sql/checksum_renew.sql \
	src/store/sql/checksums_delete.sql \
	src/store/sql/has_checksums.sql \
	src/store/sql/export_attributes.sql \
	src/store/sql/export_calls.sql \
	src/store/sql/export_classes.sql \
	src/store/sql/export_contents.sql \
	src/store/sql/export_coverage.sql \
	src/store/sql/export_error_frames.sql \
	src/store/sql/export_error_owners.sql \
	src/store/sql/export_errors.sql \
	src/store/sql/export_instances.sql \
	src/store/sql/export_labels.sql \
	src/store/sql/export_lines.sql \
	src/store/sql/export_meta_classes.sql \
	src/store/sql/export_metrics.sql \
	src/store/sql/export_object_frames.sql \
	src/store/sql/export_object_owners.sql \
	src/store/sql/export_objects.sql \
	src/store/sql/export_relations.sql \
	src/store/sql/export_result_sets.sql \
	src/store/sql/export_routines.sql \
	src/store/sql/export_samples.sql \
	src/store/sql/export_sets.sql \
	src/store/sql/export_shared_stacks.sql \
	src/store/sql/export_stacks.sql \
	src/store/sql/export_threads.sql \
	src/store/sql/find_content.sql \
	src/store/sql/find_input.sql \
	src/store/sql/find_run.sql \
	src/store/sql/find_run_sets.sql \
	src/store/sql/find_set_by_labels.sql \
	src/store/sql/span_durations.sql \
	src/store/sql/trend_sets.sql \
	src/store/sql/has_input_size.sql \
	src/store/sql/insert_instance.sql \
	src/store/sql/is_stored.sql \
	src/store/sql/live_batch_add.sql \
	src/store/sql/live_batch_expire.sql \
	src/store/sql/live_batch_find.sql \
	src/store/sql/live_find.sql \
	src/store/sql/live_insert.sql \
	src/store/sql/live_last.sql \
	src/store/sql/live_lines.sql \
	src/store/sql/live_metrics.sql \
	src/store/sql/live_named_set.sql \
	src/store/sql/live_progress_add.sql \
	src/store/sql/live_progress_expire.sql \
	src/store/sql/live_progress_flush.sql \
	src/store/sql/live_progress_read.sql \
	src/store/sql/live_progress_remove.sql \
	src/store/sql/live_routines.sql \
	src/store/sql/live_stacks.sql \
	src/store/sql/live_touch.sql \
	src/store/sql/live_tracks.sql \
	src/store/sql/list_result_sets.sql \
	src/store/sql/list_streams.sql \
	src/store/sql/lock_result_set.sql \
	src/store/sql/owners_load.sql \
	src/store/sql/owners_store.sql \
	src/store/sql/reindex.sql \
	src/store/sql/reindex_analyze.sql \
	src/store/sql/reindex_metrics.sql \
	src/store/sql/reindex_prepare.sql \
	src/store/sql/reindex_stacks.sql \
	src/store/sql/reindex_totals.sql \
	src/store/sql/remove_label.sql \
	src/store/sql/set_caption.sql \
	src/store/sql/set_label.sql \
	src/store/sql/set_stream_parent.sql \
	src/store/sql/forget_run.sql \
	src/store/sql/history_as_of.sql \
	src/store/sql/history_of_set.sql \
	src/store/sql/history_streams.sql \
	src/store/sql/history_newest.sql \
	src/store/sql/history_runs.sql \
	src/store/sql/history_aliases.sql \
	src/store/sql/alias_add.sql \
	src/store/sql/history_stacks.sql \
	src/store/sql/history_stack_frames.sql \
	src/store/sql/history_forgotten.sql \
	src/store/sql/history_blocks.sql \
	src/store/sql/history_folds.sql \
	src/store/sql/history_folded.sql \
	src/store/sql/history_reviews.sql \
	src/store/sql/review_add.sql \
	src/store/sql/move_run.sql \
	src/store/sql/set_stream_labels.sql \
	src/store/sql/show_counts.sql \
	src/store/sql/show_issues.sql \
	src/store/sql/show_coverage.sql \
	src/store/sql/show_labels.sql \
	src/store/sql/show_metrics.sql \
	src/store/sql/show_result_set.sql \
	src/store/sql/graph_totals.sql \
	src/store/sql/gauge_values.sql \
	src/store/sql/graph_routines.sql \
	src/store/sql/source_metrics.sql \
	src/store/sql/source_sample_blocks.sql \
	src/store/sql/source_sample_rows.sql \
	src/store/sql/source_set.sql \
	src/store/sql/source_sets.sql \
	src/store/sql/source_span_blocks.sql \
	src/store/sql/source_stacks.sql \
	src/store/sql/state.sql \
	src/store/sql/suppress_errors.sql \
	src/store/sql/suppress_further.sql \
	src/store/sql/suppress_leaks.sql \
	src/store/sql/suppress_lines.sql \
	src/store/sql/suppress_own.sql \
	src/store/sql/suppress_routines.sql \
	src/store/sql/suppress_stacks.sql \
	src/store/sql/suppress_used.sql \
	src/store/sql/suppressed_objects.sql \
	src/store/sql/suppression_add.sql \
	src/store/sql/suppression_remove.sql \
	src/store/sql/suppressions.sql \
	src/store/sql/tree_errors.sql \
	src/store/sql/tree_live.sql \
	src/store/sql/tree_metrics.sql \
	src/store/sql/tree_names.sql \
	src/store/sql/tree_samples.sql \
	src/store/sql/tree_size.sql \
	src/store/sql/tree_spans.sql \
	src/store/sql/tree_stored.sql \
	src/store/sql/tree_stored_all.sql \
	src/store/sql/verify_result_set.sql
