/*
 * The one list of import issues.
 */
#ifndef PROFDEPOT_MODEL_ISSUE_TABLE_H
#define PROFDEPOT_MODEL_ISSUE_TABLE_H

/* code, name in the depot, severity, what it means */
#define ISSUE_TABLE(X) \
	X(ISSUE_BAD_NUMBER, "bad-number", ISSUE_ERROR, "a number has letters or a fraction") \
	X(ISSUE_NUMBER_RANGE, "number-range", ISSUE_ERROR, \
		"a number is outside its column's range") \
	X(ISSUE_MISSING_VALUE, "missing-value", ISSUE_ERROR, \
		"a column that identifies the row is empty") \
	X(ISSUE_ROW_SHORT, "row-short", ISSUE_ERROR, "a row has fewer fields than the header") \
	X(ISSUE_ROW_LONG, "row-long", ISSUE_ERROR, "a row has more fields than the header") \
	X(ISSUE_DUPLICATE_ID, "duplicate-id", ISSUE_ERROR, "a row repeats an ID; the first stays") \
	X(ISSUE_DANGLING_PARENT, "dangling-parent", ISSUE_ERROR, "a row's parent is not there") \
	X(ISSUE_STACK_TOO_DEEP, "stack-too-deep", ISSUE_ERROR, \
		"a call stack passes the frame limit") \
	X(ISSUE_WRONG_TYPE, "wrong-type", ISSUE_ERROR, \
		"a value or a row of events is not of its column's type") \
	X(ISSUE_UNKNOWN_CATEGORY, "unknown-category", ISSUE_INFO, \
		"events of a category that is not declared were left out") \
	X(ISSUE_UNKNOWN_COLUMN, "unknown-column", ISSUE_INFO, \
		"a column that AQTime does not document, or an event's category does not name, was left out") \
	X(ISSUE_UNKNOWN_TABLE, "unknown-table", ISSUE_INFO, \
		"a file that is no table of the Resource profiler was left out") \
	X(ISSUE_MISSING_TABLE, "missing-table", ISSUE_INFO, "an optional table is absent") \
	X(ISSUE_MISSING_COLUMN, "missing-column", ISSUE_INFO, "an optional column is absent") \
	X(ISSUE_DANGLING_ROUTINE, "dangling-routine", ISSUE_WARNING, \
		"a frame names a routine that is not there") \
	X(ISSUE_DANGLING_LINE, "dangling-line", ISSUE_WARNING, \
		"a frame names a line that its routine has not") \
	X(ISSUE_DANGLING_CLASS, "dangling-class", ISSUE_WARNING, \
		"an object names a class that is not there") \
	X(ISSUE_DANGLING_THREAD, "dangling-thread", ISSUE_WARNING, \
		"a row names a thread that is not there") \
	X(ISSUE_STACK_POSITIONS, "stack-positions", ISSUE_WARNING, \
		"a stack's positions are not 0..n-1") \
	X(ISSUE_LIVE_COUNT, "live-count", ISSUE_WARNING, \
		"a class's live count is not the number of its objects") \
	X(ISSUE_LIVE_SIZE, "live-size", ISSUE_WARNING, \
		"a class's live size is not the size of its objects") \
	X(ISSUE_COUNTER_ORDER, "counter-order", ISSUE_WARNING, \
		"a class breaks live <= peak <= total") \
	X(ISSUE_SEVERAL_GETS, "several-gets", ISSUE_WARNING, \
		"one result set has several Get # values") \
	X(ISSUE_RELATIONS, "relations", ISSUE_WARNING, \
		"RELATIONS is not the tree that AQTime documents") \
	X(ISSUE_THREAD_KEY, "thread-key", ISSUE_INFO, \
		"COL_THREADID holds thread IDs, not REC_IDs") \
	X(ISSUE_EVENT_CUT, "event-cut", ISSUE_ERROR, "the input ends inside a trace event") \
	X(ISSUE_EVENT_LARGE, "event-large", ISSUE_ERROR, "a trace event passes the limits") \
	X(ISSUE_NOT_AN_EVENT, "not-an-event", ISSUE_ERROR, "an element of a trace is no object") \
	X(ISSUE_NO_TRACE, "no-trace", ISSUE_INFO, "a file that is no trace was left out") \
	X(ISSUE_EVENT_TIME, "event-time", ISSUE_WARNING, \
		"a trace event has no time that is a number") \
	X(ISSUE_EVENT_UNPAIRED, "event-unpaired", ISSUE_WARNING, \
		"a trace event begins and never ends, or the other way round") \
	X(ISSUE_EVENT_KIND, "event-kind", ISSUE_INFO, "trace events of a kind that is not loaded") \
	X(ISSUE_TRACE_UNCLOSED, "trace-unclosed", ISSUE_WARNING, \
		"the input ends before the trace does") \
	X(ISSUE_TRACE_COMMA, "trace-comma", ISSUE_INFO, "a comma before the end of an array") \
	X(ISSUE_TRACE_MEMBER, "trace-member", ISSUE_INFO, \
		"a large member beside the events is not kept") \
	X(ISSUE_DEVTOOLS_LOSES, "devtools-loses", ISSUE_INFO, \
		"timings that DevTools does not show") \
	X(ISSUE_DEVTOOLS_REFUSES, "devtools-refuses", ISSUE_INFO, "DevTools refuses such a file") \
	X(ISSUE_BAD_UTF8, "bad-utf8", ISSUE_WARNING, "bytes that are no UTF-8 became U+FFFD") \
	X(ISSUE_DUPLICATE_KEY, "duplicate-key", ISSUE_WARNING, \
		"an object has a key twice; the last one counts") \
	X(ISSUE_ODD_VALUE, "odd-value", ISSUE_WARNING, \
		"a value is missing or of another type than the format says") \
	X(ISSUE_ODD_LEFT_OUT, "odd-left-out", ISSUE_INFO, \
		"what the format does not know is too much to keep for an export") \
	X(ISSUE_UNKNOWN_EVENT, "unknown-event", ISSUE_INFO, "an event is of an unknown type") \
	X(ISSUE_LEFT_OUT, "left-out", ISSUE_ERROR, "an event or sample was left out") \
	X(ISSUE_TIME_BACKWARD, "time-backward", ISSUE_WARNING, \
		"a time lies before the one before it, and counts as equal") \
	X(ISSUE_UNCLOSED, "unclosed", ISSUE_WARNING, "calls are not closed; the end closes them") \
	X(ISSUE_CROSSING, "crossing", ISSUE_WARNING, \
		"a call is closed before those inside it, and closes them") \
	X(ISSUE_NO_PROFILE, "no-profile", ISSUE_ERROR, \
		"a document or file that is no profile was left out") \
	X(ISSUE_DUPLICATE_PROFILE, "duplicate-profile", ISSUE_WARNING, \
		"two profiles have one Id; both are kept") \
	X(ISSUE_IRREGULAR_VALUE, "irregular-value", ISSUE_WARNING, \
		"a value is of another type than its key's; it is kept as an attribute") \
	X(ISSUE_ORPHAN_ROW, "orphan-row", ISSUE_ERROR, \
		"a row of a storage belongs to nothing that is there") \
	X(ISSUE_PARENT_CYCLE, "parent-cycle", ISSUE_ERROR, \
		"rows of a storage are their own ancestors") \
	X(ISSUE_NO_ROOT, "no-root", ISSUE_ERROR, "a stored profile's root step is not there") \
	X(ISSUE_RECORD_BROKEN, "record-broken", ISSUE_ERROR, \
		"a record that is cut or damaged was left out") \
	X(ISSUE_DOCUMENT_PART, "document-part", ISSUE_WARNING, \
		"records stand outside any document; they are a result set of their own") \
	X(ISSUE_UNFINISHED, "unfinished", ISSUE_WARNING, \
		"the tool did not write the end of its file") \
	X(ISSUE_NO_NAMES, "no-names", ISSUE_INFO, \
		"frames have addresses only; the message says how to get names") \
	X(ISSUE_SUMMARY, "summary", ISSUE_WARNING, \
		"a tool's own summary is not the sum of what it reports") \
	X(ISSUE_REPORT_CUT, "report-cut", ISSUE_WARNING, "the input ends inside a report") \
	X(ISSUE_MIXED, "mixed", ISSUE_WARNING, \
		"lines of several processes are mixed: whose a line is was guessed") \
	X(ISSUE_TOOL_FAILED, "tool-failed", ISSUE_WARNING, \
		"the tool says that it could not do its work") \
	X(ISSUE_LINE_CUT, "line-cut", ISSUE_WARNING, "a line passes the limit and was cut") \
	X(ISSUE_COMMENT, "comment", ISSUE_INFO, "a comment was passed over") \
	X(ISSUE_ESTIMATED, "estimated", ISSUE_INFO, \
		"call stacks are estimated: the format has a call graph only") \
	X(ISSUE_TOTALS_DIFFER, "totals-differ", ISSUE_WARNING, \
		"totals that the input tells are not the sums of what it holds") \
	X(ISSUE_SUPPRESSED, "suppressed", ISSUE_INFO, "further issues of one code, counted only")

#endif
