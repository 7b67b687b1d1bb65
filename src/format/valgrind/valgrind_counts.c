/*
 * An error's count is at the end of the document, so errors wait in memory for their counts. If too
 * many errors wait, the rest of the document is searched once for the counts.
 */
#include "base/array.h"
#include "base/fd.h"
#include "valgrind_private.h"

#include <stdlib.h>

enum {
	BLOCK_BYTES = 256 * 1024,
	OVERLAP_BYTES = 16, /* longer than any tag that is searched for */
};

void
valgrind_count_add(struct vg_document *d, uint64_t unique, uint64_t count)
{
	uint32_t at;

	if (d->counts.count >= INT32_MAX)
		return;
	at = pair_map_add(&d->counts, (int64_t)unique, 0, (uint32_t)d->counts.count, NULL);
	ARRAY_RESERVE(d->count_values, d->count_room, d->counts.count);
	/* A document can contain an error's count several times; the last count is final. */
	d->count_values[at] = count;
}

uint64_t
valgrind_count(const struct vg_document *d, uint64_t unique)
{
	uint32_t at = pair_map_get(&d->counts, (int64_t)unique, 0);

	return at == PAIR_MAP_NONE || !d->count_values[at] ? 1 : d->count_values[at];
}

/* Reads the number in the first element with this tag; returns false if there is none. */
static bool
number_in(struct text t, const char *tag, uint64_t *out)
{
	size_t at = text_find(t, tag);

	if (at == TEXT_NOT_FOUND)
		return false;
	t = text_from_at(t, at + strlen(tag));
	return valgrind_number(text_up_to(t, text_find(t, "<")), out);
}

/* Reads the counts in t, a piece of the file. Returns the number of bytes at the end of the piece that
 * must be read again with the next piece. */
static size_t
read_counts(struct vg_document *d, struct text t, bool *done)
{
	for (;;) {
		size_t begin = text_find(t, "<pair>");
		struct text pair = text_from_at(t, begin);
		size_t end = text_find(pair, "</pair>");
		uint64_t count, unique;

		*done = text_find(text_up_to(t, begin), "valgrindoutput>") != TEXT_NOT_FOUND;
		if (!*done && pair.size && end == TEXT_NOT_FOUND && pair.size < BLOCK_BYTES / 2)
			return pair.size;
		if (*done || end == TEXT_NOT_FOUND)
			return t.size < OVERLAP_BYTES ? t.size : OVERLAP_BYTES;
		t = text_from_at(pair, end);
		pair.size = end;
		if (number_in(pair, "<count>", &count) && number_in(pair, "<unique>", &unique))
			valgrind_count_add(d, unique, count);
	}
}

bool
valgrind_counts_ahead(struct vg_document *d, uint64_t from)
{
	char *block = xmalloc(BLOCK_BYTES);
	size_t kept = 0;
	ssize_t n = 1;
	bool done = false;

	d->counts_known = true;
	while (!done && n > 0) {
		n = fd_pread(d->in->fd, block + kept, BLOCK_BYTES - kept, from);
		if (n > 0) {
			struct text t = { block, kept + (size_t)n };

			from += (uint64_t)n;
			kept = read_counts(d, t, &done);
			memmove(block, block + t.size - kept, kept);
		}
	}
	free(block);
	return n >= 0 || error_set_errno(d->in->err, ERROR_FILE, "%s: cannot be read", d->in->name);
}
