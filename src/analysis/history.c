/* Computes the states of findings from the runs that looked for them; see analysis/history.h. */
#include "analysis/history.h"

/* What one run looked for, according to all its result sets. */
struct group {
	bool opens[HISTORY_WHATS], closes[HISTORY_WHATS];
	bool unfinished, any; /* any: whether the run looked for at least one kind of finding */
};

struct judge {
	struct history *h;
	struct group *groups;
	uint32_t count;     /* number of groups that are taken into account */
	uint32_t *group_of; /* for each run: its group, in a compact array for fast look-ups */
	uint32_t *next_closing[HISTORY_WHATS];
	/* For each kind of finding: the newest group that looked for this kind, or HISTORY_NEVER. */
	uint32_t last_looked[HISTORY_WHATS];
	uint32_t last_any;
};

/* --- states ---------------------------------------------------------------------------------- */

static void
note_run(struct group *g, const struct history_run *r)
{
	if (r->finished == 0) {
		g->unfinished = true;
		return;
	}
	for (int w = 0; w < HISTORY_WHATS; w++) {
		g->any |= r->looked[w] >= COVERAGE_PARTIAL;
		/* The findings of a run count even if it is unknown what the run looked for. */
		g->opens[w] |= r->looked[w] != COVERAGE_NONE;
		g->closes[w] |= r->looked[w] == COVERAGE_FULL;
	}
}

static bool
looked(const struct history_run *r, enum history_what what)
{
	return r->finished != 0 && r->looked[what] >= COVERAGE_PARTIAL;
}

static void
survey(struct judge *j, struct arena *a)
{
	struct history *h = j->h;

	j->groups = arena_alloc_array(a, j->count + 1, sizeof(*j->groups));
	j->group_of = arena_alloc_array(a, h->run_count + 1, sizeof(*j->group_of));
	for (size_t i = 0; i < h->run_count; i++)
		j->group_of[i] = h->runs[i].group;
	j->last_any = HISTORY_NEVER;
	for (int w = 0; w < HISTORY_WHATS; w++)
		j->last_looked[w] = HISTORY_NEVER;
	for (size_t i = 0; i < h->run_count && h->runs[i].group < j->count; i++) {
		const struct history_run *r = &h->runs[i];

		note_run(&j->groups[r->group], r);
		for (int w = 0; w < HISTORY_WHATS; w++)
			if (looked(r, (enum history_what)w))
				j->last_looked[w] = r->group;
		if (j->groups[r->group].any)
			j->last_any = r->group;
	}
	for (int w = 0; w < HISTORY_WHATS; w++) {
		uint32_t *next = arena_alloc_array(a, j->count + 1, sizeof(*next));

		next[j->count] = j->count;
		for (uint32_t g = j->count; g-- > 0;)
			next[g] = j->groups[g].closes[w] ? g : next[g + 1];
		j->next_closing[w] = next;
	}
}

/* Returns the state of a finding that was seen. `returned`: between two sightings, a run looked for the finding and did
 * not see it. */
static enum history_state
final_state(const struct judge *j, const struct history_finding *f, bool returned)
{
	uint32_t last = f->last_seen;
	uint32_t look = f->last_looked;

	if (j->next_closing[f->what][last + 1] < j->count)
		return HISTORY_GONE;
	if (look == HISTORY_NEVER || look < last)
		look = last;
	if (j->last_any != HISTORY_NEVER && j->last_any > look)
		return HISTORY_NOT_LOOKED;
	if (returned)
		return HISTORY_CAME_BACK;
	return f->first_seen == look ? HISTORY_NEW : HISTORY_OPEN;
}

static void
judge_finding(const struct judge *j, struct history_finding *f)
{
	bool returned = false;

	f->first_seen = f->last_seen = HISTORY_NEVER;
	f->group_count = 0;
	f->last_looked = j->last_looked[f->what];
	for (size_t i = 0; i < f->seen_count; i++) {
		uint32_t group = j->group_of[f->seen[i]];

		if (group >= j->count)
			break;
		if (!j->groups[group].opens[f->what] || group == f->last_seen)
			continue;
		if (f->last_seen != HISTORY_NEVER &&
			j->next_closing[f->what][f->last_seen + 1] < group)
			returned = true;
		if (f->first_seen == HISTORY_NEVER)
			f->first_seen = group;
		f->last_seen = group;
		f->group_count++;
	}
	f->state =
		f->first_seen == HISTORY_NEVER ? HISTORY_NOT_LOOKED : final_state(j, f, returned);
}

/* Returns whether a run saw the finding after its review. A run is after the review if it comes after all runs that
 * were published before the review. */
static bool
is_seen_after(const struct judge *j, const struct history_finding *f)
{
	int64_t reviewed = f->review->ledger_no;
	uint32_t after = 0;

	for (size_t i = 0; i < j->h->run_count; i++)
		if (j->h->runs[i].ledger_no < reviewed)
			after = j->h->runs[i].group + 1;
	return f->last_seen != HISTORY_NEVER && f->last_seen >= after;
}

static void
apply_review(const struct judge *j, struct history_finding *f)
{
	f->was_fixed = f->review && f->review->status == REVIEW_FIXED && !f->review->expired &&
		       f->state != HISTORY_GONE && is_seen_after(j, f);
	if (f->was_fixed)
		f->state = HISTORY_CAME_BACK;
}

void
history_judge(struct history *h, struct arena *a, uint32_t last)
{
	struct judge j = { .h = h, .count = h->group_count };

	if (last != HISTORY_NEVER && last + 1 < j.count)
		j.count = last + 1;
	survey(&j, a);
	for (size_t i = 0; i < h->finding_count; i++) {
		judge_finding(&j, &h->findings[i]);
		apply_review(&j, &h->findings[i]);
	}
}

const char *
history_run_answer(const struct history_run *r, const struct history_finding *f, bool seen)
{
	if (seen)
		return r->finished == 0 ? "seen, not finished" : "seen";
	if (r->finished == 0)
		return "not finished";
	if (r->looked[f->what] == COVERAGE_FULL)
		return "not seen";
	return looked(r, f->what) ? "not seen, looked in part" : "not looked for";
}
