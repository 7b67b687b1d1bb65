/* The dictionary of frames, stacks and classes. */
#include "frame_dictionary.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/pair_map.h"
#include "format/common/demangle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	KEY_SEPARATOR = 0x1F,
	KEY_MAX_BYTES = 4 * 1024 * 1024,
	UNKNOWN_NAME_BYTES = 24,
	NO_LINE = -1, /* as in AQTime */
};

struct frame_dictionary {
	struct sink *sink;
	uint32_t set;
	struct strbuf key, plain;
	struct pair_map routines, lines, classes;
	uint32_t *line_counts; /* by routine */
	size_t line_room;
	int64_t line_count;
	/* The stack that is built: its first STACK_MAX_FRAMES frames, and as many of the last ones,
	 * in a ring. */
	struct frame_numbers *head, *ring;
	size_t head_room, depth;
	int64_t *routine_ids, *line_ids; /* for the sink */
	size_t id_room;
	int64_t next_frame_id[STACK_OWNERS];
};

struct frame_dictionary *
frame_dictionary_new(struct sink *sink, uint32_t set)
{
	struct frame_dictionary *d = xcalloc(1, sizeof(*d));

	d->sink = sink;
	d->set = set;
	strbuf_init(&d->key, KEY_MAX_BYTES);
	strbuf_init(&d->plain, DEMANGLE_MAX_BYTES);
	pair_map_init(&d->routines);
	pair_map_init(&d->lines);
	pair_map_init(&d->classes);
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
	free(d->head);
	free(d->ring);
	free(d->routine_ids);
	free(d->line_ids);
	free(d);
}

/* --- routines and lines ------------------------------------------------------------------ */

static void
add_to_key(struct frame_dictionary *d, struct text t)
{
	strbuf_append_text(&d->key, t);
	strbuf_append_char(&d->key, KEY_SEPARATOR);
}

/* The number of the key in d->key. *added: it is new. */
static bool
intern_key(struct frame_dictionary *d, struct pair_map *map, uint32_t *number, bool *added,
	struct error *err)
{
	if (d->key.failed)
		return error_set(
			err, ERROR_LIMIT, "a frame's names have more than %d bytes", KEY_MAX_BYTES);
	if (map->count >= INT32_MAX)
		return error_set(err, ERROR_LIMIT, "more than %d routines", INT32_MAX);
	*number = pair_map_add_bytes(map, d->key.data, d->key.size, (uint32_t)map->count, added);
	return true;
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
emit_routine(struct frame_dictionary *d, uint32_t number, const struct frame *f, struct text name,
	struct error *err)
{
	struct routine_row row = { .id = number,
		.parent_id = -1,
		.rec_id = number,
		.hit_count = MODEL_NULL,
		.compiler = MODEL_NULL,
		.profile_lines = MODEL_NULL,
		.source_line = line_or_null(f->start_line),
		.token = MODEL_NULL,
		.address = NUMBER_NULL,
		.class_name = text_or_null(f->class_name),
		.code_type = text_or_null(f->code_type),
		.module_name = text_or_null(f->module),
		.routine_name = name,
		.source_file = text_or_null(f->file) };

	if (demangle(name, &d->plain, &row.routine_name))
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
	struct text name = f->function;
	bool added;

	if (text_is_empty(name)) {
		if (f->address)
			snprintf(address, sizeof(address), "0x%" PRIx64, f->address);
		name = text_from(address);
	}
	strbuf_reset(&d->key);
	add_to_key(d, f->module);
	add_to_key(d, f->class_name);
	add_to_key(d, name);
	add_to_key(d, f->file);
	return intern_key(d, &d->routines, number, &added, err) &&
	       (!added || emit_routine(d, *number, f, name, err));
}

/* The number of emitted lines of the routine. */
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
		.rec_id = *count,
		.source_line = source_line,
		.parent_id = routine };
	bool added;

	*line = pair_map_add(&d->lines, routine, source_line, *count, &added);
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
	uint32_t routine;

	if (!intern_routine(d, frame, &routine, err))
		return false;
	*numbers = (struct frame_numbers){ routine, NO_LINE };
	return frame->line <= 0 || intern_line(d, routine, frame->line, &numbers->line, err);
}

/* --- stacks ---------------------------------------------------------------------------------- */

void
stack_begin(struct frame_dictionary *d)
{
	d->depth = 0;
}

void
stack_push_numbers(struct frame_dictionary *d, struct frame_numbers numbers)
{
	if (d->depth < STACK_MAX_FRAMES) {
		ARRAY_RESERVE(d->head, d->head_room, d->depth + 1);
		d->head[d->depth] = numbers;
	} else {
		if (!d->ring)
			d->ring = xcalloc(STACK_MAX_FRAMES, sizeof(*d->ring));
		d->ring[d->depth % STACK_MAX_FRAMES] = numbers;
	}
	d->depth++;
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

/* Pushed frame number i, one of the first or the last STACK_MAX_FRAMES. */
static struct frame_numbers
pushed(const struct frame_dictionary *d, size_t i)
{
	return i < STACK_MAX_FRAMES ? d->head[i] : d->ring[i % STACK_MAX_FRAMES];
}

bool
stack_end(struct frame_dictionary *d, bool outermost_first, stack_number *number, size_t *cut,
	struct error *err)
{
	struct stack_row row = { 0 };
	size_t kept = d->depth;

	if (kept > STACK_MAX_FRAMES)
		kept = STACK_MAX_FRAMES;
	row.count = kept;
	if (kept > d->id_room) {
		size_t room = d->id_room;

		ARRAY_RESERVE(d->routine_ids, room, kept);
		ARRAY_RESERVE(d->line_ids, d->id_room, kept);
	}
	row.routine_ids = d->routine_ids;
	*number = 0;
	if (cut)
		*cut = d->depth - kept;
	for (size_t i = 0; i < kept; i++) {
		struct frame_numbers n = pushed(d, outermost_first ? d->depth - 1 - i : i);

		d->routine_ids[i] = n.routine;
		d->line_ids[i] = n.line;
		if (n.line != NO_LINE)
			row.line_ids = d->line_ids;
	}
	return kept == 0 || d->sink->stack(d->sink, d->set, &row, number, err);
}

bool
stack_end_reported(struct frame_dictionary *d, struct reader *in, stack_number *number)
{
	size_t cut;

	return stack_end(d, false, number, &cut, in->err) &&
	       (!cut || reader_issue(in, ISSUE_STACK_TOO_DEEP,
				"stack of %zu frames: the outermost %zu left out", d->depth, cut));
}

void
stack_ids(struct frame_dictionary *d, enum stack_owner owner, size_t depth, int64_t *first)
{
	*first = MODEL_NULL;
	if (!depth)
		return;
	*first = d->next_frame_id[owner];
	d->next_frame_id[owner] += (int64_t)(depth < STACK_MAX_FRAMES ? depth : STACK_MAX_FRAMES);
}

/* --- classes ----------------------------------------------------------------------------- */

/* Demangles the allocator's name, because some tools write _Znwm and others write operator new. */
static struct text
class_for_people(struct frame_dictionary *d, struct text name)
{
	struct text plain;
	const char *bracket;

	if (!demangle(name, &d->plain, &plain))
		return name;
	bracket = memchr(plain.data, '(', plain.size);
	if (bracket && is_allocator(plain))
		plain.size = (size_t)(bracket - plain.data);
	return plain;
}

bool
class_intern(struct frame_dictionary *d, struct text allocator, struct text module,
	int64_t *class_id, struct error *err)
{
	struct class_row row = { .parent_id = -1, .module_name = text_or_null(module) };
	uint32_t number;
	bool added;

	allocator = class_for_people(d, allocator);
	row.class_name = text_or_null(allocator);
	strbuf_reset(&d->key);
	add_to_key(d, allocator);
	add_to_key(d, module);
	if (!intern_key(d, &d->classes, &number, &added, err))
		return false;
	*class_id = row.id = row.rec_id = number;
	return !added || d->sink->class_meta(d->sink, d->set, &row, err);
}

/* Does the name begin with one of these whole words? */
static bool
is_one_of(struct text name, const char *const *words)
{
	for (; *words; words++) {
		size_t n = strlen(*words);
		char next;

		if (name.size < n || memcmp(name.data, *words, n) != 0)
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
	struct text name = function;

	for (const char *const *p = prefixes; *p; p++) {
		size_t n = strlen(*p);

		if (name.size > n && memcmp(name.data, *p, n) == 0) {
			name.data += n;
			name.size -= n;
			break;
		}
	}
	return is_one_of(name, words);
}
