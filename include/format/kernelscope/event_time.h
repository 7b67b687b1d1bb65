/* The times of events: local to the sender, mostly without a zone. */
#ifndef PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_TIME_H
#define PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_TIME_H

#include "base/decimal.h"
#include "base/strbuf.h"
#include "base/text.h"

/*
 * Format: YYYY-MM-DD[( |T)HH:MM[:SS[.digits]][Z|(+|-)HH[[:]MM]]]. The result is in seconds since 1970, in
 * UTC if there is no zone. *exact: event_time_append gives back this exact text. False if it is not
 * a time.
 */
bool event_time_parse(struct text t, struct decimal *at, bool *exact);

/* A number of seconds since 1970. False outside the years 1 to 9999. */
bool event_time_from_number(struct text t, struct decimal *at);

/* YYYY-MM-DD HH:MM:SS, with as many fractional digits as `at` has. False if `at` is not such a time. */
bool event_time_append(struct strbuf *b, struct decimal at);

#endif
