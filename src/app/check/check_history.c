/* Checks a result set against the history of its stream. */
#include "check_private.h"

#include "analysis/history.h"
#include "store/history/history.h"

#include <stdlib.h>
#include <string.h>

enum {
	SHOWN_MAX = 100,
	KIND_MAX_BYTES = 64 * 1024
};

/* The result set's new findings, which no earlier run has seen, and its findings that came back. */
struct novelty {
	struct checking *c;
	struct history h;
	struct pair_map by_identity; /* maps a finding's identity to its index in h.findings */
	struct pair_map reported;    /* the findings reported so far; each is reported only once */
	bool looked[HISTORY_WHATS];  /* for each kind: whether an earlier run looked for it */
	const char *reason;       /* why a finding could not be judged; NULL if all were judged */
	size_t *added, *returned; /* numbers of the stacks of new and returned findings */
	size_t added_count, returned_count;
	struct check_breach *breaches;
};

static void
parse_hex(const char *hex, uint8_t bytes[IDENTITY_BYTES])
{
	for (size_t i = 0; i < IDENTITY_BYTES; i++) {
		char byte[] = { hex[2 * i], hex[2 * i + 1], '\0' };

		bytes[i] = (uint8_t)strtoul(byte, NULL, 16);
	}
}

/* --- the history before the run -------------------------------------------------------------- */

/* Returns the group of the result set's run; HISTORY_NEVER if the history does not contain the run. */
static uint32_t
group_of(const struct history *h, int64_t inst_id)
{
	for (size_t i = 0; i < h->run_count; i++)
		if (h->runs[i].inst_id == inst_id)
			return h->runs[i].group;
	return HISTORY_NEVER;
}

static void
note_looked(struct novelty *n, uint32_t group)
{
	const struct history *h = &n->h;

	for (size_t i = 0; i < h->run_count && h->runs[i].group < group; i++)
		for (int w = 0; w < HISTORY_WHATS; w++)
			n->looked[w] |= h->runs[i].finished != 0 &&
					h->runs[i].looked[w] >= COVERAGE_PARTIAL;
	/* A run that saw a finding did look for findings of this kind. */
	for (size_t i = 0; i < h->finding_count; i++)
		if (h->findings[i].first_seen != HISTORY_NEVER)
			n->looked[h->findings[i].what] = true;
}

/* Reads the history, and computes the states that the findings had before the checked run. */
static bool
read_history(struct novelty *n, bool *first, struct error *err)
{
	struct checking *c = n->c;
	struct history_question q = { .inst_id = c->request->inst_id };
	uint32_t group;

	if (!history_read(c->db, c->arena, &q, &n->h, err))
		return false;
	group = group_of(&n->h, n->h.inst_id);
	if (group == HISTORY_NEVER)
		return error_set(err, ERROR_NOT_FOUND, "history does not know result set %lld",
			(long long)c->request->inst_id);
	*first = group == 0;
	history_judge(&n->h, c->arena, group ? group - 1 : 0);
	for (size_t i = 0; i < n->h.finding_count; i++) {
		int64_t halves[2];

		memcpy(halves, n->h.findings[i].identity, sizeof(halves));
		pair_map_add(&n->by_identity, halves[0], halves[1], (uint32_t)i, NULL);
	}
	note_looked(n, group);
	return true;
}

/* --- findings -------------------------------------------------------------------------------- */

static bool
is_fixed(const struct history_finding *f)
{
	return f->review && f->review->status == REVIEW_FIXED && !f->review->expired;
}

static void
judge_stack(struct novelty *n, size_t number)
{
	const struct check_stack *s = &n->c->stacks.items[number];
	const struct history_finding *f = NULL;
	uint8_t identity[IDENTITY_BYTES];
	int64_t halves[2];
	uint32_t index;
	enum history_what what;
	struct strbuf kind;
	bool added;

	parse_hex(s->finding, identity);
	memcpy(halves, history_root(&n->h, identity), sizeof(halves));
	pair_map_add(&n->reported, halves[0], halves[1], 0, &added);
	if (!added)
		return;
	index = pair_map_get(&n->by_identity, halves[0], halves[1]);
	if (index != PAIR_MAP_NONE)
		f = &n->h.findings[index];
	if (f && f->first_seen != HISTORY_NEVER) {
		if (f->state == HISTORY_GONE || is_fixed(f))
			n->returned[n->returned_count++] = number;
		return;
	}
	strbuf_init(&kind, KIND_MAX_BYTES);
	finding_kind(&kind, s->fact == CHECK_LEAK, s->kind);
	what = history_what_of(strbuf_text(&kind));
	strbuf_release(&kind);
	if (n->looked[what])
		n->added[n->added_count++] = number;
	else
		n->reason = arena_printf(n->c->arena, "no earlier run of the stream looked for %s",
			what == HISTORY_LEAKS   ? "leaks"
			: what == HISTORY_RACES ? "races"
						: "errors");
}

static bool
is_present(const struct check_stack *s)
{
	return s->fact != CHECK_MEASURE && s->state != CHECK_ABSENT && s->finding[0];
}

/* --- the verdict ----------------------------------------------------------------------------- */

static void
add_breach(struct novelty *n, struct check_budget *out, const char *limit, const char *words,
	size_t *stacks, size_t count)
{
	struct check_breach *b = &n->breaches[out->breach_count];

	if (!count)
		return;
	*b = (struct check_breach){ .limit = limit,
		.what = "",
		.text = arena_printf(n->c->arena, "%zu %s %s", count,
			by_count(count, "finding", "findings"), words),
		.stacks = stacks,
		.stack_count = count > SHOWN_MAX ? SHOWN_MAX : count };
	for (size_t i = 0; i < count; i++)
		n->c->stacks.items[stacks[i]].breaks = true;
	out->breach_count++;
}

/* Returns why the findings may be incomplete, unless the run finished, and looked for leaks or errors. */
static struct run_gap
find_gap(const struct checking *c)
{
	const struct run *run = &c->runs[FACTS_NEW];
	struct run_gap leaks = run_gap(c->arena, run, COVERAGE_LEAKS, false);
	struct run_gap errors = run_error_gap(c->arena, run, false);

	if (run->finished == 0)
		return (struct run_gap){ "the run did not finish", "" };
	return leaks.sentence && errors.sentence ? leaks : (struct run_gap){ NULL, NULL };
}

static void
conclude(struct novelty *n, bool first, struct check_budget *out)
{
	struct checking *c = n->c;
	bool skip = c->request->skip_unjudged;

	add_breach(n, out, "new", "new to the stream", n->added, n->added_count);
	add_breach(n, out, "came_back", "came back", n->returned, n->returned_count);
	out->verdict = out->breach_count ? CHECK_BROKEN : CHECK_PASSED;
	if (out->breach_count)
		return;
	if (first) {
		n->reason = "there is no earlier run in the stream yet";
		skip |= c->request->base_optional;
	}
	if (!n->reason) {
		struct run_gap gap = find_gap(c);

		n->reason = gap.sentence;
		out->hint = gap.hint;
	}
	if (!n->reason)
		return;
	out->verdict = skip ? CHECK_SKIPPED : CHECK_UNJUDGED;
	out->reason = n->reason;
	out->incomplete = c->runs[FACTS_NEW].finished == 0;
}

bool
check_against_history(struct checking *c, struct check_budget *out, struct error *err)
{
	struct novelty n = { .c = c };
	bool first = false;
	bool ok = read_history(&n, &first, err);

	n.breaches = arena_alloc_array(c->arena, 2, sizeof(*n.breaches));
	*out = (struct check_budget){ .name = "history", .breaches = n.breaches };
	n.added = arena_alloc_array(c->arena, c->stacks.count, sizeof(*n.added));
	n.returned = arena_alloc_array(c->arena, c->stacks.count, sizeof(*n.returned));
	for (size_t i = 0; ok && !first && i < c->stacks.count; i++)
		if (is_present(&c->stacks.items[i]))
			judge_stack(&n, i);
	if (ok)
		conclude(&n, first, out);
	pair_map_release(&n.by_identity);
	pair_map_release(&n.reported);
	return ok;
}
