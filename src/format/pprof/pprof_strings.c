/* The string table of a pprof profile. */
#include "pprof_private.h"

#include "base/depot_text.h"

#include <stdlib.h>

static void
append(struct pprof_strings *s, const void *bytes, size_t size)
{
	ARRAY_RESERVE(s->bytes, s->room, s->used + size);
	if (size)
		memcpy(s->bytes + s->used, bytes, size);
	s->used += size;
}

/* The bytes before the next one that the depot's text needs escaped or replaced. */
static size_t
plain_prefix(const char *bytes, size_t size)
{
	const char *nul = memchr(bytes, 0, size);
	const char *escape;
	size_t n = nul ? (size_t)(nul - bytes) : size;

	escape = memchr(bytes, DEPOT_TEXT_ESCAPE, n);
	return text_utf8_prefix(bytes, escape ? (size_t)(escape - bytes) : n);
}

static void
append_escaped(struct pprof_strings *s, uint16_t unit)
{
	struct strbuf escape;

	strbuf_init(&escape, 2 * (size_t)DEPOT_TEXT_ESCAPE_BYTES);
	depot_text_append_unit(&escape, unit);
	append(s, escape.data, escape.size);
	strbuf_release(&escape);
}

void
pprof_strings_add(struct pprof_strings *s, const uint8_t *bytes, size_t size, uint64_t offset)
{
	const char *p = (const char *)bytes;
	bool bad = false;

	for (size_t at = 0; at < size; at++) {
		const size_t n = plain_prefix(p + at, size - at);

		append(s, p + at, n);
		at += n;
		if (at == size)
			break;
		if (p[at] == 0 || p[at] == DEPOT_TEXT_ESCAPE) {
			append_escaped(s, (uint16_t)p[at]);
		} else {
			append(s, "\xEF\xBF\xBD", 3);
			bad = true;
		}
	}
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
	return reader_refuse_at(p->in, offset, "%s is string %lld of %zu", what, (long long)index,
		p->strings.count);
}
