/*
 * Fuzzes what an import does before it sends rows: archive, recognition, reader and store together.
 * fuzz_import gets the bytes of an input. fuzz_aqtimetables gets the tables of an AQTime export as text, and
 * packs them into a tar archive. In the text, a line "=== NAME" precedes each table.
 *
 * Reading the same input twice gives the same result sets.
 */
#define _GNU_SOURCE /* memfd_create */
#include "app/import_input.h"
#include "base/text.h"
#include "input/bundle/bundle.h"
#include "must.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	BLOCK = 512, /* block size of a tar archive */
	NAME_MAX_BYTES = 90,
	READS = 3,
};

static const char mark[] = "=== ";
static bool tables;

static const struct limits limits = {
	.bytes = 4 << 20,
	.ratio = 1000,
	.files = 64,
	.frames = 100000,
	.nodes = 100000,
	.memory = INT64_MAX,
	.seconds = 3600, /* the fuzzer has a timeout of its own */
	.fixed = true,
};

struct outcome {
	bool ok;
	size_t sets;
	uint64_t sum; /* sum of the digests */
};

/* libFuzzer and replay.c call this first. */
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	tables = text_ends(text_from((*argv)[0]), "aqtimetables");
	return 0;
}

static void
put(int fd, const void *bytes, size_t size)
{
	MUST(write(fd, bytes, size) == (ssize_t)size);
}

static void
put_member(int fd, const char *name, size_t name_size, const char *bytes, size_t size)
{
	char head[BLOCK] = { 0 };
	const char padding[BLOCK] = { 0 };
	unsigned sum = 0;

	memcpy(head, name, name_size < NAME_MAX_BYTES ? name_size : NAME_MAX_BYTES);
	for (char *c = head; *c; c++)
		if (*c == '/' || *c == '\\')
			*c = '_';
	memcpy(head + 100, "0000644", 8);
	memcpy(head + 108, "0000000", 8);
	memcpy(head + 116, "0000000", 8);
	snprintf(head + 124, 12, "%011zo", size);
	memcpy(head + 136, "00000000000", 12);
	memset(head + 148, ' ', 8);
	head[156] = '0';
	memcpy(head + 257, "ustar", 6);
	head[263] = head[264] = '0';
	for (size_t i = 0; i < BLOCK; i++)
		sum += (unsigned char)head[i];
	snprintf(head + 148, 7, "%06o", sum);
	put(fd, head, BLOCK);
	put(fd, bytes, size);
	put(fd, padding, (BLOCK - size % BLOCK) % BLOCK);
}

/* The start of the next "=== NAME" line at or after p; `end` if there is none. */
static const char *
next_mark(const char *p, const char *end)
{
	for (const char *start = p; p < end;
		p = memchr(p, '\n', (size_t)(end - p)), p = p ? p + 1 : end)
		if ((p == start || p[-1] == '\n') && (size_t)(end - p) > sizeof(mark) &&
			memcmp(p, mark, sizeof(mark) - 1) == 0)
			return p;
	return end;
}

static void
put_tables(int fd, const char *p, const char *end)
{
	const char zeros[2 * BLOCK] = { 0 };

	for (p = next_mark(p, end); p < end;) {
		const char *name = p + sizeof(mark) - 1;
		const char *line_end = memchr(name, '\n', (size_t)(end - name));
		const char *body = line_end ? line_end + 1 : end;

		p = next_mark(body, end);
		if (body > name + 1)
			put_member(fd, name, (size_t)(body - 1 - name), body, (size_t)(p - body));
	}
	put(fd, zeros, sizeof(zeros));
}

/* Reads the rows into a load without a database, as the digest pass of an import does. */
static bool
read_rows(struct input *in, struct arena *a, struct outcome *o, struct error *err)
{
	const struct load_config config = {
		.format = in->format->name, .source_name = "f", .max_issues = -1, .limits = &limits
	};
	enum format_result r = FORMAT_AGAIN;

	for (int reads = 0; r == FORMAT_AGAIN && reads < READS; reads++) {
		struct load *l = load_new(a, NULL, &config, err);

		MUST(l);
		input_rewind(in);
		r = format_read(in->format, &in->source, load_sink(l), err);
		o->sets = r == FORMAT_DONE ? load_set_count(l) : 0;
		for (size_t i = 0; i < o->sets; i++)
			o->sum += load_outcome(l, i)->digest.low * (i + 1);
		load_free(l);
	}
	MUST(r != FORMAT_AGAIN);
	return r == FORMAT_DONE;
}

static struct outcome
read_once(int fd)
{
	const struct import_request request = {
		.path = "f", .fd = &fd, .limits = &limits, .options = { .max_depth = 2000 }
	};
	const struct bundle_options options = { .limits = &limits };
	struct arena a = ARENA_INIT;
	struct error err = ERROR_INIT;
	struct input in = { NULL };
	struct outcome o = { .sets = 0 };
	bool several;
	uint8_t digest[SHA256_BYTES];

	o.ok = input_open(&in, &a, &request, NULL, &options, &err);
	if (o.ok) {
		MUST(in.format);
		o.ok = input_has_several_sets(&in, &several, &err) &&
		       read_rows(&in, &a, &o, &err) && input_digest(&in, digest, &err);
	}
	MUST(o.ok == (err.code == ERROR_NONE));
	MUST(o.ok == (err.message[0] == '\0'));
	input_close(&in);
	arena_release(&a);
	return o;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct outcome first, second;

	MUST(fd >= 0);
	if (tables)
		put_tables(fd, (const char *)data, (const char *)data + size);
	else
		put(fd, data, size);
	first = read_once(fd);
	second = read_once(fd);
	MUST(first.ok == second.ok && first.sets == second.sets && first.sum == second.sum);
	close(fd);
	return 0;
}
