# Layer base: sources and public headers, one a line.
libprofdepot_a_SOURCES += \
	include/base/arena.h \
	include/base/array.h \
	include/base/char.h \
	include/base/clock.h \
	include/base/depot_text.h \
	include/base/decimal.h \
	include/base/double.h \
	include/base/error.h \
	include/base/fd.h \
	include/base/hash.h \
	include/base/json_string.h \
	include/base/json_writer.h \
	include/base/number.h \
	include/base/option.h \
	include/base/pair_map.h \
	include/base/progress.h \
	include/base/sql_file.h \
	include/base/strbuf.h \
	include/base/text.h \
	src/base/arena.c \
	src/base/array.c \
	src/base/depot_text.c \
	src/base/decimal.c \
	src/base/double.c \
	src/base/error.c \
	src/base/fd.c \
	src/base/hash.c \
	src/base/json_string.c \
	src/base/json_writer.c \
	src/base/number.c \
	src/base/option.c \
	src/base/pair_map.c \
	src/base/progress.c \
	src/base/sql_file.c \
	src/base/strbuf.c \
	src/base/text.c
