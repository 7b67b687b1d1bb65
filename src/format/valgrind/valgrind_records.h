/*
 * Records in valgrind's XML. valgrind_build.c builds them from expat's callbacks.
 */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_RECORDS_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_RECORDS_H

#include "base/arena.h"
#include "base/pair_map.h"
#include "format/common/frame_dictionary.h"
#include "valgrind_words.h"

enum {
	VG_MAX_RECORD_BYTES = 16 * 1024 * 1024, /* length of a record's text */
	VG_MAX_RECORD_ITEMS = 1024 * 1024,      /* leaves, frames or stacks per record */
	VG_MAX_TOKEN_BYTES = 1024 * 1024,       /* length of a tag or comment */
	VG_MAX_DEPTH = 64,
};

struct vg_frame {
	struct frame_numbers numbers;
	uint64_t ip; /* set if the frame has no function; else 0 */
};

struct vg_leaf {
	enum vg_element element, parent;
	uint32_t name;        /* offset of the name in the record's text; NUL-terminated */
	uint32_t parent_name; /* offset of the parent's name; NUL-terminated */
	uint32_t begin, size; /* the leaf's text within the record's text */
};

struct vg_stack {
	enum vg_element parent;
	size_t leaves; /* number of leaves before it */
	size_t first, count;
};

struct vg_record {
	enum vg_element element; /* the child of the document element */
	uint64_t offset;         /* offset of its start tag in the file */
	uint64_t end;            /* offset of its end tag */
	struct strbuf text;
	struct vg_leaf *leaves;
	size_t leaf_count, leaf_room;
	struct vg_stack *stacks;
	size_t stack_count, stack_room;
	struct vg_frame *frames;
	size_t frame_count, frame_room;
};

/* The leaf's text, followed by a NUL. */
static inline struct text
vg_leaf_text(const struct vg_record *r, const struct vg_leaf *l)
{
	return (struct text){ r->text.data + l->begin, l->size };
}

/* Text of the record's first leaf with this element, or NULL. */
struct text valgrind_leaf(const struct vg_record *r, enum vg_element element);

struct vg_document;

/* A routine's names, for classes and messages. */
struct vg_routine {
	struct text function, module;
	bool known;
	bool allocates; /* the function is an allocator */
	bool preloaded; /* the module is valgrind's own */
};

struct vg_seen;
struct vg_seen_frame;

/* Builds the current record of the document. */
struct vg_builder {
	struct vg_document *document;
	bool failed;        /* an error has been set, and reading ends */
	const char *broken; /* what is wrong with the record, or NULL */
	bool repair;        /* U+007F marks an invalid byte */
	size_t depth;
	enum vg_element path[VG_MAX_DEPTH];
	bool has_child[VG_MAX_DEPTH];
	uint32_t names[VG_MAX_DEPTH], begins[VG_MAX_DEPTH]; /* offsets in the record's text */
	bool in_stack;
	bool misplaced;      /* a record or document begins inside another record */
	size_t frame_leaves; /* number of leaves before the current frame */
	bool root_ended;
	struct vg_record record;
	/* The frame that ended last. */
	struct vg_frame last_frame;
	uint64_t frames_ended;
	struct vg_seen *seen; /* the frame that ends next is added to it; may be NULL */
};

void valgrind_builder_release(struct vg_builder *b);
/* Drops the current record. `inside` means that the document element is open. */
void valgrind_builder_restart(struct vg_builder *b, bool inside);
/* `e` is valgrind_element(name). */
void valgrind_builder_start(
	struct vg_builder *b, enum vg_element e, const char *name, uint64_t offset);
void valgrind_builder_end(struct vg_builder *b, uint64_t offset);
void valgrind_builder_text(struct vg_builder *b, const char *data, size_t size);
/* Interns a frame in the document, and adds it to the open stack. It becomes last_frame. */
bool valgrind_builder_intern(struct vg_builder *b, const struct vg_seen_frame *f);
/* Adds a frame to the open stack. */
void valgrind_builder_frame(struct vg_builder *b, struct vg_frame frame);

#endif
