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
