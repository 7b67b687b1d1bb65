/*
 * A reader of text profiles over any bytes, into a sink that checks its grammar.
 *
 * Lenient reading accepts what strict reading accepts, with the same result. A failing sink stops the
 * reader at once.
 */
#ifndef PROFDEPOT_FUZZ_TEXT_READER_H
#define PROFDEPOT_FUZZ_TEXT_READER_H

#include "checking_sink.h"
#include "format/formats.h"
#include "input/bundle/bundle.h"
#include "must.h"

struct text_outcome {
	enum format_result result;
	uint64_t calls, sum;
};

static struct text_outcome
text_read_once(const struct format *format, struct format_source *source, uint64_t fail_after)
{
	struct checking_sink *c = checking_sink_new(fail_after);
	struct error err = ERROR_INIT;
	struct text_outcome o;

	o.result = format_read(format, source, checking_sink_interface(c), &err);
	checking_sink_finish(c, o.result, &err);
	o.calls = checking_sink_calls(c);
	o.sum = checking_sink_sum(c);
	checking_sink_free(c);
	return o;
}

static struct text_outcome
text_read(const struct format *format, struct bundle *b, bool lenient, uint64_t fail_after)
{
	struct arena arena = ARENA_INIT;
	struct format_source source = {
		.path = "f", .bundle = b, .options = { .lenient = lenient }, .arena = &arena
	};
	struct text_outcome o = { .result = FORMAT_AGAIN };

	(void)format_probe(format, &source);
	for (int i = 0; i < 2 && o.result == FORMAT_AGAIN; i++)
		o = text_read_once(format, &source, fail_after);
	MUST(o.result != FORMAT_AGAIN);
	arena_release(&arena);
	return o;
}

/* equal: lenient reading does not accept what strict reading leaves out. */
static void
text_fuzz(const struct format *format, const uint8_t *data, size_t size, bool alike)
{
	struct bundle *b = bundle_from_memory("f", data, size);
	struct text_outcome strict = text_read(format, b, false, 0);
	struct text_outcome lenient = text_read(format, b, true, 0);

	if (strict.result == FORMAT_DONE) {
		MUST(lenient.result == FORMAT_DONE || !alike);
		MUST(lenient.sum == strict.sum || !alike);
	}
	if (lenient.calls)
		text_read(format, b, true, 1 + size % lenient.calls);
	bundle_close(b);
}

#endif
