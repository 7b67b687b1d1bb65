/* Reads logs in which reports are mixed with other lines; see log_reader.h. */
#include "log_reader.h"

#include "format/common/log_prefix.h"

#include <stdlib.h>

enum {
	LOOK_BITS = 8 * 20,
	LINE_MAX_BYTES = 64 * 1024,
};

struct log {
	const struct log_kind *kind;
	struct log_prefixes prefixes;
	void *states[LOG_PREFIXES + 1]; /* indexed by prefix number; NULL before its first line */
};

/* Removes the line's prefix. Returns the number of the prefix, or 0. */
static unsigned
content_of(const struct log_kind *kind, struct log_prefixes *prefixes, struct text line,
	struct text *content)
{
	unsigned number = prefixes->count ? log_prefix_strip(prefixes, line, content) : 0;
	size_t at;

	if (number)
		return number;
	*content = line;
	at = kind->mark(line);
	if (at == TEXT_NOT_FOUND || !at || !log_prefix_is_likely(text_up_to(line, at)) ||
		!log_prefix_add(prefixes, text_up_to(line, at)))
		return 0;
	*content = text_from_at(line, at);
	return prefixes->count;
}

static bool
take_line(struct log *l, struct reader *r)
{
	struct text content;
	unsigned number = content_of(l->kind, &l->prefixes, r->line.text, &content);

	if (!l->states[number])
		l->states[number] = xcalloc(1, l->kind->state_bytes);
	return l->kind->line(l->states[number], r, content);
}

static bool
check_found(const struct log_kind *kind, struct reader *r)
{
	if (r->set != ISSUE_EVERY_SET)
		return true;
	r->line.number = 0;
	reader_refuse(r, "no %s in it", kind->noun);
	return error_hint(r->err, "looked for %s", kind->looked_for);
}

bool
log_read(struct reader *r, const struct log_kind *kind)
{
	struct log *l = xcalloc(1, sizeof(*l));
	bool ok = reader_open_log(r, LINE_MAX_BYTES);

	l->kind = kind;
	if (ok)
		line_set_code_page(r->lines,
			r->source->options.encoding ? r->source->options.encoding : "CP1252");
	while (reader_line(r, &ok))
		ok = take_line(l, r);
	for (size_t i = 0; i <= LOG_PREFIXES; i++) {
		if (!l->states[i])
			continue;
		ok = ok && kind->end(l->states[i], r);
		kind->release(l->states[i]);
		free(l->states[i]);
	}
	ok = ok && check_found(kind, r);
	log_prefixes_release(&l->prefixes);
	free(l);
	return ok;
}

/* --- recognition -------------------------------------------------------------------------------- */

struct looking {
	const struct log_kind *kind;
	struct log_prefixes prefixes;
	unsigned seen;
};

void *
log_lines_begin(const void *kind)
{
	struct looking *l = xcalloc(1, sizeof(*l));

	l->kind = kind;
	return l;
}

bool
log_lines_line(void *state, struct text line)
{
	struct looking *l = state;
	struct text content;

	content_of(l->kind, &l->prefixes, line, &content);
	return l->kind->look(&l->seen, content);
}

void
log_lines_end(void *state)
{
	struct looking *l = state;

	log_prefixes_release(&l->prefixes);
	free(l);
}

int
log_look(const struct format_source *source, size_t member, const struct log_kind *kind)
{
	const struct line_options options = { .log = true, .max_line_bytes = LINE_MAX_BYTES };
	struct text head = bundle_head(source->bundle, member);
	struct line_reader *lines = line_reader_new_memory(head.data, head.size, 0, &options);
	struct looking *l = log_lines_begin(kind);
	struct error err = ERROR_INIT;
	struct line line;
	bool more = true;
	bool found = false;

	while (!found && line_next(lines, &line, &more, &err) && more)
		found = log_lines_line(l, line.text);
	log_lines_end(l);
	line_reader_free(lines);
	return found ? LOOK_BITS : 0;
}
