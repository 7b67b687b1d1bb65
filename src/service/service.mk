# Layer service: sources and public headers, one a line.
libprofdepot_a_SOURCES += \
	include/service/import.h \
	include/service/tree_report.h \
	include/service/trees.h \
	src/service/import.c \
	src/service/import_input.c \
	src/service/import_input.h \
	src/service/tree_report.c \
	src/service/trees.c

# Leaks of runtimes that --hide-standard-leaks leaves out, compiled in.
nodist_libprofdepot_a_SOURCES += src/service/standard_leaks.c
CLEANFILES += src/service/standard_leaks.c src/service/standard_leaks.c.tmp
src/service/standard_leaks.c: src/service/standard_leaks.supp tools/text2c.awk
	$(AM_V_GEN)$(MKDIR_P) src/service && rm -f $@ $@.tmp && out=`pwd`/$@ && \
	(cd $(srcdir) && LC_ALL=C $(AWK) -f tools/text2c.awk src/service/standard_leaks.supp) > $$out.tmp && \
	mv $$out.tmp $$out
