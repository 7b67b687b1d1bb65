/* Collects events in a temporary file, and sorts them before they are written to the output. */
#include "base/array.h"
#include "chrome_write_private.h"

#include <stdlib.h>

enum {
	MAX_EVENTS = 64 * 1000 * 1000
};

bool
chrome_keep(struct chrome_writer *w, int64_t index, struct error *err)
{
	const int64_t end = ftello(w->kept);

	if (end < 0 || ferror(w->kept))
		return error_set_errno(err, ERROR_FILE, "temporary file");
	if (w->count >= MAX_EVENTS)
		return error_set(err, ERROR_LIMIT, "more than %d events", MAX_EVENTS);
	ARRAY_RESERVE(w->events, w->room, w->count + 1);
	w->events[w->count] = (struct kept_event){ .index = index,
		.number = w->count,
		.at = w->kept_bytes,
		.size = (size_t)(end - w->kept_bytes) };
	w->count++;
	w->kept_bytes = end;
	return true;
}

static int
compare_kept(const void *x, const void *y)
{
	const struct kept_event *a = x, *b = y;

	if (a->index != b->index)
		return a->index < b->index ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Returns whether e is the same event as `before`. If the load made two spans from one event, the
 * event is in the list twice, but must be written once. */
static bool
is_repeated(const struct kept_event *e, const struct kept_event *before)
{
	return before && e->index == before->index && e->index != CHROME_BEFORE_ALL &&
	       e->index != CHROME_AFTER_ALL;
}

bool
chrome_write_kept(struct chrome_writer *w, struct error *err)
{
	if (w->count)
		qsort(w->events, w->count, sizeof(*w->events), compare_kept);
	for (size_t i = 0; i < w->count; i++) {
		const struct kept_event *e = &w->events[i];
		char *into;

		if (is_repeated(e, i ? e - 1 : NULL))
			continue;
		strbuf_reset(&w->text);
		into = strbuf_reserve(&w->text, e->size);
		if (fseeko(w->kept, e->at, SEEK_SET) != 0 || !into ||
			fread(into, 1, e->size, w->kept) != e->size)
			return error_set_errno(err, ERROR_FILE, "temporary file");
		fputs(i ? ",\n" : "\n", w->out);
		fwrite(into, 1, e->size, w->out);
	}
	return true;
}
