/* What the readers of heap profiles share: metrics and text. */
#ifndef PROFDEPOT_FORMAT_COMMON_HEAP_FACTS_H
#define PROFDEPOT_FORMAT_COMMON_HEAP_FACTS_H

#include "format/common/json_members.h"
#include "format/common/members.h"
#include "format/common/text_scan.h"

struct heap_metric {
	const char *name, *unit, *title;
};

/* Metrics of samples, in this order; *first is the number of the first. */
bool heap_emit_metrics(
	struct reader *r, const struct heap_metric *metrics, size_t count, metric_number *first);

/* Any bytes as text: invalid UTF-8 becomes U+FFFD (and *bad is set), bytes that no text of the depot
 * may hold are escaped. Borrowed from t or from b. */
struct text heap_clean_text(struct strbuf *b, struct text t, bool *bad);

/* The application of a command: its name without folder and arguments; TEXT_NULL if empty. */
struct text heap_application(struct text command);

#endif
