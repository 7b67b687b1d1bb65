/*
 * The readers of pprof's and V8's profiles over any bytes, into a sink that checks its
 * grammar, whatever their probes say, as --format may ask. A sink that fails ends the reading.
 */
#include "checking_sink.h"
#include "format/formats.h"
#include "input/bundle.h"
#include "input/json_shape.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t
read_all(const struct format *format, struct bundle *b, uint64_t fail_after)
{
	struct arena arena = ARENA_INIT;
	struct format_source source = { .path = "p", .bundle = b, .arena = &arena };
	struct checking_sink *c = checking_sink_new(fail_after);
	struct error err = ERROR_INIT;
	enum format_result result;
	uint64_t calls;

	source.shape = json_shape_of(&arena, b, 0);
	(void)format->probe(&source);
	result = format->read(&source, checking_sink_interface(c), &err);
	if (result == FORMAT_AGAIN)
		abort();
	checking_sink_finish(c, result, &err);
	calls = checking_sink_calls(c);
	checking_sink_free(c);
	arena_release(&arena);
	return calls;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct format *const formats_of[] = { &format_pprof, &format_cpuprofile,
		&format_heapprofile };
	const struct format *format;
	struct bundle *b;
	uint64_t calls;

	if (!size)
		return 0;
	/* A profile of pprof begins with \n, one of V8 with {: each is read by its own. */
	format = formats_of[data[0] == '{' ? 1 + size % 2 : 0];
	b = bundle_from_memory("p", data, size);
	calls = read_all(format, b, 0);
	if (calls)
		read_all(format, b, 1 + size % calls);
	bundle_close(b);
	return 0;
}
