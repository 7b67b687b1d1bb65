/* Fuzzes the reader of heaptrack's recordings. */
#include "fuzz_twice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	twice_fuzz(&format_heaptrack, "f.heaptrack", data, size);
	return 0;
}
