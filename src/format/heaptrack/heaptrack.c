/*
 * Reads heaptrack's recordings, interpreted or raw: allocations, temporary ones, memory at the peak
 * and leaks per stack, and memory over time. heaptrack_private.h has the format.
 */
#include "format/formats.h"
#include "heaptrack_private.h"
#include "heaptrack_raw.h"
#include "input/bundle/bundle.h"

#include <stdlib.h>
#include <unistd.h>

enum {
	TEXT_MAX_BYTES = 8 * 1024 * 1024,
	MAGIC_BITS = 8 * 16,
};

/* Letters that may begin the second line. */
static bool
is_record_letter(char c)
{
	return c && strchr("xXAI#mscitaSR+-", c);
}

/* "v 10400 3" and a line of a letter and a blank. */
static bool
is_recording(const char *head, size_t size)
{
	struct text rest;
	const char *lf = memchr(head, '\n', size);
	uint64_t version;
	uint64_t format;

	if (!lf || lf - head < 4 || head[0] != 'v' || head[1] != ' ')
		return false;
	rest = (struct text){ head + 2, (size_t)(lf - head) - 2 };
	if (!heaptrack_take(&rest, &version) || version < 0x100 || version > 0xFFFFFF)
		return false;
	if (rest.size && (!heaptrack_take(&rest, &format) || rest.size))
		return false;
	lf++;
	size -= (size_t)(lf - head);
	return !size || (is_record_letter(lf[0]) && (size == 1 || lf[1] == ' ' || lf[1] == '\n'));
}

static void
release(struct heaptrack *h)
{
	heaptrack_raw_free(h->raw);
	frame_dictionary_free(h->dictionary);
	free(h->strings);
	free(h->ips);
	free(h->frames);
	free(h->traces);
	free(h->infos);
	free(h->sites);
	strbuf_release(&h->text);
	strbuf_release(&h->attributes);
	arena_release(&h->arena);
}

static bool
read_member(struct format_source *source, struct sink *sink, uint32_t set, size_t member,
	int64_t done, struct error *err)
{
	struct heaptrack h = { .source = source,
		.sink = sink,
		.err = err,
		.set = set,
		.name = bundle_member(source->bundle, member)->name,
		.done = done,
		.arena = ARENA_INIT };
	int fd = bundle_open_member(source->bundle, member, err);
	bool ok;

	if (fd < 0)
		return false;
	strbuf_init(&h.text, TEXT_MAX_BYTES);
	strbuf_init(&h.attributes, TEXT_MAX_BYTES);
	h.dictionary = frame_dictionary_new(sink, set);
	ok = heaptrack_declare(&h) && heaptrack_read(&h, fd, heaptrack_line) &&
	     (h.versioned || heaptrack_refuse(&h, "the file has no recording")) &&
	     heaptrack_emit(&h) &&
	     (h.raw ? heaptrack_raw_emit_objects(&h) : heaptrack_emit_groups(&h));
	release(&h);
	close(fd);
	return ok;
}

static const struct heap_reader reader = { "heaptrack recording", is_recording, read_member };

static int
probe(const struct format_source *source)
{
	return heap_probe(&reader, source, MAGIC_BITS);
}

static enum format_result
read_input(struct format_source *source, struct sink *sink, struct error *err)
{
	return heap_read_members(&reader, source, sink, err);
}

const struct format format_heaptrack = {
	.name = "heaptrack",
	.title = "heaptrack recordings, interpreted or raw",
	.profiler = "heaptrack",
	.known_by = "a first line \"v VERSION FORMAT\" in hex",
	.reads = true,
	.several = true,
	.probe = probe,
	.read = read_input,
};
