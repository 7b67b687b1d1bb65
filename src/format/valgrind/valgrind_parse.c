/* Reads one document with expat; after damage, continues at the next record. */
#include "valgrind_parser.h"

#include <stdarg.h>
#include <stdlib.h>

enum {
	MAX_RETRIES = 16,
	SECTION_BYTES = 2048, /* of a CDATA section that are searched for a record */
};

static const char root_begin_tag[] = "<valgrindoutput>";

/* --- expat callbacks --------------------------------------------------------------------- */

static uint64_t
token_offset(struct vg_parser *p)
{
	return p->piece_offset + (valgrind_token_index(p) - p->piece_fed);
}

/* Where expat stopped. */
static uint64_t
place(struct vg_parser *p)
{
	return p->stopped ? p->stopped_at : token_offset(p);
}

static void
stop(struct vg_parser *p)
{
	p->stopped = true;
	p->stopped_at = token_offset(p);
	p->stopped_after = p->stopped_at + (uint64_t)XML_GetCurrentByteCount(p->expat);
	XML_StopParser(p->expat, XML_FALSE);
}

static bool
is_stopped(const struct vg_parser *p)
{
	return p->builder.failed || p->builder.broken || p->builder.root_ended || p->doctype;
}

static void
note_event_end(struct vg_parser *p)
{
	p->event_end = (uint64_t)XML_GetCurrentByteIndex(p->expat) +
		       (uint64_t)XML_GetCurrentByteCount(p->expat);
}

static void
on_start(void *self, const XML_Char *name, const XML_Char **attributes)
{
	struct vg_parser *p = self;

	(void)attributes;
	if (is_stopped(p))
		return;
	valgrind_builder_start(&p->builder, valgrind_element(name), name, token_offset(p));
	note_event_end(p);
	if (is_stopped(p))
		stop(p);
}

static void
on_end(void *self, const XML_Char *name)
{
	struct vg_parser *p = self;

	(void)name;
	if (is_stopped(p))
		return;
	valgrind_builder_end(&p->builder, token_offset(p));
	note_event_end(p);
	if (is_stopped(p))
		stop(p);
}

/* An unclosed CDATA section would contain the records that another process writes after it. */
static bool
is_cut_section(struct vg_parser *p, const char *data, size_t size)
{
	const char *end = data + (size < SECTION_BYTES ? size : SECTION_BYTES);

	for (const char *s = data; (s = memchr(s, '<', (size_t)(end - s))); s++) {
		if (valgrind_mark(s, (size_t)(end - s)) == VG_MARK_NONE)
			continue;
		p->builder.broken = "another one begins inside it";
		p->builder.misplaced = true;
		stop(p);
		p->stopped_at += (uint64_t)(s - data);
		return true;
	}
	return false;
}

static void
on_section(void *self)
{
	struct vg_parser *p = self;

	p->in_section = true;
}

static void
on_section_end(void *self)
{
	struct vg_parser *p = self;

	p->in_section = false;
}

static void
on_text(void *self, const XML_Char *data, int size)
{
	struct vg_parser *p = self;

	if (is_stopped(p) || (p->in_section && is_cut_section(p, data, (size_t)size)))
		return;
	valgrind_builder_text(&p->builder, data, (size_t)size);
	if (is_stopped(p))
		stop(p);
}

/* Only a document type can declare entities. Without one, nothing can be expanded. */
static void
on_doctype(void *self, const XML_Char *name, const XML_Char *system, const XML_Char *public,
	int internal)
{
	struct vg_parser *p = self;

	(void)name;
	(void)system;
	(void)public;
	(void)internal;
	p->doctype = true;
	stop(p);
}

/* --- segments ---------------------------------------------------------------------------- */

/* Resets the parser to an offset. `inside` means that the document element is already open there. */
static bool
begin_segment(struct vg_parser *p, uint64_t offset, bool inside)
{
	size_t size = inside ? sizeof(root_begin_tag) - 1 : 0;

	if (!XML_ParserReset(p->expat, NULL))
		return error_set(p->reader->err, ERROR_INTERNAL, "expat does not start");
	p->fed = p->token = 0;
	p->event_end = 0;
	p->blind = false;
	p->stopped = false;
	p->refused = false;
	p->in_section = false;
	p->segment = offset;
	valgrind_builder_restart(&p->builder, inside);
	valgrind_input_seek(&p->in, offset);
	if (inside)
		valgrind_feed(p, root_begin_tag, size, offset - size);
	XML_SetUserData(p->expat, p);
	XML_SetElementHandler(p->expat, on_start, on_end);
	XML_SetCharacterDataHandler(p->expat, on_text);
	XML_SetCdataSectionHandler(p->expat, on_section, on_section_end);
	XML_SetStartDoctypeDeclHandler(p->expat, on_doctype);
	return true;
}

enum ending {
	ENDING_ROOT,   /* the document element was closed */
	ENDING_INPUT,  /* the file ends before */
	ENDING_BROKEN, /* invalid XML, or beyond a limit */
	ENDING_FAILED, /* with an error */
};

static enum ending
ending_of(struct vg_parser *p)
{
	if (p->builder.failed)
		return ENDING_FAILED;
	if (p->builder.root_ended)
		return ENDING_ROOT;
	return ENDING_BROKEN;
}

/* Makes expat report what it held back. */
static enum ending
end_of_input(struct vg_parser *p)
{
	p->piece_fed = p->fed;
	p->piece_offset = valgrind_input_offset(&p->in);
	(void)XML_Parse(p->expat, "", 0, 1);
	if (is_stopped(p))
		return ending_of(p);
	switch ((int)XML_GetErrorCode(p->expat)) {
	case XML_ERROR_NONE:
	case XML_ERROR_NO_ELEMENTS:
	case XML_ERROR_UNCLOSED_TOKEN:
	case XML_ERROR_PARTIAL_CHAR:
	case XML_ERROR_UNCLOSED_CDATA_SECTION:
	case XML_ERROR_ASYNC_ENTITY:
		return ENDING_INPUT;
	default:
		return ENDING_BROKEN;
	}
}

static void
on_progress(struct vg_parser *p)
{
	reader_progress(p->reader, valgrind_input_offset(&p->in));
}

static enum ending
parse_segment(struct vg_parser *p)
{
	while (!p->refused && !is_stopped(p)) {
		size_t size;
		const char *data = valgrind_input_data(&p->in, &size);
		bool more = true;

		if (size && valgrind_feed_some(p, data, size, false))
			continue;
		if (!valgrind_input_more(&p->in, &more))
			return ENDING_FAILED;
		on_progress(p);
		if (more)
			continue;
		/* valgrind_input_more may move the bytes. */
		data = valgrind_input_data(&p->in, &size);
		if (!size)
			return end_of_input(p);
		valgrind_feed_some(p, data, size, true);
	}
	return ending_of(p);
}

/* --- documents --------------------------------------------------------------------------- */

static const char *
reason(const struct vg_parser *p)
{
	return p->builder.broken ? p->builder.broken : XML_ErrorString(XML_GetErrorCode(p->expat));
}

/* Where the current record begins; `where` outside records. */
static uint64_t
record_begin(const struct vg_parser *p, uint64_t where)
{
	return p->builder.depth > 1 ? p->builder.record.offset : where;
}

static bool
needs_repair(struct vg_parser *p, uint64_t where)
{
	return !p->in.repair && !p->builder.broken && valgrind_input_is_bad(&p->in, where);
}

static bool
report_cut(struct vg_parser *p, uint64_t end)
{
	struct vg_document *d = p->document;
	const struct vg_builder *b = &p->builder;
	uint64_t begin = record_begin(p, end);

	if (!valgrind_document_set(d))
		return false;
	if (b->depth > 1 &&
		!valgrind_issue(d, ISSUE_RECORD_BROKEN, valgrind_input_line(&p->in, begin), begin,
			"<%s> left out: the input ends inside it",
			b->record.text.data + b->names[1]))
		return false;
	return valgrind_issue(d, ISSUE_UNFINISHED, valgrind_input_line(&p->in, end), end,
		"the document is not closed: the process was killed or replaced, or still runs");
}

static bool
report_broken(struct vg_parser *p)
{
	uint64_t where = place(p);
	uint64_t begin = record_begin(p, where);
	uint64_t line = valgrind_input_line(&p->in, begin);

	if (!valgrind_document_set(p->document))
		return false;
	if (p->builder.depth > 1)
		return valgrind_issue(p->document, ISSUE_RECORD_BROKEN, line, begin,
			"<%s> left out: %s at line %llu (byte %llu)",
			p->builder.record.text.data + p->builder.names[1], reason(p),
			(unsigned long long)valgrind_input_line(&p->in, where),
			(unsigned long long)where);
	return valgrind_issue(
		p->document, ISSUE_RECORD_BROKEN, line, begin, "text left out: %s", reason(p));
}

enum after_break {
	AFTER_CONTINUE,
	AFTER_ENDED, /* the document ends here */
	AFTER_FAILED,
};

/* Continues at the mark. If `broken`, reports the damage first. */
static enum after_break
resume(struct vg_parser *p, enum vg_mark mark, uint64_t at, bool broken)
{
	const char *message = mark == VG_MARK_NONE
				      ? "the document is not closed"
				      : "another document begins before this one is closed: "
					"what follows may be of either process";

	if (broken && !report_broken(p))
		return AFTER_FAILED;
	if (mark == VG_MARK_RECORD || mark == VG_MARK_END)
		return begin_segment(p, at, true) ? AFTER_CONTINUE : AFTER_FAILED;
	return valgrind_document_set(p->document) &&
			       valgrind_issue(p->document, ISSUE_UNFINISHED,
				       valgrind_input_line(&p->in, at), at, "%s", message)
		       ? AFTER_ENDED
		       : AFTER_FAILED;
}

/* Continues at the next record or document after the damage. */
static enum after_break
recover(struct vg_parser *p, uint64_t begin, uint64_t *next)
{
	uint64_t where = place(p);
	bool rooted = p->builder.depth > 0;
	enum vg_mark mark;

	if (p->doctype) {
		error_set(p->reader->err, ERROR_INPUT,
			"%s: document type at byte %llu: valgrind does not write one",
			p->reader->name, (unsigned long long)where);
		return AFTER_FAILED;
	}
	if (needs_repair(p, where)) {
		valgrind_input_repair(&p->in);
		p->builder.repair = true;
		return begin_segment(p, rooted ? record_begin(p, where) : begin, rooted)
			       ? AFTER_CONTINUE
			       : AFTER_FAILED;
	}
	/* Each segment must begin after the previous one. */
	if (!p->builder.misplaced && where <= p->segment)
		where = p->segment + 1;
	if (!valgrind_input_find(&p->in, where, &mark, next))
		return AFTER_FAILED;
	if (!rooted)
		return AFTER_ENDED;
	return resume(p, mark, *next, !p->builder.misplaced || p->builder.depth > 1);
}

static bool
is_empty_part(const struct vg_parser *p)
{
	return p->document->part && !p->document->about.has_set && p->builder.depth == 1;
}

/* An unclosed comment or tag extends to the end of the file, so the records inside are read again. */
static bool
can_retry(const struct vg_parser *p)
{
	return p->builder.depth > 1 && p->retries < MAX_RETRIES;
}

static enum after_break
retry(struct vg_parser *p, uint64_t *next)
{
	enum vg_mark mark;
	uint64_t end = valgrind_input_offset(&p->in);
	uint64_t begin = p->builder.record.offset;

	p->retries++;
	if (!valgrind_input_find(&p->in, begin + 1, &mark, next))
		return AFTER_FAILED;
	if (mark == VG_MARK_NONE) {
		*next = end;
		return report_cut(p, end) ? AFTER_ENDED : AFTER_FAILED;
	}
	p->builder.broken = "it is not closed";
	return resume(p, mark, *next, true);
}

bool
valgrind_parse_document(struct vg_parser *p, uint64_t begin, bool part, uint64_t *next)
{
	enum after_break after = AFTER_CONTINUE;

	if (!begin_segment(p, begin, part))
		return false;
	while (after == AFTER_CONTINUE) {
		switch (parse_segment(p)) {
		case ENDING_FAILED:
			return false;
		case ENDING_ROOT:
			*next = p->stopped_after;
			return true;
		case ENDING_INPUT:
			if (can_retry(p)) {
				after = retry(p, next);
				break;
			}
			*next = valgrind_input_offset(&p->in);
			return p->builder.depth == 0 || is_empty_part(p) || report_cut(p, *next);
		case ENDING_BROKEN:
			after = recover(p, begin, next);
		}
	}
	return after == AFTER_ENDED;
}
