#include "valgrind_plain.h"

#include "valgrind_input.h"

#include <string.h>

static const char frame_end_tag[] = "</frame>";

static bool
is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

size_t
valgrind_blanks(const char *data, size_t size)
{
	size_t n = 0;

	while (n < size && is_blank(data[n]))
		n++;
	return n;
}

/* Its end tag. It ends a line, of which a frame has few: looking at these is faster than at all
 * bytes. A tag within a line may be passed over so; the frame is then read with the next one,
 * by the parser, as any other text. */
const char *
valgrind_frame_end(const char *data, size_t size)
{
	const size_t tag = sizeof(frame_end_tag) - 1;
	const char *end = data + (size < VG_NEAR_BYTES ? size : VG_NEAR_BYTES);

	for (const char *s = data; (s = memchr(s, '\n', (size_t)(end - s))); s++)
		if ((size_t)(s - data) >= tag && memcmp(s - tag, frame_end_tag, tag) == 0)
			return s;
	end = valgrind_find(data, size, frame_end_tag);
	return end ? end + tag : NULL;
}

static bool
is_end_tag(const char *data, size_t size, const char *name, size_t n)
{
	return size >= n + 3 && memcmp(data, "</", 2) == 0 && memcmp(data + 2, name, n) == 0 &&
	       data[n + 2] == '>';
}

/* The letters at data. */
static size_t
take_name(const char *data, size_t size, char name[VG_PLAIN_NAME_BYTES])
{
	size_t n = 0;

	while (n + 1 < VG_PLAIN_NAME_BYTES && n < size && data[n] >= 'a' && data[n] <= 'z') {
		name[n] = data[n];
		n++;
	}
	name[n] = '\0';
	return n;
}

size_t
valgrind_plain_element(
	const char *data, size_t size, char name[VG_PLAIN_NAME_BYTES], struct text *text)
{
	size_t n;
	size_t at;

	if (size > VG_NEAR_BYTES)
		size = VG_NEAR_BYTES;
	if (!size || data[0] != '<')
		return 0;
	n = take_name(data + 1, size - 1, name);
	at = n + 1;
	if (!n || at >= size || data[at++] != '>')
		return 0;
	text->data = data + at;
	while (at < size && data[at] >= ' ' && data[at] < 0x7F && data[at] != '<' &&
		data[at] != '&' && data[at] != '>')
		at++;
	text->size = at - n - 2;
	if (!is_end_tag(data + at, size - at, name, n))
		return 0;
	return at + n + 3;
}

size_t
valgrind_plain_tag(const char *data, size_t size, char name[VG_PLAIN_NAME_BYTES], bool *end)
{
	size_t at = 1;
	size_t n;

	if (size < 2 || data[0] != '<')
		return 0;
	*end = data[1] == '/';
	at += *end;
	n = take_name(data + at, size - at, name);
	at += n;
	return n && at < size && data[at] == '>' ? at + 1 : 0;
}
