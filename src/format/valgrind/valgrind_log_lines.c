/* Recognises the lines of one process in valgrind's text; see valgrind_log.h. */
#include "format/common/text_scan.h"
#include "valgrind_log.h"

/* --- the process's beginning and end -------------------------------------------------------- */

/* Makes records from the lines of the head, unless the head has already ended. The head ends at the
 * first blank line or with the process. */
static void
end_head(struct vg_log_process *p)
{
	if (!p->in_head)
		return;
	p->in_head = false;
	valgrind_log_head(p);
	strbuf_release(&p->preamble);
}

static void
end_section(struct vg_log_process *p)
{
	if (p->section == VG_LOG_HEAP_SUMMARY)
		valgrind_log_close(p);
	p->section = VG_LOG_NO_SECTION;
}

/* Reports a missing error summary. Little is known about a process without a head, so nothing is
 * reported for it. */
static bool
report_end(struct vg_log_process *p)
{
	if (p->ended || !p->headed)
		return true;
	return valgrind_issue(&p->document, ISSUE_UNFINISHED, p->line, p->offset,
		"the log of process %llu ends without its error summary",
		(unsigned long long)p->pid);
}

bool
valgrind_log_finish(struct vg_log_process *p)
{
	end_head(p);
	end_section(p);
	if (!valgrind_log_end(p))
		return false;
	valgrind_log_leak_totals(p);
	p->document.log_ended = p->ended;
	return report_end(p) && valgrind_document_end(&p->document);
}

/* --- lines that begin or continue a record ------------------------------------------------------ */

/* Scans "Thread 3:" or "Thread 3 name:". The line applies to all errors up to the next such
 * line. */
static bool
take_thread(struct vg_log_process *p, struct text line)
{
	int64_t tid;

	if (!scan_word(&line, "Thread ") || !scan_int64(&line, &tid) || !text_ends(line, ":") ||
		(line.size > 1 && line.data[0] != ' '))
		return false;
	p->tid = tid;
	strbuf_reset(&p->thread_name);
	strbuf_append_text(&p->thread_name, text_trim(text_up_to(line, line.size - 1)));
	return true;
}

static void
put_note(struct vg_log_process *p, struct text note)
{
	if (!p->repeat)
		valgrind_log_leaf(p, "auxwhat", note);
}

/* "mutex 0x10c0e0 was first observed at:" */
static bool
take_first_observed(struct vg_log_process *p, struct text line)
{
	static const char words[] = " was first observed at:";
	size_t at;

	if (!text_ends(line, words))
		return false;
	valgrind_log_end_stack(p);
	if (p->repeat)
		return true;
	line.size -= sizeof(words) - 1;
	at = line.size;
	while (at && line.data[at - 1] != ' ')
		at--;
	valgrind_log_open(p, "first_observed_at");
	p->wrapped = true;
	valgrind_log_leaf(p, "what", text_trim(text_up_to(line, at)));
	valgrind_log_leaf(p, "address", text_from_at(line, at));
	return true;
}

static void
open_around_stack(struct vg_log_process *p, const char *element)
{
	valgrind_log_end_stack(p);
	if (p->repeat)
		return;
	valgrind_log_open(p, element);
	p->wrapped = true;
}

/* "Address 0x4a6e034 is at offset 4 from 0x4a6e030. Allocation context:" */
static bool
take_allocation_context(struct vg_log_process *p, struct text line)
{
	static const char words[] = " Allocation context:";

	if (!text_begins(line, "Address 0x") || !text_ends(line, words))
		return false;
	valgrind_log_end_stack(p);
	put_note(p, text_up_to(line, line.size - (sizeof(words) - 1)));
	open_around_stack(p, "allocation_context");
	return true;
}

/* "This conflicts with a previous write of size 4 by thread #2" */
static void
put_conflict(struct vg_log_process *p, struct text line)
{
	static const char words[] = " by thread #";
	size_t at = text_find(line, words);

	valgrind_log_end_stack(p);
	if (p->repeat)
		return;
	valgrind_log_open(p, "xauxwhat");
	valgrind_log_leaf(p, "text", line);
	if (at != TEXT_NOT_FOUND)
		valgrind_log_leaf(p, "hthreadid", text_from_at(line, at + sizeof(words) - 1));
	valgrind_log_close(p);
}

/* Handles a line at the left margin that continues the current record. */
static bool
take_continuation(struct vg_log_process *p, struct text line)
{
	if (!p->open)
		return false;
	if (text_begins(line, "Locks held: "))
		return true;
	if (text_begins(line, "This conflicts with a previous ")) {
		put_conflict(p, line);
		return true;
	}
	if (text_begins(line, "Other segment start")) {
		open_around_stack(p, "other_segment_start");
		return true;
	}
	if (text_begins(line, "Other segment end")) {
		open_around_stack(p, "other_segment_end");
		return true;
	}
	if (text_begins(line, "Observed (incorrect) order is") ||
		text_begins(line, "Required order was established") ||
		text_begins(line, "Allocation context: ")) {
		valgrind_log_end_stack(p);
		put_note(p, line);
		return true;
	}
	return take_allocation_context(p, line) || take_first_observed(p, line);
}

/* "1 errors in context 2 of 7:" */
static bool
take_repetition(struct vg_log_process *p, struct text line)
{
	uint64_t count;

	if (!scan_decimal(&line, &count) || !count || !scan_word(&line, " errors in context "))
		return false;
	p->repeat = count;
	/* Another error summary follows the list. */
	p->ended = false;
	return true;
}

static bool
begin_record(struct vg_log_process *p, struct text line)
{
	const char *kind = valgrind_log_leak(line);

	if (kind) {
		valgrind_log_begin_leak(p, kind, line);
		return true;
	}
	kind = valgrind_log_kind(line);
	if (kind) {
		valgrind_log_begin_error(p, kind, line);
		return true;
	}
	if (text_begins(line, "Process terminating with default action of signal "))
		valgrind_log_begin_signal(p, line);
	else if (text_begins(line, "Thread #"))
		valgrind_log_begin_thread(p, line);
	else if (text_begins(line, "Open "))
		valgrind_log_begin_open_file(p, line);
	else
		return false;
	return true;
}

/* --- sections ------------------------------------------------------------------------------------- */

static bool
take_section(struct vg_log_process *p, struct text line)
{
	if (text_begins(line, "HEAP SUMMARY:")) {
		p->section = VG_LOG_HEAP_SUMMARY;
		valgrind_log_open(p, "heap_summary");
	} else if (text_begins(line, "LEAK SUMMARY:")) {
		p->section = VG_LOG_LEAK_SUMMARY;
		/* The next leak records belong to another leak check. */
		p->document.last_loss = UINT64_MAX;
		strbuf_reset(&p->leak_totals);
	} else if (text_begins(line, "ERROR SUMMARY: ")) {
		if (!p->summed)
			valgrind_log_error_summary(p, line);
		p->summed = p->ended = true;
	} else if (text_begins(line, "All heap blocks were freed")) {
		p->document.no_leaks = true;
	} else {
		return false;
	}
	return true;
}

static void
take_in_section(struct vg_log_process *p, struct text line)
{
	if (p->section == VG_LOG_HEAP_SUMMARY) {
		valgrind_log_heap_total(p, line);
	} else if (p->section == VG_LOG_LEAK_SUMMARY) {
		strbuf_append_text(&p->leak_totals, text_trim(line));
		strbuf_append_char(&p->leak_totals, '\n');
	}
}

/* --- lines ------------------------------------------------------------------------------------------ */

static bool
is_frame(struct text line)
{
	return text_begins(line, "   at 0x") || text_begins(line, "   by 0x");
}

/* Returns whether a stack after this line would belong to an error. Valgrind and the tools also write
 * stacks after warnings. */
static bool
may_be_error(struct text line)
{
	return line.size && !text_begins(line, "Warning:") && !text_begins(line, "valgrind: ") &&
	       !text_begins(line, "-");
}

static bool
take_at_margin(struct vg_log_process *p, struct text line)
{
	strbuf_reset(&p->maybe);
	end_section(p);
	if (take_continuation(p, line))
		return true;
	if (!valgrind_log_end(p))
		return false;
	if (take_section(p, line) || take_thread(p, line) || take_repetition(p, line))
		return true;
	if (!begin_record(p, line) && may_be_error(line))
		strbuf_append_text(&p->maybe, line);
	return true;
}

static void
take_indented(struct vg_log_process *p, struct text line)
{
	struct text t = text_trim(line);

	if (p->section) {
		take_in_section(p, line);
		return;
	}
	if (!p->open || text_begins(t, "("))
		return;
	valgrind_log_end_stack(p);
	if (p->builder.record.element == VG_FATAL_SIGNAL && !p->stacks) {
		valgrind_log_leaf(p, "event", t);
		return;
	}
	if (text_begins(line, "   with error code "))
		valgrind_log_leaf(p, "what", t);
	else if (!text_begins(t, "<inherited from parent>"))
		put_note(p, t);
}

static void
take_frame_line(struct vg_log_process *p, struct text line)
{
	if (!p->open && p->maybe.size)
		valgrind_log_begin_error(p, "Other", strbuf_text(&p->maybe));
	strbuf_reset(&p->maybe);
	valgrind_log_frame(p, line);
}

/* "used_suppression:      1 known-leak ../src/known.supp:2" */
static bool
take_verbose(struct vg_log_process *p, struct text line)
{
	if (!p->summed || !scan_word(&line, "used_suppression:"))
		return true;
	if (!valgrind_log_end(p))
		return false;
	valgrind_log_suppression(p, line);
	return !p->builder.failed;
}

static bool
take_client_message(struct vg_log_process *p, struct text line)
{
	if (p->in_head)
		return true;
	strbuf_reset(&p->maybe);
	end_section(p);
	if (!valgrind_log_end(p))
		return false;
	valgrind_log_begin(p, "clientmsg", false);
	valgrind_log_leaf(p, "text", line);
	return true;
}

bool
valgrind_log_line(struct vg_log_process *p, char mark, struct text line)
{
	if (mark == '-')
		return take_verbose(p, line);
	if (mark == '*')
		return take_client_message(p, line);
	if (p->in_head && line.size) {
		strbuf_append_text(&p->preamble, line);
		strbuf_append_char(&p->preamble, '\n');
		return true;
	}
	if (!line.size) {
		end_head(p);
		end_section(p);
		strbuf_reset(&p->maybe);
		valgrind_log_end_stack(p);
		return !p->builder.failed;
	}
	if (is_frame(line)) {
		take_frame_line(p, line);
		return !p->builder.failed;
	}
	if (line.data[0] != ' ')
		return take_at_margin(p, line);
	take_indented(p, line);
	return !p->builder.failed;
}
