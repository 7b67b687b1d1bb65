/* Fuzzes the readers of pprof's and V8's profiles, regardless of their probes, as with --format. */
#include "fuzz_twice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct format *const formats_of[] = { &format_pprof, &format_cpuprofile,
		&format_heapprofile };

	/* A profile of pprof begins with \n, one of V8 with {: each is read by its own. */
	if (size)
		twice_fuzz(formats_of[data[0] == '{' ? 1 + size % 2 : 0], "p", data, size);
	return 0;
}
