/*
 * States of findings.
 *
 * A run opens findings of what it looked for, however thoroughly. It closes them if it looked for all of
 * them, finished, and did not see them. A run that did not finish does neither.
 */
#ifndef PROFDEPOT_ANALYSIS_HISTORY_H
#define PROFDEPOT_ANALYSIS_HISTORY_H

#include "base/arena.h"
#include "model/history.h"

/* Computes the state of each finding as of the run with index `last` (a group), or of the newest if it is
 * HISTORY_NEVER. A finding that no run opened has the state HISTORY_NOT_LOOKED. */
void history_judge(struct history *h, struct arena *a, uint32_t last);

/* What one result set says about a finding: "seen", "not seen", "not looked for" ... */
const char *history_run_answer(
	const struct history_run *r, const struct history_finding *f, bool seen);

#endif
