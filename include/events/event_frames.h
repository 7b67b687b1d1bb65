/* A tree as a data frame of Grafana's flame graph panel. */
#ifndef PROFDEPOT_EVENTS_EVENT_FRAMES_H
#define PROFDEPOT_EVENTS_EVENT_FRAMES_H

#include "model/tree.h"

#include <stdio.h>

/*
 * Format: https://grafana.com/docs/grafana/latest/panels-visualizations/visualizations/flame-graph/
 * A nested set: fields of equal length with one element per node in preorder: level (0: root), value
 * (inclusive), self, label. In a comparison value and self are the sums of both sides, valueRight and
 * selfRight those of the side that is compared with the base. False: a write failed.
 */
bool event_frames_write(FILE *out, const struct tree *t);

#endif
