/*
 * Fuzzes the readers of text heap profiles, jemalloc's and tcmalloc's, with a sink that checks its grammar.
 * A failing sink stops the reader at once.
 */
#include "checking_sink.h"
#include "format/formats.h"
#include "input/bundle/bundle.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t
read_once(const struct format *format, struct bundle *b, uint64_t fail_after)
{
	struct arena arena = ARENA_INIT;
	struct format_source source = { .path = "f.heap", .bundle = b, .arena = &arena };
	struct checking_sink *c;
	struct error err = ERROR_INIT;
	uint64_t calls = 0;

	if (format_probe(format, &source)) {
		c = checking_sink_new(fail_after);
		checking_sink_finish(
			c, format_read(format, &source, checking_sink_interface(c), &err), &err);
		calls = checking_sink_calls(c);
		checking_sink_free(c);
	}
	arena_release(&arena);
	return calls;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct format *const both[] = { &format_jemalloc, &format_tcmalloc };
	struct bundle *b = bundle_from_memory("f.heap", data, size);

	for (size_t i = 0; i < 2; i++) {
		uint64_t calls = read_once(both[i], b, 0);

		if (calls)
			read_once(both[i], b, 1 + size % calls);
	}
	bundle_close(b);
	return 0;
}
