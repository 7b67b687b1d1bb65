# Layer format: sources and public headers, one a line.
libprofdepot_a_SOURCES += \
	include/format/aqtime_write.h \
	include/format/event_bodies.h \
	include/format/event_rows.h \
	include/format/event_time.h \
	include/format/format.h \
	include/format/formats.h \
	src/format/aqtime.c \
	src/format/aqtime_facts.c \
	src/format/aqtime_private.h \
	src/format/aqtime_streams.c \
	src/format/aqtime_streams_private.h \
	src/format/aqtime_table.c \
	src/format/aqtime_write.c \
	src/format/csv_writer.c \
	src/format/csv_writer.h \
	src/format/demangle.c \
	src/format/demangle.h \
	src/format/event_bodies.c \
	src/format/event_rows.c \
	src/format/event_time.c \
	src/format/format.c \
	src/format/json_tree.c \
	src/format/json_tree.h \
	src/format/speedscope.c \
	src/format/speedscope_convert.c \
	src/format/speedscope_evented.c \
	src/format/speedscope_file.h \
	src/format/speedscope_frames.c \
	src/format/speedscope_native.c \
	src/format/speedscope_private.h \
	src/format/speedscope_profile.c \
	src/format/speedscope_sampled.c \
	src/format/speedscope_spans.c \
	src/format/speedscope_value.c \
	src/format/speedscope_write.c \
	src/format/speedscope_write_private.h
