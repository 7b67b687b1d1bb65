/*
 * Reads heaptrack recordings, interpreted or raw. For each stack, there are allocations, temporary
 * allocations, memory at the peak, and leaks. For the whole program, there is memory over time.
 * heaptrack_private.h describes the format.
 */
#include "format/formats.h"
#include "heaptrack_private.h"

#include <stdlib.h>

enum {
	TEXT_MAX_BYTES = 8 * 1024 * 1024,
	MAGIC_BITS = 8 * 16,
};

/* Returns whether the second line of a recording can begin with this letter. */
static bool
is_record_letter(char c)
{
	return c && strchr("xXAI#mscitaSR+-", c);
}

/* Returns whether the text begins with a line such as "v 10400 3", followed by a line that begins
 * with a letter and a blank. */
static bool
is_recording(struct text head)
{
	size_t lf = text_find(head, "\n");
	struct text rest = text_up_to(head, lf);
	struct text next = text_from_at(head, lf + 1);
	uint64_t version;
	uint64_t format;

	if (lf == TEXT_NOT_FOUND || !scan_word(&rest, "v ") || !heaptrack_take(&rest, &version) ||
		version < 0x100 || version > 0xFFFFFF)
		return false;
	if (rest.size && (!heaptrack_take(&rest, &format) || rest.size))
		return false;
	return !next.size ||
	       (is_record_letter(next.data[0]) &&
		       (next.size == 1 || next.data[1] == ' ' || next.data[1] == '\n'));
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
read_member(struct reader *r)
{
	struct heaptrack h = { .in = r, .arena = ARENA_INIT };
	bool ok;

	strbuf_init(&h.text, TEXT_MAX_BYTES);
	strbuf_init(&h.attributes, TEXT_MAX_BYTES);
	h.dictionary = frame_dictionary_new(r->sink, r->set);
	ok = reader_open(r) && heaptrack_declare(&h) && heaptrack_read(&h, heaptrack_line) &&
	     (h.versioned || reader_refuse(r, "the file has no recording")) && heaptrack_emit(&h) &&
	     (h.raw ? heaptrack_raw_emit_objects(&h) : heaptrack_emit_groups(&h));
	release(&h);
	return ok;
}

static int
look(const struct format_source *source, size_t member)
{
	return is_recording(bundle_head(source->bundle, member)) ? MAGIC_BITS : 0;
}

static const struct member_kind kind = {
	.noun = "heaptrack recording", .look = look, .read = read_member
};

const struct format format_heaptrack = {
	.name = "heaptrack",
	.title = "heaptrack recordings, interpreted or raw",
	.profiler = "heaptrack",
	.known_by = "a first line \"v VERSION FORMAT\" in hex",
	.covers = { [COVERAGE_LEAKS] = COVERAGE_FULL, [COVERAGE_HEAP] = COVERAGE_FULL },
	.reads = true,
	.several = true,
	.members = &kind,
};
