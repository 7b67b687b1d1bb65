/*
 * Profiles rebuilt from the three tables that .NET's storage providers write.
 * What the tables do not hold (a second fraction digit, names beyond 200
 * characters, the order of keys) is gone: such a profile is marked as rebuilt.
 */
#include "miniprofiler_private.h"

#include "base/depot_text.h"
#include "base/hash.h"
#include "format/formats.h"

#include <inttypes.h>
#include <stdlib.h>

#define JSON_MAX_BYTES ((size_t)1 << 30)

/* Columns of the queries in src/db/sql, in their order. */
enum profile_column {
	P_ID,
	P_ROOT,
	P_NAME,
	P_STARTED,
	P_DURATION,
	P_USER,
	P_VIEWED,
	P_MACHINE,
	P_LINKS,
	P_REDIRECTS,
	P_COLUMNS
};

enum timing_column {
	T_PROFILE,
	T_ID,
	T_PARENT,
	T_NAME,
	T_DURATION,
	T_START,
	T_IS_ROOT,
	T_CALLS,
	T_COLUMNS
};

enum client_column {
	C_PROFILE,
	C_ID,
	C_NAME,
	C_START,
	C_DURATION,
	C_COLUMNS
};

enum table {
	CLIENTS,
	PROFILES,
	TIMINGS,
	TABLES
};

static const struct {
	const char *name;
	size_t columns;
} tables[TABLES] = {
	{ "MINIPROFILERCLIENTTIMINGS", C_COLUMNS },
	{ "MINIPROFILERS", P_COLUMNS },
	{ "MINIPROFILERTIMINGS", T_COLUMNS },
};

enum verdict {
	UNKNOWN,
	REACHED,
	ORPHAN,
	CYCLE,
	REPEATED,
	WALKED /* on the walk that is under way */
};

struct step {
	struct json_node *node;
	struct text id, parent;
	size_t above; /* index of the parent; SIZE_MAX: not there */
	bool is_root;
	enum verdict verdict;
	uint64_t line;
};

struct storage {
	struct mini_reader *m;
	struct row_reader *rows[TABLES];
	struct row row[TABLES];
	bool there[TABLES];    /* row holds one */
	struct arena arena;    /* of the profile */
	struct strbuf last_id; /* of the profile before */
	struct step *steps;
	size_t step_count, step_capacity;
	struct error *err;
};

static bool
advance(struct storage *s, enum table t)
{
	enum row_status status = s->rows[t]->next(s->rows[t], &s->row[t], s->err);

	s->there[t] = status == ROW_READ;
	return status != ROW_ERROR;
}

static struct text
field(const struct storage *s, enum table t, size_t column)
{
	return s->row[t].fields[column];
}

static bool
row_issue(struct storage *s, enum table t, enum issue_code code, uint64_t line, struct text id,
	const char *why)
{
	char message[200];
	struct issue issue = { .code = code,
		.source = s->rows[t]->source,
		.line = line,
		.message = message,
		.raw = id };

	snprintf(message, sizeof(message), "row %.*s: %s", text_precision(id, 60),
		id.data ? id.data : "", why);
	return s->m->sink->issue(s->m->sink, s->m->set, &issue, s->err);
}

/* The depot's escape: real texts of PostgreSQL may hold its first character. */
static struct text
keep_text(struct storage *s, struct text t)
{
	struct strbuf b;
	struct text kept;

	if (text_is_null(t) || !memchr(t.data, DEPOT_TEXT_ESCAPE, t.size))
		return arena_text(&s->arena, t);
	strbuf_init(&b, JSON_MAX_BYTES);
	for (size_t i = 0; i < t.size; i++) {
		if (t.data[i] == DEPOT_TEXT_ESCAPE)
			depot_text_append_unit(&b, DEPOT_TEXT_ESCAPE);
		else
			strbuf_append_char(&b, t.data[i]);
	}
	kept = arena_text(&s->arena, strbuf_text(&b));
	strbuf_release(&b);
	return kept;
}

static struct json_node *
add(struct storage *s, struct json_node *object, const char *key, enum json_type type)
{
	struct json_node *n = json_tree_new(&s->arena, type, 0);

	if (key)
		n->key = text_from(key);
	json_tree_attach(object, n);
	return n;
}

/* NULL adds nothing, as .NET's JSON has it. */
static void
add_text(struct storage *s, struct json_node *object, const char *key, struct text value)
{
	if (!text_is_null(value))
		add(s, object, key, JSON_STRING)->text = keep_text(s, value);
}

static void
add_number(struct storage *s, struct json_node *object, const char *key, struct text value)
{
	if (!text_is_null(value))
		add(s, object, key, JSON_NUMBER)->text = arena_text(&s->arena, value);
}

/* A column that holds JSON; what is none stays as a text under the column's name. */
static bool
add_json(struct storage *s, struct json_node *object, const char *key, const char *column,
	enum table t, struct text id, struct text value)
{
	struct error ignored = ERROR_INIT;
	struct json_node *n;

	if (text_is_null(value))
		return true;
	n = json_tree_parse(&s->arena, arena_text(&s->arena, value), &ignored);
	if (n) {
		n->key = text_from(key);
		json_tree_attach(object, n);
		return true;
	}
	add_text(s, object, column, value);
	return row_issue(s, t, ISSUE_IRREGULAR_VALUE, s->row[t].line, id,
		"a column of JSON holds none; kept as text");
}

static bool
add_step(struct storage *s)
{
	struct step *step;
	struct json_node *n = json_tree_new(&s->arena, JSON_OBJECT, 0);

	if (s->step_count == s->step_capacity) {
		s->step_capacity = s->step_capacity ? s->step_capacity * 2 : 256;
		s->steps = xrealloc(s->steps, s->step_capacity * sizeof(*s->steps));
	}
	step = &s->steps[s->step_count++];
	*step = (struct step){ .node = n,
		.id = arena_text(&s->arena, field(s, TIMINGS, T_ID)),
		.parent = arena_text(&s->arena, field(s, TIMINGS, T_PARENT)),
		.above = SIZE_MAX,
		.is_root = text_equal(field(s, TIMINGS, T_IS_ROOT), TEXT_LITERAL("true")),
		.line = s->row[TIMINGS].line };
	add_text(s, n, "Id", field(s, TIMINGS, T_ID));
	add_text(s, n, "Name", field(s, TIMINGS, T_NAME));
	add_number(s, n, "DurationMilliseconds", field(s, TIMINGS, T_DURATION));
	add_number(s, n, "StartMilliseconds", field(s, TIMINGS, T_START));
	return add_json(s, n, "CustomTimings", "CustomTimingsJson", TIMINGS, step->id,
		field(s, TIMINGS, T_CALLS));
}

/* Passes rows of profiles that are not there; then takes those of `id` (NULL:
 * none is left). */
static bool
take_rows(struct storage *s, enum table t, struct text id, bool (*take)(struct storage *s))
{
	while (s->there[t]) {
		struct text profile = field(s, t, T_PROFILE);
		int order = text_is_null(id) ? -1 : text_compare(profile, id);

		if (order > 0)
			return true;
		if (order < 0 && !row_issue(s, t, ISSUE_ORPHAN_ROW, s->row[t].line,
					 field(s, t, T_ID), "its profile is not there"))
			return false;
		if (order == 0 && take && !take(s))
			return false;
		if (!advance(s, t))
			return false;
	}
	return true;
}

static size_t
find_root(const struct storage *s, struct text id)
{
	size_t marked = SIZE_MAX;

	for (size_t i = 0; i < s->step_count; i++) {
		if (!text_is_null(id) && text_equal(s->steps[i].id, id))
			return i;
		if (s->steps[i].is_root && marked == SIZE_MAX)
			marked = i;
	}
	return marked;
}

static void
find_parents(struct storage *s)
{
	struct pair_map ids;

	pair_map_init(&ids);
	for (size_t i = 0; i < s->step_count; i++) {
		struct hash128 h = hash128(s->steps[i].id.data, s->steps[i].id.size);
		bool added = true;

		if (!text_is_null(s->steps[i].id))
			pair_map_add(&ids, (int64_t)h.low, (int64_t)h.high, (uint32_t)i, &added);
		if (!added)
			s->steps[i].verdict = REPEATED;
	}
	for (size_t i = 0; i < s->step_count; i++) {
		struct hash128 h = hash128(s->steps[i].parent.data, s->steps[i].parent.size);
		uint32_t above;

		if (text_is_null(s->steps[i].parent))
			continue;
		above = pair_map_get(&ids, (int64_t)h.low, (int64_t)h.high);
		if (above != PAIR_MAP_NONE)
			s->steps[i].above = above;
	}
	pair_map_release(&ids);
}

/* Where the way up from a step ends; all steps on it share the answer. */
static void
judge(struct storage *s, size_t from)
{
	enum verdict verdict = UNKNOWN;
	size_t at = from;

	while (verdict == UNKNOWN) {
		s->steps[at].verdict = WALKED;
		at = s->steps[at].above;
		if (at == SIZE_MAX)
			verdict = ORPHAN;
		else if (s->steps[at].verdict == WALKED)
			verdict = CYCLE;
		else
			verdict = s->steps[at].verdict;
	}
	for (at = from; at != SIZE_MAX && s->steps[at].verdict == WALKED; at = s->steps[at].above)
		s->steps[at].verdict = verdict;
}

static void
attach_child(struct storage *s, size_t parent, size_t child)
{
	struct json_node *p = s->steps[parent].node;
	struct json_node *list = json_tree_member(p, TEXT_LITERAL("Children"));

	if (!list)
		list = add(s, p, "Children", JSON_ARRAY);
	json_tree_attach(list, s->steps[child].node);
}

static bool
leave_out(struct storage *s, const struct step *step)
{
	static const struct {
		enum issue_code code;
		const char *why;
	} reasons[] = { [ORPHAN] = { ISSUE_ORPHAN_ROW,
				"it or a step above it has no parent there" },
		[CYCLE] = { ISSUE_PARENT_CYCLE, "it is its own ancestor, or below one that is" },
		[REPEATED] = { ISSUE_DUPLICATE_ID, "its id was there already; the first stays" } };

	return row_issue(s, TIMINGS, reasons[step->verdict].code, step->line, step->id,
		reasons[step->verdict].why);
}

/* The tree below the root; what does not reach it becomes issues. */
static bool
build_tree(struct storage *s, size_t root)
{
	find_parents(s);
	s->steps[root].above = SIZE_MAX;
	s->steps[root].verdict = REACHED;
	for (size_t i = 0; i < s->step_count; i++) {
		struct step *step = &s->steps[i];

		if (step->verdict == UNKNOWN)
			judge(s, i);
		if (step->verdict != REACHED) {
			if (!leave_out(s, step))
				return false;
		} else if (i != root) {
			attach_child(s, step->above, i);
		}
	}
	return true;
}

static struct json_node *
profile_node(struct storage *s)
{
	struct json_node *n = json_tree_new(&s->arena, JSON_OBJECT, 0);

	add_text(s, n, "Id", field(s, PROFILES, P_ID));
	add_text(s, n, "Name", field(s, PROFILES, P_NAME));
	add_text(s, n, "Started", field(s, PROFILES, P_STARTED));
	add_number(s, n, "DurationMilliseconds", field(s, PROFILES, P_DURATION));
	add_text(s, n, "MachineName", field(s, PROFILES, P_MACHINE));
	add_text(s, n, "User", field(s, PROFILES, P_USER));
	if (!text_is_null(field(s, PROFILES, P_VIEWED)))
		add(s, n, "HasUserViewed",
			text_equal(field(s, PROFILES, P_VIEWED), TEXT_LITERAL("true"))
				? JSON_TRUE
				: JSON_FALSE);
	return n;
}

static struct json_node *clients_list(struct storage *s);

struct storage_profile {
	struct storage s;
	struct json_node *clients; /* the list */
};

static bool
add_client(struct storage *s)
{
	struct json_node *n = add(s, clients_list(s), NULL, JSON_OBJECT);

	add_text(s, n, "Name", field(s, CLIENTS, C_NAME));
	add_number(s, n, "Start", field(s, CLIENTS, C_START));
	add_number(s, n, "Duration", field(s, CLIENTS, C_DURATION));
	return true;
}

static struct json_node *
clients_list(struct storage *s)
{
	struct storage_profile *p = (struct storage_profile *)s;

	if (!p->clients)
		p->clients = json_tree_new(&s->arena, JSON_ARRAY, 0);
	return p->clients;
}

/* NULL stands for none and 0 alike: the storage does not tell them apart. */
static void
add_clients(struct storage_profile *p, struct json_node *profile, struct text redirects)
{
	struct json_node *clients;

	if (!p->clients && text_is_null(redirects))
		return;
	clients = add(&p->s, profile, "ClientTimings", JSON_OBJECT);
	add_number(&p->s, clients, "RedirectCount",
		text_is_null(redirects) ? TEXT_LITERAL("0") : redirects);
	if (!p->clients)
		p->clients = json_tree_new(&p->s.arena, JSON_ARRAY, 0);
	p->clients->key = TEXT_LITERAL("Timings");
	json_tree_attach(clients, p->clients);
}

/* Has the profile's row the id of the row before? They come sorted. */
static bool
is_repeated(struct storage *s)
{
	struct text id = field(s, PROFILES, P_ID);
	bool repeated = s->last_id.size && text_equal(id, strbuf_text(&s->last_id));

	strbuf_reset(&s->last_id);
	strbuf_append_text(&s->last_id, id);
	return repeated;
}

static bool
tell_profile(struct storage_profile *p)
{
	struct storage *s = &p->s;
	struct text id = arena_text(&s->arena, field(s, PROFILES, P_ID));
	struct text root_id = arena_text(&s->arena, field(s, PROFILES, P_ROOT));
	struct text redirects = arena_text(&s->arena, field(s, PROFILES, P_REDIRECTS));
	struct json_node *n = profile_node(s);
	size_t root;

	s->step_count = 0;
	p->clients = NULL;
	if (!add_json(s, n, "CustomLinks", "CustomLinksJson", PROFILES, id,
		    field(s, PROFILES, P_LINKS)) ||
		!take_rows(s, TIMINGS, id, add_step) || !take_rows(s, CLIENTS, id, add_client))
		return false;
	root = find_root(s, root_id);
	if (root == SIZE_MAX) {
		char why[120];

		snprintf(why, sizeof(why),
			"its root step is not there; it is left out with %zu other %s",
			s->step_count, by_count(s->step_count, "step", "steps"));
		return row_issue(s, PROFILES, ISSUE_NO_ROOT, s->row[PROFILES].line, id, why);
	}
	if (!build_tree(s, root))
		return false;
	s->steps[root].node->key = TEXT_LITERAL("Root");
	json_tree_attach(n, s->steps[root].node);
	add_clients(p, n, redirects);
	s->m->member = s->rows[PROFILES]->source;
	return mini_profile_tell(s->m, n, true, s->err);
}

static bool
tell_profiles(struct storage_profile *p)
{
	struct storage *s = &p->s;

	for (int t = 0; t < TABLES; t++)
		if (!advance(s, (enum table)t))
			return false;
	while (s->there[PROFILES]) {
		arena_reset(&s->arena);
		if (is_repeated(s) ? !row_issue(s, PROFILES, ISSUE_DUPLICATE_ID,
					     s->row[PROFILES].line, field(s, PROFILES, P_ID),
					     "its id was there already; the first stays")
				   : !tell_profile(p))
			return false;
		if (!advance(s, PROFILES))
			return false;
		if (s->m->source->tick)
			s->m->source->tick(s->m->source->tick_self);
	}
	return take_rows(s, TIMINGS, TEXT_NULL, NULL) && take_rows(s, CLIENTS, TEXT_NULL, NULL);
}

static bool
open_tables(struct storage *s)
{
	struct rowset *rowset = s->m->source->rowset;

	for (int t = 0; t < TABLES; t++) {
		int i = rowset_find(rowset, tables[t].name);

		if (i < 0)
			return error_set(s->err, ERROR_INPUT, "%s: no table %s", s->m->source->path,
				tables[t].name);
		s->rows[t] = rowset->open(rowset, (size_t)i, s->err);
		if (!s->rows[t])
			return false;
		if (s->rows[t]->column_count != tables[t].columns)
			return error_set(s->err, ERROR_INPUT, "%s: %zu columns instead of %zu",
				s->rows[t]->source, s->rows[t]->column_count, tables[t].columns);
	}
	return true;
}

static bool
read_storage(struct mini_reader *m, struct error *err)
{
	struct storage_profile p = { .s = { .m = m, .arena = ARENA_INIT, .err = err } };
	bool ok;

	strbuf_init(&p.s.last_id, JSON_MAX_BYTES);
	ok = open_tables(&p.s) && tell_profiles(&p);
	strbuf_release(&p.s.last_id);

	for (int t = 0; t < TABLES; t++)
		if (p.s.rows[t])
			p.s.rows[t]->close(p.s.rows[t]);
	arena_release(&p.s.arena);
	free(p.s.steps);
	if (ok && !m->profiles)
		return error_set(
			err, ERROR_INPUT, "%s: no profile in the storage", m->source->path);
	return ok;
}

static enum format_result
storage_read(struct format_source *source, struct sink *sink, struct error *err)
{
	struct mini_reader m;
	bool wanted = true;
	bool ok;

	mini_reader_init(&m, source, sink);
	ok = mini_reader_begin(&m, &wanted, err);
	if (ok && wanted)
		ok = sink->metadata(sink, m.set, "label:rebuilt", TEXT_LITERAL("from storage rows"),
			     err) &&
		     read_storage(&m, err);
	ok = ok && sink->end(sink, err);
	mini_reader_release(&m);
	return ok ? FORMAT_DONE : FORMAT_FAILED;
}

static int
storage_probe(const struct format_source *source)
{
	int found = 0;

	for (int t = 0; t < TABLES; t++)
		found += source->rowset && rowset_find(source->rowset, tables[t].name) >= 0;
	return found == TABLES ? 24 : 0;
}

const struct format format_miniprofiler_storage = {
	.name = "miniprofiler-storage",
	.title = "MiniProfiler's PostgreSQL storage, through --from-db",
	.profiler = "MiniProfiler",
	.known_by = "the tables MiniProfilers, MiniProfilerTimings and MiniProfilerClientTimings",
	.reads = true,
	.tables = true,
	.probe = storage_probe,
	.read = storage_read,
	.written_as = "miniprofiler",
};
