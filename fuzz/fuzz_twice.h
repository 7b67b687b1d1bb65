/*
 * A reader over any bytes: it follows the sink's grammar, even when the sink fails, and emits the same
 * twice.
 */
#ifndef PROFDEPOT_FUZZ_TWICE_H
#define PROFDEPOT_FUZZ_TWICE_H

#include "checking_sink.h"
#include "format/formats.h"
#include "input/bundle/bundle.h"
#include "input/json/json_shape.h"

#include <stdlib.h>

struct twice_answer {
	enum format_result result;
	uint64_t calls, sum;
};

/* The input, under a name that such files have. */
struct twice_input {
	const struct format *format;
	const char *name;
	const uint8_t *data;
	size_t size;
};

static struct twice_answer
twice_read(const struct twice_input *in, uint64_t fail_after)
{
	struct checking_sink *c = checking_sink_new(fail_after);
	struct arena arena = ARENA_INIT;
	struct error err = ERROR_INIT;
	struct bundle *b = bundle_from_memory(in->name, in->data, in->size);
	struct format_source source = { .path = in->name, .bundle = b, .arena = &arena };
	struct twice_answer a;

	source.shape = json_shape_of(b, 0);
	(void)format_probe(in->format, &source);
	a.result = format_read(in->format, &source, checking_sink_interface(c), &err);
	if (a.result == FORMAT_AGAIN)
		abort(); /* these formats never have rows in an uncommon order */
	checking_sink_finish(c, a.result, &err);
	a.calls = checking_sink_calls(c);
	a.sum = checking_sink_sum(c);
	bundle_close(b);
	arena_release(&arena);
	checking_sink_free(c);
	return a;
}

static void
twice_fuzz(const struct format *format, const char *name, const uint8_t *data, size_t size)
{
	const struct twice_input in = { format, name, data, size };
	struct twice_answer first, second;

	if (size == 0)
		return;
	first = twice_read(&in, 0);
	second = twice_read(&in, 0);
	if (first.result != second.result || first.calls != second.calls || first.sum != second.sum)
		abort();
	if (first.calls)
		twice_read(&in, 1 + size % first.calls);
}

#endif
