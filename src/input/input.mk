# Layer input: sources and public headers, one a line.
libprofdepot_a_SOURCES += \
	include/input/bundle.h \
	include/input/csv.h \
	include/input/csv_rowset.h \
	include/input/json_reader.h \
	include/input/json_shape.h \
	include/input/sort.h \
	include/input/spool.h \
	src/input/bundle.c \
	src/input/bundle_archive.c \
	src/input/bundle_private.h \
	src/input/csv.c \
	src/input/csv_decode.c \
	src/input/csv_private.h \
	src/input/csv_rowset.c \
	src/input/csv_scan_private.h \
	src/input/csv_sniff.c \
	src/input/json_cut.c \
	src/input/json_decimal.c \
	src/input/json_inline_private.h \
	src/input/json_input.c \
	src/input/json_keys.c \
	src/input/json_members_private.h \
	src/input/json_number.c \
	src/input/json_private.h \
	src/input/json_reader.c \
	src/input/json_scan_private.h \
	src/input/json_shape.c \
	src/input/json_skip.c \
	src/input/json_string.c \
	src/input/sort.c \
	src/input/spool.c \
	src/input/temp.c \
	src/input/temp_private.h
