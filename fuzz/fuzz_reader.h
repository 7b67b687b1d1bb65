/* Fuzzes a format reader. The reader must follow the sink's grammar, and must stop immediately when
 * the sink fails. */
#ifndef PROFDEPOT_FUZZ_READER_H
#define PROFDEPOT_FUZZ_READER_H

#include "checking_sink.h"
#include "format/formats.h"
#include "must.h"

/* The input. `name` is a typical file name of the format. */
struct fuzz_input {
	const struct format *format;
	const char *name;
	const uint8_t *data;
	size_t size;
	struct format_options options;
	int reads; /* maximum number of reads if the rows are in unusual order; 0 means 1 */
};

struct fuzz_outcome {
	enum format_result result;
	uint64_t calls, sum;
	int reads;
};

/* checking_sink_new describes fail_after. */
struct fuzz_outcome fuzz_read(const struct fuzz_input *in, uint64_t fail_after);

/* Reads the input twice, and checks that both reads emit the same rows. For most inputs, the sink is made to
 * fail during the second read; then only the rows before the failure are compared. */
void fuzz_twice(const struct fuzz_input *in);

/* Reads with and without --lenient. If `equal` is true, lenient reading must accept every input that strict
 * reading accepts, and emit the same rows. */
void fuzz_lenient(const struct fuzz_input *in, bool equal);

#endif
