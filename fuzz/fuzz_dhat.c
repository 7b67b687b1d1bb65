/* The reader of DHAT's results over any bytes. */
#include "fuzz_twice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	twice_fuzz(&format_dhat, "f.json", data, size);
	return 0;
}
