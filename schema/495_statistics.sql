-- The number of rows that the planner expects in one result set. Result sets differ in size by a factor of a million,
-- and the statistics on inst_id usually describe only older ones. If all the older result sets are small, or if the
-- statistics list all of them, the planner expects one row in a new result set, and chooses plans that take minutes for
-- a million rows. Therefore these settings make the planner expect 1,000 rows in large relations. It then reads a
-- result set by index and joins by hash, which suits a small result set, too. In the other relations the planner
-- expects 10 rows. The statistics also list the 10 largest result sets. Loads do not need ANALYZE;
-- see analyze_relations.
ALTER TABLE profdepot.resource_profiler_objects ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.resource_profiler_errors ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.resource_profiler_meta_routines ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.resource_profiler_meta_lines ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.resource_profiler_classes_data ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.resource_profiler_meta_classes_data ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.stacks ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.stack_totals ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.further_stacks ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.sample_blocks ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.sample_rows ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.span_blocks ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.span_rows ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.call_tree_blocks ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.routine_totals ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.call_graph ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.routine_identity_blocks ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.relations ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.result_set_labels ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.result_set_counts ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.result_set_checksums ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.import_issues ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.coverage ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.resource_profiler_threads ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.tracks ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.metrics ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.result_set_suppressions ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.sighting_blocks ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
