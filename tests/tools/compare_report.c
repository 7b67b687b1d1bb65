/*
 * compare_report EXPECTED KEY REPORT: checks that a report's JSON agrees with the profiler's own answer.
 *
 * EXPECTED is an array with one object per result set; KEY names the member with the rows.
 * REPORT is the output of `profdepot report ... --output json` for the same result sets in the same
 * order. Every member of an expected row must be in the report's row and be equal; the report's
 * row can have more members. null and "" are equal.
 */
#include "tests/lib/json_file.h"

enum {
	PATH_BYTES = 200
};

static bool
is_nothing(const cJSON *v)
{
	return !v || cJSON_IsNull(v) || (cJSON_IsString(v) && !*v->valuestring);
}

static bool
differs(const char *path, const cJSON *expected, const cJSON *got)
{
	char *e = cJSON_PrintUnformatted(expected);
	char *g = cJSON_PrintUnformatted(got);

	printf("%s: expected %.500s, got %.500s\n", path, e ? e : "nothing", g ? g : "nothing");
	free(e);
	free(g);
	return false;
}

/* Recursion is safe, because the compared documents are only a few levels deep.
 * NOLINTBEGIN(misc-no-recursion) */
static bool same(const char *path, const cJSON *expected, const cJSON *got);

static bool
same_list(const char *path, const cJSON *expected, const cJSON *got)
{
	const cJSON *g = got->child;
	char below[PATH_BYTES];
	int i = 0;

	if (!cJSON_IsArray(got) || cJSON_GetArraySize(expected) != cJSON_GetArraySize(got))
		return differs(path, expected, got);
	for (const cJSON *e = expected->child; e; e = e->next, g = g->next) {
		snprintf(below, sizeof(below), "%.150s[%d]", path, i++);
		if (!same(below, e, g))
			return false;
	}
	return true;
}

static bool
same(const char *path, const cJSON *expected, const cJSON *got)
{
	char below[PATH_BYTES];

	if (is_nothing(expected) && is_nothing(got))
		return true;
	if (!expected || !got)
		return differs(path, expected, got);
	if (cJSON_IsArray(expected))
		return same_list(path, expected, got);
	if (!cJSON_IsObject(expected))
		return cJSON_Compare(expected, got, true) || differs(path, expected, got);
	for (const cJSON *e = expected->child; e; e = e->next) {
		snprintf(below, sizeof(below), "%.150s.%s", path, e->string);
		if (!same(below, e, cJSON_GetObjectItemCaseSensitive(got, e->string)))
			return false;
	}
	return true;
}

/* NOLINTEND(misc-no-recursion) */

int
main(int argc, char **argv)
{
	cJSON *expected, *report;
	const cJSON *set, *e;
	bool ok;

	if (argc != 4)
		return 2;
	expected = json_file_read(argv[1]);
	report = json_file_read(argv[3]);
	set = cJSON_GetObjectItemCaseSensitive(report, "result_sets");
	ok = expected && set && cJSON_GetArraySize(expected) == cJSON_GetArraySize(set);
	if (!ok)
		printf("wrong number of result sets\n");
	set = set ? set->child : NULL;
	for (e = expected ? expected->child : NULL; ok && e; e = e->next, set = set->next)
		ok = same(argv[2], cJSON_GetObjectItemCaseSensitive(e, argv[2]),
			cJSON_GetObjectItemCaseSensitive(set, "rows"));
	cJSON_Delete(expected);
	cJSON_Delete(report);
	return ok ? 0 : 1;
}
