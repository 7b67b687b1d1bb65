# Benchmarks: `make bench' builds the program and BENCH_TARGETS, then runs each script in BENCH_RUNS
# in the test environment.

.PHONY: bench
bench: all $(BENCH_TARGETS)
	@$(AM_TESTS_ENVIRONMENT) for run in $(BENCH_RUNS); do \
		echo "== $$run"; $(BASH) "$$srcdir/$$run" || exit 1; \
	done

BENCH_RUNS += bench/aqtime-load
EXTRA_DIST += bench/README.md bench/aqtime-load bench/lib.sh \
	bench/plain/indexes.sql bench/plain/leaks.sql bench/plain/leaks_ordered.sql \
	bench/plain/routines.sql bench/plain/routines_lateral.sql bench/plain/tables.sql \
	bench/sql/flame_tree.sql

BENCH_TARGETS += bench/json_bench
BENCH_RUNS += bench/json
bench_json_bench_SOURCES = bench/json_bench.c tests/lib/random.h
bench_json_bench_LDADD = libprofdepot.a $(PROFDEPOT_LIBS)
EXTRA_DIST += bench/json
BENCH_TARGETS += bench/generate_chrome
bench_generate_chrome_SOURCES = bench/generate_chrome.c tests/lib/random.h
BENCH_RUNS += bench/chrome-load
EXTRA_DIST += bench/chrome-load
BENCH_TARGETS += bench/miniprofiler_bench
bench_miniprofiler_bench_SOURCES = bench/miniprofiler_bench.c
bench_miniprofiler_bench_LDADD = $(LIBPQ_LIBS)
BENCH_RUNS += bench/miniprofiler-load
EXTRA_DIST += bench/miniprofiler-load bench/sql/miniprofiler_storage.sql
BENCH_TARGETS += bench/speedscope_input
bench_speedscope_input_SOURCES = bench/speedscope_input.c
BENCH_RUNS += bench/speedscope-load
EXTRA_DIST += bench/speedscope-load
BENCH_RUNS += bench/flame
EXTRA_DIST += bench/flame bench/sql/flame_tree.sql
BENCH_TARGETS += bench/generate_heaptrack
bench_generate_heaptrack_SOURCES = bench/generate_heaptrack.c
BENCH_RUNS += bench/heaptrack-load
EXTRA_DIST += bench/heaptrack-load
BENCH_TARGETS += bench/generate_pprof
bench_generate_pprof_SOURCES = bench/generate_pprof.c tests/lib/random.h tests/lib/wire_writer.h
BENCH_RUNS += bench/pprof-load
EXTRA_DIST += bench/pprof-load
BENCH_TARGETS += bench/generate_valgrind
bench_generate_valgrind_SOURCES = bench/generate_valgrind.c tests/lib/random.h
BENCH_RUNS += bench/valgrind-load
EXTRA_DIST += bench/valgrind-load
BENCH_TARGETS += bench/generate_textlog
bench_generate_textlog_SOURCES = bench/generate_textlog.c tests/lib/random.h
BENCH_RUNS += bench/textlog-load
EXTRA_DIST += bench/textlog-load
BENCH_TARGETS += bench/generate_collapsed
bench_generate_collapsed_SOURCES = bench/generate_collapsed.c
BENCH_RUNS += bench/collapsed-load
EXTRA_DIST += bench/collapsed-load
BENCH_RUNS += bench/history
EXTRA_DIST += bench/history bench/sql/history.sql

BENCH_RUNS += bench/serve-load bench/serve-abuse
EXTRA_DIST += bench/serve-load bench/serve_load.js bench/serve_idle.js bench/serve-abuse bench/serve_abuse.js bench/serve_watch.js
BENCH_RUNS += bench/events-flame
EXTRA_DIST += bench/events-flame
BENCH_TARGETS += bench/ingest_client
bench_ingest_client_SOURCES = bench/ingest_client.c
bench_ingest_client_LDADD = $(LIBPQ_LIBS) -lpthread
BENCH_RUNS += bench/ingest
EXTRA_DIST += bench/ingest
BENCH_RUNS += bench/many
EXTRA_DIST += bench/many
BENCH_RUNS += bench/citus-crash
EXTRA_DIST += bench/citus-crash
