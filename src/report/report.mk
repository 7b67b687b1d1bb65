libprofdepot_a_SOURCES += \
	include/report/report.h \
	include/report/params.h \
	include/report/set_origin.h \
	include/report/tables.h \
	src/report/frames.c \
	src/report/parts.c \
	src/report/report.c \
	src/report/report_private.h \
	src/report/request.c \
	src/report/run.c \
	src/report/set_origin.c \
	src/report/total.c \
	src/report/values.c

# The reports as their .sql files describe them.
EXTRA_DIST += tools/report2c.awk
CLEANFILES += src/report/report_files.h src/report/report_files.h.tmp
BUILT_SOURCES += src/report/report_files.h
nodist_libprofdepot_a_SOURCES += src/report/report_files.h
src/report/report_files.h: $(SQL_FILES) tools/sql_file.awk tools/report2c.awk Makefile
	$(AM_V_GEN)$(MKDIR_P) src/report && rm -f $@ $@.tmp && \
	out=`pwd`/$@ && \
	(cd $(srcdir) && LC_ALL=C $(AWK) -f tools/sql_file.awk -f tools/report2c.awk $(SQL_FILES)) > $$out.tmp && \
	mv $$out.tmp $$out

# This layer's SQL files, which are compiled into the program. The program refers to NAME.sql as
# "report/NAME".
SQL_FILES += \
	src/report/sql/callers.sql \
	src/report/sql/calltypes.sql \
	src/report/sql/classes.sql \
	src/report/sql/clienttimings.sql \
	src/report/sql/commands.sql \
	src/report/sql/console.sql \
	src/report/sql/console_each.sql \
	src/report/sql/console_stamps.sql \
	src/report/sql/detected.sql \
	src/report/sql/diff_class.sql \
	src/report/sql/diff_module.sql \
	src/report/sql/diff_object.sql \
	src/report/sql/diff_own.sql \
	src/report/sql/diff_routine.sql \
	src/report/sql/diff_stack.sql \
	src/report/sql/duplicates.sql \
	src/report/sql/duplicates_across.sql \
	src/report/sql/errors.sql \
	src/report/sql/errors_record.sql \
	src/report/sql/frame_routines.sql \
	src/report/sql/gauges.sql \
	src/report/sql/gauges_time.sql \
	src/report/sql/hot.sql \
	src/report/sql/issues.sql \
	src/report/sql/leaks.sql \
	src/report/sql/leaks_class.sql \
	src/report/sql/leaks_module.sql \
	src/report/sql/leaks_own.sql \
	src/report/sql/leaks_record.sql \
	src/report/sql/leaks_routine.sql \
	src/report/sql/leaks_stack.sql \
	src/report/sql/leaks_thread.sql \
	src/report/sql/lines.sql \
	src/report/sql/marks.sql \
	src/report/sql/marks_name.sql \
	src/report/sql/measures.sql \
	src/report/sql/measures_each.sql \
	src/report/sql/modules.sql \
	src/report/sql/objects.sql \
	src/report/sql/own_files.sql \
	src/report/sql/part_asked.sql \
	src/report/sql/part_calls.sql \
	src/report/sql/part_chosen.sql \
	src/report/sql/part_error_groups.sql \
	src/report/sql/part_heap_sites.sql \
	src/report/sql/part_leak_groups.sql \
	src/report/sql/part_got.sql \
	src/report/sql/part_live.sql \
	src/report/sql/part_one_profile.sql \
	src/report/sql/part_own.sql \
	src/report/sql/part_picked.sql \
	src/report/sql/part_repeated.sql \
	src/report/sql/part_timings.sql \
	src/report/sql/peak.sql \
	src/report/sql/peak_module.sql \
	src/report/sql/peak_routine.sql \
	src/report/sql/profile.sql \
	src/report/sql/profile_calls.sql \
	src/report/sql/profiles.sql \
	src/report/sql/requests.sql \
	src/report/sql/routines.sql \
	src/report/sql/set_origin.sql \
	src/report/sql/side_errors.sql \
	src/report/sql/side_object.sql \
	src/report/sql/side_objects.sql \
	src/report/sql/side_samples.sql \
	src/report/sql/stack.sql \
	src/report/sql/summary.sql \
	src/report/sql/temporary.sql \
	src/report/sql/temporary_module.sql \
	src/report/sql/temporary_routine.sql \
	src/report/sql/subject_error.sql \
	src/report/sql/subject_object.sql \
	src/report/sql/suppressions.sql \
	src/report/sql/threads.sql \
	src/report/sql/timeline.sql \
	src/report/sql/timings_trend.sql \
	src/report/sql/tree.sql \
	src/report/sql/trend.sql \
	src/report/sql/usertimings.sql \
	src/report/sql/usertimings_calls.sql \
	src/report/sql/usertimings_file.sql \
	src/report/sql/usertimings_navigations.sql \
	src/report/sql/usertimings_processes.sql \
	src/report/sql/usertimings_threads.sql \
	src/report/sql/usertimings_tracks.sql
