#define _GNU_SOURCE /* memmem */
#include "valgrind_private.h"

#include "base/json_string.h"

#include <stdlib.h>

/* --- elements ---------------------------------------------------------------------------- */

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

const char *
valgrind_element_name(enum vg_element e)
{
	return e == VG_OTHER ? "element" : element_names[e];
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

const char *
valgrind_find(const char *data, size_t size, const char *word)
{
	return size ? memmem(data, size, word, strlen(word)) : NULL;
}

static bool
begins_with(const char *data, size_t size, const char *word)
{
	size_t n = strlen(word);

	return size >= n && memcmp(data, word, n) == 0;
}

/* A start tag's name, without attributes; "" when it is none. */
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
	enum vg_element e;

	if (!begins_with(data, size, "<"))
		return VG_MARK_NONE;
	if (begins_with(data, size, "<?xml "))
		return VG_MARK_DOCUMENT;
	if (begins_with(data, size, "</valgrindoutput"))
		return VG_MARK_END;
	e = tag_at(data + 1, size - 1);
	if (e == VG_ROOT)
		return VG_MARK_DOCUMENT;
	return valgrind_is_record(e) ? VG_MARK_RECORD : VG_MARK_NONE;
}

/* --- numbers ----------------------------------------------------------------------------- */

/* Digits of the base from the beginning, with commas between when decimal; how many
 * bytes, 0: none or too large. */
static size_t
digits(const char *s, size_t size, unsigned base, uint64_t *out)
{
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < size; i++) {
		int d = char_hex_value(s[i]);

		if (s[i] == ',' && base == 10 && i > 0 && i + 1 < size && s[i + 1] >= '0' &&
			s[i + 1] <= '9')
			continue;
		if (d < 0 || (unsigned)d >= base)
			break;
		if (v > (UINT64_MAX - (unsigned)d) / base)
			return 0;
		v = v * base + (unsigned)d;
	}
	*out = v;
	return i;
}

bool
valgrind_number(struct text t, uint64_t *out)
{
	bool hex;

	t = text_trim(t);
	hex = t.size > 2 && t.data[0] == '0' && (t.data[1] == 'x' || t.data[1] == 'X');
	if (hex)
		return digits(t.data + 2, t.size - 2, 16, out) == t.size - 2;
	return t.size > 0 && digits(t.data, t.size, 10, out) == t.size;
}

/* --- what a leak's text says ------------------------------------------------------------- */

struct cursor {
	const char *at;
	size_t left;
};

static bool
word(struct cursor *c, const char *w)
{
	size_t n = strlen(w);

	if (!begins_with(c->at, c->left, w))
		return false;
	c->at += n;
	c->left -= n;
	return true;
}

/* A number, and its growth since the last search for leaks: " (+3)", " (-1,000)". */
static bool
number_with_growth(struct cursor *c, uint64_t *out)
{
	size_t n = digits(c->at, c->left, 10, out);
	uint64_t growth;
	struct cursor behind;

	if (!n)
		return false;
	c->at += n;
	c->left -= n;
	behind = *c;
	if (!word(&behind, " (+") && !word(&behind, " (-"))
		return true;
	n = digits(behind.at, behind.left, 10, &growth);
	behind.at += n;
	behind.left -= n;
	if (n && word(&behind, ")"))
		*c = behind;
	return true;
}

static bool
direct_and_indirect(struct cursor *c, struct vg_leak_text *out)
{
	out->has_direct = true;
	return number_with_growth(c, &out->direct) && word(c, " direct, ") &&
	       number_with_growth(c, &out->indirect) && word(c, " indirect)");
}

bool
valgrind_leak_text(struct text t, struct vg_leak_text *out)
{
	static const char loss[] = "loss record ";
	struct text all = text_trim(t);
	struct cursor c = { all.data, all.size };
	const char *behind;

	*out = (struct vg_leak_text){ 0 };
	if (!number_with_growth(&c, &out->total))
		return false;
	if (word(&c, " (") && !direct_and_indirect(&c, out))
		return false;
	if (!word(&c, " bytes in ") && !word(&c, " byte in "))
		return false;
	if (!number_with_growth(&c, &out->blocks))
		return false;
	if (!word(&c, " block"))
		return false;
	behind = valgrind_find(c.at, c.left, loss);
	if (behind) {
		behind += sizeof(loss) - 1;
		digits(behind, (size_t)(c.at + c.left - behind), 10, &out->record);
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
	struct text rest = { kind.data, kind.size };

	*leak = VG_LEAKS;
	if (!begins_with(kind.data, kind.size, "Leak_"))
		return NULL;
	rest.data += 5;
	rest.size -= 5;
	for (int i = 0; i < VG_LEAKS; i++)
		if (text_equal(rest, text_from(kinds[i].name))) {
			*leak = (enum vg_leak)i;
			return kinds[i].kind;
		}
	return "";
}

/* --- roles ------------------------------------------------------------------------------- */

static bool
has(struct text t, const char *part)
{
	return valgrind_find(t.data, t.size, part) != NULL;
}

/* The first whose words stand in it. */
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

/* --- attributes -------------------------------------------------------------------------- */

void
valgrind_json_string(struct strbuf *b, struct text value)
{
	json_append_string(b, value, JSON_ESCAPE_NEWLINE);
}

void
valgrind_json_key(struct strbuf *b, struct text key)
{
	if (b->size)
		strbuf_append_char(b, ',');
	valgrind_json_string(b, key);
	strbuf_append_char(b, ':');
}

void
valgrind_json_member(struct strbuf *b, const char *key, struct text value)
{
	if (text_is_null(value))
		return;
	valgrind_json_key(b, text_from(key));
	valgrind_json_string(b, value);
}

void
valgrind_json_uint(struct strbuf *b, const char *key, uint64_t value)
{
	char digit[24];

	valgrind_json_key(b, text_from(key));
	number_format((struct number){ .magnitude = value }, digit);
	strbuf_append_str(b, digit);
}

void
valgrind_json_number(struct strbuf *b, const char *key, struct text value)
{
	struct text t = text_is_null(value) ? value : text_trim(value);
	uint64_t v;

	if (!text_is_null(t) && t.size < 20 && (t.data == NULL || !has(t, "x")) &&
		valgrind_number(t, &v))
		valgrind_json_uint(b, key, v);
	else
		valgrind_json_member(b, key, value);
}
