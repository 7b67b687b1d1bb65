/* Event times: local times of the sender, usually without a time zone. */
#ifndef PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_TIME_H
#define PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_TIME_H

#include "base/decimal.h"
#include "base/strbuf.h"
#include "base/text.h"

/*
 * Parses YYYY-MM-DD[( |T)HH:MM[:SS[.digits]][Z|(+|-)HH[[:]MM]]]. *at is in seconds since 1970; a
 * time without a zone is taken as UTC. *exact is true if event_time_append reproduces the
 * text. Returns false if the text is not a time.
 */
bool event_time_parse(struct text t, struct decimal *at, bool *exact);

/* Parses a number of seconds since 1970. Returns false outside the years 1 to 9999. */
bool event_time_from_number(struct text t, struct decimal *at);

/* Appends YYYY-MM-DD HH:MM:SS with the fraction digits of `at`. False if `at` is out of range. */
bool event_time_append(struct strbuf *b, struct decimal at);

#endif
