/* Fuzzes the reader of collapsed stacks. */
#include "fuzz_text_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	text_fuzz(&format_collapsed, data, size, false);
	return 0;
}
