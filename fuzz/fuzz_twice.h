/*
 * A reader over any bytes: it keeps the sink's grammar, also when the sink
 * fails, and tells the same twice.
 */
#ifndef PROFDEPOT_FUZZ_TWICE_H
#define PROFDEPOT_FUZZ_TWICE_H

#include "checking_sink.h"
#include "format/formats.h"
#include "input/bundle.h"

#include <stdlib.h>

struct twice_answer {
	enum format_result result;
	uint64_t calls, sum;
};

static struct twice_answer
twice_read(const struct format *format, const uint8_t *data, size_t size, uint64_t fail_after)
{
	struct checking_sink *c = checking_sink_new(fail_after);
	struct arena arena = ARENA_INIT;
	struct error err = ERROR_INIT;
	struct bundle *b = bundle_from_memory("f.xml", data, size);
	struct format_source source = { .path = "f.xml", .bundle = b, .arena = &arena };
	struct twice_answer a;

	(void)format->probe(&source);
	a.result = format->read(&source, checking_sink_interface(c), &err);
	checking_sink_finish(c, a.result, &err);
	a.calls = checking_sink_calls(c);
	a.sum = checking_sink_sum(c);
	bundle_close(b);
	arena_release(&arena);
	checking_sink_free(c);
	return a;
}

static void
twice_fuzz(const struct format *format, const uint8_t *data, size_t size)
{
	struct twice_answer first, second;

	if (size == 0)
		return;
	first = twice_read(format, data, size, 0);
	second = twice_read(format, data, size, 0);
	if (first.result != second.result || first.calls != second.calls || first.sum != second.sum)
		abort();
	if (first.calls)
		twice_read(format, data, size, 1 + size % first.calls);
}

#endif
