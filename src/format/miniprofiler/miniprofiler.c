#define _GNU_SOURCE /* memmem */
/*
 * MiniProfiler's results: profiles one by one, in arrays, lines, Ruby's
 * envelope or a share page, in one file or many, as one result set.
 */
#include "miniprofiler_private.h"

#include "format/formats.h"
#include "input/bundle/bundle.h"
#include "input/json/json_shape.h"

#include <stdlib.h>
#include <unistd.h>

#define PROFILE_MAX_BYTES ((size_t)1 << 30) /* of one, as a tree in memory */

enum {
	ATTRIBUTES_MAX_BYTES = 512 * 1024 * 1024,
	KEY_MAX_BYTES = 64 * 1024,
	LOOK_BYTES = 64 * 1024,
	ASSIGNED_BYTES = 64,
	PROBE_MEMBERS = 8
};

static const struct text page_marker = { "var profiler", 12 };

void
mini_reader_init(struct mini_reader *m, struct format_source *source, struct sink *sink)
{
	*m = (struct mini_reader){ .source = source,
		.sink = sink,
		.member = source->path,
		.next_span = 1,
		.next_track = 1,
		.scratch = ARENA_INIT };
	pair_map_init(&m->routines);
	pair_map_init(&m->lines);
	pair_map_init(&m->ids);
	strbuf_init(&m->attributes, ATTRIBUTES_MAX_BYTES);
	strbuf_init(&m->raw, ATTRIBUTES_MAX_BYTES);
	strbuf_init(&m->absent, ATTRIBUTES_MAX_BYTES);
	strbuf_init(&m->key, KEY_MAX_BYTES);
}

void
mini_reader_release(struct mini_reader *m)
{
	pair_map_release(&m->routines);
	pair_map_release(&m->lines);
	pair_map_release(&m->ids);
	strbuf_release(&m->attributes);
	strbuf_release(&m->raw);
	strbuf_release(&m->absent);
	strbuf_release(&m->key);
	arena_release(&m->scratch);
}

bool
mini_reader_begin(struct mini_reader *m, bool *wanted, struct error *err)
{
	const struct set_row set = { .source_inst_id = MODEL_NULL };
	const struct metric_row metric = { METRIC_OF_SPANS, TEXT_LITERAL("milliseconds"),
		TEXT_LITERAL("milliseconds"), TEXT_LITERAL("Duration") };

	if (!m->sink->set(m->sink, &set, &m->set, wanted, err))
		return false;
	return !*wanted || m->sink->metric(m->sink, m->set, &metric, &m->metric, err);
}

bool
mini_issue(struct mini_reader *m, enum issue_code code, uint64_t offset, const char *message,
	struct text raw, struct error *err)
{
	const struct issue issue = {
		.code = code, .source = m->member, .offset = offset, .message = message, .raw = raw
	};

	return m->sink->issue(m->sink, m->set, &issue, err);
}

static void
tick(struct mini_reader *m)
{
	if (m->source->tick)
		m->source->tick(m->source->tick_self);
}

struct document {
	struct mini_reader *m;
	struct json_reader *json;
	struct arena arena, item_arena; /* of the document, and of a profile in a list */
	int64_t base;                   /* consumed before this file */
	struct error *err;
};

static bool
tell_next(struct document *d, struct arena *a)
{
	struct json_node *n = json_tree_read(d->json, a, PROFILE_MAX_BYTES, d->err);

	if (!n || !mini_profile_tell(d->m, n, false, d->err))
		return false;
	d->m->source->consumed = d->base + (int64_t)json_offset(d->json);
	tick(d->m);
	return true;
}

static bool
tell_items(struct document *d)
{
	bool more;

	if (!json_enter(d->json, d->err))
		return false;
	for (;;) {
		arena_reset(&d->item_arena);
		if (!json_next_item(d->json, &more, d->err))
			return false;
		if (!more)
			return true;
		if (!tell_next(d, &d->item_arena))
			return false;
	}
}

/* A profile, or an envelope around some; keys come in any order. */
static bool
tell_object(struct document *d)
{
	struct json_node *object = json_tree_new(&d->arena, JSON_OBJECT, json_offset(d->json));
	bool envelope = false;
	bool more = true;

	if (!json_enter(d->json, d->err))
		return false;
	for (;;) {
		struct text key;
		enum json_type type;
		struct json_node *n;

		if (!json_next_key(d->json, &key, &more, d->err))
			return false;
		if (!more)
			break;
		key = arena_text(&d->arena, key);
		if (!json_peek(d->json, &type, d->err))
			return false;
		if (type == JSON_ARRAY && text_equal(key, TEXT_LITERAL("snapshots"))) {
			envelope = true;
			if (!tell_items(d))
				return false;
			continue;
		}
		n = json_tree_read(d->json, &d->arena, PROFILE_MAX_BYTES, d->err);
		if (!n)
			return false;
		n->key = key;
		json_tree_attach(object, n);
	}
	return envelope || mini_profile_tell(d->m, object, false, d->err);
}

static bool
tell_documents(struct document *d, bool one)
{
	enum json_type type;

	do {
		bool ok;

		arena_reset(&d->arena);
		if (!json_peek(d->json, &type, d->err))
			return false;
		if (type == JSON_END)
			return true;
		if (type == JSON_ARRAY)
			ok = tell_items(d);
		else if (type == JSON_OBJECT)
			ok = tell_object(d);
		else
			ok = tell_next(d, &d->arena);
		if (!ok)
			return false;
		d->m->source->consumed = d->base + (int64_t)json_offset(d->json);
		tick(d->m);
	} while (!one);
	return true;
}

/* page: offset of the profile in a share page, whose rest is no JSON; 0: the file is JSON. */
static bool
read_json(struct mini_reader *m, int fd, off_t page, struct error *err)
{
	const struct json_options options = { .source = m->member,
		.first_offset = (uint64_t)page,
		.max_depth = m->source->options.max_depth };
	struct document d = { .m = m,
		.json = json_reader_new_fd(fd, &options),
		.arena = ARENA_INIT,
		.item_arena = ARENA_INIT,
		.base = m->source->consumed,
		.err = err };
	bool ok = tell_documents(&d, page > 0);

	json_reader_free(d.json);
	arena_release(&d.arena);
	arena_release(&d.item_arena);
	if (!ok && !strstr(err->message, m->member))
		error_prefix(err, "%s", m->member);
	return ok;
}

/* Where "= {" behind the marker, which pages that were made smaller write without blanks, has its
 * brace; -1: it is not there. */
static off_t
find_assigned(int fd, off_t at)
{
	char buffer[ASSIGNED_BYTES];
	ssize_t n = pread(fd, buffer, sizeof(buffer), at);
	ssize_t i = 0;
	bool assigned = false;

	for (; i < n && strchr(" \t\r\n=", buffer[i]) && buffer[i]; i++) {
		if (buffer[i] == '=' && assigned)
			return -1;
		assigned |= buffer[i] == '=';
	}
	return assigned && i < n && buffer[i] == '{' ? at + i : -1;
}

/* Offset of the profile in a share page; -1 when there is none, -2 on error. */
static off_t
find_page_marker(int fd)
{
	char buffer[LOOK_BYTES];
	size_t kept = 0;
	off_t at = 0;

	for (;;) {
		ssize_t n = pread(fd, buffer + kept, sizeof(buffer) - kept, at + (off_t)kept);
		const char *marker;
		struct text seen;

		if (n < 0)
			return -2;
		seen = (struct text){ buffer, kept + (size_t)n };
		marker = memmem(buffer, seen.size, page_marker.data, page_marker.size);
		if (marker) {
			size_t behind = (size_t)(marker - buffer) + page_marker.size;
			off_t profile = find_assigned(fd, at + (off_t)behind);

			if (profile >= 0)
				return profile;
			at += (off_t)behind;
			kept = 0;
			continue;
		}
		if (n == 0)
			return -1;
		kept = seen.size < page_marker.size ? seen.size : page_marker.size - 1;
		memmove(buffer, buffer + seen.size - kept, kept);
		at += (off_t)(seen.size - kept);
	}
}

/* The first byte that is no blank, behind a byte order mark; 0 for none. */
static char
first_byte(int fd)
{
	char buffer[4096];
	off_t at = 0;

	for (;;) {
		ssize_t n = pread(fd, buffer, sizeof(buffer), at);

		if (n <= 0)
			return 0;
		for (ssize_t i = 0; i < n; i++)
			if (!strchr(" \t\r\n\xef\xbb\xbf", buffer[i]) || !buffer[i])
				return buffer[i];
		at += n;
	}
}

static bool
no_profile(struct mini_reader *m, const char *why, struct error *err)
{
	if (!m->reason[0])
		snprintf(m->reason, sizeof(m->reason), "%s: %s", m->member, why);
	return mini_issue(m, ISSUE_NO_PROFILE, 0, why, TEXT_NULL, err);
}

static bool
read_file(struct mini_reader *m, int fd, struct error *err)
{
	char first = first_byte(fd);
	off_t at;

	if (first == '{' || first == '[' || first == '"')
		return read_json(m, fd, 0, err);
	at = find_page_marker(fd);
	if (at == -2)
		return error_set(err, ERROR_FILE, "%s: it cannot be read", m->member);
	if (at == -1)
		return no_profile(m, "neither JSON nor a share page", err);
	if (lseek(fd, at, SEEK_SET) < 0)
		return error_set(err, ERROR_FILE, "%s: it cannot be read", m->member);
	return read_json(m, fd, at, err);
}

static bool
read_members(struct mini_reader *m, struct error *err)
{
	struct bundle *b = m->source->bundle;
	bool ok = true;

	for (size_t i = 0; ok && i < bundle_count(b); i++) {
		int64_t before = m->source->consumed;
		int fd = bundle_open_member(b, i, err);

		if (fd < 0)
			return false;
		m->member = bundle_member(b, i)->name;
		ok = read_file(m, fd, err);
		close(fd);
		m->source->consumed = before + bundle_member(b, i)->size;
		tick(m);
	}
	return ok;
}

static enum format_result
miniprofiler_read(struct format_source *source, struct sink *sink, struct error *err)
{
	struct mini_reader m;
	bool wanted = true;
	bool ok;

	mini_reader_init(&m, source, sink);
	ok = mini_reader_begin(&m, &wanted, err);
	if (ok && wanted) {
		ok = read_members(&m, err);
		if (ok && !m.profiles) {
			ok = error_set(err, ERROR_INPUT, "%s",
				m.reason[0] ? m.reason : "there is no profile in it");
			error_hint(err,
				"looked for objects with Root and Id, Name, Started or "
				"DurationMilliseconds (or root, id ...), alone, in an array, in "
				"lines, in \"snapshots\", or behind \"var profiler =\" in a page");
		}
	}
	ok = ok && sink->end(sink, err);
	mini_reader_release(&m);
	return ok ? FORMAT_DONE : FORMAT_FAILED;
}

/* Bits for a profile's keys: a root and what else there is. A results list has
 * no root: it is known as well, so that the reader can say what it is. */
static int
keys_bits(const struct text *keys, size_t count)
{
	int others = 0;
	bool root = false;

	for (size_t i = 0; i < count; i++) {
		enum mini_field f = mini_field_find(MINI_PROFILE, keys[i]);

		if (f == MINI_F_ROOT)
			root = true;
		else if (f != MINI_FIELDS)
			others++;
	}
	if (root && others)
		return 16 + 4 * others;
	return others >= 4 ? 4 : 0;
}

static int
shape_bits(const struct json_shape *s)
{
	int outer, inner;

	if (!s || s->top == JSON_TOP_NONE)
		return 0;
	outer = keys_bits(s->keys, s->key_count);
	inner = json_shape_has(s, "snapshots") ? keys_bits(s->inner, s->inner_count) : 0;
	return outer > inner ? outer : inner;
}

/* May it be a page? Other XML, which may be long, says at once that it is none. */
static bool
begins_page(int fd)
{
	char head[4096];
	ssize_t n = pread(fd, head, sizeof(head), 0);
	const char *xml = n > 0 ? memmem(head, (size_t)n, "<?xml", 5) : NULL;

	return first_byte(fd) == '<' && (!xml || memmem(head, (size_t)n, "<html", 5));
}

static int
page_bits(const struct format_source *source)
{
	struct error ignored = ERROR_INIT;
	int fd = bundle_open_member(source->bundle, 0, &ignored);
	int bits = 0;

	if (fd < 0)
		return 0;
	if (begins_page(fd) && find_page_marker(fd) >= 0)
		bits = 24;
	close(fd);
	return bits;
}

static int
miniprofiler_probe(const struct format_source *source)
{
	size_t members;
	int bits;

	if (!source->bundle)
		return 0;
	bits = shape_bits(source->shape);
	members = bundle_count(source->bundle);
	for (size_t i = 0; !bits && members > 1 && i < members && i < PROBE_MEMBERS; i++)
		bits = shape_bits(json_shape_of(source->bundle, i));
	return bits ? bits : page_bits(source);
}

bool
mini_is_format(const char *name)
{
	return strcmp(name, format_miniprofiler.name) == 0 ||
	       strcmp(name, format_miniprofiler_storage.name) == 0;
}

const struct format format_miniprofiler = {
	.name = "miniprofiler",
	.title = "MiniProfiler profiles: JSON of .NET, Node, Go, Ruby, JVM and others",
	.profiler = "MiniProfiler",
	.known_by = "objects with \"Root\" and \"Id\" (or \"root\" and \"id\"), a share page's "
		    "\"var profiler =\"",
	.json = true,
	.reads = true,
	.writes = true,
	.probe = miniprofiler_probe,
	.read = miniprofiler_read,
	.write = mini_write,
	.extension = "json",
};
