/*
 * speedscope_input evented EVENTS | sampled SAMPLES STACKS: writes a speedscope file to standard
 * output. The same arguments give the same file. It has 20,000 frames; calls are up to 60 deep;
 * stacks have 10 to 50 frames.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	FRAMES = 20000,
	MAX_DEPTH = 60,
	MIN_STACK = 10,
	STACK_SPREAD = 41,
	COMMON_FRAMES = 6,
	BUFFER_BYTES = 1 << 20,
};

static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void
write_head(void)
{
	printf("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
	       "\"shared\":{\"frames\":[");
	for (int i = 0; i < FRAMES; i++)
		printf("%s{\"name\":\"function_%d\",\"file\":\"src/file_%d.c\",\"line\":%d}",
			i ? "," : "", i, i % 500, i % 977 + 1);
	printf("]},\"profiles\":[");
}

static void
write_event(char type, uint32_t frame, uint64_t at, uint64_t index)
{
	printf("%s{\"type\":\"%c\",\"frame\":%u,\"at\":%llu}", index ? "," : "", type, frame,
		(unsigned long long)at);
}

/* A frame calls its first callee half of the time, the next a quarter of the time, and so on. */
static uint32_t
callee(uint32_t caller, uint64_t random)
{
	uint64_t rank = 0;

	while (random & 1) {
		rank++;
		random >>= 1;
	}
	random = (caller * UINT64_C(31) + rank + 1) * UINT64_C(0x9E3779B97F4A7C15);
	return (uint32_t)((random >> 32) % FRAMES);
}

static void
write_evented(uint64_t events)
{
	uint64_t random = 88172645463325252U;
	uint32_t open[MAX_DEPTH];
	size_t depth = 0;
	uint64_t at = 0;

	printf("{\"type\":\"evented\",\"name\":\"main thread\",\"unit\":\"nanoseconds\","
	       "\"startValue\":0,\"endValue\":%llu,\"events\":[",
		(unsigned long long)events * 2000);
	for (uint64_t i = 0; i < events; i++) {
		uint64_t r = next_random(&random);

		at += r % 1999;
		/* The last events close all open frames. */
		if (depth == events - i || depth == MAX_DEPTH || (depth && r >> 32 & 1)) {
			write_event('C', open[--depth], at, i);
		} else {
			open[depth] = callee(depth ? open[depth - 1] : 0, r >> 40);
			write_event('O', open[depth++], at, i);
		}
	}
	printf("]}]}\n");
}

/*
 * The stack number determines the frames. All stacks have the same outermost frames, like the main
 * loop of a program.
 */
static void
write_stack(uint32_t stack, uint64_t index)
{
	uint64_t random = (stack + 1) * UINT64_C(0x9E3779B97F4A7C15);
	uint32_t depth = MIN_STACK + (uint32_t)(next_random(&random) % STACK_SPREAD);

	printf("%s[", index ? "," : "");
	for (uint32_t i = 0; i < depth; i++)
		printf("%s%u", i ? "," : "",
			i < COMMON_FRAMES ? i : (uint32_t)((next_random(&random) >> 20) % FRAMES));
	putchar(']');
}

static void
write_sampled(uint64_t samples, uint32_t stacks)
{
	uint64_t random = 88172645463325252U;

	if (!stacks)
		stacks = 1;
	printf("{\"type\":\"sampled\",\"name\":\"main thread\",\"unit\":\"nanoseconds\","
	       "\"startValue\":0,\"endValue\":%llu,\"samples\":[",
		(unsigned long long)samples * 1000000);
	for (uint64_t i = 0; i < samples; i++)
		write_stack(
			i < stacks ? (uint32_t)i : (uint32_t)(next_random(&random) % stacks), i);
	printf("],\"weights\":[");
	for (uint64_t i = 0; i < samples; i++)
		printf("%s1000000", i ? "," : "");
	printf("]}]}\n");
}

int
main(int argc, char **argv)
{
	static char buffer[BUFFER_BYTES];

	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	if (argc == 3 && strcmp(argv[1], "evented") == 0) {
		write_head();
		write_evented(strtoull(argv[2], NULL, 10));
	} else if (argc == 4 && strcmp(argv[1], "sampled") == 0) {
		write_head();
		write_sampled(strtoull(argv[2], NULL, 10), (uint32_t)strtoul(argv[3], NULL, 10));
	} else {
		fputs("usage: speedscope_input evented EVENTS | sampled SAMPLES STACKS\n", stderr);
		return 2;
	}
	return ferror(stdout) || fclose(stdout) ? 1 : 0;
}
