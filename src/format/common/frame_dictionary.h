/*
 * Frames as most profilers name them (module, function, file, line), interned:
 * the sink is told a routine and its lines once, a stack becomes numbers.
 *
 * A routine is a module, a function and a source file; a line hangs below it.
 * C++ and Rust names are demangled, the symbol kept beside. A frame without
 * function is its address in the module, "0x1f2e" (its offset where the tool
 * told one), or without module and address "??".
 */
#ifndef PROFDEPOT_FORMAT_COMMON_FRAME_DICTIONARY_H
#define PROFDEPOT_FORMAT_COMMON_FRAME_DICTIONARY_H

#include "format/common/reader.h"

struct frame_dictionary;

/* Texts are borrowed for the call, UTF-8 in the depot's escape; NULL or empty: unknown. */
struct frame {
	struct text module;   /* object file, library; as told */
	struct text function; /* mangled or not */
	struct text symbol;   /* the linker's name, where the tool tells it beside; kept, no key */
	struct text class_name;
	struct text code_type; /* kernel, inlined; kept, no key */
	struct text file;      /* source file with its folder as far as told */
	int64_t line;          /* of the call, from 1; 0 or MODEL_NULL: unknown */
	int64_t start_line;    /* of the function; 0 or MODEL_NULL: unknown */
	uint64_t address; /* of the call; counts only for a frame without function. 0: unknown */
};

/* Numbers of a frame that was interned; -1: it has no line. */
struct frame_numbers {
	int64_t routine; /* rec_id */
	int64_t line;    /* rec_id within the routine */
};

/* Of one result set, which the sink has been told. Borrows the sink. */
struct frame_dictionary *frame_dictionary_new(struct sink *sink, uint32_t set);
void frame_dictionary_free(struct frame_dictionary *d);

/* Numbers of the frame; tells the sink what is new. ERROR_LIMIT beyond 2^31 routines. */
bool frame_intern(struct frame_dictionary *d, const struct frame *frame,
	struct frame_numbers *numbers, struct error *err);

/* A stack is put together, innermost frame first (or outermost, and turned at the
 * end). What passes STACK_MAX_FRAMES drops the outermost frames: *cut of stack_end
 * tells how many, for an issue of the caller's. */
void stack_begin(struct frame_dictionary *d);
bool stack_push(struct frame_dictionary *d, const struct frame *frame, struct error *err);
void stack_push_numbers(struct frame_dictionary *d, struct frame_numbers numbers);
size_t stack_depth(const struct frame_dictionary *d);
/* Tells the stack; *number is 0 when it has no frame. cut may be NULL. */
bool stack_end(struct frame_dictionary *d, bool outermost_first, stack_number *number, size_t *cut,
	struct error *err);
/* The same, innermost frame first: frames that are cut off become an issue at the reader's line. */
bool stack_end_reported(struct frame_dictionary *d, struct reader *in, stack_number *number);
/* Frame IDs for an owner with a stack of so many frames: *first for its stack_first_id,
 * MODEL_NULL when it has no frame. Objects and errors count apart. */
void stack_ids(struct frame_dictionary *d, enum stack_owner owner, size_t depth, int64_t *first);

/*
 * The synthetic class of a detector's group: the function that allocated (malloc,
 * operator new[], mmap ...), which is the innermost frame or what the tool told, and
 * the module of the first frame that is no allocator's. Tells it once.
 */
bool class_intern(struct frame_dictionary *d, struct text allocator, struct text module,
	int64_t *class_id, struct error *err);

/* Is that function one of an allocator (malloc, calloc, realloc, operator new,
 * strdup is none)? Demangled or not, with a suffix as valgrind or a sanitizer's
 * interceptor may write it. */
bool is_allocator(struct text function);

#endif
