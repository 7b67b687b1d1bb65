# Tests. A unit test is a cmocka program with one group:
#
#	UNIT_TESTS += tests/unit/test_thing
#	tests_unit_test_thing_SOURCES = tests/unit/test_thing.c
#	tests_unit_test_thing_LDADD = $(UNIT_LDADD)
#
# A test that needs a database goes into UNIT_DB_TESTS, and a short script that sources tests/lib/pg-temp.sh
# and ends with `pg_temp_run tests/unit/test_thing' goes into SH_TESTS.
# A shell test is one line: SH_TESTS += tests/cli/thing.sh

UNIT_LDADD = libprofdepot.a $(PROFDEPOT_LIBS) $(CMOCKA_LIBS)
EXTRA_DIST += tests/postgresql/newer tests/postgresql/package.json tests/postgresql/package-lock.json
EXTRA_DIST += tests/no-cmocka.sh tests/lib/tap.sh tests/lib/pg-temp.sh tests/lib/pg-citus.sh

# Tests start in this order. Long tests come first, so that no long test runs alone at the end.
SH_TESTS += tests/browser/corpora.sh tests/cli/render/flame_sums.sh tests/cli/db/cluster.sh tests/browser/pages.sh
SH_TESTS += tests/cli/store/kill.sh tests/cli/format/speedscope_export.sh tests/cli/format/speedscope_corpora.sh tests/cli/format/speedscope.sh
SH_TESTS += tests/cli/input/bad_input.sh tests/cli/input/aqtime_inputs.sh tests/cli/report/reports.sh tests/cli/report/csv_safe.sh tests/cli/format/miniprofiler.sh tests/service/api.sh

SH_TESTS += tests/cli/app/suppress.sh tests/cli/app/suppress_real.sh tests/cli/app/suppress_kinds.sh
SH_TESTS += tests/cli/store/owners.sh tests/cli/store/sets.sh tests/cli/store/many.sh tests/cli/report/plans.sh tests/cli/store/sums.sh tests/cli/store/frame_names.sh tests/cli/app/finding_identity.sh tests/cli/app/control.sh tests/cli/store/export.sh tests/cli/db/schema_rules.sh tests/cli/readme.sh
SH_TESTS += tests/cli/app/history_replay.sh tests/cli/app/history.sh tests/cli/app/applications.sh
SH_TESTS += tests/cli/store/verify_deep.sh
EXTRA_DIST += tests/lib/memcheck.sh tests/lib/streams.sh
SH_TESTS += tests/cli/format/stripped.sh
SH_TESTS += tests/cli/store/round_trip.sh
EXTRA_DIST += tests/lib/clone_sets.sql tests/lib/depot.sh tests/lib/textlogs.sh tests/lib/serve.sh tests/lib/findings.sh
SH_TESTS += tests/cli/store/ranges.sh tests/cli/store/retain.sh
SH_TESTS += tests/cli/store/cut.sh
SH_TESTS += tests/cli/store/faults.sh

EXTRA_DIST += tests/lib/whole.sh tests/lib/cut_proxy.py tests/lib/pe_leaks.py tests/lib/faults.c

# A library for LD_PRELOAD, without sanitizers.
check_DATA += tests/lib/faults.so
CLEANFILES += tests/lib/faults.so
tests/lib/faults.so: tests/lib/faults.c
	$(AM_V_GEN)$(MKDIR_P) tests/lib && $(CC) -O1 -shared -fPIC -o $@ $(srcdir)/tests/lib/faults.c -ldl
EXTRA_DIST += tests/lib/console.sh

UNIT_TESTS += tests/unit/base/test_memory_pool
tests_unit_base_test_memory_pool_SOURCES = tests/unit/base/test_memory_pool.c
tests_unit_base_test_memory_pool_LDADD = $(UNIT_LDADD)

UNIT_TESTS += tests/unit/base/test_sql_file
tests_unit_base_test_sql_file_SOURCES = tests/unit/base/test_sql_file.c
tests_unit_base_test_sql_file_LDADD = $(UNIT_LDADD)

UNIT_TESTS += tests/unit/service/test_openapi
tests_unit_service_test_openapi_SOURCES = tests/unit/service/test_openapi.c
tests_unit_service_test_openapi_LDADD = $(UNIT_LDADD) $(LIBCJSON_LIBS)

SH_TESTS += tests/lib/selftest.sh
SH_TESTS += tests/tools/sql2c.sh
SH_TESTS += tests/tools/dist.sh

SH_TESTS += tests/cli/db/migrate.sh
SH_TESTS += tests/cli/db/distribute.sh
SH_TESTS += tests/cli/db/worker.sh
SH_TESTS += tests/cli/db/partition.sh
SH_TESTS += tests/cli/db/schema_dump.sh
SH_TESTS += tests/cli/db/backup.sh

UNIT_DB_TESTS += tests/unit/db/test_db_query
tests_unit_db_test_db_query_SOURCES = tests/unit/db/test_db_query.c
tests_unit_db_test_db_query_LDADD = $(UNIT_LDADD)
SH_TESTS += tests/unit/db/db_query.sh

LOAD_TRIAL = tests/unit/store/load_trial.c tests/unit/store/load_trial.h
UNIT_DB_TESTS += tests/unit/store/test_load
tests_unit_store_test_load_SOURCES = tests/unit/store/test_load.c $(LOAD_TRIAL)
tests_unit_store_test_load_LDADD = $(UNIT_LDADD)
UNIT_DB_TESTS += tests/unit/store/test_load_samples
tests_unit_store_test_load_samples_SOURCES = tests/unit/store/test_load_samples.c $(LOAD_TRIAL)
tests_unit_store_test_load_samples_LDADD = $(UNIT_LDADD)
UNIT_DB_TESTS += tests/unit/store/test_load_spans
tests_unit_store_test_load_spans_SOURCES = tests/unit/store/test_load_spans.c $(LOAD_TRIAL)
tests_unit_store_test_load_spans_LDADD = $(UNIT_LDADD)
SH_TESTS += tests/unit/store/load.sh tests/unit/store/load_samples.sh tests/unit/store/load_spans.sh

UNIT_DB_TESTS += tests/unit/store/test_live
tests_unit_store_test_live_SOURCES = tests/unit/store/test_live.c
tests_unit_store_test_live_LDADD = $(UNIT_LDADD)
SH_TESTS += tests/unit/store/live.sh

UNIT_DB_TESTS += tests/unit/db/test_db_copy
tests_unit_db_test_db_copy_SOURCES = tests/unit/db/test_db_copy.c
tests_unit_db_test_db_copy_LDADD = $(UNIT_LDADD)
SH_TESTS += tests/unit/db/db_copy.sh

SH_TESTS += tests/cli/store/load.sh tests/cli/input/load_odd.sh tests/cli/input/inputs.sh tests/cli/input/odbc.sh
SH_TESTS += tests/cli/db/disaster.sh tests/cli/store/one_column.sh tests/cli/input/limits.sh tests/cli/input/costs.sh
SH_TESTS += tests/cli/db/session.sh
EXTRA_DIST += tests/lib/export.sh

UNIT_TESTS += tests/unit/base/test_text
tests_unit_base_test_text_SOURCES = tests/unit/base/test_text.c
tests_unit_base_test_text_LDADD = $(UNIT_LDADD)
UNIT_TESTS += tests/unit/base/test_number
tests_unit_base_test_number_SOURCES = tests/unit/base/test_number.c
tests_unit_base_test_number_LDADD = $(UNIT_LDADD)
UNIT_TESTS += tests/unit/base/test_error
tests_unit_base_test_error_SOURCES = tests/unit/base/test_error.c
tests_unit_base_test_error_LDADD = $(UNIT_LDADD)
UNIT_TESTS += tests/unit/base/test_memory
tests_unit_base_test_memory_SOURCES = tests/unit/base/test_memory.c
tests_unit_base_test_memory_LDADD = $(UNIT_LDADD)
UNIT_TESTS += tests/unit/base/test_json_writer
tests_unit_base_test_json_writer_SOURCES = tests/unit/base/test_json_writer.c
tests_unit_base_test_json_writer_LDADD = $(UNIT_LDADD)
UNIT_TESTS += tests/unit/base/test_hash
tests_unit_base_test_hash_SOURCES = tests/unit/base/test_hash.c
tests_unit_base_test_hash_LDADD = $(UNIT_LDADD)
UNIT_TESTS += tests/unit/base/test_option
tests_unit_base_test_option_SOURCES = tests/unit/base/test_option.c
tests_unit_base_test_option_LDADD = $(UNIT_LDADD)

UNIT_TESTS += tests/unit/model/test_frame_name
tests_unit_model_test_frame_name_SOURCES = tests/unit/model/test_frame_name.c
tests_unit_model_test_frame_name_LDADD = $(UNIT_LDADD)
UNIT_TESTS += tests/unit/model/test_call_tree
tests_unit_model_test_call_tree_SOURCES = tests/unit/model/test_call_tree.c
tests_unit_model_test_call_tree_LDADD = $(UNIT_LDADD)

UNIT_TESTS += tests/unit/base/test_double
tests_unit_base_test_double_SOURCES = tests/unit/base/test_double.c
tests_unit_base_test_double_LDADD = $(UNIT_LDADD)
UNIT_TESTS += tests/unit/base/test_decimal
tests_unit_base_test_decimal_SOURCES = tests/unit/base/test_decimal.c
tests_unit_base_test_decimal_LDADD = $(UNIT_LDADD)


BUNDLE_FOLDER = tests/unit/input/bundle_folder.c tests/unit/input/bundle_folder.h
UNIT_TESTS += tests/unit/input/test_bundle
tests_unit_input_test_bundle_SOURCES = tests/unit/input/test_bundle.c $(BUNDLE_FOLDER)
tests_unit_input_test_bundle_LDADD = $(UNIT_LDADD)
UNIT_TESTS += tests/unit/input/test_bundle_files
tests_unit_input_test_bundle_files_SOURCES = tests/unit/input/test_bundle_files.c $(BUNDLE_FOLDER)
tests_unit_input_test_bundle_files_LDADD = $(UNIT_LDADD)

UNIT_TESTS += tests/unit/input/test_csv
tests_unit_input_test_csv_SOURCES = tests/unit/input/test_csv.c
tests_unit_input_test_csv_LDADD = $(UNIT_LDADD)

UNIT_TESTS += tests/unit/input/test_log_lines
tests_unit_input_test_log_lines_SOURCES = tests/unit/input/test_log_lines.c
tests_unit_input_test_log_lines_LDADD = $(UNIT_LDADD)

UNIT_TESTS += tests/unit/input/test_lines
tests_unit_input_test_lines_SOURCES = tests/unit/input/test_lines.c
tests_unit_input_test_lines_LDADD = $(UNIT_LDADD)

UNIT_TESTS += tests/unit/format/test_borland
tests_unit_format_test_borland_SOURCES = tests/unit/format/test_borland.c
tests_unit_format_test_borland_LDADD = $(UNIT_LDADD)

UNIT_TESTS += tests/unit/format/test_log_prefix
tests_unit_format_test_log_prefix_SOURCES = tests/unit/format/test_log_prefix.c
tests_unit_format_test_log_prefix_LDADD = $(UNIT_LDADD)

UNIT_TESTS += tests/unit/format/test_frames
tests_unit_format_test_frames_SOURCES = tests/unit/format/test_frames.c
tests_unit_format_test_frames_LDADD = $(UNIT_LDADD)

UNIT_TESTS += tests/unit/input/test_sort
tests_unit_input_test_sort_SOURCES = tests/unit/input/test_sort.c
tests_unit_input_test_sort_LDADD = $(UNIT_LDADD)

UNIT_TESTS += tests/unit/render/test_render
tests_unit_render_test_render_SOURCES = tests/unit/render/test_render.c
tests_unit_render_test_render_LDADD = $(UNIT_LDADD)

UNIT_DB_TESTS += tests/unit/report/test_reports
tests_unit_report_test_reports_SOURCES = tests/unit/report/test_reports.c
tests_unit_report_test_reports_LDADD = $(UNIT_LDADD)

check_PROGRAMS += tests/tools/compare_report
tests_tools_compare_report_SOURCES = tests/tools/compare_report.c tests/lib/json_file.h
tests_tools_compare_report_LDADD = $(LIBCJSON_LIBS)

SH_TESTS += tests/cli/report/report_queries.sh
SH_TESTS += tests/cli/report/findings.sh tests/cli/report/timeline.sh tests/cli/report/units.sh tests/cli/report/trend_filters.sh tests/cli/report/shapes.sh
SH_TESTS += tests/cli/report/unsized.sh tests/cli/report/leaks_distinct.sh
SH_TESTS += tests/cli/report/cookbook.sh

UNIT_TESTS += tests/unit/format/test_event_time
tests_unit_format_test_event_time_SOURCES = tests/unit/format/test_event_time.c
tests_unit_format_test_event_time_LDADD = $(UNIT_LDADD)

check_PROGRAMS += tests/tools/frame_rules
tests_tools_frame_rules_SOURCES = tests/tools/frame_rules.c
check_PROGRAMS += tests/tools/damage
tests_tools_damage_SOURCES = tests/tools/damage.c
tests_tools_damage_LDADD = libprofdepot.a $(PROFDEPOT_LIBS)

SH_TESTS += tests/cli/format/aqtimexml.sh
EXTRA_DIST += \
	tests/golden/aqtimexml/cp1252.xml \
	tests/golden/aqtimexml/performance.xml \
	tests/golden/aqtimexml/results.xml

SH_TESTS += tests/cli/format/heap.sh
EXTRA_DIST += \
	tests/golden/heap/dhat-adhoc.json \
	tests/golden/heap/dhat-heap.json \
	tests/golden/heap/massif.out \
	tests/golden/heap/raw.heaptrack \
	tests/golden/heap/v1.heaptrack \
	tests/golden/heap/v2.heaptrack \
	tests/golden/heap/v3.heaptrack \
	tests/golden/inputs/dhat.json \
	tests/golden/inputs/heaptrack-raw.heaptrack \
	tests/golden/inputs/heaptrack-v1.heaptrack \
	tests/golden/inputs/heaptrack.heaptrack \
	tests/golden/inputs/massif.out

SH_TESTS += tests/cli/format/kernelscope.sh
EXTRA_DIST += \
	tests/golden/inputs/aqtimexml.xml \
	tests/golden/inputs/chrome.json \
	tests/golden/inputs/kernelscope.json \
	tests/golden/inputs/miniprofiler-camel.json \
	tests/golden/inputs/miniprofiler-ruby.json \
	tests/golden/inputs/speedscope.json \
	tests/golden/kernelscope/bodies.json \
	tests/golden/kernelscope/categories.json \
	tests/golden/kernelscope/categories.out \
	tests/golden/kernelscope/kernelscope.out \
	tests/golden/kernelscope/rejected.json

EXTRA_DIST += \
	tests/golden/findings/errors.csv \
	tests/golden/findings/errors.json \
	tests/golden/findings/errors.md \
	tests/golden/findings/errors.txt \
	tests/golden/findings/leaks.csv \
	tests/golden/findings/leaks.json \
	tests/golden/findings/leaks.md \
	tests/golden/findings/leaks.txt \
	tests/golden/findings/peak.txt \
	tests/golden/findings/peak_module.csv \
	tests/golden/findings/peak_routine.txt \
	tests/golden/findings/set.sql \
	tests/golden/findings/temporary.txt \
	tests/golden/findings/temporary_module.csv \
	tests/golden/findings/temporary_routine.txt

EXTRA_DIST += \
	tests/golden/reports/classes.csv \
	tests/golden/reports/errors.json \
	tests/golden/reports/issues.csv \
	tests/golden/reports/leaks.txt \
	tests/golden/reports/leaks_names.md \
	tests/golden/reports/leaks_names.txt \
	tests/golden/reports/leaks_own.txt \
	tests/golden/reports/leaks_routine.txt \
	tests/golden/reports/leaks_thread.csv \
	tests/golden/reports/lines.txt \
	tests/golden/reports/modules.txt \
	tests/golden/reports/objects.csv \
	tests/golden/reports/routines.txt \
	tests/golden/reports/routines_thread.txt \
	tests/golden/reports/set.sql \
	tests/golden/reports/stack_error.txt \
	tests/golden/reports/stack_none.txt \
	tests/golden/reports/summary.txt \
	tests/golden/reports/threads.csv

UNIT_TESTS += tests/unit/input/test_json
tests_unit_input_test_json_SOURCES = tests/unit/input/test_json.c tests/unit/input/json_dump.h
tests_unit_input_test_json_LDADD = $(UNIT_LDADD)

UNIT_TESTS += tests/unit/input/test_json_values
tests_unit_input_test_json_values_SOURCES = tests/unit/input/test_json_values.c tests/unit/input/json_dump.h
tests_unit_input_test_json_values_LDADD = $(UNIT_LDADD)

UNIT_TESTS += tests/unit/input/test_json_tolerant
tests_unit_input_test_json_tolerant_SOURCES = tests/unit/input/test_json_tolerant.c tests/unit/input/json_dump.h
tests_unit_input_test_json_tolerant_LDADD = $(UNIT_LDADD)

check_PROGRAMS += tests/tools/json_cases
tests_tools_json_cases_SOURCES = tests/tools/json_cases.c tests/lib/random.h
tests_tools_json_cases_LDADD = libprofdepot.a $(PROFDEPOT_LIBS)
SH_TESTS += tests/cli/input/json_postgres.sh

UNIT_TESTS += tests/unit/input/test_json_shape
tests_unit_input_test_json_shape_SOURCES = tests/unit/input/test_json_shape.c
tests_unit_input_test_json_shape_LDADD = $(UNIT_LDADD)

UNIT_DB_TESTS += tests/unit/store/test_source
tests_unit_store_test_source_SOURCES = tests/unit/store/test_source.c
tests_unit_store_test_source_LDADD = $(UNIT_LDADD)
SH_TESTS += tests/unit/store/source.sh
EXTRA_DIST += tests/golden/source/sets.sql tests/golden/source/told.txt

UNIT_TESTS += tests/unit/analysis/test_trees
tests_unit_analysis_test_trees_SOURCES = tests/unit/analysis/test_trees.c
tests_unit_analysis_test_trees_LDADD = $(UNIT_LDADD)
UNIT_TESTS += tests/unit/analysis/test_history
tests_unit_analysis_test_history_SOURCES = tests/unit/analysis/test_history.c
tests_unit_analysis_test_history_LDADD = $(UNIT_LDADD)
UNIT_TESTS += tests/unit/analysis/test_owners
tests_unit_analysis_test_owners_SOURCES = tests/unit/analysis/test_owners.c
tests_unit_analysis_test_owners_LDADD = $(UNIT_LDADD)
UNIT_TESTS += tests/unit/analysis/test_suppress
tests_unit_analysis_test_suppress_SOURCES = tests/unit/analysis/test_suppress.c tests/unit/analysis/suppress_case.h
tests_unit_analysis_test_suppress_LDADD = $(UNIT_LDADD)
UNIT_TESTS += tests/unit/analysis/test_suppress_write
tests_unit_analysis_test_suppress_write_SOURCES = tests/unit/analysis/test_suppress_write.c tests/unit/analysis/suppress_case.h
tests_unit_analysis_test_suppress_write_LDADD = $(UNIT_LDADD)
UNIT_TESTS += tests/unit/analysis/test_suppress_many
tests_unit_analysis_test_suppress_many_SOURCES = tests/unit/analysis/test_suppress_many.c
tests_unit_analysis_test_suppress_many_LDADD = $(UNIT_LDADD)

SH_TESTS += tests/cli/render/flame.sh
EXTRA_DIST += \
	tests/golden/flame/after.folded \
	tests/golden/flame/after.json \
	tests/golden/flame/after.svg \
	tests/golden/flame/compared.json \
	tests/golden/flame/compared.svg \
	tests/golden/flame/inverted.json \
	tests/golden/flame/events.json \
	tests/golden/flame/odd.sql \
	tests/golden/flame/set.sql \
	tests/golden/flame/sums.sql
SH_TESTS += tests/cli/render/flame_browser.sh
SH_TESTS += tests/browser/reports/beyond.sh tests/browser/reports/links.sh tests/browser/reports/settings.sh tests/browser/reports/tree.sh
EXTRA_DIST += tests/browser/reports/beyond.js tests/browser/reports/links.js tests/browser/reports/settings.js tests/browser/reports/tree.js
SH_TESTS += tests/cli/render/html_browser.sh
EXTRA_DIST += tests/cli/render/html_browser.js
EXTRA_DIST += tests/cli/render/flame_browser.js tests/cli/render/flame_browser_inputs.js tests/lib/chromium.js
UNIT_DB_TESTS += tests/unit/input/test_odbc
tests_unit_input_test_odbc_SOURCES = tests/unit/input/test_odbc.c
tests_unit_input_test_odbc_LDADD = $(UNIT_LDADD)
SH_TESTS += tests/unit/input/odbc.sh
# Chrome traces.
check_PROGRAMS += tests/tools/compare_chrome
tests_tools_compare_chrome_SOURCES = tests/tools/compare_chrome.c
tests_tools_compare_chrome_LDADD = $(UNIT_LDADD)
SH_TESTS += tests/cli/format/chrome.sh tests/cli/format/chrome_export.sh tests/cli/format/chrome_more.sh
EXTRA_DIST += \
	tests/golden/chrome/events.json \
	tests/golden/chrome/extension.json \
	tests/golden/chrome/timings.json \
	tests/lib/chrome.sh

# --- MiniProfiler ----------------------------------------------------------------------------------

check_PROGRAMS += tests/tools/compare_json
tests_tools_compare_json_SOURCES = tests/tools/compare_json.c
tests_tools_compare_json_LDADD = $(UNIT_LDADD)

SH_TESTS += tests/cli/format/speedscope_many.sh
check_PROGRAMS += tests/tools/check_speedscope
tests_tools_check_speedscope_SOURCES = tests/tools/check_speedscope.c tests/lib/json_file.h
tests_tools_check_speedscope_LDADD = $(LIBCJSON_LIBS) -lm
EXTRA_DIST += \
	tests/cli/format/speedscope_check.sql \
	tests/golden/inputs/speedscope-evented.speedscope.json \
	tests/golden/inputs/speedscope-sampled.speedscope.json
EXTRA_DIST += \
	tests/golden/miniprofiler/calltypes.csv \
	tests/golden/miniprofiler/camel.json \
	tests/golden/miniprofiler/clienttimings.csv \
	tests/golden/miniprofiler/clojure.json \
	tests/golden/miniprofiler/commands.csv \
	tests/golden/miniprofiler/commands_normalised.csv \
	tests/golden/miniprofiler/dotnet2.json \
	tests/golden/miniprofiler/dotnet3.json \
	tests/golden/miniprofiler/dotnet4.json \
	tests/golden/miniprofiler/duplicates.csv \
	tests/golden/miniprofiler/duplicates_across.csv \
	tests/golden/miniprofiler/duplicates_normalised.csv \
	tests/golden/miniprofiler/edges.json \
	tests/golden/miniprofiler/go.json \
	tests/golden/miniprofiler/odd.json \
	tests/golden/miniprofiler/page.html \
	tests/golden/miniprofiler/profile.md \
	tests/golden/miniprofiler/profile.txt \
	tests/golden/miniprofiler/profile_calls.csv \
	tests/golden/miniprofiler/profiles.csv \
	tests/golden/miniprofiler/profiles_web1.csv \
	tests/golden/miniprofiler/repeated.json \
	tests/golden/miniprofiler/repeated.out.json \
	tests/golden/miniprofiler/requests.csv \
	tests/golden/miniprofiler/ruby.json \
	tests/golden/miniprofiler/shop.ndjson \
	tests/golden/miniprofiler/stj.json \
	tests/golden/miniprofiler/storage.json \
	tests/golden/miniprofiler/storage.sql \
	tests/golden/miniprofiler/summaries.json

UNIT_TESTS += tests/unit/format/test_pprof
tests_unit_format_test_pprof_SOURCES = tests/unit/format/test_pprof.c tests/unit/format/pprof_case.h \
	tests/unit/format/recorder.h tests/lib/wire_writer.h
tests_unit_format_test_pprof_LDADD = $(UNIT_LDADD)
EXTRA_DIST += tests/golden/inputs/pprof.pb
UNIT_TESTS += tests/unit/format/test_v8_profile
tests_unit_format_test_v8_profile_SOURCES = tests/unit/format/test_v8_profile.c tests/unit/format/recorder.h
tests_unit_format_test_v8_profile_LDADD = $(UNIT_LDADD)
UNIT_TESTS += tests/unit/format/test_nesting
tests_unit_format_test_nesting_SOURCES = tests/unit/format/test_nesting.c tests/lib/random.h
tests_unit_format_test_nesting_LDADD = $(UNIT_LDADD)
UNIT_TESTS += tests/unit/format/test_cpu_samples
tests_unit_format_test_cpu_samples_SOURCES = tests/unit/format/test_cpu_samples.c tests/lib/random.h
tests_unit_format_test_cpu_samples_LDADD = $(UNIT_LDADD)

SH_TESTS += tests/cli/format/textlogs.sh tests/cli/format/textlogs_mixed.sh tests/cli/format/textlogs_matrix.sh tests/cli/format/linker_map.sh
SH_TESTS += tests/cli/store/many_reports.sh
EXTRA_DIST += tests/golden/maps/Orders.map
EXTRA_DIST += tests/cli/format/textlogs_check.sql \
	tests/golden/textlogs/crt.expected.json tests/golden/textlogs/crt.txt \
	tests/golden/textlogs/delphirtl.expected.json tests/golden/textlogs/delphirtl.txt \
	tests/golden/textlogs/eurekalog.expected.json tests/golden/textlogs/eurekalog.txt \
	tests/golden/textlogs/umdh.expected.json tests/golden/textlogs/umdh.txt \
	tests/golden/textlogs/umdhdiff.expected.json tests/golden/textlogs/umdhdiff.txt \
	tests/golden/textlogs/vld.expected.json tests/golden/textlogs/vld.txt \
	tests/golden/textlogs/madexcept.expected.json tests/golden/textlogs/madexcept.txt \
	tests/golden/textlogs/jcl.expected.json tests/golden/textlogs/jcl.txt \
	tests/golden/textlogs/drmemory.expected.json tests/golden/textlogs/drmemory.txt \
	tests/golden/textlogs/heaptrc.expected.json tests/golden/textlogs/heaptrc.txt \
	tests/golden/textlogs/fastmm4.expected.json tests/golden/textlogs/fastmm4.txt \
	tests/golden/textlogs/fastmm5.expected.json tests/golden/textlogs/fastmm5.txt \
	tests/golden/textlogs/fastmmusageheap.expected.json tests/golden/textlogs/fastmmusageheap.txt \
	tests/golden/textlogs/fastmmusagesamples.expected.json tests/golden/textlogs/fastmmusagesamples.txt \
	tests/golden/textlogs/fastmmusagestate.expected.json tests/golden/textlogs/fastmmusagestate.txt \
	tests/golden/textlogs/memcheck.expected.json tests/golden/textlogs/memcheck.txt \
	tests/golden/textlogs/threads.expected.json tests/golden/textlogs/threads.txt
SH_TESTS += tests/cli/format/leaks_valgrind.sh
EXTRA_DIST += tests/golden/findings/leaks.cc tests/golden/findings/use_after_free.c
EXTRA_DIST += tests/cli/format/leaks_valgrind_check.sql tests/golden/valgrind/memcheck.xml \
	tests/golden/valgrind/helgrind.xml tests/golden/valgrind/drd.xml \
	tests/golden/valgrind/forked.xml tests/golden/valgrind/imitator.xml tests/golden/inputs/valgrind.xml
SH_TESTS += tests/cli/format/sanitizer.sh tests/cli/format/heaptext.sh
EXTRA_DIST += \
	tests/cli/format/sanitizer_dump.sql \
	tests/golden/heaptext/exact.tcmalloc \
	tests/golden/heaptext/go.tcmalloc \
	tests/golden/heaptext/old.jemalloc \
	tests/golden/heaptext/symbols.tcmalloc \
	tests/golden/heaptext/threads.jemalloc \
	tests/golden/inputs/jemalloc.heap \
	tests/golden/inputs/sanitizer-tsan.txt \
	tests/golden/inputs/sanitizer.txt \
	tests/golden/inputs/tcmalloc.heap \
	tests/golden/sanitizer/asan-clang.expected \
	tests/golden/sanitizer/asan-clang.txt \
	tests/golden/sanitizer/asan-gcc.expected \
	tests/golden/sanitizer/asan-gcc.txt \
	tests/golden/sanitizer/ci.expected \
	tests/golden/sanitizer/ci.txt \
	tests/golden/sanitizer/lsan.expected \
	tests/golden/sanitizer/lsan.txt \
	tests/golden/sanitizer/mixed.expected \
	tests/golden/sanitizer/mixed.txt \
	tests/golden/sanitizer/msan-ubsan.expected \
	tests/golden/sanitizer/msan-ubsan.txt \
	tests/golden/sanitizer/tsan.expected \
	tests/golden/sanitizer/tsan.txt
SH_TESTS += tests/cli/format/pprof.sh
EXTRA_DIST += tests/golden/inputs/cpuprofile.cpuprofile \
	tests/golden/inputs/cpuprofile-nested.cpuprofile \
	tests/golden/inputs/heapprofile.heapprofile
SH_TESTS += tests/cli/format/collapsed.sh tests/cli/format/perf.sh tests/cli/format/callgrind.sh \
	tests/cli/format/stray_files.sh tests/cli/format/callgrind_heap.sh tests/cli/format/callgrind_processes.sh tests/cli/input/long_lines.sh
EXTRA_DIST += \
	tests/golden/callgrind/graph.out \
	tests/golden/callgrind/heap.c \
	tests/golden/callgrind/leak.kcg \
	tests/golden/callgrind/memory.kcg \
	tests/golden/callgrind/prog.c \
	tests/golden/inputs/callgrind.out \
	tests/golden/inputs/collapsed.folded \
	tests/golden/inputs/perf.txt \
	tests/lib/callgrind.sh \
	tests/lib/callgrind_annotate.sql \
	tests/lib/speedscope-cases.sh \
	tests/lib/speedscope_cases.sql
# --- comparison, trend, budgets --------------------------------------------------------------------

UNIT_TESTS += tests/unit/analysis/test_compare
tests_unit_analysis_test_compare_SOURCES = tests/unit/analysis/test_compare.c
tests_unit_analysis_test_compare_LDADD = $(UNIT_LDADD)

UNIT_TESTS += tests/unit/app/test_budget
tests_unit_app_test_budget_SOURCES = tests/unit/app/test_budget.c
tests_unit_app_test_budget_LDADD = $(UNIT_LDADD)

check_PROGRAMS += tests/tools/check_sarif
tests_tools_check_sarif_SOURCES = tests/tools/check_sarif.c tests/lib/json_file.h
tests_tools_check_sarif_LDADD = $(LIBCJSON_LIBS)

SH_TESTS += tests/cli/app/diff.sh tests/cli/app/diff_large.sh tests/cli/app/budget.sh tests/cli/app/check.sh tests/cli/app/gate.sh tests/cli/app/gauges.sh tests/cli/app/ci_job.sh
EXTRA_DIST += \
	doc/ci/budget.json \
	doc/ci/github.yml \
	doc/ci/leak-check \
	doc/ci/orders.c

UNIT_TESTS += tests/unit/format/test_valgrind
tests_unit_format_test_valgrind_SOURCES = tests/unit/format/test_valgrind.c $(FUZZ_SINK)
tests_unit_format_test_valgrind_LDADD = $(UNIT_LDADD)

UNIT_TESTS += tests/unit/format/test_log_cut
tests_unit_format_test_log_cut_SOURCES = tests/unit/format/test_log_cut.c $(FUZZ_SINK)
tests_unit_format_test_log_cut_LDADD = $(UNIT_LDADD)

UNIT_TESTS += tests/unit/format/test_sanitizer_lines
tests_unit_format_test_sanitizer_lines_SOURCES = tests/unit/format/test_sanitizer_lines.c
tests_unit_format_test_sanitizer_lines_LDADD = $(UNIT_LDADD)

# --- the service: access and robustness ---------------------------------------------------------
UNIT_TESTS += tests/unit/service/test_tokens
tests_unit_service_test_tokens_SOURCES = tests/unit/service/test_tokens.c
tests_unit_service_test_tokens_LDADD = $(UNIT_LDADD)
SH_TESTS += tests/service/access.sh tests/service/coding.sh tests/service/complete.sh tests/service/cursors.sh tests/service/heavy.sh tests/service/history.sh tests/service/jobs.sh tests/service/limits.sh tests/service/manual.sh tests/service/report_pages.sh \
	tests/service/loader.sh tests/service/session.sh tests/service/sql.sh tests/service/tokens.sh tests/service/stop.sh tests/service/robust.sh tests/service/unit.sh
EXTRA_DIST += tests/service/client.py tests/service/cursors.py tests/service/report_pages.py tests/cli/report/shapes.py
# --- pages -----------------------------------------------------------------------------------------

SH_TESTS += tests/browser/axe.sh tests/browser/home.sh tests/browser/history.sh tests/browser/history_many.sh tests/browser/edit.sh tests/browser/jobs.sh tests/browser/sets_many.sh tests/browser/sizes.sh tests/browser/sql.sh tests/browser/timeline.sh tests/browser/token_list.sh \
	tests/browser/tokens.sh tests/browser/upload.sh tests/browser/wording.sh
EXTRA_DIST += \
	tests/browser/axe.js \
	tests/browser/browser.js \
	tests/browser/corpora.js \
	tests/browser/edit.js \
	tests/browser/history.js \
	tests/browser/home.js \
	tests/browser/history_many.js \
	tests/browser/jobs.js \
	tests/browser/odd_inputs.js \
	tests/browser/pages.js \
	tests/browser/sets_many.js \
	tests/browser/sizes.js \
	tests/browser/sql.js \
	tests/browser/timeline.js \
	tests/browser/token_list.js \
	tests/browser/tokens.js \
	tests/browser/upload.js \
	tests/browser/wording.js \
	tests/lib/browser.sh
# Tests of event queries over HTTP.
SH_TESTS += tests/service/kernelscope.sh
EXTRA_DIST += tests/service/kernelscope_evil.py tests/service/kernelscope_play.py
SH_TESTS += tests/service/live.sh tests/service/live_kill.sh tests/service/live_crash.sh
EXTRA_DIST += tests/service/live_stream.py tests/service/live_corpus.py
clean-local: clean-pg-made
.PHONY: clean-pg-made
clean-pg-made:
	rm -rf tests/pg-made

# Runs a command on a terminal of a given width.
check_PROGRAMS += tests/tools/on_terminal
tests_tools_on_terminal_SOURCES = tests/tools/on_terminal.c
SH_TESTS += tests/cli/render/terminal.sh
SH_TESTS += tests/service/clients.sh tests/service/schemas.sh
EXTRA_DIST += tests/service/schemas.py tests/service/clients/make_python.py tests/service/clients/use.py tests/service/clients/use.ts tests/service/clients/validate.js
