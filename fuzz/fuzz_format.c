/* Fuzzes the reader that the program's name selects: fuzz_dhat fuzzes the DHAT reader. */
#include "fuzz_reader.h"

/* The ways to check a reader. */
enum check {
	TWICE,
	LENIENT_EQUAL,
	LENIENT, /* lenient and strict reading may return different numbers */
};

static const struct target {
	const char *name;
	enum check check;
	struct fuzz_input input;
} targets[] = {
	{ "aqtimexml", TWICE, { .format = &format_aqtimexml, .name = "f.xml" } },
	{ "callgrind", LENIENT_EQUAL, { .format = &format_callgrind, .name = "f" } },
	{ "collapsed", LENIENT, { .format = &format_collapsed, .name = "f", .reads = 2 } },
	{ "crt", TWICE, { .format = &format_crt, .name = "f.txt" } },
	{ "delphirtl", TWICE, { .format = &format_delphirtl, .name = "f.txt" } },
	{ "dhat", TWICE, { .format = &format_dhat, .name = "f.json" } },
	{ "drmemory", TWICE, { .format = &format_drmemory, .name = "f.txt" } },
	{ "fastmm", TWICE, { .format = &format_fastmm, .name = "f.txt" } },
	{ "fastmmusage", TWICE, { .format = &format_fastmmusage, .name = "f.txt" } },
	{ "eurekalog", TWICE, { .format = &format_eurekalog, .name = "f.txt" } },
	{ "heaptrc", TWICE, { .format = &format_heaptrc, .name = "f.txt" } },
	{ "heaptrack", TWICE, { .format = &format_heaptrack, .name = "f.heaptrack" } },
	{ "jcl", TWICE, { .format = &format_jcl, .name = "f.txt" } },
	{ "madexcept", TWICE, { .format = &format_madexcept, .name = "f.txt" } },
	{ "massif", TWICE, { .format = &format_massif, .name = "massif.out" } },
	{ "miniprofiler", TWICE,
		{ .format = &format_miniprofiler,
			.name = "f.json",
			.options = { .max_depth = 2000 } } },
	{ "perf", LENIENT_EQUAL, { .format = &format_perf, .name = "f" } },
	{ "sanitizer", TWICE, { .format = &format_sanitizer, .name = "f.log" } },
	{ "speedscope", LENIENT_EQUAL,
		{ .format = &format_speedscope, .name = "f.speedscope.json", .reads = 3 } },
	{ "umdh", TWICE, { .format = &format_umdh, .name = "f.txt" } },
	{ "vld", TWICE, { .format = &format_vld, .name = "f.txt" } },
	{ "valgrind", TWICE, { .format = &format_valgrind, .name = "f.xml" } },
};

static const struct target *target;

/* libFuzzer and replay.c call this first. */
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
		if (text_ends(text_from((*argv)[0]), targets[i].name))
			target = &targets[i];
	MUST(target);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = target->input;

	in.data = data;
	in.size = size;
	if (target->check == TWICE)
		fuzz_twice(&in);
	else
		fuzz_lenient(&in, target->check == LENIENT_EQUAL);
	return 0;
}
