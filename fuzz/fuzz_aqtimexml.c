/* Fuzzes the reader of AQTime's XML results. */
#include "fuzz_twice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	twice_fuzz(&format_aqtimexml, "f.xml", data, size);
	return 0;
}
