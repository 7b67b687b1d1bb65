/*
 * Reads valgrind's XML and, with valgrind_log.c, its text. Each document describes one process, and
 * becomes a result set. A forked process writes its records after the end of the document. These
 * records are called a part, and become a result set as well.
 */
#include "format/formats.h"
#include "valgrind_log.h"
#include "valgrind_parser.h"

#include "base/array.h"

#include <stdlib.h>

enum {
	PROBE_BYTES = 16 * 1024,
	PROBE_BITS = 8 * 15,   /* bits in "<valgrindoutput" */
	MAX_DOCUMENTS = 10000, /* per file; each document becomes a result set */
};

struct vg_file {
	struct vg_parser *parser;
	struct reader *in;
	struct vg_origin origin; /* from the last document that is not a part */
	struct arena arena;
	unsigned parts, documents;
	uint64_t last_begin;
	uint32_t *open; /* the result sets of the last document and its parts */
	size_t open_count, open_room;
	bool has_set;
	bool has_whole;              /* at least one document has more than its start tag */
	uint64_t junk_from, junk_to; /* range of bytes between documents; may be empty */
};

static void
note_junk(struct vg_file *f, uint64_t from, uint64_t to)
{
	if (f->junk_from == f->junk_to)
		f->junk_from = from;
	f->junk_to = to;
}

static bool
report_junk(struct vg_file *f)
{
	const struct issue issue = { .code = ISSUE_RECORD_BROKEN,
		.line = valgrind_input_line(&f->parser->in, f->junk_from),
		.offset = f->junk_from };
	uint64_t size = f->junk_to - f->junk_from;

	if (!size || !f->has_set)
		return true;
	f->junk_from = f->junk_to;
	return reader_issue_like(f->in, &issue, "%llu bytes outside of all documents were left out",
		(unsigned long long)size);
}

static bool
report_replaced(struct vg_file *f, struct vg_document *d)
{
	struct vg_input *in = &f->parser->in;
	uint64_t n = in->repaired;

	in->repaired = 0;
	return !n || valgrind_issue(d, ISSUE_BAD_UTF8, valgrind_input_line(in, in->repaired_at),
			     in->repaired_at, "%llu %s invalid in XML; each became U+FFFD",
			     (unsigned long long)n, by_count(n, "byte is", "bytes are"));
}

/* Adds an issue to a document that is followed by more records. The issue says that these records are a
 * separate result set. */
static bool
report_followed(struct vg_file *f, uint64_t begin)
{
	const struct issue issue = { .code = ISSUE_DOCUMENT_PART,
		.line = valgrind_input_line(&f->parser->in, begin),
		.offset = begin };
	uint32_t set = f->in->set;
	bool ok;

	f->in->set = f->origin.set;
	ok = reader_issue_like(f->in, &issue,
		"records after the end of this document, such as those of a forked process, are a "
		"separate result set");
	f->in->set = set;
	return ok;
}

/* Ends the document or part, and its result set. A part becomes a result set only if it has records. */
static bool
finish_document(struct vg_file *f, struct vg_document *d, uint64_t begin)
{
	struct vg_origin *o = &f->origin;

	if (d->part && !d->about.has_set)
		return true;
	if (!valgrind_document_set(d) || !report_replaced(f, d) || !valgrind_document_end(d))
		return false;
	if (d->part &&
		!valgrind_issue(d, ISSUE_DOCUMENT_PART, valgrind_input_line(&f->parser->in, begin),
			begin,
			"these records follow the end of a document, so they are a separate result "
			"set; a forked process writes such records"))
		return false;
	*ARRAY_ADD(f->open, f->open_count, f->open_room) = d->about.set;
	f->has_set = true;
	f->has_whole |= !d->damaged || !d->wanted || d->objects || d->errors ||
			!text_is_empty(d->about.pid);
	if (d->part)
		return !o->has_set || report_followed(f, begin);
	arena_reset(&f->arena);
	*o = (struct vg_origin){ .application = arena_text(&f->arena, d->about.application),
		.tool = arena_text(&f->arena, d->about.tool),
		.pid = arena_text(&f->arena, d->about.pid),
		.set = d->about.set,
		.has_set = true };
	return true;
}

/* Completes the result sets of the previous document and its parts. A part of it would still add an issue. */
static bool
complete_sets(struct vg_file *f)
{
	struct sink *sink = f->in->sink;
	bool ok = true;

	for (size_t i = 0; ok && sink->complete && i < f->open_count; i++)
		ok = sink->complete(sink, f->open[i], f->in->err);
	f->open_count = 0;
	return ok;
}

static bool
read_document(struct vg_file *f, uint64_t begin, bool part, uint64_t *next)
{
	struct vg_document d;
	bool ok;

	if (f->documents++ == MAX_DOCUMENTS)
		return error_set(f->in->err, ERROR_LIMIT,
			"%s: more than %d documents, at byte %llu", f->in->name, (int)MAX_DOCUMENTS,
			(unsigned long long)begin);
	f->last_begin = begin;
	valgrind_document_init(&d, f->in);
	if (!part)
		f->parts = 0;
	d.part = part ? ++f->parts : 0;
	if (part) {
		d.about = f->origin;
		d.about.has_set = false;
	}
	f->parser->seen.document = f->documents;
	if (!part && !complete_sets(f))
		return false;
	f->parser->document = &d;
	f->parser->builder.document = &d;
	ok = valgrind_parse_document(f->parser, begin, part, next);
	/* If there is no document element, the bytes do not form a document. */
	if (ok && !part && !d.rooted)
		note_junk(f, begin, *next);
	else
		ok = ok && finish_document(f, &d, begin);
	valgrind_document_release(&d);
	return ok && report_junk(f);
}

static bool
read_file(struct vg_file *f)
{
	struct vg_input *in = &f->parser->in;
	uint64_t at = 0;

	for (;;) {
		enum vg_mark mark;
		uint64_t begin;

		if (!valgrind_input_find(in, at, &mark, &begin))
			return false;
		if (!valgrind_input_blank(in, at, begin))
			note_junk(f, at, begin);
		if (mark == VG_MARK_NONE)
			return report_junk(f);
		at = begin + 1;
		if (mark != VG_MARK_END && !read_document(f, begin, mark == VG_MARK_RECORD, &at))
			return false;
	}
}

static bool
is_xml(const struct format_source *source, size_t member)
{
	struct text head = text_up_to(bundle_head(source->bundle, member), PROBE_BYTES);

	return text_find(head, "<valgrindoutput") != TEXT_NOT_FOUND;
}

static bool
read_xml(struct reader *r)
{
	struct vg_parser *p = xcalloc(1, sizeof(*p));
	struct vg_file f = { .parser = p, .in = r, .arena = ARENA_INIT };
	bool ok;

	p->reader = r;
	p->expat = XML_ParserCreate(NULL);
	valgrind_input_init(&p->in, r);
	strbuf_init(&p->builder.record.text, VG_MAX_RECORD_BYTES);
	ok = p->expat ? reader_open(r) && read_file(&f)
		      : error_set(r->err, ERROR_INTERNAL, "expat does not start");
	if (ok && !f.has_set)
		ok = reader_refuse(r, "no valgrind document in it");
	else if (ok && !f.has_whole)
		ok = reader_refuse_at(r, f.last_begin,
			"a valgrind document begins, but nothing in it is complete, not even the "
			"process ID");
	if (p->expat)
		XML_ParserFree(p->expat);
	valgrind_builder_release(&p->builder);
	valgrind_seen_release(&p->seen);
	free(p->in.data);
	free(f.open);
	arena_release(&f.arena);
	free(p);
	return ok;
}

static bool
read_member(struct reader *r)
{
	/* A file that looks like neither XML nor valgrind's text may be XML whose beginning is missing. */
	return !is_xml(r->source, r->member) && valgrind_log_search(r->source, r->member)
		       ? valgrind_log_read(r)
		       : read_xml(r);
}

static int
look(const struct format_source *source, size_t member)
{
	return is_xml(source, member) ? PROBE_BITS : valgrind_log_look(source, member);
}

static const struct member_kind kind = {
	.noun = "report of valgrind", .look = look, .read = read_member, .own_sets = true
};

const struct format format_valgrind = {
	.name = "valgrind",
	.title = "valgrind's XML, protocols 4 to 6, and its text (memcheck, helgrind, drd)",
	.profiler = "valgrind",
	.known_by =
		"XML whose document element is valgrindoutput; lines such as \"==1== Memcheck, a "
		"memory error detector\"",
	.covers = { [COVERAGE_LEAKS] = COVERAGE_UNKNOWN,
		[COVERAGE_ERRORS] = COVERAGE_UNKNOWN,
		[COVERAGE_RACES] = COVERAGE_UNKNOWN },
	.reads = true,
	.several = true,
	.members = &kind,
	.lines = &valgrind_log_lines,
};
