/*
 * States of findings.
 *
 * A run opens each finding that it saw, even if it did not look for all findings of the same kind. A run
 * closes a finding if it looked for all findings of the same kind and did not see this one. An
 * unfinished run neither opens nor closes findings.
 */
#ifndef PROFDEPOT_ANALYSIS_HISTORY_H
#define PROFDEPOT_ANALYSIS_HISTORY_H

#include "base/arena.h"
#include "model/history.h"

/* Computes the state of each finding as of the run with the group number `last`, or as of the
 * newest run if `last` is HISTORY_NEVER. A finding that no run opened has the state
 * HISTORY_NOT_LOOKED. */
void history_judge(struct history *h, struct arena *a, uint32_t last);

/* Returns what one result set says about a finding: "seen", "not seen", "not looked for" ... */
const char *history_run_answer(
	const struct history_run *r, const struct history_finding *f, bool seen);

#endif
