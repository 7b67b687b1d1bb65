/* The format of heaptrc's reports; see heaptrc_private.h. */
#include "format/formats.h"
#include "heaptrc_private.h"

static const struct log_kind log_kind = {
	.noun = "report of heaptrc",
	.looked_for =
		"\"Heap dump by heaptrc unit\" and totals after it, or an error and its stack",
	.state_bytes = sizeof(struct ht_report),
	.mark = heaptrc_mark,
	.line = heaptrc_line,
	.end = heaptrc_end,
	.release = heaptrc_release,
	.look = heaptrc_look,
};

LOG_MEMBERS(log_kind, "report of heaptrc")

const struct format format_heaptrc = {
	.name = "heaptrc",
	.title = "Free Pascal's heaptrc reports and stack traces",
	.profiler = "heaptrc",
	.known_by =
		"the line \"Heap dump by heaptrc unit\", or an error with a stack of lines such as "
		"\"  $0000000000401369\"",
	.covers = { [COVERAGE_LEAKS] = COVERAGE_UNKNOWN, [COVERAGE_ERRORS] = COVERAGE_FULL },
	.reads = true,
	.several = true,
	.members = &log_members,
	.lines = &log_lines,
};
