/* Parts of a callgrind profile: writes each part's head as JSON, and checks its totals. */
#include "callgrind_private.h"

#include "base/json_string.h"

/* ["key","value"] */
void
callgrind_note(struct callgrind *c, struct text key, struct text value)
{
	strbuf_append_str(&c->parts, c->has_notes ? ",[" : "[");
	json_append_text(&c->parts, key);
	strbuf_append_char(&c->parts, ',');
	json_append_text(&c->parts, value);
	strbuf_append_char(&c->parts, ']');
	c->has_notes = true;
}

static bool
check_sums(struct callgrind *c)
{
	struct line here = c->in->line;
	bool same = true;
	bool ok = true;

	for (size_t i = 0; i < c->event_count; i++)
		same = same && c->part_sums[i] == c->part_stated[i];
	if (!same && (c->has_totals || c->has_summary)) {
		c->in->line = c->totals_line;
		c->in->line.text = TEXT_NULL;
		ok = reader_issue(c->in, ISSUE_TOTALS_DIFFER,
			"the totals of the part differ from the sum of its costs");
		c->in->line = here;
	}
	return ok;
}

bool
callgrind_end_part(struct callgrind *c)
{
	if (c->part_count && !check_sums(c))
		return false;
	c->has_totals = c->has_summary = false;
	for (size_t i = 0; i < c->event_count; i++)
		c->part_sums[i] = c->part_stated[i] = 0;
	strbuf_append_str(&c->parts, c->part_count ? "]" : "");
	return true;
}

bool
callgrind_begin_part(struct callgrind *c)
{
	if (!callgrind_end_part(c))
		return false;
	strbuf_append_str(&c->parts, c->part_count++ ? ",[" : "[");
	c->has_notes = false;
	return true;
}
