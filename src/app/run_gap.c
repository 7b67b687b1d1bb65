/* Sentences about what a run did not look for. */
#include "app/run_gap.h"

#include "store/tree/depot_tree.h"

static const char *
gap_sentence(struct arena *a, const struct run *run, enum coverage_what what, bool found)
{
	const struct coverage *c = &run->coverage[what];
	const char *name = coverage_what_name(what);

	switch (c->degree) {
	case COVERAGE_NONE:
		return arena_printf(a, "the run did not look for %s: %.*s", name,
			text_precision(c->source, 200), c->source.data);
	case COVERAGE_PARTIAL:
		return arena_printf(a, "the run looked for %s only in part: %.*s", name,
			text_precision(c->source, 200), c->source.data);
	case COVERAGE_UNKNOWN:
		if (!found)
			return arena_printf(a, "it is unknown whether the run looked for %s", name);
		break;
	case COVERAGE_SAMPLED:
	case COVERAGE_FULL:
	case COVERAGE_DEGREES:
		break;
	}
	return run->finished == 0 ? "the run did not finish" : NULL;
}

struct run_gap
run_gap(struct arena *a, const struct run *run, enum coverage_what what, bool found)
{
	bool unknown = run->coverage[what].degree == COVERAGE_UNKNOWN && !found;

	return (struct run_gap){ gap_sentence(a, run, what, found),
		unknown ? "; use \"load --looked-for\" to state it" : "" };
}

/* Some detectors look only for races, and report them as errors. Returns COVERAGE_RACES for a run of such a
 * detector, and otherwise COVERAGE_ERRORS. */
static enum coverage_what
what_of_errors(const struct run *run)
{
	return run->coverage[COVERAGE_RACES].degree > COVERAGE_PARTIAL &&
			       run->coverage[COVERAGE_ERRORS].degree <= COVERAGE_UNKNOWN
		       ? COVERAGE_RACES
		       : COVERAGE_ERRORS;
}

struct run_gap
run_error_gap(struct arena *a, const struct run *run, bool found)
{
	return run_gap(a, run, what_of_errors(run), found);
}

const char *
run_gap_word(const struct run *run, enum coverage_what what, bool found)
{
	switch (run->coverage[what].degree) {
	case COVERAGE_NONE:
		return "not looked for";
	case COVERAGE_PARTIAL:
		return "looked for in part";
	case COVERAGE_UNKNOWN:
		if (!found)
			return "unknown";
		break;
	case COVERAGE_SAMPLED:
	case COVERAGE_FULL:
	case COVERAGE_DEGREES:
		break;
	}
	return run->finished == 0 ? "not finished" : NULL;
}

const char *
run_error_gap_word(const struct run *run, bool found)
{
	return run_gap_word(run, what_of_errors(run), found);
}

static bool
has_family(const struct depot_metric *metrics, size_t count, struct text family)
{
	for (size_t i = 0; i < count; i++)
		if (text_equal(metrics[i].family, family))
			return true;
	return false;
}

bool
run_gaps(struct db *db, struct arena *a, int64_t inst_id, bool leaks, bool errors,
	struct run_gap gaps[RUN_GAPS_MAX + 1], struct error *err)
{
	struct depot_metric *metrics;
	struct run run;
	size_t count;
	size_t n = 0;

	memset(gaps, 0, (RUN_GAPS_MAX + 1) * sizeof(*gaps));
	if (!run_find(db, a, inst_id, &run, err) ||
		!depot_metrics(db, a, inst_id, &metrics, &count, err))
		return false;
	if (leaks)
		gaps[n] = run_gap(a, &run, COVERAGE_LEAKS,
			has_family(metrics, count, TEXT_LITERAL("objects")));
	n += gaps[n].sentence != NULL;
	if (errors)
		gaps[n] =
			run_error_gap(a, &run, has_family(metrics, count, TEXT_LITERAL("errors")));
	/* If the run did not finish, both gaps have the same text. List it only once. */
	if (n && gaps[n].sentence && strcmp(gaps[n].sentence, gaps[0].sentence) == 0)
		gaps[n].sentence = NULL;
	return true;
}

const char *const *
run_gap_list(struct arena *a, const struct run_gap *gaps, bool hints)
{
	const char **list;
	size_t n = 0;

	while (gaps[n].sentence)
		n++;
	list = arena_alloc_array(a, n + 1, sizeof(*list));
	for (size_t i = 0; i < n; i++)
		list[i] = hints ? arena_printf(a, "%s%s", gaps[i].sentence, gaps[i].hint)
				: gaps[i].sentence;
	return list;
}

const char *const *
run_notes(struct arena *a, const char *const *first, const char *const *others)
{
	const char *const *lists[] = { first, others };
	const char **notes;
	size_t n = 0;

	for (size_t i = 0; i < 2; i++)
		for (const char *const *s = lists[i]; s && *s; s++)
			n++;
	notes = arena_alloc_array(a, n + 1, sizeof(*notes));
	n = 0;
	for (size_t i = 0; i < 2; i++)
		for (const char *const *s = lists[i]; s && *s; s++)
			notes[n++] = *s;
	return notes;
}
