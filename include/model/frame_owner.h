/*
 * The owner of a frame: an allocator, the system, or the program itself.
 *
 * The rule is fixed, because finding identities depend on it. A change needs a new FRAME_NAME_VERSION
 * (model/frame_name.h). SQL has the same rule in profdepot.is_system_frame and is_allocator_frame.
 */
#ifndef PROFDEPOT_MODEL_FRAME_OWNER_H
#define PROFDEPOT_MODEL_FRAME_OWNER_H

#include "base/text.h"

#include <stdbool.h>

enum frame_owner_kind {
	FRAME_OWN,       /* the program's own code */
	FRAME_SYSTEM,    /* a runtime, a system library or a sanitizer */
	FRAME_ALLOCATOR, /* a system frame that only allocates or frees memory */
};

/* Unknown texts are NULL or empty. `unit` is a Pascal unit. Names may be mangled or demangled, and
 * modules and files may have folders. Takes time linear in the length of the texts. */
enum frame_owner_kind frame_owner_of(struct text module, struct text class_name,
	struct text routine, struct text file, struct text unit);

#endif
