/* Fuzzes the reader of callgrind's profiles. */
#include "fuzz_text_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	text_fuzz(&format_callgrind, data, size, true);
	return 0;
}
