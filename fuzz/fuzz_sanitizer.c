/*
 * Fuzzes the reader of the sanitizers' reports, with a sink that checks its grammar. A failing sink stops
 * the reader at once.
 */
#include "checking_sink.h"
#include "format/formats.h"
#include "input/bundle/bundle.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t
read_once(struct bundle *b, uint64_t fail_after)
{
	struct arena arena = ARENA_INIT;
	struct format_source source = { .path = "f.log", .bundle = b, .arena = &arena };
	struct checking_sink *c = checking_sink_new(fail_after);
	struct error err = ERROR_INIT;
	uint64_t calls;

	(void)format_probe(&format_sanitizer, &source);
	checking_sink_finish(
		c, format_read(&format_sanitizer, &source, checking_sink_interface(c), &err), &err);
	calls = checking_sink_calls(c);
	checking_sink_free(c);
	arena_release(&arena);
	return calls;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bundle *b = bundle_from_memory("f.log", data, size);
	uint64_t calls = read_once(b, 0);

	if (calls)
		read_once(b, 1 + size % calls);
	bundle_close(b);
	return 0;
}
