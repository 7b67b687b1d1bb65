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
	src/format/chrome.c \
	src/format/chrome_calls.c \
	src/format/chrome_collect.c \
	src/format/chrome_emit.c \
	src/format/chrome_extension.c \
	src/format/chrome_json.c \
	src/format/chrome_json.h \
	src/format/chrome_pair.c \
	src/format/chrome_private.h \
	src/format/chrome_state.h \
	src/format/chrome_timing.h \
	src/format/chrome_profile.c \
	src/format/chrome_stream.c \
	src/format/chrome_trace.c \
	src/format/chrome_write.c \
	src/format/chrome_write.h \
	src/format/chrome_write_private.h \
	src/format/chrome_write_spans.c \
	src/format/aqtime_xml.c \
	src/format/aqtime_xml_parse.c \
	src/format/aqtime_xml_private.h \
	src/format/aqtime_xml_values.c \
	src/format/aqtime_xml_words.c \
	src/format/text_file.c \
	src/format/text_file.h \
	src/format/csv_writer.c \
	src/format/csv_writer.h \
	src/format/demangle.c \
	include/format/demangle.h \
	src/format/each_file.c \
	src/format/each_file.h \
	src/format/event_bodies.c \
	src/format/event_rows.c \
	src/format/event_time.c \
	src/format/format.c \
	src/format/frame_dictionary.c \
	src/format/frame_dictionary.h \
	src/format/heap_facts.c \
	src/format/heap_facts.h \
	src/format/heap_frame.c \
	src/format/heap_frame.h \
	src/format/id_table.h \
	src/format/json_tree.c \
	src/format/json_tree.h \
	src/format/kernelscope.c \
	src/format/kernelscope_write.c \
	src/format/kernelscope_write.h \
	src/format/miniprofiler.c \
	src/format/miniprofiler_keys.c \
	src/format/miniprofiler_keys.h \
	src/format/miniprofiler_private.h \
	src/format/miniprofiler_profile.c \
	src/format/miniprofiler_put.c \
	src/format/miniprofiler_stack.c \
	src/format/miniprofiler_storage.c \
	src/format/miniprofiler_take.c \
	src/format/miniprofiler_take.h \
	src/format/miniprofiler_time.c \
	src/format/miniprofiler_write.c \
	src/format/miniprofiler_writer.h \
	src/format/json_members.c \
	src/format/json_members.h \
	src/format/sanitizer.c \
	src/format/sanitizer_frame.c \
	src/format/sanitizer_log.c \
	src/format/sanitizer_parts.c \
	src/format/sanitizer_prefix.c \
	src/format/sanitizer_private.h \
	src/format/sanitizer_report.c \
	src/format/sanitizer_report.h \
	src/format/sanitizer_set.c \
	src/format/sanitizer_state.h \
	src/format/sanitizer_summary.c \
	src/format/sanitizer_tell.c \
	src/format/sanitizer_words.c \
	src/format/text_scan.c \
	src/format/text_scan.h \
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

# The members of pprof's profiles, by protoc-c. Named from the top of the tree, and so are its
# includes.
EXTRA_DIST += src/format/pprof.proto
CLEANFILES += src/format/pprof.pb-c.c src/format/pprof.pb-c.h
nodist_libprofdepot_a_SOURCES += src/format/pprof.pb-c.c
src/format/pprof.pb-c.c: src/format/pprof.proto
	$(AM_V_GEN)$(MKDIR_P) src/format && \
	$(PROTOC_C) --proto_path=$(srcdir) --c_out=. $(srcdir)/src/format/pprof.proto
src/format/pprof.pb-c.h: src/format/pprof.pb-c.c
BUILT_SOURCES += src/format/pprof.pb-c.h
src/format/pprof_samples.$(OBJEXT) src/format/pprof_tables.$(OBJEXT) \
	src/format/pprof_verify.$(OBJEXT): src/format/pprof.pb-c.h

libprofdepot_a_SOURCES += \
	src/format/valgrind.c \
	src/format/valgrind_build.c \
	src/format/valgrind_counts.c \
	src/format/valgrind_document.c \
	src/format/valgrind_end.c \
	src/format/valgrind_facts.c \
	src/format/valgrind_facts.h \
	src/format/valgrind_file.c \
	src/format/valgrind_input.c \
	src/format/valgrind_input.h \
	src/format/valgrind_parse.c \
	src/format/valgrind_parser.h \
	src/format/valgrind_private.h \
	src/format/valgrind_records.h \
	src/format/valgrind_threads.h \
	src/format/valgrind_words.h \
	src/format/valgrind_tell.c \
	src/format/valgrind_threads.c \
	src/format/valgrind_words.c
