/* The dictionary of frames, stacks and classes. */
#include "frame_dictionary.h"

#include "base/array.h"
#include "base/pair_map.h"
#include "emit.h"
#include "format/common/demangle.h"
#include "text_scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	KEY_SEPARATOR = 0x1F,
	KEY_MAX_BYTES = 64 * 1024 * 1024,
	UNKNOWN_NAME_BYTES = 24,
};

struct frame_ids {
	int64_t *routines, *lines;
	size_t room;
};

struct frame_dictionary {
	struct sink *sink;
	uint32_t set;
	enum frame_style style;
	int64_t no_line; /* stands for an unknown line: -1 (as in AQTime) or MODEL_NULL */
	struct strbuf key, plain;
	struct pair_map routines, lines, classes;
	uint32_t *line_counts; /* number of lines, for each routine */
	size_t line_room;
	int64_t line_count;
	/* The stack that is being built: the first STACK_MAX_FRAMES frames, and a ring that contains
	 * the last STACK_MAX_FRAMES frames. */
	struct frame_ids head;
	struct frame_numbers *ring;
	size_t depth;
	bool has_lines; /* whether the frames in head have lines */
	struct frame_ids reversed;
	int64_t next_frame_id[STACK_OWNERS];
};

struct frame_dictionary *
frame_dictionary_new(struct sink *sink, uint32_t set)
{
	struct frame_dictionary *d = xcalloc(1, sizeof(*d));

	d->sink = sink;
	d->set = set;
	d->no_line = -1;
	strbuf_init(&d->key, KEY_MAX_BYTES);
	strbuf_init(&d->plain, DEMANGLE_MAX_BYTES);
	return d;
}

void
frame_dictionary_free(struct frame_dictionary *d)
{
	if (!d)
		return;
	strbuf_release(&d->key);
	strbuf_release(&d->plain);
	pair_map_release(&d->routines);
	pair_map_release(&d->lines);
	pair_map_release(&d->classes);
	free(d->line_counts);
	free(d->head.routines);
	free(d->head.lines);
	free(d->ring);
	free(d->reversed.routines);
	free(d->reversed.lines);
	free(d);
}

void
frame_dictionary_set_style(struct frame_dictionary *d, enum frame_style style)
{
	d->style = style;
	d->no_line = style == FRAMES_OF_SPANS ? MODEL_NULL : -1;
}

/* --- places ------------------------------------------------------------------------------ */

void
frame_place(struct frame *f, struct text module, uint64_t address, uint64_t base)
{
	f->module = module;
	f->address = address - base;
}

void
frame_take_address(struct frame *f)
{
	struct text t = f->function;
	uint64_t address;

	if (!text_begins(t, "0x") || !scan_hex(&t, &address) || t.size)
		return;
	f->function = TEXT_NULL;
	f->address = address;
}

/* --- routines and lines ------------------------------------------------------------------ */

/* Joins the texts into one key. The function is not inlined, because keys of a single text do not need it
 * and would become slower. */
static __attribute__((noinline)) struct text
join(struct frame_dictionary *d, const struct text *texts, size_t count)
{
	strbuf_reset(&d->key);
	for (size_t i = 0; i < count; i++) {
		strbuf_append_text(&d->key, texts[i]);
		strbuf_append_char(&d->key, KEY_SEPARATOR);
	}
	return strbuf_text(&d->key);
}

/* Finds or assigns the number for a list of texts. A single text is not copied. */
static inline bool
intern_key(struct frame_dictionary *d, struct pair_map *map, const struct text *texts, size_t count,
	uint32_t *number, bool *added, struct error *err)
{
	struct text key = count == 1 ? *texts : join(d, texts, count);

	if (d->key.failed)
		return error_set(
			err, ERROR_LIMIT, "a frame's names have more than %d bytes", KEY_MAX_BYTES);
	if (map->count >= INT32_MAX)
		return error_set(err, ERROR_LIMIT, "more than %d routines", INT32_MAX);
	*number = pair_map_add_bytes(map, key.data, key.size, (uint32_t)map->count, added);
	return true;
}

bool
routine_number(struct frame_dictionary *d, const struct text *key, size_t count, uint32_t *number,
	bool *added, struct error *err)
{
	return intern_key(d, &d->routines, key, count, number, added, err);
}

static int64_t
line_or_null(int64_t line)
{
	return line > 0 ? line : MODEL_NULL;
}

static struct text
text_or_null(struct text t)
{
	return text_is_empty(t) ? TEXT_NULL : t;
}

static bool
add_routine(struct frame_dictionary *d, uint32_t number, const struct frame *f, struct text name,
	struct error *err)
{
	struct routine_row row = blank_routine(number);

	row.source_line = line_or_null(f->start_line);
	row.class_name = text_or_null(f->class_name);
	row.unit_name = text_or_null(f->unit);
	row.code_type = text_or_null(f->code_type);
	row.module_name = text_or_null(f->module);
	row.routine_name = name;
	row.source_file = text_or_null(f->file);
	if (d->style == FRAMES_OF_SPANS) {
		row.parent_id = MODEL_NULL;
		row.address = (struct number){ 0 };
	}
	if (d->style == FRAMES_OF_BINARIES && demangle(name, &d->plain, &row.routine_name))
		row.symbol_moniker = name;
	else if (f->symbol.size && !text_equal(f->symbol, name))
		row.symbol_moniker = f->symbol;
	return d->sink->routine(d->sink, d->set, &row, err);
}

static bool
intern_routine(
	struct frame_dictionary *d, const struct frame *f, uint32_t *number, struct error *err)
{
	char address[UNKNOWN_NAME_BYTES] = "??";
	struct text key[] = { f->module, f->class_name, f->function, f->file, f->unit,
		f->code_type };
	bool added;

	if (text_is_empty(f->function) && d->style == FRAMES_OF_BINARIES) {
		if (f->address)
			snprintf(address, sizeof(address), "0x%" PRIx64, f->address);
		key[2] = text_from(address);
	}
	return routine_number(d, key, d->style == FRAMES_OF_SPANS ? 6 : 5, number, &added, err) &&
	       (!added || add_routine(d, *number, f, key[2], err));
}

/* The counter of the routine's emitted lines. */
static uint32_t *
line_count_of(struct frame_dictionary *d, uint32_t routine)
{
	ARRAY_RESERVE_ZEROED(d->line_counts, d->line_room, (size_t)routine + 1);
	return &d->line_counts[routine];
}

static bool
intern_line(struct frame_dictionary *d, uint32_t routine, int64_t source_line, int64_t *line,
	struct error *err)
{
	uint32_t *count = line_count_of(d, routine);
	struct line_row row = { .id = d->line_count,
		.rec_id = d->style == FRAMES_OF_SPANS ? d->line_count : *count,
		.source_line = source_line,
		.parent_id = routine };
	bool added;

	*line = pair_map_add(&d->lines, routine, source_line, (uint32_t)row.rec_id, &added);
	if (!added)
		return true;
	(*count)++;
	d->line_count++;
	return d->sink->line(d->sink, d->set, &row, err);
}

bool
frame_intern(struct frame_dictionary *d, const struct frame *frame, struct frame_numbers *numbers,
	struct error *err)
{
	uint32_t routine = 0;

	if (!intern_routine(d, frame, &routine, err))
		return false;
	*numbers = (struct frame_numbers){ routine, d->no_line };
	return frame->line <= 0 || intern_line(d, routine, frame->line, &numbers->line, err);
}

/* --- stacks ---------------------------------------------------------------------------------- */

static void
reserve(struct frame_ids *ids, size_t count)
{
	size_t room = ids->room;

	ARRAY_RESERVE(ids->routines, room, count);
	ARRAY_RESERVE(ids->lines, ids->room, count);
}

static size_t
kept_frames(size_t depth)
{
	return depth < STACK_MAX_FRAMES ? depth : STACK_MAX_FRAMES;
}

void
stack_begin(struct frame_dictionary *d)
{
	d->depth = 0;
	d->has_lines = false;
}

int64_t *
stack_begin_routines(struct frame_dictionary *d, size_t depth)
{
	stack_begin(d);
	d->depth = depth;
	reserve(&d->head, kept_frames(depth));
	return d->head.routines;
}

void
stack_push_numbers(struct frame_dictionary *d, struct frame_numbers numbers)
{
	if (d->depth < STACK_MAX_FRAMES) {
		if (d->depth == d->head.room)
			reserve(&d->head, d->depth + 1);
		d->head.routines[d->depth] = numbers.routine;
		d->head.lines[d->depth] = numbers.line;
		d->has_lines |= numbers.line != d->no_line;
	} else {
		if (!d->ring)
			d->ring = xcalloc(STACK_MAX_FRAMES, sizeof(*d->ring));
		d->ring[d->depth % STACK_MAX_FRAMES] = numbers;
	}
	d->depth++;
}

void
stack_push_routine(struct frame_dictionary *d, uint32_t routine)
{
	stack_push_numbers(d, (struct frame_numbers){ routine, d->no_line });
}

bool
stack_push(struct frame_dictionary *d, const struct frame *frame, struct error *err)
{
	struct frame_numbers numbers;

	if (!frame_intern(d, frame, &numbers, err))
		return false;
	stack_push_numbers(d, numbers);
	return true;
}

size_t
stack_depth(const struct frame_dictionary *d)
{
	return d->depth;
}

/* Copies the innermost frames of a stack that begins with the outermost frame. `kept` is the number of
 * frames to copy. */
static void
reverse(struct frame_dictionary *d, size_t kept)
{
	reserve(&d->reversed, kept);
	d->has_lines = false;
	for (size_t i = 0; i < kept; i++) {
		size_t from = d->depth - 1 - i;
		struct frame_numbers n = from < STACK_MAX_FRAMES
						 ? (struct frame_numbers){ d->head.routines[from],
							   d->head.lines[from] }
						 : d->ring[from % STACK_MAX_FRAMES];

		d->reversed.routines[i] = n.routine;
		d->reversed.lines[i] = n.line;
		d->has_lines |= n.line != d->no_line;
	}
}

bool
stack_end(struct frame_dictionary *d, bool outermost_first, stack_number *number, size_t *cut,
	struct error *err)
{
	const struct frame_ids *ids = outermost_first ? &d->reversed : &d->head;
	struct stack_row row = { .count = kept_frames(d->depth) };

	*number = 0;
	if (cut)
		*cut = d->depth - row.count;
	if (outermost_first)
		reverse(d, row.count);
	row.routine_ids = ids->routines;
	row.line_ids = d->has_lines ? ids->lines : NULL;
	return row.count == 0 || d->sink->stack(d->sink, d->set, &row, number, err);
}

bool
stack_end_reported(struct frame_dictionary *d, struct reader *in, stack_number *number)
{
	size_t cut;

	return stack_end(d, false, number, &cut, in->err) &&
	       (!cut || reader_issue(in, ISSUE_STACK_CUT,
				"stack of %zu frames: the outermost %zu left out", d->depth, cut));
}

void
stack_ids(struct frame_dictionary *d, enum stack_owner owner, size_t depth, int64_t *first)
{
	*first = MODEL_NULL;
	if (!depth)
		return;
	*first = d->next_frame_id[owner];
	d->next_frame_id[owner] += (int64_t)kept_frames(depth);
}

/* --- classes ----------------------------------------------------------------------------- */

/* Demangles the allocator's name: some tools write _Znwm, others write operator new. */
static struct text
class_for_people(struct frame_dictionary *d, struct text name)
{
	struct text plain;

	if (!demangle(name, &d->plain, &plain))
		return name;
	return is_allocator(plain) ? text_up_to(plain, text_find(plain, "(")) : plain;
}

bool
class_intern(struct frame_dictionary *d, struct text allocator, struct text module,
	int64_t *class_id, struct error *err)
{
	const struct text key[] = { class_for_people(d, allocator), module };
	struct class_row row = { .parent_id = -1,
		.class_name = text_or_null(key[0]),
		.module_name = text_or_null(module) };
	uint32_t number = 0;
	bool added;

	if (!intern_key(d, &d->classes, key, 2, &number, &added, err))
		return false;
	*class_id = row.id = row.rec_id = number;
	return !added || d->sink->class_meta(d->sink, d->set, &row, err);
}

/* Returns whether the name begins with one of `words`. A word that has no blank must be a whole word of the name. */
static bool
is_one_of(struct text name, const char *const *words)
{
	for (; *words; words++) {
		size_t n = strlen(*words);
		char next;

		if (!text_begins(name, *words))
			continue;
		next = name.size > n ? name.data[n] : '\0';
		if (strchr(*words, ' ') || !next || next == '(' || next == '@' || next == '[' ||
			next == '.' || next == ' ')
			return true;
	}
	return false;
}

bool
is_allocator(struct text function)
{
	static const char *const words[] = { "malloc", "calloc", "realloc", "reallocarray",
		"memalign", "posix_memalign", "aligned_alloc", "valloc", "pvalloc", "mmap",
		"mmap64", "mremap", "sbrk", "brk", "operator new", "__libc_malloc", "__libc_calloc",
		"__libc_realloc", "__libc_memalign", "_Znwm", "_Znam", "_Znwj", "_Znaj",
		"_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t", "_ZnwmSt11align_val_t",
		"_ZnamSt11align_val_t", "_ZnwmSt11align_val_tRKSt9nothrow_t",
		"_ZnamSt11align_val_tRKSt9nothrow_t", "je_malloc", "je_calloc", "je_realloc",
		"tc_malloc", "tc_calloc", "tc_realloc", "tc_new", "tc_newarray", "mi_malloc",
		"mi_calloc", "mi_realloc", NULL };
	static const char *const prefixes[] = { "__interceptor_", "___interceptor_",
		"__interceptor_trampoline_", "__asan_", "__wrap_", "wrap_", "__GI___libc_", "__GI_",
		NULL };
	for (const char *const *p = prefixes; *p; p++)
		if (text_begins(function, *p) && function.size > strlen(*p))
			return is_one_of(text_from_at(function, strlen(*p)), words);
	return is_one_of(function, words);
}
