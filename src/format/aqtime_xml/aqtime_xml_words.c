/* Recognises captions and the head of a file, and looks up code pages, for the reader of AQTime's XML. */
#include "aqtime_xml_private.h"

#include <errno.h>
#include <iconv.h>

enum {
	CAPTION_BYTES = 32,
	CODE_PAGE_NAME_BYTES = 40,
};

/* Copies a caption without blanks, in lower case. False if it is too long to be a known caption. */
static bool
plain_caption(const char *caption, char out[CAPTION_BYTES])
{
	size_t n = 0;

	for (; *caption; caption++) {
		if (strchr(" _\t\r\n", *caption))
			continue;
		if (n + 1 == CAPTION_BYTES)
			return false;
		out[n++] = char_lower(*caption);
	}
	out[n] = '\0';
	return true;
}

enum xml_column
aqtime_xml_column(const char *caption)
{
	static const char *const captions[] = {
#define XML_COLUMN_CAPTION(id, text) text,
		XML_COLUMN_TABLE(XML_COLUMN_CAPTION)
#undef XML_COLUMN_CAPTION
	};
	char plain[CAPTION_BYTES];

	if (!plain_caption(caption, plain))
		return XML_UNKNOWN;
	if (strcmp(plain, "threadid") == 0)
		return XML_THREAD;
	for (size_t i = 0; i < XML_COLUMNS; i++)
		if (strcmp(captions[i], plain) == 0)
			return (enum xml_column)i;
	return XML_UNKNOWN;
}

static enum xml_kind
kind_of_name(const char *name)
{
	static const struct {
		const char *part;
		enum xml_kind kind;
	} names[] = { { "callstack", XML_STACKS }, { "classesdata", XML_CLASSES },
		{ "objects", XML_OBJECTS }, { "errors", XML_ERRORS }, { "threads", XML_THREADS } };
	char plain[CAPTION_BYTES];

	for (size_t i = 0; plain_caption(name, plain) && i < sizeof(names) / sizeof(names[0]); i++)
		if (strstr(plain, names[i].part))
			return names[i].kind;
	return XML_OTHER;
}

/* Table names are not documented, so the fields are checked first. */
enum xml_kind
aqtime_xml_kind(const char *name, uint32_t known)
{
	if (known & 1U << XML_ROUTINE)
		return XML_STACKS;
	if (known & (1U << XML_LIVE_COUNT | 1U << XML_TOTAL_CREATED))
		return XML_CLASSES;
	if (known & 1U << XML_CODE)
		return XML_ERRORS;
	if (known & 1U << XML_OBJECT_NAME ||
		(known & 1U << XML_CLASS && known & (1U << XML_ADDRESS | 1U << XML_SIZE)))
		return XML_OBJECTS;
	return known ? kind_of_name(name) : XML_OTHER;
}

/* Returns whether the data begins with '<', after an optional byte order mark and blanks. Skips NULs, so
 * that UTF-16 can be treated like ASCII. */
static bool
begins_with_markup(const char *data, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)data[i];

		if (c == '<')
			return true;
		if (c && !strchr(" \t\r\n\xEF\xBB\xBF\xFE\xFF", c))
			return false;
	}
	return false;
}

bool
aqtime_xml_looks_like(const char *data, size_t size)
{
	static const char root[] = "<aqtime_results";
	size_t matched = 0;

	if (!begins_with_markup(data, size))
		return false;
	for (size_t i = 0; i < size && root[matched]; i++) {
		char c = data[i];

		if (!c)
			continue;
		c = char_lower(c);
		if (c == root[matched])
			matched++;
		else
			matched = c == root[0];
	}
	return !root[matched];
}

/* Returns whether `name` can be the name of a code page. It comes from the file, so it must not contain iconv's
 * options, such as "//IGNORE". */
static bool
is_code_page_name(const char *name)
{
	size_t size = 0;

	while (char_is_word(name[size]) || (name[size] && strchr("-.:", name[size])))
		size++;
	return !name[size] && size <= CODE_PAGE_NAME_BYTES;
}

static bool
decode_byte(iconv_t cd, unsigned char byte, int *code_point)
{
	char in_byte = (char)byte;
	unsigned char out_bytes[8];
	char *in = &in_byte;
	char *out = (char *)out_bytes;
	size_t in_left = 1;
	size_t out_left = sizeof(out_bytes);

	*code_point = -1;
	iconv(cd, NULL, NULL, NULL, NULL);
	if (iconv(cd, &in, &in_left, &out, &out_left) == (size_t)-1)
		return errno == EILSEQ;
	if (sizeof(out_bytes) - out_left != 4)
		return false;
	*code_point =
		(int)((uint32_t)out_bytes[1] << 16 | (uint32_t)out_bytes[2] << 8 | out_bytes[3]);
	return true;
}

bool
aqtime_xml_code_page(const char *name, int map[256])
{
	iconv_t cd = is_code_page_name(name) ? iconv_open("UTF-32BE", name) : (iconv_t)-1;
	bool ok = cd != (iconv_t)-1;

	for (int i = 0; ok && i < 256; i++)
		ok = decode_byte(cd, (unsigned char)i, &map[i]);
	if (cd != (iconv_t)-1)
		iconv_close(cd);
	return ok;
}
