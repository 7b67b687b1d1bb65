/*
 * Finds the report that a line belongs to. Several processes may write to a log at the same time,
 * and the line that announces a stack may name neither its process nor an address. Such a line
 * waits until later lines show which report it belongs to. Two facts help: a frame's address is near
 * the other code of its process, and the first frame of a stack follows the line that announces the
 * stack. If a stack may belong to several reports, all of them leave it out.
 */
#include "sanitizer_state.h"

#include <stdlib.h>

enum {
	NOTE_LINES = 3, /* lines after a runtime error: memory bytes and a position marker */
	INSTRUCTION_BYTES = 8,
	KIND_BITS = 44, /* the higher bits are 5 in programs (0x5...), 7 in libraries */
	NEAR_BITS = 32,
	ADDRESS_WITHIN = 512 /* how many bytes of a head are searched for an address */
};

/* --- one report -------------------------------------------------------------------- */

/* Takes the report's prefix from the line after the head, because other text may precede the head on its line. */
static bool
adopt(struct report *r, struct text line)
{
	struct part p;
	size_t at = text_find(line, "#0 ");

	sanitizer_part(line, &p);
	if (p.kind != PART_NONE && p.kind != PART_BLANK) {
		strbuf_reset(&r->prefix);
		return true;
	}
	if (at == TEXT_NOT_FOUND || at < 1 || line.data[at - 1] != ' ' ||
		!(text_begins(text_from_at(line, at), "#0 0x")))
		return false;
	for (int blanks = 0; blanks < 4 && at && line.data[at - 1] == ' '; blanks++)
		at--;
	log_prefix_make(&r->prefix, text_up_to(line, at));
	return true;
}

static bool
in_stream(struct report *r, struct text line, struct text *content)
{
	return log_prefix_match(strbuf_text(&r->prefix), line, content) ||
	       (r->fresh && adopt(r, line) &&
		       log_prefix_match(strbuf_text(&r->prefix), line, content));
}

static bool
wants(const struct report *r, const struct part *p)
{
	struct text t = p->text;
	uint64_t number;

	if (p->has_pid && (!r->has_pid || r->pid != p->pid))
		return false;
	if (p->kind == PART_NONE)
		return false;
	/* The stack of a runtime error, if any, directly follows the error. */
	if (p->kind == PART_FRAME)
		return sanitizer_frame_number(&t, &number) && report_expects(r, number) &&
		       (r->kind != HEAD_UNDEFINED || r->quiet <= NOTE_LINES);
	if (p->kind == PART_BLANK || p->kind == PART_NOTE)
		return true;
	if (p->kind == PART_DETAIL || p->kind == PART_END)
		return r->kind != HEAD_UNDEFINED;
	if (p->kind == PART_LEAK || p->kind == PART_LEAKED || p->kind == PART_OMITTED)
		return r->kind == HEAD_LEAKS && !r->summarised;
	return r->kind == HEAD_REPORT && !r->summarised;
}

/* Whether the next line of the process decides which report this line belongs to. */
static bool
announces(const struct part *p)
{
	return p->kind == PART_STACK || p->kind == PART_THREAD || p->kind == PART_LEAK ||
	       (p->kind == PART_MAIN && text_find(p->text, " of size ") != TEXT_NOT_FOUND) ||
	       (p->kind == PART_NOTE && text_find(p->text, " is located ") != TEXT_NOT_FOUND);
}

static bool
has_role(const struct report *r, const char *role)
{
	if (r->stack_open && r->stack.role && strcmp(r->stack.role, role) == 0)
		return true;
	for (size_t i = 0; i < r->stack_count; i++)
		if (r->stacks[i].role && strcmp(r->stacks[i].role, role) == 0)
			return true;
	return false;
}

/* Whether the thread of a line such as "Thread T1 (tid=123, running)" occurred in an earlier report of
 * another process. */
static bool
is_others_thread(const struct sanitizer *s, const struct report *r, struct text t)
{
	struct text tid = text_from_at(t, text_find(t, "(tid="));
	uint32_t pid;
	uint64_t os;

	if (!r->has_pid || !scan_word(&tid, "(tid=") || !scan_decimal(&tid, &os) || os > INT64_MAX)
		return false;
	pid = pair_map_get(&s->tid_pids, (int64_t)os, 0);
	return pid != PAIR_MAP_NONE && pid != r->pid;
}

/* Whether the report names the thread, but has no creation stack for it yet. */
static bool
lacks_thread(const struct sanitizer *s, const struct report *r, struct text t)
{
	struct named_thread id;

	if (!sanitizer_created_thread(t, &id) || is_others_thread(s, r, t))
		return false;
	for (size_t i = 0; i < r->thread_count; i++)
		if (r->threads[i].id.number == id.number)
			return !r->threads[i].created;
	return false;
}

static bool
note_waits(const struct sanitizer *s)
{
	for (size_t i = 0; i < s->waiting_count; i++)
		if (s->waiting[i].part.kind == PART_NOTE)
			return true;
	return false;
}

/* Whether the stack that `p` announces may come next in the report, given the stack's role. AddressSanitizer first
 * prints the location of a block, then the stack that freed it, then the stack that allocated it. */
static bool
is_turn_of_role(const struct sanitizer *s, const struct report *r, const struct part *p)
{
	bool freed = has_role(r, "freed_at");

	if (strcmp(p->role, "freed_at") != 0 && strcmp(p->role, "allocated_at") != 0)
		return true;
	if (has_role(r, p->role) || !(r->located || note_waits(s)))
		return false;
	return text_begins(p->text, "previously ") == freed;
}

/* Whether the line may come next in the report. Call this function only for a note, or a line that announces a
 * stack. */
static bool
is_turn(const struct sanitizer *s, const struct report *r, const struct part *p)
{
	bool address = text_find(r->tool, "AddressSanitizer") != TEXT_NOT_FOUND;
	bool began = r->main_seen || r->frame_count;
	bool announced = r->stack_open && !r->frame_count &&
			 (address || r->stack.role || r->kind == HEAD_LEAKS);

	if (p->kind == PART_MAIN)
		return !began && !r->access.size &&
		       (!address || text_find(r->description, " at pc ") != TEXT_NOT_FOUND);
	if (p->kind == PART_NOTE)
		return began && !r->located;
	if (p->kind == PART_THREAD)
		return began && !announced && lacks_thread(s, r, p->text);
	return !announced && (p->kind != PART_STACK || !address || is_turn_of_role(s, r, p));
}

/* --- likelihood -------------------------------------------------------------------- */

enum {
	UNLIKELY = 0, /* if other reports are open, the frame does not belong to this report */
	UNDECIDED = 2,
	SAME_KIND = 1, /* added if frame #0 suits the stack's role, subtracted if not */
	SAME_PLACE = 10
};

/* Returns whether the frame is at the address in the head. The head contains the address after the
 * instruction; the frame contains an address within the instruction. */
static bool
is_found_at(const struct report *r, uint64_t pc)
{
	return pc <= r->pc && r->pc - pc <= INSTRUCTION_BYTES;
}

/* Rates how well the address fits the known code of the process. */
static int
likely_address(const struct report *r, uint64_t pc)
{
	int best = UNDECIDED;

	if (!r->frame_count && !r->stack.role && r->kind == HEAD_REPORT && r->pc)
		return is_found_at(r, pc) ? SAME_PLACE : UNLIKELY;
	/* A program without address randomisation has the same addresses in all processes. */
	if (pc >> NEAR_BITS == 0)
		return UNDECIDED;
	for (size_t i = 0; i < r->region_count; i++) {
		uint64_t region = r->regions[i];

		if (region == pc >> REGION_BITS)
			return UNDECIDED + 4;
		if (region >> (NEAR_BITS - REGION_BITS) == pc >> NEAR_BITS)
			best = UNDECIDED + 2;
		else if (best == UNDECIDED &&
			 region >> (KIND_BITS - REGION_BITS) == pc >> KIND_BITS)
			best = UNLIKELY;
	}
	return best;
}

/* Rates how well the frame in `line` fits as the first frame of the report's current stack. This depends on the stack's
 * role: a function such as pthread_create creates a thread; a function such as free or operator delete frees a
 * block. */
static int
likely_kind(const struct report *r, struct text line)
{
	static const char *const frees[] = { "free", "delete", "realloc", NULL };
	const char *role = r->stack.role ? r->stack.role : "";
	struct text place = text_basename(r->prologue);
	bool creates = text_find(line, "thread_create") != TEXT_NOT_FOUND;
	bool frees_block = false;

	/* The stack of the runtime error "src/x.c:9:1: ..." begins in x.c. */
	if (r->kind == HEAD_UNDEFINED && memchr(place.data, ':', place.size))
		return text_find_text(line, text_up_to(place, text_find(place, ":") + 1)) ==
				       TEXT_NOT_FOUND
			       ? -SAME_KIND
			       : SAME_KIND;
	if (strcmp(role, "thread_start") == 0 ||
		(!r->main_seen && text_equal(r->bug, TEXT_LITERAL("thread leak"))))
		return creates ? SAME_KIND : -SAME_KIND;
	for (const char *const *word = frees; *word; word++)
		frees_block |= text_find(line, *word) != TEXT_NOT_FOUND;
	if (strcmp(role, "freed_at") == 0 || text_find(r->bug, "free on") != TEXT_NOT_FOUND)
		return frees_block ? SAME_KIND : -SAME_KIND;
	return creates ? -SAME_KIND : 0;
}

/* How well a frame fits the report's current stack; UNLIKELY for a frame from another process. */
static int
likely_frame(const struct report *r, struct text line)
{
	uint64_t number;
	uint64_t pc;
	int points = UNDECIDED;

	if (!sanitizer_frame_number(&line, &number))
		return UNLIKELY;
	scan_blanks(&line);
	if (text_begins(line, "0x") && scan_hex(&line, &pc))
		points = likely_address(r, pc);
	return points == UNLIKELY || number ? points : points + likely_kind(r, line);
}

/* Whether the line repeats an address from the head. */
static bool
repeats_address(const struct report *r, struct text line)
{
	size_t at = text_find(line, "0x");
	struct text address = text_from_at(line, at);
	struct text rest = address;
	uint64_t v;

	if (at == TEXT_NOT_FOUND || !scan_hex(&rest, &v))
		return false;
	address.size -= rest.size;
	return text_find_text(text_up_to(r->description, ADDRESS_WITHIN), address) !=
	       TEXT_NOT_FOUND;
}

enum {
	LIKELY_TURN = 2
};

static int
likely(const struct sanitizer *s, const struct report *r, const struct part *p)
{
	if (p->kind == PART_FRAME)
		return likely_frame(r, p->text);
	return (repeats_address(r, p->text) ? 1 : 0) +
	       (announces(p) && is_turn(s, r, p) ? LIKELY_TURN : 0);
}

/* --- waiting lines ----------------------------------------------------------------- */

static void
wait_for_more(struct sanitizer *s, struct text line, const struct part *p)
{
	struct waiting *w = &s->waiting[s->waiting_count++];
	size_t at = (size_t)(p->text.data - line.data);

	w->line = xmalloc(line.size);
	w->size = line.size;
	memcpy(w->line, line.data, line.size);
	w->part = *p;
	w->part.text = (struct text){ w->line + at, p->text.size };
	w->number = s->in.line.number;
	w->offset = s->in.line.offset;
}

/* Whether the waiting line may belong to the report. A waiting line cannot belong to a report that
 * already has a later line. */
static bool
takes(const struct sanitizer *s, struct report *r, const struct waiting *w)
{
	struct text line = { w->line, w->size };
	struct text content;

	return r->heard < w->number && wants(r, &w->part) && is_turn(s, r, &w->part) &&
	       log_prefix_match(strbuf_text(&r->prefix), line, &content);
}

static void
drop(struct sanitizer *s, size_t i)
{
	free(s->waiting[i].line);
	s->waiting_count--;
	memmove(&s->waiting[i], &s->waiting[i + 1], (s->waiting_count - i) * sizeof(s->waiting[0]));
}

/* Adds waiting line `i` to the report, as if it were the current line. */
static bool
give(struct sanitizer *s, struct report *r, size_t i)
{
	struct line now = s->in.line;
	struct waiting *w = &s->waiting[i];
	uint64_t quiet = r->quiet;
	bool ok;

	s->in.line.number = w->number;
	s->in.line.offset = w->offset;
	ok = report_add(s, r, &w->part);
	r->quiet = quiet;
	s->in.line = now;
	drop(s, i);
	return ok;
}

/* Adds the waiting note about a memory block to the report, if the note precedes the line `before`. */
static bool
give_note(struct sanitizer *s, struct report *r, uint64_t before)
{
	for (size_t i = 0; i < s->waiting_count; i++) {
		const struct waiting *w = &s->waiting[i];

		if (w->number < before && w->part.kind == PART_NOTE && takes(s, r, w))
			return give(s, r, i);
	}
	return true;
}

bool
sanitizer_give_note(struct sanitizer *s, struct report *r)
{
	return r->kind != HEAD_REPORT || give_note(s, r, s->in.line.number);
}

static bool
give_with_note(struct sanitizer *s, struct report *r, size_t i)
{
	uint64_t number = s->waiting[i].number;

	if (s->waiting[i].part.kind == PART_STACK && !r->located && !give_note(s, r, number))
		return false;
	for (i = 0; s->waiting[i].number != number;)
		i++;
	return give(s, r, i);
}

/* The index of the first waiting line that may announce a stack of the report, or waiting_count. */
static size_t
announcement(const struct sanitizer *s, struct report *r)
{
	size_t i;

	for (i = 0; i < s->waiting_count; i++)
		if (s->waiting[i].part.kind != PART_NOTE && takes(s, r, &s->waiting[i]))
			break;
	return i;
}

/* If the waiting line fits only one report, adds the line to this report. If it fits no report, leaves
 * the line out. *settled is false if it fits several reports. */
static bool
settle(struct sanitizer *s, size_t i, bool *settled)
{
	struct report *taker = NULL;
	size_t takers = 0;

	for (size_t k = s->open_count; k-- > 0;)
		if (takes(s, s->open[k], &s->waiting[i])) {
			taker = s->open[k];
			takers++;
		}
	*settled = takers <= 1;
	if (takers == 1)
		return give_with_note(s, taker, i);
	if (!takers) {
		s->unknown += s->waiting[i].part.kind != PART_NOTE;
		drop(s, i);
	}
	return true;
}

bool
sanitizer_settle(struct sanitizer *s)
{
	for (size_t i = 0; i < s->waiting_count;) {
		bool settled;

		if (!settle(s, i, &settled))
			return false;
		i = settled ? 0 : i + 1;
	}
	return true;
}

/* Leaves out the oldest waiting line, because it is not known which report it belongs to. */
static void
drop_first(struct sanitizer *s)
{
	s->unknown += s->waiting[0].part.kind != PART_NOTE;
	drop(s, 0);
}

void
sanitizer_drop_all(struct sanitizer *s)
{
	while (s->waiting_count)
		drop_first(s);
}

/* --- any line ---------------------------------------------------------------------- */

static bool
is_first_frame(const struct part *p)
{
	return p->kind == PART_FRAME && text_begins(p->text, "#0 ");
}

/* Whether the previous line of the log belongs to the report: it announced the current stack, or was the preceding
 * frame of this stack. */
static bool
continues(const struct sanitizer *s, const struct report *r)
{
	return !r->fresh && r->heard + 1 == s->in.line.number;
}

enum {
	CONTINUES = 1
};

struct choice {
	size_t found; /* index of the report; open_count if not found */
	int most, rivals;
	bool tie;
};

/* Chooses the most likely report. If several are equally likely, chooses the one with the most
 * recent line. */
static struct choice
choose(struct sanitizer *s, struct text line, struct part *p)
{
	struct choice c = { .found = s->open_count, .most = -1 };
	const char *looked_at = NULL;

	for (size_t i = 0; i < s->open_count; i++) {
		struct report *r = s->open[i];
		struct text content;
		int points;

		if (!in_stream(r, line, &content))
			continue;
		if (content.data != looked_at)
			sanitizer_part(content, p);
		looked_at = content.data;
		c.rivals += !r->summarised && r->kind != HEAD_UNDEFINED;
		if (!wants(r, p) && !(is_first_frame(p) && announcement(s, r) < s->waiting_count))
			continue;
		points = likely(s, r, p);
		if (p->kind == PART_FRAME)
			points += continues(s, r) ? CONTINUES : 0;
		c.tie = points == c.most || (c.tie && points < c.most);
		if (points > c.most) {
			c.most = points;
			c.found = i;
		}
	}
	return c;
}

/* The frame may belong to any report whose rating is `points`. Marks the current stack of each of these
 * reports as unknown. */
static void
doubt(struct sanitizer *s, struct text line, const struct part *p, int points)
{
	for (size_t i = 0; i < s->open_count; i++) {
		struct report *r = s->open[i];
		struct text content;

		if (in_stream(r, line, &content) && wants(r, p) && likely(s, r, p) == points)
			r->stack.unknown = true;
	}
}

/* Adds to the report the waiting lines that must precede the line of `p`. */
static bool
give_owed(struct sanitizer *s, struct report *r, const struct part *p)
{
	size_t i = is_first_frame(p) ? announcement(s, r) : s->waiting_count;

	if (i < s->waiting_count)
		return give_with_note(s, r, i);
	return p->kind != PART_STACK || r->located || give_note(s, r, s->in.line.number);
}

bool
sanitizer_find_report(struct sanitizer *s, struct text line, struct part *p, size_t *found)
{
	struct choice c = choose(s, line, p);

	*found = s->open_count;
	/* If several reports are open, a blank line may end the stack of any of them. */
	if (c.found == s->open_count || (p->kind == PART_BLANK && c.rivals > 1))
		return true;
	if (c.tie && announces(p) && c.most >= LIKELY_TURN) {
		if (s->waiting_count == WAITING_MAX)
			drop_first(s);
		wait_for_more(s, line, p);
		p->kind = PART_NONE;
		return true;
	}
	if (c.rivals > 1 && p->kind == PART_FRAME && c.most == UNLIKELY)
		return true;
	if (c.tie && p->kind == PART_FRAME)
		doubt(s, line, p, c.most);
	p->doubtful = c.tie && announces(p);
	s->open[c.found]->mixed |= c.rivals > 1;
	*found = c.found;
	return give_owed(s, s->open[c.found], p);
}
