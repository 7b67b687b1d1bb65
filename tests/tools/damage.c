/*
 * Writes damaged copies of an input, for tests/cli/input/bad_input.sh.
 *
 *	damage FILE FOLDER MOST
 *
 * writes damaged copies of FILE to FOLDER, at most MOST of each kind:
 *
 *	cut-N	truncated
 *	byte-N	one byte changed
 *	type-N	JSON: one value replaced; the new value has another type, is out of range or is deeply nested
 *	key-N	JSON: one key renamed
 *
 * The same FILE always gives the same copies, which have the extension of FILE.
 */
#include "base/arena.h"
#include "input/json/json_reader.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	BOMB_DEPTH = 200000,
	LONG_STRING_BYTES = 300 * 1024,
	KINDS_OF_BYTES = 8,
};

struct span {
	size_t from, to;
	bool key;
};

struct spans {
	struct span *items;
	size_t count;
};

struct input {
	char *data;
	size_t size;
	const char *folder;
	const char *ending;
};

/* --- the copies ---------------------------------------------------------------------- */

static void
fail(const char *what)
{
	fprintf(stderr, "damage: %s\n", what);
	exit(2);
}

/* Writes a copy of the input in which `piece` replaces the bytes at.from to at.to. */
static void
write_copy(const struct input *in, const char *kind, size_t n, struct span at, const char *piece,
	size_t piece_size)
{
	char path[4096];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s-%05zu%s", in->folder, kind, n, in->ending);
	out = fopen(path, "wb");
	if (!out)
		fail(path);
	fwrite(in->data, 1, at.from, out);
	fwrite(piece, 1, piece_size, out);
	fwrite(in->data + at.to, 1, in->size - at.to, out);
	if (fclose(out))
		fail(path);
}

/* Writes truncated copies. The cuts are spread over the whole file, and include its first and last bytes. */
static void
write_cuts(const struct input *in, size_t most)
{
	size_t count = in->size < most ? in->size : most;

	for (size_t i = 0; i < count; i++) {
		size_t at =
			count == in->size ? i : i * (in->size - 1) / (count > 1 ? count - 1 : 1);

		write_copy(in, "cut", i, (struct span){ .from = at, .to = in->size }, "", 0);
	}
}

/* A linear congruential generator with the same results on every machine. */
static uint32_t
next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static void
write_bytes(const struct input *in, size_t most)
{
	static const char bytes[KINDS_OF_BYTES] = { '\0', '"', '{', ']', ',', '\\', '-', '\xff' };
	uint32_t state = 20161024;

	for (size_t i = 0; i < most; i++) {
		size_t at = next_random(&state) % in->size;
		char c = i % 2 ? bytes[next_random(&state) % KINDS_OF_BYTES]
			       : (char)next_random(&state);

		write_copy(in, "byte", i, (struct span){ .from = at, .to = at + 1 }, &c, 1);
	}
}

/* --- JSON ------------------------------------------------------------------------------ */

static void
add_span(struct spans *s, size_t from, size_t to, bool key)
{
	s->items = xrealloc(s->items, (s->count + 1) * sizeof(*s->items));
	s->items[s->count++] = (struct span){ from, to, key };
}

/* Recursion is safe, because the inputs are the project's own small files. */
static bool
find_values(struct json_reader *r, struct spans *s, struct error *err)
{
	enum json_type type;
	struct text key;
	size_t from;
	bool more;

	if (!json_peek(r, &type, err))
		return false;
	from = (size_t)json_offset(r);
	if (type == JSON_OBJECT) {
		if (!json_enter(r, err))
			return false;
		while (json_next_key(r, &key, &more, err) && more) {
			size_t at = (size_t)json_value_offset(r);

			add_span(s, at, at + key.size + 2, true);
			if (!find_values(r, s, err))
				return false;
		}
	} else if (type == JSON_ARRAY) {
		if (!json_enter(r, err))
			return false;
		while (json_next_item(r, &more, err) && more)
			if (!find_values(r, s, err))
				return false;
	} else if (!json_skip(r, err)) {
		return false;
	}
	add_span(s, from, (size_t)json_offset(r), false);
	return !err->code;
}

static bool
find_all(const struct input *in, struct spans *s)
{
	const struct json_options options = { .source = "input" };
	struct json_reader *r = json_reader_new_memory(in->data, in->size, 0, &options);
	struct error err = ERROR_INIT;
	bool end = false;
	bool ok;

	while ((ok = json_at_end(r, &end, &err)) && !end && (ok = find_values(r, s, &err)))
		;
	json_reader_free(r);
	return ok;
}

struct piece {
	const char *data;
	size_t size;
};

static struct piece
bomb(const char *open, const char *close)
{
	size_t step = strlen(open);
	size_t size = BOMB_DEPTH * (step + 1);
	char *text = xmalloc(size);

	for (size_t i = 0; i < BOMB_DEPTH * step; i++)
		text[i] = open[i % step];
	memset(text + BOMB_DEPTH * step, *close, BOMB_DEPTH);
	return (struct piece){ text, size };
}

static struct piece
long_string(void)
{
	char *text = xmalloc(LONG_STRING_BYTES);

	memset(text, ';', LONG_STRING_BYTES);
	text[0] = text[LONG_STRING_BYTES - 1] = '"';
	return (struct piece){ text, LONG_STRING_BYTES };
}

/* Writes copies in which one value is replaced by another: at most `most` copies in which the new value is small, and
 * some copies in which it is large. */
static void
write_values(const struct input *in, const struct spans *s, size_t most)
{
	static const char *const small[] = { "null", "true", "\"text\"", "7", "{}", "[]", "-1",
		"1e999", "-1e-999", "18446744073709551616", "-9223372036854775809",
		"123456789012345678901234567890.5", "\"\"", "\"\\u0000\\ud800\"", "[{}]",
		"{\"a\":[1]}", "2.5", "4294967296" };
	const size_t kinds = sizeof(small) / sizeof(*small);
	const struct piece large[] = { bomb("[", "]"), bomb("{\"a\":", "}"), long_string() };
	size_t all = s->count * kinds;
	size_t step = all > most ? all / most + 1 : 1;
	size_t n = 0;

	/* If the step has no common factor with the number of kinds, every kind is used. */
	while (step > 1 && (step % 2 == 0 || step % 3 == 0))
		step++;
	for (size_t i = 0; i < all; i += step) {
		const struct span *at = &s->items[i / kinds];

		if (!at->key)
			write_copy(
				in, "type", n++, *at, small[i % kinds], strlen(small[i % kinds]));
	}
	for (size_t i = 0; i < s->count; i += s->count / 12 + 1)
		for (size_t k = 0; k < sizeof(large) / sizeof(*large) && !s->items[i].key; k++)
			write_copy(in, "type", n++, s->items[i], large[k].data, large[k].size);
	for (size_t k = 0; k < sizeof(large) / sizeof(*large); k++)
		free((void *)(uintptr_t)large[k].data);
}

static void
write_keys(const struct input *in, const struct spans *s, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < s->count && n < most; i++)
		if (s->items[i].key)
			write_copy(in, "key", n++, s->items[i], "\"renamed\"", 9);
}

/* --- main ------------------------------------------------------------------------------ */

static void
read_input(struct input *in, const char *path)
{
	FILE *f = fopen(path, "rb");
	const char *slash = strrchr(path, '/');
	const char *dot = strchr(slash ? slash + 1 : path, '.');
	long size = 0;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) <= 1)
		fail(path);
	rewind(f);
	in->size = (size_t)size;
	in->data = xmalloc(in->size);
	if (fread(in->data, 1, in->size, f) != in->size)
		fail(path);
	fclose(f);
	in->ending = dot ? dot : "";
}

int
main(int argc, char **argv)
{
	struct input in = { .folder = argc > 2 ? argv[2] : NULL };
	struct spans spans = { NULL, 0 };
	size_t most;

	if (argc != 4)
		fail("FILE FOLDER MOST");
	most = (size_t)strtoul(argv[3], NULL, 10);
	read_input(&in, argv[1]);
	write_cuts(&in, most);
	write_bytes(&in, most);
	if (find_all(&in, &spans)) {
		write_values(&in, &spans, 3 * most);
		write_keys(&in, &spans, most);
	}
	free(spans.items);
	free(in.data);
	return 0;
}
