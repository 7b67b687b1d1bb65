/* The speedscope reader: recognition, and the passes over a file. See speedscope_private.h. */
#include "speedscope_private.h"

#include "format/common/members.h"
#include "format/formats.h"
#include "input/json/json_shape.h"

#include <stdlib.h>

enum {
	PLAN_LOOK_FIRST = 1,
};

/* Counts the texts that are not UTF-8, but only in the last pass. */
static void
deviate(void *self, enum json_deviation what, uint64_t offset)
{
	struct speedscope_file *f = self;

	if (what != JSON_BAD_UTF8 || !f->emit_profiles)
		return;
	if (!f->bad_texts++)
		f->bad_text_offset = offset;
}

/* --- a file -------------------------------------------------------------------------- */

/* Reads a top-level member that only an export needs. */
static bool
read_other(struct speedscope_file *f, struct text key)
{
	struct text name = arena_text(&f->frame_arena, key);
	enum json_type type;

	if (!f->emit_shared)
		return json_skip(f->json, f->in->err);
	if (!json_peek(f->json, &type, f->in->err))
		return false;
	if (type == JSON_STRING && text_equal(name, TEXT_LITERAL("name"))) {
		struct text value;

		if (!json_read_string(f->json, &value, f->in->err))
			return false;
		f->group_name = arena_text(&f->arena, value);
		strbuf_reset(&f->scratch);
		json_append_depot_text(&f->scratch, f->group_name);
	} else if (!speedscope_read_raw(f)) {
		return false;
	}
	return speedscope_odd_member(f, &f->members, name);
}

static bool
read_shared(struct speedscope_file *f)
{
	f->shared_seen++;
	if (f->shared_seen > 1 && f->emit_shared && f->emit_profiles) {
		f->in->again = true;
		return false;
	}
	if (f->shared_seen > 1 && f->look &&
		!reader_issue_at(f->in, ISSUE_DUPLICATE_KEY, json_offset(f->json),
			"\"shared\" appears twice"))
		return false;
	if (!f->emit_shared || (f->shared_last && f->shared_seen != f->shared_last))
		return json_skip(f->json, f->in->err);
	return speedscope_read_shared(f);
}

static bool
read_profiles(struct speedscope_file *f)
{
	f->profiles_seen++;
	if (f->emit_shared && f->emit_profiles && (f->profiles_seen > 1 || !f->has_frames)) {
		f->in->again = true;
		return false;
	}
	if (f->profiles_seen > 1 && f->look &&
		!reader_issue_at(f->in, ISSUE_DUPLICATE_KEY, json_offset(f->json),
			"\"profiles\" appears twice"))
		return false;
	if (!f->look &&
		(!f->emit_profiles || (f->profiles_last && f->profiles_seen != f->profiles_last)))
		return json_skip(f->json, f->in->err);
	f->head_count = f->look ? 0 : f->head_count;
	return speedscope_read_profiles(f);
}

static bool
read_top(struct speedscope_file *f)
{
	enum json_type type;
	struct text key;
	bool end = false;

	if (!json_peek(f->json, &type, f->in->err))
		return false;
	if (type != JSON_OBJECT)
		return reader_refuse_at(f->in, json_offset(f->json),
			"not a speedscope file: it contains %s, not an object",
			json_type_name(type));
	if (!json_enter(f->json, f->in->err))
		return false;
	while (json_more_keys(f->json, &key, f->in->err)) {
		arena_reset(&f->frame_arena);
		if (text_equal(key, TEXT_LITERAL("shared"))         ? !read_shared(f)
			: text_equal(key, TEXT_LITERAL("profiles")) ? !read_profiles(f)
								    : !read_other(f, key))
			return false;
	}
	return json_at_end(f->json, &end, f->in->err) &&
	       (end || reader_refuse_at(f->in, json_offset(f->json),
			       "data after the end of the JSON document"));
}

static bool
pass(struct speedscope_file *f)
{
	const struct json_options options = { .source = f->in->name,
		.max_depth = f->in->source->options.max_depth ? f->in->source->options.max_depth
							      : SPEEDSCOPE_MAX_DEPTH,
		.max_string_bytes = SPEEDSCOPE_MAX_STRING_BYTES,
		.tolerate = 1 << JSON_BAD_UTF8,
		.deviation = deviate,
		.self = f };
	bool ok;

	if (!reader_open(f->in))
		return false;
	f->shared_seen = f->profiles_seen = 0;
	f->json = json_reader_new_fd(f->in->fd, &options);
	ok = read_top(f);
	json_reader_free(f->json);
	f->json = NULL;
	return ok;
}

/* Refuses a file without "shared" or without "profiles". To be called after a pass over the file. */
static bool
check_parts(struct speedscope_file *f)
{
	return (f->shared_seen && f->profiles_seen) ||
	       reader_refuse(f->in, "\"%s\" is missing", f->shared_seen ? "profiles" : "shared");
}

/* Reads, in three passes, a file whose keys are in an unusual order. */
static bool
read_looking_first(struct speedscope_file *f)
{
	f->look = true;
	if (!pass(f) || !check_parts(f))
		return false;
	f->look = false;
	f->shared_last = f->shared_seen;
	f->profiles_last = f->profiles_seen;
	f->emit_shared = true;
	if (!pass(f))
		return false;
	f->emit_shared = false;
	for (size_t i = 0; i < f->head_count; i++)
		if (f->heads[i].type != SPEEDSCOPE_NO_TYPE &&
			!speedscope_need_metric(f, f->heads[i].type, f->heads[i].unit))
			return false;
	f->emit_profiles = true;
	return pass(f);
}

/* Adds the attributes and the caption of the result set. */
static bool
add_file(struct speedscope_file *f, struct text first_profile)
{
	struct text caption = f->group_name.size ? f->group_name : first_profile;
	struct strbuf b;
	bool ok;

	strbuf_init(&b, 3 * (size_t)SPEEDSCOPE_MAX_ODD_BYTES);
	strbuf_append_str(&b, "{\"members\":");
	strbuf_append_str(&b, f->members.text.size ? strbuf_str(&f->members.text) : "{");
	strbuf_append_char(&b, '}');
	if (f->shared_members.text.size) {
		strbuf_append_str(&b, ",\"shared\":");
		strbuf_append_text(&b, strbuf_text(&f->shared_members.text));
		strbuf_append_char(&b, '}');
	}
	strbuf_append_char(&b, '}');
	ok = emit_metadata(f->in, "attributes", strbuf_text(&b)) &&
	     emit_metadata(f->in, "caption", caption.size ? caption : text_from(f->in->name));
	strbuf_release(&b);
	return ok;
}

static void
file_init(struct speedscope_file *f, struct reader *in)
{
	struct speedscope_odd *odds[] = { &f->members, &f->shared_members, &f->p_members,
		&f->p_events, &f->p_samples, &f->p_weights };

	*f = (struct speedscope_file){
		.in = in, .arena = ARENA_INIT, .frame_arena = ARENA_INIT, .next_id = 1
	};
	for (size_t i = 0; i < sizeof(odds) / sizeof(odds[0]); i++)
		strbuf_init(&odds[i]->text, SPEEDSCOPE_MAX_ODD_BYTES);
	strbuf_init(&f->item, SIZE_MAX / 2);
	strbuf_init(&f->scratch, SIZE_MAX / 2);
	strbuf_init(&f->last_text, SIZE_MAX / 2);
	strbuf_init(&f->value_text, SIZE_MAX / 2);
	f->stacks = spool_new(0);
	f->weights = spool_new(0);
}

static void
file_release(struct speedscope_file *f)
{
	struct strbuf *buffers[] = { &f->members.text, &f->shared_members.text, &f->p_members.text,
		&f->p_events.text, &f->p_samples.text, &f->p_weights.text, &f->item, &f->scratch,
		&f->last_text, &f->value_text };

	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
		strbuf_release(buffers[i]);
	while (f->call_count)
		free(f->calls[--f->call_count].start.own);
	free(f->calls);
	nest_begins_release(&f->begins);
	free(f->heads);
	free(f->keys);
	free(f->canonical);
	free(f->ids);
	pair_map_release(&f->stack_texts);
	spool_free(f->stacks);
	spool_free(f->weights);
	arena_release(&f->frame_arena);
	arena_release(&f->arena);
	f->in->part = NULL;
}

static bool
read_file(struct speedscope_file *f)
{
	bool ok;

	if (f->in->source->plan & PLAN_LOOK_FIRST) {
		ok = read_looking_first(f);
	} else {
		f->emit_shared = f->emit_profiles = true;
		ok = pass(f) && check_parts(f);
	}
	if (ok && f->profile_count == 0 && f->group_name.size == 0)
		ok = reader_refuse(f->in, "no profiles and no name: nothing to load");
	if (ok && f->bad_texts)
		ok = reader_issue_at(f->in, ISSUE_BAD_UTF8, f->bad_text_offset,
			"bytes that are not UTF-8 became U+FFFD in %zu %s", f->bad_texts,
			by_count(f->bad_texts, "place", "places"));
	return ok && add_file(f, f->first_profile);
}

/* --- the files of an input ----------------------------------------------------------- */

static int
look(const struct format_source *source, size_t member)
{
	const struct json_shape *shape = json_shape_of(source->bundle, member);
	const struct text name = text_from(bundle_member(source->bundle, member)->name);

	if (shape->top != JSON_TOP_OBJECT || shape->several)
		return 0;
	if (text_equal(shape->schema, TEXT_LITERAL(SPEEDSCOPE_SCHEMA)))
		return 8 * (int)strlen(SPEEDSCOPE_SCHEMA);
	if (text_ends(name, ".speedscope.json") || text_ends(name, ".speedscope.json.gz"))
		return 8 * (int)strlen(".speedscope.json");
	return 0;
}

static bool
read_member(struct reader *in)
{
	struct speedscope_file f;
	bool ok;

	file_init(&f, in);
	ok = read_file(&f);
	if (in->again)
		in->source->plan |= PLAN_LOOK_FIRST;
	file_release(&f);
	return ok;
}

static const struct member_kind kind = {
	.noun = "speedscope file", .look = look, .read = read_member
};

const struct format format_speedscope = {
	.name = "speedscope",
	.title = "speedscope's own files: evented and sampled profiles",
	.profiler = "speedscope",
	.known_by = "an object whose \"$schema\" is speedscope's, or a name that ends in "
		    ".speedscope.json",
	.json = true,
	.covers = { [COVERAGE_SAMPLES] = COVERAGE_UNKNOWN, [COVERAGE_SPANS] = COVERAGE_UNKNOWN },
	.reads = true,
	.several = true,
	.members = &kind,
	.writes = true,
	.carries = CONTENT_BIT(CONTENT_OBJECTS) | CONTENT_BIT(CONTENT_ERRORS) |
		   CONTENT_BIT(CONTENT_SAMPLES) | CONTENT_BIT(CONTENT_SPANS),
	.write = speedscope_write,
	.extension = "speedscope.json",
};
