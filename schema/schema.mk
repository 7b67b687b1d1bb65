# The current schema in load order, and the migrations.
SCHEMA_SQL = \
	schema/000_depot.sql \
	schema/100_result_sets.sql \
	schema/110_runs.sql \
	schema/112_ledger.sql \
	schema/114_ledger_functions.sql \
	schema/115_owners.sql \
	schema/120_settings.sql \
	schema/122_streams.sql \
	schema/125_findings.sql \
	schema/200_dictionaries.sql \
	schema/250_tracks.sql \
	schema/260_categories.sql \
	schema/270_suppressions.sql \
	schema/275_retention.sql \
	schema/277_budgets.sql \
	schema/300_facts.sql \
	schema/400_stacks.sql \
	schema/420_samples.sql \
	schema/430_spans.sql \
	schema/440_further_stacks.sql \
	schema/450_call_tree.sql \
	schema/455_call_graph.sql \
	schema/465_user_timings.sql \
	schema/470_events.sql \
	schema/480_posted_batches.sql \
	schema/485_jobs.sql \
	schema/490_posted_progress.sql \
	schema/495_statistics.sql \
	schema/500_functions.sql \
	schema/540_commands.sql \
	schema/560_frames.sql schema/565_frame_names.sql \
	schema/600_flame.sql \
	schema/700_partitions.sql
SQL_FILES += $(SCHEMA_SQL) \
	migrations/0001_initial.sql
