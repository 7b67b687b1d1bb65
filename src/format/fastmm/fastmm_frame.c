/*
 * The frames in FastMM's logs. Format: ADDRESS, then "[SOURCE][UNIT][ROUTINE][LINE]"; a part is missing
 * if it is unknown. If the source is unknown, the module's name takes its place. A single part is
 * the name of an exported routine.
 */
#include "fastmm_private.h"

#include "format/common/borland.h"

enum {
	MIN_ADDRESS_DIGITS = 5,
	MAX_PARTS = 4,
};

/* The number of hexadecimal digits in upper case at the front. */
static size_t
address_digits(struct text t)
{
	size_t n = 0;

	while (n < t.size && n <= 16 &&
		(char_is_digit(t.data[n]) || (t.data[n] >= 'A' && t.data[n] <= 'F')))
		n++;
	return n;
}

bool
fastmm_is_frame(struct text line)
{
	size_t n = address_digits(line);

	return n >= MIN_ADDRESS_DIGITS && n <= 16 &&
	       (n == line.size ||
		       (line.data[n] == ' ' && (n + 1 == line.size || line.data[n + 1] == '[')));
}

/* Splits "[a][b]" into its parts. Returns their number; a part that is not closed does not count. */
static size_t
split_parts(struct text t, struct text parts[MAX_PARTS])
{
	size_t count = 0;

	while (count < MAX_PARTS && t.size && t.data[0] == '[') {
		size_t end = text_find(t, "][");

		if (end == TEXT_NOT_FOUND && text_ends(t, "]"))
			end = t.size - 1;
		if (end == TEXT_NOT_FOUND)
			break;
		parts[count++] = text_from_at(text_up_to(t, end), 1);
		t = text_from_at(t, end + 1);
	}
	return count;
}

static bool
take_line(struct text part, int64_t *line)
{
	return scan_int64(&part, line) && !part.size && *line <= INT32_MAX;
}

bool
fastmm_add_frame(struct fm_report *r, struct text line)
{
	struct text parts[MAX_PARTS];
	struct text t = text_trim(line);
	struct frame frame = { .line = MODEL_NULL };
	size_t count;

	if (log_stack_known(&r->out, t))
		return true;
	if (!scan_hex(&t, &frame.address))
		return true;
	scan_blanks(&t);
	t = fastmm_clean(r, t);
	count = split_parts(t, parts);
	if (count > 1 && take_line(parts[count - 1], &frame.line))
		count--;
	if (count > 2)
		frame.file = parts[0];
	if (count && !text_begins(parts[count - 1], "Unknown function at "))
		borland_name_frame(&frame, parts[count - 1],
			count > 1 ? parts[count - 2] : TEXT_NULL, &r->names);
	return log_stack_add(&r->out, text_trim(line), &frame);
}
