/*
 * The reader of massif over any bytes, into a sink that checks its grammar; a sink that
 * fails ends the reading at once.
 */
#include "checking_sink.h"
#include "format/formats.h"
#include "input/bundle.h"
#include "input/json_shape.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t
read_once(struct bundle *b, uint64_t fail_after)
{
	struct arena arena = ARENA_INIT;
	struct format_source source = { .path = "massif.out", .bundle = b, .arena = &arena };
	struct checking_sink *c = checking_sink_new(fail_after);
	struct error err = ERROR_INIT;
	enum format_result result;
	uint64_t calls;

	source.shape = json_shape_of(&arena, b, 0);
	(void)format_massif.probe(&source);
	result = format_massif.read(&source, checking_sink_interface(c), &err);
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
	struct bundle *b = bundle_from_memory("massif.out", data, size);
	uint64_t calls = read_once(b, 0);

	if (calls)
		read_once(b, 1 + size % calls);
	bundle_close(b);
	return 0;
}
