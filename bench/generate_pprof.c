/*
 * generate_pprof BYTES STACKS SEED: writes an uncompressed heap profile of about BYTES bytes to
 * standard output, in the order of Go's runtime: samples first, then the tables that they refer to.
 * Each sample has one of STACKS stacks. Functions, locations and strings do not depend on BYTES.
 */
#include "tests/lib/random.h"
#include "tests/lib/wire_writer.h"

#include <inttypes.h>
#include <stdio.h>

enum {
	FUNCTIONS = 20000,
	LOCATIONS = 40000,
	DEPTH_MIN = 10,
	DEPTH_SPAN = 40,
	TYPES = 4,
	FLUSH_BYTES = 1 << 20,
};

static void
flush(struct wire_buffer *b, size_t at_least)
{
	if (b->size < at_least)
		return;
	if (fwrite(b->data, 1, b->size, stdout) != b->size) {
		perror("generate_pprof");
		exit(1);
	}
	b->size = 0;
}

static void
put_sample(struct wire_buffer *out, struct wire_buffer *sample, uint64_t stack, uint64_t *random)
{
	int64_t locations[DEPTH_MIN + DEPTH_SPAN];
	uint64_t of_stack = stack * 7919 + 1;
	const size_t depth = DEPTH_MIN + random_below(&of_stack, DEPTH_SPAN);
	const int64_t size = INT64_C(16) << random_below(random, 10);
	const int64_t live = random_below(random, 3);
	const int64_t all = live + random_below(random, 50);
	const int64_t values[TYPES] = { all, all * size, live, live * size };
	struct wire_buffer label = { 0 };

	/* Stacks share their outer frames. */
	for (size_t i = 0; i < depth; i++) {
		uint64_t key = (depth - i) * 104729 + (stack >> (i < 8 ? 8 - i : 0));

		locations[depth - 1 - i] = 1 + random_below(&key, LOCATIONS);
	}
	wire_packed(sample, 1, locations, depth);
	wire_packed(sample, 2, values, TYPES);
	wire_varint(&label, 1, 9);
	wire_varint(&label, 3, (uint64_t)size);
	wire_message(sample, 3, &label);
	free(label.data);
	wire_message(out, 2, sample);
}

static void
put_tables(struct wire_buffer *out, struct wire_buffer *m)
{
	static const char *const strings[] = { "", "alloc_objects", "count", "alloc_space", "bytes",
		"inuse_objects", "inuse_space", "/usr/bin/server", "0123456789abcdef", "bytes" };
	char name[128];

	wire_varint(m, 1, 1);
	wire_varint(m, 2, 0x400000);
	wire_varint(m, 3, 0x4000000);
	wire_varint(m, 5, 7);
	wire_varint(m, 6, 8);
	wire_message(out, 3, m);
	for (uint64_t i = 1; i <= LOCATIONS; i++) {
		struct wire_buffer line = { 0 };

		wire_varint(m, 1, i);
		wire_varint(m, 2, 1);
		wire_varint(m, 3, 0x400000 + i * 37);
		wire_varint(&line, 1, 1 + i % FUNCTIONS);
		wire_varint(&line, 2, 10 + i % 977);
		wire_message(m, 4, &line);
		free(line.data);
		wire_message(out, 4, m);
	}
	for (uint64_t i = 1; i <= FUNCTIONS; i++) {
		wire_varint(m, 1, i);
		wire_varint(m, 2, 10 + 2 * (i - 1));
		wire_varint(m, 3, 10 + 2 * (i - 1));
		wire_varint(m, 4, 11 + 2 * (i - 1));
		wire_message(out, 5, m);
	}
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++)
		wire_bytes(out, 6, strings[i], strlen(strings[i]));
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		snprintf(name, sizeof(name), "example.com/server/package%u.(*Type%u).method%u",
			i % 200, i % 1000, i);
		wire_bytes(out, 6, name, strlen(name));
		snprintf(name, sizeof(name), "/src/server/package%u/file%u.go", i % 200, i % 1000);
		wire_bytes(out, 6, name, strlen(name));
	}
	wire_varint(out, 12, 524288);
}

int
main(int argc, char **argv)
{
	struct wire_buffer out = { 0 }, m = { 0 };
	uint64_t bytes, random, written = 0;
	unsigned stacks;

	if (argc != 4) {
		fputs("usage: generate_pprof BYTES STACKS SEED\n", stderr);
		return 2;
	}
	bytes = strtoull(argv[1], NULL, 10);
	stacks = (unsigned)strtoul(argv[2], NULL, 10);
	random = strtoull(argv[3], NULL, 10);
	for (uint64_t i = 0; i < TYPES; i++) {
		wire_varint(&m, 1, i < 1 ? 1 : i < 2 ? 3 : i < 3 ? 5 : 6);
		wire_varint(&m, 2, i % 2 ? 4 : 2);
		wire_message(&out, 1, &m);
	}
	while (written + out.size < bytes) {
		put_sample(&out, &m, random_below(&random, stacks ? stacks : 1), &random);
		if (out.size >= FLUSH_BYTES) {
			written += out.size;
			flush(&out, 1);
		}
	}
	put_tables(&out, &m);
	flush(&out, 1);
	free(out.data);
	free(m.data);
	return fclose(stdout) == 0 ? 0 : 1;
}
