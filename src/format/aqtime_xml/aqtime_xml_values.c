/* Values of AQTime's XML rows: numbers, codes, kinds, threads, object names. */
#include "aqtime_xml_private.h"
#include "format/common/text_scan.h"

static void
set_bad(struct xml_values *v, enum xml_column column, const char *caption, enum issue_code code)
{
	if (v->bad)
		return;
	v->bad = caption;
	v->code = code;
	v->text = v->row->values[column];
}

struct number
aqtime_xml_number(struct xml_values *v, enum xml_column column, const char *caption)
{
	struct text t = v->row->values[column];
	struct number n = NUMBER_NULL;
	enum number_result r = text_is_empty(t) ? NUMBER_OK : number_parse(t, &n);

	if (r != NUMBER_OK)
		set_bad(v, column, caption,
			r == NUMBER_RANGE ? ISSUE_NUMBER_RANGE : ISSUE_BAD_NUMBER);
	return n;
}

int64_t
aqtime_xml_int64(struct xml_values *v, enum xml_column column, const char *caption)
{
	struct number n = aqtime_xml_number(v, column, caption);
	int64_t i = MODEL_NULL;

	if (n.null)
		return MODEL_NULL;
	if (!number_to_int64(n, &i))
		set_bad(v, column, caption, ISSUE_NUMBER_RANGE);
	return i;
}

/* Parses "0x" followed by at most eight hex digits. */
static bool
parse_hex(struct text t, int64_t *code)
{
	uint64_t v = 0;

	if (t.size < 3 || t.size > 10 || (!text_begins(t, "0x") && !text_begins(t, "0X")) ||
		!scan_hex(&t, &v) || t.size)
		return false;
	*code = (int64_t)v;
	return true;
}

int64_t
aqtime_xml_code(struct xml_values *v, enum xml_column column, const char *caption)
{
	int64_t code;

	return parse_hex(v->row->values[column], &code) ? code
							: aqtime_xml_int64(v, column, caption);
}

int64_t
aqtime_xml_error_kind(const struct xml_row *row)
{
	struct text t = row->values[XML_KIND];
	struct xml_values v = { .row = row };
	int64_t kind;

	if (text_equal_nocase(t, TEXT_LITERAL("error")))
		return 1;
	if (text_equal_nocase(t, TEXT_LITERAL("warning")))
		return 2;
	kind = aqtime_xml_int64(&v, XML_KIND, "Kind");
	return v.bad ? MODEL_NULL : kind;
}

int64_t
aqtime_xml_os_thread(struct text thread)
{
	struct number n;
	int64_t id;

	if (parse_hex(thread, &id))
		return id;
	if (number_parse(thread, &n) != NUMBER_OK || n.null || !number_to_int64(n, &id))
		return MODEL_NULL;
	/* The ID is a DWORD, which may be printed as a signed number. */
	return id >= INT32_MIN && id <= UINT32_MAX ? id : MODEL_NULL;
}

/* The offset of the number after the last dot; 0 if there is no such number. */
static size_t
number_at(struct text name)
{
	size_t at = name.size;

	while (at > 0 && char_is_digit(name.data[at - 1]))
		at--;
	return at > 1 && at < name.size && name.data[at - 1] == '.' ? at : 0;
}

struct text
aqtime_xml_name_class(struct text name)
{
	size_t at = number_at(name);

	return at ? (struct text){ name.data, at - 1 } : TEXT_NULL;
}

struct number
aqtime_xml_name_number(struct text name)
{
	struct number n = NUMBER_NULL;
	size_t at = number_at(name);

	if (at && number_parse((struct text){ name.data + at, name.size - at }, &n) != NUMBER_OK)
		n = NUMBER_NULL;
	return n;
}
