/*
 * Fuzzes the speedscope reader, with a sink that checks its grammar.
 *
 * Lenient reading accepts what strict reading accepts, with the same result. A failing sink stops the
 * reader at once.
 */
#include "checking_sink.h"
#include "format/formats.h"
#include "input/bundle/bundle.h"
#include "input/json/json_shape.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	MAX_TRIES = 3
};

struct outcome {
	enum format_result result;
	uint64_t calls, sum;
};

static struct outcome
read_once(struct format_source *source, uint64_t fail_after)
{
	struct checking_sink *c = checking_sink_new(fail_after);
	struct error err = ERROR_INIT;
	struct outcome o;

	o.result = format_read(&format_speedscope, source, checking_sink_interface(c), &err);
	checking_sink_finish(c, o.result, &err);
	o.calls = checking_sink_calls(c);
	o.sum = checking_sink_sum(c);
	checking_sink_free(c);
	return o;
}

static struct outcome
read_all(struct bundle *b, bool lenient, uint64_t fail_after)
{
	struct arena arena = ARENA_INIT;
	struct format_source source = { .path = "f.speedscope.json",
		.bundle = b,
		.options = { .lenient = lenient },
		.arena = &arena };
	struct outcome o = { .result = FORMAT_AGAIN };

	source.shape = json_shape_of(b, 0);
	(void)format_probe(&format_speedscope, &source);
	for (int i = 0; i < MAX_TRIES && o.result == FORMAT_AGAIN; i++)
		o = read_once(&source, fail_after);
	if (o.result == FORMAT_AGAIN)
		abort();
	arena_release(&arena);
	return o;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bundle *b = bundle_from_memory("f.speedscope.json", data, size);
	struct outcome strict = read_all(b, false, 0);
	struct outcome lenient = read_all(b, true, 0);

	if (strict.result == FORMAT_DONE &&
		(lenient.result != FORMAT_DONE || lenient.sum != strict.sum))
		abort();
	if (lenient.calls)
		read_all(b, true, 1 + size % lenient.calls);
	bundle_close(b);
	return 0;
}
