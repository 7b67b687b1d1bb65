/*
 * The history of findings in a stream, as it was at one ledger number. The runs of the parent
 * stream come first, up to the point where the stream branched off. The runs of the stream follow.
 * Everything is in one arena.
 */
#ifndef PROFDEPOT_MODEL_HISTORY_H
#define PROFDEPOT_MODEL_HISTORY_H

#include "base/decimal.h"
#include "base/hash.h"
#include "model/coverage.h"

#include <stdint.h>

/* What a run can look for. Every finding belongs to one of these kinds. */
enum history_what {
	HISTORY_LEAKS,
	HISTORY_ERRORS,
	HISTORY_RACES,
	HISTORY_WHATS
};

/* One result set. Texts are NULL if unknown. */
struct history_run {
	int64_t inst_id, ledger_no;
	struct text run_key, group_key, version, commit_id, parent_commit_id, tool;
	struct text ran_at; /* ISO 8601 */
	struct text labels; /* labels of its stream, such as branch=main */
	int finished;       /* 1, 0; -1 if unknown */
	enum coverage_degree looked[HISTORY_WHATS];
	int64_t fold_no;      /* used by the store: the fold that contains its sightings, or 0 */
	struct text position; /* used by the store: the sort key, in the server's binary form */
	bool of_parent;       /* a run of the parent stream */
	uint32_t group; /* number of its group, from 0; a group has the result sets of one run */
};

/* A finding in one run. */
struct history_sighting {
	uint32_t run;        /* index in history.runs */
	int32_t source_line; /* line of the own frame; 0 if unknown */
	int32_t places;
	int64_t count;
	wide_int size; /* bytes, if `sized` */
	bool sized;    /* false for errors, and for leaks whose sizes are unknown */
};

#define HISTORY_STATE_TABLE(X) \
	X(HISTORY_NEW, "new")             /* first seen in the newest run that looked for it */ \
	X(HISTORY_OPEN, "open")           /* also seen in an earlier run */ \
	X(HISTORY_CAME_BACK, "came back") /* seen, gone, and seen again */ \
	X(HISTORY_NOT_LOOKED, "not looked for") /* newer runs did not look for it */ \
	X(HISTORY_GONE, "gone")                 /* a newer run looked for it and did not find it */

enum history_state {
#define HISTORY_STATE_ENUM(code, word) code,
	HISTORY_STATE_TABLE(HISTORY_STATE_ENUM)
#undef HISTORY_STATE_ENUM
	HISTORY_STATES
};

extern const char *const history_state_names[HISTORY_STATES];

#define REVIEW_STATUS_TABLE(X) \
	X(REVIEW_OPEN, "open") \
	X(REVIEW_CONFIRMED, "confirmed") \
	X(REVIEW_FALSE_POSITIVE, "false-positive") \
	X(REVIEW_INTENTIONAL, "intentional") \
	X(REVIEW_FIXED, "fixed")

enum review_status {
#define REVIEW_STATUS_ENUM(code, word) code,
	REVIEW_STATUS_TABLE(REVIEW_STATUS_ENUM)
#undef REVIEW_STATUS_ENUM
	REVIEW_STATUSES
};

extern const char *const review_status_names[REVIEW_STATUSES];

/* A user's decision about a finding. Texts are NULL if not given. */
struct history_review {
	int64_t ledger_no;
	enum review_status status;
	struct text author, reason, ticket, until, fixed_in, reviewed_at;
	bool expired;                       /* the day of the history is after `until` */
	const struct history_review *older; /* NULL for the first review */
};

struct history_finding {
	uint8_t identity[IDENTITY_BYTES];
	struct text kind; /* as in the view sightings */
	enum history_what what;
	uint32_t *seen; /* ascending indexes in history.runs; at least one */
	size_t seen_count, seen_room;
	const struct history_review *review; /* the newest one, or NULL */
	bool was_fixed;                      /* seen in a run after the review marked it as fixed */

	/* Set by history_judge. */
	enum history_state state;
	/* numbers of groups; HISTORY_NEVER if there is no such group */
	uint32_t first_seen, last_seen, last_looked;
	uint32_t group_count; /* runs in which it was seen */

	/* Read by history_read_details. The texts are those of the newest run. */
	struct text name, class_name, module_name, routine_class, routine_name, source_file;
	struct history_sighting *sightings; /* in the order of the runs */
	size_t sighting_count, sighting_room;
};

#define HISTORY_NEVER UINT32_MAX

/* The history shows sightings of `identity` as sightings of `root`. */
struct history_alias {
	uint8_t identity[IDENTITY_BYTES], root[IDENTITY_BYTES];
};

struct history {
	int64_t ledger_no;
	/* The result set that the question names. If the named result set repeats an earlier one, this is
	 * the earlier one. 0 if the question names no result set. */
	int64_t inst_id;
	struct text application, labels; /* application and labels of the stream */
	struct text parent;              /* labels of the parent stream; NULL without a parent */
	struct history_run *runs;
	size_t run_count;
	/* For history_read_details: for each fold, the indexes of its runs in `runs`. Every fold has the same
	 * number of elements. If a run of a fold is not in `runs`, its element is UINT32_MAX. */
	const uint32_t *fold_runs;
	size_t fold_count;
	uint32_t group_count;
	uint32_t own_group; /* the first group of the stream itself */
	struct history_finding *findings;
	size_t finding_count;
	const struct history_alias *aliases; /* sorted by identity */
	size_t alias_count;
};

/* Returns the identity under which the history shows a finding. */
const uint8_t *history_root(const struct history *h, const uint8_t identity[IDENTITY_BYTES]);

/* Numbers the groups. Result sets with the same group key form one group. Groups are in the order of their
 * first result sets. Sorts the runs by group, so call it before sightings refer to runs. */
void history_group(struct history *h);

/* Returns what a run must look for to find this kind: leaks for "leak", races for "race" and
 * "lock-order", errors for all other kinds. */
enum history_what history_what_of(struct text kind);

#endif
