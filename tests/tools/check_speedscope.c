/*
 * check_speedscope FILE...: checks that each file is a valid speedscope file.
 *
 * Checks the rules of the published schema (required members and types) and the rules of
 * speedscope's importer: frame indexes, order and balance of events, weights. For a valid file it
 * prints one line per profile
 *
 *	profile TYPE UNIT TOTAL NAME
 *
 * and then one line "frame SELF TOTAL NAME" for each frame that has a time, sorted by name.
 */
#include "tests/lib/json_file.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum {
	DEPTH_MAX = 100000
};

struct frame_sum {
	double self, total;
	int open; /* how many times the frame is on the stack */
	const char *name;
	bool seen;
};

struct check {
	const char *file;
	const cJSON *frames;
	struct frame_sum *sums;
	int frame_count;
	int failures;
};

__attribute__((format(printf, 2, 3))) static bool
fail(struct check *c, const char *format, ...)
{
	va_list args;

	c->failures++;
	fprintf(stderr, "%s: ", c->file);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return false;
}

static const cJSON *
member(struct check *c, const cJSON *object, const char *key, int type)
{
	const cJSON *m = cJSON_GetObjectItemCaseSensitive(object, key);

	if (!m || (m->type & 0xFF) != type) {
		fail(c, "\"%s\" is missing or has the wrong type", key);
		return NULL;
	}
	return m;
}

/* An optional key. */
static bool
may_be(struct check *c, const cJSON *object, const char *key, int type)
{
	const cJSON *m = cJSON_GetObjectItemCaseSensitive(object, key);

	return !m || (m->type & 0xFF) == type || fail(c, "\"%s\" has the wrong type", key);
}

static bool
is_one_of(const char *s, const char *const *words)
{
	while (*words && strcmp(s, *words) != 0)
		words++;
	return *words != NULL;
}

static int
frame_index(struct check *c, const cJSON *v)
{
	if (cJSON_IsNumber(v) && v->valuedouble >= 0 && v->valuedouble < c->frame_count &&
		!(fabs(v->valuedouble - floor(v->valuedouble)) > 0))
		return (int)v->valuedouble;
	fail(c, "no frame with that index");
	return -1;
}

static bool
check_frames(struct check *c, const cJSON *shared)
{
	const cJSON *f;
	int i = 0;

	c->frames = member(c, shared, "frames", cJSON_Array);
	if (!c->frames)
		return false;
	c->frame_count = cJSON_GetArraySize(c->frames);
	c->sums = calloc((size_t)c->frame_count + 1, sizeof(*c->sums));
	for (f = c->frames ? c->frames->child : NULL; f; f = f->next) {
		const cJSON *name = member(c, f, "name", cJSON_String);

		if (!name || !may_be(c, f, "file", cJSON_String) ||
			!may_be(c, f, "line", cJSON_Number) || !may_be(c, f, "col", cJSON_Number))
			return false;
		c->sums[i++].name = name->valuestring;
	}
	return true;
}

/* Checks that the event opens a frame or closes the innermost open frame. */
static bool
check_event(struct check *c, bool opens, int frame, int *open, int *depth)
{
	if (opens && *depth < DEPTH_MAX) {
		open[(*depth)++] = frame;
		c->sums[frame].open++;
		c->sums[frame].seen = true;
		return true;
	}
	if (opens || !*depth || open[*depth - 1] != frame)
		return fail(c, "an event that neither opens a frame nor closes the innermost one");
	c->sums[open[--*depth]].open--;
	return true;
}

static bool
check_events(struct check *c, const cJSON *events, double start, double *total)
{
	int *open = malloc(DEPTH_MAX * sizeof(*open));
	int depth = 0;
	double last = start;
	const cJSON *e;
	bool ok = events && open;

	for (e = events ? events->child : NULL; e; e = e->next) {
		const cJSON *type = member(c, e, "type", cJSON_String);
		const cJSON *at = member(c, e, "at", cJSON_Number);
		int frame = frame_index(c, cJSON_GetObjectItemCaseSensitive(e, "frame"));

		ok = type && at && frame >= 0;
		if (!ok)
			break;
		ok = at->valuedouble >= last || fail(c, "time decreases");
		for (int i = 0; i < c->frame_count && ok; i++)
			c->sums[i].total += c->sums[i].open ? at->valuedouble - last : 0;
		if (depth)
			c->sums[open[depth - 1]].self += at->valuedouble - last;
		last = at->valuedouble;
		if (strcmp(type->valuestring, "O") != 0 && strcmp(type->valuestring, "C") != 0)
			ok = fail(c, "an event of unknown type");
		ok = ok && check_event(c, type->valuestring[0] == 'O', frame, open, &depth);
		if (!ok)
			break;
	}
	free(open);
	*total = last - start;
	return ok && (!depth || fail(c, "unclosed calls"));
}

static bool
add_sample(struct check *c, const cJSON *stack, double weight)
{
	const cJSON *f;
	int frame = -1;

	for (f = stack ? stack->child : NULL; f; f = f->next) {
		frame = frame_index(c, f);
		if (frame < 0)
			return false;
		if (!c->sums[frame].open++)
			c->sums[frame].total += weight;
		c->sums[frame].seen = true;
	}
	if (frame >= 0)
		c->sums[frame].self += weight;
	for (f = stack ? stack->child : NULL; f; f = f->next)
		c->sums[(int)f->valuedouble].open = 0;
	return true;
}

static bool
check_samples(struct check *c, const cJSON *samples, const cJSON *weights, double *total)
{
	const cJSON *stack = samples ? samples->child : NULL;
	const cJSON *weight = weights ? weights->child : NULL;

	if (!samples || !weights)
		return false;
	*total = 0;
	for (; stack && weight; stack = stack->next, weight = weight->next) {
		if (!cJSON_IsArray(stack) || !cJSON_IsNumber(weight) || weight->valuedouble < 0)
			return fail(c, "an invalid sample or weight");
		if (!add_sample(c, stack, weight->valuedouble))
			return false;
		*total += weight->valuedouble;
	}
	return (!stack && !weight) || fail(c, "the numbers of samples and weights differ");
}

static int
compare_sums(const void *left, const void *right)
{
	const struct frame_sum *a = left;
	const struct frame_sum *b = right;
	int order = strcmp(a->name, b->name);

	return order ? order : (a->total > b->total) - (a->total < b->total);
}

static void
print_profile(struct check *c, const char *type, const char *unit, double total, const char *name)
{
	struct frame_sum *sorted = malloc(((size_t)c->frame_count + 1) * sizeof(*sorted));

	printf("profile %s %s %.12g %s\n", type, unit, total, name);
	memcpy(sorted, c->sums, (size_t)c->frame_count * sizeof(*sorted));
	qsort(sorted, (size_t)c->frame_count, sizeof(*sorted), compare_sums);
	for (int i = 0; i < c->frame_count; i++)
		if (sorted[i].seen)
			printf("frame %.12g %.12g %s\n", sorted[i].self, sorted[i].total,
				sorted[i].name);
	free(sorted);
	for (int i = 0; i < c->frame_count; i++)
		c->sums[i] = (struct frame_sum){ .name = c->sums[i].name };
}

static bool
check_profile(struct check *c, const cJSON *p)
{
	static const char *const units[] = { "none", "nanoseconds", "microseconds", "milliseconds",
		"seconds", "bytes", NULL };
	const cJSON *type = member(c, p, "type", cJSON_String);
	const cJSON *name = member(c, p, "name", cJSON_String);
	const cJSON *unit = member(c, p, "unit", cJSON_String);
	const cJSON *start = member(c, p, "startValue", cJSON_Number);
	const cJSON *end = member(c, p, "endValue", cJSON_Number);
	double total = 0;
	bool ok;

	if (!type || !name || !unit || !start || !end)
		return false;
	if (!is_one_of(unit->valuestring, units))
		return fail(c, "unit %s", unit->valuestring);
	if (strcmp(type->valuestring, "evented") == 0)
		ok = check_events(
			c, member(c, p, "events", cJSON_Array), start->valuedouble, &total);
	else if (strcmp(type->valuestring, "sampled") == 0)
		ok = check_samples(c, member(c, p, "samples", cJSON_Array),
			member(c, p, "weights", cJSON_Array), &total);
	else
		ok = fail(c, "type %s", type->valuestring);
	if (!ok)
		return false;
	if (end->valuedouble - start->valuedouble > total)
		total = end->valuedouble - start->valuedouble;
	print_profile(c, type->valuestring, unit->valuestring, total, name->valuestring);
	return true;
}

static bool
check_root(struct check *c, const cJSON *root)
{
	static const char url[] = "https://www.speedscope.app/file-format-schema.json";
	const cJSON *schema = member(c, root, "$schema", cJSON_String);
	const cJSON *shared = member(c, root, "shared", cJSON_Object);
	const cJSON *profiles = member(c, root, "profiles", cJSON_Array);
	const cJSON *p;

	if (!schema || !shared || !profiles)
		return false;
	if (strcmp(schema->valuestring, url) != 0)
		return fail(c, "$schema is %s", schema->valuestring);
	if (!may_be(c, root, "name", cJSON_String) || !may_be(c, root, "exporter", cJSON_String) ||
		!may_be(c, root, "activeProfileIndex", cJSON_Number) || !check_frames(c, shared))
		return false;
	for (p = profiles ? profiles->child : NULL; p; p = p->next)
		if (!check_profile(c, p))
			return false;
	return cJSON_GetArraySize(profiles) > 0 || fail(c, "no profiles");
}

int
main(int argc, char **argv)
{
	int failures = argc < 2;

	for (int i = 1; i < argc; i++) {
		struct check c = { .file = argv[i] };
		cJSON *root = json_file_read(argv[i]);

		if (!root)
			fail(&c, "no JSON");
		else if (!check_root(&c, root) && !c.failures)
			fail(&c, "refused");
		failures += c.failures;
		cJSON_Delete(root);
		free(c.sums);
	}
	return failures ? 1 : 0;
}
