/*
 * DHAT's results (valgrind --tool=dhat, and Rust's dhat), JSON of version 1 and 2:
 *
 *	{"dhatFileVersion":2, "mode":"heap", "verb":"Allocated", "bklt":true, "bkacc":true,
 *	 "tu":"instrs", "Mtu":"Minstr", "tuth":500, "cmd":..., "pid":..., "te":..., "tg":...,
 *	 "pps":[{"tb":48, "tbk":1, "tl":..., "mb", "mbk", "gb", "gbk", "eb", "ebk", "rb", "wb",
 *	         "acc":[...], "fs":[1,2,3]}], "ftbl":["[root]", "0x...: malloc (in ...)"]}
 *
 * A point of the program (pp) has bytes and blocks in all (tb, tbk), the sum of the blocks'
 * lifetimes (tl), its own maximum (mb), what it had at the global one (gb) and at the end (eb),
 * bytes read and written (rb, wb), and frames, the innermost first. bklt: blocks have
 * lifetimes; bkacc: accesses are counted. Modes "copy" and "ad-hoc" have neither.
 *
 * Read twice, since the frames' names come last.
 */
#include "dhat_private.h"
#include "format/formats.h"
#include "heap_frame.h"
#include "input/bundle/bundle.h"
#include "input/json/json_shape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	NEWEST_VERSION = 2,
	MAX_STRING_BYTES = 1024 * 1024,
	MAX_ATTRIBUTES_BYTES = 4 * 1024 * 1024,
	MAX_ACCESSES_BYTES = 2 * 1024 * 1024,
	NAME_BYTES = 64,
	MESSAGE_BYTES = 128,
	DEFAULT_SHORT_LIVED = 500, /* DHAT's own, in instructions */
	MAGIC_BITS = 8 * 17,
};

bool
dhat_refuse(struct dhat *d, uint64_t offset, const char *message)
{
	return error_set(
		d->err, ERROR_INPUT, "%s: offset %" PRIu64 ": %s", d->name, offset, message);
}

bool
dhat_read_int(struct dhat *d, const char *key, int64_t *value)
{
	char message[MESSAGE_BYTES];
	enum json_type type;
	bool whole = false;

	if (!json_peek(d->json, &type, d->err))
		return false;
	if (type == JSON_NUMBER && !json_read_int64(d->json, value, &whole, d->err))
		return false;
	if (whole && *value >= 0)
		return true;
	snprintf(message, sizeof(message), "\"%s\" is no number from 0 to 2^63 - 1", key);
	return dhat_refuse(d, json_offset(d->json), message);
}

static bool
read_text(struct dhat *d, const char *key, struct text *value)
{
	char message[MESSAGE_BYTES];
	enum json_type type;
	struct text t;

	if (!json_peek(d->json, &type, d->err))
		return false;
	if (type != JSON_STRING) {
		snprintf(message, sizeof(message), "\"%s\" is %s, not a string", key,
			json_type_name(type));
		return dhat_refuse(d, json_offset(d->json), message);
	}
	if (!json_read_string(d->json, &t, d->err))
		return false;
	*value = arena_text(&d->arena, t);
	return true;
}

static bool
read_bool(struct dhat *d, const char *key, bool *value, bool *told)
{
	char message[MESSAGE_BYTES];
	enum json_type type;

	if (!json_peek(d->json, &type, d->err))
		return false;
	if (type != JSON_TRUE && type != JSON_FALSE) {
		snprintf(message, sizeof(message), "\"%s\" is %s, not true or false", key,
			json_type_name(type));
		return dhat_refuse(d, json_offset(d->json), message);
	}
	*value = type == JSON_TRUE;
	*told = true;
	return json_read_literal(d->json, d->err);
}

bool
dhat_enter_array(struct dhat *d, const char *key)
{
	char message[MESSAGE_BYTES];
	enum json_type type;

	if (!json_peek(d->json, &type, d->err))
		return false;
	if (type == JSON_ARRAY)
		return json_enter(d->json, d->err);
	snprintf(message, sizeof(message), "\"%s\" is %s, not an array", key, json_type_name(type));
	return dhat_refuse(d, json_offset(d->json), message);
}

/* --- the head and the frames ------------------------------------------------------------ */

static bool
add_frame(struct dhat *d, struct text t)
{
	struct frame f = heap_frame_parse(t);
	struct frame_numbers n = { 0, -1 };

	/* The root is nobody's frame. */
	if (d->frame_count > 0 && !frame_intern(d->frames_told, &f, &n, d->err))
		return false;
	if (d->frame_count == d->frame_room) {
		d->frame_room = d->frame_room ? d->frame_room * 2 : 256;
		d->frames = xrealloc(d->frames, d->frame_room * sizeof(*d->frames));
		d->allocators = xrealloc(d->allocators, d->frame_room * sizeof(*d->allocators));
		d->names = xrealloc(d->names, d->frame_room * sizeof(*d->names));
	}
	d->frames[d->frame_count] = n;
	d->allocators[d->frame_count] = is_allocator(f.function);
	d->names[d->frame_count] =
		arena_text(&d->arena, d->allocators[d->frame_count] ? f.function : f.module);
	d->frame_count++;
	return true;
}

static bool
read_frames(struct dhat *d)
{
	bool more;

	if (d->has_frames)
		return dhat_refuse(d, json_offset(d->json), "\"ftbl\" stands there twice");
	d->has_frames = true;
	if (!dhat_enter_array(d, "ftbl"))
		return false;
	for (;;) {
		enum json_type type;
		struct text t;

		if (!json_next_item(d->json, &more, d->err))
			return false;
		if (!more)
			return true;
		if (!json_peek(d->json, &type, d->err))
			return false;
		if (type != JSON_STRING)
			return dhat_refuse(d, json_offset(d->json), "a frame is no string");
		if (!json_read_string(d->json, &t, d->err) || !add_frame(d, t))
			return false;
	}
}

/* Kept as it stands; the scratch holds its key. */
static bool
keep_member(struct dhat *d, const char *key)
{
	struct text raw;

	if (!json_read_raw(d->json, MAX_STRING_BYTES, &raw, d->err))
		return false;
	heap_member_raw(&d->attributes, key, raw);
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
		return read_bool(d, "bklt", &d->has_lifetimes, &d->told_lifetimes);
	if (text_equal(key, TEXT_LITERAL("bkacc")))
		return read_bool(d, "bkacc", &d->has_accesses, &d->told_accesses);
	if (text_equal(key, TEXT_LITERAL("ftbl")))
		return read_frames(d);
	if (text_equal(key, TEXT_LITERAL("pps"))) {
		if (d->has_points)
			return dhat_refuse(d, json_offset(d->json), "\"pps\" stands there twice");
		d->has_points = true;
		return json_skip(d->json, d->err);
	}
	if (key.size >= sizeof(name) || memchr(key.data, 0, key.size))
		return json_skip(d->json, d->err);
	snprintf(name, sizeof(name), "%.*s", (int)key.size, key.data);
	return keep_member(d, name);
}

static bool
check_head(struct dhat *d)
{
	uint64_t end = json_offset(d->json);

	if (!d->version)
		return dhat_refuse(d, end, "\"dhatFileVersion\" is missing");
	if (d->version > NEWEST_VERSION)
		return error_set(d->err, ERROR_INPUT,
			"%s: offset 0: DHAT's file version %" PRId64 "; 1 and %d are read", d->name,
			d->version, NEWEST_VERSION);
	if (!d->has_points)
		return dhat_refuse(d, end, "\"pps\" is missing");
	if (!d->has_frames)
		return dhat_refuse(d, end, "\"ftbl\" is missing");
	/* What older ones do not say. */
	if (!d->told_lifetimes)
		d->has_lifetimes = !d->mode.size || text_equal(d->mode, TEXT_LITERAL("heap"));
	if (!d->told_accesses)
		d->has_accesses = d->has_lifetimes;
	return true;
}

/* --- a file
 * ------------------------------------------------------------------------------------------ */

static bool
read_top(struct dhat *d, bool points)
{
	enum json_type type;
	struct text key;
	bool more;
	bool end;

	if (!json_peek(d->json, &type, d->err))
		return false;
	if (type != JSON_OBJECT)
		return dhat_refuse(d, json_offset(d->json), "DHAT's result is an object");
	if (!json_enter(d->json, d->err))
		return false;
	for (;;) {
		bool ok;

		if (!json_next_key(d->json, &key, &more, d->err))
			return false;
		if (!more)
			break;
		if (!points)
			ok = read_head_member(d, key);
		else if (text_equal(key, TEXT_LITERAL("pps")))
			ok = dhat_read_points(d);
		else
			ok = json_skip(d->json, d->err);
		if (!ok)
			return false;
	}
	if (!json_at_end(d->json, &end, d->err))
		return false;
	return end || dhat_refuse(d, json_offset(d->json), "something follows DHAT's result");
}

static bool
pass(struct dhat *d, bool points)
{
	const struct json_options options = { .source = d->name,
		.max_depth = d->source->options.max_depth,
		.max_string_bytes = MAX_STRING_BYTES,
		.tolerate = 1 << JSON_BAD_UTF8 };
	struct bundle *b = d->source->bundle;
	int fd = bundle_open_member(b, d->set_member, d->err);
	bool ok;

	if (fd < 0)
		return false;
	d->json = json_reader_new_fd(fd, &options);
	ok = read_top(d, points) && (points || check_head(d));
	json_reader_free(d->json);
	d->json = NULL;
	close(fd);
	return ok;
}

static bool
tell_metadata(struct dhat *d)
{
	struct strbuf *b = &d->attributes;
	struct text application = heap_application(d->command);

	heap_member_int(b, "dhatFileVersion", d->version);
	heap_member_text(b, "mode", d->mode);
	heap_member_text(b, "verb", d->verb);
	heap_member_text(b, "command", d->command);
	heap_member_text(b, "bu", d->unit);
	heap_member_text(b, "bsu", d->units);
	heap_member_text(b, "bksu", d->blocks);
	heap_member_text(b, "tu", d->time_unit);
	heap_member_int(b, "tuth", d->short_lived);
	if (d->pid != MODEL_NULL)
		heap_member_int(b, "pid", d->pid);
	heap_members_end(b);
	if (b->failed)
		return error_set(d->err, ERROR_LIMIT, "%s: its head has more than %d bytes",
			d->name, MAX_ATTRIBUTES_BYTES);
	return (text_is_null(application) ||
		       d->sink->metadata(d->sink, d->set, "application", application, d->err)) &&
	       d->sink->metadata(d->sink, d->set, "caption",
		       d->command.size ? d->command : text_from(d->name), d->err) &&
	       d->sink->metadata(d->sink, d->set, "attributes", strbuf_text(b), d->err);
}

static bool
read_member(struct format_source *source, struct sink *sink, uint32_t set, size_t member,
	int64_t done, struct error *err)
{
	struct dhat d = { .source = source,
		.sink = sink,
		.err = err,
		.set = set,
		.set_member = member,
		.name = bundle_member(source->bundle, member)->name,
		.done = done,
		.arena = ARENA_INIT,
		.pid = MODEL_NULL,
		.short_lived = DEFAULT_SHORT_LIVED };
	bool ok;

	strbuf_init(&d.attributes, MAX_ATTRIBUTES_BYTES);
	strbuf_init(&d.accesses, MAX_ACCESSES_BYTES);
	strbuf_init(&d.scratch, MAX_ATTRIBUTES_BYTES);
	d.frames_told = frame_dictionary_new(sink, set);
	ok = pass(&d, false) && tell_metadata(&d) && dhat_tell_metrics(&d) && pass(&d, true);
	frame_dictionary_free(d.frames_told);
	strbuf_release(&d.attributes);
	strbuf_release(&d.accesses);
	strbuf_release(&d.scratch);
	free(d.frames);
	free(d.allocators);
	free(d.names);
	arena_release(&d.arena);
	return ok;
}

/* --- the format
 * -------------------------------------------------------------------------------------- */

/* The key stands in the first bytes of all that tools write. */
static bool
is_dhat(const char *head, size_t size)
{
	static const char key[] = "\"dhatFileVersion\"";

	for (size_t i = 0; i + sizeof(key) - 1 <= size; i++)
		if (memcmp(head + i, key, sizeof(key) - 1) == 0)
			return true;
	return false;
}

static const struct heap_reader reader = { "result of DHAT", is_dhat, read_member };

static int
probe(const struct format_source *source)
{
	if (source->shape && source->shape->top == JSON_TOP_OBJECT &&
		json_shape_has(source->shape, "dhatFileVersion"))
		return MAGIC_BITS;
	return heap_probe(&reader, source, MAGIC_BITS);
}

static enum format_result
read_input(struct format_source *source, struct sink *sink, struct error *err)
{
	return heap_read_members(&reader, source, sink, err);
}

const struct format format_dhat = {
	.name = "dhat",
	.title = "DHAT results (valgrind, Rust), JSON",
	.profiler = "DHAT",
	.known_by = "an object with \"dhatFileVersion\"",
	.json = true,
	.reads = true,
	.several = true,
	.probe = probe,
	.read = read_input,
};
