/* Fuzzes the reader of DHAT's results. */
#include "fuzz_twice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	twice_fuzz(&format_dhat, "f.json", data, size);
	return 0;
}
