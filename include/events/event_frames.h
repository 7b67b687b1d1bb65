/* Writes a tree as a data frame for Grafana's flame graph panel. */
#ifndef PROFDEPOT_EVENTS_EVENT_FRAMES_H
#define PROFDEPOT_EVENTS_EVENT_FRAMES_H

#include "model/tree.h"

#include <stdio.h>

/*
 * Format: https://grafana.com/docs/grafana/latest/panels-visualizations/visualizations/flame-graph/
 * The nodes are written in preorder. Each field has one element per node: level (0 is the root),
 * value (inclusive), self, label. In a comparison, a node's value and self are sums: its value in the tree
 * plus its value in the base. valueRight and selfRight are its values in the tree alone. Returns false if a write failed.
 */
bool event_frames_write(FILE *out, const struct tree *t);

#endif
