/* Shared by the files that parse a CODEOWNERS file and match paths with it. */
#ifndef PROFDEPOT_ANALYSIS_OWNERS_PRIVATE_H
#define PROFDEPOT_ANALYSIS_OWNERS_PRIVATE_H

#include "analysis/owners.h"

#include <stdint.h>

enum owners_part_kind {
	OWNERS_LITERAL, /* without escapes */
	OWNERS_GLOB,    /* may contain *, ? and escapes */
	OWNERS_FOLDERS  /* **: any number of folders */
};

/* One name of a pattern. */
struct owners_part {
	enum owners_part_kind kind;
	struct text text;
};

/* What the last name of a pattern matches. */
enum owners_tail {
	OWNERS_ANYTHING, /* the file itself, or a folder that contains it */
	OWNERS_INSIDE,   /* a folder that contains the file */
	OWNERS_NOTHING   /* the file itself */
};

struct owners_rule {
	const struct owners_part *parts; /* neither the first nor the last part is ** */
	size_t part_count;               /* 0: the pattern matches every file */
	enum owners_tail tail;
	bool slash_first;
	bool anchored;
	uint32_t section;
	struct text owners; /* separated by one space; NULL: no owner */
	uint64_t key;       /* hash of the first names or of the extension; see owners_match.c */
	uint32_t next;      /* number of the next rule in the list; 0 at the end */
};

/* The first rule has the number 1. In each list, the rule with the highest number comes first. */
struct owners {
	struct owners_rule *rules;
	size_t count;
	size_t section_count;
	uint32_t *lists; /* indexed by the key's lowest bits; the number of lists is a power of 2 */
	size_t list_mask;
	uint32_t others; /* the list of rules that have no key */
	size_t longest;  /* the largest number of names in a key */
};

/* Puts the rules into lists by their keys, so that a look-up tries only a few rules. */
void owners_index(struct owners *o, struct arena *a);

#endif
