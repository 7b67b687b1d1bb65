/*
 * Reads jemalloc heap profiles (prof.dump, prof_final, lg_prof_interval).
 *
 * Format: "heap_v2/RATE", then the totals, then the stacks. Each stack has its addresses, innermost
 * first, the counts for all threads ("t*"), and the counts for each thread ("t3"). Sources:
 * jemalloc's prof_data.c, and jeprof.
 *
 * The counts of a thread are separate metrics on its track, as in `jeprof --thread'. The sum over the
 * threads differs from "t*", because jemalloc 5.3 corrects each line's bias separately
 * (opt.prof_unbias).
 */
#include "base/array.h"
#include "format/formats.h"
#include "heap_text.h"

#include <stdlib.h>

#define BEGIN "heap_v2/"

enum {
	THREADS_MAX = 1 << 20
};

struct thread_counts {
	int32_t track;
	struct heap_counts counts;
};

struct jemalloc {
	struct heap_text *h;
	struct pair_map tracks; /* maps a thread to its track */
	bool open, has_total;   /* open is true inside the counts of a stack */
	struct heap_counts total;
	struct thread_counts *threads;
	size_t thread_count, thread_room;
};

static bool
emit_samples(struct jemalloc *j, stack_number stack)
{
	/* Sum the threads' counts if the stack has no line with the counts for all threads. */
	for (size_t i = 0; i < j->thread_count && !j->has_total; i++)
		for (int k = 0; k < HEAP_VALUES; k++)
			if (__builtin_add_overflow(
				    j->total.v[k], j->threads[i].counts.v[k], &j->total.v[k]) ||
				j->total.v[k] > INT64_MAX)
				return reader_refuse(j->h->in,
					"the counts of a stack's threads exceed 2^63-1 in total");
	if (!heap_text_sample(j->h, stack, &j->total))
		return false;
	for (size_t i = 0; i < j->thread_count; i++)
		if (!heap_text_thread_sample(
			    j->h, j->threads[i].track, stack, &j->threads[i].counts))
			return false;
	return true;
}

static bool
end_stack(struct jemalloc *j)
{
	stack_number stack;
	bool ok = true;

	if (j->open && (j->has_total || j->thread_count))
		ok = heap_text_stack(j->h, &stack) && emit_samples(j, stack);
	j->open = j->has_total = false;
	j->thread_count = 0;
	j->total = (struct heap_counts){ 0 };
	return ok;
}

static bool
left_out(struct jemalloc *j)
{
	return heap_text_left_out(j->h, "line left out: neither a stack nor counts");
}

static bool
thread_track(struct jemalloc *j, uint64_t thread, struct text name, int32_t *track)
{
	uint32_t known = pair_map_get(&j->tracks, (int64_t)thread, 0);
	char text[256];

	*track = known == PAIR_MAP_NONE ? 0 : (int32_t)known;
	if (*track)
		return true;
	if (j->tracks.count >= THREADS_MAX)
		return error_set(j->h->in->err, ERROR_LIMIT, "%s: more than %d threads",
			j->h->in->name, THREADS_MAX);
	name = text_trim(name);
	(void)snprintf(text, sizeof(text), "t%llu%s%.*s", (unsigned long long)thread,
		name.size ? " " : "", text_precision(name, 200), name.size ? name.data : "");
	if (!heap_text_track(
		    j->h, text_from(text), thread > INT64_MAX ? INT64_MAX : (int64_t)thread, track))
		return false;
	pair_map_add(&j->tracks, (int64_t)thread, 0, (uint32_t)*track, NULL);
	return true;
}

static bool
add_thread(struct jemalloc *j, uint64_t thread, const struct heap_counts *c, struct text name)
{
	int32_t track;

	if (!thread_track(j, thread, name, &track))
		return false;
	/* Counts before the first stack are totals, which equal the sum of all stacks. */
	if (!j->open)
		return true;
	*ARRAY_ADD(j->threads, j->thread_count, j->thread_room) =
		(struct thread_counts){ track, *c };
	return true;
}

/* "t*: 1: 2 [3: 4]", "t3: 1: 2 [3: 4] name" */
static bool
take_counts(struct jemalloc *j, struct text t)
{
	struct heap_counts c;
	uint64_t thread;

	if (!scan_word(&t, "t"))
		return left_out(j);
	if (scan_word(&t, "*:")) {
		if (!heap_text_counts(&t, &c))
			return left_out(j);
		j->has_total |= j->open;
		if (j->open)
			j->total = c;
		return true;
	}
	if (!scan_decimal(&t, &thread) || !scan_word(&t, ":") || !heap_text_counts(&t, &c) ||
		j->thread_count >= THREADS_MAX)
		return left_out(j);
	return add_thread(j, thread, &c, t);
}

static bool
take_line(struct jemalloc *j)
{
	struct text t = j->h->in->line.text;

	if (!t.size)
		return true;
	if (!scan_word(&t, "@"))
		return take_counts(j, t);
	if (!end_stack(j))
		return false;
	j->open = heap_text_addresses(j->h, t);
	return j->open || left_out(j);
}

/* Reads "heap_v2/524288" and the totals. The totals show whether the file also counts freed allocations. */
static bool
read_head(struct heap_text *h)
{
	struct heap_counts total = { 0 };
	uint64_t rate = 0;
	struct text t;
	bool ok = true;

	if (!heap_text_begin(h, BEGIN))
		return false;
	t = h->in->line.text;
	if (!scan_word(&t, BEGIN) || !scan_decimal(&t, &rate) || t.size)
		return reader_refuse(h->in, "no sample rate after \"heap_v2/\"");
	t = heap_text_line(h, &ok) ? h->in->line.text : TEXT_NULL;
	if (!ok)
		return false;
	if (!scan_word(&t, "t*:") || !heap_text_counts(&t, &total))
		return reader_refuse(
			h->in, "no totals \"t*: COUNT: BYTES [COUNT: BYTES]\" of 63 bits");
	h->all = total.v[HEAP_ALL_BYTES] || total.v[HEAP_ALL_OBJECTS];
	h->rounds = true;
	members_number(&h->attributes, "sample_rate", rate);
	return heap_text_head(h, rate, &total);
}

static bool
read_lines(struct heap_text *h)
{
	struct jemalloc j = { .h = h };
	bool ok = read_head(h);

	while (heap_text_line(h, &ok))
		ok = take_line(&j);
	ok = ok && end_stack(&j) && heap_text_check_libraries(h);
	pair_map_release(&j.tracks);
	free(j.threads);
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

static const struct member_kind kind = { .noun = "jemalloc heap profile",
	.hint = "a profile begins with a line \"" BEGIN "\"",
	.look = look,
	.read = read_member,
	.look_always = true };

const struct format format_jemalloc = {
	.name = "jemalloc",
	.title = "jemalloc heap profiles, as text",
	.profiler = "jemalloc",
	.known_by = "a first line \"heap_v2/RATE\"",
	.covers = { [COVERAGE_HEAP] = COVERAGE_SAMPLED },
	.reads = true,
	.several = true,
	.members = &kind,
};
