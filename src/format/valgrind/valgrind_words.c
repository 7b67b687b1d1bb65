/* The elements and phrases in valgrind's XML. */
#include "format/common/text_scan.h"
#include "valgrind_private.h"

#include "base/json_string.h"

static const char *const element_names[] = {
#define VG_ELEMENT_NAME(id, name) name,
	VG_ELEMENT_TABLE(VG_ELEMENT_NAME)
#undef VG_ELEMENT_NAME
};

enum vg_element
valgrind_element(const char *name)
{
	size_t low = 0;
	size_t high = VG_OTHER;

	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = (unsigned char)name[0] - (unsigned char)element_names[middle][0];

		if (order == 0)
			order = strcmp(name, element_names[middle]);
		if (order == 0)
			return (enum vg_element)middle;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return VG_OTHER;
}

bool
valgrind_is_record(enum vg_element e)
{
	switch ((int)e) {
	case VG_ERROR:
	case VG_ERRORCOUNTS:
	case VG_SUPPCOUNTS:
	case VG_ANNOUNCE:
	case VG_CLIENTMSG:
	case VG_FATAL_SIGNAL:
	case VG_STATUS:
	case VG_PREAMBLE:
	case VG_USERCOMMENT:
	case VG_ERROR_SUMMARY:
	case VG_HEAP_SUMMARY:
	case VG_LEAK_SUMMARY:
	case VG_PROTOCOLVERSION:
		return true;
	default:
		return false;
	}
}

/* The start tag's element; VG_OTHER if it is unknown or not a start tag. */
static enum vg_element
tag_at(const char *data, size_t size)
{
	char name[32];
	size_t n = 0;

	while (n < size && n + 1 < sizeof(name) && data[n] != '>' && data[n] != ' ' &&
		data[n] != '\n') {
		name[n] = data[n];
		n++;
	}
	if (n == size || n + 1 == sizeof(name))
		return VG_OTHER;
	name[n] = '\0';
	return valgrind_element(name);
}

enum vg_mark
valgrind_mark(const char *data, size_t size)
{
	const struct text t = { data, size };
	enum vg_element e;

	if (!text_begins(t, "<"))
		return VG_MARK_NONE;
	if (text_begins(t, "<?xml "))
		return VG_MARK_DOCUMENT;
	if (text_begins(t, "</valgrindoutput"))
		return VG_MARK_END;
	e = tag_at(data + 1, size - 1);
	if (e == VG_ROOT)
		return VG_MARK_DOCUMENT;
	return valgrind_is_record(e) ? VG_MARK_RECORD : VG_MARK_NONE;
}

/* Parses digits with single commas between them. Fails if there are no digits, or if the number
 * exceeds 64 bits. */
static bool
take_decimal(struct text *t, uint64_t *out)
{
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < t->size; i++) {
		if (t->data[i] == ',' && i > 0 && i + 1 < t->size && char_is_digit(t->data[i + 1]))
			continue;
		if (!char_is_digit(t->data[i]))
			break;
		if (__builtin_mul_overflow(v, 10, &v) ||
			__builtin_add_overflow(v, (uint64_t)(t->data[i] - '0'), &v))
			return false;
	}
	*out = v;
	*t = text_from_at(*t, i);
	return i > 0;
}

bool
valgrind_number(struct text t, uint64_t *out)
{
	t = text_trim(t);
	if (text_begins(t, "0x") || text_begins(t, "0X"))
		return scan_hex(&t, out) && !t.size;
	return take_decimal(&t, out) && !t.size;
}

/* Parses a number and its growth since the last leak search: " (+3)", " (-1,000)". */
static bool
number_with_growth(struct text *t, uint64_t *out)
{
	struct text rest;
	uint64_t growth;

	if (!take_decimal(t, out))
		return false;
	rest = *t;
	if ((scan_word(&rest, " (+") || scan_word(&rest, " (-")) && take_decimal(&rest, &growth) &&
		scan_word(&rest, ")"))
		*t = rest;
	return true;
}

static bool
direct_and_indirect(struct text *t, struct vg_leak_text *out)
{
	out->has_direct = true;
	return number_with_growth(t, &out->direct) && scan_word(t, " direct, ") &&
	       number_with_growth(t, &out->indirect) && scan_word(t, " indirect)");
}

bool
valgrind_leak_text(struct text text, struct vg_leak_text *out)
{
	static const char loss[] = "loss record ";
	struct text t = text_trim(text);
	size_t at;

	*out = (struct vg_leak_text){ 0 };
	if (!number_with_growth(&t, &out->total) ||
		(scan_word(&t, " (") && !direct_and_indirect(&t, out)) ||
		(!scan_word(&t, " bytes in ") && !scan_word(&t, " byte in ")) ||
		!number_with_growth(&t, &out->blocks) || !scan_word(&t, " block"))
		return false;
	at = text_find(t, loss);
	if (at != TEXT_NOT_FOUND) {
		t = text_from_at(t, at + sizeof(loss) - 1);
		if (take_decimal(&t, &out->record) && scan_word(&t, " of "))
			take_decimal(&t, &out->records);
	}
	return true;
}

const char *
valgrind_leak_kind(struct text kind, enum vg_leak *leak)
{
	static const struct {
		const char *name, *kind;
	} kinds[] = { [VG_DEFINITE] = { "DefinitelyLost", "definite" },
		[VG_INDIRECT] = { "IndirectlyLost", "indirect" },
		[VG_POSSIBLE] = { "PossiblyLost", "possible" },
		[VG_REACHABLE] = { "StillReachable", "reachable" } };

	*leak = VG_LEAKS;
	if (!scan_word(&kind, "Leak_"))
		return NULL;
	for (int i = 0; i < VG_LEAKS; i++)
		if (text_equal(kind, text_from(kinds[i].name))) {
			*leak = (enum vg_leak)i;
			return kinds[i].kind;
		}
	return "";
}

static bool
has(struct text t, const char *part)
{
	return text_find(t, part) != TEXT_NOT_FOUND;
}

/* Several rows can match. The first of them is used. */
const char *
valgrind_role(struct text auxwhat)
{
	static const struct {
		const char *words, *role;
	} roles[] = { { "conflicts with", "conflicting_access" },
		{ "Other segment", "conflicting_access" }, { "was created by a", "origin" },
		{ "was created", "thread_start" }, { "later acquisition", "lock_later" },
		{ "acquisition of lock", "lock_first" }, { "first observed", "lock_first" },
		{ "closed", "closed_at" }, { "opened", "opened_at" }, { "free'd", "freed_at" },
		{ "freed", "freed_at" }, { "deallocated", "freed_at" },
		{ "alloc'd", "allocated_at" }, { "allocated", "allocated_at" } };

	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (has(auxwhat, roles[i].words))
			return roles[i].role;
	return "other";
}

void
valgrind_string(struct strbuf *b, struct text value)
{
	json_append_string(b, value, JSON_ESCAPE_NEWLINE);
}

void
valgrind_pair(struct strbuf *elements, const char *name, struct text value)
{
	strbuf_append_str(elements, elements->size ? ",[" : "[");
	valgrind_string(elements, text_from(name));
	strbuf_append_char(elements, ',');
	valgrind_string(elements, value);
	strbuf_append_char(elements, ']');
}

void
valgrind_member(struct strbuf *b, const char *key, struct text value)
{
	if (text_is_null(value))
		return;
	members_key(b, key);
	valgrind_string(b, value);
}

void
valgrind_member_number(struct strbuf *b, const char *key, struct text value)
{
	struct text t = text_trim(value);
	uint64_t v;

	if (t.size < 20 && !has(t, "x") && valgrind_number(t, &v))
		b->failed |= !members_number(b, key, v);
	else
		valgrind_member(b, key, value);
}
