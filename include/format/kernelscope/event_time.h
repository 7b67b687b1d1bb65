/*
 * The times of events: local to the sender, mostly without a zone.
 */
#ifndef PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_TIME_H
#define PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_TIME_H

#include "base/decimal.h"
#include "base/strbuf.h"
#include "base/text.h"

/*
 * YYYY-MM-DD, then optionally a blank or T and HH:MM[:SS[.digits]], then
 * optionally Z or +HH[:MM] as seconds since 1970; without a zone the clock is
 * taken as UTC. *exact: event_time_append gives this very text back. False
 * when it is no such time.
 */
bool event_time_parse(struct text t, struct decimal *at, bool *exact);

/* A number of seconds since 1970; false beyond the years 1 to 9999. */
bool event_time_from_number(struct text t, struct decimal *at);

/* YYYY-MM-DD HH:MM:SS, then as many digits of a second as at has. False when
 * at is no such time. */
bool event_time_append(struct strbuf *b, struct decimal at);

#endif
