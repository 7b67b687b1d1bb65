/* Fuzzes the reader of perf script's output. */
#include "fuzz_text_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	text_fuzz(&format_perf, data, size, true);
	return 0;
}
