/*
 * The reader of valgrind's XML over any bytes: it keeps the sink's
 * grammar, also when the sink fails, and tells the same twice.
 */
#include "checking_sink.h"
#include "format/formats.h"
#include "input/bundle.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct answer {
	enum format_result result;
	uint64_t calls, sum;
};

static struct answer
check(const uint8_t *data, size_t size, uint64_t fail_after)
{
	struct checking_sink *c = checking_sink_new(fail_after);
	struct arena arena = ARENA_INIT;
	struct error err = ERROR_INIT;
	struct bundle *b = bundle_from_memory("f.xml", data, size);
	struct format_source source = { .path = "f.xml", .bundle = b, .arena = &arena };
	struct answer a;

	(void)format_valgrind.probe(&source);
	a.result = format_valgrind.read(&source, checking_sink_interface(c), &err);
	checking_sink_finish(c, a.result, &err);
	a.calls = checking_sink_calls(c);
	a.sum = checking_sink_sum(c);
	bundle_close(b);
	arena_release(&arena);
	checking_sink_free(c);
	return a;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct answer first, second;

	if (size == 0)
		return 0;
	first = check(data, size, 0);
	second = check(data, size, 0);
	if (first.result != second.result || first.calls != second.calls || first.sum != second.sum)
		abort();
	if (first.calls)
		check(data, size, 1 + size % first.calls);
	return 0;
}
