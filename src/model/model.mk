# Layer model: sources and public headers, one per line.
libprofdepot_a_SOURCES += \
	include/model/call_tree.h \
	include/model/category.h \
	include/model/content.h \
	include/model/coverage.h \
	include/model/event.h \
	include/model/finding.h \
	include/model/frame_name.h \
	include/model/frame_owner.h \
	include/model/check.h \
	include/model/history.h \
	include/model/issue.h \
	include/model/issue_table.h \
	include/model/measures.h \
	include/model/metric_name.h \
	include/model/row_tables.h \
	include/model/rows.h \
	include/model/run.h \
	include/model/rowset.h \
	include/model/sink.h \
	include/model/source.h \
	include/model/suppress_facts.h \
	include/model/table.h \
	include/model/table_frame.h \
	include/model/table_origin.h \
	include/model/stacks.h \
	include/model/tree.h \
	src/model/call_tree.c \
	src/model/call_tree_answer.c \
	src/model/call_tree_routines.c \
	src/model/call_tree_sums.c \
	src/model/call_tree_values.h \
	src/model/ranked_bits.h \
	src/model/call_tree_private.h \
	src/model/category.c \
	src/model/content.c \
	src/model/coverage.c \
	src/model/finding.c \
	src/model/frame_name.c \
	src/model/frame_name_borland.c \
	src/model/frame_name_cxx.c \
	src/model/frame_name_private.h \
	src/model/frame_name_suffix.c \
	src/model/frame_owner_pascal.c \
	src/model/frame_owner_private.h \
	src/model/frame_owner.c \
	src/model/history.c \
	src/model/issue.c \
	src/model/row_own.c \
	src/model/rows.c \
	src/model/tree.c
nodist_libprofdepot_a_SOURCES += src/model/row_tables.c
CLEANFILES += src/model/row_tables.c src/model/row_tables.c.tmp

src/model/row_tables.c: $(SCHEMA_SQL) tools/schema2c.awk Makefile
	$(AM_V_GEN)$(MKDIR_P) src/model && out=`pwd`/$@ && \
	(cd $(srcdir) && LC_ALL=C $(AWK) -v tables=1 -f tools/schema2c.awk $(SCHEMA_SQL)) > $$out.tmp && mv $$out.tmp $$out
