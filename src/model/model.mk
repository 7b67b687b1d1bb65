# Layer model: sources and public headers, one a line.
libprofdepot_a_SOURCES += \
	include/model/issue.h \
	include/model/rowset.h \
	include/model/sink.h \
	include/model/table.h \
	include/model/tree.h \
	src/model/issue.c \
	src/model/tree.c
