# Layer service: sources and public headers, one a line.
libprofdepot_a_SOURCES += \
	include/service/import.h \
	src/service/import.c \
	src/service/import_input.c \
	src/service/import_input.h
