# A fuzz target is a source with LLVMFuzzerTestOneInput, plus the inputs that fuzz/inputs.sh lists.
#
#	FUZZ_TARGETS += fuzz/fuzz_thing
#	fuzz_fuzz_thing_SOURCES = fuzz/fuzz_thing.c $(FUZZ_DRIVER)
#	fuzz_fuzz_thing_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
#	EXTRA_DIST += fuzz/corpus/thing.seeds fuzz/corpus/thing/an-old-crasher
#
# `make check' replays the inputs. `make fuzz' fuzzes each target for FUZZ_SECONDS. If the build lacks
# --enable-fuzzers, it first makes another build in fuzz-build/, with this option and FUZZ_CFLAGS.

if ENABLE_FUZZERS
FUZZ_DRIVER =
else
FUZZ_DRIVER = fuzz/replay.c
endif
EXTRA_DIST += fuzz/replay.c fuzz/inputs.sh fuzz/run.sh
SH_TESTS += fuzz/replay.sh

FUZZ_TARGETS += fuzz/fuzz_csv fuzz/fuzz_options
# Reader targets have FUZZ_SINK among their sources.
FUZZ_SINK = fuzz/checking_sink.c fuzz/checking_facts.c fuzz/checking_sink.h fuzz/checking_sink_private.h \
	fuzz/fuzz_reader.c fuzz/fuzz_reader.h fuzz/must.h
fuzz_fuzz_csv_SOURCES = fuzz/fuzz_csv.c fuzz/must.h $(FUZZ_DRIVER)
fuzz_fuzz_csv_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
FUZZ_TARGETS += fuzz/fuzz_speedscope
fuzz_fuzz_speedscope_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_speedscope_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/speedscope.dict fuzz/corpus/speedscope.seeds
FUZZ_TARGETS += fuzz/fuzz_suppress
fuzz_fuzz_suppress_SOURCES = fuzz/fuzz_suppress.c fuzz/must.h $(FUZZ_DRIVER)
fuzz_fuzz_suppress_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/suppress.dict fuzz/corpus/suppress/both fuzz/corpus/suppress/param \
	fuzz/corpus/suppress/cut fuzz/corpus/suppress/names
FUZZ_TARGETS += fuzz/fuzz_owners
fuzz_fuzz_owners_SOURCES = fuzz/fuzz_owners.c fuzz/must.h $(FUZZ_DRIVER)
fuzz_fuzz_owners_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/owners.dict fuzz/corpus/owners/escaped-owner fuzz/corpus/owners/escapes \
	fuzz/corpus/owners/plain fuzz/corpus/owners/sections fuzz/corpus/owners/stars
FUZZ_TARGETS += fuzz/fuzz_chrome
fuzz_fuzz_chrome_SOURCES = fuzz/fuzz_chrome.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_chrome_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/chrome.dict fuzz/corpus/chrome.seeds fuzz/corpus/chrome/no-events

FUZZ_TARGETS += fuzz/fuzz_aqtimexml
fuzz_fuzz_aqtimexml_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_aqtimexml_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/aqtimexml.dict fuzz/corpus/aqtimexml.seeds fuzz/corpus/aqtimexml/long-root

FUZZ_TARGETS += fuzz/fuzz_crt
fuzz_fuzz_crt_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_crt_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/crt.dict fuzz/corpus/crt.seeds

FUZZ_TARGETS += fuzz/fuzz_delphirtl
fuzz_fuzz_delphirtl_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_delphirtl_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/delphirtl.dict fuzz/corpus/delphirtl.seeds

FUZZ_TARGETS += fuzz/fuzz_vld
fuzz_fuzz_vld_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_vld_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/vld.dict fuzz/corpus/vld.seeds fuzz/corpus/vld/with-crt

FUZZ_TARGETS += fuzz/fuzz_drmemory
fuzz_fuzz_drmemory_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_drmemory_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/drmemory.dict fuzz/corpus/drmemory.seeds

FUZZ_TARGETS += fuzz/fuzz_jcl
fuzz_fuzz_jcl_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_jcl_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/jcl.dict fuzz/corpus/jcl.seeds

FUZZ_TARGETS += fuzz/fuzz_madexcept
fuzz_fuzz_madexcept_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_madexcept_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/madexcept.dict fuzz/corpus/madexcept.seeds

FUZZ_TARGETS += fuzz/fuzz_eurekalog
fuzz_fuzz_eurekalog_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_eurekalog_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/eurekalog.dict fuzz/corpus/eurekalog.seeds

FUZZ_TARGETS += fuzz/fuzz_umdh
fuzz_fuzz_umdh_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_umdh_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/umdh.dict fuzz/corpus/umdh.seeds

FUZZ_TARGETS += fuzz/fuzz_heaptrc
fuzz_fuzz_heaptrc_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_heaptrc_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/heaptrc.dict fuzz/corpus/heaptrc.seeds

FUZZ_TARGETS += fuzz/fuzz_fastmm
fuzz_fuzz_fastmm_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_fastmm_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/fastmm.dict fuzz/corpus/fastmm.seeds

FUZZ_TARGETS += fuzz/fuzz_fastmmusage
fuzz_fuzz_fastmmusage_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_fastmmusage_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/fastmmusage.dict fuzz/corpus/fastmmusage.seeds

FUZZ_TARGETS += fuzz/fuzz_linkermap
fuzz_fuzz_linkermap_SOURCES = fuzz/fuzz_linkermap.c fuzz/must.h $(FUZZ_DRIVER)
fuzz_fuzz_linkermap_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/linkermap.dict fuzz/corpus/linkermap.seeds fuzz/corpus/linkermap/unit-without-name

FUZZ_TARGETS += fuzz/fuzz_valgrind
fuzz_fuzz_valgrind_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_valgrind_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/valgrind.dict fuzz/corpus/valgrind.seeds

FUZZ_TARGETS += fuzz/fuzz_kernelscope
fuzz_fuzz_kernelscope_SOURCES = fuzz/fuzz_kernelscope.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_kernelscope_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/kernelscope.dict fuzz/corpus/kernelscope.seeds
FUZZ_TARGETS += fuzz/fuzz_miniprofiler
fuzz_fuzz_miniprofiler_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_miniprofiler_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/miniprofiler.dict fuzz/corpus/miniprofiler.seeds
FUZZ_TARGETS += fuzz/fuzz_heaptrack
fuzz_fuzz_heaptrack_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_heaptrack_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/heaptrack.dict fuzz/corpus/heaptrack.seeds
FUZZ_TARGETS += fuzz/fuzz_dhat
fuzz_fuzz_dhat_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_dhat_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/dhat.dict fuzz/corpus/dhat.seeds
FUZZ_TARGETS += fuzz/fuzz_massif
fuzz_fuzz_massif_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_massif_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/massif.dict fuzz/corpus/massif.seeds fuzz/corpus/massif/no-peak
fuzz_fuzz_options_SOURCES = fuzz/fuzz_options.c fuzz/must.h $(FUZZ_DRIVER)
fuzz_fuzz_options_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += \
	fuzz/dictionaries/csv.dict \
	fuzz/dictionaries/options.dict \
	fuzz/corpus/csv/after-quote \
	fuzz/corpus/csv/bad-utf8 \
	fuzz/corpus/csv/blank \
	fuzz/corpus/csv/block-edges \
	fuzz/corpus/csv/bom8 \
	fuzz/corpus/csv/brackets \
	fuzz/corpus/csv/cp1251 \
	fuzz/corpus/csv/cp1252-hole \
	fuzz/corpus/csv/cut-quote \
	fuzz/corpus/csv/cut-utf8 \
	fuzz/corpus/csv/exact-row \
	fuzz/corpus/csv/long-row \
	fuzz/corpus/csv/many-fields \
	fuzz/corpus/csv/no-name \
	fuzz/corpus/csv/nul \
	fuzz/corpus/csv/one-column \
	fuzz/corpus/csv/plain \
	fuzz/corpus/csv/quoted-breaks \
	fuzz/corpus/csv/short-long \
	fuzz/corpus/csv/sjis \
	fuzz/corpus/csv/sniffed \
	fuzz/corpus/csv/stray-quote \
	fuzz/corpus/csv/surrogate \
	fuzz/corpus/csv/twice \
	fuzz/corpus/csv/utf16be \
	fuzz/corpus/csv/utf16le \
	fuzz/corpus/options/abbreviated \
	fuzz/corpus/options/ambiguous \
	fuzz/corpus/options/bundle \
	fuzz/corpus/options/bytes \
	fuzz/corpus/options/choice \
	fuzz/corpus/options/list \
	fuzz/corpus/options/missing \
	fuzz/corpus/options/number \
	fuzz/corpus/options/plain \
	fuzz/corpus/options/unknown

FUZZ_TARGETS += fuzz/fuzz_sanitizer
fuzz_fuzz_sanitizer_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_sanitizer_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/sanitizer.dict fuzz/corpus/sanitizer.seeds
FUZZ_TARGETS += fuzz/fuzz_heaptext
fuzz_fuzz_heaptext_SOURCES = fuzz/fuzz_heaptext.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_heaptext_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/heaptext.dict fuzz/corpus/heaptext.seeds fuzz/corpus/heaptext/no_libraries fuzz/corpus/heaptext/no_end_of_symbols

FUZZ_TARGETS += fuzz/fuzz_json
fuzz_fuzz_json_SOURCES = fuzz/fuzz_json.c fuzz/must.h $(FUZZ_DRIVER)
fuzz_fuzz_json_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += \
	fuzz/dictionaries/json.dict \
	fuzz/corpus/json/all-odd \
	fuzz/corpus/json/bad-utf8 \
	fuzz/corpus/json/bom \
	fuzz/corpus/json/commas \
	fuzz/corpus/json/cut-number \
	fuzz/corpus/json/cut-trace \
	fuzz/corpus/json/deep \
	fuzz/corpus/json/events \
	fuzz/corpus/json/garbage \
	fuzz/corpus/json/limit \
	fuzz/corpus/json/lines \
	fuzz/corpus/json/numbers \
	fuzz/corpus/json/pretty \
	fuzz/corpus/json/string \
	fuzz/corpus/json/strings \
	fuzz/corpus/json/twice \
	fuzz/corpus/json/wrong-word

FUZZ_TARGETS += fuzz/fuzz_collapsed
fuzz_fuzz_collapsed_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_collapsed_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/collapsed.dict fuzz/corpus/collapsed.seeds
FUZZ_TARGETS += fuzz/fuzz_perf
fuzz_fuzz_perf_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_perf_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/perf.dict fuzz/corpus/perf.seeds fuzz/corpus/perf/repeated_metric fuzz/corpus/perf/long_time
FUZZ_TARGETS += fuzz/fuzz_callgrind
fuzz_fuzz_callgrind_SOURCES = fuzz/fuzz_format.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_callgrind_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/callgrind.dict fuzz/corpus/callgrind.seeds fuzz/corpus/callgrind/repeated_metric
FUZZ_TARGETS += fuzz/fuzz_budget
fuzz_fuzz_budget_SOURCES = fuzz/fuzz_budget.c fuzz/must.h $(FUZZ_DRIVER)
fuzz_fuzz_budget_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/budget.dict fuzz/corpus/budget.seeds fuzz/corpus/budget/all-keys

FUZZ_SECONDS = 60
FUZZ_FLAGS =
FUZZ_CFLAGS = -O2 -g

.PHONY: fuzz built-sources
built-sources: $(BUILT_SOURCES)
if ENABLE_FUZZERS
# Automake builds BUILT_SOURCES before anything else, but only for `all', `check' and `install'.
fuzz:
	@$(MAKE) built-sources
	@$(MAKE) $(FUZZ_TARGETS)
	@FUZZ_SECONDS='$(FUZZ_SECONDS)' FUZZ_FLAGS='$(FUZZ_FLAGS)' $(BASH) $(srcdir)/fuzz/run.sh . $(FUZZ_TARGETS)
else
fuzz:
	@test -f fuzz-build/Makefile || { $(MKDIR_P) fuzz-build && cd fuzz-build && \
		'$(abs_srcdir)/configure' CC=clang CFLAGS='$(FUZZ_CFLAGS)' --enable-fuzzers --quiet; }
	@cd fuzz-build && $(MAKE) FUZZ_SECONDS='$(FUZZ_SECONDS)' FUZZ_FLAGS='$(FUZZ_FLAGS)' fuzz
endif

clean-local: clean-fuzz
.PHONY: clean-fuzz
clean-fuzz:
	rm -rf fuzz-build fuzz/found fuzz/grown fuzz/seeds fuzz/*.out
FUZZ_TARGETS += fuzz/fuzz_pprof
fuzz_fuzz_pprof_SOURCES = fuzz/fuzz_pprof.c $(FUZZ_SINK) $(FUZZ_DRIVER)
fuzz_fuzz_pprof_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/pprof.dict fuzz/corpus/pprof.seeds

FUZZ_TARGETS += fuzz/fuzz_eventquery
fuzz_fuzz_eventquery_SOURCES = fuzz/fuzz_eventquery.c fuzz/must.h $(FUZZ_DRIVER)
fuzz_fuzz_eventquery_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/eventquery.dict \
	fuzz/corpus/eventquery/legacy fuzz/corpus/eventquery/legacy-flame \
	fuzz/corpus/eventquery/legacy-odd fuzz/corpus/eventquery/strict-compare \
	fuzz/corpus/eventquery/strict-groups fuzz/corpus/eventquery/strict-list \
	fuzz/corpus/eventquery/values fuzz/corpus/eventquery/wrong
FUZZ_TARGETS += fuzz/fuzz_request
fuzz_fuzz_request_SOURCES = fuzz/fuzz_request.c fuzz/must.h $(FUZZ_DRIVER)
fuzz_fuzz_request_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += fuzz/dictionaries/request.dict fuzz/corpus/request/change fuzz/corpus/request/events \
	fuzz/corpus/request/flame fuzz/corpus/request/history fuzz/corpus/request/list \
	fuzz/corpus/request/method fuzz/corpus/request/query fuzz/corpus/request/report \
	fuzz/corpus/request/retain fuzz/corpus/request/retain_change fuzz/corpus/request/unretain \
	fuzz/corpus/request/revoke fuzz/corpus/request/sql fuzz/corpus/request/twice \
	fuzz/corpus/request/web fuzz/corpus/request/wrong

# fuzz_import tests archives, recognition, readers and the store together. fuzz_aqtimetables does the same
# with the tables of AQTime exports.
FUZZ_TARGETS += fuzz/fuzz_import fuzz/fuzz_aqtimetables
fuzz_fuzz_import_SOURCES = fuzz/fuzz_import.c fuzz/must.h $(FUZZ_DRIVER)
fuzz_fuzz_import_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
fuzz_fuzz_aqtimetables_SOURCES = fuzz/fuzz_import.c fuzz/must.h $(FUZZ_DRIVER)
fuzz_fuzz_aqtimetables_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
EXTRA_DIST += \
	fuzz/corpus/aqtimetables/few-rows \
	fuzz/corpus/import.seeds \
	fuzz/corpus/import/export.tar.gz \
	fuzz/corpus/import/export.zip \
	fuzz/corpus/import/log.gz \
	fuzz/corpus/import/log.zst
