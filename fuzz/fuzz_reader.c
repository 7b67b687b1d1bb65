/* Feeds an input to a reader and its rows to a checking sink. */
#include "fuzz_reader.h"

#include "input/bundle/bundle.h"
#include "input/json/json_shape.h"

enum {
	LOG_READS = 3
};

static struct fuzz_outcome
read_once(const struct format *format, struct format_source *source, uint64_t fail_after)
{
	struct checking_sink *c = checking_sink_new(fail_after);
	struct error err = ERROR_INIT;
	struct fuzz_outcome o;

	o.result = format_read(format, source, checking_sink_interface(c), &err);
	checking_sink_finish(c, o.result, &err);
	o.calls = checking_sink_calls(c);
	o.sum = checking_sink_sum(c);
	checking_sink_free(c);
	return o;
}

struct fuzz_outcome
fuzz_read(const struct fuzz_input *in, uint64_t fail_after)
{
	struct bundle *b = bundle_from_memory(in->name, in->data, in->size);
	struct arena arena = ARENA_INIT;
	struct format_source source = { .path = in->name,
		.bundle = b,
		.options = in->options,
		.shape = json_shape_of(b, 0),
		.arena = &arena };
	/* A log is read again when a report of another format is found in it. */
	const int limit = in->format->lines ? LOG_READS : in->reads;
	struct fuzz_outcome o;
	int reads = 0;

	(void)format_probe(in->format, &source);
	do
		o = read_once(in->format, &source, fail_after);
	while (o.result == FORMAT_AGAIN && ++reads < limit);
	MUST(o.result != FORMAT_AGAIN);
	bundle_close(b);
	arena_release(&arena);
	return o;
}

void
fuzz_twice(const struct fuzz_input *in)
{
	const struct fuzz_outcome first = fuzz_read(in, 0);
	const struct fuzz_outcome second = fuzz_read(in, 0);

	MUST(first.result == second.result && first.calls == second.calls &&
		first.sum == second.sum);
	if (first.calls)
		fuzz_read(in, 1 + in->size % first.calls);
}

void
fuzz_lenient(const struct fuzz_input *in, bool equal)
{
	const struct fuzz_outcome strict = fuzz_read(in, 0);
	struct fuzz_input asked = *in;
	struct fuzz_outcome lenient;

	asked.options.lenient = true;
	lenient = fuzz_read(&asked, 0);
	if (equal && strict.result == FORMAT_DONE)
		MUST(lenient.result == FORMAT_DONE && lenient.sum == strict.sum);
	if (lenient.calls)
		fuzz_read(&asked, 1 + in->size % lenient.calls);
}
