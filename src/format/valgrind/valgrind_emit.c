/* Emits the rows of errors, leaks, open files, signals and threads. */
#include "valgrind_facts.h"

enum {
	WAITING_MAX_BYTES = 8 * 1024 * 1024,
	MAX_FURTHER = 64, /* stacks per record; further stacks are left out */
};

struct further {
	const char *role;
	struct text description;
	int64_t thread; /* or VG_NO_THREAD */
	stack_number stack;
};

/* The emitted stacks of a record. */
struct stacks {
	const struct vg_stack *top; /* the first stack of the record, or NULL */
	stack_number first;
	size_t depth;
	struct further further[MAX_FURTHER];
	size_t count;
};

/* An error whose count is not known yet. */
struct vg_waiting {
	struct vg_waiting *next;
	struct text name, description, attributes;
	bool has_unique;
	uint64_t unique;
	int64_t thread;
	stack_number stack;
	size_t depth;
	struct further *further;
	size_t further_count;
};

/* --- stacks --------------------------------------------------------------------------- */

static bool
emit_record_stack(struct vg_document *d, const struct vg_record *r, const struct vg_stack *stack,
	stack_number *number, size_t *depth)
{
	stack_begin(d->frames);
	for (size_t i = 0; i < stack->count; i++)
		stack_push_numbers(d->frames, r->frames[stack->first + i].numbers);
	*depth = stack->count;
	d->in->line.offset = r->offset;
	return stack_end_reported(d->frames, d->in, number);
}

/* Sets the stack's role and description, usually from the note before the stack. */
static void
name_stack(const struct vg_stack *s, size_t leaves_before, struct vg_facts *f,
	struct further *further, int64_t *hthread)
{
	struct vg_note *n = NULL;

	*hthread = MODEL_NULL;
	further->role = "other";
	for (size_t i = 0; i < f->note_count; i++)
		if (f->notes[i].leaf >= leaves_before && f->notes[i].leaf < s->leaves)
			n = &f->notes[i];
	if (n) {
		n->used = text_is_null(n->file);
		*hthread = n->hthread;
		further->description = n->text;
		further->role =
			s->parent == VG_FIRST_OBSERVED ? "lock_first" : valgrind_role(n->text);
	}
	if (s->parent == VG_ALLOCATION)
		further->role = "allocated_at";
	if (s->parent != VG_OTHER_START && s->parent != VG_OTHER_END)
		return;
	further->role = "conflicting_access";
	further->description = s->parent == VG_OTHER_START ? TEXT_LITERAL("Other segment start")
							   : TEXT_LITERAL("Other segment end");
}

static bool
add_further(struct vg_document *d, const struct vg_record *r, const struct vg_stack *s,
	size_t leaves_before, struct vg_facts *f, struct stacks *out)
{
	struct further *to = &out->further[out->count];
	int64_t hthread;
	size_t depth;

	if (out->count == MAX_FURTHER)
		return true;
	*to = (struct further){ .thread = VG_NO_THREAD };
	name_stack(s, leaves_before, f, to, &hthread);
	if (hthread != MODEL_NULL)
		to->thread = valgrind_thread(&d->threads, MODEL_NULL, hthread, TEXT_NULL);
	out->count++;
	return emit_record_stack(d, r, s, &to->stack, &depth);
}

/* Emits the record's first stack, and the other stacks with their roles. */
static bool
emit_stacks(
	struct vg_document *d, const struct vg_record *r, struct vg_facts *f, struct stacks *out)
{
	size_t leaves_before = 0;

	out->top = NULL;
	out->first = 0;
	out->depth = 0;
	out->count = 0;
	for (size_t i = 0; i < r->stack_count; i++) {
		const struct vg_stack *s = &r->stacks[i];
		bool own = s->parent == VG_ERROR || s->parent == VG_FATAL_SIGNAL;

		if (own && !out->top) {
			out->top = s;
			if (!emit_record_stack(d, r, s, &out->first, &out->depth))
				return false;
		} else if (s->count && !add_further(d, r, s, leaves_before, f, out)) {
			return false;
		}
		leaves_before = s->leaves;
	}
	return true;
}

static bool
emit_further(struct vg_document *d, enum stack_owner owner, int64_t id, const struct further *all,
	size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct further_stack_row row = { .owner = owner,
			.owner_id = id,
			.position = (int64_t)i + 1,
			.role = text_from(all[i].role),
			.description = all[i].description,
			.thread_id = all[i].thread == VG_NO_THREAD ? MODEL_NULL : all[i].thread,
			.stack = all[i].stack };

		if (!emit_further_stack(d->in, &row))
			return false;
	}
	return true;
}

/* Emits the threads of the record and of its stacks. */
static bool
emit_threads_of(struct vg_document *d, int64_t own, const struct further *all, size_t count)
{
	bool ok = valgrind_thread_emit(&d->threads, own, d->in);

	for (size_t i = 0; ok && i < count; i++)
		ok = valgrind_thread_emit(&d->threads, all[i].thread, d->in);
	return ok;
}

/* --- leaks and open files ------------------------------------------------------------- */

/* "operator new[](unsigned long)" becomes "operator new[]". */
static struct text
without_parameters(struct text function)
{
	for (size_t i = 0; i < function.size; i++)
		if (function.data[i] == '(' || function.data[i] == '@')
			return text_trim((struct text){ function.data, i });
	return function;
}

static bool
class_of(struct vg_document *d, const struct vg_record *r, const struct vg_stack *top,
	struct text name, int64_t *class_id)
{
	struct text module = TEXT_NULL;

	for (size_t i = 0; top && i < top->count; i++) {
		const struct vg_routine *f =
			&d->routines[r->frames[top->first + i].numbers.routine];

		if (i == 0 && text_is_null(name))
			name = f->allocates ? without_parameters(f->function) : f->function;
		if (f->allocates || f->preloaded)
			continue;
		module = f->module;
		break;
	}
	if (text_is_empty(name))
		name = TEXT_LITERAL("??");
	return class_intern(d->frames, name, module, class_id, d->in->err);
}

static bool
emit_leak_object(struct vg_document *d, const struct vg_record *r, struct object_row *row,
	struct text class_name, const struct vg_facts *f, const struct stacks *stacks)
{
	int64_t thread = valgrind_thread(
		&d->threads, valgrind_number_or_null(f->tid), f->hthread, f->thread_name);

	row->id = row->rec_id = d->objects++;
	row->parent_id = -1;
	row->number = number_from_int64(row->id + 1);
	row->thread_id = thread == VG_NO_THREAD ? MODEL_NULL : thread;
	row->stack = stacks->first;
	stack_ids(d->frames, OWNER_OBJECT, stacks->depth, &row->stack_first_id);
	row->attributes = members_end(&d->attributes);
	return emit_threads_of(d, thread, stacks->further, stacks->count) &&
	       class_of(d, r, stacks->top, class_name, &row->class_id) && emit_object(d->in, row) &&
	       emit_further(d, OWNER_OBJECT, row->id, stacks->further, stacks->count);
}

/* Reads the numbers of bytes and blocks from the text, or from the elements if there is no text. In files
 * that valgrind itself did not write, the element for the bytes states the size of one block. Such files are
 * recognised by <unique> numbers that are not hexadecimal. */
static void
measure_leak(const struct vg_facts *f, struct vg_leak_text *leak)
{
	bool own = text_is_null(f->unique) ||
		   (f->unique.size > 2 && memcmp(f->unique.data, "0x", 2) == 0);
	uint64_t n;

	if (!text_is_null(f->what) && valgrind_leak_text(f->what, leak))
		return;
	*leak = (struct vg_leak_text){ .blocks = 1 };
	if (valgrind_number(f->blocks, &n))
		leak->blocks = n;
	if (valgrind_number(f->bytes, &n))
		leak->total = n;
	if (!own && leak->blocks && leak->total <= UINT64_MAX / leak->blocks)
		leak->total *= leak->blocks;
}

static bool
emit_leak(struct vg_document *d, const struct vg_record *r, const struct vg_facts *f,
	const struct stacks *stacks)
{
	enum vg_leak sum;
	const char *kind = valgrind_leak_kind(f->kind, &sum);
	struct object_row row = { .address = NUMBER_NULL, .leak_kind = text_from(kind) };
	struct vg_leak_text leak;

	measure_leak(f, &leak);
	/* If the program requested leak searches, the record numbers restart with each search. */
	if (leak.record && d->last_loss &&
		(leak.record <= d->last_loss || leak.records != d->loss_records)) {
		d->leak_check++;
		for (int i = 0; i < VG_LEAKS; i++)
			d->leaks[i].bytes = d->leaks[i].blocks = d->leaks[i].records = 0;
	}
	if (leak.record) {
		d->last_loss = leak.record;
		d->loss_records = leak.records;
	}
	valgrind_attributes_begin(d, r, f);
	valgrind_member(&d->attributes, "what", f->what);
	if (leak.has_direct)
		members_number(&d->attributes, "indirect_bytes", leak.indirect);
	if (!*kind) {
		row.leak_kind = TEXT_NULL;
		valgrind_member(&d->attributes, "kind", f->kind);
	}
	row.size = (struct number){ .magnitude = leak.has_direct ? leak.direct : leak.total };
	if (leak.blocks > INT64_MAX)
		return reader_refuse(d->in, "leak record %llu has more than 2^63-1 blocks",
			(unsigned long long)leak.record);
	row.block_count = leak.blocks ? (int64_t)leak.blocks : 1;
	row.get_number = d->leak_check;
	if (sum < VG_LEAKS) {
		d->leaks[sum].records++;
		d->leaks[sum].bytes += row.size.magnitude;
		d->leaks[sum].blocks += leak.blocks;
	}
	return emit_leak_object(d, r, &row, TEXT_NULL, f, stacks);
}

static bool
emit_open_file(struct vg_document *d, const struct vg_record *r, const struct vg_facts *f,
	const struct stacks *stacks)
{
	struct object_row row = {
		.address = NUMBER_NULL, .get_number = MODEL_NULL, .block_count = 1
	};
	uint64_t fd;

	valgrind_attributes_begin(d, r, f);
	valgrind_member(&d->attributes, "what", f->what);
	if (valgrind_number(f->fd, &fd))
		row.address = (struct number){ .magnitude = fd };
	return emit_leak_object(d, r, &row, TEXT_LITERAL("file descriptor"), f, stacks);
}

/* --- errors --------------------------------------------------------------------------- */

static bool
emit_waiting(struct vg_document *d, const struct vg_waiting *w)
{
	struct error_row row = { .id = d->errors,
		.rec_id = d->errors,
		.parent_id = w->thread == VG_NO_THREAD ? MODEL_NULL : w->thread,
		.number = d->errors + 1,
		.error_code = MODEL_NULL,
		.kind = 1,
		.description = w->description,
		.name = w->name,
		.stack = w->stack,
		.attributes = w->attributes };
	uint64_t count = w->has_unique ? valgrind_count(d, w->unique) : 1;

	d->errors++;
	if (count > INT64_MAX)
		return reader_refuse(d->in, "error 0x%llx occurred more than 2^63-1 times",
			(unsigned long long)w->unique);
	row.count = (int64_t)count;
	d->sum_errors += w->has_unique ? count : 0;
	stack_ids(d->frames, OWNER_ERROR, w->depth, &row.stack_first_id);
	return emit_threads_of(d, w->thread, w->further, w->further_count) &&
	       emit_error(d->in, &row) &&
	       emit_further(d, OWNER_ERROR, row.id, w->further, w->further_count);
}

bool
valgrind_emit_waiting(struct vg_document *d)
{
	for (const struct vg_waiting *w = d->first; w; w = w->next)
		if (!emit_waiting(d, w))
			return false;
	d->first = d->last = NULL;
	arena_reset(&d->waiting);
	return true;
}

static bool
wait_for_counts(struct vg_document *d, const struct vg_record *r, const struct stacks *stacks,
	struct vg_waiting *w)
{
	w->stack = stacks->first;
	w->depth = stacks->depth;
	w->further_count = stacks->count;
	w->further = arena_alloc_array(&d->waiting, stacks->count, sizeof(*w->further));
	for (size_t i = 0; i < stacks->count; i++) {
		w->further[i] = stacks->further[i];
		w->further[i].description = arena_text(&d->waiting, w->further[i].description);
	}
	w->attributes = arena_text(&d->waiting, w->attributes);
	w->name = arena_text(&d->waiting, w->name);
	w->description = arena_text(&d->waiting, w->description);
	if (d->last)
		d->last->next = w;
	else
		d->first = w;
	d->last = w;
	if (d->waiting.total < WAITING_MAX_BYTES)
		return true;
	if (!d->log && !d->counts_known && !valgrind_counts_ahead(d, r->end))
		return false;
	return valgrind_emit_waiting(d);
}

bool
valgrind_emit_error(struct vg_document *d, const struct vg_record *r)
{
	struct vg_note notes[VG_MAX_NOTES];
	struct vg_facts f;
	struct stacks stacks;
	enum vg_leak leak;
	struct vg_waiting *w;

	valgrind_facts(d, r, notes, &f);
	if (!emit_stacks(d, r, &f, &stacks))
		return false;
	if (!text_is_null(f.kind) && valgrind_leak_kind(f.kind, &leak))
		return emit_leak(d, r, &f, &stacks);
	if (text_equal(f.kind, TEXT_LITERAL("FdNotClosed")))
		return emit_open_file(d, r, &f, &stacks);
	w = arena_alloc(&d->waiting, sizeof(*w));
	w->name = f.kind;
	w->description = f.what;
	w->has_unique = valgrind_number(f.unique, &w->unique);
	w->thread = valgrind_thread(
		&d->threads, valgrind_number_or_null(f.tid), f.hthread, f.thread_name);
	valgrind_attributes_begin(d, r, &f);
	w->attributes = members_end(&d->attributes);
	return wait_for_counts(d, r, &stacks, w);
}

/* Adds the record's leaves, up to MAX_LEAVES, as members. If a name repeats, only its first leaf is added. */
static void
add_leaves(struct strbuf *b, const struct vg_record *r)
{
	enum {
		MAX_LEAVES = 64
	};

	for (size_t i = 0; i < r->leaf_count && i < MAX_LEAVES; i++) {
		const char *name = r->text.data + r->leaves[i].name;
		bool first = true;

		for (size_t k = 0; k < i; k++)
			first &= strcmp(r->text.data + r->leaves[k].name, name) != 0;
		if (first)
			valgrind_member_number(b, name, vg_leaf_text(r, &r->leaves[i]));
	}
}

/* Returns the sentence that valgrind's text would contain for this signal. */
static struct text
signal_text(struct vg_document *d, const struct vg_record *r)
{
	struct text number = valgrind_leaf(r, VG_SIGNO);
	struct text name = valgrind_leaf(r, VG_SIGNAME);
	struct text event = valgrind_leaf(r, VG_EVENT);

	if (text_is_null(number) || text_is_null(name))
		return text_is_null(event) ? TEXT_LITERAL("a signal ended the process") : event;
	return text_from(arena_printf(&d->waiting,
		"Process terminating with default action of signal %.*s (%.*s)",
		text_precision(number, 20), number.data, text_precision(name, 40), name.data));
}

/* The signal that ended the process. */
bool
valgrind_emit_signal(struct vg_document *d, const struct vg_record *r)
{
	struct vg_facts none = { .hthread = MODEL_NULL };
	struct stacks stacks;
	struct vg_waiting *w;

	if (!emit_stacks(d, r, &none, &stacks))
		return false;
	w = arena_alloc(&d->waiting, sizeof(*w));
	strbuf_reset(&d->attributes);
	add_leaves(&d->attributes, r);
	w->attributes = members_end(&d->attributes);
	w->name = TEXT_LITERAL("FatalSignal");
	w->description = signal_text(d, r);
	w->thread = valgrind_thread(&d->threads, valgrind_number_or_null(valgrind_leaf(r, VG_TID)),
		MODEL_NULL, valgrind_leaf(r, VG_THREADNAME));
	d->signals++;
	return wait_for_counts(d, r, &stacks, w);
}

bool
valgrind_emit_announced(struct vg_document *d, const struct vg_record *r)
{
	struct text number = valgrind_leaf(r, VG_HTHREADID);
	bool root = !text_is_null(valgrind_leaf(r, VG_IS_ROOT));
	int64_t id;
	size_t depth;

	if (text_is_null(number))
		return true;
	id = valgrind_thread(&d->threads, root ? 1 : MODEL_NULL, valgrind_number_or_null(number),
		valgrind_leaf(r, VG_THREADNAME));
	if (id == VG_NO_THREAD || d->threads.items[id].stack || !r->stack_count)
		return true;
	return emit_record_stack(d, r, &r->stacks[0], &d->threads.items[id].stack, &depth) &&
	       valgrind_thread_emit_stack(&d->threads, id, d->in);
}
