/* Adds lines to an open report. */
#include "base/array.h"
#include "sanitizer_state.h"

#include <stdlib.h>

/* --- a report's life --------------------------------------------------------------- */

static struct text
keep(struct report *r, struct text t)
{
	return arena_text(&r->arena, t);
}

static void
begin_stack(struct report *r, const char *role, struct text description, uint64_t thread)
{
	r->stack_open = true;
	r->stack = (struct report_stack){
		.role = role, .description = keep(r, description), .thread = thread
	};
	r->thread_of_stack = SIZE_MAX;
	r->frame_count = 0;
}

static void
add_region(struct report *r, uint64_t pc)
{
	for (size_t i = 0; i < r->region_count; i++)
		if (r->regions[i] == pc >> REGION_BITS)
			return;
	if (pc && r->region_count < REGIONS_MAX)
		r->regions[r->region_count++] = pc >> REGION_BITS;
}

static void
init_text(struct report *r, const struct head *h)
{
	struct named_thread t;
	struct text pc;
	uint64_t address;

	r->tool = keep(r, h->tool);
	r->bug = keep(r, sanitizer_bug(h));
	r->description = keep(r, h->message);
	pc = text_from_at(h->message, text_find(h->message, "pc 0x"));
	if (scan_word(&pc, "pc ") && scan_hex(&pc, &address)) {
		r->pc = address;
		add_region(r, address);
	}
	if (h->kind == HEAD_REPORT && sanitizer_thread(h->message, &t)) {
		r->thread = t.number;
		r->threads[r->thread_count++] =
			(struct report_thread){ .id = { t.number, keep(r, t.name) },
				.os_thread_id = MODEL_NULL };
	}
}

/* Keeps the place of a runtime error. It serves as the stack if no stack is printed. */
static bool
push_place(struct sanitizer *s, struct report *r, const struct head *h)
{
	struct frame f = { .line = MODEL_NULL, .start_line = MODEL_NULL, .file = h->place };
	int64_t column;

	scan_last_place(&f.file, &f.line, &column);
	r->prologue = keep(r, h->place);
	if (text_equal(f.file, TEXT_LITERAL("<unknown>")))
		f.file = TEXT_NULL;
	ARRAY_RESERVE(r->frames, r->frame_room, 1);
	return frame_intern(s->frames, &f, &r->frames[0], s->in.err);
}

struct report *
report_new(struct sanitizer *s, const struct head *h, struct text line)
{
	struct report *r = xcalloc(1, sizeof(*r));

	r->arena = ARENA_INIT;
	r->fresh = true;
	r->kind = h->kind;
	r->has_pid = h->has_pid;
	r->pid = h->pid;
	r->warning = h->warning;
	r->line = s->in.line.number;
	r->heard = s->in.line.number;
	r->offset = s->in.line.offset;
	r->thread = NO_THREAD;
	r->count = 1;
	r->threads = xcalloc(REPORT_THREADS_MAX, sizeof(*r->threads));
	strbuf_init(&r->prefix, SIZE_MAX / 2);
	strbuf_init(&r->access, 4096);
	strbuf_init(&r->top, TOP_MAX_BYTES);
	strbuf_init(&r->notes, NOTES_MAX_BYTES);
	strbuf_init(&r->detail, DETAIL_MAX_BYTES);
	strbuf_init(&r->leaked, NOTES_MAX_BYTES);
	log_prefix_make(&r->prefix, text_up_to(line, h->start));
	init_text(r, h);
	if (h->kind != HEAD_LEAKS)
		begin_stack(r, NULL, TEXT_NULL, NO_THREAD);
	if (h->kind != HEAD_UNDEFINED || push_place(s, r, h))
		return r;
	report_free(r);
	return NULL;
}

void
report_free(struct report *r)
{
	if (!r)
		return;
	strbuf_release(&r->prefix);
	strbuf_release(&r->access);
	strbuf_release(&r->top);
	strbuf_release(&r->notes);
	strbuf_release(&r->detail);
	strbuf_release(&r->leaked);
	free(r->threads);
	free(r->stacks);
	free(r->frames);
	arena_release(&r->arena);
	free(r);
}

/* --- stacks ------------------------------------------------------------------------ */

bool
report_expects(const struct report *r, uint64_t number)
{
	return r->stack_open && number == r->frame_count;
}

static bool
keep_stack(struct report *r)
{
	if (r->stack_count >= REPORT_STACKS_MAX)
		return false;
	*ARRAY_ADD(r->stacks, r->stack_count, r->stack_room) = r->stack;
	return true;
}

static bool
finish_frames(struct sanitizer *s, struct report *r)
{
	stack_begin(s->frames);
	for (size_t i = 0; i < r->frame_count; i++)
		stack_push_numbers(s->frames, r->frames[i]);
	r->stack.depth = r->frame_count;
	return stack_end_reported(s->frames, &s->in, &r->stack.number);
}

bool
report_end_stack(struct sanitizer *s, struct report *r)
{
	if (!r->stack_open)
		return true;
	/* Without a printed stack, the place of the runtime error is used as the stack. */
	if (!r->frame_count && !r->stack.role && r->kind == HEAD_UNDEFINED)
		r->frame_count = 1;
	r->stack_open = false;
	if (r->stack.unknown) {
		s->unknown++;
		r->frame_count = 0;
		r->class_name = r->class_module = TEXT_NULL;
	} else if (!r->frame_count && !(r->stack.role && r->stack.number)) {
		return true;
	}
	if (!finish_frames(s, r))
		return false;
	/* The leak continues after its stack, so it is emitted later. */
	if (r->kind == HEAD_LEAKS) {
		r->leak_stack = r->stack.number;
		r->leak_depth = r->stack.depth;
		return true;
	}
	if (r->thread_of_stack != SIZE_MAX) {
		struct report_thread *t = &r->threads[r->thread_of_stack];

		t->created = true;
		t->stack = r->stack.number;
		t->description = r->stack.description;
		/* In a report of a leaked thread, the creation stack is the main stack. */
		if (r->main_seen || !text_equal(r->bug, TEXT_LITERAL("thread leak")))
			return true;
		r->stack.role = NULL;
	}
	r->main_seen |= !r->stack.role;
	keep_stack(r);
	return true;
}

/* A leak's class: "malloc" for "__interceptor_malloc", "operator new" for "operator new(int)". */
static struct text
allocator_name(struct text function)
{
	static const char *const prefixes[] = { "__interceptor_trampoline_", "___interceptor_",
		"__interceptor_", "__GI___", "__GI_", "wrap_", NULL };
	size_t bracket;

	for (const char *const *p = prefixes; *p; p++)
		if (scan_word(&function, *p))
			break;
	bracket = text_find(function, "(");
	return bracket ? text_up_to(function, bracket) : function;
}

static void
note_class(struct report *r, const struct frame *f)
{
	bool named = !text_is_empty(f->function);

	if (r->frame_count == 0) {
		r->class_name = named ? keep(r, allocator_name(f->function)) : TEXT_NULL;
		r->class_module = TEXT_NULL;
		r->has_module = false;
		return;
	}
	if (r->has_module || (named && is_allocator(f->function)))
		return;
	r->has_module = true;
	r->class_module = keep(r, f->module);
}

static void
note_application(struct sanitizer *s, const struct frame *f)
{
	if (!s->application.data && !text_is_empty(f->module) &&
		(text_equal(f->function, TEXT_LITERAL("main")) ||
			text_equal(f->function, TEXT_LITERAL("_start"))))
		s->application = arena_text(&s->arena, f->module);
}

static bool
add_frame(struct sanitizer *s, struct report *r, struct text line)
{
	struct frame_numbers numbers;
	struct frame f;
	struct text build_id;
	uint64_t pc;

	if (!sanitizer_frame(line, &f, &build_id, &pc))
		return true;
	add_region(r, pc);
	if (!r->stack.role && !r->main_seen && r->top.size + line.size < TOP_MAX_BYTES) {
		strbuf_append_text(&r->top, line);
		strbuf_append_char(&r->top, '\n');
	}
	if (!frame_intern(s->frames, &f, &numbers, s->in.err))
		return false;
	if (r->kind == HEAD_LEAKS)
		note_class(r, &f);
	note_application(s, &f);
	*ARRAY_ADD(r->frames, r->frame_count, r->frame_room) = numbers;
	return true;
}

/* --- parts ------------------------------------------------------------------------- */

/* Adds the thread to the report, if it is new. Returns its index, or SIZE_MAX if the report has too
 * many threads. */
static size_t
add_thread(struct report *r, const struct named_thread *id)
{
	size_t i;

	for (i = 0; i < r->thread_count; i++)
		if (r->threads[i].id.number == id->number)
			break;
	if (i == REPORT_THREADS_MAX)
		return SIZE_MAX;
	if (i == r->thread_count) {
		r->threads[i] = (struct report_thread){ .id = { id->number, TEXT_NULL },
			.os_thread_id = MODEL_NULL };
		r->thread_count++;
	}
	if (!r->threads[i].id.name.data)
		r->threads[i].id.name = keep(r, id->name);
	return i;
}

static uint64_t
thread_in(struct report *r, struct text t)
{
	struct named_thread id;

	if (!sanitizer_thread(t, &id))
		return NO_THREAD;
	add_thread(r, &id);
	return id.number;
}

/* Parses "READ of size 4 at 0x602 thread T0": access, size and address. */
static void
add_access(struct report *r, struct text line)
{
	size_t of = text_find(line, " of size ");
	struct text rest;
	uint64_t v;

	if (of == TEXT_NOT_FOUND || r->access.size)
		return;
	members_text(&r->access, "access", text_up_to(line, of));
	rest = text_from_at(line, of + strlen(" of size "));
	if (scan_decimal(&rest, &v))
		members_number(&r->access, "access_size", v);
	if (scan_word(&rest, " at ")) {
		struct text digits = rest;

		if (scan_hex(&digits, &v))
			members_text(
				&r->access, "address", text_up_to(rest, rest.size - digits.size));
	}
}

static void
add_detail(struct report *r, struct text t)
{
	if (r->detail.size + t.size + 1 > r->detail.max)
		return;
	if (r->detail.size)
		strbuf_append_char(&r->detail, '\n');
	strbuf_append_text(&r->detail, t);
}

/* Adds a line such as "READ of size ...". The report's first stack may precede or follow this line. */
static void
add_main(struct report *r, struct text line)
{
	uint64_t thread = thread_in(r, line);

	if (r->thread == NO_THREAD)
		r->thread = thread;
	add_access(r, line);
	if (text_find(line, "mutexes:") != TEXT_NOT_FOUND)
		members_element(&r->notes, line);
	if (!r->main_seen && !r->stack_open)
		begin_stack(r, NULL, TEXT_NULL, NO_THREAD);
}

static bool
add_stack(struct sanitizer *s, struct report *r, const struct part *p)
{
	const char *role = p->role;
	uint64_t thread = thread_in(r, p->text);

	if (!report_end_stack(s, r))
		return false;
	/* In a lock cycle, the main stack is the first stack. */
	if (!r->main_seen && strcmp(role, "lock_later") == 0) {
		role = NULL;
		if (r->thread == NO_THREAD)
			r->thread = thread;
		members_element(&r->notes, p->text);
	}
	/* A report of clashing globals has only the stacks of the two globals. */
	if (!r->main_seen && text_begins(p->text, "[1]"))
		role = NULL;
	begin_stack(r, role, p->text, thread);
	r->stack.unknown = p->doubtful;
	return true;
}

/* Adds "Thread T1 'worker' (tid=123, running) created by main thread at:". */
static bool
add_thread_stack(struct sanitizer *s, struct report *r, const struct part *p)
{
	struct named_thread id;
	struct text tid = text_from_at(p->text, text_find(p->text, "(tid="));
	bool added;
	uint64_t os;
	size_t i;

	if (!report_end_stack(s, r))
		return false;
	if (!sanitizer_created_thread(p->text, &id))
		return true;
	i = add_thread(r, &id);
	begin_stack(r, p->role, p->text, NO_THREAD);
	r->stack.unknown = p->doubtful;
	r->thread_of_stack = i;
	if (i == SIZE_MAX) {
		r->stack_open = false;
		return true;
	}
	if (scan_word(&tid, "(tid=") && scan_decimal(&tid, &os) && os < INT64_MAX) {
		r->threads[i].os_thread_id = (int64_t)os;
		if (r->has_pid && r->pid < UINT32_MAX && !p->doubtful)
			pair_map_add(&s->tid_pids, (int64_t)os, 0, (uint32_t)r->pid, &added);
	}
	/* The leaked thread is the report's thread, even if its stack is missing. */
	if (text_equal(r->bug, TEXT_LITERAL("thread leak")) && r->thread == NO_THREAD)
		r->thread = id.number;
	return true;
}

/* Begins a leak at "Direct leak of 48 byte(s) in 1 object(s) allocated from:". */
static bool
add_leak(struct sanitizer *s, struct report *r, const struct part *p)
{
	struct text t = p->text;

	if (!report_end_stack(s, r) || !sanitizer_emit_leak(s, r))
		return false;
	if (r->kind != HEAD_LEAKS)
		return true;
	r->direct = scan_word(&t, "Direct leak of ");
	if (!r->direct)
		scan_word(&t, "Indirect leak of ");
	if (!scan_decimal(&t, &r->leak_bytes) || !scan_word(&t, " byte(s) in ") ||
		!scan_decimal(&t, &r->leak_blocks) || r->leak_bytes > INT64_MAX ||
		r->leak_blocks > INT64_MAX)
		return reader_issue(&s->in, ISSUE_NUMBER_RANGE,
			"leak left out: its size or count is not a number of 63 bits");
	r->leak_open = true;
	r->leak_line = s->in.line.number;
	r->leak_stack = 0;
	r->leak_depth = 0;
	r->class_name = TEXT_NULL;
	r->class_module = TEXT_NULL;
	strbuf_reset(&r->leaked);
	begin_stack(r, NULL, TEXT_NULL, NO_THREAD);
	r->stack.unknown = p->doubtful;
	return true;
}

static void
add_similar(struct report *r, struct text t)
{
	uint64_t more;

	if (scan_word(&t, "And ") && scan_decimal(&t, &more) && more < INT32_MAX)
		r->count = 1 + (int64_t)more;
}

bool
report_add(struct sanitizer *s, struct report *r, const struct part *p)
{
	r->fresh = false;
	r->quiet = 0;
	if (p->kind != PART_BLANK)
		r->heard = s->in.line.number;
	switch (p->kind) {
	case PART_FRAME:
		return add_frame(s, r, p->text);
	case PART_BLANK:
		/* A blank line may separate a head from its stack. */
		return !r->frame_count || report_end_stack(s, r);
	case PART_STACK:
		return add_stack(s, r, p);
	case PART_THREAD:
		return add_thread_stack(s, r, p);
	case PART_MAIN:
		add_main(r, p->text);
		return true;
	case PART_NO_STACK:
		if (r->stack.role && r->stack_open && r->thread_of_stack == SIZE_MAX)
			keep_stack(r);
		r->stack_open = false;
		return true;
	case PART_NOTE:
		r->located |= text_find(p->text, " is located ") != TEXT_NOT_FOUND;
		members_element(&r->notes, p->text);
		return true;
	case PART_DETAIL:
		add_detail(r, p->text);
		return true;
	case PART_LEAK:
		return add_leak(s, r, p);
	case PART_LEAKED:
		members_element(&r->leaked, text_up_to(p->text, text_find(p->text, " ")));
		return true;
	case PART_OMITTED:
		r->omitted = true;
		return reader_issue(&s->in, ISSUE_SUMMARY, "the tool omitted leaks: %.*s",
			text_precision(p->text, 80), p->text.data);
	case PART_SIMILAR:
		add_similar(r, p->text);
		return true;
	case PART_END:
		r->aborted = text_equal(p->text, TEXT_LITERAL("ABORTING"));
		return true;
	case PART_NONE:
		break;
	}
	return true;
}
