/* Formats that profdepot cannot read, see foreign.h. */
#include "foreign.h"

#include "base/text.h"
#include "input/bundle/bundle.h"

enum {
	HEAD_BYTES = 4096
};

#define GO_HINT \
	"fetch it without ?debug=1, or convert it to a pprof file: go tool pprof -proto " \
	"-output profile.pb.gz PROGRAM FILE"
#define CPU_HINT \
	"convert it to collapsed stacks: google-pprof --collapsed PROGRAM FILE; or to a pprof " \
	"file: go tool pprof -proto -output profile.pb.gz PROGRAM FILE"

#define UTF16_HINT "convert it first: iconv -f UTF-16 -t UTF-8 FILE"

struct foreign {
	const char *begin; /* the first bytes; NULL: is() decides */
	bool (*is)(struct text head);
	const char *noun;
	const char *hint;
};

/* "goroutine profile: total 7"; also of threads and of a program's own profiles. */
static bool
is_go_count(struct text head)
{
	struct text line = text_up_to(head, text_find(head, "\n"));
	size_t at = text_find(line, " profile: total ");

	if (at == TEXT_NOT_FOUND || !at)
		return false;
	line = text_from_at(line, at + strlen(" profile: total "));
	return line.size && char_is_digit(*line.data);
}

/* "==1== Memcheck, a memory error detector": the text output of valgrind's tools. */
static bool
is_valgrind_log(struct text head)
{
	static const char *const names[] = { "== Memcheck, a memory error detector",
		"== Helgrind, a thread error detector", "== drd, a thread error detector" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (text_find(head, names[i]) != TEXT_NOT_FOUND)
			return true;
	return false;
}

static uint64_t
word_at(struct text head, size_t number, size_t size, bool big)
{
	const char *p = head.data + number * size;
	uint64_t v = 0;

	for (size_t i = 0; i < size; i++)
		v = v << 8 | (unsigned char)p[big ? i : size - 1 - i];
	return v;
}

/* Five words of 4 or 8 bytes in the machine's order: 0, 3, 0, the period in us, 0. */
static bool
is_cpu_profile(struct text head)
{
	for (size_t size = 4; size <= 8; size += 4)
		for (int big = 0; big < 2; big++)
			if (head.size >= 5 * size && !word_at(head, 0, size, big) &&
				word_at(head, 1, size, big) == 3 && !word_at(head, 2, size, big) &&
				word_at(head, 3, size, big) - 1 < INT32_MAX &&
				!word_at(head, 4, size, big))
				return true;
	return false;
}

static const struct foreign table[] = {
	{ NULL, is_go_count, "a count profile of Go as text", GO_HINT },
	{ "--- contention", NULL, "a contention profile as text", GO_HINT },
	{ "--- mutex:", NULL, "a mutex profile of Go as text", GO_HINT },
	{ NULL, is_cpu_profile, "a CPU profile of gperftools without function names", CPU_HINT },
	{ "--- symbol", NULL, "a symbolised profile of gperftools",
		"write collapsed stacks instead: google-pprof --collapsed PROGRAM FILE" },
	{ "PERFILE2", NULL, "a recording of perf (perf.data)",
		"convert it to text: perf script -i FILE" },
	{ "\xFF\xFE", NULL, "text in UTF-16", UTF16_HINT },
	{ "\xFE\xFF", NULL, "text in UTF-16", UTF16_HINT },
	{ "FLR\0", NULL, "a recording of Java Flight Recorder",
		"convert it to collapsed stacks: async-profiler's jfrconv -o collapsed FILE" },
	{ NULL, is_valgrind_log, "a text report of valgrind",
		"let it write XML: valgrind --xml=yes --xml-file=FILE PROGRAM" },
	{ "gmon", NULL, "a gprof profile, which has no stacks", "gprof PROGRAM FILE shows it" },
};

bool
foreign_refuse(const struct format_source *source, struct error *err)
{
	for (size_t i = 0; source->bundle && i < bundle_count(source->bundle); i++) {
		struct text head = text_up_to(bundle_head(source->bundle, i), HEAD_BYTES);

		for (size_t k = 0; k < sizeof(table) / sizeof(table[0]); k++) {
			const struct foreign *f = &table[k];

			if (f->begin ? !text_begins(head, f->begin) : !f->is(head))
				continue;
			error_set(err, ERROR_INPUT, "%s: %s, which profdepot does not read",
				bundle_is_file(source->bundle)
					? source->path
					: bundle_member(source->bundle, i)->name,
				f->noun);
			error_hint(err, "%s", f->hint);
			return true;
		}
	}
	return false;
}
