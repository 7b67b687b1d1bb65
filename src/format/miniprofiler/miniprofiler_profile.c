/* A profile's tree of JSON, told as a track and its spans. */
#include "miniprofiler_take.h"

#include "base/hash.h"

#include <stdlib.h>

static bool
tell_track(struct mini_teller *t, bool rebuilt)
{
	struct mini_columns c;
	struct track_row row = { .id = t->track,
		.kind = "profile",
		.process_id = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.metric = t->m->metric };
	struct strbuf *b = &t->m->attributes;

	if (!mini_take_object(t, MINI_PROFILE, t->profile, &c))
		return false;
	row.name = c.texts[MINI_F_NAME];
	row.source_id = c.texts[MINI_F_ID];
	row.host = c.texts[MINI_F_MACHINE];
	row.user_name = c.texts[MINI_F_USER];
	row.started_us = c.started_us;
	row.start = decimal_from_int64(0);
	row.duration = c.numbers[MINI_F_DURATION];
	strbuf_append_str(b, b->size ? ",\"@keys\":" : "\"@keys\":");
	mini_shape_put(&t->shape, b);
	if (rebuilt)
		strbuf_append_str(b, ",\"@rebuilt\":true");
	return mini_attributes(t, &row.attributes) &&
	       t->m->sink->track(t->m->sink, t->m->set, &row, t->err);
}

/* Routine and path of a span that stands in the call tree. */
static bool
place(struct mini_teller *t, const char *code, struct text name, path_number parent,
	struct span_row *row)
{
	struct sink *s = t->m->sink;

	return mini_routine_tell(t->m, code, name.size ? name : TEXT_LITERAL("(no name)"),
		       TEXT_NULL, &row->routine_id, t->err) &&
	       s->path(s, t->m->set, parent, row->routine_id, &row->path, t->err);
}

static bool
tell_span(struct mini_teller *t, struct span_row *row, const struct mini_columns *c)
{
	row->id = t->m->next_span++;
	row->track = t->track;
	row->metric = t->m->metric;
	row->source_id = c->texts[MINI_F_ID];
	row->errored = c->errored;
	if (!mini_attributes(t, &row->attributes) ||
		!t->m->sink->span(t->m->sink, t->m->set, row, t->err))
		return false;
	arena_reset(&t->m->scratch);
	return true;
}

struct place_in_tree {
	int64_t span;
	path_number path;
};

static bool
tell_call(struct mini_teller *t, enum mini_kind kind, struct text type, const struct json_node *n,
	struct place_in_tree above)
{
	struct mini_columns c;
	struct span_row row = {
		.parent_id = above.span, .kind = "call", .category = type, .routine_id = MODEL_NULL
	};

	if (!mini_take_object(t, kind, n, &c))
		return false;
	row.start = c.numbers[MINI_F_START];
	row.duration = c.numbers[MINI_F_DURATION];
	row.first_fetch = c.numbers[MINI_F_FIRST_FETCH];
	row.execute_type = c.texts[MINI_F_EXECUTE_TYPE];
	row.command = c.texts[kind == MINI_SQL ? MINI_F_SQL_COMMAND : MINI_F_COMMAND];
	return place(t, "call", type, above.path, &row) &&
	       (!c.texts[MINI_F_SNIPPET].size || mini_stack_tell(t->m, c.texts[MINI_F_SNIPPET],
							 n->offset, &row.stack, t->err)) &&
	       tell_span(t, &row, &c);
}

static bool
tell_calls(struct mini_teller *t, enum mini_kind kind, struct text type,
	const struct json_node *list, struct place_in_tree above)
{
	if (!mini_is_list(list))
		return true;
	for (const struct json_node *n = list->first; n; n = n->next)
		if (!tell_call(t, kind, type, n, above))
			return false;
	return true;
}

static bool
tell_step(struct mini_teller *t, const struct json_node *n, struct place_in_tree above,
	struct place_in_tree *own)
{
	const struct json_node *sql = mini_member(&t->shape, MINI_STEP, MINI_F_SQL_TIMINGS, n);
	const struct json_node *custom =
		mini_member(&t->shape, MINI_STEP, MINI_F_CUSTOM_TIMINGS, n);
	struct mini_columns c;
	struct span_row row = { .parent_id = above.span, .kind = "step" };

	if (!mini_take_object(t, MINI_STEP, n, &c))
		return false;
	row.name = c.texts[MINI_F_NAME];
	row.start = c.numbers[MINI_F_START];
	row.duration = c.numbers[MINI_F_DURATION];
	if (!place(t, "step", row.name, above.path, &row) || !tell_span(t, &row, &c))
		return false;
	*own = (struct place_in_tree){ row.id, row.path };
	if (!tell_calls(t, MINI_SQL, TEXT_LITERAL("sql"), sql, *own))
		return false;
	if (!json_tree_is(custom, JSON_OBJECT))
		return true;
	for (const struct json_node *type = custom->first; type; type = type->next)
		if (!mini_is_overruled(type) && !tell_calls(t, MINI_CALL, type->key, type, *own))
			return false;
	return true;
}

/* In preorder, without recursion: real profiles nest thousands of steps. */
static bool
tell_steps(struct mini_teller *t, const struct json_node *root)
{
	size_t depth = 1;
	size_t capacity = 64;
	struct place_in_tree *above = xmalloc(capacity * sizeof(*above));
	const struct json_node *n = root;
	bool ok = true;

	above[0] = (struct place_in_tree){ MODEL_NULL, 0 };
	while (n) {
		const struct json_node *child;

		if (depth == capacity) {
			capacity *= 2;
			above = xrealloc(above, capacity * sizeof(*above));
		}
		ok = tell_step(t, n, above[depth - 1], &above[depth]);
		if (!ok)
			break;
		child = mini_first_child(&t->shape, n);
		if (child) {
			n = child;
			depth++;
			continue;
		}
		while (n != root && !n->next) {
			n = n->parent->parent;
			depth--;
		}
		n = n == root ? NULL : n->next;
	}
	free(above);
	return ok;
}

static bool
tell_clients(struct mini_teller *t)
{
	const struct json_node *clients =
		mini_member(&t->shape, MINI_PROFILE, MINI_F_CLIENT_TIMINGS, t->profile);
	const struct json_node *list =
		mini_member(&t->shape, MINI_CLIENTS, MINI_F_TIMINGS, clients);

	if (!mini_is_list(list))
		return true;
	for (const struct json_node *n = list->first; n; n = n->next) {
		struct mini_columns c;
		struct span_row row = {
			.parent_id = MODEL_NULL, .kind = "client", .routine_id = MODEL_NULL
		};

		if (!mini_take_object(t, MINI_CLIENT, n, &c))
			return false;
		row.name = c.texts[MINI_F_NAME];
		row.start = c.numbers[MINI_F_CLIENT_START];
		row.duration = c.numbers[MINI_F_CLIENT_DURATION];
		if (!tell_span(t, &row, &c))
			return false;
	}
	return true;
}

/* Why it is no profile; NULL when it is one. */
static const char *
refusal(const struct json_node *n)
{
	bool root = false;
	bool other = false;
	bool none = true;

	if (n->type != JSON_OBJECT)
		return "it is no object";
	for (const struct json_node *m = n->first; m; m = m->next) {
		enum mini_field f = mini_field_find(MINI_PROFILE, m->key);

		if (f == MINI_F_ROOT) {
			root = m->type == JSON_OBJECT || m->type == JSON_NULL;
			none = false;
		} else if (f != MINI_FIELDS) {
			other = true;
		}
	}
	if (none)
		return other ? "it has no Root: a results list's summary, perhaps"
			     : "it has no Root";
	if (!root)
		return "its Root is neither an object nor null";
	return other ? NULL : "it has a Root, but neither Id, Name, Started nor a duration";
}

/* The same Id again: sent twice, or stored again with its client timings. */
static bool
check_id(struct mini_teller *t)
{
	const struct json_node *id = mini_member(&t->shape, MINI_PROFILE, MINI_F_ID, t->profile);
	struct hash128 h;
	bool added;
	char message[120];

	if (!json_tree_is(id, JSON_STRING) || !id->text.size)
		return true;
	h = hash128(id->text.data, id->text.size);
	pair_map_add(&t->m->ids, (int64_t)h.low, (int64_t)h.high, 0, &added);
	if (added)
		return true;
	snprintf(message, sizeof(message), "the profile %.*s is there already; both are kept",
		text_precision(id->text, MINI_KEY_IN_MESSAGE_BYTES), id->text.data);
	return mini_issue(t->m, ISSUE_DUPLICATE_PROFILE, id->offset, message, TEXT_NULL, t->err);
}

bool
mini_profile_tell(struct mini_reader *m, const struct json_node *n, bool rebuilt, struct error *err)
{
	const char *why = refusal(n);
	struct mini_teller t = { .m = m, .profile = n, .err = err };
	const struct json_node *root;
	char message[160];

	if (why) {
		snprintf(message, sizeof(message), "no MiniProfiler profile: %s", why);
		if (!m->reason[0])
			snprintf(m->reason, sizeof(m->reason), "%s: offset %llu: %s", m->member,
				(unsigned long long)n->offset, message);
		return mini_issue(m, ISSUE_NO_PROFILE, n->offset, message, TEXT_NULL, err);
	}
	if (m->next_track == INT32_MAX)
		return error_set(err, ERROR_LIMIT, "%s: too many profiles", m->member);
	mini_shape_take(&t.shape, n);
	t.track = m->next_track++;
	m->profiles++;
	root = mini_member(&t.shape, MINI_PROFILE, MINI_F_ROOT, n);
	return check_id(&t) && tell_track(&t, rebuilt) &&
	       (!json_tree_is(root, JSON_OBJECT) || tell_steps(&t, root)) && tell_clients(&t);
}
