/*
 * Heap profiles of tcmalloc (gperftools) and of Go's net/http/pprof with debug=1: a line of
 * totals, "heap profile: 1: 2 [3: 4] @ heap_v2/524288", then a line a stack with its
 * addresses, innermost first. Source: gperftools' heap-profile-table.cc, Go's
 * runtime/pprof and pprof's legacy_profile.go, whose scaling this is.
 *
 * Go writes what each address is as comments behind the stack; of the frames that it leaves
 * out there (runtime.goexit) only an address is known, which is no name to compare runs by:
 * they are left out here too.
 */
#include "format/formats.h"
#include "heap_text.h"

#include <stdlib.h>

#define BEGIN "heap profile:"

enum {
	COMMENTS_MAX = 4096 /* of one stack */
};

struct comment {
	uint64_t address;
	struct text function, file;
	int64_t line;
};

struct tcmalloc {
	struct heap_text *h;
	struct arena arena; /* of a stack's comments */
	int32_t track;
	bool open, go;
	struct heap_counts counts, sum, total;
	struct comment *comments;
	size_t comment_count;
};

static int
probe(const struct format_source *source)
{
	return heap_text_probe(source, BEGIN);
}

/* --- a stack ----------------------------------------------------------------------- */

/* The comments on the address, in their order: inlined functions have the same. */
static bool
push_comments(struct tcmalloc *t, uint64_t address, size_t *next)
{
	while (*next < t->comment_count) {
		const struct comment *c = &t->comments[*next];
		const struct frame f = { .function = c->function,
			.file = c->file,
			.line = c->line,
			.start_line = MODEL_NULL,
			.address = c->address };

		if (c->address != address && c->address + 1 != address)
			return true;
		(*next)++;
		if (!stack_push(t->h->frames, &f, t->h->err))
			return false;
	}
	return true;
}

static bool
push_stack(struct tcmalloc *t, stack_number *stack)
{
	struct heap_text *h = t->h;
	size_t next = 0;

	stack_begin(h->frames);
	for (size_t i = 0; i < h->address_count; i++)
		if (t->comment_count ? !push_comments(t, h->addresses[i], &next)
				     : !heap_text_push(h, h->addresses[i]))
			return false;
	/* Comments that no address stands for are frames all the same. */
	while (next < t->comment_count)
		if (!push_comments(t, t->comments[next].address, &next))
			return false;
	return heap_text_stack(h, stack);
}

static bool
end_stack(struct tcmalloc *t)
{
	stack_number stack;

	if (!t->open)
		return true;
	t->open = false;
	for (int k = 0; k < HEAP_VALUES; k++)
		t->sum.v[k] += t->counts.v[k];
	if (!push_stack(t, &stack))
		return false;
	t->comment_count = 0;
	arena_reset(&t->arena);
	return heap_text_sample(t->h, t->track, stack, &t->counts);
}

/* --- lines ------------------------------------------------------------------------- */

/* "#\t0x4b3c0a\tmain.alloc+0x2a\t\t/tmp/m.go:5", or of the program: "# Alloc = 123" */
static void
take_comment(struct tcmalloc *t, struct text line)
{
	struct comment c = { .line = MODEL_NULL };
	struct text rest = text_from_at(line, 1);
	size_t tab;
	size_t plus;
	size_t colon;
	struct text place;

	scan_blanks(&rest);
	if (!t->open || !text_begins(rest, "0x") || !scan_hex(&rest, &c.address)) {
		if (rest.size)
			members_element(&t->h->comments, rest);
		return;
	}
	scan_blanks(&rest);
	tab = text_find(rest, "\t");
	c.function = text_trim(text_up_to(rest, tab));
	for (plus = c.function.size; plus && c.function.data[plus - 1] != '+'; plus--)
		;
	if (plus > 1 && text_begins(text_from_at(c.function, plus), "0x"))
		c.function.size = plus - 1;
	place = text_trim(text_from_at(rest, tab));
	for (colon = place.size; colon && place.data[colon - 1] != ':'; colon--)
		;
	if (colon > 1) {
		struct text digits = text_from_at(place, colon);
		uint64_t v;

		if (scan_decimal(&digits, &v) && !digits.size && v < INT32_MAX) {
			c.line = (int64_t)v;
			place = text_up_to(place, colon - 1);
		}
	}
	if (t->comment_count >= COMMENTS_MAX)
		return;
	t->go = true;
	c.function = arena_text(&t->arena, c.function);
	c.file = arena_text(&t->arena, place);
	t->comments[t->comment_count++] = c;
}

static bool
take_line(struct tcmalloc *t)
{
	struct text line = t->h->line.text;

	if (!line.size)
		return end_stack(t);
	if (line.data[0] == '#') {
		take_comment(t, line);
		return true;
	}
	if (!end_stack(t))
		return false;
	if (heap_text_counts(&line, &t->counts)) {
		scan_blanks(&line);
		if (scan_word(&line, "@") && heap_text_addresses(t->h, line)) {
			t->open = true;
			return true;
		}
	}
	return heap_text_issue(t->h, ISSUE_LEFT_OUT,
		"a line that is no \"COUNT: BYTES [COUNT: BYTES] @ ADDRESS...\" was left out");
}

/* --- a file ------------------------------------------------------------------------ */

/* "@ heap_v2/524288": how it was sampled. Go doubles its rate there. */
static void
take_kind(struct tcmalloc *t, struct text kind)
{
	uint64_t rate = 0;
	struct text rest;

	kind = text_trim(kind);
	rest = kind;
	if (scan_word(&rest, "heap_v2/") || scan_word(&rest, "heapz_v2/")) {
		scan_decimal(&rest, &rate);
	} else if (scan_word(&rest, "heap/")) {
		scan_decimal(&rest, &rate);
		rate /= 2;
	}
	t->h->rate = rate > 1 ? (double)rate : 0;
	members_text(&t->h->attributes, "kind", kind);
	members_number(&t->h->attributes, "sample_rate", rate);
}

static bool
read_head(struct tcmalloc *t, struct line_reader *r)
{
	struct heap_text *h = t->h;
	struct text line;
	bool more;

	do
		if (!heap_text_next(h, r, &more))
			return false;
	while (more && !text_begins(h->line.text, BEGIN));
	line = h->line.text;
	if (!more || !scan_word(&line, BEGIN) || !heap_text_counts(&line, &t->total))
		return error_set(h->err, ERROR_INPUT,
			"%s: line %llu: no totals \"heap profile: COUNT: BYTES [COUNT: BYTES]\" of "
			"63 bits",
			h->name, (unsigned long long)h->line.number);
	scan_blanks(&line);
	if (scan_word(&line, "@"))
		take_kind(t, line);
	h->all = true;
	members_number(&h->attributes, "total_objects", t->total.v[HEAP_LIVE_OBJECTS]);
	members_number(&h->attributes, "total_bytes", t->total.v[HEAP_LIVE_BYTES]);
	members_number(&h->attributes, "total_alloc_objects", t->total.v[HEAP_ALL_OBJECTS]);
	members_number(&h->attributes, "total_alloc_bytes", t->total.v[HEAP_ALL_BYTES]);
	return heap_text_metrics(h) &&
	       heap_text_track(h, text_from(h->name), MODEL_NULL, &t->track);
}

static bool
check_total(struct tcmalloc *t)
{
	if (memcmp(&t->sum, &t->total, sizeof(t->sum)) != 0 &&
		!heap_text_issue(t->h, ISSUE_SUMMARY,
			"the totals of the first line are not the sum of the stacks"))
		return false;
	if (t->go)
		return t->h->sink->metadata(
			t->h->sink, t->h->set, "tool", TEXT_LITERAL("Go"), t->h->err);
	return t->h->has_libraries || heap_text_issue(t->h, ISSUE_REPORT_CUT,
					      "the file ends without MAPPED_LIBRARIES: addresses "
					      "stay as they are");
}

static bool
read_lines(struct heap_text *h, struct line_reader *r)
{
	struct tcmalloc t = { .h = h, .arena = ARENA_INIT };
	bool more = true;
	bool ok = read_head(&t, r);

	t.comments = xcalloc(COMMENTS_MAX, sizeof(*t.comments));
	while (ok && more) {
		ok = heap_text_next(h, r, &more);
		if (ok && more)
			ok = take_line(&t);
	}
	ok = ok && end_stack(&t) && check_total(&t);
	arena_release(&t.arena);
	free(t.comments);
	return ok;
}

static enum format_result
read_tcmalloc(struct format_source *source, struct sink *sink, struct error *err)
{
	return heap_text_read(source, sink, BEGIN, read_lines, err);
}

const struct format format_tcmalloc = {
	.name = "tcmalloc",
	.title = "heap profiles of tcmalloc (gperftools) and Go, as text",
	.profiler = "tcmalloc",
	.known_by = "a first line \"heap profile: COUNT: BYTES [COUNT: BYTES] @ ...\"",
	.reads = true,
	.several = true,
	.probe = probe,
	.read = read_tcmalloc,
};
