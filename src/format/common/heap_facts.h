/*
 * What readers of heap profiles share: metrics by their common names, JSON of
 * attributes, text that the depot holds.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_HEAP_FACTS_H
#define PROFDEPOT_FORMAT_COMMON_HEAP_FACTS_H

#include "base/strbuf.h"
#include "format/common/json_members.h"
#include "format/common/text_scan.h"
#include "format/format.h"

struct heap_metric {
	const char *name, *unit, *title;
};

/* Tells them as metrics of samples, in this order; *first is the first one's number. */
bool heap_emit_metrics(struct sink *sink, uint32_t set, const struct heap_metric *metrics,
	size_t count, metric_number *first, struct error *err);

/* Of any bytes: what is no UTF-8 becomes U+FFFD (*bad is set), what no text of the depot holds
 * its escape. Borrowed from t or from b. */
struct text heap_clean_text(struct strbuf *b, struct text t, bool *bad);

/* Tells an issue at a line (from 1; 0: none) and an offset of the file. */
bool heap_issue(struct sink *sink, uint32_t set, const struct issue *issue, struct error *err,
	const char *format, ...) ERROR_PRINTF(5, 6);

/*
 * Reads each member that `ours` takes as a result set of its own, as a format with `several`
 * must; a single file is taken unasked. read tells the set's rows, all but `set` and `end`;
 * done: bytes of the members before, for the source's `consumed`.
 */
struct heap_reader {
	const char *what; /* "heaptrack recording", for issues and errors */
	bool (*ours)(const char *head, size_t size);
	bool (*read)(struct format_source *source, struct sink *sink, uint32_t set, size_t member,
		int64_t done, struct error *err);
};

enum format_result heap_read_members(const struct heap_reader *reader, struct format_source *source,
	struct sink *sink, struct error *err);

/* Bits of the magic when the first member that has one is the reader's; for a probe. */
int heap_probe(const struct heap_reader *reader, const struct format_source *source, int bits);

/* "a command with arguments" without them, and without the folder: names the application. */
struct text heap_application(struct text command);

#endif
