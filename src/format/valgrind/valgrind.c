#include "format/formats.h"
#include "input/bundle/bundle.h"
#include "valgrind_private.h"

#include <unistd.h>

/*
 * Each process is a run of its own: each document becomes a result set, and so does what a
 * forked process writes behind the end of one (doc/formats would call it a part).
 */
enum {
	PROBE_BYTES = 16 * 1024,
	PROBE_BITS = 8 * 15, /* of the document element's name */
};

static bool
looks_like(const char *data, size_t size)
{
	static const char root[] = "<valgrindoutput";

	return valgrind_find(data, size, root) != NULL;
}

static bool
is_ours(struct bundle *b, size_t member)
{
	char begin[PROBE_BYTES];
	int fd = bundle_open_member(b, member, &(struct error){ .code = ERROR_NONE });
	ssize_t n = fd >= 0 ? pread(fd, begin, sizeof(begin), 0) : 0;

	if (fd >= 0)
		close(fd);
	return n > 0 && looks_like(begin, (size_t)n);
}

static int
probe(const struct format_source *source)
{
	for (size_t i = 0; source->bundle && i < bundle_count(source->bundle); i++)
		if (is_ours(source->bundle, i))
			return PROBE_BITS;
	return 0;
}

static bool
read_member(struct format_source *source, struct sink *sink, size_t member, struct error *err)
{
	int fd = bundle_open_member(source->bundle, member, err);
	bool ok = fd >= 0 && valgrind_parse(fd, source, sink,
				     bundle_member(source->bundle, member)->name, err);

	if (fd >= 0)
		close(fd);
	return ok;
}

static enum format_result
read_valgrind(struct format_source *source, struct sink *sink, struct error *err)
{
	size_t count = bundle_count(source->bundle);
	int64_t before = 0;

	for (size_t i = 0; i < count; i++) {
		const struct bundle_member *m = bundle_member(source->bundle, i);
		const struct issue issue = { .code = ISSUE_UNKNOWN_TABLE,
			.source = m->name,
			.message = "no XML of valgrind" };

		source->consumed = before;
		if (count > 1 && !is_ours(source->bundle, i)) {
			if (!sink->issue(sink, ISSUE_EVERY_SET, &issue, err))
				return FORMAT_FAILED;
		} else if (!read_member(source, sink, i, err)) {
			return FORMAT_FAILED;
		}
		before += m->size;
		source->consumed = before;
	}
	return sink->end(sink, err) ? FORMAT_DONE : FORMAT_FAILED;
}

const struct format format_valgrind = {
	.name = "valgrind",
	.title = "Valgrind's XML (memcheck, helgrind, drd), protocols 4 to 6",
	.profiler = "valgrind",
	.known_by = "XML whose document element is valgrindoutput",
	.reads = true,
	.several = true,
	.probe = probe,
	.read = read_valgrind,
};
