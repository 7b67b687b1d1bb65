/*
 * Reads MiniProfiler profiles from one or more files into one result set. A file contains one
 * profile, an array of profiles, one profile per line, Ruby's envelope, or a share page. Format:
 * https://miniprofiler.com, and the output of the .NET, Node, Go, Ruby and JVM producers.
 * miniprofiler_private.h describes how profiles are stored.
 */
#define _GNU_SOURCE /* memmem */
#include "miniprofiler_private.h"

#include "format/common/members.h"
#include "format/formats.h"
#include "input/json/json_shape.h"

#include <unistd.h>

#define PROFILE_MAX_BYTES ((size_t)1 << 30) /* limit for one profile's JSON tree */

enum {
	LOOK_BYTES = 64 * 1024,
	ASSIGNED_BYTES = 64,
	PAGE_HEAD_BYTES = 4096,
	PROBE_MEMBERS = 8
};

static const struct text page_marker = { "var profiler", 12 };
static const char noun[] = "MiniProfiler profile";

/* --- documents -------------------------------------------------------------------------------- */

struct document {
	struct mini_reader *m;
	struct json_reader *json;
	struct arena arena, item_arena; /* item_arena holds one profile of a list at a time */
};

static bool
emit_next(struct document *d, struct arena *a)
{
	struct json_node *n = json_tree_read(d->json, a, PROFILE_MAX_BYTES, d->m->in->err);

	if (!n || !mini_emit_profile(d->m, n, false))
		return false;
	reader_progress(d->m->in, json_offset(d->json));
	return true;
}

static bool
emit_items(struct document *d)
{
	struct error *err = d->m->in->err;

	if (!json_enter(d->json, err))
		return false;
	while (json_more_items(d->json, err)) {
		arena_reset(&d->item_arena);
		if (!emit_next(d, &d->item_arena))
			return false;
	}
	return !err->code;
}

/* Reads a profile, or an envelope with several profiles. The keys may be in any order. */
static bool
emit_document_object(struct document *d)
{
	struct json_node *object = json_tree_new(&d->arena, JSON_OBJECT, json_offset(d->json));
	struct error *err = d->m->in->err;
	bool envelope = false;
	struct text key;

	if (!json_enter(d->json, err))
		return false;
	while (json_more_keys(d->json, &key, err)) {
		enum json_type type;
		struct json_node *n;

		key = arena_text(&d->arena, key);
		if (!json_peek(d->json, &type, err))
			return false;
		if (type == JSON_ARRAY && text_equal(key, TEXT_LITERAL("snapshots"))) {
			envelope = true;
			if (!emit_items(d))
				return false;
			continue;
		}
		n = json_tree_read(d->json, &d->arena, PROFILE_MAX_BYTES, err);
		if (!n)
			return false;
		n->key = key;
		json_tree_attach(object, n);
	}
	return !err->code && (envelope || mini_emit_profile(d->m, object, false));
}

static bool
emit_documents(struct document *d, bool one)
{
	enum json_type type;

	do {
		arena_reset(&d->arena);
		if (!json_peek(d->json, &type, d->m->in->err))
			return false;
		if (type == JSON_END)
			return true;
		if (!(type == JSON_ARRAY          ? emit_items(d)
			    : type == JSON_OBJECT ? emit_document_object(d)
						  : emit_next(d, &d->arena)))
			return false;
		reader_progress(d->m->in, json_offset(d->json));
	} while (!one);
	return true;
}

/* Reads JSON. If `page` is not 0, reads only the profile at this offset of a share page. */
static bool
read_json(struct mini_reader *m, off_t page)
{
	const struct json_options options = { .source = m->in->name,
		.first_offset = (uint64_t)page,
		.max_depth = m->in->source->options.max_depth };
	struct document d = { .m = m,
		.json = json_reader_new_fd(m->in->fd, &options),
		.arena = ARENA_INIT,
		.item_arena = ARENA_INIT };
	bool ok = emit_documents(&d, page > 0);

	json_reader_free(d.json);
	arena_release(&d.arena);
	arena_release(&d.item_arena);
	if (!ok && !strstr(m->in->err->message, m->in->name))
		error_prefix(m->in->err, "%s", m->in->name);
	return ok;
}

/* --- share pages ------------------------------------------------------------------------------ */

/* If "= {" or, in a minified page, "={" is at offset `at`, returns the brace's offset; else -1. */
static off_t
find_assigned(int fd, off_t at)
{
	char buffer[ASSIGNED_BYTES];
	ssize_t n = pread(fd, buffer, sizeof(buffer), at);
	ssize_t i = 0;
	bool assigned = false;

	for (; i < n && (char_is_space(buffer[i]) || buffer[i] == '='); i++) {
		if (buffer[i] == '=' && assigned)
			return -1;
		assigned |= buffer[i] == '=';
	}
	return assigned && i < n && buffer[i] == '{' ? at + i : -1;
}

/* The offset of the profile in a share page; -1 if there is no profile, -2 on error. */
static off_t
find_profile(int fd)
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
			size_t after = (size_t)(marker - buffer) + page_marker.size;
			off_t profile = find_assigned(fd, at + (off_t)after);

			if (profile >= 0)
				return profile;
			at += (off_t)after;
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

/* The first character after a byte order mark and blanks; 0 if there is none. */
static char
first_char(const struct format_source *source, size_t member)
{
	struct text head = bundle_head(source->bundle, member);

	for (size_t i = 0; i < head.size; i++)
		if (!char_is_space(head.data[i]) && (i > 2 || head.data[i] != "\xef\xbb\xbf"[i]))
			return head.data[i];
	return 0;
}

/* --- files ------------------------------------------------------------------------------------ */

static bool
read_member(struct mini_reader *m)
{
	struct reader *in = m->in;
	char first = first_char(in->source, in->member);
	off_t at = 0;

	if (!reader_open(in))
		return false;
	if (first != '{' && first != '[' && first != '"') {
		at = find_profile(in->fd);
		if (at == -1) {
			if (!m->reason[0])
				snprintf(m->reason, sizeof(m->reason),
					"%s: neither JSON nor a share page", in->name);
			return member_left_out(in, noun);
		}
		if (at < 0 || lseek(in->fd, at, SEEK_SET) < 0)
			return error_set(in->err, ERROR_FILE, "%s: cannot read", in->name);
	}
	return read_json(m, at);
}

static bool
read_members(struct mini_reader *m, struct format_source *source)
{
	struct reader *set = m->in;
	int64_t before = 0;
	bool ok = true;

	for (size_t i = 0; ok && i < bundle_count(source->bundle); i++) {
		struct reader in;

		reader_init(&in, source, set->sink, i, set->err);
		in.set = set->set;
		in.before = before;
		m->in = &in;
		ok = read_member(m);
		reader_progress(&in, (uint64_t)in.size);
		before += in.size;
		reader_release(&in);
	}
	m->in = set;
	return ok;
}

static bool
read_set(struct mini_reader *m)
{
	if (!read_members(m, m->in->source))
		return false;
	if (m->profiles)
		return true;
	error_set(m->in->err, ERROR_INPUT, "%s", m->reason[0] ? m->reason : "no profile found");
	return error_hint(m->in->err,
		"looked for objects with Root and one of Id, Name, Started and "
		"DurationMilliseconds (or root, id ...): a single object, an array, one object per "
		"line, a list in \"snapshots\", or an object after \"var profiler =\" in a page");
}

static enum format_result
miniprofiler_read(struct format_source *source, struct sink *sink, struct error *err)
{
	return mini_read(source, sink, read_set, err);
}

/* --- the probe -------------------------------------------------------------------------------- */

/* The probe's bits for an object with these keys. A profile has Root and other known keys. A
 * results list has no Root; it is recognised nevertheless, so that the reader can explain why it
 * does not load the list. */
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

/* Returns the probe's bits if the first member is a share page. Returns 0 for other XML without
 * searching it, because it may be very long. */
static int
page_bits(const struct format_source *source)
{
	struct text head = text_up_to(bundle_head(source->bundle, 0), PAGE_HEAD_BYTES);
	struct error ignored = ERROR_INIT;
	int bits = 0;
	int fd;

	if (first_char(source, 0) != '<' || (text_find(head, "<?xml") != TEXT_NOT_FOUND &&
						    text_find(head, "<html") == TEXT_NOT_FOUND))
		return 0;
	fd = bundle_open_member(source->bundle, 0, &ignored);
	if (fd < 0)
		return 0;
	if (find_profile(fd) >= 0)
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

const struct format format_miniprofiler = {
	.name = MINI_FORMAT,
	.title = "MiniProfiler profiles: JSON of .NET, Node, Go, Ruby, JVM and others",
	.profiler = "MiniProfiler",
	.known_by = "objects with \"Root\" and \"Id\" (or \"root\" and \"id\"), a share page's "
		    "\"var profiler =\"",
	.json = true,
	.covers = { [COVERAGE_SPANS] = COVERAGE_FULL },
	.reads = true,
	.writes = true,
	.probe = miniprofiler_probe,
	.read = miniprofiler_read,
	.write = mini_write,
	.extension = "json",
};
