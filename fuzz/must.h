/* Entry points of a fuzz target (the first is optional), and an assertion that stops the fuzzer. */
#ifndef PROFDEPOT_FUZZ_MUST_H
#define PROFDEPOT_FUZZ_MUST_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline _Noreturn void
must_fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: %s\n", file, line, condition);
	abort();
}

#define MUST(condition) ((condition) ? (void)0 : must_fail(__FILE__, __LINE__, #condition))

#endif
