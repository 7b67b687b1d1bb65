#include "valgrind_parser.h"

#include <stdlib.h>

enum {
	MAX_DOCUMENTS = 10000, /* of a file: each is a result set */
};

struct vg_file {
	struct vg_parser *parser;
	struct format_source *source;
	struct sink *sink;
	const char *name;
	int fd;
	struct vg_origin origin; /* of the last whole document */
	struct arena arena;
	unsigned parts, documents;
	uint32_t last_set;
	uint64_t last_begin;
	bool has_set;
	bool has_whole;              /* some document says more than that it begins */
	uint64_t junk_from, junk_to; /* bytes between documents; equal: none */
};

static void
note_junk(struct vg_file *f, uint64_t from, uint64_t to)
{
	if (f->junk_from == f->junk_to)
		f->junk_from = from;
	f->junk_to = to;
}

static bool
tell_junk(struct vg_file *f, struct error *err)
{
	char message[96];
	struct issue issue = { .code = ISSUE_RECORD_BROKEN,
		.source = f->name,
		.offset = f->junk_from,
		.message = message };

	if (f->junk_from == f->junk_to || !f->has_set)
		return true;
	snprintf(message, sizeof(message), "%llu bytes outside of any document were left out",
		(unsigned long long)(f->junk_to - f->junk_from));
	issue.line = valgrind_input_line(&f->parser->in, f->junk_from);
	f->junk_from = f->junk_to;
	return f->sink->issue(f->sink, f->last_set, &issue, err);
}

static bool
tell_mended(struct vg_file *f, struct vg_document *d, struct error *err)
{
	struct vg_input *in = &f->parser->in;
	uint64_t n = in->mended;

	in->mended = 0;
	return !n || valgrind_issue(d, ISSUE_BAD_UTF8, valgrind_input_line(in, in->mended_at),
			     in->mended_at, err, "%llu %s no XML may hold; each became U+FFFD",
			     (unsigned long long)n, by_count(n, "byte that", "bytes that"));
}

/* The document before is told too: a user who looks there is to find the rest. */
static bool
tell_followed(struct vg_file *f, uint64_t begin, struct error *err)
{
	const struct issue issue = { .code = ISSUE_DOCUMENT_PART,
		.source = f->name,
		.line = valgrind_input_line(&f->parser->in, begin),
		.offset = begin,
		.message = "records follow behind the document's end, as a forked process writes "
			   "them: they are a result set of their own" };

	return f->sink->issue(f->sink, f->origin.set, &issue, err);
}

/* A part has the set of its own only with records in it. */
static bool
finish_document(struct vg_file *f, struct vg_document *d, uint64_t begin, struct error *err)
{
	struct vg_origin *o = &f->origin;

	if (d->part && !d->about.has_set)
		return true;
	if (!valgrind_document_set(d, err) || !tell_mended(f, d, err) ||
		!valgrind_document_end(d, err))
		return false;
	if (d->part &&
		!valgrind_issue(d, ISSUE_DOCUMENT_PART, valgrind_input_line(&f->parser->in, begin),
			begin, err,
			"records behind the end of a document, as a forked process writes them: "
			"a result set of their own"))
		return false;
	f->has_set = true;
	f->has_whole |= !d->damaged || !d->wanted || d->objects || d->errors ||
			!text_is_empty(d->about.pid);
	f->last_set = d->about.set;
	if (d->part)
		return !o->has_set || tell_followed(f, begin, err);
	arena_reset(&f->arena);
	*o = (struct vg_origin){ .application = arena_text(&f->arena, d->about.application),
		.tool = arena_text(&f->arena, d->about.tool),
		.pid = arena_text(&f->arena, d->about.pid),
		.set = d->about.set,
		.has_set = true };
	return true;
}

static bool
read_document(struct vg_file *f, uint64_t begin, bool part, uint64_t *next, struct error *err)
{
	struct vg_document d;
	bool ok;

	if (f->documents++ == MAX_DOCUMENTS)
		return error_set(err, ERROR_LIMIT, "%s: more than %d documents, at byte %llu",
			f->name, (int)MAX_DOCUMENTS, (unsigned long long)begin);
	f->last_begin = begin;
	valgrind_document_init(&d, f->source, f->sink, f->name, f->fd);
	if (!part)
		f->parts = 0;
	d.part = part ? ++f->parts : 0;
	if (part) {
		d.about.application = f->origin.application;
		d.about.tool = f->origin.tool;
		d.about.pid = f->origin.pid;
	}
	f->parser->document = &d;
	f->parser->builder.document = &d;
	ok = valgrind_parse_document(f->parser, begin, part, next);
	/* Without its document element it is nothing. */
	if (ok && !part && !d.rooted)
		note_junk(f, begin, *next);
	else
		ok = ok && finish_document(f, &d, begin, err);
	valgrind_document_release(&d);
	return ok && tell_junk(f, err);
}

static bool
read_file(struct vg_file *f, struct error *err)
{
	struct vg_input *in = &f->parser->in;
	uint64_t at = 0;

	for (;;) {
		enum vg_mark mark;
		uint64_t begin;

		if (!valgrind_input_find(in, at, &mark, &begin, err))
			return false;
		if (!valgrind_input_blank(in, at, begin))
			note_junk(f, at, begin);
		if (mark == VG_MARK_NONE)
			return tell_junk(f, err);
		at = begin + 1;
		if (mark != VG_MARK_END &&
			!read_document(f, begin, mark == VG_MARK_RECORD, &at, err))
			return false;
	}
}

bool
valgrind_parse(int fd, struct format_source *source, struct sink *sink, const char *file,
	struct error *err)
{
	struct vg_parser *p = xcalloc(1, sizeof(*p));
	struct vg_file f = { .parser = p,
		.source = source,
		.sink = sink,
		.name = file,
		.fd = fd,
		.arena = ARENA_INIT };
	bool ok;

	p->err = err;
	p->seed = process_seed();
	p->source = source;
	p->consumed_before = source->consumed;
	p->expat = XML_ParserCreate(NULL);
	valgrind_input_init(&p->in, fd, file);
	valgrind_builder_init(&p->builder);
	p->builder.err = err;
	ok = p->expat ? read_file(&f, err) : error_set(err, ERROR_INTERNAL, "expat does not start");
	if (ok && !f.has_set)
		ok = error_set(err, ERROR_INPUT, "%s: no document of valgrind", file);
	else if (ok && !f.has_whole)
		ok = error_set(err, ERROR_INPUT,
			"%s: offset %llu: a document of valgrind begins, but nothing in it is "
			"whole, not even the process's number",
			file, (unsigned long long)f.last_begin);
	if (p->expat)
		XML_ParserFree(p->expat);
	valgrind_builder_release(&p->builder);
	valgrind_input_release(&p->in);
	arena_release(&f.arena);
	free(p);
	return ok;
}
