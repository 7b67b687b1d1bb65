/* The list of formats, and the detection of an input's format. */
#include "format/format.h"

#include "format/formats.h"
#include "input/bundle/bundle.h"
#include "input/json/json_shape.h"
#include "input/line_reader.h"

#include <string.h>
#include <unistd.h>

#define FORMAT_ROW(name) &format_##name,
const struct format *const formats[] = { FORMAT_TABLE(FORMAT_ROW) NULL };
#undef FORMAT_ROW

enum {
	KEYS_SHOWN = 8,
	KEY_SHOWN_BYTES = 40,
	FOREIGN_HEAD_BYTES = 4096,
	MARK_MIN_BYTES = 4 /* no format has a mark in a shorter line */
};

const struct format *
format_find(const char *name)
{
	for (size_t i = 0; formats[i]; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}

#define GO_HINT \
	"fetch it without ?debug=1, or convert it to a pprof file: go tool pprof -proto " \
	"-output profile.pb.gz PROGRAM FILE"
#define CPU_HINT \
	"convert it to collapsed stacks: google-pprof --collapsed PROGRAM FILE; or to a pprof " \
	"file: go tool pprof -proto -output profile.pb.gz PROGRAM FILE"

#define UTF16_HINT "convert it first: iconv -f UTF-16 -t UTF-8 FILE"

struct foreign {
	const char *begin; /* the first bytes of such a file; NULL if is() decides */
	bool (*is)(struct text head);
	const char *noun;
	const char *hint;
};

/* Returns whether the file is a Go count profile, such as "goroutine profile: total 7". */
static bool
is_go_count(struct text head)
{
	struct text line = text_up_to(head, text_find(head, "\n"));
	size_t at = text_find(line, " profile: total ");

	if (at == TEXT_NOT_FOUND || !at)
		return false;
	line = text_from_at(line, at + strlen(" profile: total "));
	return line.size && char_is_digit(*line.data);
}

/* Returns whether the file is the log of a valgrind tool that writes its results to another
 * file. */
static bool
is_valgrind_log(struct text head)
{
	static const char *const names[] = { "== Massif, a ", "== Cachegrind, a ",
		"== Callgrind, a ", "== DHAT, a ", "== Nulgrind, " };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (text_find(head, names[i]) != TEXT_NOT_FOUND)
			return true;
	return false;
}

static uint64_t
word_at(struct text head, size_t number, size_t size, bool big)
{
	const char *p = head.data + number * size;
	uint64_t v = 0;

	for (size_t i = 0; i < size; i++)
		v = v << 8 | (unsigned char)p[big ? i : size - 1 - i];
	return v;
}

/* Returns whether the file begins with five machine words of 4 or 8 bytes: 0, 3, 0, the period in
 * microseconds, 0. */
static bool
is_cpu_profile(struct text head)
{
	for (size_t size = 4; size <= 8; size += 4)
		for (int big = 0; big < 2; big++)
			if (head.size >= 5 * size && !word_at(head, 0, size, big) &&
				word_at(head, 1, size, big) == 3 && !word_at(head, 2, size, big) &&
				word_at(head, 3, size, big) - 1 < INT32_MAX &&
				!word_at(head, 4, size, big))
				return true;
	return false;
}

/* Returns whether all bytes of the head are zero. */
static bool
is_zeros(struct text head)
{
	return head.size && !head.data[0] && memcmp(head.data, head.data + 1, head.size - 1) == 0;
}

static const struct foreign foreign_formats[] = {
	{ NULL, is_zeros, "zeros where a profile should begin",
		"the file was probably never written, for example because the disk was full; "
		"record or copy it again" },
	{ NULL, is_go_count, "a Go count profile as text", GO_HINT },
	{ "--- contention", NULL, "a contention profile as text", GO_HINT },
	{ "--- mutex:", NULL, "a Go mutex profile as text", GO_HINT },
	{ NULL, is_cpu_profile, "a gperftools CPU profile without function names", CPU_HINT },
	{ "--- symbol", NULL, "a symbolised gperftools profile",
		"write collapsed stacks instead: google-pprof --collapsed PROGRAM FILE" },
	{ "PERFILE2", NULL, "a perf recording (perf.data)",
		"convert it to text: perf script -i FILE" },
	{ "\xFF\xFE", NULL, "UTF-16 text", UTF16_HINT },
	{ "\xFE\xFF", NULL, "UTF-16 text", UTF16_HINT },
	{ "FLR\0", NULL, "a Java Flight Recorder file",
		"convert it to collapsed stacks: async-profiler's jfrconv -o collapsed FILE" },
	{ NULL, is_valgrind_log, "the log of a valgrind tool that finds neither leaks nor errors",
		"load the file that the tool writes, such as massif.out.PID or callgrind.out.PID" },
	{ "gmon", NULL, "a gprof profile, which has no stacks", "gprof PROGRAM FILE shows it" },
};

/* If the file has a known format that profdepot does not read, sets err to ERROR_INPUT with a hint
 * on conversion. */
static bool
refuse_foreign(const struct format_source *source, struct error *err)
{
	for (size_t i = 0; source->bundle && i < bundle_count(source->bundle); i++) {
		struct text head = text_up_to(bundle_head(source->bundle, i), FOREIGN_HEAD_BYTES);

		for (size_t k = 0; k < sizeof(foreign_formats) / sizeof(foreign_formats[0]); k++) {
			const struct foreign *f = &foreign_formats[k];

			if (f->begin ? !text_begins(head, f->begin) : !f->is(head))
				continue;
			error_set(err, ERROR_INPUT, "%s: %s, which profdepot does not read",
				bundle_is_file(source->bundle)
					? source->path
					: bundle_member(source->bundle, i)->name,
				f->noun);
			error_hint(err, "%s", f->hint);
			return true;
		}
	}
	return false;
}

/* Appends a piece to a buffer; truncates the piece if the buffer is too small. */
static void
append(char *out, size_t size, const char *piece)
{
	size_t used = strlen(out);

	snprintf(out + used, size - used, "%s", piece);
}

/* Describes the top level, for example: an array of objects with the keys "a", "b". */
static void
describe_json(const struct json_shape *shape, char *out, size_t size)
{
	bool array = shape->top == JSON_TOP_ARRAY;

	out[0] = '\0';
	if (shape->top == JSON_TOP_OTHER) {
		append(out, size, "a single value");
		return;
	}
	if (shape->key_count == 0) {
		append(out, size, array ? "an array without objects" : "an empty object");
		return;
	}
	append(out, size, array ? "an array of objects with the keys" : "an object with the keys");
	for (size_t i = 0; i < shape->key_count && i < KEYS_SHOWN; i++) {
		char key[KEY_SHOWN_BYTES + 8];

		snprintf(key, sizeof(key), "%s \"%.*s\"", i ? "," : "",
			text_precision(shape->keys[i], KEY_SHOWN_BYTES), shape->keys[i].data);
		for (char *p = key; *p; p++)
			if (char_is_control(*p))
				*p = '?';
		append(out, size, key);
	}
	if (shape->key_count > KEYS_SHOWN)
		append(out, size, " ...");
}

/* Returns how many of the input's keys are in f->known_by. */
static size_t
count_known(const struct format *f, const struct json_shape *shape)
{
	size_t count = 0;

	for (size_t i = 0; i < shape->key_count; i++) {
		char quoted[KEY_SHOWN_BYTES + 8];

		snprintf(quoted, sizeof(quoted), "\"%.*s\"",
			text_precision(shape->keys[i], KEY_SHOWN_BYTES), shape->keys[i].data);
		count += shape->keys[i].size > 0 && strstr(f->known_by, quoted) != NULL;
	}
	return count;
}

/* The format that knows the largest number of the input's keys; NULL if no format knows any. */
static const struct format *
nearest(const struct json_shape *shape)
{
	const struct format *best = NULL;
	size_t most = 0;

	for (size_t i = 0; formats[i]; i++) {
		size_t count = formats[i]->json ? count_known(formats[i], shape) : 0;

		if (count > most) {
			most = count;
			best = formats[i];
		}
	}
	return best;
}

static const char lists_all[] =
	"\"profdepot formats\" lists the formats; --output json adds how each is recognised";

/* Adds the formats' hints about an input that no format recognises. */
static void
hint_nearly(const struct format_source *source, char *out, size_t size)
{
	for (size_t i = 0; formats[i]; i++) {
		const char *nearly = formats[i]->nearly ? formats[i]->nearly(source) : NULL;

		append(out, size, nearly ? nearly : "");
		append(out, size, nearly ? "; " : "");
	}
}

static void
hint_json(char *out, size_t size)
{
	append(out, size, "looked for");
	for (size_t i = 0, n = 0; formats[i]; i++) {
		if (!formats[i]->json)
			continue;
		append(out, size, n++ ? "; " : " ");
		append(out, size, formats[i]->name);
		append(out, size, ": ");
		append(out, size, formats[i]->known_by);
	}
}

bool
format_explain(const struct format_source *source, struct error *err)
{
	for (size_t i = 0; formats[i]; i++)
		if (formats[i]->refuse && formats[i]->refuse(source, err))
			return true;
	return refuse_foreign(source, err);
}

static bool
refuse(const struct format_source *source, struct error *err)
{
	bool json = source->shape && source->shape->top != JSON_TOP_NONE;
	const struct format *near = json ? nearest(source->shape) : NULL;
	char top[KEYS_SHOWN * (KEY_SHOWN_BYTES + 8) + 64];
	char hint[sizeof(err->hint)] = "";

	if (format_explain(source, err))
		return false;
	if (json) {
		describe_json(source->shape, top, sizeof(top));
		error_set(err, ERROR_INPUT,
			"%s: JSON, but not in a format that profdepot reads: %s", source->path,
			top);
	} else {
		error_set(
			err, ERROR_INPUT, "%s: not in a format that profdepot reads", source->path);
	}
	if (near)
		return error_hint(err, "the nearest is %s: %s; \"profdepot formats\" lists all",
			near->name, near->known_by);
	hint_nearly(source, hint, sizeof(hint));
	if (json)
		hint_json(hint, sizeof(hint));
	else
		append(hint, sizeof(hint), lists_all);
	return error_hint(err, "%s", hint);
}

/* Searches the lines of a log for reports of the formats. states[i] belongs to formats[i]; it is NULL if that
 * format does not recognise logs by lines. */
struct looking {
	void **states;
	const struct format *found;
};

static void
look_at_line(struct looking *l, struct text line)
{
	for (size_t i = 0; formats[i] && !l->found; i++)
		if (l->states[i] && formats[i]->lines->line(l->states[i], line))
			l->found = formats[i];
}

static void
look_at_member(struct looking *l, int fd)
{
	const struct line_options options = { .log = true };
	struct line_reader *lines = line_reader_new_fd(fd, &options);
	struct error err = ERROR_INIT;
	struct line line;
	bool more = true;

	for (size_t i = 0; formats[i]; i++)
		if (formats[i]->lines)
			l->states[i] = formats[i]->lines->begin(formats[i]->lines->kind);
	while (!l->found && line_next(lines, &line, &more, &err) && more)
		if (line.text.size >= MARK_MIN_BYTES)
			look_at_line(l, line.text);
	for (size_t i = 0; formats[i]; i++)
		if (l->states[i])
			formats[i]->lines->end(l->states[i]);
	line_reader_free(lines);
}

/* The first format that recognises a line of the input. Call this only if no probe recognised the
 * input. */
static const struct format *
search_lines(struct bundle *b)
{
	void *states[sizeof(formats) / sizeof(formats[0])] = { NULL };
	struct looking l = { states, NULL };

	for (size_t i = 0; !l.found && i < bundle_count(b); i++) {
		struct error err = ERROR_INIT;
		int fd = bundle_open_member(b, i, &err);

		if (fd < 0)
			continue;
		look_at_member(&l, fd);
		close(fd);
	}
	return l.found;
}

const struct format *
format_detect(const struct format_source *source, struct error *err)
{
	const struct format *best = NULL;
	int most = 0;

	for (size_t i = 0; formats[i]; i++) {
		int bits = formats[i]->reads ? format_probe(formats[i], source) : 0;

		if (bits > most) {
			most = bits;
			best = formats[i];
		}
	}
	if (!best && source->bundle && (bundle_is_file(source->bundle) || !source->shape))
		best = search_lines(source->bundle);
	if (!best)
		refuse(source, err);
	return best;
}
