/* Probes and reads the members of an input. */
#include "members.h"

#include <stdlib.h>

struct chosen {
	uint32_t set;
	bool ours, wanted;
};

int
members_probe(const struct format_source *source, const struct member_kind *kind)
{
	int bits = 0;

	for (size_t i = 0; source->bundle && !bits && i < bundle_count(source->bundle); i++)
		bits = kind->look(source, i);
	return bits;
}

int
members_probe_json(const struct format_source *source, const struct member_kind *kind)
{
	return source->bundle && source->shape ? kind->look(source, source->shape_member) : 0;
}

struct line_reader *
member_head_lines(const struct format_source *source, size_t member)
{
	const struct line_options options = { .source =
						      bundle_member(source->bundle, member)->name };
	struct text head = bundle_head(source->bundle, member);
	size_t end = head.size;

	while (head.size == BUNDLE_HEAD_BYTES && end && head.data[end - 1] != '\n')
		end--;
	return line_reader_new_memory(head.data, end ? end : head.size, 0, &options);
}

bool
member_left_out(struct reader *r, const char *noun)
{
	const struct issue issue = { .code = ISSUE_NO_PROFILE };

	return reader_issue_like(r, &issue, "file left out: no %s", noun);
}

/* Begins all sets before the first row, so that an issue about the input belongs to each set. */
static bool
begin_sets(struct format_source *source, struct sink *sink, const struct member_kind *kind,
	struct chosen *chosen, struct error *err)
{
	const size_t count = bundle_count(source->bundle);
	size_t ours = 0;

	for (size_t i = 0; i < count; i++) {
		struct chosen *c = &chosen[i];
		struct set_row row = { .source_inst_id = MODEL_NULL };

		*c = (struct chosen){ .set = ISSUE_EVERY_SET, .wanted = true };
		/* A single file needs no check: the user or the probe chose its format. */
		c->ours = (count == 1 && !kind->look_always) || kind->look(source, i) > 0;
		if (!bundle_is_file(source->bundle))
			row.file = text_from(bundle_member(source->bundle, i)->name);
		if (c->ours && !kind->own_sets && !sink->set(sink, &row, &c->set, &c->wanted, err))
			return false;
		ours += c->ours;
	}
	if (ours)
		return true;
	error_set(err, ERROR_INPUT, "%s: no %s in it", source->path, kind->noun);
	return kind->hint ? error_hint(err, "%s", kind->hint) : false;
}

static enum format_result
read_member(struct reader *r, const struct member_kind *kind)
{
	bool ok = true;

	if (kind->captioned && r->wanted)
		ok = emit_metadata(r, "caption", text_from(r->name));
	if (ok && (r->wanted || kind->further))
		ok = kind->read(r);
	reader_progress(r, (uint64_t)r->size);
	if (r->again)
		return FORMAT_AGAIN;
	return ok ? FORMAT_DONE : FORMAT_FAILED;
}

static bool
is_companion(const struct reader *r, const struct member_kind *kind)
{
	return kind->companion && text_ends_nocase(text_from(r->name), kind->companion);
}

/* If `ours` is true, reads the members that have the format. If `ours` is false, reports the members
 * that do not have it. */
static enum format_result
visit(struct format_source *source, struct sink *sink, const struct member_kind *kind,
	const struct chosen *chosen, bool ours, struct error *err)
{
	enum format_result result = FORMAT_DONE;
	int64_t before = 0;

	for (size_t i = 0; result == FORMAT_DONE && i < bundle_count(source->bundle); i++) {
		struct reader r;

		reader_init(&r, source, sink, i, err);
		r.before = before;
		r.set = chosen[i].set;
		r.wanted = chosen[i].wanted;
		if (chosen[i].ours && ours)
			result = read_member(&r, kind);
		else if (!chosen[i].ours && !ours && !is_companion(&r, kind) &&
			 !member_left_out(&r, kind->noun))
			result = FORMAT_FAILED;
		before += r.size;
		reader_release(&r);
	}
	return result;
}

enum format_result
members_read(struct format_source *source, struct sink *sink, const struct member_kind *kind,
	struct error *err)
{
	struct chosen *chosen = xcalloc(bundle_count(source->bundle), sizeof(*chosen));
	enum format_result result = FORMAT_FAILED;

	/* An issue needs a set. If the reader itself begins the sets, it must therefore run before the other
	 * members are reported. */
	if (begin_sets(source, sink, kind, chosen, err))
		result = visit(source, sink, kind, chosen, kind->own_sets, err);
	if (result == FORMAT_DONE)
		result = visit(source, sink, kind, chosen, !kind->own_sets, err);
	free(chosen);
	if (result == FORMAT_DONE && !sink->end(sink, err))
		result = FORMAT_FAILED;
	return result;
}

int
format_probe(const struct format *f, const struct format_source *source)
{
	if (f->probe)
		return f->probe(source);
	return f->json ? members_probe_json(source, f->members) : members_probe(source, f->members);
}

enum format_result
format_read_alone(
	const struct format *f, struct format_source *source, struct sink *sink, struct error *err)
{
	return f->read ? f->read(source, sink, err) : members_read(source, sink, f->members, err);
}
