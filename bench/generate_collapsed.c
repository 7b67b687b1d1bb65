/*
 * generate_collapsed LINES STACKS: writes collapsed stacks to standard output, like a sampling profiler
 * of a C++ program. Each line is one of STACKS stacks, with 10 to 50 frames out of 20,000. Stacks
 * share their outermost frames.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	ROUTINES = 20000,
	DEPTH_MIN = 10,
	DEPTH_SPAN = 41,
	KINDS = 4
};

static uint64_t
mixed(uint64_t v)
{
	v = (v ^ v >> 31) * UINT64_C(0x9E3779B97F4A7C15);
	return v ^ v >> 29;
}

static void
put_name(uint64_t routine)
{
	switch (routine % KINDS) {
	case 0:
		printf("handle_%" PRIu64, routine);
		break;
	case 1:
		printf("app::worker::run_%" PRIu64 "(unsigned long)", routine);
		break;
	case 2:
		printf("std::vector<app::item_%" PRIu64 ">::push_back(app::item const&)", routine);
		break;
	default:
		printf("libpart%" PRIu64 ".so.1`entry_%" PRIu64, routine % 16, routine);
	}
}

/* Most frames have two callees. The inner halves of the stacks differ. */
static void
put_stack(uint64_t stack)
{
	uint64_t choices = mixed(stack + 1);
	uint64_t at = 1;
	int depth = DEPTH_MIN + (int)(mixed(choices) % DEPTH_SPAN);

	printf("main");
	for (int i = 1; i < depth; i++) {
		at = mixed(at * 2 + (choices >> i % 64 & 1) + (i == DEPTH_MIN ? stack : 0));
		putchar(';');
		put_name(at % ROUTINES);
	}
}

int
main(int argc, char **argv)
{
	uint64_t lines = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
	uint64_t stacks = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;

	if (!lines || !stacks) {
		fprintf(stderr, "usage: generate_collapsed LINES STACKS\n");
		return 2;
	}
	for (uint64_t i = 0; i < lines; i++) {
		put_stack(lines == stacks ? i : mixed(i) % stacks);
		printf(" %" PRIu64 "\n", mixed(i + lines) % 1000 + 1);
	}
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
