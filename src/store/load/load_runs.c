/* Determines the run of a result set, and what the run looked for, from the input, the format and the
 * command line. */
#include "load_private.h"

#include "base/number.h"
#include "store/columns.h"
#include "store/result_sets.h"

#include <string.h>

void
load_run_begin(const struct load *l, struct load_set *set)
{
	const struct load_config *c = &l->config;

	set->run = (struct run_row){
		.run_key = text_from(c->run.key),
		.commit_id = text_from(c->run.commit),
		.parent_commit_id = text_from(c->run.parent_commit),
		.environment = text_from(c->run.environment),
		.started_us = MODEL_NULL,
		.ended_us = MODEL_NULL,
		.finished = c->run.clean ? 1 : -1,
	};
	for (int i = 0; i < COVERAGE_WHATS; i++)
		set->outcome.run.coverage[i] = (struct coverage){ c->covers[i],
			c->covers[i] == COVERAGE_NONE
				? text_from(arena_printf(
					  l->arena, "%s files do not hold them", c->format))
				: TEXT_LITERAL("the format") };
}

/* Parses a text such as "full --leak-check=full". Its first word is the degree, and the rest is the reason. */
static void
read_coverage(struct load *l, struct load_set *set, struct text what, struct text value)
{
	const char *space = memchr(value.data, ' ', value.size);
	size_t size = space ? (size_t)(space - value.data) : value.size;
	size_t after = space ? size + 1 : size;
	enum coverage_what number;
	struct coverage c;

	if (!coverage_what_parse(what, &number) ||
		!coverage_degree_parse((struct text){ value.data, size }, &c.degree))
		return;
	c.source = arena_text(l->arena, (struct text){ value.data + after, value.size - after });
	set->outcome.run.coverage[number] = c;
}

static int64_t
microseconds(struct text value)
{
	struct number n;
	int64_t us;

	return number_parse(value, &n) == NUMBER_OK && number_to_int64(n, &us) ? us : MODEL_NULL;
}

/* Sets a text of the run, unless the command line gives this text. Returns false for an unknown key. */
static bool
set_run_text(struct load *l, struct load_set *set, const char *key, struct text value)
{
	const struct {
		const char *key;
		struct text *member;
		const char *given;
	} members[] = {
		{ "run_key", &set->run.run_key, l->config.run.key },
		{ "commit_id", &set->run.commit_id, l->config.run.commit },
		{ "parent_commit_id", &set->run.parent_commit_id, l->config.run.parent_commit },
		{ "environment", &set->run.environment, l->config.run.environment },
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (strcmp(members[i].key, key) != 0)
			continue;
		if (!members[i].given)
			*members[i].member = arena_text(l->arena, value);
		return true;
	}
	return false;
}

bool
load_run_metadata(struct load *l, struct load_set *set, const char *key, struct text value)
{
	static const char looked_for[] = "looked_for:";

	if (set_run_text(l, set, key, value))
		return true;
	if (strcmp(key, "finished") == 0)
		set->run.finished = text_equal(value, TEXT_LITERAL("true"));
	else if (strcmp(key, "started_us") == 0)
		set->run.started_us = microseconds(value);
	else if (strcmp(key, "ended_us") == 0)
		set->run.ended_us = microseconds(value);
	else if (strncmp(key, looked_for, strlen(looked_for)) == 0)
		read_coverage(l, set, text_from(key + strlen(looked_for)), value);
	else
		return false;
	return true;
}

/* If the input does not show what the run looked for, uses what the user stated. Fails if the user's statement
 * contradicts the input. */
static bool
add_stated(const struct load *l, struct load_set *set, struct error *err)
{
	for (int i = 0; i < COVERAGE_WHATS; i++) {
		struct coverage *c = &set->outcome.run.coverage[i];

		if (!l->config.run.looked_for || !l->config.run.looked_for[i] ||
			c->degree > COVERAGE_UNKNOWN)
			continue;
		if (c->degree == COVERAGE_NONE && !l->config.run.clean) {
			error_set(err, ERROR_INPUT, "the run did not look for %s: %.*s",
				coverage_what_name((enum coverage_what)i),
				text_precision(c->source, 100), c->source.data);
			return error_hint(err, "remove %s from --looked-for",
				coverage_what_name((enum coverage_what)i));
		}
		*c = (struct coverage){ COVERAGE_FULL, TEXT_LITERAL("stated at load") };
	}
	return true;
}

static bool
has_facts(const struct load_set *set)
{
	for (int r = 0; r < RELATIONS_COUNTED; r++)
		if (r != REL_METRICS && r != REL_ISSUES && set->counts[r].rows)
			return true;
	return false;
}

/* Fails if a name is too long for an index: the depot has indexes on these names. */
static bool
check_names(const struct load_set *set, struct error *err)
{
	const struct {
		const char *what;
		struct text name;
	} names[] = {
		{ "the name of the application", set->application },
		{ "the key of the run", set->run.run_key },
		{ "the commit", set->run.commit_id },
		{ "the parent commit", set->run.parent_commit_id },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].name.size > RUN_NAME_MAX_BYTES)
			return error_set(err, ERROR_LIMIT, "%s exceeds %d bytes", names[i].what,
				(int)RUN_NAME_MAX_BYTES);
	return true;
}

bool
load_run_end(struct load *l, struct load_set *set, struct error *err)
{
	/* Two result sets without facts differ if they come from different tools. */
	if (!has_facts(set))
		digest_row(&set->digest, DIGEST_TOOL, NULL, 0, &set->tool, 1);
	set->run.version = set->app_version;
	set->outcome.run.key = set->run.run_key;
	set->outcome.run.finished = set->run.finished;
	return check_names(set, err) && add_stated(l, set, err);
}

bool
load_run_write(struct load *l, struct load_set *set, struct error *err)
{
	load_row(l, set, REL_RUNS);
	run_row_put(l->copier, &set->run);
	if (!load_row_end(l, err))
		return false;
	for (int i = 0; i < COVERAGE_WHATS; i++) {
		const struct coverage *c = &set->outcome.run.coverage[i];
		const struct coverage_row row = { text_from(coverage_what_name(
							  (enum coverage_what)i)),
			text_from(coverage_degree_name(c->degree)), c->source };

		if (c->degree == COVERAGE_UNKNOWN)
			continue;
		load_row(l, set, REL_COVERAGE);
		coverage_row_put(l->copier, &row);
		if (!load_row_end(l, err))
			return false;
	}
	return true;
}
