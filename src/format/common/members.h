/*
 * Finds the members of an input that have the format, reads them in a loop, and emits issues for
 * the other members.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_MEMBERS_H
#define PROFDEPOT_FORMAT_COMMON_MEMBERS_H

#include "emit.h"

/* Describes how a format reads the members of an input. */
struct member_kind {
	const char *noun; /* name of a member in messages, such as "callgrind profile" */
	const char *hint; /* hint for the error if no member has the format; may be NULL */
	/* The extension of files that the tool writes beside its results, such as ".xsl". These
	 * files are skipped without an issue. NULL if there are no such files. */
	const char *companion;
	/* The number of bits that identify the format, or 0 if the member has another format. */
	int (*look)(const struct format_source *source, size_t member);
	/* Emits the rows of the member's set, without calling the sink's `set` or `end`. If it
	 * returns false, either err or r->again is set. */
	bool (*read)(struct reader *r);
	bool captioned;   /* the member's name is the caption of its set */
	bool further;     /* `read` may begin further sets; it runs even if the first is unwanted */
	bool own_sets;    /* `read` begins all sets of the member */
	bool look_always; /* call `look` even if the input is a single file */
};

/* The number of bits that identify the first member with the format; 0 if no member has it. */
int members_probe(const struct format_source *source, const struct member_kind *kind);
/* Like members_probe, but only for the member source->shape_member. */
int members_probe_json(const struct format_source *source, const struct member_kind *kind);

/* Reads each member that has the format; each one becomes a result set. Emits an issue about every
 * other member. Fails with ERROR_INPUT if no member has the format. */
enum format_result members_read(struct format_source *source, struct sink *sink,
	const struct member_kind *kind, struct error *err);

/* Emits the issue "file left out: no NOUN" for a member of another format. members_read calls it.
 * Readers that make a single set from all members call it themselves. */
bool member_left_out(struct reader *r, const char *noun);

/* Returns a reader for the complete lines in the member's head. If no line is complete, the reader
 * reads the whole head. The caller frees the reader. */
struct line_reader *member_head_lines(const struct format_source *source, size_t member);

#endif
