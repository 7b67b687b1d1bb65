/*
 * Fuzzes the Chrome trace reader. User timings are the same with and without the other events.
 */
#include "checking_sink.h"
#include "format/formats.h"
#include "input/bundle/bundle.h"
#include "input/json/json_shape.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct outcome {
	enum format_result result;
	uint64_t calls, sum;
};

static struct outcome
read_trace(struct bundle *b, bool all_events, uint64_t fail_after)
{
	struct checking_sink *c = checking_sink_new(fail_after);
	struct arena arena = ARENA_INIT;
	struct format_source source = { .path = "trace.json",
		.bundle = b,
		.options = { .all_events = all_events },
		.arena = &arena };
	struct error err = ERROR_INIT;
	struct outcome o;

	source.shape = json_shape_of(b, 0);
	(void)format_probe(&format_chrome, &source);
	o.result = format_read(&format_chrome, &source, checking_sink_interface(c), &err);
	checking_sink_finish(c, o.result, &err);
	o.calls = checking_sink_calls(c);
	o.sum = checking_sink_sum(c);
	checking_sink_free(c);
	arena_release(&arena);
	return o;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bundle *b = bundle_from_memory("trace.json", data, size);
	const struct outcome timings = read_trace(b, false, 0);
	const struct outcome all = read_trace(b, true, 0);

	/* Only loaded events can be rejected, so more events find more errors. */
	if (all.result == FORMAT_DONE && timings.result != FORMAT_DONE)
		abort();
	if (read_trace(b, false, 0).sum != timings.sum)
		abort();
	if (all.calls)
		read_trace(b, true, 1 + size % all.calls);
	bundle_close(b);
	return 0;
}
