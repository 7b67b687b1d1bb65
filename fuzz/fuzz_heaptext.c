/* Fuzzes the readers of jemalloc and tcmalloc text heap profiles. */
#include "fuzz_reader.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = {
		.format = &format_jemalloc, .name = "f.heap", .data = data, .size = size
	};

	fuzz_twice(&in);
	in.format = &format_tcmalloc;
	fuzz_twice(&in);
	return 0;
}
