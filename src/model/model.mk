# Layer model: sources and public headers, one per line.
libprofdepot_a_SOURCES += \
	include/model/call_tree.h \
	include/model/category.h \
	include/model/coverage.h \
	include/model/event.h \
	include/model/check.h \
	include/model/issue.h \
	include/model/issue_table.h \
	include/model/measures.h \
	include/model/metric_name.h \
	include/model/rows.h \
	include/model/run.h \
	include/model/rowset.h \
	include/model/sink.h \
	include/model/source.h \
	include/model/suppress_facts.h \
	include/model/table.h \
	include/model/table_origin.h \
	include/model/tree.h \
	src/model/call_tree.c \
	src/model/call_tree_answer.c \
	src/model/call_tree_routines.c \
	src/model/call_tree_private.h \
	src/model/category.c \
	src/model/coverage.c \
	src/model/issue.c \
	src/model/rows.c \
	src/model/tree.c
