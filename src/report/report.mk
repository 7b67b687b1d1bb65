libprofdepot_a_SOURCES += \
	include/report/report.h \
	include/report/params.h \
	include/report/tables.h \
	src/report/frames.c \
	src/report/report.c \
	src/report/report_private.h \
	src/report/request.c \
	src/report/run.c \
	src/report/total.c \
	src/report/values.c
# SQL of this layer, compiled in as "report/name".
SQL_FILES += \
	src/report/sql/callers.sql \
	src/report/sql/classes.sql \
	src/report/sql/console.sql \
	src/report/sql/console_each.sql \
	src/report/sql/console_stamps.sql \
	src/report/sql/errors.sql \
	src/report/sql/hot.sql \
	src/report/sql/issues.sql \
	src/report/sql/leaks.sql \
	src/report/sql/leaks_class.sql \
	src/report/sql/leaks_module.sql \
	src/report/sql/leaks_own.sql \
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
	src/report/sql/part_chosen.sql \
	src/report/sql/part_live.sql \
	src/report/sql/part_timings.sql \
	src/report/sql/routines.sql \
	src/report/sql/stack.sql \
	src/report/sql/summary.sql \
	src/report/sql/threads.sql \
	src/report/sql/timings_trend.sql \
	src/report/sql/tree.sql \
	src/report/sql/usertimings.sql \
	src/report/sql/usertimings_calls.sql \
	src/report/sql/usertimings_file.sql \
	src/report/sql/usertimings_navigations.sql \
	src/report/sql/usertimings_processes.sql \
	src/report/sql/usertimings_threads.sql \
	src/report/sql/usertimings_tracks.sql
