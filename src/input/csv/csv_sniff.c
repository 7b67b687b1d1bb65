/* Detects the delimiter of a table. */
#include "csv_private.h"

/* Listed in order of preference. */
static const char delimiters[] = { ',', ';', '\t', '|' };

enum {
	DELIMITERS = sizeof(delimiters),
	SNIFF_ROWS = 20,
	SNIFF_BYTES = 64 * 1024
};

struct counts {
	size_t of[DELIMITERS];
};

static bool
is_line_break(char c)
{
	return c == '\n' || c == '\r';
}

/* Counts the delimiters outside quotes up to the end of the line. Returns the start of the next
 * line that is not blank. */
static const char *
count_line(const char *p, const char *end, struct counts *counts)
{
	bool quoted = false;

	*counts = (struct counts){ 0 };
	for (; p < end && (quoted || !is_line_break(*p)); p++) {
		if (*p == '"')
			quoted = !quoted;
		else if (!quoted)
			for (size_t i = 0; i < DELIMITERS; i++)
				counts->of[i] += *p == delimiters[i];
	}
	while (p < end && is_line_break(*p))
		p++;
	return p;
}

char
csv_sniff_delimiter(const char *text, size_t size)
{
	const char *p = text;
	const char *end = text + (size < SNIFF_BYTES ? size : SNIFF_BYTES);
	struct counts header;
	struct counts row;
	struct counts agree = { 0 };
	size_t best = 0;

	while (p < end && is_line_break(*p))
		p++;
	p = count_line(p, end, &header);
	for (int n = 0; n < SNIFF_ROWS && p < end; n++) {
		p = count_line(p, end, &row);
		for (size_t i = 0; i < DELIMITERS; i++)
			agree.of[i] += row.of[i] == header.of[i];
	}
	for (size_t i = 1; i < DELIMITERS; i++)
		if (header.of[i] > header.of[best] ||
			(header.of[i] == header.of[best] && header.of[i] &&
				agree.of[i] > agree.of[best]))
			best = i;
	return delimiters[best];
}

static bool
is_wrapped(struct text t, char open, char close)
{
	return t.size >= 2 && t.data[0] == open && t.data[t.size - 1] == close;
}

struct text
csv_bare_name(struct text t)
{
	t = text_trim(t);
	if (is_wrapped(t, '[', ']') || is_wrapped(t, '"', '"') || is_wrapped(t, '`', '`')) {
		t.data++;
		t.size -= 2;
		t = text_trim(t);
	}
	return t;
}
