/*
 * Reads heap profiles from tcmalloc (gperftools) and from Go's net/http/pprof with debug=1.
 *
 * Format: totals, "heap profile: 1: 2 [3: 4] @ heap_v2/524288", then one line per stack with its
 * counts and addresses, innermost first. Source: gperftools' heap-profile-table.cc, Go's
 * runtime/pprof, and pprof's legacy_profile.go. Values are scaled as in legacy_profile.go.
 *
 * Go describes each address in a comment after the stack. Frames without a comment (runtime.goexit)
 * are skipped, because they have only an address, which differs between runs.
 */
#include "format/formats.h"
#include "heap_text.h"

#include <stdlib.h>

#define BEGIN "heap profile:"

enum {
	COMMENTS_MAX = 4096 /* comments on one stack */
};

struct comment {
	uint64_t address;
	struct text function, file;
	int64_t line;
};

struct tcmalloc {
	struct heap_text *h;
	struct arena arena; /* holds a stack's comments */
	bool open, go;
	struct heap_counts counts, sum, total;
	struct comment *comments;
	size_t comment_count;
};

/* Pushes a frame for each comment on the address, in file order. If functions were inlined, the address
 * has several comments. */
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
		if (!stack_push(t->h->frames, &f, t->h->in->err))
			return false;
	}
	return true;
}

static bool
push_stack(struct tcmalloc *t, stack_number *stack)
{
	struct heap_text *h = t->h;
	size_t next = 0;

	if (!t->comment_count)
		return heap_text_stack(h, stack);
	stack_begin(h->frames);
	for (size_t i = 0; i < h->address_count; i++)
		if (!push_comments(t, h->addresses[i], &next))
			return false;
	/* Also push frames for comments whose addresses are not in the stack. */
	while (next < t->comment_count)
		if (!push_comments(t, t->comments[next].address, &next))
			return false;
	return stack_end_reported(h->frames, h->in, stack);
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
	return heap_text_sample(t->h, stack, &t->counts);
}

/* Handles "#\t0x4b3c0a\tmain.alloc+0x2a\t\t/tmp/m.go:5", or "# Alloc = 123" about the program. */
static void
take_comment(struct tcmalloc *t, struct text line)
{
	struct comment c = { .line = MODEL_NULL };
	struct text rest = text_from_at(line, 1);
	uint64_t offset;
	int64_t column;
	size_t tab;

	scan_blanks(&rest);
	if (!t->open || !text_begins(rest, "0x") || !scan_hex(&rest, &c.address)) {
		if (rest.size)
			members_element(&t->h->comments, rest);
		return;
	}
	scan_blanks(&rest);
	tab = text_find(rest, "\t");
	c.function = text_trim(text_up_to(rest, tab));
	scan_last_offset(&c.function, &offset);
	c.file = text_trim(text_from_at(rest, tab));
	scan_last_place(&c.file, &c.line, &column);
	if (t->comment_count >= COMMENTS_MAX)
		return;
	t->go = true;
	c.function = arena_text(&t->arena, c.function);
	c.file = arena_text(&t->arena, c.file);
	t->comments[t->comment_count++] = c;
}

static bool
take_line(struct tcmalloc *t)
{
	struct text line = t->h->in->line.text;

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
	return heap_text_left_out(
		t->h, "line left out: not \"COUNT: BYTES [COUNT: BYTES] @ ADDRESS...\"");
}

/* Parses the kind of sampling, such as "@ heap_v2/524288", and returns the rate. The number after
 * Go's "heap/" is twice the rate. */
static uint64_t
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
	members_text(&t->h->attributes, "kind", kind);
	members_number(&t->h->attributes, "sample_rate", rate);
	return rate;
}

static bool
read_head(struct tcmalloc *t)
{
	struct heap_text *h = t->h;
	uint64_t rate = 0;
	struct text line;

	if (!heap_text_begin(h, BEGIN))
		return false;
	line = h->in->line.text;
	if (!scan_word(&line, BEGIN) || !heap_text_counts(&line, &t->total))
		return reader_refuse(h->in,
			"no totals \"heap profile: COUNT: BYTES [COUNT: BYTES]\" of "
			"63 bits");
	scan_blanks(&line);
	if (scan_word(&line, "@"))
		rate = take_kind(t, line);
	h->all = true;
	return heap_text_head(h, rate, &t->total);
}

static bool
check_total(struct tcmalloc *t)
{
	if (memcmp(&t->sum, &t->total, sizeof(t->sum)) != 0 &&
		!reader_issue(t->h->in, ISSUE_SUMMARY,
			"the totals in the first line differ from the sum of the stacks"))
		return false;
	return t->go ? emit_metadata(t->h->in, "tool", TEXT_LITERAL("Go"))
		     : heap_text_check_libraries(t->h);
}

static bool
read_lines(struct heap_text *h)
{
	struct tcmalloc t = { .h = h };
	bool ok = read_head(&t);

	t.comments = xcalloc(COMMENTS_MAX, sizeof(*t.comments));
	while (heap_text_line(h, &ok))
		ok = take_line(&t);
	ok = ok && end_stack(&t) && check_total(&t);
	arena_release(&t.arena);
	free(t.comments);
	return ok;
}

static int
look(const struct format_source *source, size_t member)
{
	return heap_text_look(source, member, BEGIN);
}

static bool
read_member(struct reader *r)
{
	return heap_text_read(r, read_lines);
}

static const struct member_kind kind = { .noun = "tcmalloc heap profile",
	.hint = "a profile begins with a line \"" BEGIN "\"",
	.look = look,
	.read = read_member,
	.look_always = true };

const struct format format_tcmalloc = {
	.name = "tcmalloc",
	.title = "tcmalloc (gperftools) and Go heap profiles, as text",
	.profiler = "tcmalloc",
	.known_by = "a first line \"heap profile: COUNT: BYTES [COUNT: BYTES] @ ...\"",
	.covers = { [COVERAGE_HEAP] = COVERAGE_SAMPLED },
	.reads = true,
	.several = true,
	.members = &kind,
};
