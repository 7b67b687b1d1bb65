/*
 * Reads valgrind's XML. Each document becomes a result set, because each process is a run. A forked
 * process writes its records after the end of the document. These records are called a part, and become
 * a result set as well.
 */
#include "format/formats.h"
#include "valgrind_private.h"

enum {
	PROBE_BYTES = 16 * 1024,
	PROBE_BITS = 8 * 15, /* of the document element's name */
};

static int
look(const struct format_source *source, size_t member)
{
	struct text head = text_up_to(bundle_head(source->bundle, member), PROBE_BYTES);

	return text_find(head, "<valgrindoutput") != TEXT_NOT_FOUND ? PROBE_BITS : 0;
}

static const struct member_kind kind = {
	.noun = "XML of valgrind", .look = look, .read = valgrind_read_member, .own_sets = true
};

const struct format format_valgrind = {
	.name = "valgrind",
	.title = "Valgrind's XML (memcheck, helgrind, drd), protocols 4 to 6",
	.profiler = "valgrind",
	.known_by = "XML whose document element is valgrindoutput",
	.reads = true,
	.several = true,
	.members = &kind,
};
