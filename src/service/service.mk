# Layer service: sources and public headers, one a line.
libprofdepot_a_SOURCES += \
	include/service/budget_file.h \
	include/service/catalogue.h \
	include/service/exports.h \
	include/service/report_answer.h \
	include/service/rows_table.h \
	include/service/set_json.h \
	src/service/catalogue.c \
	include/service/category_columns.h \
	include/service/suppressions_kept.h \
	src/service/category_columns.c \
	src/service/exports.c \
	src/service/suppressions_kept.c \
	src/service/report_answer.c \
	src/service/rows_table.c \
	src/service/set_json.c \
	include/service/check.h \
	include/service/diff_report.h \
	include/service/facts.h \
	include/service/http.h \
	include/service/import.h \
	include/service/report_rows.h \
	include/service/server.h \
	include/service/tokens.h \
	include/service/tree_report.h \
	include/service/trend_report.h \
	include/service/trees.h \
	src/service/budget_file.c \
	src/service/check.c \
	src/service/check_private.h \
	src/service/check_stacks.c \
	src/service/check_texts.c \
	src/service/diff_plan.c \
	src/service/diff_private.h \
	src/service/diff_report.c \
	src/service/facts.c \
	src/service/handle_events.c \
	src/service/handle_miniprofiler.c \
	src/service/handle_post_events.c \
	src/service/ingest.c \
	src/service/ingest.h \
	src/service/ingest_categories.c \
	src/service/ingest_flush.c \
	src/service/ingest_private.h \
	src/service/ingest_write.c \
	src/service/handle_health.c \
	src/service/handle_whoami.c \
	src/service/handle_web.c \
	src/service/web_files.c \
	src/service/web_files.h \
	src/service/api_params.c \
	src/service/api_params.h \
	src/service/export_tar.c \
	src/service/handle.c \
	src/service/handle.h \
	src/service/handle_body.c \
	src/service/handle_catalogue.c \
	src/service/handle_compare.c \
	src/service/handle_flame.c \
	src/service/handle_reports.c \
	src/service/handle_service.c \
	src/service/handle_sets.c \
	src/service/handle_uploads.c \
	src/service/http_accept.c \
	src/service/jobs.c \
	src/service/jobs.h \
	src/service/metrics.c \
	src/service/openapi.c \
	src/service/handlers.h \
	src/service/http_access.c \
	src/service/http_answer.c \
	src/service/http_body.c \
	src/service/http_clients.c \
	src/service/http_clients.h \
	src/service/http_exchange.c \
	src/service/http_fields.c \
	src/service/http_head.c \
	src/service/http_listen.c \
	src/service/http_log.c \
	src/service/http_params.c \
	src/service/http_parse.h \
	src/service/http_rate.c \
	src/service/http_route.c \
	src/service/http_worker.c \
	src/service/import.c \
	src/service/import_input.c \
	src/service/import_input.h \
	src/service/report_rows.c \
	src/service/route.h \
	src/service/routes.c \
	src/service/server.c \
	src/service/server_private.h \
	src/service/service_private.h \
	src/service/token_file.c \
	src/service/tokens.c \
	src/service/tokens_private.h \
	src/service/tree_report.c \
	src/service/trees.c \
	src/service/trend_report.c \
	include/service/suppressions.h \
	src/service/suppressions.c \
	src/service/suppression_files.c \
	src/service/suppression_notes.c \
	src/service/suppression_report.c \
	src/service/suppression_sink.c \
	src/service/suppressions_private.h

# Questions about events.
libprofdepot_a_SOURCES += \
	src/service/event_conditions.c \
	src/service/event_frames.c \
	src/service/event_frames.h \
	src/service/event_parse.c \
	src/service/event_query.h \
	src/service/event_blocks.c \
	src/service/event_blocks.h \
	src/service/event_sql.c \
	src/service/event_sql.h \
	src/service/event_sql_conditions.c \
	src/service/event_sql_private.h \
	src/service/event_sums.c \
	src/service/event_sums.h \
	src/service/event_track_sums.c \
	src/service/event_track_sums.h \
	src/service/event_tree.c \
	src/service/event_tree.h \
	src/service/events.c \
	src/service/events.h \
	src/service/handle_event_query.c \
	src/service/handle_events.h \
	src/service/json_value.c \
	src/service/json_value.h

SQL_FILES += \
	src/service/sql/event_blocks.sql \
	src/service/sql/event_block_arrays.sql \
	src/service/sql/event_blocks_in_order.sql \
	src/service/sql/event_stacks.sql \
	src/service/sql/event_track_sums.sql \
	src/service/sql/event_routines.sql \
	src/service/sql/event_rows.sql \
	src/service/sql/event_rows_in_order.sql \
	src/service/sql/event_sets.sql \
	src/service/sql/event_stack_texts.sql \
	src/service/sql/event_stack_texts_shown.sql

# Leaks of runtimes that --hide-standard-leaks leaves out, compiled in.
EXTRA_DIST += src/service/standard_leaks.supp
nodist_libprofdepot_a_SOURCES += src/service/standard_leaks.c
CLEANFILES += src/service/standard_leaks.c src/service/standard_leaks.c.tmp
src/service/standard_leaks.c: src/service/standard_leaks.supp tools/text2c.awk
	$(AM_V_GEN)$(MKDIR_P) src/service && rm -f $@ $@.tmp && out=`pwd`/$@ && \
	(cd $(srcdir) && LC_ALL=C $(AWK) -f tools/text2c.awk src/service/standard_leaks.supp) > $$out.tmp && \
	mv $$out.tmp $$out
