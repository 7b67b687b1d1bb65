/*
 * Fuzzes the MiniProfiler reader, with a sink that checks its grammar. A failing sink stops the reader at
 * once. A second reading emits the same.
 */
#include "checking_sink.h"
#include "format/formats.h"
#include "input/bundle/bundle.h"
#include "input/json/json_shape.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	MAX_DEPTH = 2000
};

static uint64_t
read_all(const uint8_t *data, size_t size, uint64_t fail_after, uint64_t *sum)
{
	struct bundle *b = bundle_from_memory("f.json", data, size);
	struct arena arena = ARENA_INIT;
	struct format_source source = { .path = "f.json",
		.bundle = b,
		.options = { .max_depth = MAX_DEPTH },
		.arena = &arena };
	struct checking_sink *c = checking_sink_new(fail_after);
	struct error err = ERROR_INIT;
	enum format_result result;
	uint64_t calls;

	source.shape = json_shape_of(b, 0);
	(void)format_probe(&format_miniprofiler, &source);
	result = format_read(&format_miniprofiler, &source, checking_sink_interface(c), &err);
	checking_sink_finish(c, result, &err);
	calls = checking_sink_calls(c);
	*sum = checking_sink_sum(c);
	checking_sink_free(c);
	arena_release(&arena);
	bundle_close(b);
	return calls;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t sum, again;
	uint64_t calls = read_all(data, size, 0, &sum);

	if (read_all(data, size, 0, &again) != calls || again != sum)
		abort();
	if (calls)
		(void)read_all(data, size, 1 + size % calls, &again);
	return 0;
}
