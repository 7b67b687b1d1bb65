/*
 * generate_chrome BYTES PERMILLE SEED: writes a Chrome trace of about BYTES bytes
 * to standard output. PERMILLE out of 1000 events are user timings.
 *
 * The events are in Chrome's order: process and thread names, then events by time, then the begin
 * and end events of measures by time.
 */
#include "tests/lib/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	PID = 4242,
	THREADS = 8,
	NAMES = 40,
	MEASURE_SHARE = 3, /* on average, one of MEASURE_SHARE timings is a measure */
};

static const char *const shapes[] = {
	"{\"args\":{\"data\":{\"columnNumber\":%u,\"frame\":\"8D2B71F0A96C4E5F\",\"functionName\":"
	"\"render%u\",\"isolate\":\"98765432101\",\"lineNumber\":%u,\"scriptId\":\"%u\",\"url\":"
	"\"http://localhost:8080/static/js/bundle.%u.js\"}},",
	"{\"args\":{\"layerId\":%u,\"nodeId\":%u,\"sourceFrameNumber\":%u,\"style\":\"a \\\"b\\\" "
	"%u\",\"n\":%u},",
	"{\"args\":{\"src_file\":\"../../base/task/thread_pool.cc\",\"src_func\":\"RunTask%u\","
	"\"chrome_task\":{\"delay\":%u.25,\"queue\":[%u,%u,%u,null,true]}},",
	"{\"args\":{\"usedHeapSizeBefore\":%u,\"usedHeapSizeAfter\":%u,\"type\":%u,\"reason\":%u,"
	"\"cycle\":%u},",
};

static const char *const categories[] = { "devtools.timeline",
	"disabled-by-default-devtools.timeline", "toplevel",
	"v8,devtools.timeline,disabled-by-default-v8.gc", "cc,benchmark", "loading" };
static const char *const names[] = { "FunctionCall", "RunTask", "UpdateLayoutTree", "Paint",
	"MinorGC", "ThreadPool_RunTask", "EventDispatch", "CommitLayer" };

struct generator {
	uint64_t random;
	uint64_t written;
	uint64_t now; /* microseconds */
};

static void
wrote(struct generator *g, int n)
{
	if (n < 0) {
		perror("generate_chrome");
		exit(1);
	}
	g->written += (uint64_t)n;
}

static void
write_head(struct generator *g)
{
	wrote(g,
		printf("{\"traceEvents\":[\n{\"args\":{\"name\":\"Renderer\"},\"cat\":"
		       "\"__metadata\",\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":0,"
		       "\"ts\":0}",
			PID));
	for (int i = 0; i < THREADS; i++)
		wrote(g,
			printf(",\n{\"args\":{\"name\":\"Worker%d\"},\"cat\":\"__metadata\","
			       "\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"ts\":0}",
				i, PID, PID + i));
}

static void
write_event(struct generator *g)
{
	const uint32_t shape = random_below(&g->random, sizeof(shapes) / sizeof(shapes[0]));
	uint32_t v[5];

	for (int i = 0; i < 5; i++)
		v[i] = random_below(&g->random, 1000000);
	wrote(g, printf(",\n"));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	wrote(g, printf(shapes[shape], v[0], v[1], v[2], v[3], v[4]));
#pragma GCC diagnostic pop
	wrote(g, printf("\"cat\":\"%s\",\"dur\":%u,\"name\":\"%s\",\"ph\":\"X\",\"pid\":%d,"
			"\"tdur\":%u,\"tid\":%d,\"ts\":%" PRIu64 ",\"tts\":%" PRIu64 "}",
			 categories[random_below(&g->random, 6)], v[0] % 5000,
			 names[random_below(&g->random, 8)], PID, v[1] % 4000,
			 PID + (int)random_below(&g->random, THREADS), g->now, g->now / 2));
}

static void
write_mark(struct generator *g)
{
	wrote(g,
		printf(",\n{\"args\":{\"data\":{\"callTime\":%" PRIu64
		       ",\"detail\":\"{\\\"step\\\":%u}\",\"navigationId\":"
		       "\"0123456789ABCDEF0123456789ABCDEF\",\"startTime\":%" PRIu64
		       ".5}},\"cat\":\"blink.user_timing\",\"name\":\"mark-%u\",\"ph\":\"I\",\"pid\":%d,"
		       "\"s\":\"t\",\"tid\":%d,\"ts\":%" PRIu64 "}",
			g->now, random_below(&g->random, 100), g->now / 1000,
			random_below(&g->random, NAMES), PID, PID, g->now));
}

/* Writes the begin and the end event of a measure. IDs are reused after 50 measures. */
static void
write_measure(struct generator *g, uint64_t ts, uint32_t i)
{
	const uint32_t name = random_below(&g->random, NAMES);

	wrote(g,
		printf(",\n{\"args\":{\"callTime\":%" PRIu64
		       ",\"detail\":\"null\",\"startTime\":%" PRIu64
		       ".25,\"traceId\":%u},\"cat\":\"blink.user_timing\",\"id2\":{\"local\":\"0x%x\"},"
		       "\"name\":\"measure-%u\",\"ph\":\"b\",\"pid\":%d,\"tid\":%d,\"ts\":%" PRIu64
		       "}",
			ts + 900, ts / 1000, i, i % 50, name, PID, PID, ts));
	wrote(g,
		printf(",\n{\"args\":{},\"cat\":\"blink.user_timing\",\"id2\":{\"local\":\"0x%x\"},"
		       "\"name\":\"measure-%u\",\"ph\":\"e\",\"pid\":%d,\"tid\":%d,\"ts\":%" PRIu64
		       "}",
			i % 50, name, PID, PID, ts + 1 + random_below(&g->random, 800)));
}

int
main(int argc, char **argv)
{
	struct generator g = { .now = 1000000000 };
	uint64_t bytes;
	uint32_t permille, measures = 0;

	if (argc != 4) {
		fprintf(stderr, "usage: generate_chrome BYTES PERMILLE SEED\n");
		return 2;
	}
	bytes = strtoull(argv[1], NULL, 10);
	permille = (uint32_t)strtoul(argv[2], NULL, 10);
	g.random = strtoull(argv[3], NULL, 10);
	write_head(&g);
	while (g.written < bytes) {
		g.now += 1 + random_below(&g.random, 60);
		if (random_below(&g.random, 1000) >= permille)
			write_event(&g);
		else if (random_below(&g.random, MEASURE_SHARE))
			write_mark(&g);
		else
			measures++;
	}
	for (uint32_t i = 0; i < measures; i++)
		write_measure(&g, UINT64_C(1000000000) + i * UINT64_C(1000), i);
	wrote(&g, printf("\n],\n\"metadata\":{\"source\":\"generate_chrome\"}}\n"));
	return fflush(stdout) ? 1 : 0;
}
