/* Shared by the files of frame_owner_of. */
#ifndef PROFDEPOT_MODEL_FRAME_OWNER_PRIVATE_H
#define PROFDEPOT_MODEL_FRAME_OWNER_PRIVATE_H

#include "model/frame_owner.h"

/* frame_owner_pascal.c: whether a frame belongs to the runtime or the libraries of Delphi or Free Pascal, or
 * to a memory manager for them. The texts must not be NULL. */
bool frame_is_pascal_system(struct text class_name, struct text routine, struct text unit);
/* Whether a module without its folder is a package of Delphi, such as "rtl280.bpl" or "vclimg.bpl". */
bool frame_is_pascal_package(struct text name);

#endif
