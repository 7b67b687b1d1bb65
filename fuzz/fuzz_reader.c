/* Feeds an input to a reader and its rows to a checking sink. */
#include "fuzz_reader.h"

#include "input/bundle/bundle.h"
#include "input/json/json_shape.h"

enum {
	LOG_READS = 3
};

/* An input that is open for several reads. */
struct opened {
	const struct format *format;
	struct arena arena;
	struct format_source source;
	int limit; /* maximum number of reads until the rows are complete */
};

static void
open_input(struct opened *o, const struct fuzz_input *in)
{
	struct bundle *b = bundle_from_memory(in->name, in->data, in->size);

	*o = (struct opened){ .format = in->format, .arena = ARENA_INIT };
	/* A log is read again when a report of another format is found in it. */
	o->limit = in->format->lines ? LOG_READS : in->reads;
	o->source = (struct format_source){ .path = in->name,
		.bundle = b,
		.options = in->options,
		.shape = json_shape_of(b, 0),
		.arena = &o->arena };
	(void)format_probe(in->format, &o->source);
}

static void
close_input(struct opened *o)
{
	bundle_close(o->source.bundle);
	arena_release(&o->arena);
}

/* The caller frees the sink of the last read. */
static struct checking_sink *
read_opened(struct opened *in, uint64_t fail_after, struct fuzz_outcome *o)
{
	struct format_source source = in->source;
	struct checking_sink *c = NULL;

	o->reads = 0;
	do {
		struct error err = ERROR_INIT;

		if (c)
			checking_sink_free(c);
		c = checking_sink_new(fail_after);
		o->result = format_read(in->format, &source, checking_sink_interface(c), &err);
		checking_sink_finish(c, o->result, &err);
	} while (o->result == FORMAT_AGAIN && ++o->reads < in->limit);
	MUST(o->result != FORMAT_AGAIN);
	o->calls = checking_sink_calls(c);
	o->sum = checking_sink_sum(c);
	return c;
}

struct fuzz_outcome
fuzz_read(const struct fuzz_input *in, uint64_t fail_after)
{
	struct opened opened;
	struct fuzz_outcome o;

	open_input(&opened, in);
	checking_sink_free(read_opened(&opened, fail_after, &o));
	close_input(&opened);
	return o;
}

void
fuzz_twice(const struct fuzz_input *in)
{
	struct opened opened;
	struct fuzz_outcome first, second;
	struct checking_sink *c;
	uint64_t call;

	open_input(&opened, in);
	c = read_opened(&opened, 0, &first);
	call = in->size % (first.calls + 1);
	checking_sink_free(read_opened(&opened, call, &second));
	if (!call)
		MUST(second.result == first.result && second.reads == first.reads &&
			second.calls == first.calls && second.sum == first.sum);
	else if (second.reads == first.reads)
		MUST(second.calls == call && second.sum == checking_sink_sum_at(c, call));
	checking_sink_free(c);
	close_input(&opened);
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
