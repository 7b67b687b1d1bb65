/* Shared by the files of frame_name_normal. */
#ifndef PROFDEPOT_SRC_MODEL_FRAME_NAME_PRIVATE_H
#define PROFDEPOT_SRC_MODEL_FRAME_NAME_PRIVATE_H

#include "base/char.h"
#include "model/frame_name.h"

#include <string.h>

enum {
	NAME_MAX_BYTES = 64 * 1024 * 1024 /* limit for an intermediate form; names are shorter */
};

static inline bool
name_has(struct text t, size_t at, const char *word)
{
	size_t n = strlen(word);

	return at <= t.size && t.size - at >= n && memcmp(t.data + at, word, n) == 0;
}

static inline bool
name_word_at(struct text t, size_t at)
{
	return at < t.size && char_is_word(t.data[at]);
}

/* frame_name_suffix.c: the length of t without offsets, versions and clone suffixes. */
size_t name_without_suffixes(struct text t);

/* frame_name_cxx.c: rewrites C++ names to one spelling. */
void name_spell_cxx(struct strbuf *out, struct text t);

#endif
