/*
 * Interns frames: emits each routine and each line once, and builds stacks from their numbers.
 *
 * A routine is identified by module, class, function and source file. A line belongs to a routine. C++
 * and Rust names are demangled; the row of the routine keeps the symbol. A frame without a function
 * is identified by its module and the address in the module, so that results of stripped programs
 * can be compared. The name of its routine is the address, such as "0x1f2e", or "??" if the address
 * is unknown.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_FRAME_DICTIONARY_H
#define PROFDEPOT_FORMAT_COMMON_FRAME_DICTIONARY_H

#include "format/common/reader.h"

struct frame_dictionary;

/* The texts are borrowed during the call. They are escaped UTF-8; NULL or empty means unknown. */
struct frame {
	struct text module;   /* object file or library */
	struct text function; /* mangled or demangled */
	struct text symbol;   /* the mangled name, if the tool writes both; not part of the key */
	struct text class_name;
	struct text unit; /* Pascal unit */
	struct text
		code_type;  /* kernel, inlined, step ...; part of the key only in FRAMES_OF_SPANS */
	struct text file;   /* source file, with its folder if known */
	int64_t line;       /* line of the call, from 1; 0 or MODEL_NULL if unknown */
	int64_t start_line; /* first line of the function; 0 or MODEL_NULL if unknown */
	uint64_t address;   /* call address, for a frame without a function; 0 if unknown */
	bool exact;         /* `address` is the instruction's address, not a return address */
};

/* Sets a frame's module and its address in the module. This address does not depend on where the module was loaded.
 * `base` is the memory address that belongs to the first byte of the module's file, even if this byte is not mapped.
 * `base` is 0 if `address` is already an address in the module. */
void frame_place(struct frame *f, struct text module, uint64_t address, uint64_t base);

/* If the function is only an address, such as "0x0000000000004a20", makes it the frame's address. */
void frame_take_address(struct frame *f);

/* The numbers of an interned frame. */
struct frame_numbers {
	int64_t routine; /* rec_id */
	int64_t line;    /* rec_id; if there is no line, -1 (FRAMES_OF_SPANS: MODEL_NULL) */
};

enum frame_style {
	FRAMES_OF_BINARIES, /* as described at the top of this file; the default */
	/* Names that are not symbols: stored unchanged. A frame without a function has an empty
	 * name. */
	FRAMES_VERBATIM,
	/* Span names: stored unchanged; the code type is part of the key. Content digests require
	 * that PARENT_ID is NULL, the address is 0, and lines are numbered across all routines. */
	FRAMES_OF_SPANS
};

/* The dictionary of one result set. Borrows the sink. */
struct frame_dictionary *frame_dictionary_new(struct sink *sink, uint32_t set);
void frame_dictionary_free(struct frame_dictionary *d);
/* Must be called before the first frame. */
void frame_dictionary_set_style(struct frame_dictionary *d, enum frame_style style);

/* Finds the numbers of the frame, and emits its routine and line on their first use. Fails with
 * ERROR_LIMIT beyond 2^31 routines. */
bool frame_intern(struct frame_dictionary *d, const struct frame *frame,
	struct frame_numbers *numbers, struct error *err);

/* Finds the number of the routine that the texts in `key` identify together. If *added is true, the
 * caller must emit the routine. This function is for formats that identify a routine by more than the
 * names of a frame. */
bool routine_number(struct frame_dictionary *d, const struct text *key, size_t count,
	uint32_t *number, bool *added, struct error *err);

/* Build a stack. The frames can be pushed from the innermost to the outermost, or in the opposite order. */
void stack_begin(struct frame_dictionary *d);
bool stack_push(struct frame_dictionary *d, const struct frame *frame, struct error *err);
void stack_push_numbers(struct frame_dictionary *d, struct frame_numbers numbers);
/* Adds a frame without a line. */
void stack_push_routine(struct frame_dictionary *d, uint32_t routine);
/* Begins a stack of `depth` frames without lines. The caller writes the routines of the innermost STACK_MAX_FRAMES
 * frames into the returned array, innermost first. */
int64_t *stack_begin_routines(struct frame_dictionary *d, size_t depth);
size_t stack_depth(const struct frame_dictionary *d);
/* Emits the stack; *number is 0 if it has no frame. A stack of more than STACK_MAX_FRAMES frames
 * loses its outermost frames. *cut is the number of lost frames, for an issue; cut may be NULL. */
bool stack_end(struct frame_dictionary *d, bool outermost_first, stack_number *number, size_t *cut,
	struct error *err);
/* Like stack_end, for a stack that begins with the innermost frame. Lost frames become an issue at
 * the reader's line. */
bool stack_end_reported(struct frame_dictionary *d, struct reader *in, stack_number *number);
/* Reserves IDs for the frames in the stack of an object, an error or another owner of a stack. *first is the
 * stack_first_id of the owner's row, or MODEL_NULL if depth is 0. Each kind of owner has separate IDs. */
void stack_ids(struct frame_dictionary *d, enum stack_owner owner, size_t depth, int64_t *first);

/* Finds the class of a group of blocks in a leak detector's report, and emits it on its first use. A class
 * is identified by the function that allocated the blocks (malloc, operator new[], mmap ...) and by the
 * module of the first frame outside the allocator. */
bool class_intern(struct frame_dictionary *d, struct text allocator, struct text module,
	int64_t *class_id, struct error *err);

/* Returns whether the function is an allocator such as malloc, realloc or operator new. Functions
 * such as strdup are not. The name may be mangled, and may have an affix from valgrind or from a
 * sanitizer's interceptor. */
bool is_allocator(struct text function);

#endif
