/* Fuzzes the pprof and V8 profile readers. As with --format, their probes are not used. */
#include "fuzz_reader.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct format *const formats_of[] = { &format_pprof, &format_cpuprofile,
		&format_heapprofile };
	struct fuzz_input in = { .name = "p", .data = data, .size = size };

	if (!size)
		return 0;
	/* The first byte chooses the reader: pprof profiles begin with \n, V8 profiles with {. */
	in.format = formats_of[data[0] == '{' ? 1 + size % 2 : 0];
	fuzz_twice(&in);
	return 0;
}
