/* Of valgrind's XML what can be told from its bytes alone, beside expat. */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_PLAIN_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_PLAIN_H

#include "base/text.h"

enum {
	VG_NEAR_BYTES = 2048,     /* in which the end of nearly any element stands */
	VG_PLAIN_NAME_BYTES = 32, /* of an element of plain text, with NUL */
};

/* Spaces, tabs and line ends at the begin. */
size_t valgrind_blanks(const char *data, size_t size);

/* Behind the end tag of a frame that begins before; NULL: it is not there. */
const char *valgrind_frame_end(const char *data, size_t size);

/* Bytes of the element that begins at data and has no attributes, nothing but printable ASCII
 * inside, and no markup; 0: there is none, or not all of it. */
size_t valgrind_plain_element(
	const char *data, size_t size, char name[VG_PLAIN_NAME_BYTES], struct text *text);

/* Bytes of the tag that begins at data and has no attributes, name and *end; 0: there is none. */
size_t valgrind_plain_tag(const char *data, size_t size, char name[VG_PLAIN_NAME_BYTES], bool *end);

#endif
