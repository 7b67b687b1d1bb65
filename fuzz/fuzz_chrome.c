/*
 * Fuzzes the Chrome trace reader. If an input can be loaded with all its events, it can also be
 * loaded with only its user timings.
 */
#include "fuzz_reader.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct fuzz_input timings = {
		.format = &format_chrome, .name = "trace.json", .data = data, .size = size
	};
	struct fuzz_input all = timings;

	all.options.all_events = true;
	/* The reader checks only the events that it loads, so loading fewer events finds no new
	 * errors. */
	if (fuzz_read(&all, 0).result == FORMAT_DONE)
		MUST(fuzz_read(&timings, 0).result == FORMAT_DONE);
	fuzz_twice(&timings);
	fuzz_twice(&all);
	return 0;
}
