/* Import issues that readers report, and import issues found at the end of a load. */
#include "load_private.h"

#include <inttypes.h>

static bool
write_issue(struct load *l, struct load_set *set, const struct issue *issue, int64_t occurrences,
	struct error *err)
{
	struct copier *c = l->copier;
	struct text raw = issue->raw;

	if (!load_row(l, set, REL_ISSUES))
		return true;
	if (raw.size > ISSUE_RAW_MAX_BYTES)
		raw.size = ISSUE_RAW_MAX_BYTES;
	copier_int32(c, ++set->issue_no);
	copier_text(c, text_from(issue_severity_name(issue_severity(issue->code))));
	copier_text(c, text_from(issue_name(issue->code)));
	copier_text(c, text_from(issue->source));
	copier_int64_or_null(c, issue->line ? (int64_t)issue->line : MODEL_NULL);
	copier_int64_or_null(c, issue->line || issue->offset ? (int64_t)issue->offset : MODEL_NULL);
	copier_text(c, text_from(issue->message));
	copier_int64(c, occurrences);
	copier_text(c, raw);
	return load_row_end(l, err);
}

/* Sets the error of --strict or --max-issues. It consists of the issue, its place and a hint. */
static bool
refuse(const struct load *l, const struct issue *issue, struct error *err)
{
	error_set(err, ERROR_INPUT, "%s", issue->message);
	if (issue->line)
		error_prefix(err, "%s: line %" PRIu64, issue->source, issue->line);
	else if (issue->source && issue->offset)
		error_prefix(err, "%s: offset %" PRIu64, issue->source, issue->offset);
	else if (issue->source)
		error_prefix(err, "%s", issue->source);
	if (l->config.strict)
		return error_hint(err, "--strict refuses an input with issues; otherwise the load "
				       "keeps them as rows of import_issues");
	return error_hint(err, "this is one issue more than --max-issues %" PRId64 " allows",
		l->config.max_issues);
}

/* Keeps the issue as text for the caller, because the depot contains it only if the set is stored. */
static void
keep_text(struct load *l, struct load_set *set, const struct issue *issue)
{
	struct load_issue_text *t;
	char place[32] = "";

	if (!l->config.keep_issue_texts)
		return;
	if (issue->line)
		snprintf(place, sizeof(place), "line %" PRIu64 ": ", issue->line);
	else if (issue->source && issue->offset)
		snprintf(place, sizeof(place), "offset %" PRIu64 ": ", issue->offset);
	t = arena_alloc(l->arena, sizeof(*t));
	*t = (struct load_issue_text){ .text = arena_printf(l->arena, "%s: %s%s%s%s",
					       issue_severity_name(issue_severity(issue->code)),
					       issue->source ? issue->source : "",
					       issue->source ? ": " : "", place, issue->message) };
	if (!set->issue_end)
		set->issue_end = &set->outcome.issue_texts;
	*set->issue_end = t;
	set->issue_end = &t->next;
}

static bool
add_issue(struct load *l, struct load_set *set, const struct issue *issue, int64_t occurrences,
	struct error *err)
{
	enum issue_severity severity = issue_severity(issue->code);
	int64_t above_info;

	if (!set->wanted)
		return true;
	set->outcome.issues[severity] += occurrences;
	set->issue_counts[issue->code]++;
	above_info = set->outcome.issues[ISSUE_WARNING] + set->outcome.issues[ISSUE_ERROR];
	if (severity != ISSUE_INFO &&
		(l->config.strict ||
			(l->config.max_issues >= 0 && above_info > l->config.max_issues)))
		return refuse(l, issue, err);
	if (set->issue_counts[issue->code] > ISSUE_ROWS_PER_CODE)
		return true;
	keep_text(l, set, issue);
	return write_issue(l, set, issue, occurrences, err);
}

bool
load_issue(struct sink *s, uint32_t number, const struct issue *issue, struct error *err)
{
	struct load *l = (struct load *)s;

	if (number != ISSUE_EVERY_SET)
		return add_issue(l, l->sets[number], issue, 1, err);
	for (size_t i = 0; i < l->set_count; i++)
		if (!add_issue(l, l->sets[i], issue, 1, err))
			return false;
	return true;
}

static bool
found(struct load *l, struct load_set *set, enum issue_code code, int64_t occurrences,
	const char *message, struct error *err)
{
	const struct issue issue = { .code = code, .message = message };

	return add_issue(l, set, &issue, occurrences, err);
}

static bool
check_dangling(struct load *l, struct load_set *set, struct error *err)
{
	static const enum issue_code codes[] = {
		[DANGLING_ROUTINE] = ISSUE_DANGLING_ROUTINE,
		[DANGLING_LINE] = ISSUE_DANGLING_LINE,
		[DANGLING_CLASS] = ISSUE_DANGLING_CLASS,
		[DANGLING_THREAD] = ISSUE_DANGLING_THREAD,
	};
	static const char *const formats[] = {
		[DANGLING_ROUTINE] =
			"%" PRId64 " distinct call stack frames refer to routine %" PRId64
			", which does not exist",
		[DANGLING_LINE] =
			"%" PRId64 " distinct call stack frames refer to a line that routine "
			"%" PRId64 " does not have",
		[DANGLING_CLASS] =
			"%" PRId64 " objects refer to class %" PRId64 ", which does not exist",
		[DANGLING_THREAD] = "%" PRId64 " errors or further stacks refer to thread %" PRId64
				    ", which does not exist",
	};

	for (size_t i = 0; i < set->dangling_count; i++) {
		const struct load_dangling *d = &set->dangling[i];
		char message[160];

		/* All formats above have the same two arguments. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		snprintf(message, sizeof(message), formats[d->kind], d->count, d->id);
#pragma GCC diagnostic pop
		if (!found(l, set, codes[d->kind], d->count, message, err))
			return false;
	}
	return true;
}

/* COL_THREADID should contain REC_IDs of threads. If it matches IDs of threads more often than REC_IDs, the
 * values are taken as IDs. */
static bool
check_threads(struct load *l, struct load_set *set, struct error *err)
{
	bool by_id = set->thread_id_hits > set->thread_rec_hits;
	int64_t hits = by_id ? set->thread_id_hits : set->thread_rec_hits;
	char message[160];

	if (by_id) {
		snprintf(message, sizeof(message),
			"COL_THREADID is a thread's ID in %" PRId64
			" objects, and its REC_ID in %" PRId64,
			set->thread_id_hits, set->thread_rec_hits);
		if (!found(l, set, ISSUE_THREAD_KEY, 1, message, err))
			return false;
	}
	if (hits == set->thread_rows || !set->counts[REL_THREADS].rows)
		return true;
	snprintf(message, sizeof(message), "%" PRId64 " %s a thread that does not exist",
		set->thread_rows - hits,
		by_count((unsigned long long)(set->thread_rows - hits), "object refers to",
			"objects refer to"));
	return found(l, set, ISSUE_DANGLING_THREAD, set->thread_rows - hits, message, err);
}

static bool
check_counters(struct load *l, struct load_set *set, struct error *err)
{
	for (size_t i = 0; i < set->class_count; i++) {
		const struct load_class *c = &set->classes[i];
		char exported[24];
		char message[256];

		if (!c->has_counters)
			continue;
		if (!c->live_count.null && wide_from_number(c->live_count) != c->objects) {
			number_format(c->live_count, exported);
			snprintf(message, sizeof(message),
				"class %" PRId64 " (%.*s) has live count %s but %" PRId64
				" objects",
				c->rec_id, text_precision(c->name, 100),
				c->name.data ? c->name.data : "", exported, c->objects);
			if (!found(l, set, ISSUE_LIVE_COUNT, 1, message, err))
				return false;
		}
		if (!c->live_size.null && wide_from_number(c->live_size) != c->size) {
			number_format(c->live_size, exported);
			snprintf(message, sizeof(message),
				"class %" PRId64
				" (%.*s) has live size %s, but the sizes of its objects have a different sum",
				c->rec_id, text_precision(c->name, 100),
				c->name.data ? c->name.data : "", exported);
			if (!found(l, set, ISSUE_LIVE_SIZE, 1, message, err))
				return false;
		}
	}
	return true;
}

/* For each code with too many issues, writes a last row with the number of omitted issues. */
static bool
write_suppressed(struct load *l, struct load_set *set, struct error *err)
{
	for (int code = 0; code < ISSUE_CODES; code++) {
		int64_t more = set->issue_counts[code] - ISSUE_ROWS_PER_CODE;
		char message[128];
		const struct issue issue = { .code = ISSUE_SUPPRESSED, .message = message };

		if (more <= 0)
			continue;
		snprintf(message, sizeof(message), "%" PRId64 " more of %s", more,
			issue_name((enum issue_code)code));
		keep_text(l, set, &issue);
		if (!write_issue(l, set, &issue, more, err))
			return false;
	}
	return true;
}

bool
load_check(struct load *l, struct load_set *set, struct error *err)
{
	if (!set->wanted)
		return true;
	if (set->several_gets &&
		!found(l, set, ISSUE_SEVERAL_GETS, 1, "the objects have several Get # values", err))
		return false;
	return check_dangling(l, set, err) && check_threads(l, set, err) &&
	       check_counters(l, set, err) && write_suppressed(l, set, err);
}
