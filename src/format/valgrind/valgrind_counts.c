/*
 * An error's count is at the end of the document, so errors wait for their counts in memory. If too
 * many errors wait, the rest of the document is searched once for the counts.
 */
#include "base/fd.h"
#include "valgrind_private.h"

#include <stdlib.h>

enum {
	BLOCK_BYTES = 256 * 1024,
	OVERLAP_BYTES = 12, /* less than a tag */
};

void
valgrind_count_add(struct vg_document *d, uint64_t unique, uint64_t count)
{
	bool added;
	size_t n = d->counts.count;
	uint32_t at;

	if (n >= INT32_MAX)
		return;
	at = pair_map_add(&d->counts, (int64_t)unique, 0, (uint32_t)n, &added);
	if (added && n == d->count_room) {
		d->count_room = n ? n * 2 : 64;
		d->count_values =
			xrealloc(d->count_values, d->count_room * sizeof(*d->count_values));
	}
	/* A document can report an error's count several times; the last one is final. */
	d->count_values[at] = count;
}

uint64_t
valgrind_count(const struct vg_document *d, uint64_t unique)
{
	uint32_t at = pair_map_get(&d->counts, (int64_t)unique, 0);

	return at == PAIR_MAP_NONE || !d->count_values[at] ? 1 : d->count_values[at];
}

struct ahead {
	struct vg_document *document;
	char *block;
	size_t size;
	bool inside; /* of the counts */
	bool done;
};

static struct text
between(const char *s, const char *end, const char *open, const char **after)
{
	size_t n = strlen(open);
	const char *at = valgrind_find(s, (size_t)(end - s), open);
	const char *stop = at ? memchr(at + n, '<', (size_t)(end - at - (ptrdiff_t)n)) : NULL;

	*after = stop;
	if (!stop)
		return TEXT_NULL;
	return (struct text){ at + n, (size_t)(stop - at) - n };
}

/* Reads pairs from s on; returns the first one that is cut. */
static const char *
take_pairs(struct ahead *a, const char *s)
{
	const char *end = a->block + a->size;

	for (;;) {
		const char *close = valgrind_find(s, (size_t)(end - s), "</pair>");
		const char *stop = valgrind_find(s, (size_t)(end - s), "</errorcounts>");
		const char *after;
		struct text count, unique;
		uint64_t n, key;

		if (stop && (!close || stop < close)) {
			a->inside = false;
			return stop;
		}
		if (!close)
			return s;
		count = between(s, close, "<count>", &after);
		unique = between(s, close, "<unique>", &after);
		if (!text_is_null(count) && !text_is_null(unique) && valgrind_number(count, &n) &&
			valgrind_number(unique, &key))
			valgrind_count_add(a->document, key, n);
		s = close + 7;
	}
}

/* Searches a block; returns how many of its bytes the next one repeats. */
static size_t
search(struct ahead *a)
{
	const char *s = a->block;
	const char *end = s + a->size;

	while (!a->done) {
		const char *counts, *root;

		if (a->inside)
			s = take_pairs(a, s);
		if (a->inside)
			break;
		counts = valgrind_find(s, (size_t)(end - s), "<errorcounts>");
		root = valgrind_find(s, (size_t)(end - s), "valgrindoutput>");
		if (root && (!counts || root < counts))
			a->done = true;
		else if (counts)
			s = counts + 13;
		else
			break;
		a->inside = !a->done;
	}
	if (a->inside && end - s < BLOCK_BYTES / 2)
		return (size_t)(end - s);
	return a->size < OVERLAP_BYTES ? a->size : OVERLAP_BYTES;
}

bool
valgrind_counts_ahead(struct vg_document *d, uint64_t from)
{
	struct ahead a = { .document = d, .block = xmalloc(BLOCK_BYTES) };
	size_t kept = 0;
	ssize_t n = 1;

	d->counts_known = true;
	while (!a.done && n > 0) {
		n = fd_pread(d->in->fd, a.block + kept, BLOCK_BYTES - kept, from);
		if (n <= 0)
			break;
		from += (uint64_t)n;
		a.size = kept + (size_t)n;
		kept = search(&a);
		memmove(a.block, a.block + a.size - kept, kept);
	}
	free(a.block);
	return n >= 0 || error_set_errno(d->in->err, ERROR_FILE, "%s: cannot be read", d->in->name);
}
