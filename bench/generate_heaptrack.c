/*
 * generate_heaptrack ALLOCATIONS: writes a heaptrack recording with about ALLOCATIONS allocations to
 * standard output. It imitates a real recording, which it reads from standard input in interpreted
 * and unpacked form.
 *
 * The strings, instructions, calls and allocation kinds of the real recording are copied, and its
 * events are repeated in rounds. Between two rounds all live blocks are released. Times and resident
 * sizes continue to grow. Calls, sizes, order and lifetimes are therefore the same as in the real
 * program.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
	char *text;
	size_t size;
};

struct recording {
	struct line *events;
	size_t event_count, event_room;
	uint64_t *live; /* number of live blocks, by kind */
	size_t live_room;
	uint64_t allocations;
	uint64_t last_time;
};

static void
keep_event(struct recording *r, const char *text, size_t size)
{
	if (r->event_count == r->event_room) {
		r->event_room = r->event_room ? r->event_room * 2 : 4096;
		r->events = realloc(r->events, r->event_room * sizeof(*r->events));
		if (!r->events)
			exit(1);
	}
	r->events[r->event_count].text = malloc(size + 1);
	if (!r->events[r->event_count].text)
		exit(1);
	memcpy(r->events[r->event_count].text, text, size + 1);
	r->events[r->event_count++].size = size;
	r->allocations += text[0] == '+';
	if (text[0] == 'c')
		r->last_time = strtoull(text + 2, NULL, 16);
}

static void
read_shape(struct recording *r)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t size;

	while ((size = getline(&line, &room, stdin)) > 0) {
		if (strchr("+-cR", line[0]))
			keep_event(r, line, (size_t)size);
		else if (line[0] != '#')
			fwrite(line, 1, (size_t)size, stdout);
	}
	free(line);
}

static uint64_t *
live_of(struct recording *r, size_t kind)
{
	while (kind >= r->live_room) {
		size_t room = r->live_room ? r->live_room * 2 : 4096;

		r->live = realloc(r->live, room * sizeof(*r->live));
		if (!r->live)
			exit(1);
		memset(r->live + r->live_room, 0, (room - r->live_room) * sizeof(*r->live));
		r->live_room = room;
	}
	return &r->live[kind];
}

static void
play(struct recording *r, uint64_t round)
{
	for (size_t i = 0; i < r->event_count; i++) {
		const struct line *e = &r->events[i];

		if (e->text[0] == 'c') {
			uint64_t time = strtoull(e->text + 2, NULL, 16);

			printf("c %" PRIx64 "\n", time + round * (r->last_time + 1));
			continue;
		}
		if (e->text[0] == '+')
			++*live_of(r, strtoull(e->text + 2, NULL, 16));
		else if (e->text[0] == '-')
			--*live_of(r, strtoull(e->text + 2, NULL, 16));
		fwrite(e->text, 1, e->size, stdout);
	}
}

static void
release_all(struct recording *r)
{
	for (size_t i = 0; i < r->live_room; i++)
		for (; r->live[i]; r->live[i]--)
			printf("- %zx\n", i);
}

int
main(int argc, char **argv)
{
	struct recording r = { 0 };
	uint64_t wanted = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
	uint64_t rounds;

	if (!wanted) {
		fprintf(stderr, "usage: generate_heaptrack ALLOCATIONS <RECORDING\n");
		return 2;
	}
	read_shape(&r);
	if (!r.allocations) {
		fprintf(stderr, "generate_heaptrack: the recording has no allocations\n");
		exit(1);
	}
	rounds = (wanted + r.allocations - 1) / r.allocations;
	for (uint64_t i = 0; i < rounds; i++) {
		if (i)
			release_all(&r);
		play(&r, i);
	}
	printf("# strings: 0\n# ips: 0\n");
	for (size_t i = 0; i < r.event_count; i++)
		free(r.events[i].text);
	free(r.events);
	free(r.live);
	return 0;
}
