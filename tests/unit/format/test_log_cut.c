/*
 * Cuts each text log after each of its bytes. The reader must not invent records, and must report that
 * the log is incomplete.
 */
#include "format/formats.h"
#include "fuzz/checking_sink.h"
#include "input/bundle/bundle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
	FILE_MAX_BYTES = 1 << 20,
};

/* A log counts as complete if it is cut after the text `enough`, or if it is cut after the text `complete` and before
 * the end of the text `more`. A text is NULL if the log does not contain it. */
static const struct log_case {
	const char *name;
	const struct format *format;
	const char *complete, *more, *enough;
	const char *last; /* the test uses the log up to this text; NULL: the whole log */
} cases[] = {
	{ "delphirtl.txt", &format_delphirtl, "TObject x 1", "Enumerator x", "Enumerator x 1" },
	{ "drmemory.txt", &format_drmemory, NULL, NULL, "ERRORS IGNORED:" },
	{ "jcl.txt", &format_jcl, "Exception class: EDat", "Exception class: EDatabaseError",
		"10:14:07\n" },
	{ "madexcept.txt", &format_madexcept, NULL, NULL, "TBasket.AddLine\n" },
	{ "umdh.txt", &format_umdh, "End of data for heap @ 1C200010000",
		"Start of data for heap @ 1C200090000", "End of data for heap @ 1C200090000" },
	{ "umdhdiff.txt", &format_umdh, NULL, NULL, NULL },
	{ "eurekalog.txt", &format_eurekalog, NULL, NULL, "40[9]  |\n---" },
	{ "vld.txt", &format_vld, NULL, NULL, "(164 bytes)." },
	{ "crt.txt", &format_crt, NULL, NULL, NULL },
	{ "heaptrc.txt", &format_heaptrc, "freed again at\n", "Heap dump by heaptrc unit",
		"blocks : 69\n" },
	{ "fastmm4.txt", &format_fastmm, "01F2C3A0:", "\n--------", "): 5160\n" },
	{ "fastmm5.txt", &format_fastmm, "is: 2479\n", "\n--------", "x Basket.TBasket\n" },
	{ "memcheck.txt", &format_valgrind, "(suppressed: 2 from 1)",
		" errors in context 1 of 4:\n", NULL },
	{ "threads.txt", &format_valgrind, NULL, NULL, NULL },
	{ "../sanitizer/lsan.txt", &format_sanitizer, NULL, NULL, "AddressSanitizer: 357",
		" 12 allocation(s).\n" },
	{ "../sanitizer/asan-gcc.txt", &format_sanitizer, NULL, NULL,
		"SUMMARY: AddressSanitizer: ", "==ABORTING\n" },
	{ "../sanitizer/tsan.txt", &format_sanitizer, NULL, NULL,
		"SUMMARY: ThreadSanitizer: ", "=\n=" },
};

static const char *golden; /* folder of the golden files */

struct outcome {
	enum format_result result;
	struct checking_counts counts;
};

static struct outcome
read_bytes(const struct format *format, const char *data, size_t size)
{
	struct checking_sink *c = checking_sink_new(0);
	struct arena arena = ARENA_INIT;
	struct error err = ERROR_INIT;
	struct bundle *b = bundle_from_memory("f.txt", data, size);
	struct format_source source = { .path = "f.txt", .bundle = b, .arena = &arena };
	struct outcome o;

	o.result = format_read(format, &source, checking_sink_interface(c), &err);
	o.counts = checking_sink_counts(c);
	checking_sink_finish(c, o.result, &err);
	checking_sink_free(c);
	bundle_close(b);
	arena_release(&arena);
	return o;
}

static bool
may_be_complete(const struct log_case *c, const char *data, size_t n)
{
	const char *begin = c->complete ? strstr(data, c->complete) + strlen(c->complete) : NULL;

	if (c->enough && data + n >= strstr(data, c->enough) + strlen(c->enough))
		return true;
	return begin && data + n >= begin && data + n < strstr(begin, c->more) + strlen(c->more);
}

static void
cut_everywhere(const struct log_case *c, const char *data, size_t size)
{
	const struct outcome whole = read_bytes(c->format, data, size);
	size_t records = 0;

	assert_int_equal(whole.result, FORMAT_DONE);
	assert_int_equal(whole.counts.issues, 0);
	for (size_t n = 0; n < size; n++) {
		const struct outcome o = read_bytes(c->format, data, n);

		if (o.result != FORMAT_DONE)
			continue;
		assert_true(o.counts.sets <= whole.counts.sets);
		assert_true(o.counts.records <= whole.counts.records);
		/* The last line may lack its line end. */
		assert_true(o.counts.issues > 0 || n + 1 >= size || may_be_complete(c, data, n));
		/* A cut can make the last record invalid. The reader may then find one record less than
		 * after an earlier cut, but not two less. */
		assert_true(o.counts.records + 1 >= records);
		if (o.counts.records > records)
			records = o.counts.records;
	}
	assert_true(records > 0);
}

static void
test_cut(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *data = calloc(1, FILE_MAX_BYTES);
		char path[1000];
		size_t size;
		FILE *in;

		snprintf(path, sizeof(path), "%s/%s", golden, cases[i].name);
		in = fopen(path, "rb");
		assert_non_null(in);
		size = fread(data, 1, FILE_MAX_BYTES, in);
		fclose(in);
		if (cases[i].last)
			size = (size_t)(strstr(data, cases[i].last) - data) + strlen(cases[i].last);
		cut_everywhere(&cases[i], data, size);
		free(data);
	}
}

int
main(void)
{
	static char folder[900];
	const char *srcdir = getenv("srcdir");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut),
	};

	snprintf(folder, sizeof(folder), "%s/tests/golden/textlogs", srcdir ? srcdir : ".");
	golden = folder;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
