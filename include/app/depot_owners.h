/* Finds the owners of findings: applies the depot's CODEOWNERS file to the source file of a finding's own frame. */
#ifndef PROFDEPOT_APP_DEPOT_OWNERS_H
#define PROFDEPOT_APP_DEPOT_OWNERS_H

#include "base/option.h"
#include "report/report.h"

struct owners;

struct depot_owners {
	struct arena *arena;
	const struct owners *rules; /* NULL if the depot has no owners */
};

/* Reads the owners that were valid at a ledger number. If ledger_no is 0, reads the newest owners. */
bool depot_owners_read(struct db *db, struct arena *a, int64_t ledger_no,
	struct depot_owners *owners, struct error *err);

/* Returns the owners of a source file, separated by one space; TEXT_NULL if it has no owners. */
struct text depot_owner(struct depot_owners *owners, struct text source_file);

/* Returns whether one of the owners in `owner` matches one of the globs. */
bool owner_passes(const struct option_list *globs, struct text owner);

/* Returns r if the depot has owners. Otherwise returns a copy of r without the owner column, in the
 * arena. Returns NULL on failure. */
const struct report *report_owners_shape(
	struct db *db, struct arena *a, const struct report *r, struct error *err);

/* Prepares q so that the report finds the owners of rows and selects rows by --owner. The members that this
 * function sets live in the arena. Fails with ERROR_NOT_FOUND and a hint if q asks for an owner, but the depot
 * has no owners or the result set is open. */
bool report_owners_prepare(struct db *db, struct arena *a, const struct report *r,
	struct report_request *q, struct error *err);

#endif
