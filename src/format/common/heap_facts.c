/* Functions that the readers of heap profiles share. */
#include "heap_facts.h"

#include "base/depot_text.h"

bool
heap_emit_metrics(
	struct reader *r, const struct heap_metric *metrics, size_t count, metric_number *first)
{
	for (size_t i = 0; i < count; i++) {
		const struct metric_row row = { .family = metrics[i].aggregate ? METRIC_OF_GAUGES
									       : METRIC_OF_SAMPLES,
			.name = text_from(metrics[i].name),
			.unit = text_from(metrics[i].unit),
			.title = text_from(metrics[i].title),
			.aggregate = text_from(metrics[i].aggregate) };
		metric_number number;

		if (!emit_metric(r, &row, i == 0 ? first : &number))
			return false;
	}
	return true;
}

bool
heap_emit_comparison(
	struct reader *r, const struct heap_metric *metrics, size_t count, metric_number *first)
{
	struct track_row track = { .id = 1,
		.kind = "profile",
		.name = TEXT_LITERAL("comparison"),
		.process_id = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.started_us = MODEL_NULL };

	if (!heap_emit_metrics(r, metrics, count, first))
		return false;
	track.metric = *first;
	return emit_track(r, &track);
}

struct text
heap_clean_text(struct strbuf *b, struct text t, bool *bad)
{
	size_t at = 0;

	if (!t.size)
		return (struct text){ "", 0 };
	if (text_utf8_prefix(t.data, t.size) == t.size && !memchr(t.data, 0, t.size) &&
		!memchr(t.data, DEPOT_TEXT_ESCAPE, t.size))
		return t;
	strbuf_reset(b);
	while (at < t.size) {
		size_t good = text_utf8_prefix(t.data + at, t.size - at);

		for (size_t end = at + good; at < end; at++)
			if (t.data[at] == 0 || t.data[at] == DEPOT_TEXT_ESCAPE)
				depot_text_append_unit(b, (uint16_t)t.data[at]);
			else
				strbuf_append_char(b, t.data[at]);
		if (at < t.size) {
			strbuf_append_str(b, "\xEF\xBF\xBD");
			*bad = true;
			at++;
		}
	}
	return strbuf_text(b);
}

struct text
heap_application(struct text command)
{
	struct text name = text_trim(command);

	name = text_basename(scan_token(&name));
	return text_is_empty(name) ? TEXT_NULL : name;
}
