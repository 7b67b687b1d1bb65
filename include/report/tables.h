/*
 * The table of the reports, and the table of the facts that reports can be about. To add a report or a kind of
 * facts, add a row here. Help and manual pages are generated from these tables. The parameters of reports are in
 * report/params.h.
 */
#ifndef PROFDEPOT_REPORT_TABLES_H
#define PROFDEPOT_REPORT_TABLES_H

/* name, --by, .sql file in src/report/sql. If several rows have the same name, the first one has
 * the default --by. */
#define REPORT_TABLE(X) \
	X("summary", NULL, summary) \
	X("classes", NULL, classes) \
	X("objects", NULL, objects) \
	X("errors", "each", errors) \
	X("errors", "record", errors_record) \
	X("stack", NULL, stack) \
	X("leaks", "lines", leaks) \
	X("leaks", "names", leaks) \
	X("leaks", "class", leaks_class) \
	X("leaks", "stack", leaks_stack) \
	X("leaks", "routine", leaks_routine) \
	X("leaks", "module", leaks_module) \
	X("leaks", "thread", leaks_thread) \
	X("leaks", "own", leaks_own) \
	X("leaks", "record", leaks_record) \
	X("peak", "stack", peak) \
	X("peak", "routine", peak_routine) \
	X("peak", "module", peak_module) \
	X("temporary", "stack", temporary) \
	X("temporary", "routine", temporary_routine) \
	X("temporary", "module", temporary_module) \
	X("routines", NULL, routines) \
	X("modules", NULL, modules) \
	X("threads", NULL, threads) \
	X("lines", NULL, lines) \
	X("marks", "each", marks) \
	X("marks", "name", marks_name) \
	X("measures", "name", measures) \
	X("measures", "each", measures_each) \
	X("console", "name", console) \
	X("console", "each", console_each) \
	X("console", "stamps", console_stamps) \
	X("usertimings", "time", usertimings) \
	X("usertimings", "tracks", usertimings_tracks) \
	X("usertimings", "calls", usertimings_calls) \
	X("usertimings", "navigations", usertimings_navigations) \
	X("usertimings", "threads", usertimings_threads) \
	X("usertimings", "processes", usertimings_processes) \
	X("usertimings", "file", usertimings_file) \
	X("diff", "stack", diff_stack) \
	X("diff", "class", diff_class) \
	X("diff", "routine", diff_routine) \
	X("diff", "module", diff_module) \
	X("diff", "own", diff_own) \
	X("diff", "object", diff_object) \
	X("timeline", NULL, timeline) \
	X("gauges", "metric", gauges) \
	X("gauges", "time", gauges_time) \
	X("trend", NULL, trend) \
	X("timings-trend", NULL, timings_trend) \
	X("tree", NULL, tree) \
	X("callers", NULL, callers) \
	X("hot", NULL, hot) \
	X("profiles", NULL, profiles) \
	X("requests", NULL, requests) \
	X("profile", "steps", profile) \
	X("profile", "calls", profile_calls) \
	X("commands", "exact", commands) \
	X("commands", "normalised", commands) \
	X("duplicates", "exact", duplicates) \
	X("duplicates", "normalised", duplicates) \
	X("duplicates", "across", duplicates_across) \
	X("duplicates", "across-normalised", duplicates_across) \
	X("calltypes", NULL, calltypes) \
	X("clienttimings", NULL, clienttimings) \
	X("suppressions", NULL, suppressions) \
	X("issues", NULL, issues)

/* Reports that read one side of a comparison or trend. Users cannot request them by name. */
#define REPORT_SIDE_TABLE(X) \
	X(OBJECT, side_object) \
	X(OBJECTS, side_objects) \
	X(ERRORS, side_errors) \
	X(SAMPLES, side_samples)

enum report_side {
#define REPORT_SIDE_ENUM(code, file) REPORT_SIDE_##code,
	REPORT_SIDE_TABLE(REPORT_SIDE_ENUM)
#undef REPORT_SIDE_ENUM
};

#define REPORT_BY_CHOICES \
	"lines|names|metric|class|stack|routine|module|thread|own|record" \
	"|each|name|stamps|time|tracks|calls|navigations|threads|processes|file" \
	"|object|steps|exact|normalised|across|across-normalised"

/*
 * The facts that a report can be about. Each row has a code, the word in "-- facts:", and the relation
 * and condition that find the facts ($1 is the INST_ID). If a report has no rows, the condition tells
 * "nothing found" from "the result set has no such facts".
 */
#define REPORT_FACTS_TABLE(X) \
	X(OBJECTS, "objects", \
		"resource_profiler_objects f WHERE f.inst_id = $1::bigint ORDER BY f.id") \
	X(ERRORS, "errors", \
		"resource_profiler_errors f WHERE f.inst_id = $1::bigint ORDER BY f.id") \
	X(SAMPLES, "samples", "samples f WHERE f.inst_id = $1::bigint") \
	X(SPANS, "spans", "spans f WHERE f.inst_id = $1::bigint") \
	X(ENTRIES_WITH_TIMES, "entries with times", \
		"instances f WHERE f.inst_id = $1::bigint" \
		" AND (EXISTS (SELECT FROM profdepot.span_blocks s WHERE s.inst_id = $1::bigint)" \
		" OR EXISTS (SELECT FROM profdepot.span_rows s WHERE s.inst_id = $1::bigint)" \
		" OR EXISTS (SELECT FROM profdepot.sample_blocks s WHERE s.inst_id = $1::bigint" \
		" AND COALESCE(s.times[1], s.exact_times[1]) IS NOT NULL)" \
		" OR EXISTS (SELECT FROM profdepot.sample_rows s WHERE s.inst_id = $1::bigint" \
		" AND s.at IS NOT NULL))") \
	X(GAUGES, "gauges", "metrics f WHERE f.inst_id = $1::bigint AND f.family = 'gauges'") \
	X(CALL_TREE, "call tree", "call_tree f WHERE f.inst_id = $1::bigint") \
	X(PEAKS, "peaks", \
		"metrics f WHERE f.inst_id = $1::bigint" \
		" AND f.family = 'samples' AND f.name = 'peak_space'") \
	X(TEMPORARY_ALLOCATIONS, "temporary allocations", \
		"metrics f WHERE f.inst_id = $1::bigint" \
		" AND f.family = 'samples' AND f.name = 'temporary_objects'") \
	X(PROFILES, "profiles", "tracks f WHERE f.inst_id = $1::bigint AND f.kind = 'profile'") \
	X(STEPS, "steps", "span_rows f WHERE f.inst_id = $1::bigint AND f.kind = 'step'") \
	X(CALLS, "calls", "span_rows f WHERE f.inst_id = $1::bigint AND f.kind = 'call'") \
	X(CLIENT_TIMINGS, "client timings", \
		"span_rows f WHERE f.inst_id = $1::bigint AND f.kind = 'client'") \
	X(MARKS, "marks", "span_rows f WHERE f.inst_id = $1::bigint AND f.kind = 'mark'") \
	X(MEASURES, "measures", "span_rows f WHERE f.inst_id = $1::bigint AND f.kind = 'measure'") \
	X(USER_TIMINGS, "user timings", \
		"span_rows f WHERE f.inst_id = $1::bigint" \
		" AND f.kind IN ('mark', 'measure', 'console', 'stamp', 'measure_call')") \
	X(CONSOLE_TIMINGS, "console timings", \
		"span_rows f WHERE f.inst_id = $1::bigint AND f.kind IN ('console', 'stamp')")

enum report_facts {
	REPORT_FACTS_ANY,
#define REPORT_FACTS_ENUM(code, word, place) REPORT_FACTS_##code,
	REPORT_FACTS_TABLE(REPORT_FACTS_ENUM)
#undef REPORT_FACTS_ENUM
};

#endif
