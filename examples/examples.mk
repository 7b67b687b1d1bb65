# The example exports, and the program that writes them. `make examples' regenerates the exports.

noinst_PROGRAMS += examples/generate-example
examples_generate_example_SOURCES = \
	examples/generate.c \
	examples/generate.h \
	examples/generate_csv.c \
	examples/generate_export.c \
	examples/generate_logs.c \
	examples/generate_names.c \
	examples/generate_set.c \
	examples/generate_world.c
examples_generate_example_LDADD =

EXTRA_DIST += examples/README.md examples/regenerate \
	examples/orders-host.kernelscope.ndjson \
	examples/orders.crt.txt \
	examples/orders.fastmm.txt \
	examples/orders-page.trace.json \
	examples/orders-requests.miniprofiler.json \
	examples/orders-start.speedscope.json
EXTRA_DIST += \
	examples/orders-before/INSTANCES.csv \
	examples/orders-before/RELATIONS.csv \
	examples/orders-before/RESOURCE_PROFILER_CALL_STACK.csv \
	examples/orders-before/RESOURCE_PROFILER_CLASSES_DATA.csv \
	examples/orders-before/RESOURCE_PROFILER_CREATION_CALL_STACK.csv \
	examples/orders-before/RESOURCE_PROFILER_ERRORS.csv \
	examples/orders-before/RESOURCE_PROFILER_META_CLASSES_DATA.csv \
	examples/orders-before/RESOURCE_PROFILER_META_LINES.csv \
	examples/orders-before/RESOURCE_PROFILER_META_ROUTINES.csv \
	examples/orders-before/RESOURCE_PROFILER_OBJECTS.csv \
	examples/orders-before/RESOURCE_PROFILER_THREADS.csv
EXTRA_DIST += \
	examples/orders-after/INSTANCES.csv \
	examples/orders-after/RELATIONS.csv \
	examples/orders-after/RESOURCE_PROFILER_CALL_STACK.csv \
	examples/orders-after/RESOURCE_PROFILER_CLASSES_DATA.csv \
	examples/orders-after/RESOURCE_PROFILER_CREATION_CALL_STACK.csv \
	examples/orders-after/RESOURCE_PROFILER_ERRORS.csv \
	examples/orders-after/RESOURCE_PROFILER_META_CLASSES_DATA.csv \
	examples/orders-after/RESOURCE_PROFILER_META_LINES.csv \
	examples/orders-after/RESOURCE_PROFILER_META_ROUTINES.csv \
	examples/orders-after/RESOURCE_PROFILER_OBJECTS.csv \
	examples/orders-after/RESOURCE_PROFILER_THREADS.csv

SH_TESTS += tests/cli/examples.sh

.PHONY: examples
examples: examples/generate-example$(EXEEXT)
	$(BASH) $(srcdir)/examples/regenerate examples/generate-example$(EXEEXT) $(srcdir)/examples
