/*
 * Reads valgrind's text: splits a log by process; see valgrind_log.h. The lines of several processes
 * may alternate. Each process is a result set. A forked process has a head only if it writes to its
 * own file.
 */
#include "valgrind_log.h"
#include "base/array.h"
#include "base/pair_map.h"
#include "format/common/log_prefix.h"
#include "format/common/text_scan.h"

#include <stdlib.h>
#include <unistd.h>

enum {
	LOOK_BITS = 8 * 24, /* bits in "==1== Memcheck, a memory" */
	MAX_OPEN = 256,     /* processes that are open at the same time */
	MAX_ENDED = 16,     /* open processes whose error summary has been read */
	MAX_SETS = 100000,  /* processes per file; each becomes a result set */
	LINE_MAX_BYTES = 1024 * 1024,
};

struct vg_log {
	struct reader *in;
	struct log_prefixes prefixes;
	struct vg_log_process *open[MAX_OPEN];
	size_t count;
	size_t sets;
	struct vg_log_process *last; /* the process of the last line */
	struct strbuf suppression;   /* lines since "{"; empty outside of a suppression */
	uint64_t ignored; /* PID + 1 of the latest process of an unsupported tool, or 0 */
	bool foreign;     /* the log has a process of an unsupported tool */
};

/* --- processes ------------------------------------------------------------------------------ */

static void
process_free(struct vg_log_process *p)
{
	valgrind_document_release(&p->document);
	valgrind_builder_release(&p->builder);
	pair_map_release(&p->uniques);
	strbuf_release(&p->preamble);
	strbuf_release(&p->leak_totals);
	strbuf_release(&p->thread_name);
	strbuf_release(&p->maybe);
	free(p);
}

/* Assigns the current line and all following rows to the process. */
static void
use_process(struct vg_log *l, struct vg_log_process *p)
{
	l->last = p;
	l->in->set = p->document.about.set;
	p->line = p->last_line = l->in->line.number;
	p->offset = l->in->line.offset;
}

/* Ends the i-th open process. */
static bool
finish_process(struct vg_log *l, size_t i)
{
	struct vg_log_process *p = l->open[i];
	bool ok;

	l->in->set = p->document.about.set;
	ok = valgrind_log_finish(p);
	if (l->last == p)
		l->last = NULL;
	process_free(p);
	l->count--;
	memmove(l->open + i, l->open + i + 1, (l->count - i) * sizeof(*l->open));
	return ok;
}

static struct vg_log_process *
find_process(const struct vg_log *l, uint64_t pid, size_t *at)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->open[i]->pid == pid) {
			*at = i;
			return l->open[i];
		}
	*at = 0;
	return NULL;
}

/* If too many processes are open, ends one of them. Chooses among the processes whose error summary has been
 * read or, if there is no such process, among all. Ends the one that has been silent longest. */
static bool
make_room(struct vg_log *l)
{
	size_t ended = 0;
	size_t oldest = 0;

	for (size_t i = 0; i < l->count; i++) {
		const struct vg_log_process *p = l->open[i];
		const struct vg_log_process *o = l->open[oldest];

		ended += p->ended;
		if (p->ended > o->ended || (p->ended == o->ended && p->last_line < o->last_line))
			oldest = i;
	}
	if (l->count < MAX_OPEN && ended < MAX_ENDED)
		return true;
	return finish_process(l, oldest);
}

static struct vg_log_process *
process_new(struct reader *in, uint64_t pid, bool headed)
{
	struct vg_log_process *p = xcalloc(1, sizeof(*p));

	valgrind_document_init(&p->document, in);
	p->document.log = true;
	p->document.headed = p->headed = headed;
	p->pid = pid;
	p->in_head = true;
	p->tid = 1;
	p->builder.document = &p->document;
	strbuf_init(&p->builder.record.text, VG_MAX_RECORD_BYTES);
	strbuf_init(&p->preamble, VG_ARRAY_MAX_BYTES);
	strbuf_init(&p->leak_totals, VG_ARRAY_MAX_BYTES);
	strbuf_init(&p->thread_name, LINE_MAX_BYTES);
	strbuf_init(&p->maybe, LINE_MAX_BYTES);
	return p;
}

/* Adds a process and begins its result set. Returns NULL on failure. */
static struct vg_log_process *
add_process(struct vg_log *l, uint64_t pid, bool headed)
{
	struct vg_log_process *p;

	if (l->sets++ == MAX_SETS) {
		error_set(l->in->err, ERROR_LIMIT, "%s: more than %d processes, at line %llu",
			l->in->name, (int)MAX_SETS, (unsigned long long)l->in->line.number);
		return NULL;
	}
	if (!make_room(l))
		return NULL;
	p = process_new(l->in, pid, headed);
	l->open[l->count++] = p;
	if (!valgrind_document_set(&p->document))
		return NULL;
	use_process(l, p);
	valgrind_log_open(p, "valgrindoutput");
	/* If the log has no head, this empty line clears in_head, so that the body begins with the first line. */
	return headed || valgrind_log_line(p, '=', TEXT_LITERAL("")) ? p : NULL;
}

/* --- suppressions ------------------------------------------------------------------------------ */

/* Handles a line without a mark. The program's own output is skipped; a suppression belongs to the
 * record before it. */
static void
take_unmarked(struct vg_log *l, struct text line)
{
	struct vg_log_process *p = l->last;
	struct strbuf *s = &l->suppression;

	if (!p || !p->open || p->repeat || (!s->size && !text_equal(line, TEXT_LITERAL("{"))))
		return;
	if (s->size)
		strbuf_append_char(s, '\n');
	strbuf_append_text(s, line);
	if (!s->failed && !text_equal(line, TEXT_LITERAL("}")))
		return;
	if (!s->failed) {
		valgrind_log_end_stack(p);
		valgrind_log_open(p, "suppression");
		valgrind_log_leaf(p, "rawtext", strbuf_text(s));
		valgrind_log_close(p);
	}
	strbuf_reset(s);
}

/* --- lines ---------------------------------------------------------------------------------------- */

/* Handles a line with a mark. */
static bool
take_marked(struct vg_log *l, uint64_t pid, char mark, struct text line)
{
	bool known = false;
	bool head = mark == '=' && valgrind_log_tool(line, &known);
	size_t at;
	struct vg_log_process *p = find_process(l, pid, &at);

	strbuf_reset(&l->suppression);
	if (head && !known) {
		l->ignored = pid + 1;
		l->foreign = true;
	} else if (head && l->ignored == pid + 1) {
		l->ignored = 0;
	}
	if (l->ignored == pid + 1)
		return true;
	/* A later process can have the same number. */
	if (p && head && !p->in_head) {
		if (!finish_process(l, at))
			return false;
		p = NULL;
	}
	if (!p && (!head && mark == '-'))
		return true;
	if (!p)
		p = add_process(l, pid, head);
	if (!p)
		return false;
	use_process(l, p);
	return valgrind_log_line(p, mark, line);
}

/* Finds the first mark in the line at or after `from`; TEXT_NOT_FOUND if there is none. */
static size_t
find_mark(struct text line, size_t from)
{
	while (from < line.size) {
		size_t at = text_find(text_from_at(line, from), "==");
		struct text t;
		uint64_t pid;
		char mark;

		if (at == TEXT_NOT_FOUND)
			break;
		at += from;
		t = text_from_at(line, at);
		if (valgrind_log_mark(&t, &pid, &mark))
			return at;
		from = at + 1;
	}
	return TEXT_NOT_FOUND;
}

/* Handles a line that may have several marks, because several processes can write to the same file
 * at the same time. */
static bool
take_pieces(struct vg_log *l, struct text line)
{
	while (line.size) {
		uint64_t pid;
		char mark;
		size_t next;

		if (!valgrind_log_mark(&line, &pid, &mark))
			return true;
		next = find_mark(line, 0);
		if (!take_marked(l, pid, mark, text_up_to(line, next)))
			return false;
		if (next == TEXT_NOT_FOUND)
			return true;
		line = text_from_at(line, next);
	}
	return true;
}

static bool
take_line(struct vg_log *l, struct text line)
{
	struct text rest = line;
	uint64_t pid;
	size_t at;
	char mark;

	if (!valgrind_log_mark(&rest, &pid, &mark) && l->prefixes.count)
		log_prefix_strip(&l->prefixes, line, &line);
	rest = line;
	if (!valgrind_log_mark(&rest, &pid, &mark)) {
		at = find_mark(line, 0);
		if (at == TEXT_NOT_FOUND) {
			take_unmarked(l, line);
			return true;
		}
		if (log_prefix_is_likely(text_up_to(line, at)))
			log_prefix_add(&l->prefixes, text_up_to(line, at));
		line = text_from_at(line, at);
	}
	return take_pieces(l, line);
}

/* Ignores a line that is too long. Also ignores the last line if it may be incomplete. */
static bool
take_line_unless_cut(struct vg_log *l)
{
	const struct line *line = &l->in->line;
	struct text t = line->text;

	if (line->cut)
		return reader_issue(l->in, ISSUE_LINE_CUT, "a line exceeds the limit by %llu bytes",
			(unsigned long long)line->cut);
	if (line->unended && !text_ends(t, ")"))
		return true;
	return take_line(l, t);
}

static bool
check_found(struct vg_log *l)
{
	if (l->sets)
		return true;
	l->in->line.number = 0;
	reader_refuse(l->in,
		l->foreign ? "the log of a valgrind tool that reports neither errors nor leaks"
			   : "the log contains no valgrind report");
	return error_hint(l->in->err, "%s",
		l->foreign
			? "load the file that the tool writes, such as massif.out.PID, "
			  "callgrind.out.PID or dhat.out.PID"
			: "looked for lines such as \"==1== Memcheck, a memory error detector\"");
}

bool
valgrind_log_read(struct reader *r)
{
	struct vg_log *l = xcalloc(1, sizeof(*l));
	bool ok;

	l->in = r;
	strbuf_init(&l->suppression, VG_LOG_SUPPRESSION_MAX_BYTES);
	ok = reader_open_log(r, LINE_MAX_BYTES);
	while (reader_line(r, &ok))
		ok = take_line_unless_cut(l);
	while (l->count)
		if (ok)
			ok = finish_process(l, 0);
		else
			process_free(l->open[--l->count]);
	ok = ok && check_found(l);
	strbuf_release(&l->suppression);
	log_prefixes_release(&l->prefixes);
	free(l);
	return ok;
}

/* --- recognition ---------------------------------------------------------------------------------- */

/* A log is recognised by two lines of one process: two lines of its head, or the first line of an error
 * and a frame. */
struct look {
	uint64_t pid;   /* PID + 1; 0 before the first line of a process */
	bool candidate; /* the process's last line begins a tool's head or an error */
};

static bool
look_at_line(void *state, struct text line)
{
	struct look *k = state;
	size_t at = find_mark(line, 0);
	struct text t = text_from_at(line, at == TEXT_NOT_FOUND ? line.size : at);
	bool known = false;
	uint64_t pid;
	char mark;

	if (at == TEXT_NOT_FOUND || (at && !log_prefix_is_likely(text_up_to(line, at))) ||
		!valgrind_log_mark(&t, &pid, &mark))
		return false;
	if (k->candidate && k->pid == pid + 1 &&
		(text_begins(t, "Copyright (C) ") || text_begins(t, "   at 0x") ||
			text_begins(t, "Using Valgrind-") || text_begins(t, "Command: ")))
		return true;
	k->pid = pid + 1;
	k->candidate = (valgrind_log_tool(t, &known) && known) || valgrind_log_kind(t) ||
		       valgrind_log_leak(t);
	return false;
}

static void *
begin_looking(const void *kind)
{
	(void)kind;
	return xcalloc(1, sizeof(struct look));
}

const struct format_lines valgrind_log_lines = { NULL, begin_looking, look_at_line, free };

static int
look_in(struct line_reader *lines)
{
	struct look k = { 0 };
	struct error err = ERROR_INIT;
	struct line line;
	bool more = true;
	bool found = false;

	while (!found && line_next(lines, &line, &more, &err) && more)
		found = look_at_line(&k, line.text);
	line_reader_free(lines);
	return found ? LOOK_BITS : 0;
}

int
valgrind_log_look(const struct format_source *source, size_t member)
{
	const struct line_options options = { .log = true };
	struct text head = bundle_head(source->bundle, member);

	return look_in(line_reader_new_memory(head.data, head.size, 0, &options));
}

int
valgrind_log_search(const struct format_source *source, size_t member)
{
	const struct line_options options = { .log = true };
	struct error err = ERROR_INIT;
	int fd = bundle_open_member(source->bundle, member, &err);
	int bits;

	if (fd < 0)
		return 0;
	bits = look_in(line_reader_new_fd(fd, &options));
	close(fd);
	return bits;
}
