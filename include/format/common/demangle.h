/*
 * Demangles symbols, with libiberty.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_DEMANGLE_H
#define PROFDEPOT_FORMAT_COMMON_DEMANGLE_H

#include "base/strbuf.h"
#include "base/text.h"

/* Sets *plain, borrowed from `out`, to the source name of a C++ or Rust symbol (_Z, __Z, _R).
 * Returns false for any other name. The caller initialises `out` with DEMANGLE_MAX_BYTES. */
bool demangle(struct text name, struct strbuf *out, struct text *plain);

enum {
	DEMANGLE_MAX_INPUT_BYTES = 16 * 1024, /* longer symbols are not demangled */
	DEMANGLE_MAX_BYTES = 64 * 1024,       /* longer names are not used */
};

#endif
