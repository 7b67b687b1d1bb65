/* Suppressions from files, the depot and a result set, and the records that they hide. */
#include "store/suppressions.h"
#include "base/array.h"
#include "format/common/demangle.h"
#include "suppressions_private.h"

#include <stdlib.h>

/* The text of suppressions, which is parsed again for every result set, because each result set can
 * have suppressions of its own. */
struct given {
	struct suppress_place place;
	struct text text;
};

struct suppressions {
	struct arena arena;
	bool none, standard;
	struct given *given;
	size_t given_count;
	/* The following members are for the result set that was last passed to suppressions_apply. */
	struct suppress_list list;
	struct suppress_matcher *matcher;
};

static bool
take_files(struct suppressions *s, const struct option_list *files, struct error *err)
{
	for (size_t i = 0; files && i < files->count; i++) {
		struct given *g = &s->given[s->given_count++];
		struct suppress_list checked;
		bool ok;

		g->place = (struct suppress_place){ .origin = SUPPRESS_OF_FILE,
			.file = strcmp(files->items[i], "-") == 0 ? "standard input"
								  : files->items[i] };
		if (!suppressions_read_file(&s->arena, files->items[i], &g->text, err))
			return false;
		/* Parse the file now, to report mistakes in it before the first row. */
		suppress_list_init(&checked);
		ok = suppress_parse(&checked, &g->place, g->text, err);
		suppress_list_release(&checked);
		if (!ok)
			return false;
	}
	return true;
}

static void
take_depots(struct suppressions *s, const struct db_result *r)
{
	for (size_t i = 0; i < db_result_rows(r); i++) {
		struct given *g = &s->given[s->given_count++];

		g->text = arena_text(&s->arena, db_result_value(r, i, SUPPRESSION_ROW_PATTERN));
		g->place = (struct suppress_place){ .origin = SUPPRESS_OF_DEPOT,
			.file = "the depot's suppression",
			.id = db_result_int64(r, i, SUPPRESSION_ROW_ID, 0),
			.name = arena_text(&s->arena, db_result_value(r, i, SUPPRESSION_ROW_NAME)),
			.expired = text_equal(db_result_value(r, i, SUPPRESSION_ROW_STATE),
				TEXT_LITERAL("expired")) };
	}
}

struct suppressions *
suppressions_open(struct db *db, const struct suppressions_request *q, struct error *err)
{
	struct suppressions *s = xcalloc(1, sizeof(*s));
	struct db_result *depots = q->none ? NULL : suppressions_query(db, err);
	bool ok = q->none || depots;

	s->arena = ARENA_INIT;
	s->none = q->none;
	s->standard = q->standard;
	suppress_list_init(&s->list);
	s->given = arena_alloc_array(&s->arena,
		(q->files ? q->files->count : 0) + (depots ? db_result_rows(depots) : 0),
		sizeof(*s->given));
	ok = ok && take_files(s, q->files, err);
	if (ok && depots)
		take_depots(s, depots);
	db_result_free(depots);
	if (ok)
		return s;
	suppressions_free(s);
	return NULL;
}

void
suppressions_free(struct suppressions *s)
{
	if (!s)
		return;
	suppress_matcher_free(s->matcher);
	suppress_list_release(&s->list);
	arena_release(&s->arena);
	free(s);
}

bool
suppressions_are_given(const struct suppressions *s)
{
	return s->given_count > 0 || s->standard;
}

/* Adds a suppression of the result set. It must not make the report fail, so if its text cannot be parsed, the text
 * is matched literally. */
static void
add_own(struct suppressions *s, struct text pattern)
{
	const struct suppress_place place = { .origin = SUPPRESS_OF_RESULT_SET,
		.file = "the result set's suppression" };
	struct error ignored = ERROR_INIT;
	struct arena a = ARENA_INIT;

	if (!suppress_parse(&s->list, &place, pattern, &ignored)) {
		error_clear(&ignored);
		suppress_parse(&s->list, &place,
			text_from(arena_printf(&a, "leak:%s", suppression_line(&a, pattern))),
			&ignored);
	}
	arena_release(&a);
}

static bool
add_owns(struct suppressions *s, struct db *db, int64_t inst_id, struct error *err)
{
	struct db_result *r = suppressions_own(db, inst_id, err);

	if (!r)
		return false;
	for (size_t i = 0; i < db_result_rows(r); i++)
		add_own(s, db_result_value(r, i, 0));
	db_result_free(r);
	return true;
}

static bool
make_list(struct suppressions *s, struct db *db, int64_t inst_id, struct error *err)
{
	const struct suppress_place standard = { .origin = SUPPRESS_STANDARD,
		.file = "standard leaks" };

	suppress_matcher_free(s->matcher);
	s->matcher = NULL;
	suppress_list_release(&s->list);
	for (size_t i = 0; i < s->given_count; i++)
		if (!suppress_parse(&s->list, &s->given[i].place, s->given[i].text, err))
			return false;
	if (!s->none && !add_owns(s, db, inst_id, err))
		return false;
	return !s->standard ||
	       suppress_parse(&s->list, &standard, text_from(standard_leaks_supp_text), err);
}

static const char *
demangle_symbol(struct arena *a, struct text symbol)
{
	struct strbuf out;
	struct text plain;
	const char *name = NULL;

	strbuf_init(&out, DEMANGLE_MAX_BYTES);
	if (demangle(symbol, &out, &plain))
		name = arena_strndup(a, plain.data, plain.size);
	strbuf_release(&out);
	return name;
}

/* Appends a stack and a leak kind to two arrays, which the server unnests. */
static void
append_pair(struct strbuf *stacks, struct strbuf *kinds, const struct suppress_subject *s)
{
	strbuf_append_char(stacks, stacks->size ? ',' : '{');
	strbuf_append_int(stacks, s->id);
	strbuf_append_str(kinds, kinds->size ? ",\"" : "{\"");
	for (size_t i = 0; i < s->kind.size; i++) {
		if (s->kind.data[i] == '"' || s->kind.data[i] == '\\')
			strbuf_append_char(kinds, '\\');
		strbuf_append_char(kinds, s->kind.data[i]);
	}
	strbuf_append_char(kinds, '"');
}

struct id_list {
	int64_t *ids;
	size_t count, room;
};

static bool
take_object(void *self, const struct db_result *row, struct error *err)
{
	struct id_list *l = self;

	(void)err;
	*ARRAY_ADD(l->ids, l->count, l->room) = db_result_int64(row, 0, 0, 0);
	return true;
}

static const int64_t *
keep_ids(struct arena *a, struct id_list *l)
{
	int64_t *kept = arena_copy_array(a, l->ids, l->count, sizeof(*kept));

	free(l->ids);
	return kept;
}

/* Finds the IDs of the objects with these stacks and kinds. */
static bool
find_objects(struct db *db, int64_t inst_id, struct strbuf *stacks, struct strbuf *kinds,
	struct arena *a, struct suppressed *out, struct error *err)
{
	struct id_list ids = { NULL, 0, 0 };
	bool ok;

	if (!stacks->size)
		return true;
	strbuf_append_char(stacks, '}');
	strbuf_append_char(kinds, '}');
	if (stacks->failed || kinds->failed)
		return error_set(err, ERROR_LIMIT, "too many stacks are suppressed");
	ok = suppressed_objects(db, arena_printf(a, "%lld", (long long)inst_id), strbuf_str(stacks),
		strbuf_str(kinds), take_object, &ids, err);
	out->object_count = ids.count;
	out->objects = keep_ids(a, &ids);
	return ok;
}

static bool
match_all(struct suppressions *s, struct db *db, struct arena *a, int64_t inst_id,
	const struct suppress_facts *facts, struct suppressed *out, struct error *err)
{
	bool *of_leaks = arena_alloc_array(a, s->list.count, sizeof(*of_leaks));
	struct id_list errors = { NULL, 0, 0 };
	struct strbuf stacks, kinds;
	bool ok;

	strbuf_init(&stacks, 256UL << 20);
	strbuf_init(&kinds, 256UL << 20);
	for (size_t i = 0; i < facts->subject_count; i++) {
		const struct suppress_subject *subject = &facts->subjects[i];
		size_t entry = suppress_match(s->matcher, subject);

		if (entry == SUPPRESS_NONE)
			continue;
		of_leaks[entry] = subject->is_leak;
		suppress_use_add(
			subject->is_leak ? &out->leak_use : &out->error_use, &subject->weight);
		if (subject->is_leak)
			append_pair(&stacks, &kinds, subject);
		else
			*ARRAY_ADD(errors.ids, errors.count, errors.room) = subject->id;
	}
	out->of_leaks = of_leaks;
	out->error_count = errors.count;
	out->errors = keep_ids(a, &errors);
	ok = find_objects(db, inst_id, &stacks, &kinds, a, out, err);
	strbuf_release(&stacks);
	strbuf_release(&kinds);
	return ok;
}

bool
suppressions_apply(struct suppressions *s, struct db *db, struct arena *a, int64_t inst_id,
	struct suppressed *out, struct error *err)
{
	struct suppress_facts facts = { 0 };
	struct arena facts_arena = ARENA_INIT;
	bool ok;

	*out = (struct suppressed){ .list = &s->list };
	if (!make_list(s, db, inst_id, err))
		return false;
	if (!s->list.count)
		return true;
	ok = suppress_facts_read(
		db, &facts_arena, inst_id, suppress_asks_lines(&s->list), &facts, err);
	if (ok) {
		s->matcher = suppress_matcher_new(
			&s->list, facts.routines, facts.routine_count, demangle_symbol);
		out->uses = suppress_uses(s->matcher);
		ok = match_all(s, db, a, inst_id, &facts, out, err);
	}
	/* The matcher still refers to the facts that are freed here, but from now on only the matcher's counts are read. */
	arena_release(&facts_arena);
	return ok;
}
