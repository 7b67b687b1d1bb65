/* Draws a row of numbers as text bars. */
#include "analysis/sparkline.h"

#include "base/strbuf.h"

enum {
	BARS = 8,
	HALF = 3
};

void
sparkline_append(struct strbuf *b, const struct sparkline_value *values, size_t count)
{
	static const char *const bars[BARS] = { "\u2581", "\u2582", "\u2583", "\u2584", "\u2585",
		"\u2586", "\u2587", "\u2588" };
	wide_int least = 0, most = 0;
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		if (!values[i].known)
			continue;
		if (!any || values[i].value < least)
			least = values[i].value;
		if (!any || values[i].value > most)
			most = values[i].value;
		any = true;
	}
	for (size_t i = 0; i < count; i++) {
		double place = (double)HALF;

		if (!values[i].known) {
			strbuf_append_char(b, ' ');
			continue;
		}
		if (most > least)
			place = ((double)values[i].value - (double)least) /
				((double)most - (double)least) * (BARS - 1);
		strbuf_append_str(b, bars[(size_t)(place + 0.5)]);
	}
}
