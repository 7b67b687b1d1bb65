/* A tree as a data frame of Grafana's flame graph panel. */
#ifndef PROFDEPOT_EVENTS_EVENT_FRAMES_H
#define PROFDEPOT_EVENTS_EVENT_FRAMES_H

#include "model/tree.h"

#include <stdio.h>

/*
 * A nested set: fields of equal length, an element a node in preorder: level
 * (0: root), value (inclusive), self, label. Compared: value and self hold both
 * sides together, valueRight and selfRight what is compared with the base.
 */
bool event_frames_write(FILE *out, const struct tree *t);

#endif
