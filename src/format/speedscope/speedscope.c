#include "speedscope_private.h"

#include "format/formats.h"
#include "input/json/json_shape.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	PLAN_LOOK_FIRST = 1,
	TICK_EVERY = 4096,
	NAME_IN_MESSAGE_BYTES = 80,
	MESSAGE_MAX = 512,
};

#define SPEEDSCOPE_UNIT_NAME(name) #name,
const char *const speedscope_units[SPEEDSCOPE_UNIT_COUNT] = { SPEEDSCOPE_UNITS(
	SPEEDSCOPE_UNIT_NAME) };
#undef SPEEDSCOPE_UNIT_NAME

#define SPEEDSCOPE_KEY_NAME(id, name) name,
const char *const speedscope_keys[SPEEDSCOPE_KEY_COUNT] = { SPEEDSCOPE_KEYS(SPEEDSCOPE_KEY_NAME) };
#undef SPEEDSCOPE_KEY_NAME

/* --- messages ------------------------------------------------------------------ */

const char *
speedscope_place(struct speedscope_file *f, char *out, size_t size)
{
	struct text name = f->head.name;

	if (!f->in_profile)
		snprintf(out, size, "%s", f->name);
	else if (name.size)
		snprintf(out, size, "%s: profile %zu (\"%.*s\")", f->name, f->profile + 1,
			text_precision(name, NAME_IN_MESSAGE_BYTES), name.data);
	else
		snprintf(out, size, "%s: profile %zu", f->name, f->profile + 1);
	return out;
}

static bool
refuse(struct speedscope_file *f, uint64_t offset, const char *message)
{
	char place[MESSAGE_MAX];
	const char *profile = speedscope_place(f, place, sizeof(place));

	/* ": profile 2 ...", or nothing */
	profile += strnlen(f->name, strlen(profile));
	return error_set(f->err, ERROR_INPUT, "%s: offset %llu%s: %s", f->name,
		(unsigned long long)offset, profile, message);
}

static bool
issue(struct speedscope_file *f, enum issue_code code, uint64_t offset, const char *message)
{
	char place[MESSAGE_MAX];
	char whole[2 * MESSAGE_MAX];
	const struct issue told = {
		.code = code, .source = f->name, .offset = offset, .message = whole
	};

	if (f->in_profile) {
		speedscope_place(f, place, sizeof(place));
		snprintf(whole, sizeof(whole), "%s: %s", place + strlen(f->name) + 2, message);
	} else {
		snprintf(whole, sizeof(whole), "%s", message);
	}
	return f->sink->issue(f->sink, f->set, &told, f->err);
}

bool
speedscope_refuse(struct speedscope_file *f, uint64_t offset, const char *format, ...)
{
	char message[MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return refuse(f, offset, message);
}

bool
speedscope_issue(
	struct speedscope_file *f, enum issue_code code, uint64_t offset, const char *format, ...)
{
	char message[MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return issue(f, code, offset, message);
}

bool
speedscope_bend(
	struct speedscope_file *f, enum issue_code code, uint64_t offset, const char *format, ...)
{
	char message[MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	if (f->lenient)
		return issue(f, code, offset, message);
	refuse(f, offset, message);
	return error_hint(f->err, "--lenient takes it, with an import issue");
}

void
speedscope_tick(struct speedscope_file *f)
{
	if (++f->ticks % TICK_EVERY != 0)
		return;
	f->source->consumed = f->consumed_before + (int64_t)json_offset(f->json);
	if (f->source->tick)
		f->source->tick(f->source->tick_self);
}

/* Of several passes the last one tells. */
static void
deviate(void *self, enum json_deviation what, uint64_t offset)
{
	struct speedscope_file *f = self;

	if (what != JSON_BAD_UTF8 || !f->tell_profiles)
		return;
	if (!f->bad_texts++)
		f->bad_text_offset = offset;
}

/* --- metrics --------------------------------------------------------------------- */

bool
speedscope_tell_metric(
	struct speedscope_file *f, enum speedscope_type type, enum speedscope_unit unit)
{
	enum speedscope_type other =
		type == SPEEDSCOPE_EVENTED ? SPEEDSCOPE_SAMPLED : SPEEDSCOPE_EVENTED;
	const char *word = unit == SPEEDSCOPE_UNIT_none ? "weight" : speedscope_units[unit];
	char name[48];
	const struct metric_row row = { .family = type == SPEEDSCOPE_EVENTED ? METRIC_OF_SPANS
									     : METRIC_OF_SAMPLES,
		.name = { name, 0 },
		.unit = text_from(speedscope_units[unit]) };
	struct metric_row told = row;

	if (f->metrics[type][unit])
		return true;
	if (f->has_facts) {
		f->again = true;
		return false;
	}
	snprintf(name, sizeof(name), "%s%s", word,
		!f->metrics[other][unit]     ? ""
		: type == SPEEDSCOPE_EVENTED ? "_calls"
					     : "_samples");
	told.name = text_from(name);
	return f->sink->metric(f->sink, f->set, &told, &f->metrics[type][unit], f->err);
}

/* --- a file ------------------------------------------------------------------------ */

/* A top-level member that only the way back needs. */
static bool
read_member(struct speedscope_file *f, struct text key)
{
	struct text name = arena_text(&f->frame_arena, key);
	enum json_type type;

	if (!f->tell_shared)
		return json_skip(f->json, f->err);
	if (!json_peek(f->json, &type, f->err))
		return false;
	if (type == JSON_STRING && text_equal(name, TEXT_LITERAL("name"))) {
		struct text value;

		if (!json_read_string(f->json, &value, f->err))
			return false;
		f->group_name = arena_text(&f->arena, value);
		strbuf_reset(&f->scratch);
		json_append_depot_text(&f->scratch, f->group_name);
	} else if (!speedscope_read_raw(f)) {
		return false;
	}
	return speedscope_odd_member(f, &f->members, name, strbuf_text(&f->scratch));
}

static bool
read_shared(struct speedscope_file *f)
{
	f->shared_seen++;
	if (f->shared_seen > 1 && f->tell_shared && f->tell_profiles) {
		f->again = true;
		return false;
	}
	if (f->shared_seen > 1 && f->look &&
		!speedscope_issue(f, ISSUE_DUPLICATE_KEY, json_offset(f->json),
			"\"shared\" stands there twice"))
		return false;
	if (!f->tell_shared || (f->shared_last && f->shared_seen != f->shared_last))
		return json_skip(f->json, f->err);
	return speedscope_read_shared(f);
}

static bool
read_profiles(struct speedscope_file *f)
{
	f->profiles_seen++;
	if (f->tell_shared && f->tell_profiles && (f->profiles_seen > 1 || !f->has_frames)) {
		f->again = true;
		return false;
	}
	if (f->profiles_seen > 1 && f->look &&
		!speedscope_issue(f, ISSUE_DUPLICATE_KEY, json_offset(f->json),
			"\"profiles\" stands there twice"))
		return false;
	if (!f->look &&
		(!f->tell_profiles || (f->profiles_last && f->profiles_seen != f->profiles_last)))
		return json_skip(f->json, f->err);
	f->head_count = f->look ? 0 : f->head_count;
	return speedscope_read_profiles(f);
}

static bool
read_top(struct speedscope_file *f)
{
	enum json_type type;
	struct text key;
	bool more;
	bool end;
	bool ok;

	if (!json_peek(f->json, &type, f->err))
		return false;
	if (type != JSON_OBJECT)
		return speedscope_refuse(f, json_offset(f->json),
			"no speedscope file: it holds %s, not an object", json_type_name(type));
	for (ok = json_enter(f->json, f->err); ok;) {
		if (!json_next_key(f->json, &key, &more, f->err))
			return false;
		if (!more)
			break;
		arena_reset(&f->frame_arena);
		if (text_equal(key, TEXT_LITERAL("shared")))
			ok = read_shared(f);
		else if (text_equal(key, TEXT_LITERAL("profiles")))
			ok = read_profiles(f);
		else
			ok = read_member(f, key);
	}
	if (!ok || !json_at_end(f->json, &end, f->err))
		return false;
	return end ? true
		   : speedscope_refuse(f, json_offset(f->json),
			     "something follows the end of the JSON document");
}

static bool
pass(struct speedscope_file *f)
{
	const struct json_options options = { .source = f->name,
		.max_depth = f->source->options.max_depth ? f->source->options.max_depth
							  : SPEEDSCOPE_MAX_DEPTH,
		.max_string_bytes = SPEEDSCOPE_MAX_STRING_BYTES,
		.tolerate = 1 << JSON_BAD_UTF8,
		.deviation = deviate,
		.self = f };
	int fd = bundle_open_member(f->source->bundle, f->member, f->err);
	bool ok;

	if (fd < 0)
		return false;
	f->shared_seen = f->profiles_seen = 0;
	f->json = json_reader_new_fd(fd, &options);
	ok = read_top(f);
	if (ok)
		f->source->consumed = f->consumed_before + (int64_t)json_offset(f->json);
	json_reader_free(f->json);
	f->json = NULL;
	close(fd);
	return ok;
}

/* Both are there? Known only at the end of a pass over the whole file. */
static bool
check_parts(struct speedscope_file *f)
{
	if (!f->shared_seen)
		return error_set(f->err, ERROR_INPUT, "%s: \"shared\" is missing", f->name);
	if (!f->profiles_seen)
		return error_set(f->err, ERROR_INPUT, "%s: \"profiles\" is missing", f->name);
	return true;
}

/* Three passes for a file whose keys do not stand in the common order. */
static bool
read_looking_first(struct speedscope_file *f)
{
	f->look = true;
	if (!pass(f) || !check_parts(f))
		return false;
	f->look = false;
	f->shared_last = f->shared_seen;
	f->profiles_last = f->profiles_seen;
	f->tell_shared = true;
	if (!pass(f))
		return false;
	f->tell_shared = false;
	for (size_t i = 0; i < f->head_count; i++)
		if (f->heads[i].type != SPEEDSCOPE_NO_TYPE &&
			!speedscope_tell_metric(f, f->heads[i].type, f->heads[i].unit))
			return false;
	f->tell_profiles = true;
	return pass(f);
}

/* The document of a file's attributes. */
static bool
tell_file(struct speedscope_file *f, struct text first_profile)
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
	ok = f->sink->metadata(f->sink, f->set, "attributes", strbuf_text(&b), f->err) &&
	     f->sink->metadata(f->sink, f->set, "caption",
		     caption.size ? caption : text_from(f->name), f->err);
	strbuf_release(&b);
	return ok;
}

static void
file_init(struct speedscope_file *f, struct format_source *source, struct sink *sink,
	struct error *err)
{
	struct speedscope_odd *odds[] = { &f->members, &f->shared_members, &f->p_members,
		&f->p_events, &f->p_samples, &f->p_weights };

	*f = (struct speedscope_file){ .source = source,
		.sink = sink,
		.err = err,
		.arena = ARENA_INIT,
		.frame_arena = ARENA_INIT,
		.lenient = source->options.lenient,
		.next_id = 1 };
	for (size_t i = 0; i < sizeof(odds) / sizeof(odds[0]); i++)
		strbuf_init(&odds[i]->text, SPEEDSCOPE_MAX_ODD_BYTES);
	strbuf_init(&f->item, SIZE_MAX / 2);
	strbuf_init(&f->scratch, SIZE_MAX / 2);
	strbuf_init(&f->last_text, SIZE_MAX / 2);
	strbuf_init(&f->value_text, SIZE_MAX / 2);
	pair_map_init(&f->stack_texts);
	f->stack_seed = process_seed();
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
	free(f->heads);
	free(f->keys);
	free(f->canonical);
	free(f->ids);
	pair_map_release(&f->stack_texts);
	spool_free(f->stacks);
	spool_free(f->weights);
	arena_release(&f->frame_arena);
	arena_release(&f->arena);
}

static bool
read_file(struct speedscope_file *f)
{
	bool ok;

	if (f->source->plan & PLAN_LOOK_FIRST) {
		ok = read_looking_first(f);
	} else {
		f->tell_shared = f->tell_profiles = true;
		ok = pass(f);
		/* Its absence shows only now; of another order the second reading tells. */
		if (ok && (!f->shared_seen || !f->profiles_seen))
			ok = check_parts(f);
	}
	if (ok && f->profile_count == 0 && f->group_name.size == 0)
		ok = error_set(f->err, ERROR_INPUT,
			"%s: it has no profiles and no name: nothing to load", f->name);
	if (ok && f->bad_texts)
		ok = speedscope_issue(f, ISSUE_BAD_UTF8, f->bad_text_offset,
			"bytes that are no UTF-8 became U+FFFD in %zu %s", f->bad_texts,
			by_count(f->bad_texts, "place", "places"));
	return ok && tell_file(f, f->first_profile);
}

/* --- the files of an input ----------------------------------------------------------- */

static bool
ends_with(const char *name, const char *end)
{
	size_t size = strlen(name);
	size_t tail = strlen(end);

	return size >= tail && strcmp(name + size - tail, end) == 0;
}

static int
verify_shape(const struct json_shape *shape, const char *name)
{
	bool named = ends_with(name, ".speedscope.json") || ends_with(name, ".speedscope.json.gz");

	if (shape->top != JSON_TOP_OBJECT)
		return 0;
	if (text_equal(shape->schema, TEXT_LITERAL(SPEEDSCOPE_SCHEMA)))
		return 8 * (int)strlen(SPEEDSCOPE_SCHEMA);
	return named ? 8 * (int)strlen(".speedscope.json") : 0;
}

static int
probe(const struct format_source *source)
{
	if (!source->bundle || !source->shape || source->shape->several)
		return 0;
	return verify_shape(
		source->shape, bundle_member(source->bundle, source->shape_member)->name);
}

/* Which files of the bundle are ours: a single one was chosen by the user or by probe. */
static bool
is_ours(struct format_source *source, size_t member)
{
	const char *name = bundle_member(source->bundle, member)->name;

	if (bundle_count(source->bundle) == 1)
		return true;
	return verify_shape(json_shape_of(source->bundle, member), name) > 0;
}

static bool
begin_files(struct format_source *source, struct sink *sink, uint32_t *sets, bool *wanted,
	struct error *err)
{
	const struct set_row row = { .source_inst_id = MODEL_NULL };
	size_t ours = 0;

	for (size_t i = 0; i < bundle_count(source->bundle); i++) {
		sets[i] = ISSUE_EVERY_SET;
		if (!is_ours(source, i))
			continue;
		if (!sink->set(sink, &row, &sets[i], &wanted[i], err))
			return false;
		ours++;
	}
	if (!ours)
		return error_set(err, ERROR_INPUT, "%s: no speedscope file in it", source->path);
	return true;
}

static bool
tell_left_out(struct sink *sink, const char *name, struct error *err)
{
	const struct issue left_out = { .code = ISSUE_UNKNOWN_TABLE,
		.source = name,
		.message = "no speedscope file; it was left out" };

	return sink->issue(sink, ISSUE_EVERY_SET, &left_out, err);
}

static enum format_result
read_files(struct format_source *source, struct sink *sink, const uint32_t *sets,
	const bool *wanted, struct error *err)
{
	int64_t before = 0;

	for (size_t i = 0; i < bundle_count(source->bundle); i++) {
		const struct bundle_member *m = bundle_member(source->bundle, i);
		struct speedscope_file f;
		bool ok = true;
		bool again = false;

		if (sets[i] == ISSUE_EVERY_SET) {
			ok = tell_left_out(sink, m->name, err);
		} else if (wanted[i]) {
			file_init(&f, source, sink, err);
			f.member = i;
			f.name = m->name;
			f.set = sets[i];
			f.consumed_before = before;
			ok = read_file(&f);
			again = f.again;
			file_release(&f);
		}
		if (again) {
			source->plan |= PLAN_LOOK_FIRST;
			return FORMAT_AGAIN;
		}
		if (!ok)
			return FORMAT_FAILED;
		before += m->size;
	}
	return sink->end(sink, err) ? FORMAT_DONE : FORMAT_FAILED;
}

static enum format_result
read_speedscope(struct format_source *source, struct sink *sink, struct error *err)
{
	size_t count = bundle_count(source->bundle);
	uint32_t *sets = xcalloc(count, sizeof(*sets));
	bool *wanted = xcalloc(count, sizeof(*wanted));
	enum format_result result = FORMAT_FAILED;

	if (begin_files(source, sink, sets, wanted, err))
		result = read_files(source, sink, sets, wanted, err);
	free(sets);
	free(wanted);
	return result;
}

const struct format format_speedscope = {
	.name = "speedscope",
	.title = "speedscope's own files: evented and sampled profiles",
	.profiler = "speedscope",
	.known_by = "an object whose \"$schema\" is speedscope's, or a name that ends in "
		    ".speedscope.json",
	.json = true,
	.reads = true,
	.several = true,
	.probe = probe,
	.read = read_speedscope,
	.writes = true,
	.write = speedscope_write,
	.extension = "speedscope.json",
};
