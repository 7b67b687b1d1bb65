/*
 * Reads DHAT's results (valgrind --tool=dhat, Rust's dhat), JSON versions 1 and 2:
 *
 *	{"dhatFileVersion":2, "mode":"heap", "verb":"Allocated", "bklt":true, "bkacc":true,
 *	 "tu":"instrs", "Mtu":"Minstr", "tuth":500, "cmd":..., "pid":..., "te":..., "tg":...,
 *	 "pps":[{"tb":48, "tbk":1, "tl":..., "mb", "mbk", "gb", "gbk", "eb", "ebk", "rb", "wb",
 *	         "acc":[...], "fs":[1,2,3]}], "ftbl":["[root]", "0x...: malloc (in ...)"]}
 *
 * A program point (pp) has total bytes and blocks (tb, tbk), the sum of the blocks' lifetimes (tl),
 * its own maximum (mb), bytes at the global maximum (gb) and at the end (eb), bytes read and
 * written (rb, wb), and frames, innermost first. bklt: blocks have lifetimes; bkacc: accesses are
 * counted. In the modes "copy" and "ad-hoc", blocks have no lifetimes, and accesses are not counted.
 * valgrind's dhat/dh_main.c defines the format.
 *
 * The file is read twice, because the frames' names come last.
 */
#include "base/array.h"
#include "dhat_private.h"
#include "format/formats.h"
#include "heap_frame.h"
#include "input/json/json_shape.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	NEWEST_VERSION = 2,
	MAX_STRING_BYTES = 1024 * 1024,
	MAX_ATTRIBUTES_BYTES = 4 * 1024 * 1024,
	MAX_ACCESSES_BYTES = 2 * 1024 * 1024,
	NAME_BYTES = 64,
	DEFAULT_SHORT_LIVED = 500, /* DHAT's default, in instructions */
	MAGIC_BITS = 8 * 17,
};

/* --- JSON values --------------------------------------------------------------------- */

static bool
read_text(struct dhat *d, const char *key, struct text *value)
{
	struct text t;

	if (!dhat_expect(d, key, JSON_STRING, "a string") ||
		!json_read_string(d->json, &t, d->in->err))
		return false;
	*value = arena_text(&d->arena, t);
	return true;
}

static bool
read_bool(struct dhat *d, const char *key, bool *value, bool *known)
{
	enum json_type type;

	if (!json_peek(d->json, &type, d->in->err))
		return false;
	*value = type == JSON_TRUE;
	*known = true;
	return (*value || dhat_expect(d, key, JSON_FALSE, "true or false")) &&
	       json_read_literal(d->json, d->in->err);
}

/* --- head and frames ------------------------------------------------------------ */

static bool
add_frame(struct dhat *d, struct text t)
{
	struct frame f = heap_frame_parse(t);
	struct dhat_frame frame = { .numbers = { 0, -1 }, .allocates = is_allocator(f.function) };

	/* The first entry is the root, which is not a frame. */
	if (d->frame_count > 0 && !frame_intern(d->dictionary, &f, &frame.numbers, d->in->err))
		return false;
	frame.name = arena_text(&d->arena, frame.allocates ? f.function : f.module);
	*ARRAY_ADD(d->frames, d->frame_count, d->frame_room) = frame;
	return true;
}

static bool
read_frames(struct dhat *d)
{
	struct text t;

	if (d->has_frames)
		return reader_refuse_at(d->in, json_offset(d->json), "a second \"ftbl\"");
	d->has_frames = true;
	if (!dhat_enter_array(d, "ftbl"))
		return false;
	while (json_more_items(d->json, d->in->err))
		if (!dhat_expect(d, "a frame", JSON_STRING, "a string") ||
			!json_read_string(d->json, &t, d->in->err) || !add_frame(d, t))
			return false;
	return !d->in->err->code;
}

/* An unknown member becomes an attribute. */
static bool
keep_member(struct dhat *d, const char *key)
{
	struct text raw;

	if (!json_read_raw(d->json, MAX_STRING_BYTES, &raw, d->in->err))
		return false;
	if (!members_json(&d->attributes, key, raw))
		d->attributes_full = true;
	return true;
}

static bool
read_head_member(struct dhat *d, struct text key)
{
	static const struct {
		const char *key;
		size_t at;
	} texts[] = { { "mode", offsetof(struct dhat, mode) },
		{ "verb", offsetof(struct dhat, verb) }, { "cmd", offsetof(struct dhat, command) },
		{ "bu", offsetof(struct dhat, unit) }, { "bsu", offsetof(struct dhat, units) },
		{ "bksu", offsetof(struct dhat, blocks) },
		{ "tu", offsetof(struct dhat, time_unit) } };
	char name[NAME_BYTES];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (text_equal(key, text_from(texts[i].key)))
			return read_text(
				d, texts[i].key, (struct text *)(void *)((char *)d + texts[i].at));
	if (text_equal(key, TEXT_LITERAL("dhatFileVersion")))
		return dhat_read_int(d, "dhatFileVersion", &d->version);
	if (text_equal(key, TEXT_LITERAL("pid")))
		return dhat_read_int(d, "pid", &d->pid);
	if (text_equal(key, TEXT_LITERAL("tuth")))
		return dhat_read_int(d, "tuth", &d->short_lived);
	if (text_equal(key, TEXT_LITERAL("bklt")))
		return read_bool(d, "bklt", &d->has_lifetimes, &d->knows_lifetimes);
	if (text_equal(key, TEXT_LITERAL("bkacc")))
		return read_bool(d, "bkacc", &d->has_accesses, &d->knows_accesses);
	if (text_equal(key, TEXT_LITERAL("ftbl")))
		return read_frames(d);
	if (text_equal(key, TEXT_LITERAL("pps"))) {
		if (d->has_points)
			return reader_refuse_at(d->in, json_offset(d->json), "a second \"pps\"");
		d->has_points = true;
		return json_skip(d->json, d->in->err);
	}
	if (key.size >= sizeof(name) || memchr(key.data, 0, key.size))
		return json_skip(d->json, d->in->err);
	snprintf(name, sizeof(name), "%.*s", (int)key.size, key.data);
	return keep_member(d, name);
}

static bool
check_head(struct dhat *d)
{
	uint64_t end = json_offset(d->json);

	if (!d->version)
		return reader_refuse_at(d->in, end, "\"dhatFileVersion\" is missing");
	if (d->version > NEWEST_VERSION)
		return error_set(d->in->err, ERROR_INPUT,
			"%s: offset 0: DHAT file version %" PRId64
			" is not supported: 1 and %d are",
			d->in->name, d->version, NEWEST_VERSION);
	if (!d->has_points)
		return reader_refuse_at(d->in, end, "\"pps\" is missing");
	if (!d->has_frames)
		return reader_refuse_at(d->in, end, "\"ftbl\" is missing");
	/* Older versions lack these members. */
	if (!d->knows_lifetimes)
		d->has_lifetimes = !d->mode.size || text_equal(d->mode, TEXT_LITERAL("heap"));
	if (!d->knows_accesses)
		d->has_accesses = d->has_lifetimes;
	return true;
}

/* --- a file ------------------------------------------------------------------------------ */

static bool
read_top(struct dhat *d, bool points)
{
	struct text key;
	bool end;
	bool ok = dhat_expect(d, "DHAT's result", JSON_OBJECT, "an object") &&
		  json_enter(d->json, d->in->err);

	while (ok && json_more_keys(d->json, &key, d->in->err)) {
		if (!points)
			ok = read_head_member(d, key);
		else if (text_equal(key, TEXT_LITERAL("pps")))
			ok = dhat_read_points(d);
		else
			ok = json_skip(d->json, d->in->err);
	}
	if (!ok || d->in->err->code || !json_at_end(d->json, &end, d->in->err))
		return false;
	return end ||
	       reader_refuse_at(d->in, json_offset(d->json), "unexpected data after DHAT's result");
}

static bool
pass(struct dhat *d, bool points)
{
	const struct json_options options = { .source = d->in->name,
		.max_depth = d->in->source->options.max_depth,
		.max_string_bytes = MAX_STRING_BYTES,
		.tolerate = 1 << JSON_BAD_UTF8 };
	bool ok;

	if (!reader_open(d->in))
		return false;
	d->json = json_reader_new_fd(d->in->fd, &options);
	ok = read_top(d, points) && (points || check_head(d));
	json_reader_free(d->json);
	d->json = NULL;
	return ok;
}

static bool
emit_about(struct dhat *d)
{
	struct strbuf *b = &d->attributes;
	struct text application = heap_application(d->command);

	if (d->attributes_full || !members_int(b, "dhatFileVersion", d->version) ||
		!members_text(b, "mode", d->mode) || !members_text(b, "verb", d->verb) ||
		!members_text(b, "command", d->command) || !members_text(b, "bu", d->unit) ||
		!members_text(b, "bsu", d->units) || !members_text(b, "bksu", d->blocks) ||
		!members_text(b, "tu", d->time_unit) || !members_int(b, "tuth", d->short_lived) ||
		(d->pid != MODEL_NULL && !members_int(b, "pid", d->pid)))
		return error_set(d->in->err, ERROR_LIMIT, "%s: the head has more than %d bytes",
			d->in->name, MAX_ATTRIBUTES_BYTES);
	return (text_is_null(application) || emit_metadata(d->in, "application", application)) &&
	       emit_metadata(
		       d->in, "caption", d->command.size ? d->command : text_from(d->in->name)) &&
	       emit_metadata(d->in, "attributes", members_end(b));
}

static bool
read_member(struct reader *r)
{
	struct dhat d = {
		.in = r, .arena = ARENA_INIT, .pid = MODEL_NULL, .short_lived = DEFAULT_SHORT_LIVED
	};
	bool ok;

	strbuf_init(&d.attributes, MAX_ATTRIBUTES_BYTES);
	strbuf_init(&d.accesses, MAX_ACCESSES_BYTES);
	strbuf_init(&d.scratch, MAX_ATTRIBUTES_BYTES);
	d.dictionary = frame_dictionary_new(r->sink, r->set);
	ok = pass(&d, false) && emit_about(&d) && dhat_emit_metrics(&d) && pass(&d, true);
	frame_dictionary_free(d.dictionary);
	strbuf_release(&d.attributes);
	strbuf_release(&d.accesses);
	strbuf_release(&d.scratch);
	free(d.frames);
	arena_release(&d.arena);
	return ok;
}

/* --- the format -------------------------------------------------------------------------- */

static int
look(const struct format_source *source, size_t member)
{
	const struct json_shape *shape = json_shape_of(source->bundle, member);

	return shape && shape->top == JSON_TOP_OBJECT && json_shape_has(shape, "dhatFileVersion")
		       ? MAGIC_BITS
		       : 0;
}

static const struct member_kind kind = { .noun = "DHAT result", .look = look, .read = read_member };

const struct format format_dhat = {
	.name = "dhat",
	.title = "DHAT results (valgrind, Rust), JSON",
	.profiler = "DHAT",
	.known_by = "an object with \"dhatFileVersion\"",
	.json = true,
	.covers = { [COVERAGE_LEAKS] = COVERAGE_FULL, [COVERAGE_HEAP] = COVERAGE_FULL },
	.reads = true,
	.several = true,
	.members = &kind,
};
