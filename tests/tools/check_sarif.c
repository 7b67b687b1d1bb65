/*
 * check_sarif FILE: checks that the file is valid SARIF 2.1.0. Checks the parts of the standard's
 * schema that profdepot uses: types, required members, enumerations, minima, and unknown members.
 * Prints "results N, flows N, new N, updated N, unchanged N, absent N, errors N".
 */
#include "tests/lib/json_file.h"

#include <string.h>

static struct {
	int results, flows, states[4], errors;
} counts;

static const char *const states[] = { "new", "updated", "unchanged", "absent", NULL };

static void
fail(const char *where, const char *what)
{
	printf("%s: %s\n", where, what);
	exit(1);
}

static int
find(const char *const *words, const char *word)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(words[i], word) == 0)
			return i;
	return -1;
}

/* Checks that v is an object without repeated members, and that all members are among `keys`. */
static void
object(const cJSON *v, const char *where, const char *const *keys)
{
	if (!cJSON_IsObject(v))
		fail(where, "not an object");
	for (const cJSON *m = v->child; m; m = m->next) {
		if (find(keys, m->string) < 0)
			fail(where, m->string);
		for (const cJSON *n = m->next; n; n = n->next)
			if (strcmp(m->string, n->string) == 0)
				fail(where, "a repeated member");
	}
}

static const char *
string(const cJSON *v, const char *where)
{
	if (!cJSON_IsString(v) || !v->valuestring[0])
		fail(where, "not a string");
	return v->valuestring;
}

static const cJSON *
array(const cJSON *v, const char *where, int least)
{
	if (!cJSON_IsArray(v) || cJSON_GetArraySize(v) < least)
		fail(where, "not an array, or too short");
	return v->child;
}

static const cJSON *
get(const cJSON *v, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(v, key);
}

static void
message(const cJSON *v)
{
	static const char *const keys[] = { "text", NULL };

	object(v, "message", keys);
	string(get(v, "text"), "message.text");
}

/* Checks that s has only the characters that RFC 3986 allows in the path of a URI. */
static void
uri(const char *s)
{
	for (; *s; s++) {
		if (*s == '%' && strspn(s + 1, "0123456789ABCDEF") >= 2)
			continue;
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/:!$&'()*+,;=@",
			    *s))
			fail("uri", s);
	}
}

static void
physical(const cJSON *v)
{
	static const char *const keys[] = { "artifactLocation", "region", NULL };
	static const char *const artifact_keys[] = { "uri", NULL };
	static const char *const region_keys[] = { "startLine", NULL };
	const cJSON *region = get(v, "region");

	object(v, "physicalLocation", keys);
	object(get(v, "artifactLocation"), "artifactLocation", artifact_keys);
	uri(string(get(get(v, "artifactLocation"), "uri"), "uri"));
	if (!region)
		return;
	object(region, "region", region_keys);
	if (!cJSON_IsNumber(get(region, "startLine")) || get(region, "startLine")->valueint < 1)
		fail("region", "startLine");
}

static void
location(const cJSON *v)
{
	static const char *const keys[] = { "physicalLocation", "logicalLocations", "message",
		NULL };
	static const char *const logical_keys[] = { "name", "fullyQualifiedName", "kind", NULL };
	const cJSON *logical;

	object(v, "location", keys);
	if (get(v, "physicalLocation"))
		physical(get(v, "physicalLocation"));
	for (logical = array(get(v, "logicalLocations"), "logicalLocations", 1); logical;
		logical = logical->next) {
		object(logical, "logicalLocation", logical_keys);
		string(get(logical, "fullyQualifiedName"), "fullyQualifiedName");
		if (strcmp(string(get(logical, "kind"), "kind"), "function") != 0)
			fail("logicalLocation", "kind");
	}
	if (get(v, "message"))
		message(get(v, "message"));
}

static void
thread_flow(const cJSON *v)
{
	static const char *const keys[] = { "locations", NULL };
	static const char *const place_keys[] = { "location", "module", "nestingLevel", NULL };
	int level = 0;

	object(v, "threadFlow", keys);
	for (const cJSON *p = array(get(v, "locations"), "threadFlow.locations", 1); p;
		p = p->next) {
		object(p, "threadFlowLocation", place_keys);
		location(get(p, "location"));
		if (get(p, "module"))
			string(get(p, "module"), "module");
		if (!cJSON_IsNumber(get(p, "nestingLevel")) ||
			get(p, "nestingLevel")->valueint != level++)
			fail("threadFlowLocation", "nestingLevel");
	}
}

static void
code_flows(const cJSON *v)
{
	static const char *const keys[] = { "threadFlows", NULL };

	for (const cJSON *flow = array(v, "codeFlows", 1); flow; flow = flow->next) {
		object(flow, "codeFlow", keys);
		for (const cJSON *t = array(get(flow, "threadFlows"), "threadFlows", 1); t;
			t = t->next)
			thread_flow(t);
		counts.flows++;
	}
}

static void
result(const cJSON *v, const cJSON *rules)
{
	static const char *const keys[] = { "ruleId", "ruleIndex", "level", "message", "locations",
		"codeFlows", "fingerprints", "partialFingerprints", "baselineState", "properties",
		NULL };
	static const char *const levels[] = { "none", "note", "warning", "error", NULL };
	const cJSON *index = get(v, "ruleIndex");
	const cJSON *state = get(v, "baselineState");

	object(v, "result", keys);
	if (!cJSON_IsNumber(index) || index->valueint < 0 ||
		index->valueint >= cJSON_GetArraySize(rules) ||
		strcmp(string(get(v, "ruleId"), "ruleId"),
			get(cJSON_GetArrayItem(rules, index->valueint), "id")->valuestring) != 0)
		fail("result", "ruleId is not the id of the rule at ruleIndex");
	if (find(levels, string(get(v, "level"), "level")) < 0)
		fail("result", "level");
	counts.errors += strcmp(get(v, "level")->valuestring, "error") == 0;
	message(get(v, "message"));
	if (get(v, "locations"))
		for (const cJSON *l = array(get(v, "locations"), "locations", 0); l; l = l->next)
			location(l);
	if (get(v, "codeFlows"))
		code_flows(get(v, "codeFlows"));
	if (get(v, "fingerprints"))
		for (const cJSON *f = get(v, "fingerprints")->child; f; f = f->next)
			if (strlen(string(f, "fingerprint")) != 32)
				fail("result", "fingerprint");
	if (state) {
		if (find(states, string(state, "baselineState")) < 0)
			fail("result", "baselineState");
		counts.states[find(states, state->valuestring)]++;
	}
	counts.results++;
}

static void
check_run(const cJSON *run)
{
	static const char *const keys[] = { "tool", "invocations", "columnKind", "results", NULL };
	static const char *const tool_keys[] = { "driver", NULL };
	static const char *const driver_keys[] = { "name", "version", "rules", NULL };
	static const char *const rule_keys[] = { "id", "shortDescription", NULL };
	static const char *const text_keys[] = { "text", NULL };
	static const char *const invocation_keys[] = { "executionSuccessful", NULL };
	const cJSON *driver = get(get(run, "tool"), "driver");
	const cJSON *rules = get(driver, "rules");

	object(run, "run", keys);
	object(get(run, "tool"), "tool", tool_keys);
	object(driver, "driver", driver_keys);
	string(get(driver, "name"), "driver.name");
	string(get(driver, "version"), "driver.version");
	for (const cJSON *r = array(rules, "rules", 1); r; r = r->next) {
		object(r, "rule", rule_keys);
		string(get(r, "id"), "rule.id");
		object(get(r, "shortDescription"), "shortDescription", text_keys);
		string(get(get(r, "shortDescription"), "text"), "shortDescription.text");
		for (const cJSON *n = r->next; n; n = n->next)
			if (strcmp(get(r, "id")->valuestring, get(n, "id")->valuestring) == 0)
				fail("rules", "a repeated rule");
	}
	for (const cJSON *i = array(get(run, "invocations"), "invocations", 1); i; i = i->next) {
		object(i, "invocation", invocation_keys);
		if (!cJSON_IsBool(get(i, "executionSuccessful")))
			fail("invocation", "executionSuccessful");
	}
	if (strcmp(string(get(run, "columnKind"), "columnKind"), "utf16CodeUnits") != 0)
		fail("run", "columnKind");
	for (const cJSON *r = array(get(run, "results"), "results", 0); r; r = r->next)
		result(r, rules);
}

int
main(int argc, char **argv)
{
	static const char *const keys[] = { "$schema", "version", "runs", NULL };
	cJSON *v = argc == 2 ? json_file_read(argv[1]) : NULL;

	if (!v)
		fail(argc > 1 ? argv[1] : "check_sarif", "no JSON");
	object(v, "log", keys);
	string(get(v, "$schema"), "$schema");
	if (strcmp(string(get(v, "version"), "version"), "2.1.0") != 0)
		fail("log", "version");
	for (const cJSON *run = array(get(v, "runs"), "runs", 1); run; run = run->next)
		check_run(run);
	printf("results %d, flows %d, new %d, updated %d, unchanged %d, absent %d, errors %d\n",
		counts.results, counts.flows, counts.states[0], counts.states[1], counts.states[2],
		counts.states[3], counts.errors);
	cJSON_Delete(v);
	return 0;
}
