/* Fuzzes the reader of valgrind's XML. */
#include "fuzz_twice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	twice_fuzz(&format_valgrind, "f.xml", data, size);
	return 0;
}
