/*
 * The normal form of a routine's name. The same routine has the same normal form in different
 * builds, with different compilers and demanglers, and in the logs of different detectors. The
 * identities of findings are hashes of normal forms.
 *
 * The form is "unit::class::routine". A part is left out if it is unknown, or if the routine's name
 * already begins with it. The form has no module, address, offset, symbol version or clone suffix
 * (.part.0, .isra.0), no return type, no blanks around punctuation, and no inline namespaces
 * (std::__cxx11, std::__1). Anonymous namespaces, lambdas, literals and std::string have one
 * spelling each. Parameters of C++ functions stay, so that overloads differ. Borland's names lose their
 * decoration and their parameters. Pascal units are in lower case. Text in an unknown form stays as
 * it is.
 *
 * SQL has the same rule in profdepot.normal_frame_name.
 */
#ifndef PROFDEPOT_MODEL_FRAME_NAME_H
#define PROFDEPOT_MODEL_FRAME_NAME_H

#include "base/strbuf.h"
#include "base/text.h"

#include <stdbool.h>

enum {
	/* The version of this rule and of frame_owner_of. It is part of every identity. In version 1, all
	 * frames of Delphi's and Free Pascal's runtimes counted as the program's own. */
	FRAME_NAME_VERSION = 2,
	FRAME_NAME_GROWTH = 8, /* the result is at most this many times as long as the input */
};

/* Appends the normal form, or nothing if the routine is unknown ("", "??", an address). `unit` is a
 * Pascal unit or a namespace; a source or object file is ignored. Texts may be NULL. Takes linear
 * time. */
void frame_name_normal(
	struct strbuf *out, struct text unit, struct text class_name, struct text routine);

/* Removes the decoration of Borland's compilers from a name: "@Unit@TClass@Routine$qqrv" becomes
 * "Unit.TClass.Routine". Returns false and writes nothing if t is not decorated. If the unit
 * is unknown, a name counts as decorated only if it begins with @ or has a calling convention. *method is
 * true for a const method, which has a class but possibly no unit. */
bool name_undo_borland(struct strbuf *out, struct text t, bool unit_known, bool *method);

#endif
