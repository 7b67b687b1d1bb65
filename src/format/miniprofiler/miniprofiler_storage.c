/*
 * Rebuilds profiles from the three tables that .NET's storage providers write (src/Providers of
 * https://github.com/MiniProfiler/dotnet). The tables do not store everything: they keep only one decimal place of
 * each number and 200 characters of each name, and lose the order of the keys. Therefore profiles from these tables
 * are marked as rebuilt.
 */
#include "miniprofiler_private.h"

#include "base/array.h"
#include "base/depot_text.h"
#include "format/formats.h"

#include <inttypes.h>
#include <stdlib.h>

#define JSON_MAX_BYTES ((size_t)1 << 30)

/* The columns of the queries in src/db/sql, in the same order. */
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
	WALKED /* on the path that judge() is following */
};

struct step {
	struct json_node *node;
	struct text id, parent;
	size_t above; /* index of the parent; SIZE_MAX if it is absent */
	bool is_root;
	enum verdict verdict;
	uint64_t line;
};

struct storage {
	struct mini_reader *m;
	struct row_reader *rows[TABLES];
	struct row row[TABLES];
	bool there[TABLES];    /* whether `row` is valid */
	struct arena arena;    /* reset for each profile */
	struct strbuf last_id; /* ID of the previous profile */
	struct step *steps;
	size_t step_count, step_room;
	struct json_node *clients; /* the list of client timings; NULL if absent */
};

static bool
advance(struct storage *s, enum table t)
{
	enum row_status status = s->rows[t]->next(s->rows[t], &s->row[t], s->m->in->err);

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
	const struct issue at = { .code = code, .line = line, .raw = id };

	s->m->in->name = s->rows[t]->source;
	return reader_issue_like(
		s->m->in, &at, "row %.*s: %s", text_precision(id, 60), id.data ? id.data : "", why);
}

/* Escapes the text for the depot, because PostgreSQL texts may contain the escape character. */
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

/* Adds a member. As in .NET's JSON, adds nothing if the value is NULL. */
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

/* Adds a member from a column that contains JSON. If the JSON is invalid, adds it as text under the
 * name of the column. */
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
		"a JSON column is not valid JSON; kept as text");
}

static bool
add_step(struct storage *s)
{
	struct step *step;
	struct json_node *n = json_tree_new(&s->arena, JSON_OBJECT, 0);

	step = ARRAY_ADD(s->steps, s->step_count, s->step_room);
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

/* Reads the rows of profile `id`. The rows before them are orphans, and are reported as issues. If `id` is NULL, all
 * remaining rows are orphans. */
static bool
take_rows(struct storage *s, enum table t, struct text id, bool (*take)(struct storage *s))
{
	while (s->there[t]) {
		struct text profile = field(s, t, T_PROFILE);
		int order = text_is_null(id) ? -1 : text_compare(profile, id);

		if (order > 0)
			return true;
		if (order < 0 && !row_issue(s, t, ISSUE_ORPHAN_ROW, s->row[t].line,
					 field(s, t, T_ID), "its profile does not exist"))
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
	struct pair_map ids = { 0 };

	for (size_t i = 0; i < s->step_count; i++) {
		struct text id = s->steps[i].id;
		bool added = true;

		if (!text_is_null(id))
			pair_map_add_bytes(&ids, id.data, id.size, (uint32_t)i, &added);
		if (!added)
			s->steps[i].verdict = REPEATED;
	}
	for (size_t i = 0; i < s->step_count; i++) {
		struct text parent = s->steps[i].parent;
		uint32_t above = PAIR_MAP_NONE;

		if (!text_is_null(parent))
			above = pair_map_get_bytes(&ids, parent.data, parent.size);
		if (above != PAIR_MAP_NONE)
			s->steps[i].above = above;
	}
	pair_map_release(&ids);
}

/* Decides whether the step has a path to the root. Follows its ancestors until the answer is known, and
 * sets the verdict of all steps on the way. */
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
	struct json_node *list = json_tree_get(p, "Children");

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
	} reasons[] = {
		[ORPHAN] = { ISSUE_ORPHAN_ROW,
			"its parent, or the parent of one of its ancestors, does not exist" },
		[CYCLE] = { ISSUE_PARENT_CYCLE, "its ancestors form a cycle" },
		[REPEATED] = { ISSUE_DUPLICATE_ID, "its id is a duplicate; the first row is kept" }
	};

	return row_issue(s, TIMINGS, reasons[step->verdict].code, step->line, step->id,
		reasons[step->verdict].why);
}

/* Builds the tree below the root. Steps without a path to the root are reported as issues. */
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

static bool
add_client(struct storage *s)
{
	struct json_node *n;

	if (!s->clients)
		s->clients = json_tree_new(&s->arena, JSON_ARRAY, 0);
	n = add(s, s->clients, NULL, JSON_OBJECT);
	add_text(s, n, "Name", field(s, CLIENTS, C_NAME));
	add_number(s, n, "Start", field(s, CLIENTS, C_START));
	add_number(s, n, "Duration", field(s, CLIENTS, C_DURATION));
	return true;
}

/* Adds ClientTimings. If `redirects` is NULL, either the number of redirects was 0 or there was no
 * ClientTimings object; the storage does not distinguish the two cases. */
static void
add_clients(struct storage *s, struct json_node *profile, struct text redirects)
{
	struct json_node *clients;

	if (!s->clients && text_is_null(redirects))
		return;
	clients = add(s, profile, "ClientTimings", JSON_OBJECT);
	add_number(s, clients, "RedirectCount",
		text_is_null(redirects) ? TEXT_LITERAL("0") : redirects);
	if (!s->clients)
		s->clients = json_tree_new(&s->arena, JSON_ARRAY, 0);
	s->clients->key = TEXT_LITERAL("Timings");
	json_tree_attach(clients, s->clients);
}

/* Returns whether the row repeats the previous profile's ID. The rows are sorted by ID. */
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
emit_profile(struct storage *s)
{
	struct text id = arena_text(&s->arena, field(s, PROFILES, P_ID));
	struct text root_id = arena_text(&s->arena, field(s, PROFILES, P_ROOT));
	struct text redirects = arena_text(&s->arena, field(s, PROFILES, P_REDIRECTS));
	struct json_node *n = profile_node(s);
	size_t root;

	s->step_count = 0;
	s->clients = NULL;
	if (!add_json(s, n, "CustomLinks", "CustomLinksJson", PROFILES, id,
		    field(s, PROFILES, P_LINKS)) ||
		!take_rows(s, TIMINGS, id, add_step) || !take_rows(s, CLIENTS, id, add_client))
		return false;
	root = find_root(s, root_id);
	if (root == SIZE_MAX) {
		char why[80];

		snprintf(why, sizeof(why), "left out with %zu %s: its root step does not exist",
			s->step_count, by_count(s->step_count, "step", "steps"));
		return row_issue(s, PROFILES, ISSUE_NO_ROOT, s->row[PROFILES].line, id, why);
	}
	if (!build_tree(s, root))
		return false;
	s->steps[root].node->key = TEXT_LITERAL("Root");
	json_tree_attach(n, s->steps[root].node);
	add_clients(s, n, redirects);
	s->m->in->name = s->rows[PROFILES]->source;
	return mini_emit_profile(s->m, n, true);
}

static bool
read_profiles(struct storage *s)
{
	for (int t = 0; t < TABLES; t++)
		if (!advance(s, (enum table)t))
			return false;
	while (s->there[PROFILES]) {
		arena_reset(&s->arena);
		if (is_repeated(s) ? !row_issue(s, PROFILES, ISSUE_DUPLICATE_ID,
					     s->row[PROFILES].line, field(s, PROFILES, P_ID),
					     "its id is a duplicate; the first row is kept")
				   : !emit_profile(s))
			return false;
		if (!advance(s, PROFILES))
			return false;
		if (s->m->in->source->tick)
			s->m->in->source->tick(s->m->in->source->tick_self);
	}
	return take_rows(s, TIMINGS, TEXT_NULL, NULL) && take_rows(s, CLIENTS, TEXT_NULL, NULL);
}

static bool
open_tables(struct storage *s)
{
	struct rowset *rowset = s->m->in->source->rowset;

	for (int t = 0; t < TABLES; t++) {
		int i = rowset_find(rowset, tables[t].name);

		if (i < 0)
			return error_set(s->m->in->err, ERROR_INPUT, "%s: no table %s",
				s->m->in->source->path, tables[t].name);
		s->rows[t] = rowset->open(rowset, (size_t)i, s->m->in->err);
		if (!s->rows[t])
			return false;
		if (s->rows[t]->column_count != tables[t].columns)
			return error_set(s->m->in->err, ERROR_INPUT,
				"%s: %zu columns instead of %zu", s->rows[t]->source,
				s->rows[t]->column_count, tables[t].columns);
	}
	return true;
}

static bool
read_storage(struct mini_reader *m)
{
	struct storage s = { .m = m, .arena = ARENA_INIT };
	bool ok;

	strbuf_init(&s.last_id, JSON_MAX_BYTES);
	ok = emit_metadata(m->in, "label:rebuilt", TEXT_LITERAL("from storage rows")) &&
	     open_tables(&s) && read_profiles(&s);
	strbuf_release(&s.last_id);
	for (int t = 0; t < TABLES; t++)
		if (s.rows[t])
			s.rows[t]->close(s.rows[t]);
	arena_release(&s.arena);
	free(s.steps);
	return ok && (m->profiles || error_set(m->in->err, ERROR_INPUT,
					     "%s: no profile in the storage", m->in->source->path));
}

static enum format_result
storage_read(struct format_source *source, struct sink *sink, struct error *err)
{
	return mini_read(source, sink, read_storage, err);
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
	.name = MINI_STORAGE_FORMAT,
	.title = "MiniProfiler's PostgreSQL storage, through --from-db",
	.profiler = "MiniProfiler",
	.known_by = "the tables MiniProfilers, MiniProfilerTimings and MiniProfilerClientTimings",
	.covers = { [COVERAGE_SPANS] = COVERAGE_FULL },
	.reads = true,
	.tables = true,
	.probe = storage_probe,
	.read = storage_read,
	.written_as = MINI_FORMAT,
};
