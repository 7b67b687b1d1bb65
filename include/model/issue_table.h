/* The list of all import issues. */
#ifndef PROFDEPOT_MODEL_ISSUE_TABLE_H
#define PROFDEPOT_MODEL_ISSUE_TABLE_H

/* code, name in the depot, severity, meaning */
#define ISSUE_TABLE(X) \
	X(ISSUE_BAD_NUMBER, "bad-number", ISSUE_ERROR, "a number has letters or a fraction") \
	X(ISSUE_NUMBER_RANGE, "number-range", ISSUE_ERROR, \
		"a number is outside its column's range") \
	X(ISSUE_MISSING_VALUE, "missing-value", ISSUE_ERROR, \
		"a column that identifies the row is empty") \
	X(ISSUE_ROW_SHORT, "row-short", ISSUE_ERROR, "a row has fewer fields than the header") \
	X(ISSUE_ROW_LONG, "row-long", ISSUE_ERROR, "a row has more fields than the header") \
	X(ISSUE_DUPLICATE_ID, "duplicate-id", ISSUE_ERROR, \
		"a row repeats an ID; the first row is kept") \
	X(ISSUE_DANGLING_PARENT, "dangling-parent", ISSUE_ERROR, \
		"a row names a parent that does not exist") \
	X(ISSUE_STACK_TOO_DEEP, "stack-too-deep", ISSUE_ERROR, \
		"a row or frame was left out because a call stack exceeds the frame limit") \
	X(ISSUE_STACK_CUT, "stack-cut", ISSUE_WARNING, \
		"a call stack exceeds the frame limit; it or its outermost frames were left out") \
	X(ISSUE_WRONG_TYPE, "wrong-type", ISSUE_ERROR, \
		"a value in an event does not have the type of its column, or a part of the body has the wrong JSON type") \
	X(ISSUE_UNKNOWN_CATEGORY, "unknown-category", ISSUE_INFO, \
		"events of an undeclared category were left out") \
	X(ISSUE_UNKNOWN_COLUMN, "unknown-column", ISSUE_INFO, \
		"a column was left out because AQTime's documentation or the event's category does not list it") \
	X(ISSUE_UNKNOWN_TABLE, "unknown-table", ISSUE_INFO, \
		"a file that is not a table of the Resource profiler was left out") \
	X(ISSUE_MISSING_KEY, "missing-key", ISSUE_ERROR, \
		"a table or column is absent, and reports cannot answer without it") \
	X(ISSUE_ENCODING, "encoding", ISSUE_WARNING, \
		"--encoding contradicts a file's byte order mark; the mark is used") \
	X(ISSUE_MISSING_TABLE, "missing-table", ISSUE_INFO, "an optional table is absent") \
	X(ISSUE_MISSING_COLUMN, "missing-column", ISSUE_INFO, "an optional column is absent") \
	X(ISSUE_DANGLING_ROUTINE, "dangling-routine", ISSUE_WARNING, \
		"a frame names a routine that does not exist") \
	X(ISSUE_DANGLING_LINE, "dangling-line", ISSUE_WARNING, \
		"a frame names a line that its routine does not have") \
	X(ISSUE_DANGLING_CLASS, "dangling-class", ISSUE_WARNING, \
		"an object names a class that does not exist") \
	X(ISSUE_DANGLING_THREAD, "dangling-thread", ISSUE_WARNING, \
		"a row names a thread that does not exist") \
	X(ISSUE_STACK_POSITIONS, "stack-positions", ISSUE_WARNING, \
		"a stack's positions are not 0..n-1") \
	X(ISSUE_LIVE_COUNT, "live-count", ISSUE_WARNING, \
		"a class's live count differs from the number of its objects") \
	X(ISSUE_LIVE_SIZE, "live-size", ISSUE_WARNING, \
		"a class's live size differs from the size of its objects") \
	X(ISSUE_COUNTER_ORDER, "counter-order", ISSUE_WARNING, \
		"a class violates live <= peak <= total") \
	X(ISSUE_SEVERAL_GETS, "several-gets", ISSUE_WARNING, \
		"one result set has several Get # values") \
	X(ISSUE_RELATIONS, "relations", ISSUE_WARNING, \
		"RELATIONS differs from the tree that AQTime documents") \
	X(ISSUE_THREAD_KEY, "thread-key", ISSUE_INFO, \
		"COL_THREADID holds thread IDs, not REC_IDs") \
	X(ISSUE_EVENT_CUT, "event-cut", ISSUE_ERROR, "the input ends inside a trace event") \
	X(ISSUE_EVENT_LARGE, "event-large", ISSUE_ERROR, "a trace event exceeds the limits") \
	X(ISSUE_NOT_AN_EVENT, "not-an-event", ISSUE_ERROR, \
		"an element of a trace is not an object") \
	X(ISSUE_EVENT_TIME, "event-time", ISSUE_WARNING, "a trace event has no numeric time") \
	X(ISSUE_EVENT_UNPAIRED, "event-unpaired", ISSUE_WARNING, \
		"a begin event has no end event, or an end event has no begin event") \
	X(ISSUE_EVENT_KIND, "event-kind", ISSUE_INFO, "trace events of this kind are not loaded") \
	X(ISSUE_TRACE_UNCLOSED, "trace-unclosed", ISSUE_WARNING, \
		"the input ends before the trace is complete") \
	X(ISSUE_TRACE_COMMA, "trace-comma", ISSUE_INFO, "a comma before the end of an array") \
	X(ISSUE_TRACE_MEMBER, "trace-member", ISSUE_INFO, \
		"a large member next to the events is not stored") \
	X(ISSUE_DEVTOOLS_LOSES, "devtools-loses", ISSUE_INFO, \
		"DevTools does not show these timings") \
	X(ISSUE_DEVTOOLS_REFUSES, "devtools-refuses", ISSUE_INFO, "DevTools rejects the file") \
	X(ISSUE_BAD_UTF8, "bad-utf8", ISSUE_WARNING, "invalid UTF-8 was replaced by U+FFFD") \
	X(ISSUE_DUPLICATE_KEY, "duplicate-key", ISSUE_WARNING, \
		"an object repeats a key; the last value counts") \
	X(ISSUE_ODD_VALUE, "odd-value", ISSUE_WARNING, \
		"a value is missing or does not have the type that the format requires") \
	X(ISSUE_ODD_LEFT_OUT, "odd-left-out", ISSUE_INFO, \
		"unknown content is too large to keep for an export") \
	X(ISSUE_UNKNOWN_EVENT, "unknown-event", ISSUE_INFO, "an event has an unknown type") \
	X(ISSUE_LEFT_OUT, "left-out", ISSUE_ERROR, "an event or sample was left out") \
	X(ISSUE_TIME_BACKWARD, "time-backward", ISSUE_WARNING, \
		"a time is before the previous time; both count as equal") \
	X(ISSUE_UNCLOSED, "unclosed", ISSUE_WARNING, \
		"calls are still open at the end of the input; they end there") \
	X(ISSUE_CROSSING, "crossing", ISSUE_WARNING, \
		"a call ends before the calls inside it; those calls end, too") \
	X(ISSUE_NO_PROFILE, "no-profile", ISSUE_ERROR, \
		"a document or file that is not a profile was left out") \
	X(ISSUE_DUPLICATE_PROFILE, "duplicate-profile", ISSUE_WARNING, \
		"two profiles have the same Id; both are kept") \
	X(ISSUE_IRREGULAR_VALUE, "irregular-value", ISSUE_WARNING, \
		"a value does not have its key's type; it is kept as an attribute") \
	X(ISSUE_ORPHAN_ROW, "orphan-row", ISSUE_ERROR, "a storage row's owner does not exist") \
	X(ISSUE_PARENT_CYCLE, "parent-cycle", ISSUE_ERROR, "storage rows are their own ancestors") \
	X(ISSUE_NO_ROOT, "no-root", ISSUE_ERROR, "a stored profile's root step is missing") \
	X(ISSUE_RECORD_BROKEN, "record-broken", ISSUE_ERROR, \
		"a truncated or damaged record was left out") \
	X(ISSUE_DOCUMENT_PART, "document-part", ISSUE_WARNING, \
		"records that are in no document are a separate result set") \
	X(ISSUE_UNFINISHED, "unfinished", ISSUE_WARNING, "the tool did not finish its file") \
	X(ISSUE_NO_NAMES, "no-names", ISSUE_INFO, \
		"frames have only addresses; the message says how to get names") \
	X(ISSUE_SUMMARY, "summary", ISSUE_WARNING, \
		"the summary of a tool differs from the sum of its reports") \
	X(ISSUE_REPORT_CUT, "report-cut", ISSUE_WARNING, "the input ends inside a report") \
	X(ISSUE_MIXED, "mixed", ISSUE_WARNING, \
		"lines of several processes are mixed; the process of a line is a guess or unknown") \
	X(ISSUE_TOOL_FAILED, "tool-failed", ISSUE_WARNING, "the tool reports that it failed") \
	X(ISSUE_LINE_CUT, "line-cut", ISSUE_WARNING, "a line exceeds the limit and was truncated") \
	X(ISSUE_COMMENT, "comment", ISSUE_INFO, "a comment was skipped") \
	X(ISSUE_ESTIMATED, "estimated", ISSUE_INFO, \
		"call stacks are estimated: the format has only a call graph") \
	X(ISSUE_TOTALS_DIFFER, "totals-differ", ISSUE_WARNING, \
		"totals in the input differ from the sums of its data") \
	X(ISSUE_SUPPRESSED, "suppressed", ISSUE_INFO, \
		"further issues of one code were counted, not stored")

#endif
