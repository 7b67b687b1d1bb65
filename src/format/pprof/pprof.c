/* Reads and recognises pprof profiles. pprof_private.h describes the format. */
#include "pprof_private.h"

#include "format/formats.h"

#include <stdlib.h>
#include <unistd.h>

enum {
	ATTRIBUTES_MAX_BYTES = 16 * 1024 * 1024
};

static void
release(struct pprof *p)
{
	frame_dictionary_free(p->frames);
	pair_map_release(&p->mapping_ids.map);
	pair_map_release(&p->function_ids.map);
	pair_map_release(&p->location_ids.map);
	pair_map_release(&p->stacks);
	strbuf_release(&p->attributes);
	free(p->strings.bytes);
	free(p->strings.ends);
	free(p->mappings);
	free(p->functions);
	free(p->locations);
	free(p->lines);
	arena_release(&p->scratch);
	free(p);
}

static bool
read_member(struct reader *in)
{
	struct pprof *p = xcalloc(1, sizeof(*p));
	bool ok;

	p->in = in;
	strbuf_init(&p->attributes, ATTRIBUTES_MAX_BYTES);
	p->frames = frame_dictionary_new(in->sink, in->set);
	ok = reader_open(in) && pprof_read_strings(p) && pprof_read_tables(p) &&
	     pprof_add_metadata(p) && pprof_add_metrics(p) && pprof_read_samples(p);
	release(p);
	return ok;
}

/* Returns the number of bits that identify the member as a profile. Checks the first byte before all
 * others: it must be a field tag, which excludes most other files. */
static int
look(const struct format_source *source, size_t member)
{
	struct bundle *b = source->bundle;
	struct error ignored = ERROR_INIT;
	int fd, bits;

	if (!pprof_may_begin(bundle_head(b, member)))
		return 0;
	fd = bundle_open_member(b, member, &ignored);
	if (fd < 0)
		return 0;
	bits = pprof_verify(fd, (uint64_t)bundle_member(b, member)->size);
	close(fd);
	return bits;
}

static const struct member_kind kind = {
	.noun = "pprof profile", .look = look, .read = read_member, .captioned = true
};

const struct format format_pprof = {
	.name = "pprof",
	.title = "pprof profiles (profile.proto) from Go and many others",
	.profiler = "pprof",
	.known_by = "a protocol buffers message with sample types and a table of strings",
	.covers = { [COVERAGE_HEAP] = COVERAGE_UNKNOWN, [COVERAGE_SAMPLES] = COVERAGE_SAMPLED },
	.reads = true,
	.several = true,
	.members = &kind,
};
