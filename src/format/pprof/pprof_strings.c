/* The string table of a pprof profile. */
#include "pprof_private.h"

#include "format/common/heap_facts.h"

void
pprof_strings_add(struct pprof *p, const uint8_t *bytes, size_t size, uint64_t offset)
{
	struct pprof_strings *s = &p->strings;
	bool bad = false;
	const struct text clean =
		heap_clean_text(&p->attributes, (struct text){ (const char *)bytes, size }, &bad);

	ARRAY_RESERVE(s->bytes, s->room, s->used + clean.size);
	if (clean.size)
		memcpy(s->bytes + s->used, clean.data, clean.size);
	s->used += clean.size;
	if (bad && !s->bad_texts++)
		s->bad_text_offset = offset;
	*ARRAY_ADD(s->ends, s->count, s->ends_room) = s->used;
}

struct text
pprof_string(const struct pprof *p, int64_t index)
{
	const struct pprof_strings *s = &p->strings;
	const size_t i = (size_t)index;
	size_t from;

	if (index < 0 || i >= s->count)
		return TEXT_LITERAL("");
	from = i ? s->ends[i - 1] : 0;
	return s->ends[i] == from ? TEXT_LITERAL("")
				  : (struct text){ s->bytes + from, s->ends[i] - from };
}

bool
pprof_check_string(struct pprof *p, int64_t index, uint64_t offset, const char *what)
{
	if (index >= 0 && (uint64_t)index < p->strings.count)
		return true;
	return reader_refuse_at(p->in, offset, "%s is string %lld, but only %zu exist", what,
		(long long)index, p->strings.count);
}
