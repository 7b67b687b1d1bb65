/* Functions that the readers of heap profiles share. */
#ifndef PROFDEPOT_FORMAT_COMMON_HEAP_FACTS_H
#define PROFDEPOT_FORMAT_COMMON_HEAP_FACTS_H

#include "format/common/json_members.h"
#include "format/common/members.h"
#include "format/common/text_scan.h"

struct heap_metric {
	const char *name, *unit, *title;
	const char *aggregate; /* how values of a gauge are combined; NULL for other metrics */
};

/* Emits the sample metrics in order, and sets *first to the number of the first metric. */
bool heap_emit_metrics(
	struct reader *r, const struct heap_metric *metrics, size_t count, metric_number *first);

/* Emits the metrics of a comparison of two snapshots, and its only track, 1. Sets *first as heap_emit_metrics does. */
bool heap_emit_comparison(
	struct reader *r, const struct heap_metric *metrics, size_t count, metric_number *first);

/* Converts bytes to text. Invalid UTF-8 becomes U+FFFD, and sets *bad to true. Characters that the
 * depot cannot store are escaped. The result is borrowed from t or from b. */
struct text heap_clean_text(struct strbuf *b, struct text t, bool *bad);

/* The program's name in a command line, without folder and arguments; TEXT_NULL if empty. */
struct text heap_application(struct text command);

#endif
