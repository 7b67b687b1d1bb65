/*
 * generate_valgrind RECORDS STACKS: writes memcheck XML with RECORDS records to standard output.
 * One record in fifty is an error, and the others are leaks. The counts of the errors are at the end of the file.
 * Records use the stacks in turn. With as many stacks as records, the file resembles the output of
 * one process. With fewer stacks, it resembles many runs of one program.
 *
 * The stacks are walks down a call graph, so they share outer frames as in a real program. Half of
 * the modules have debug information. The same arguments give the same bytes.
 */
#include "tests/lib/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	ROUTINES = 6000,
	MODULES = 16,
	CALLEES = 5, /* callees per routine */
	MIN_FRAMES = 5,
	MAX_FRAMES = 16,
	ERROR_EVERY = 50,
	UPTO_THREADS = 8,
};

static void
print_frame(unsigned routine, unsigned callee)
{
	static const char *const names[][2] = { { "handle_", "" }, { "parse_value_", "" },
		{ "app::Session::on_event_", "(app::Event const&amp;)" },
		{ "std::map&lt;int, app::Item_", "&gt;::operator[](int const&amp;)" },
		{ "QtPrivate::QSlotObject_", "::impl(int, QObject*, void**)" },
		{ "app::worker::run_", "()" } };
	const char *const *name = names[routine % 6];
	unsigned module = routine % MODULES;

	printf("    <frame>\n      <ip>0x%X</ip>\n", 0x4000000 + routine * 512 + callee * 24);
	if (module)
		printf("      <obj>/usr/lib/x86_64-linux-gnu/libpart%u.so.%u</obj>\n", module,
			module % 3);
	else
		printf("      <obj>/srv/demo/app</obj>\n");
	printf("      <fn>%s%u%s</fn>\n", name[0], routine, name[1]);
	if (module % 2 == 0)
		printf("      <dir>/srv/demo/src/part%u</dir>\n      <file>source%u.cpp</file>\n"
		       "      <line>%u</line>\n",
			module, routine / 40, routine % 40 * 60 + callee * 7 + 1);
	printf("    </frame>\n");
}

/* Innermost first: frame i was called by frame i + 1. */
static void
print_stack(uint64_t number, const char *allocator)
{
	uint64_t walk = (number + 1) * UINT64_C(0x9E3779B97F4A7C15);
	uint64_t *state = &walk;
	unsigned frames[MAX_FRAMES];
	unsigned callees[MAX_FRAMES];
	unsigned count = MIN_FRAMES + random_below(state, MAX_FRAMES - MIN_FRAMES + 1);
	unsigned routine = 0;

	for (unsigned i = count; i-- > 0;) {
		frames[i] = routine;
		callees[i] = random_below(state, CALLEES);
		routine = (routine * 31 + callees[i] * 1009 + 7) % ROUTINES;
	}
	printf("  <stack>\n");
	if (allocator)
		printf("    <frame>\n      <ip>0x48417B4</ip>\n"
		       "      <obj>/usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so</obj>\n"
		       "      <fn>%s</fn>\n    </frame>\n",
			allocator);
	for (unsigned i = 0; i < count; i++)
		print_frame(frames[i], callees[i]);
	printf("  </stack>\n");
}

static void
print_error(uint64_t *state, uint64_t unique, uint64_t stacks)
{
	unsigned size = 1u << random_below(state, 4);

	printf("<error>\n  <unique>0x%" PRIx64 "</unique>\n  <tid>%u</tid>\n", unique,
		1 + random_below(state, UPTO_THREADS));
	printf("  <kind>InvalidRead</kind>\n  <what>Invalid read of size %u</what>\n", size);
	print_stack(unique % stacks, NULL);
	printf("  <auxwhat>Address 0x%" PRIx64 " is %u bytes inside a block of size %u free'd"
	       "</auxwhat>\n",
		0x5000000 + unique * 64, size, size * 4);
	print_stack((unique + 1) % stacks, "free");
	printf("  <auxwhat>Block was alloc'd at</auxwhat>\n");
	print_stack((unique + 2) % stacks, "malloc");
	printf("</error>\n\n");
}

static void
print_leak(uint64_t *state, uint64_t unique, uint64_t number, uint64_t all, uint64_t stacks)
{
	static const char *const kinds[] = { "DefinitelyLost", "IndirectlyLost", "PossiblyLost",
		"StillReachable" };
	static const char *const words[] = { "definitely lost", "indirectly lost", "possibly lost",
		"still reachable" };
	unsigned kind = random_below(state, 4);
	uint64_t blocks = 1 + random_below(state, 30);
	uint64_t bytes = blocks * (8 + random_below(state, 500));
	uint64_t indirect = kind == 0 ? random_below(state, 3) * 64 : 0;

	printf("<error>\n  <unique>0x%" PRIx64 "</unique>\n  <tid>1</tid>\n"
	       "  <kind>Leak_%s</kind>\n  <xwhat>\n    <text>",
		unique, kinds[kind]);
	if (indirect)
		printf("%" PRIu64 " (%" PRIu64 " direct, %" PRIu64 " indirect) bytes",
			bytes + indirect, bytes, indirect);
	else
		printf("%" PRIu64 " bytes", bytes);
	printf(" in %" PRIu64 " blocks are %s in loss record %" PRIu64 " of %" PRIu64 "</text>\n"
	       "    <leakedbytes>%" PRIu64 "</leakedbytes>\n"
	       "    <leakedblocks>%" PRIu64 "</leakedblocks>\n  </xwhat>\n",
		blocks, words[kind], number, all, bytes + indirect, blocks);
	print_stack(
		unique % stacks, unique % stacks % 2 ? "malloc" : "operator new(unsigned long)");
	printf("</error>\n\n");
}

static void
print_begin(void)
{
	printf("<?xml version=\"1.0\"?>\n\n<valgrindoutput>\n\n"
	       "<protocolversion>4</protocolversion>\n<protocoltool>memcheck</protocoltool>\n\n"
	       "<preamble>\n  <line>Memcheck, a memory error detector</line>\n"
	       "  <line>Command: ./app</line>\n</preamble>\n\n"
	       "<pid>4711</pid>\n<ppid>4710</ppid>\n<tool>memcheck</tool>\n\n"
	       "<args>\n  <vargv>\n    <exe>/usr/bin/valgrind.bin</exe>\n"
	       "    <arg>--leak-check=full</arg>\n    <arg>--xml=yes</arg>\n  </vargv>\n"
	       "  <argv>\n    <exe>./app</exe>\n  </argv>\n</args>\n\n");
}

static void
print_status(const char *state, const char *time)
{
	printf("<status>\n  <state>%s</state>\n  <time>%s </time>\n</status>\n\n", state, time);
}

int
main(int argc, char **argv)
{
	uint64_t records = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
	uint64_t stacks = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
	uint64_t errors = records / ERROR_EVERY;
	uint64_t state = 4711;

	if (!records || !stacks) {
		fprintf(stderr, "usage: generate_valgrind RECORDS STACKS\n");
		return 2;
	}
	print_begin();
	print_status("RUNNING", "00:00:00:00.070");
	for (uint64_t i = 0; i < errors; i++)
		print_error(&state, i, stacks);
	print_status("FINISHED", "00:00:02:11.320");
	for (uint64_t i = errors; i < records; i++)
		print_leak(&state, i, i - errors + 1, records - errors, stacks);
	printf("<errorcounts>\n");
	for (uint64_t i = errors; i-- > 0;)
		printf("  <pair>\n    <count>%" PRIu64 "</count>\n    <unique>0x%" PRIx64
		       "</unique>\n  </pair>\n",
			1 + i % 9, i);
	printf("</errorcounts>\n\n<suppcounts>\n</suppcounts>\n\n</valgrindoutput>\n\n");
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
