# Layer input: sources and public headers, one a line.
libprofdepot_a_SOURCES += \
	include/input/bundle.h \
	include/input/csv.h \
	include/input/csv_rowset.h \
	include/input/sort.h \
	src/input/bundle.c \
	src/input/bundle_archive.c \
	src/input/bundle_private.h \
	src/input/csv.c \
	src/input/csv_decode.c \
	src/input/csv_private.h \
	src/input/csv_rowset.c \
	src/input/csv_scan_private.h \
	src/input/csv_sniff.c \
	src/input/sort.c \
	src/input/temp.c \
	src/input/temp_private.h
