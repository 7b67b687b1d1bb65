/*
 * Names as people wrote them. The only place that knows libiberty.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_DEMANGLE_H
#define PROFDEPOT_FORMAT_COMMON_DEMANGLE_H

#include "base/strbuf.h"
#include "base/text.h"

/* Of a C++ or Rust symbol (_Z, __Z, _R): its name for people, borrowed from
 * out, and true. False for every other name. The caller has initialised out,
 * with DEMANGLE_MAX_BYTES. */
bool demangle(struct text name, struct strbuf *out, struct text *plain);

enum {
	DEMANGLE_MAX_INPUT_BYTES = 16 * 1024, /* longer symbols stay as they are */
	DEMANGLE_MAX_BYTES = 64 * 1024,       /* and those whose names are longer */
};

#endif
