/* Reads, judges and filters the findings of a stream, and makes texts about findings. */
#include "history_private.h"

#include "analysis/history.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>

enum {
	HINT_MAX_BYTES = 1024
};

/* --- filters --------------------------------------------------------------------------------- */

static bool
passes(const struct option_list *globs, struct text t)
{
	for (size_t i = 0; i < globs->count; i++)
		if (text_glob(t, globs->items[i]))
			return true;
	return globs->count == 0;
}

static bool
is_listed(const struct option_list *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->items[i], word) == 0)
			return true;
	return false;
}

static bool
hint_words(const char *const *words, size_t count, const char *extra, struct error *err)
{
	struct strbuf b;

	strbuf_init(&b, HINT_MAX_BYTES);
	for (size_t n = 0; n < count; n++)
		strbuf_printf(&b, "%s, ", words[n]);
	error_hint(err, "use %sor %s", strbuf_str(&b), extra);
	strbuf_release(&b);
	return false;
}

static bool
check_words(const struct option_list *given, const char *option, const char *const *words,
	size_t count, const char *extra, struct error *err)
{
	for (size_t i = 0; i < given->count; i++) {
		bool known = strcmp(given->items[i], extra) == 0;

		for (size_t n = 0; n < count; n++)
			known |= strcmp(given->items[i], words[n]) == 0;
		if (known)
			continue;
		error_set(err, ERROR_USAGE, "option --%s: \"%.50s\" is unknown", option,
			given->items[i]);
		return hint_words(words, count, extra, err);
	}
	return true;
}

static bool
passes_state(const struct history_request *q, const struct history_finding *f)
{
	const char *review = f->review ? review_status_names[f->review->status] : "none";

	if (q->reviews.count && !is_listed(&q->reviews, review))
		return false;
	if (!q->states.count)
		return q->finding || f->state != HISTORY_GONE;
	return is_listed(&q->states, "all") || is_listed(&q->states, history_state_names[f->state]);
}

/* Returns the newest group with this version or INST_ID; HISTORY_NEVER if there is none. */
static uint32_t
find_release(const struct history *h, const char *name)
{
	struct number n;
	int64_t inst_id = 0;
	uint32_t group = HISTORY_NEVER;

	if (number_parse(text_from(name), &n) == NUMBER_OK)
		number_to_int64(n, &inst_id);
	for (size_t i = 0; i < h->run_count; i++)
		if (text_equal(h->runs[i].version, text_from(name)) ||
			(inst_id && h->runs[i].inst_id == inst_id))
			group = h->runs[i].group;
	return group;
}

const struct history_sighting *
history_newest(const struct history *h, const struct history_finding *f)
{
	const struct history_sighting *most = NULL;

	/* If several detectors see a finding in one run, the highest count applies, not the sum. */
	for (size_t i = f->sighting_count; i-- > 0;) {
		const struct history_sighting *s = &f->sightings[i];
		uint32_t group = h->runs[s->run].group;

		if (f->last_seen != HISTORY_NEVER && group > f->last_seen)
			continue;
		if (most && h->runs[most->run].group != group)
			break;
		if (!most || s->count > most->count)
			most = s;
	}
	return most;
}

/* Removes the findings that do not pass the filters on the state and the first run. These filters do not need the
 * details of findings. */
static void
filter_states(struct history *h, const struct history_request *q, uint32_t since)
{
	size_t count = 0;

	for (size_t i = 0; i < h->finding_count; i++) {
		const struct history_finding *f = &h->findings[i];

		if (passes_state(q, f) &&
			(since == HISTORY_NEVER ||
				(f->first_seen != HISTORY_NEVER && f->first_seen > since)))
			h->findings[count++] = *f;
	}
	h->finding_count = count;
}

static bool
is_wanted(const struct history *h, const struct history_request *q, struct depot_owners *owners,
	const struct history_finding *f)
{
	const struct history_sighting *s = history_newest(h, f);

	return s && s->count >= q->min_count && s->size >= q->min_size &&
	       (passes(&q->kinds, f->kind) || passes(&q->kinds, f->name)) &&
	       passes(&q->classes, f->class_name) &&
	       (passes(&q->modules, f->module_name) ||
		       passes(&q->modules, text_file_name(f->module_name))) &&
	       passes(&q->routines, f->routine_name) &&
	       (!q->owners.count || owner_passes(&q->owners, depot_owner(owners, f->source_file)));
}

/* --- order ----------------------------------------------------------------------------------- */

struct ranked {
	struct history_finding finding;
	int64_t count;
	wide_int size;
};

/* Orders findings by state: first those that came back, then new ones, and so on. Within a state, the findings
 * with the most bytes are first. */
static int
compare_ranked(const void *a, const void *b)
{
	static const int order[HISTORY_STATES] = { [HISTORY_CAME_BACK] = 0,
		[HISTORY_NEW] = 1,
		[HISTORY_OPEN] = 2,
		[HISTORY_NOT_LOOKED] = 3,
		[HISTORY_GONE] = 4 };
	const struct ranked *x = a;
	const struct ranked *y = b;

	if (x->finding.state != y->finding.state)
		return order[x->finding.state] - order[y->finding.state];
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return memcmp(x->finding.identity, y->finding.identity, IDENTITY_BYTES);
}

static void
filter(struct history *h, struct arena *a, const struct history_request *q,
	struct depot_owners *owners)
{
	struct ranked *kept = arena_alloc_array(a, h->finding_count, sizeof(*kept));
	size_t count = 0;

	for (size_t i = 0; i < h->finding_count; i++) {
		const struct history_sighting *s = history_newest(h, &h->findings[i]);

		if (is_wanted(h, q, owners, &h->findings[i]))
			kept[count++] = (struct ranked){ h->findings[i], s->count, s->size };
	}
	if (count)
		qsort(kept, count, sizeof(*kept), compare_ranked);
	for (size_t i = 0; i < count; i++)
		h->findings[i] = kept[i].finding;
	h->finding_count = count;
}

/* Returns whether a filter looks at the texts of findings. */
static bool
filters_texts(const struct history_request *q)
{
	return q->kinds.count || q->classes.count || q->modules.count || q->routines.count ||
	       q->owners.count;
}

/* Reads details, and filters and sorts the findings. If the request selects a page, only the findings of the page
 * need all details; of the others, what the filters and the order look at is enough. */
static bool
read_details(struct db *db, struct arena *a, const struct history_request *q, struct history *h,
	struct depot_owners *owners, struct error *err)
{
	enum history_details wanted = q->finding ? HISTORY_ALL : HISTORY_RECENT;
	size_t first, rows;

	if (!q->finding && history_page(q, h->finding_count, &first) < h->finding_count)
		wanted = filters_texts(q) ? HISTORY_NEWEST : HISTORY_FIGURES;
	if (!history_read_details(db, a, h, 0, h->finding_count, wanted, err) ||
		!depot_owners_read(db, a, h->ledger_no, owners, err))
		return false;
	filter(h, a, q, owners);
	if (wanted >= HISTORY_RECENT)
		return true;
	rows = history_page(q, h->finding_count, &first);
	return history_read_details(db, a, h, first, rows, HISTORY_RECENT, err);
}

bool
history_read_with_owners(struct db *db, struct arena *a, const struct history_request *q,
	struct history *h, struct depot_owners *owners, struct error *err)
{
	struct history_question question = { .stream = q->stream, .finding = q->finding };
	uint32_t since = HISTORY_NEVER;

	if (!check_words(&q->states, "state", history_state_names, HISTORY_STATES, "all", err) ||
		!check_words(
			&q->reviews, "review", review_status_names, REVIEW_STATUSES, "none", err))
		return false;
	if (q->before)
		question.ledger_no = q->before->ledger_no;
	else if (q->as_of && !history_parse_as_of(db, q->as_of, &question.ledger_no, err))
		return false;
	if (!history_read(db, a, &question, h, err))
		return false;
	if (q->new_since) {
		since = find_release(h, q->new_since);
		if (since == HISTORY_NEVER)
			return error_set(err, ERROR_NOT_FOUND,
				"the stream has no run with the version or INST_ID \"%.100s\"",
				q->new_since);
	}
	history_judge(h, a, HISTORY_NEVER);
	filter_states(h, q, since);
	return read_details(db, a, q, h, owners, err);
}

bool
history_answer_read(struct db *db, struct arena *a, const struct history_request *q,
	struct history *h, struct error *err)
{
	struct depot_owners owners;

	return history_read_with_owners(db, a, q, h, &owners, err);
}

/* --- texts ----------------------------------------------------------------------------------- */

struct text
history_size(struct arena *a, const struct history_sighting *s)
{
	if (!s->sized)
		return TEXT_NULL;
	return s->size >= INT64_MIN && s->size <= INT64_MAX
		       ? history_digits(a, (int64_t)s->size)
		       : fixed_text(a, fixed_from_wide(s->size));
}

struct text
history_digits(struct arena *a, int64_t v)
{
	char digits[32];
	size_t size = number_format_int64(v, digits);

	return arena_text(a, (struct text){ digits, size });
}

struct text
history_identity_text(struct arena *a, const struct history_finding *f)
{
	char *hex = arena_alloc(a, 2 * IDENTITY_BYTES + 1);

	hex_format(f->identity, IDENTITY_BYTES, hex);
	return text_from(hex);
}

struct text
history_routine(struct arena *a, const struct history_finding *f)
{
	if (text_is_empty(f->routine_class) || text_is_empty(f->routine_name))
		return f->routine_name;
	return text_from(arena_printf(a, "%.*s.%.*s", text_precision(f->routine_class, 500),
		f->routine_class.data, text_precision(f->routine_name, 1000),
		f->routine_name.data));
}

const char *
history_stream_note(struct arena *a, const struct history *h)
{
	return arena_printf(a, "stream %.*s%s%.*s, %u %s, as of ledger number %lld",
		text_precision(h->application, 200), h->application.data,
		text_is_empty(h->labels) || text_is_empty(h->application) ? "" : " ",
		text_precision(h->labels, 200), h->labels.data ? h->labels.data : "",
		h->group_count - h->own_group,
		by_count(h->group_count - h->own_group, "run", "runs"), (long long)h->ledger_no);
}

size_t
history_page(const struct history_request *q, size_t all, size_t *first)
{
	size_t left;

	*first = (uint64_t)q->skip < all ? (size_t)q->skip : all;
	left = all - *first;
	return q->top && (uint64_t)q->top < left ? (size_t)q->top : left;
}

const struct history_run *
history_run_of_group(const struct history *h, uint32_t group)
{
	size_t low = 0, high = h->run_count;

	if (group == HISTORY_NEVER)
		return NULL;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (h->runs[middle].group < group)
			low = middle + 1;
		else
			high = middle;
	}
	return low < h->run_count ? &h->runs[low] : NULL;
}
