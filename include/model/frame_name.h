/*
 * The normal form of a routine's name: equal for the same routine in different builds, of different
 * compilers and demanglers, and in the logs of different detectors. Finding identities are hashes of it.
 *
 * The form is "unit::class::routine"; parts that are unknown, or that the routine's name already begins
 * with, are left out. It has no module, address, offset, symbol version or clone suffix (.part.0, .isra.0),
 * no return type, no blanks around punctuation, and no inline namespaces (std::__cxx11, std::__1). Anonymous
 * namespaces, lambdas, literals and std::string have one spelling. Parameters of C++ functions stay, so that
 * overloads differ. Borland's decorations are undone, without their parameters; Pascal units are in lower
 * case. Text in an unknown form stays as it is.
 *
 * SQL has the same rule in profdepot.normal_frame_name.
 */
#ifndef PROFDEPOT_MODEL_FRAME_NAME_H
#define PROFDEPOT_MODEL_FRAME_NAME_H

#include "base/strbuf.h"
#include "base/text.h"

enum {
	FRAME_NAME_VERSION = 1, /* of this rule and of frame_owner_of; identities include it */
	FRAME_NAME_GROWTH = 8,  /* the result has at most this many times the bytes of the input */
};

/* Appends the normal form; nothing if the routine is unknown ("", "??", an address). `unit` is a Pascal unit
 * or a namespace; a source or object file is ignored. Texts may be NULL. Takes linear time. */
void frame_name_normal(
	struct strbuf *out, struct text unit, struct text class_name, struct text routine);

#endif
