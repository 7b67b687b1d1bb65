/* Removes the prefixes that other programs add to the lines of a log; see log_prefix.h. */
#include "log_prefix.h"

enum {
	ANY_TIME = 0x01, /* in a pattern, matches any time or counter; occurs in no prefix */
};

size_t
log_time_run(struct text t)
{
	size_t n = 0;
	bool parted = false;

	if (!t.size || !char_is_digit(t.data[0]))
		return 0;
	while (n < t.size &&
		(char_is_digit(t.data[n]) || (t.data[n] && strchr(":-./,+TZ", t.data[n]))))
		n++;
	while (n > 1 && !char_is_digit(t.data[n - 1]) && t.data[n - 1] != 'Z')
		n--;
	if (text_begins(text_from_at(t, n), "s]"))
		return n + 1;
	if (text_begins(text_from_at(t, n), "\t"))
		return n;
	for (size_t i = 1; i + 1 < n; i++)
		parted |= !char_is_digit(t.data[i]) && char_is_digit(t.data[i + 1]);
	return parted ? n : 0;
}

/* Like log_time_run, but a number inside a word such as "web-1.2" is not a time. */
static size_t
time_run_at(struct text t, size_t at)
{
	char before = at ? t.data[at - 1] : ' ';
	bool word = char_is_word(before) || before == '-' || before == '.';

	return word ? 0 : log_time_run(text_from_at(t, at));
}

void
log_prefix_make(struct strbuf *out, struct text prefix)
{
	strbuf_reset(out);
	for (size_t i = 0; i < prefix.size;) {
		size_t run = time_run_at(prefix, i);

		if (!run) {
			strbuf_append_char(out, prefix.data[i++]);
			continue;
		}
		/* "[   5.123456]" and "[  12.345678]" have the same pattern. */
		while (out->size && out->data[out->size - 1] == ' ')
			out->size--;
		strbuf_append_char(out, ANY_TIME);
		i += run;
	}
}

bool
log_prefix_match(struct text pattern, struct text line, struct text *content)
{
	size_t at = 0;
	size_t i = 0;

	for (; i < pattern.size; i++) {
		if (pattern.data[i] == ANY_TIME) {
			size_t run;

			while (at < line.size && line.data[at] == ' ')
				at++;
			run = log_time_run(text_from_at(line, at));
			if (!run)
				return false;
			at += run;
		} else if (at < line.size && line.data[at] == pattern.data[i]) {
			at++;
		} else {
			break;
		}
	}
	*content = text_from_at(line, at);
	/* If a line consists only of a prefix, trimming has removed the blanks at the prefix's
	 * end. */
	return i == pattern.size ||
	       (at == line.size && text_trim(text_from_at(pattern, i)).size == 0);
}

bool
log_prefix_is_likely(struct text t)
{
	struct text trimmed = text_trim(t);
	char last = trimmed.size ? trimmed.data[trimmed.size - 1] : ' ';

	return last == ' ' || last == '|' || last == '>' || last == ':' || last == ']' ||
	       last == ')' || (last == 'Z' && log_time_run(trimmed) == trimmed.size);
}

/* --- the prefixes of a file ------------------------------------------------------------------ */

void
log_prefixes_release(struct log_prefixes *p)
{
	arena_release(&p->arena);
}

unsigned
log_prefix_strip(struct log_prefixes *p, struct text line, struct text *content)
{
	*content = line;
	for (unsigned i = 0; i < p->count; i++) {
		unsigned k = (p->last + i) % p->count;

		if (log_prefix_match(p->patterns[k], line, content)) {
			p->last = k;
			return k + 1;
		}
	}
	*content = line;
	return 0;
}

bool
log_prefix_add(struct log_prefixes *p, struct text prefix)
{
	struct strbuf pattern = STRBUF_INIT(LOG_PREFIX_MAX_BYTES);
	bool fits;

	log_prefix_make(&pattern, prefix);
	fits = p->count < LOG_PREFIXES && !pattern.failed && pattern.size;
	if (fits)
		p->patterns[p->count++] = arena_text(&p->arena, strbuf_text(&pattern));
	strbuf_release(&pattern);
	return fits;
}
