/* Names of the kinds of facts that a run can look for, and of the degrees of coverage. */
#include "model/coverage.h"

#include <string.h>

static const char *const whats[COVERAGE_WHATS] = { "leaks", "errors", "races", "heap", "samples",
	"spans" };
static const char *const degrees[COVERAGE_DEGREES] = { "none", "unknown", "partial", "sampled",
	"full" };

const char *
coverage_what_name(enum coverage_what what)
{
	return whats[what];
}

const char *
coverage_degree_name(enum coverage_degree degree)
{
	return degrees[degree];
}

static bool
find(struct text t, const char *const *names, int count, int *found)
{
	for (*found = 0; *found < count; ++*found)
		if (text_equal(t, text_from(names[*found])))
			return true;
	return false;
}

bool
coverage_what_parse(struct text t, enum coverage_what *what)
{
	int n;
	bool ok = find(t, whats, COVERAGE_WHATS, &n);

	if (ok)
		*what = (enum coverage_what)n;
	return ok;
}

bool
coverage_degree_parse(struct text t, enum coverage_degree *degree)
{
	int n;
	bool ok = find(t, degrees, COVERAGE_DEGREES, &n);

	if (ok)
		*degree = (enum coverage_degree)n;
	return ok;
}

bool
coverage_list_parse(const char *list, bool out[COVERAGE_WHATS], struct error *err)
{
	memset(out, 0, COVERAGE_WHATS * sizeof(*out));
	for (const char *s = list;; s++) {
		size_t size = strcspn(s, ",");
		enum coverage_what what;

		if (!coverage_what_parse((struct text){ s, size }, &what)) {
			error_set(err, ERROR_USAGE, "a run cannot look for \"%.*s\"",
				size > 100 ? 100 : (int)size, s);
			return error_hint(
				err, "use a list of leaks, errors, races, heap, samples, spans");
		}
		out[what] = true;
		s += size;
		if (!*s)
			return true;
	}
}
