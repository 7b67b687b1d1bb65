/*
 * The names of routines, and the identities that are computed from them. An input can have thousands
 * of result sets, such as the valgrind documents of a test suite. They mostly have the same routines,
 * so later result sets reuse the texts and the identities of earlier ones.
 */
#ifndef PROFDEPOT_STORE_LOAD_LOAD_NAMES_H
#define PROFDEPOT_STORE_LOAD_LOAD_NAMES_H

#include "base/pair_map.h"
#include "load_parts.h"

struct load;
struct load_set;

/* A zeroed struct is empty. */
struct load_names {
	struct pair_map by_texts, line_by_key; /* key of a line: index in items, line number */
	struct load_routine *items;            /* only texts, identities and findings are set */
	size_t count, room;
	uint8_t (*lines)[IDENTITY_BYTES];
	size_t line_count, line_room;
};

void load_names_release(struct load_names *n);

/* Sets the routine's texts, which are in the load's arena, and its identities. A pass without a depot
 * does not need the identities and does not set them. */
void load_name_routine(struct load *l, const struct load_set *set, const struct routine_row *row,
	struct load_routine *r);

/* Computes the identity of a line of the routine. Does nothing in a pass without a depot. */
void load_name_line(
	struct load *l, const struct load_routine *r, int64_t line, uint8_t out[IDENTITY_BYTES]);

/* Returns what the routine contributes to the identities of findings. The first call for a routine
 * computes the contribution. */
const struct finding_frame *load_routine_finding(struct load *l, struct load_routine *r);

/* load_digest.c: frame identities, which are the same in every result set */
void frame_identity(struct sha256 *sha, const struct load_routine *r, uint8_t out[IDENTITY_BYTES]);
void line_identity(struct sha256 *sha, const struct load_routine *r, int64_t line,
	uint8_t out[IDENTITY_BYTES]);

#endif
