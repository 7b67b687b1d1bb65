/*
 * The members of an input: which are of a format, the loop that reads them, and the issue for
 * those that are left out. This is the only such loop.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_MEMBERS_H
#define PROFDEPOT_FORMAT_COMMON_MEMBERS_H

#include "emit.h"

/* A format's way with members; one const table per format. */
struct member_kind {
	const char *noun; /* "callgrind profile", for messages */
	const char *hint; /* what was looked for, when no member is of the format; may be NULL */
	/* Ending of files that the tool writes along with its results, such as ".xsl": left out without
	 * an issue. NULL if it writes only results. */
	const char *companion;
	/* Bits that the member shows of the format; 0: it is not of the format. */
	int (*look)(const struct format_source *source, size_t member);
	/* Emits the rows of the member's set, all but `set` and `end`. false: err, or r->again. */
	bool (*read)(struct reader *r);
	bool captioned;   /* the member's name is the caption of its set */
	bool further;     /* read may begin further sets, and is called for unwanted ones, too */
	bool own_sets;    /* read begins all sets of the member */
	bool look_always; /* also at a single file, which is taken unseen otherwise */
};

/* Bits of the first member that shows the format; 0 if no member does. */
int members_probe(const struct format_source *source, const struct member_kind *kind);
/* The same for the member that the source's JSON shape is of. */
int members_probe_json(const struct format_source *source, const struct member_kind *kind);

/* Reads the members of the format, each as a result set. Each other one is left out with an issue.
 * ERROR_INPUT when no member is of the format. */
enum format_result members_read(struct format_source *source, struct sink *sink,
	const struct member_kind *kind, struct error *err);

/* Emits the issue for a member that is not of the format: "file left out: no NOUN". For formats
 * that make one set of all members. */
bool member_left_out(struct reader *r, const char *noun);

/* The whole lines of the member's head; NULL when it is empty. The caller frees it. */
struct line_reader *member_head_lines(const struct format_source *source, size_t member);

#endif
