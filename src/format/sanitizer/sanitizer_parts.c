/* Classifies the lines inside a report. */
#include "sanitizer_private.h"

/* Matches a line that begins with `begins` and, unless `has` is NULL, contains `has`. */
struct pattern {
	const char *begins;
	const char *has;
	enum part_kind kind;
	const char *role;
};

/* The first match is used. */
static const struct pattern patterns[] = {
	{ "READ of size ", NULL, PART_MAIN, NULL },
	{ "WRITE of size ", NULL, PART_MAIN, NULL },
	{ "ACCESS of size ", NULL, PART_MAIN, NULL },
	{ "Read of size ", NULL, PART_MAIN, NULL },
	{ "Write of size ", NULL, PART_MAIN, NULL },
	{ "Atomic read of size ", NULL, PART_MAIN, NULL },
	{ "Atomic write of size ", NULL, PART_MAIN, NULL },
	{ "Previous ", " of size ", PART_STACK, "conflicting_access" },
	{ "freed by thread ", NULL, PART_STACK, "freed_at" },
	{ "freed here:", NULL, PART_STACK, "freed_at" },
	{ "deallocated by thread ", NULL, PART_STACK, "freed_at" },
	{ "previously allocated ", NULL, PART_STACK, "allocated_at" },
	{ "allocated by thread ", NULL, PART_STACK, "allocated_at" },
	{ "allocated here:", NULL, PART_STACK, "allocated_at" },
	{ "Thread T", "created by ", PART_THREAD, "thread_start" },
	{ "Address 0x", " is located in stack of thread ", PART_STACK, "other" },
	{ "Address 0x", NULL, PART_NOTE, NULL },
	{ "Uninitialized value was ", NULL, PART_STACK, "origin" },
	{ "Memory was marked ", NULL, PART_STACK, "origin" },
	{ "Uninitialized bytes in ", NULL, PART_NOTE, NULL },
	{ "[failed to restore the stack]", NULL, PART_NO_STACK, NULL },
	{ "As if synchronized via sleep:", NULL, PART_STACK, "other" },
	{ "Location is heap block of size ", " allocated by ", PART_STACK, "allocated_at" },
	{ "Location is file descriptor ", " created by ", PART_STACK, "opened_at" },
	{ "Location is file descriptor ", " destroyed by ", PART_STACK, "closed_at" },
	{ "Location is ", NULL, PART_NOTE, NULL },
	{ "Mutex M", " acquired here while holding mutex ", PART_STACK, "lock_later" },
	{ "Mutex M", " previously acquired by the same thread", PART_STACK, "lock_first" },
	{ "Mutex M", " created at:", PART_STACK, "other" },
	{ "Mutex M", NULL, PART_NOTE, NULL },
	{ "and:", NULL, PART_STACK, "lock_first" },
	{ "Cycle in lock order graph", NULL, PART_NOTE, NULL },
	{ "And ", " more similar ", PART_SIMILAR, NULL },
	{ "Direct leak of ", " byte(s) in ", PART_LEAK, NULL },
	{ "Indirect leak of ", " byte(s) in ", PART_LEAK, NULL },
	{ "Omitting ", " more leak", PART_OMITTED, NULL },
	{ "0x", " is located ", PART_NOTE, NULL },
	{ "0x", ": note: ", PART_NOTE, NULL },
	{ "The signal is caused by ", NULL, PART_NOTE, NULL },
	{ "Hint: ", NULL, PART_NOTE, NULL },
	{ "HINT: ", NULL, PART_NOTE, NULL },
	{ "object passed to delete has wrong type", NULL, PART_NOTE, NULL },
	{ "size of the ", "allocated type", PART_NOTE, NULL },
	{ "alignment of the ", "allocated type", PART_NOTE, NULL },
	{ "Cause: ", NULL, PART_NOTE, NULL },
	{ "This frame has ", " object(s)", PART_DETAIL, NULL },
	{ "These globals were registered at these points:", NULL, PART_NOTE, NULL },
	{ "Shadow bytes around ", NULL, PART_DETAIL, NULL },
	{ "Memory tags around ", NULL, PART_DETAIL, NULL },
	{ "=>0x", NULL, PART_DETAIL, NULL },
	{ "Register values:", NULL, PART_DETAIL, NULL },
	{ "ABORTING", NULL, PART_END, NULL },
	{ "Exiting", NULL, PART_END, NULL },
	{ NULL, NULL, PART_NONE, NULL },
};

/* Whether the line is a row of shadow memory, such as "0x0c047fff7fb0: 00 00[02]fa". */
static bool
is_shadow_row(struct text t)
{
	uint64_t address;

	return scan_hex(&t, &address) && scan_word(&t, ":") && t.size > 2 &&
	       (t.data[0] == ' ' || t.data[0] == '[') && char_hex_value(t.data[1]) >= 0 &&
	       char_hex_value(t.data[2]) >= 0;
}

/* Whether the line is a row of registers, such as "rax = 0x0000000000000000 rbx = ...". */
static bool
is_register_row(struct text t)
{
	size_t equals = text_find(t, " = 0x");

	return equals != TEXT_NOT_FOUND && equals >= 2 && equals <= 4;
}

/* Whether the line is a leaked block, such as "0x602000000010 (48 bytes)". */
static bool
is_leaked_block(struct text t)
{
	uint64_t address;
	uint64_t size;

	return scan_hex(&t, &address) && scan_word(&t, " (") && scan_decimal(&t, &size) &&
	       text_equal(t, TEXT_LITERAL(" bytes)"));
}

/* Classifies "[32, 64) 'k' (line 19)" (a variable of a frame), "[1] size=4 'dup' one.c:1:5" (a
 * global), and "[1]:" (before a stack). */
static void
bracketed(struct part *p)
{
	struct text t = p->text;
	uint64_t from;
	uint64_t to;

	if (!scan_word(&t, "[") || !scan_decimal(&t, &from))
		return;
	if (scan_word(&t, ", ") && scan_decimal(&t, &to) && text_begins(t, ") "))
		p->kind = PART_DETAIL;
	else if (text_begins(t, "] size="))
		p->kind = PART_NOTE;
	else if (text_equal(t, TEXT_LITERAL("]:"))) {
		p->kind = PART_STACK;
		p->role = "other";
	}
}

/* Removes "==123==" from the front. */
static void
take_pid(struct part *p)
{
	struct text t = p->text;

	if (!scan_word(&t, "==") || !scan_decimal(&t, &p->pid) || !scan_word(&t, "=="))
		return;
	p->has_pid = true;
	p->text = text_trim(t);
}

/* Classifies lines that have no fixed first word. */
static void
by_shape(struct part *p)
{
	if (p->text.data[0] == '[')
		bracketed(p);
	else if (text_begins(p->text, "0x") && is_leaked_block(p->text))
		p->kind = PART_LEAKED;
	else if (is_register_row(p->text) || (text_begins(p->text, "0x") && is_shadow_row(p->text)))
		p->kind = PART_DETAIL;
}

void
sanitizer_part(struct text content, struct part *p)
{
	struct text t;
	uint64_t number;

	*p = (struct part){ .kind = PART_NONE, .text = text_trim(content) };
	take_pid(p);
	t = p->text;
	if (!t.size) {
		p->kind = PART_BLANK;
		return;
	}
	if (t.data[0] == '#' && sanitizer_frame_number(&t, &number)) {
		p->kind = PART_FRAME;
		return;
	}
	for (const struct pattern *q = patterns; q->begins; q++)
		if (text_begins(p->text, q->begins) &&
			(!q->has || text_find(p->text, q->has) != TEXT_NOT_FOUND)) {
			p->kind = q->kind;
			p->role = q->role;
			return;
		}
	by_shape(p);
}
