/*
 * The tables behind reports: which there are, what they are about. A new one of
 * each is a row here; help and manual pages follow. What may be asked of them
 * stands in report/params.h.
 */
#ifndef PROFDEPOT_REPORT_TABLES_H
#define PROFDEPOT_REPORT_TABLES_H

/* name, --by (the first of a name is its default), .sql file */
#define REPORT_TABLE(X) \
	X("summary", NULL, "summary") \
	X("classes", NULL, "classes") \
	X("objects", NULL, "objects") \
	X("errors", "each", "errors") \
	X("errors", "record", "errors_record") \
	X("stack", NULL, "stack") \
	X("leaks", "lines", "leaks") \
	X("leaks", "names", "leaks") \
	X("leaks", "class", "leaks_class") \
	X("leaks", "stack", "leaks_stack") \
	X("leaks", "routine", "leaks_routine") \
	X("leaks", "module", "leaks_module") \
	X("leaks", "thread", "leaks_thread") \
	X("leaks", "own", "leaks_own") \
	X("leaks", "record", "leaks_record") \
	X("peak", "stack", "peak") \
	X("peak", "routine", "peak_routine") \
	X("peak", "module", "peak_module") \
	X("temporary", "stack", "temporary") \
	X("temporary", "routine", "temporary_routine") \
	X("temporary", "module", "temporary_module") \
	X("routines", NULL, "routines") \
	X("modules", NULL, "modules") \
	X("threads", NULL, "threads") \
	X("lines", NULL, "lines") \
	X("marks", "each", "marks") \
	X("marks", "name", "marks_name") \
	X("measures", "name", "measures") \
	X("measures", "each", "measures_each") \
	X("console", "name", "console") \
	X("console", "each", "console_each") \
	X("console", "stamps", "console_stamps") \
	X("usertimings", "time", "usertimings") \
	X("usertimings", "tracks", "usertimings_tracks") \
	X("usertimings", "calls", "usertimings_calls") \
	X("usertimings", "navigations", "usertimings_navigations") \
	X("usertimings", "threads", "usertimings_threads") \
	X("usertimings", "processes", "usertimings_processes") \
	X("usertimings", "file", "usertimings_file") \
	X("diff", "stack", "diff_stack") \
	X("diff", "class", "diff_class") \
	X("diff", "routine", "diff_routine") \
	X("diff", "module", "diff_module") \
	X("diff", "own", "diff_own") \
	X("diff", "object", "diff_object") \
	X("trend", NULL, "trend") \
	X("timings-trend", NULL, "timings_trend") \
	X("tree", NULL, "tree") \
	X("callers", NULL, "callers") \
	X("hot", NULL, "hot") \
	X("profiles", NULL, "profiles") \
	X("requests", NULL, "requests") \
	X("profile", "steps", "profile") \
	X("profile", "calls", "profile_calls") \
	X("commands", "exact", "commands") \
	X("commands", "normalised", "commands") \
	X("duplicates", "exact", "duplicates") \
	X("duplicates", "normalised", "duplicates") \
	X("duplicates", "across", "duplicates_across") \
	X("duplicates", "across-normalised", "duplicates_across") \
	X("calltypes", NULL, "calltypes") \
	X("clienttimings", NULL, "clienttimings") \
	X("suppressions", NULL, "suppressions") \
	X("issues", NULL, "issues")

#define REPORT_BY_CHOICES \
	"lines|names|class|stack|routine|module|thread|own|record" \
	"|each|name|stamps|time|tracks|calls|navigations|threads|processes|file" \
	"|object|steps|exact|normalised|across|across-normalised"

/*
 * What a report is about: word in "-- facts:", and where it is looked for when
 * the report has no row, to tell nothing found from nothing there ($1: INST_ID).
 */
#define REPORT_FACTS_TABLE(X) \
	X("objects", "resource_profiler_objects f WHERE f.inst_id = $1::bigint") \
	X("errors", "resource_profiler_errors f WHERE f.inst_id = $1::bigint") \
	X("samples", "samples f WHERE f.inst_id = $1::bigint") \
	X("spans", "spans f WHERE f.inst_id = $1::bigint") \
	X("call tree", "call_tree f WHERE f.inst_id = $1::bigint") \
	X("peaks", "metrics f WHERE f.inst_id = $1::bigint" \
		   " AND f.family = 'samples' AND f.name = 'peak_space'") \
	X("temporary allocations", "metrics f WHERE f.inst_id = $1::bigint" \
				   " AND f.family = 'samples' AND f.name = 'temporary_objects'") \
	X("profiles", "tracks f WHERE f.inst_id = $1::bigint AND f.kind = 'profile'") \
	X("steps", "span_rows f WHERE f.inst_id = $1::bigint AND f.kind = 'step'") \
	X("calls", "span_rows f WHERE f.inst_id = $1::bigint AND f.kind = 'call'") \
	X("client timings", "span_rows f WHERE f.inst_id = $1::bigint AND f.kind = 'client'") \
	X("marks", "span_rows f WHERE f.inst_id = $1::bigint AND f.kind = 'mark'") \
	X("measures", "span_rows f WHERE f.inst_id = $1::bigint AND f.kind = 'measure'") \
	X("user timings", \
		"span_rows f WHERE f.inst_id = $1::bigint" \
		" AND f.kind IN ('mark', 'measure', 'console', 'stamp', 'measure_call')") \
	X("console timings", \
		"span_rows f WHERE f.inst_id = $1::bigint AND f.kind IN ('console', 'stamp')")

#endif
