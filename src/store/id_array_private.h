/* Arrays of numbers in the server's binary format. */
#ifndef PROFDEPOT_SRC_STORE_ID_ARRAY_PRIVATE_H
#define PROFDEPOT_SRC_STORE_ID_ARRAY_PRIVATE_H

#include "base/text.h"
#include "model/call_tree.h"

#include <stdint.h>

enum {
	OID_INT8 = 20,
	ARRAY_HEADER_BYTES = 20, /* header of a one-dimensional binary array */
	STACK_ID_MAX = 64 * 1024 *
		       1024, /* a limit for tables by stack; the loader numbers stacks from 1 */
};

static inline uint32_t
get_u32(const char *p)
{
	const unsigned char *b = (const unsigned char *)p;

	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* The number of a stack: an integer in the server's binary format. Returns 0 if t is no such integer. */
static inline uint32_t
stack_id_of(struct text t)
{
	return t.size == 4 ? get_u32(t.data) : 0;
}

/* A bigint[] in the server's binary format: a header, then the length and value of each element. */
struct id_array {
	const char *at, *end;
	uint32_t left;
};

static inline struct id_array
array_open(struct text t)
{
	struct id_array a = { t.data, t.data + t.size, 0 };

	if (t.size < ARRAY_HEADER_BYTES || get_u32(t.data) != 1 || get_u32(t.data + 8) != OID_INT8)
		return a;
	a.left = get_u32(t.data + 12);
	a.at += ARRAY_HEADER_BYTES;
	return a;
}

/* A NULL element becomes CALL_TREE_UNKNOWN. */
static inline bool
array_next(struct id_array *a, int64_t *id)
{
	uint32_t size;

	if (!a->left || a->end - a->at < 4)
		return false;
	a->left--;
	size = get_u32(a->at);
	a->at += 4;
	*id = CALL_TREE_UNKNOWN;
	if (size != 8 || a->end - a->at < 8)
		return true; /* a NULL element has the size -1 and no value */
	*id = (int64_t)((uint64_t)get_u32(a->at) << 32 | get_u32(a->at + 4));
	a->at += 8;
	return true;
}

#endif
