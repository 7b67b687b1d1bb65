/* Reads one document with expat. After damage, reading continues at the next record. */
#include "valgrind_parser.h"

#include "base/array.h"

enum {
	MAX_RETRIES = 16,
	FIRST_PIECE_BYTES = 256, /* first piece of a segment; the pieces then grow */
	MAX_PIECE_BYTES = 1024 * 1024,
	SECTION_BYTES = 2048, /* bytes of a CDATA section that are searched for a record */
	MAX_KNOWN_FRAMES = 256 * 1024,
};

static const char root_begin_tag[] = "<valgrindoutput>";
static const char stack_begin_tag[] = "<stack>";

/* --- expat callbacks --------------------------------------------------------------------- */

/* Where expat's current token begins, in expat's own byte count. */
static uint64_t
token_index(struct vg_parser *p)
{
	XML_Index index = XML_GetCurrentByteIndex(p->expat);

	/* Inside a token, expat may report no position. The last position is then still valid. */
	if (index >= 0)
		p->token = (uint64_t)index;
	return p->token;
}

/* Where expat's current token begins, as an offset in the file. */
static uint64_t
token_offset(struct vg_parser *p)
{
	return token_index(p) + p->shift;
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

/* Whether a CDATA section was cut off. If so, records of another process are inside it. */
static bool
is_cut_section(struct vg_parser *p, const char *data, size_t size)
{
	const char *end = data + (size < SECTION_BYTES ? size : SECTION_BYTES);

	for (const char *s = data; (s = memchr(s, '<', (size_t)(end - s))); s++) {
		if (valgrind_mark(s, (size_t)(end - s)) == VG_MARK_NONE)
			continue;
		p->builder.broken = "another record begins inside it";
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

/* Stops at a document type declaration. Entities can only be declared there, so no entity is ever expanded. */
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

/* --- feeding expat ------------------------------------------------------------------------ */

static void
feed(struct vg_parser *p, const char *data, size_t size)
{
	p->fed += size;
	p->refused = XML_Parse(p->expat, data, (int)size, 0) != XML_STATUS_OK;
	/* expat keeps an incomplete tag or comment in memory, and scans it again with every further piece. */
	if (!p->refused && p->fed - token_index(p) > VG_MAX_TOKEN_BYTES)
		p->builder.broken = "a tag or comment is too long";
}

/* Returns whether expat has processed all bytes that were fed to it, and is inside a stack but not
 * inside a frame. */
static bool
is_between_frames(const struct vg_parser *p)
{
	const struct vg_builder *b = &p->builder;

	return p->event_end == p->fed && b->in_stack && b->path[b->depth - 1] == VG_STACK;
}

/* Remembers the frame that has just been added to the document. */
static void
remember_frame(struct vg_document *d, const char *data, size_t size, struct vg_frame frame)
{
	if (d->known_count == MAX_KNOWN_FRAMES)
		return;
	pair_map_add_bytes(&d->frame_index, data, size, (uint32_t)d->known_count, NULL);
	*ARRAY_ADD(d->known_frames, d->known_count, d->known_room) = frame;
}

/* Returns whether known frames of earlier documents can be used. They cannot be used while invalid
 * bytes are repaired, because U+007F then has a different meaning. */
static bool
shares_frames(const struct vg_parser *p)
{
	return p->seen.document > 1 && !p->builder.repair;
}

/* Feeds a frame that the document has not had before. Remembers it if expat has read it as exactly one frame. Returns
 * its index among the frames of earlier documents, or PAIR_MAP_NONE. */
static uint32_t
feed_new_frame(struct vg_parser *p, const char *data, size_t size)
{
	struct vg_builder *b = &p->builder;
	struct vg_seen *seen = &p->seen;
	const uint64_t before = b->frames_ended;
	const size_t kept = seen->count;

	b->seen = shares_frames(p) && kept < MAX_KNOWN_FRAMES ? seen : NULL;
	feed(p, data, size);
	b->seen = NULL;
	if (!is_between_frames(p) || b->frames_ended != before + 1)
		return PAIR_MAP_NONE;
	if (seen->count == kept) {
		remember_frame(p->document, data, size, b->last_frame);
		return PAIR_MAP_NONE;
	}
	seen->items[kept].document = seen->document;
	seen->items[kept].interned = b->last_frame;
	pair_map_add_bytes(&seen->index, data, size, (uint32_t)kept, NULL);
	return (uint32_t)kept;
}

/*
 * Nine tenths of a large file are frames, and most frames have the same bytes as an earlier frame. Therefore, if expat
 * has already read the same bytes, in this document or in an earlier one, this function adds the frame without expat.
 * The same bytes always mean the same frame, because this function is called only between the frames of a stack.
 */
static void
feed_frame(struct vg_parser *p, const char *data, size_t size)
{
	struct vg_document *d = p->document;
	struct vg_builder *b = &p->builder;
	uint32_t known = PAIR_MAP_NONE;
	uint32_t seen;

	/* A frame that no longer fits in the record is an error. expat reads it, so that the message has an offset. */
	if (b->record.frame_count == VG_MAX_RECORD_ITEMS) {
		feed(p, data, size);
		return;
	}
	seen = shares_frames(p) ? pair_map_get_bytes(&p->seen.index, data, size) : PAIR_MAP_NONE;
	if (seen == PAIR_MAP_NONE)
		known = pair_map_get_bytes(&d->frame_index, data, size);
	if (seen != PAIR_MAP_NONE) {
		valgrind_seen_add_frame(&p->seen, b, seen);
		p->shift += size;
	} else if (known != PAIR_MAP_NONE) {
		valgrind_builder_frame(b, d->known_frames[known]);
		p->shift += size;
	} else {
		seen = feed_new_frame(p, data, size);
	}
	valgrind_seen_note(&p->seen, seen, size);
}

/* If the window begins with all frames of a stack that an earlier document had, adds them without expat. Returns their
 * length, or 0. */
static size_t
add_known_stack(struct vg_parser *p, struct text window)
{
	struct vg_builder *b = &p->builder;
	const struct vg_record *r = &b->record;
	struct text bytes;

	if (!shares_frames(p) || r->stacks[r->stack_count - 1].count)
		return 0;
	bytes = valgrind_stack_bytes(window);
	if (!bytes.size || !valgrind_seen_add_stack(&p->seen, b, bytes))
		return 0;
	p->shift += bytes.size;
	return bytes.size;
}

/* Returns the next piece of the window to feed. If a damaged record ends the segment early, expat has read the rest of
 * the piece in vain. Therefore the first piece of a segment is short, and every further piece is at most twice as long
 * as the previous one. Many short segments then still take linear time. */
static struct text
next_piece(struct vg_parser *p, struct text window)
{
	struct text piece = text_up_to(window, p->piece_bytes);

	if (p->piece_bytes < MAX_PIECE_BYTES)
		p->piece_bytes *= 2;
	return piece;
}

/* Feeds bytes of the window to expat and removes them from the window. Returns false if the window ends inside a
 * frame; more bytes are then needed. */
static bool
feed_some(struct vg_parser *p, struct text window)
{
	const bool between = is_between_frames(p);
	size_t size = between ? add_known_stack(p, window) : 0;
	size_t stack;

	if (size) {
		p->in.at += size;
		return true;
	}
	size = between ? valgrind_frame_size(window) : 0;
	if (size) {
		feed_frame(p, window.data, size);
		p->in.at += size;
		return true;
	}
	if (between && window.size < VG_MAX_FRAME_BYTES && !p->in.ended)
		return false;
	valgrind_seen_drop(&p->seen);
	window = next_piece(p, window);
	/* Feed bytes up to the end of the next stack's start tag. */
	stack = p->blind ? TEXT_NOT_FOUND : text_find(window, stack_begin_tag);
	size = stack == TEXT_NOT_FOUND ? window.size : stack + sizeof(stack_begin_tag) - 1;
	feed(p, window.data, size);
	/* If the tag was in a comment, the next piece is fed as a whole, because expat scans the
	 * comment again with every piece. */
	p->blind = stack != TEXT_NOT_FOUND && !is_between_frames(p);
	p->in.at += size;
	return true;
}

/* --- segments ---------------------------------------------------------------------------- */

/* Resets the parser to an offset. `inside` means that the document element is open there. */
static bool
begin_segment(struct vg_parser *p, uint64_t offset, bool inside)
{
	size_t size = inside ? sizeof(root_begin_tag) - 1 : 0;

	if (!XML_ParserReset(p->expat, NULL))
		return error_set(p->reader->err, ERROR_INTERNAL, "expat does not start");
	p->fed = p->token = 0;
	p->shift = offset - size;
	p->event_end = 0;
	p->blind = false;
	p->piece_bytes = FIRST_PIECE_BYTES;
	p->stopped = false;
	p->refused = false;
	p->in_section = false;
	p->segment = offset;
	valgrind_seen_drop(&p->seen);
	valgrind_builder_restart(&p->builder, inside);
	valgrind_input_seek(&p->in, offset);
	if (inside)
		feed(p, root_begin_tag, size);
	XML_SetUserData(p->expat, p);
	XML_SetElementHandler(p->expat, on_start, on_end);
	XML_SetCharacterDataHandler(p->expat, on_text);
	XML_SetCdataSectionHandler(p->expat, on_section, on_section_end);
	XML_SetStartDoctypeDeclHandler(p->expat, on_doctype);
	return true;
}

/* Ends expat's input. Returns true if the only damage is that the file ends inside the document. */
static bool
is_cut(struct vg_parser *p)
{
	(void)XML_Parse(p->expat, "", 0, 1);
	if (is_stopped(p))
		return false;
	switch ((int)XML_GetErrorCode(p->expat)) {
	case XML_ERROR_NONE:
	case XML_ERROR_NO_ELEMENTS:
	case XML_ERROR_UNCLOSED_TOKEN:
	case XML_ERROR_PARTIAL_CHAR:
	case XML_ERROR_UNCLOSED_CDATA_SECTION:
	case XML_ERROR_ASYNC_ENTITY:
		return true;
	default:
		return false;
	}
}

/* Reads until the document element ends, something is damaged, or the file ends. *cut means that
 * the file ends inside the document. */
static bool
parse_segment(struct vg_parser *p, bool *cut)
{
	*cut = false;
	while (!p->refused && !is_stopped(p)) {
		struct text window = valgrind_input_window(&p->in);
		bool more;

		if (window.size && feed_some(p, window))
			continue;
		if (!valgrind_input_more(&p->in, &more))
			return false;
		reader_progress(p->reader, valgrind_input_offset(&p->in));
		if (!more && !window.size) {
			*cut = is_cut(p);
			break;
		}
	}
	return !p->builder.failed;
}

/* --- documents --------------------------------------------------------------------------- */

static const char *
reason(const struct vg_parser *p)
{
	return p->builder.broken ? p->builder.broken : XML_ErrorString(XML_GetErrorCode(p->expat));
}

/* Where the current record begins, or `where` if there is no current record. */
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
					"the next records may belong to either process";

	if (broken && !report_broken(p))
		return AFTER_FAILED;
	if (mark == VG_MARK_RECORD || mark == VG_MARK_END)
		return begin_segment(p, at, true) ? AFTER_CONTINUE : AFTER_FAILED;
	return valgrind_issue(p->document, ISSUE_UNFINISHED, valgrind_input_line(&p->in, at), at,
		       "%s", message)
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
	/* A segment must begin at a larger offset than the previous segment. */
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

/* Returns whether the bytes after the current record's start must be read again. An unclosed comment or
 * tag extends to the file's end, and may contain complete records. */
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
		bool cut;

		if (!parse_segment(p, &cut))
			return false;
		if (p->builder.root_ended) {
			*next = p->stopped_after;
			return true;
		}
		if (!cut) {
			after = recover(p, begin, next);
		} else if (can_retry(p)) {
			after = retry(p, next);
		} else {
			*next = valgrind_input_offset(&p->in);
			return p->builder.depth == 0 || is_empty_part(p) || report_cut(p, *next);
		}
	}
	return after == AFTER_ENDED;
}
