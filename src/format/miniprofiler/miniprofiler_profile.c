/* Emits the JSON tree of a profile as a track and its spans. */
#include "miniprofiler_private.h"

#include "base/array.h"

#include <stdlib.h>

enum {
	ATTRIBUTES_MAX_BYTES = 512 * 1024 * 1024
};

static bool
emit_profile_track(struct mini_reader *m, bool rebuilt)
{
	struct mini_columns c;
	struct track_row row = { .id = m->track,
		.kind = "profile",
		.process_id = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.metric = m->metric };
	struct strbuf *b = &m->attributes;

	if (!mini_take_object(m, MINI_PROFILE, m->profile, &c))
		return false;
	row.name = c.texts[MINI_F_NAME];
	row.source_id = c.texts[MINI_F_ID];
	row.host = c.texts[MINI_F_MACHINE];
	row.user_name = c.texts[MINI_F_USER];
	row.started_us = c.started_us;
	row.start = decimal_from_int64(0);
	row.duration = c.numbers[MINI_F_DURATION];
	members_key(b, "@keys");
	mini_shape_put(&m->shape, b);
	if (rebuilt)
		members_json(b, "@rebuilt", TEXT_LITERAL("true"));
	return mini_attributes(m, &row.attributes) && emit_track(m->in, &row);
}

/* Sets the routine of a span, and its path in the call tree. */
static bool
place(struct mini_reader *m, const char *code, struct text name, path_number parent,
	struct span_row *row)
{
	return mini_emit_routine(
		       m, code, name.size ? name : TEXT_LITERAL("(no name)"), &row->routine_id) &&
	       emit_path(m->in, parent, row->routine_id, &row->path);
}

static bool
emit_profile_span(struct mini_reader *m, struct span_row *row, const struct mini_columns *c)
{
	row->id = m->next_span++;
	row->track = m->track;
	row->metric = m->metric;
	row->source_id = c->texts[MINI_F_ID];
	row->errored = c->errored;
	if (!mini_attributes(m, &row->attributes) || !emit_span(m->in, row))
		return false;
	arena_reset(&m->scratch);
	return true;
}

struct place_in_tree {
	int64_t span;
	path_number path;
};

static bool
emit_call(struct mini_reader *m, enum mini_kind kind, struct text type, const struct json_node *n,
	struct place_in_tree above)
{
	struct mini_columns c;
	struct span_row row = {
		.parent_id = above.span, .kind = "call", .category = type, .routine_id = MODEL_NULL
	};

	if (!mini_take_object(m, kind, n, &c))
		return false;
	row.start = c.numbers[MINI_F_START];
	row.duration = c.numbers[MINI_F_DURATION];
	row.first_fetch = c.numbers[MINI_F_FIRST_FETCH];
	row.execute_type = c.texts[MINI_F_EXECUTE_TYPE];
	row.command = c.texts[kind == MINI_SQL ? MINI_F_SQL_COMMAND : MINI_F_COMMAND];
	return place(m, "call", type, above.path, &row) &&
	       (!c.texts[MINI_F_SNIPPET].size ||
		       mini_emit_stack(m, c.texts[MINI_F_SNIPPET], n->offset, &row.stack)) &&
	       emit_profile_span(m, &row, &c);
}

static bool
emit_calls(struct mini_reader *m, enum mini_kind kind, struct text type,
	const struct json_node *list, struct place_in_tree above)
{
	if (!mini_is_list(list))
		return true;
	for (const struct json_node *n = list->first; n; n = n->next)
		if (!emit_call(m, kind, type, n, above))
			return false;
	return true;
}

static bool
emit_step(struct mini_reader *m, const struct json_node *n, struct place_in_tree above,
	struct place_in_tree *own)
{
	const struct json_node *sql = mini_member(&m->shape, MINI_STEP, MINI_F_SQL_TIMINGS, n);
	const struct json_node *custom =
		mini_member(&m->shape, MINI_STEP, MINI_F_CUSTOM_TIMINGS, n);
	struct mini_columns c;
	struct span_row row = { .parent_id = above.span, .kind = "step" };

	if (!mini_take_object(m, MINI_STEP, n, &c))
		return false;
	row.name = c.texts[MINI_F_NAME];
	row.start = c.numbers[MINI_F_START];
	row.duration = c.numbers[MINI_F_DURATION];
	if (!place(m, "step", row.name, above.path, &row) || !emit_profile_span(m, &row, &c))
		return false;
	*own = (struct place_in_tree){ row.id, row.path };
	if (!emit_calls(m, MINI_SQL, TEXT_LITERAL("sql"), sql, *own))
		return false;
	if (!json_tree_is(custom, JSON_OBJECT))
		return true;
	for (const struct json_node *type = custom->first; type; type = type->next)
		if (!mini_is_overruled(type) && !emit_calls(m, MINI_CALL, type->key, type, *own))
			return false;
	return true;
}

/* Emits the steps in preorder. Not recursive, because profiles can nest thousands of steps. */
static bool
emit_steps(struct mini_reader *m, const struct json_node *root)
{
	size_t depth = 1;
	size_t room = 0;
	struct place_in_tree *above = NULL;
	bool ok = true;

	ARRAY_RESERVE(above, room, 1);
	above[0] = (struct place_in_tree){ MODEL_NULL, 0 };
	for (const struct json_node *n = root; ok && n;
		n = mini_next_step(&m->shape, root, n, &depth)) {
		ARRAY_RESERVE(above, room, depth + 1);
		ok = emit_step(m, n, above[depth - 1], &above[depth]);
	}
	free(above);
	return ok;
}

static bool
emit_clients(struct mini_reader *m)
{
	const struct json_node *clients =
		mini_member(&m->shape, MINI_PROFILE, MINI_F_CLIENT_TIMINGS, m->profile);
	const struct json_node *list =
		mini_member(&m->shape, MINI_CLIENTS, MINI_F_TIMINGS, clients);

	if (!mini_is_list(list))
		return true;
	for (const struct json_node *n = list->first; n; n = n->next) {
		struct mini_columns c;
		struct span_row row = {
			.parent_id = MODEL_NULL, .kind = "client", .routine_id = MODEL_NULL
		};

		if (!mini_take_object(m, MINI_CLIENT, n, &c))
			return false;
		row.name = c.texts[MINI_F_NAME];
		row.start = c.numbers[MINI_F_CLIENT_START];
		row.duration = c.numbers[MINI_F_CLIENT_DURATION];
		if (!emit_profile_span(m, &row, &c))
			return false;
	}
	return true;
}

/* The reason why the node is not a profile; NULL if the node is a profile. */
static const char *
refusal(const struct json_node *n)
{
	bool root = false;
	bool other = false;
	bool none = true;

	if (n->type != JSON_OBJECT)
		return "it is not an object";
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
		return other ? "it has no Root; it may be the summary of a results list"
			     : "it has no Root";
	if (!root)
		return "its Root is neither an object nor null";
	return other ? NULL : "it has Root, but no Id, Name, Started or duration";
}

/* Reports an Id that another profile has, too. Either the profile was sent twice, or it was stored
 * again with client timings. */
static bool
check_id(struct mini_reader *m)
{
	const struct json_node *id = mini_member(&m->shape, MINI_PROFILE, MINI_F_ID, m->profile);
	bool added;

	if (!json_tree_is(id, JSON_STRING) || !id->text.size)
		return true;
	pair_map_add_bytes(&m->ids, id->text.data, id->text.size, 0, &added);
	return added || reader_issue_at(m->in, ISSUE_DUPLICATE_PROFILE, id->offset,
				"profile %.*s is repeated; both are kept",
				text_precision(id->text, MINI_KEY_IN_MESSAGE_BYTES), id->text.data);
}

bool
mini_emit_profile(struct mini_reader *m, const struct json_node *n, bool rebuilt)
{
	const char *why = refusal(n);
	const struct json_node *root;

	if (why) {
		if (!m->reason[0])
			snprintf(m->reason, sizeof(m->reason),
				"%s: offset %llu: not a MiniProfiler profile: %s", m->in->name,
				(unsigned long long)n->offset, why);
		return reader_issue_at(
			m->in, ISSUE_NO_PROFILE, n->offset, "not a MiniProfiler profile: %s", why);
	}
	if (m->next_track == INT32_MAX)
		return error_set(m->in->err, ERROR_LIMIT, "%s: too many profiles", m->in->name);
	m->profile = n;
	mini_shape_take(&m->shape, n);
	m->track = m->next_track++;
	m->profiles++;
	root = mini_member(&m->shape, MINI_PROFILE, MINI_F_ROOT, n);
	return check_id(m) && emit_profile_track(m, rebuilt) &&
	       (!json_tree_is(root, JSON_OBJECT) || emit_steps(m, root)) && emit_clients(m);
}

static bool
read_set(struct mini_reader *m, bool (*read)(struct mini_reader *m))
{
	const struct set_row set = { .source_inst_id = MODEL_NULL };
	const struct metric_row metric = { METRIC_OF_SPANS, TEXT_LITERAL("milliseconds"),
		TEXT_LITERAL("milliseconds"), TEXT_LITERAL("Duration") };
	struct reader *in = m->in;

	if (!in->sink->set(in->sink, &set, &in->set, &in->wanted, in->err))
		return false;
	m->frames = frame_dictionary_new(in->sink, in->set);
	frame_dictionary_set_style(m->frames, FRAMES_OF_SPANS);
	if (in->wanted && (!emit_metric(in, &metric, &m->metric) || !read(m)))
		return false;
	return in->sink->end(in->sink, in->err);
}

enum format_result
mini_read(struct format_source *source, struct sink *sink, bool (*read)(struct mini_reader *m),
	struct error *err)
{
	struct reader in = { .source = source,
		.sink = sink,
		.err = err,
		.set = ISSUE_EVERY_SET,
		.name = source->path,
		.fd = -1 };
	struct mini_reader m = {
		.in = &in, .next_span = 1, .next_track = 1, .scratch = ARENA_INIT
	};
	struct strbuf *const buffers[] = { &m.attributes, &m.raw, &m.absent };
	bool ok;

	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
		strbuf_init(buffers[i], ATTRIBUTES_MAX_BYTES);
	ok = read_set(&m, read);
	frame_dictionary_free(m.frames);
	pair_map_release(&m.ids);
	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
		strbuf_release(buffers[i]);
	arena_release(&m.scratch);
	return ok ? FORMAT_DONE : FORMAT_FAILED;
}
