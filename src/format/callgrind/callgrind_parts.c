/* Parts of a file: what each says of itself, and whether its totals are right. */
#include "callgrind_private.h"

#include "base/json_writer.h"

#include <stdlib.h>

/* A member of the part's JSON: what it says of itself. */
bool
callgrind_note(struct callgrind *c, struct text key, struct text value)
{
	struct json_writer w;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return error_set_errno(c->file->err, ERROR_FILE, "%s", c->file->name);
	json_writer_init(&w, out, false);
	json_begin_array(&w);
	json_text(&w, key);
	json_text(&w, value);
	json_end_array(&w);
	fclose(out);
	/* ["key","value"] */
	strbuf_append(&c->parts, c->member.size ? "," : "", c->member.size ? 1 : 0);
	strbuf_append(&c->parts, text, size);
	strbuf_append_char(&c->member, ' ');
	free(text);
	return true;
}

static bool
check_sums(struct callgrind *c)
{
	struct line here = c->file->line;
	bool same = true;
	bool ok = true;

	for (size_t i = 0; i < c->event_count; i++)
		same = same && c->part_sums[i] == c->part_told[i];
	if (!same && (c->has_totals || c->has_summary)) {
		c->file->line = c->totals_line;
		c->file->line.text = TEXT_NULL;
		ok = text_file_issue(c->file, ISSUE_TOTALS_DIFFER,
			"the part's totals are not the sum of its lines of costs");
		c->file->line = here;
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
		c->part_sums[i] = c->part_told[i] = 0;
	strbuf_append_str(&c->parts, c->part_count ? "]" : "");
	return true;
}

bool
callgrind_begin_part(struct callgrind *c)
{
	if (!callgrind_end_part(c))
		return false;
	strbuf_append_str(&c->parts, c->part_count++ ? ",[" : "[");
	strbuf_reset(&c->member);
	return true;
}
