/* Makes records from the lines of valgrind's text; see valgrind_log.h. */
#include "base/array.h"
#include "base/hash.h"
#include "format/common/text_scan.h"
#include "valgrind_log.h"

enum {
	MAX_KNOWN_FRAMES = 1024 * 1024,
};

/* --- elements --------------------------------------------------------------------------- */

void
valgrind_log_open(struct vg_log_process *p, const char *name)
{
	valgrind_builder_start(&p->builder, valgrind_element(name), name, p->offset);
}

void
valgrind_log_close(struct vg_log_process *p)
{
	valgrind_builder_end(&p->builder, p->offset);
}

void
valgrind_log_leaf(struct vg_log_process *p, const char *name, struct text value)
{
	bool bad = false;

	if (text_is_null(value))
		return;
	value = line_clean(p->document.in->lines, value, &bad);
	valgrind_log_open(p, name);
	valgrind_builder_text(&p->builder, value.data, value.size);
	valgrind_log_close(p);
}

static void
leaf_number(struct vg_log_process *p, const char *name, uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value);
	valgrind_log_leaf(p, name, text_from(digits));
}

/* --- frames --------------------------------------------------------------------------------- */

/* Splits "FUNCTION (PLACE)" at the last opening bracket that follows a blank. Returns false if the
 * place is missing. */
static bool
split_place(struct text t, struct text *function, struct text *place)
{
	size_t at;

	*function = t;
	*place = TEXT_NULL;
	if (!t.size || t.data[t.size - 1] != ')')
		return false;
	at = text_opening_bracket(t);
	if (at == TEXT_NOT_FOUND || !at || t.data[at - 1] != ' ')
		return false;
	*function = text_up_to(t, at - 1);
	*place = text_from_at(text_up_to(t, t.size - 1), at + 1);
	return true;
}

static void
put_place(struct vg_log_process *p, struct text place)
{
	size_t at = place.size;
	struct text digits;
	uint64_t line;

	if (scan_word(&place, "in ")) {
		valgrind_log_leaf(p, "obj", place);
		return;
	}
	while (at && char_is_digit(place.data[at - 1]))
		at--;
	digits = text_from_at(place, at);
	if (at > 1 && place.data[at - 1] == ':' && scan_decimal(&digits, &line)) {
		valgrind_log_leaf(p, "file", text_up_to(place, at - 1));
		leaf_number(p, "line", line);
	} else {
		valgrind_log_leaf(p, "file", place);
	}
}

/* Emits the frame "0xADDRESS: FUNCTION (PLACE)". */
static void
put_frame(struct vg_log_process *p, struct text t)
{
	struct text address = t;
	struct text function, place;
	uint64_t number;

	if (scan_hex(&t, &number))
		address.size -= t.size;
	if (!scan_word(&t, ": "))
		t = TEXT_NULL;
	/* Without a place, the whole text is the function. */
	split_place(t, &function, &place);
	valgrind_log_open(p, "frame");
	valgrind_log_leaf(p, "ip", address);
	if (!text_equal(function, TEXT_LITERAL("???")))
		valgrind_log_leaf(p, "fn", function);
	if (!text_is_null(place))
		put_place(p, place);
	valgrind_log_close(p);
}

/* Adds a frame. If the same text occurred before, it is not parsed again. */
static void
take_frame(struct vg_log_process *p, struct text t)
{
	struct vg_document *d = &p->document;
	struct vg_builder *b = &p->builder;
	uint32_t known = pair_map_get_bytes(&d->frame_index, t.data, t.size);
	uint64_t before = b->frames_ended;

	if (known != PAIR_MAP_NONE) {
		valgrind_builder_frame(b, d->known_frames[known]);
		return;
	}
	put_frame(p, t);
	if (b->frames_ended == before || b->broken || d->known_count == MAX_KNOWN_FRAMES)
		return;
	pair_map_add_bytes(&d->frame_index, t.data, t.size, (uint32_t)d->known_count, NULL);
	*ARRAY_ADD(d->known_frames, d->known_count, d->known_room) = b->last_frame;
}

static void
add_to_hash(struct vg_log_process *p, struct text t)
{
	p->hash = hash128_seeded(t.data, t.size, p->hash).low;
}

void
valgrind_log_frame(struct vg_log_process *p, struct text line)
{
	struct text t = text_from_at(line, sizeof("   at ") - 1);

	if (!p->open)
		return;
	if (p->stacks <= 1 && (p->in_stack || !p->stacks))
		add_to_hash(p, t);
	if (!p->in_stack) {
		p->in_stack = true;
		p->stacks++;
		if (!p->repeat)
			valgrind_log_open(p, "stack");
	}
	if (!p->repeat)
		take_frame(p, t);
}

void
valgrind_log_end_stack(struct vg_log_process *p)
{
	if (p->in_stack && !p->repeat)
		valgrind_log_close(p);
	p->in_stack = false;
	if (p->wrapped)
		valgrind_log_close(p);
	p->wrapped = false;
}

/* --- records ---------------------------------------------------------------------------------- */

void
valgrind_log_begin(struct vg_log_process *p, const char *element, bool needs_stack)
{
	p->open = true;
	p->stacks = 0;
	p->needs_stack = needs_stack;
	p->hash = 0;
	if (!p->repeat && element)
		valgrind_log_open(p, element);
}

/* The number after "thread #" in the text. */
static bool
thread_number(struct text t, uint64_t *number)
{
	size_t at = text_find(t, "hread #");

	t = text_from_at(t, at == TEXT_NOT_FOUND ? t.size : at + sizeof("hread #") - 1);
	return scan_decimal(&t, number);
}

/* Adds valgrind's thread number and the thread's name, unless the error has a thread number from helgrind
 * (own_number). */
static void
put_thread(struct vg_log_process *p, bool own_number)
{
	if (own_number)
		return;
	leaf_number(p, "tid", (uint64_t)p->tid);
	if (p->thread_name.size)
		valgrind_log_leaf(p, "threadname", strbuf_text(&p->thread_name));
}

/* --- errors and leaks ------------------------------------------------------------------------ */

void
valgrind_log_begin_error(struct vg_log_process *p, const char *kind, struct text what)
{
	char unique[24];
	uint64_t thread;
	bool numbered = thread_number(what, &thread);

	valgrind_log_begin(p, "error", true);
	add_to_hash(p, what);
	if (p->repeat)
		return;
	snprintf(unique, sizeof(unique), "0x%x", p->errors);
	valgrind_log_leaf(p, "unique", text_from(unique));
	put_thread(p, numbered);
	valgrind_log_leaf(p, "kind", text_from(kind));
	valgrind_log_open(p, "xwhat");
	valgrind_log_leaf(p, "text", what);
	if (numbered)
		leaf_number(p, "hthreadid", thread);
	valgrind_log_close(p);
}

void
valgrind_log_begin_leak(struct vg_log_process *p, const char *kind, struct text what)
{
	valgrind_log_begin(p, "error", true);
	put_thread(p, false);
	valgrind_log_leaf(p, "kind", text_from(kind));
	valgrind_log_open(p, "xwhat");
	valgrind_log_leaf(p, "text", what);
	valgrind_log_close(p);
}

void
valgrind_log_begin_signal(struct vg_log_process *p, struct text line)
{
	static const char words[] = "default action of signal ";
	size_t at = text_find(line, words);
	uint64_t number;

	valgrind_log_begin(p, "fatal_signal", false);
	put_thread(p, false);
	line = text_from_at(line, at == TEXT_NOT_FOUND ? line.size : at + sizeof(words) - 1);
	if (!scan_decimal(&line, &number))
		return;
	leaf_number(p, "signo", number);
	if (scan_word(&line, " (") && text_ends(line, ")"))
		valgrind_log_leaf(p, "signame", text_up_to(line, line.size - 1));
}

void
valgrind_log_begin_thread(struct vg_log_process *p, struct text line)
{
	uint64_t number;

	valgrind_log_begin(p, "announcethread", false);
	if (thread_number(line, &number))
		leaf_number(p, "hthreadid", number);
	if (text_ends(line, "is the program's root thread"))
		valgrind_log_leaf(p, "isrootthread", TEXT_LITERAL(""));
}

/* "Open file descriptor 4: /etc/hostname", "Open AF_INET socket 9: 1.2.3.4 <-> unbound" */
void
valgrind_log_begin_open_file(struct vg_log_process *p, struct text line)
{
	size_t at = text_find(line, ":");
	struct text t = text_up_to(line, at);
	uint64_t fd;

	/* For an open file, older versions write no record to XML, only a stack. */
	if (!p->files_are_errors) {
		valgrind_log_begin(p, NULL, false);
		return;
	}
	valgrind_log_begin(p, "error", false);
	put_thread(p, false);
	valgrind_log_leaf(p, "kind", TEXT_LITERAL("FdNotClosed"));
	while (t.size && char_is_digit(t.data[t.size - 1]))
		t.size--;
	t = (struct text){ t.data + t.size, (at < line.size ? at : line.size) - t.size };
	if (scan_decimal(&t, &fd))
		leaf_number(p, "fd", fd);
	if (at < line.size && !text_is_empty(text_trim(text_from_at(line, at + 1))))
		valgrind_log_leaf(p, "path", text_trim(text_from_at(line, at + 1)));
	valgrind_log_leaf(p, "what", line);
}

/* Ends an error in the list at the end of the log. In this list, valgrind repeats each error and adds its
 * count. Stores the count for the earlier record of the same error. */
static bool
end_repetition(struct vg_log_process *p)
{
	uint32_t unique = pair_map_get(&p->uniques, (int64_t)p->hash, 0);

	p->document.counts_known = true;
	if (unique != PAIR_MAP_NONE)
		valgrind_count_add(&p->document, unique, p->repeat);
	p->repeat = 0;
	return true;
}

static bool
drop_record(struct vg_log_process *p, const char *why)
{
	valgrind_builder_restart(&p->builder, true);
	return valgrind_issue(&p->document, ISSUE_RECORD_BROKEN, p->line, p->offset,
		"a record is left out: %s", why);
}

bool
valgrind_log_end(struct vg_log_process *p)
{
	struct vg_builder *b = &p->builder;

	if (!p->open)
		return true;
	valgrind_log_end_stack(p);
	p->open = false;
	if (p->repeat)
		return end_repetition(p);
	if (b->failed)
		return false;
	if (b->broken)
		return drop_record(p, b->broken);
	if (p->needs_stack && !p->stacks)
		return drop_record(p, "it has no stack");
	if (b->record.element == VG_ERROR)
		pair_map_add(&p->uniques, (int64_t)p->hash, 0, p->errors++, NULL);
	/* A stack that belongs to no error is a record of its own, and is already closed. */
	if (b->depth > 1)
		valgrind_log_close(p);
	return !b->failed;
}
