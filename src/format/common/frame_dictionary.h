/*
 * Frames as most profilers name them: module, function, file and line. Emits each routine and line
 * once, and makes stacks of their numbers.
 *
 * A routine is a module, a class, a function and a source file; lines belong to routines. C++ and
 * Rust names are demangled, and the symbol is kept. A frame without function is named by its address
 * in the module, "0x1f2e", or "??" without an address.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_FRAME_DICTIONARY_H
#define PROFDEPOT_FORMAT_COMMON_FRAME_DICTIONARY_H

#include "format/common/reader.h"

struct frame_dictionary;

/* Texts are borrowed for the call: UTF-8 with the depot's escape, NULL or empty if unknown. */
struct frame {
	struct text module;   /* object file or library */
	struct text function; /* mangled or not */
	struct text symbol;   /* the linker's name, if the tool gives both; not part of the key */
	struct text class_name;
	struct text code_type; /* kernel, inlined; not part of the key */
	struct text file;      /* source file, with its folder if known */
	int64_t line;          /* of the call, from 1; 0 or MODEL_NULL if unknown */
	int64_t start_line;    /* of the function; 0 or MODEL_NULL if unknown */
	uint64_t address;      /* of the call, for a frame without function; 0 if unknown */
};

/* The numbers of an interned frame. */
struct frame_numbers {
	int64_t routine; /* rec_id */
	int64_t line;    /* rec_id within the routine; -1 without a line */
};

/* The dictionary of one result set. Borrows the sink. */
struct frame_dictionary *frame_dictionary_new(struct sink *sink, uint32_t set);
void frame_dictionary_free(struct frame_dictionary *d);

/* The numbers of the frame; emits what is new. ERROR_LIMIT beyond 2^31 routines. */
bool frame_intern(struct frame_dictionary *d, const struct frame *frame,
	struct frame_numbers *numbers, struct error *err);

/* Builds a stack, innermost frame first, or outermost first and reversed at the end. A stack of more
 * than STACK_MAX_FRAMES loses its outermost frames: stack_end says how many in *cut, for an issue. */
void stack_begin(struct frame_dictionary *d);
bool stack_push(struct frame_dictionary *d, const struct frame *frame, struct error *err);
void stack_push_numbers(struct frame_dictionary *d, struct frame_numbers numbers);
size_t stack_depth(const struct frame_dictionary *d);
/* Emits the stack; *number is 0 if it has no frame. cut may be NULL. */
bool stack_end(struct frame_dictionary *d, bool outermost_first, stack_number *number, size_t *cut,
	struct error *err);
/* The same, innermost frame first: frames that are cut off become an issue at the reader's line. */
bool stack_end_reported(struct frame_dictionary *d, struct reader *in, stack_number *number);
/* Takes frame IDs for an owner with a stack of that depth. *first: its stack_first_id, MODEL_NULL
 * without frames. Each kind of owner has its own count. */
void stack_ids(struct frame_dictionary *d, enum stack_owner owner, size_t depth, int64_t *first);

/*
 * The class of a detector's group: the function that allocated (malloc, operator new[], mmap ...) and
 * the module of the first frame that is not an allocator's. Emits it once.
 */
bool class_intern(struct frame_dictionary *d, struct text allocator, struct text module,
	int64_t *class_id, struct error *err);

/* Is the function an allocator's, such as malloc, realloc or operator new, but not strdup? The name
 * may be mangled, and have a prefix or suffix of valgrind or of a sanitizer's interceptor. */
bool is_allocator(struct text function);

#endif
