/*
 * generate_textlog valgrind|fastmm RECORDS STACKS: writes a log with RECORDS leaks to standard output. Records
 * use the stacks in turn. With as many stacks as records, the log resembles the output of one process.
 * With fewer stacks, it resembles the logs of many runs of one program. The same arguments give the same
 * bytes.
 */
#include "tests/lib/random.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ROUTINES = 6000,
	MODULES = 16,
	CALLEES = 5, /* callees per routine */
	MIN_FRAMES = 5,
	MAX_FRAMES = 16,
	DUMP_LINES = 8,
};

struct walk {
	unsigned routines[MAX_FRAMES], callees[MAX_FRAMES], count;
};

/* The stacks are walks down a call graph, so they share outer frames as in a real program. */
static void
make_walk(struct walk *w, uint64_t number)
{
	uint64_t state = (number + 1) * UINT64_C(0x9E3779B97F4A7C15);
	unsigned routine = 0;

	w->count = MIN_FRAMES + random_below(&state, MAX_FRAMES - MIN_FRAMES + 1);
	for (unsigned i = w->count; i-- > 0;) {
		w->routines[i] = routine;
		w->callees[i] = random_below(&state, CALLEES);
		routine = (routine * 31 + w->callees[i] * 1009 + 7) % ROUTINES;
	}
}

/* --- valgrind ---------------------------------------------------------------------------------- */

#define PID "==4711== "

static void
print_valgrind_frame(bool first, unsigned routine, unsigned callee)
{
	unsigned module = routine % MODULES;

	printf(PID "   %s 0x%X: app::Part%u::handle_%u(app::Event const&) (", first ? "at" : "by",
		0x4000000 + routine * 512 + callee * 24, module, routine);
	if (module % 2 == 0)
		printf("source%u.cpp:%u)\n", routine / 40, routine % 40 * 60 + callee * 7 + 1);
	else
		printf("in /usr/lib/x86_64-linux-gnu/libpart%u.so.%u)\n", module, module % 3);
}

static void
print_valgrind(uint64_t records, uint64_t stacks)
{
	uint64_t state = 4711;
	uint64_t total = 0;
	uint64_t all_blocks = 0;

	printf(PID "Memcheck, a memory error detector\n" PID "Command: ./app\n" PID "\n");
	for (uint64_t i = 0; i < records; i++) {
		uint64_t blocks = 1 + random_below(&state, 30);
		uint64_t bytes = blocks * (8 + random_below(&state, 500));
		struct walk w;

		make_walk(&w, i % stacks);
		printf(PID "%" PRIu64 " bytes in %" PRIu64
			   " blocks are definitely lost in loss record %" PRIu64 " of %" PRIu64
			   "\n",
			bytes, blocks, i + 1, records);
		for (unsigned k = 0; k < w.count; k++)
			print_valgrind_frame(k == 0, w.routines[k], w.callees[k]);
		printf(PID "\n");
		total += bytes;
		all_blocks += blocks;
	}
	printf(PID "LEAK SUMMARY:\n" PID "   definitely lost: %" PRIu64 " bytes in %" PRIu64
		   " blocks\n" PID "\n" PID "ERROR SUMMARY: %" PRIu64 " errors from %" PRIu64
		   " contexts (suppressed: 0 from 0)\n",
		total, all_blocks, records, records);
}

/* --- FastMM4 ------------------------------------------------------------------------------------- */

static void
print_fastmm_frame(unsigned routine, unsigned callee)
{
	unsigned unit = routine / 40;

	printf("%08X [Part%u.pas][Part%u][TPart%u.Handle%u][%u]\r\n",
		0x400000 + routine * 512 + callee * 24, unit, unit, unit, routine,
		routine % 40 * 60 + callee * 7 + 1);
}

static void
print_dump(uint64_t *state)
{
	printf("Current memory dump of 256 bytes starting at pointer address 7FF2D010:\r\n");
	for (int line = 0; line < DUMP_LINES; line++) {
		for (int i = 0; i < 32; i++)
			printf(i ? " %02X" : "%02X", random_below(state, 256));
		printf("\r\n");
	}
	for (int line = 0; line < DUMP_LINES; line++) {
		for (int i = 0; i < 32; i++)
			printf(i ? "  %c" : "%c", (int)('!' + random_below(state, 90)));
		printf("\r\n");
	}
}

static void
print_fastmm(uint64_t records, uint64_t stacks)
{
	uint64_t state = 4711;

	for (uint64_t i = 0; i < records; i++) {
		struct walk w;

		make_walk(&w, i % stacks);
		printf("\r\n--------------------------------2026/11/23 1:%u:%02u"
		       "--------------------------------\r\n"
		       "A memory block has been leaked. The size is: %u\r\n\r\n"
		       "This block was allocated by thread 0x24, and the stack trace (return "
		       "addresses) at the time was:\r\n",
			(unsigned)(i / 60 % 60), (unsigned)(i % 60),
			8 + random_below(&state, 5000));
		for (unsigned k = 0; k < w.count; k++)
			print_fastmm_frame(w.routines[k], w.callees[k]);
		printf("\r\nThe block is currently used for an object of class: TItem%u\r\n\r\n"
		       "The allocation number is: %" PRIu64 "\r\n\r\n",
			random_below(&state, 200), i + 1);
		print_dump(&state);
	}
}

int
main(int argc, char **argv)
{
	uint64_t records = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;
	uint64_t stacks = argc == 4 ? strtoull(argv[3], NULL, 10) : 0;

	if (!records || !stacks) {
		fprintf(stderr, "usage: generate_textlog valgrind|fastmm RECORDS STACKS\n");
		return 2;
	}
	if (strcmp(argv[1], "valgrind") == 0)
		print_valgrind(records, stacks);
	else
		print_fastmm(records, stacks);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
