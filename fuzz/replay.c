/*
 * Runs a fuzz target once over each file named on the command line. `make check' uses this main to
 * replay seeds and old crashes with any compiler. With --enable-fuzzers libFuzzer's main replaces
 * it.
 */
#include "must.h"

#include <string.h>

#pragma weak LLVMFuzzerInitialize

enum {
	INPUT_MAX = 64 * 1024 * 1024
};

static int
replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = malloc(INPUT_MAX), *exact = NULL;
	size_t size = 0;
	int status = 1;

	if (!file || !data) {
		perror(path);
		goto out;
	}
	size = fread(data, 1, INPUT_MAX, file);
	/* A copy of exactly the input's size, so that a sanitizer detects a read beyond its end. */
	exact = malloc(size ? size : 1);
	if (ferror(file) || !exact) {
		perror(path);
		goto out;
	}
	memcpy(exact, data, size);
	status = LLVMFuzzerTestOneInput(exact, size);
out:
	free(exact);
	free(data);
	if (file)
		fclose(file);
	return status;
}

int
main(int argc, char **argv)
{
	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(&argc, &argv);
	for (int i = 1; i < argc; i++)
		if (replay(argv[i]) != 0)
			return 1;
	return 0;
}
