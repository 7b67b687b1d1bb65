/*
 * Identities of findings. The same leak or error has the same identity in every build, and in the
 * results of every detector. An identity is a hash of the finding's kind, its class, and the normal form
 * (model/frame_name.h) of its own frames, which are the frames of the program's own code. It does not
 * depend on modules, files, lines or addresses.
 */
#ifndef PROFDEPOT_MODEL_FINDING_H
#define PROFDEPOT_MODEL_FINDING_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "model/frame_owner.h"

struct table_frame;

/* The properties of a frame from which identities are computed. */
struct finding_frame {
	enum frame_owner_kind owner;
	bool named;                     /* the routine is known */
	uint8_t name[IDENTITY_BYTES];   /* if `named`: hash of the normal form; otherwise zeros */
	uint8_t module[IDENTITY_BYTES]; /* if not `named`: hash of the module's file name */
};

/* Texts of the frame may be NULL. */
void finding_frame_of(
	struct sha256 *sha, const struct table_frame *frame, struct finding_frame *out);

/*
 * Computes the identity of a stack's own frames; frames[0] is the innermost. Consecutive frames with the same
 * name count once, so that the depth of a recursion does not matter. If no own frame is named, uses
 * the system's frames instead; returns false if these have no names either.
 */
bool finding_own_identity(struct sha256 *sha, const struct finding_frame *const *frames,
	size_t count, uint8_t out[IDENTITY_BYTES]);

/* Computes the identity of a stack in which no frame has a name, from the file names of the modules. */
void finding_module_identity(struct sha256 *sha, const struct finding_frame *const *frames,
	size_t count, uint8_t out[IDENTITY_BYTES]);

/* Returns the position of the innermost own frame. If there is no own frame, returns the position
 * of the first frame that does not belong to an allocator. If all frames belong to allocators,
 * returns `count`. */
size_t finding_own_place(const struct finding_frame *const *frames, size_t count);

/* Returns the class that is part of an identity. Returns TEXT_NULL if the profiler reports no class, or if
 * class_name is not a class: many detectors report the allocating function instead, or a word that is the same
 * for all objects. */
struct text finding_class(struct text class_name);

/* Appends the kind that is part of an identity. It is one word for all the names that detectors use
 * for the same kind of error, such as "access" for InvalidRead and heap-use-after-free. For an unknown
 * name, it is "error" followed by the name. */
void finding_kind(struct strbuf *out, bool leak, struct text name);

/* The values from which an identity is computed. */
struct finding {
	bool leak;
	struct text name;       /* error: its name */
	struct text class_name; /* finding_class */
	const uint8_t *own;     /* finding_own_identity; NULL if it failed */
	const uint8_t *stack; /* if `own` is NULL: finding_module_identity; NULL without a stack */
};

void finding_identity(struct sha256 *sha, const struct finding *f, uint8_t out[IDENTITY_BYTES]);

#endif
