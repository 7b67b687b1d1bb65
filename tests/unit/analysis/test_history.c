/* Tests the states of findings, the groups of runs, and aliases. */
#include "analysis/history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum {
	RUNS_MAX = 8
};

/* A stream with one finding. */
struct stream {
	struct history h;
	struct history_run runs[RUNS_MAX];
	struct history_finding finding;
	uint32_t seen[RUNS_MAX];
};

/*
 * Adds one run per letter: s saw the leak; n looked for leaks and did not see it; p looked only for
 * some leaks and did not see it; e looked only for errors; u did not finish; U saw the leak and did not
 * finish. If `runs` contains a '*', the runs before it belong to the parent branch.
 */
static void
make(struct stream *s, const char *runs)
{
	bool of_parent = strchr(runs, '*') != NULL;

	memset(s, 0, sizeof(*s));
	for (const char *c = runs; *c; c++) {
		struct history_run *r = &s->runs[s->h.run_count];

		if (*c == '*') {
			of_parent = false;
			continue;
		}
		*r = (struct history_run){ .inst_id = (int64_t)s->h.run_count + 1,
			.ledger_no = (int64_t)s->h.run_count + 1,
			.finished = *c == 'u' || *c == 'U' ? 0 : 1,
			.of_parent = of_parent,
			.looked = { *c == 'e'   ? COVERAGE_NONE
				    : *c == 'p' ? COVERAGE_PARTIAL
						: COVERAGE_FULL,
				COVERAGE_FULL, COVERAGE_NONE } };
		if (*c == 's' || *c == 'U')
			s->seen[s->finding.seen_count++] = (uint32_t)s->h.run_count;
		s->h.run_count++;
	}
	s->h.runs = s->runs;
	s->finding.seen = s->seen;
	s->h.findings = &s->finding;
	s->h.finding_count = 1;
	history_group(&s->h);
}

static const char *
state_of(const char *runs)
{
	struct arena a = ARENA_INIT;
	struct stream s;

	make(&s, runs);
	history_judge(&s.h, &a, HISTORY_NEVER);
	arena_release(&a);
	return history_state_names[s.finding.state];
}

static void
states_follow_the_runs_that_looked(void **state)
{
	static const struct {
		const char *runs, *state;
	} cases[] = { { "s", "new" }, { "ns", "new" }, { "ss", "open" }, { "sn", "gone" },
		{ "sns", "came back" }, { "snss", "came back" }, { "sp", "open" },
		{ "se", "not looked for" }, { "ses", "open" }, { "su", "new" }, { "ssu", "open" },
		{ "snu", "gone" }, { "U", "not looked for" }, { "nUs", "new" }, { "sUn", "gone" },
		{ "s*s", "open" }, { "sn*s", "came back" }, { "s*n", "gone" },
		{ "s*e", "not looked for" }, { "n*s", "new" }, { "sps", "open" },
		{ "sus", "open" } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (strcmp(state_of(cases[i].runs), cases[i].state) != 0)
			fail_msg("%s: %s instead of %s", cases[i].runs, state_of(cases[i].runs),
				cases[i].state);
}

static void
an_earlier_run_is_judged_alone(void **state)
{
	struct arena a = ARENA_INIT;
	struct stream s;

	(void)state;
	make(&s, "sns");
	history_judge(&s.h, &a, 1);
	assert_int_equal(s.finding.state, HISTORY_GONE);
	assert_int_equal(s.finding.group_count, 1);
	history_judge(&s.h, &a, 0);
	assert_int_equal(s.finding.state, HISTORY_NEW);
	arena_release(&a);
}

static void
a_fixed_finding_that_is_seen_later_came_back(void **state)
{
	struct history_review review = { .ledger_no = 2, .status = REVIEW_FIXED };
	struct history_review later = { .ledger_no = 4,
		.status = REVIEW_FIXED }; /* after both runs */
	struct history_review expired = { .ledger_no = 2, .status = REVIEW_FIXED, .expired = true };
	struct arena a = ARENA_INIT;
	struct stream s;

	(void)state;
	make(&s, "ss");
	s.runs[1].ledger_no = 3;
	s.finding.review = &review;
	history_judge(&s.h, &a, HISTORY_NEVER);
	assert_int_equal(s.finding.state, HISTORY_CAME_BACK);
	assert_true(s.finding.was_fixed);
	s.finding.review = &later;
	history_judge(&s.h, &a, HISTORY_NEVER);
	assert_int_equal(s.finding.state, HISTORY_OPEN);
	s.finding.review = &expired;
	history_judge(&s.h, &a, HISTORY_NEVER);
	assert_int_equal(s.finding.state, HISTORY_OPEN);
	arena_release(&a);
}

static void
result_sets_of_one_run_are_one_group(void **state)
{
	struct arena a = ARENA_INIT;
	struct stream s;

	(void)state;
	make(&s, "sns");
	s.runs[0].group_key = s.runs[1].group_key = TEXT_LITERAL("job 1");
	history_group(&s.h);
	assert_int_equal(s.h.group_count, 2);
	assert_int_equal(s.runs[2].group, 1);
	history_judge(&s.h, &a, HISTORY_NEVER);
	assert_int_equal(s.finding.state, HISTORY_OPEN);
	arena_release(&a);
}

static void
aliases_are_found(void **state)
{
	static const struct history_alias aliases[] = { { { 1 }, { 9 } }, { { 5 }, { 8 } } };
	const struct history h = { .aliases = aliases, .alias_count = 2 };
	static const uint8_t five[IDENTITY_BYTES] = { 5 }, six[IDENTITY_BYTES] = { 6 };

	(void)state;
	assert_ptr_equal(history_root(&h, five), aliases[1].root);
	assert_ptr_equal(history_root(&h, six), six);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_follow_the_runs_that_looked),
		cmocka_unit_test(an_earlier_run_is_judged_alone),
		cmocka_unit_test(a_fixed_finding_that_is_seen_later_came_back),
		cmocka_unit_test(result_sets_of_one_run_are_one_group),
		cmocka_unit_test(aliases_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
