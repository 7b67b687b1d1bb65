/*
 * json_bench make EVENTS FILE: writes a speedscope file with EVENTS events, on one line.
 * json_bench read|tolerant|skip FILE: measures the JSON reader. "read" reads the type, frame and time of each
 * event, as a format reader does. "tolerant" does the same in tolerant mode. "skip" skips everything.
 * Prints MB, wall and CPU seconds, MB per CPU second, and a checksum of the events.
 */
#include "input/json/json_reader.h"
#include "tests/lib/random.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
	FRAMES = 5000,
	MAX_DEPTH = 60
};

static void
put_frames(FILE *out)
{
	fputs("{\"exporter\":\"json_bench\",\"name\":\"bench\",\"activeProfileIndex\":0,\"$schema\":"
	      "\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":[",
		out);
	for (int i = 0; i < FRAMES; i++)
		fprintf(out, "%s{\"name\":\"routine_%d\",\"file\":\"src/part%d.c\",\"line\":%d}",
			i ? "," : "", i, i % 97, i);
	fputs("]},\"profiles\":[{\"type\":\"evented\",\"name\":\"main\",\"unit\":\"microseconds\","
	      "\"startValue\":0,\"events\":[",
		out);
}

static int
make(long events, const char *path)
{
	uint64_t r = 1;
	unsigned stack[MAX_DEPTH];
	unsigned depth = 0;
	uint64_t at = 0;
	FILE *out = fopen(path, "w");

	if (!out)
		return 1;
	put_frames(out);
	for (long i = 0; i < events; i++) {
		/* At the end every remaining event must close a frame. */
		bool close = depth == MAX_DEPTH || events - i <= depth ||
			     (depth && random_below(&r, 100) < 50);

		at += random_below(&r, 50);
		if (!close)
			stack[depth++] = random_below(&r, FRAMES);
		fprintf(out, "%s{\"type\":\"%c\",\"frame\":%u,\"at\":%" PRIu64 "}", i ? "," : "",
			close ? 'C' : 'O', stack[close ? --depth : depth - 1], at);
	}
	fprintf(out, "],\"endValue\":%" PRIu64 "}]}\n", at);
	return fclose(out) == 0 ? 0 : 1;
}

static uint64_t
sum_of(uint64_t sum, uint64_t v)
{
	return sum * 31 + v;
}

static bool
is(struct text t, const char *s, size_t size)
{
	return t.size == size && memcmp(t.data, s, size) == 0;
}

#define IS(t, literal) is(t, literal, sizeof(literal) - 1)

static bool
read_event(struct json_reader *r, uint64_t *sum, struct error *err)
{
	struct text t;
	int64_t v = 0;
	bool more;
	bool ok;

	if (!json_enter(r, err))
		return false;
	for (;;) {
		if (!json_next_key(r, &t, &more, err))
			return false;
		if (!more)
			return true;
		if (IS(t, "type")) {
			ok = json_read_string(r, &t, err);
			v = IS(t, "O");
		} else if (IS(t, "frame") || IS(t, "at")) {
			bool whole;

			ok = json_read_int64(r, &v, &whole, err);
		} else {
			ok = json_skip(r, err);
		}
		if (!ok)
			return false;
		*sum = sum_of(*sum, (uint64_t)v);
	}
}

typedef bool read_item(struct json_reader *r, uint64_t *sum, struct error *err);

static bool
read_items(struct json_reader *r, read_item *item, uint64_t *sum, struct error *err)
{
	bool more;

	if (!json_enter(r, err))
		return false;
	for (;;) {
		if (!json_next_item(r, &more, err))
			return false;
		if (!more)
			return true;
		if (!item(r, sum, err))
			return false;
	}
}

/* Reads an object whose member `name` is an array of items. */
static bool
read_list(
	struct json_reader *r, const char *name, read_item *item, uint64_t *sum, struct error *err)
{
	struct text key;
	bool more;

	if (!json_enter(r, err))
		return false;
	for (;;) {
		if (!json_next_key(r, &key, &more, err))
			return false;
		if (!more)
			return true;
		if (text_equal(key, text_from(name)) ? !read_items(r, item, sum, err)
						     : !json_skip(r, err))
			return false;
	}
}

static bool
read_profile(struct json_reader *r, uint64_t *sum, struct error *err)
{
	return read_list(r, "events", read_event, sum, err);
}

static double
seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int
measure(const char *mode, const char *path)
{
	struct json_options o = { .source = path };
	struct error err = ERROR_INIT;
	struct json_reader *r;
	uint64_t sum = 0;
	double wall = seconds(CLOCK_MONOTONIC);
	double busy = seconds(CLOCK_PROCESS_CPUTIME_ID);
	double mb;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool end = false;

	if (fd < 0)
		return 1;
	if (strcmp(mode, "tolerant") == 0)
		o.tolerate = 1 << JSON_TRAILING_COMMA | 1 << JSON_UNCLOSED | 1 << JSON_BAD_UTF8;
	r = json_reader_new_fd(fd, &o);
	if (!(strcmp(mode, "skip") == 0 ? json_skip(r, &err)
					: read_list(r, "profiles", read_profile, &sum, &err)) ||
		!json_at_end(r, &end, &err) || !end) {
		error_print(&err, stderr);
		return 1;
	}
	wall = seconds(CLOCK_MONOTONIC) - wall;
	busy = seconds(CLOCK_PROCESS_CPUTIME_ID) - busy;
	mb = (double)json_offset(r) / 1e6;
	printf("%.0f %.3f %.3f %.0f %016" PRIx64 "\n", mb, wall, busy, mb / busy, sum);
	json_reader_free(r);
	close(fd);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "make") == 0)
		return make(strtol(argv[2], NULL, 10), argv[3]);
	if (argc == 3)
		return measure(argv[1], argv[2]);
	fputs("usage: json_bench make EVENTS FILE | read FILE | tolerant FILE | skip FILE\n",
		stderr);
	return 2;
}
