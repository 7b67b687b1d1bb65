/* The normal form of a routine's name. schema/565_frame_names.sql has the same rule. */
#include "frame_name_private.h"

/* --- what is not part of the name ------------------------------------------------------------- */

static void
append_collapsed(struct strbuf *out, struct text t)
{
	bool blank = false;
	bool any = false;

	for (size_t i = 0; i < t.size; i++) {
		if (char_is_space(t.data[i])) {
			blank = any;
			continue;
		}
		if (blank)
			strbuf_append_char(out, ' ');
		strbuf_append_char(out, t.data[i]);
		any = true;
		blank = false;
	}
}

static bool
is_unknown(struct text t)
{
	size_t i = 2;

	if (!t.size || text_equal(t, TEXT_LITERAL("??")) ||
		text_equal(t, TEXT_LITERAL("<unknown>")) ||
		text_equal(t, TEXT_LITERAL("(unknown)")))
		return true;
	while (i < t.size && (char_is_digit(t.data[i]) || strchr("abcdefABCDEF", t.data[i])))
		i++;
	return t.size > 2 && name_has(t, 0, "0x") && i == t.size;
}

/* "app!Foo::bar" */
static size_t
module_length(struct text t)
{
	size_t i = 0;

	if (name_has(t, 0, "operator"))
		return 0;
	while (i < t.size && (char_is_word(t.data[i]) || t.data[i] == '.' || t.data[i] == '-'))
		i++;
	if (!i || i + 1 >= t.size || t.data[i] != '!')
		return 0;
	return char_is_letter(t.data[i + 1]) || strchr("_@~", t.data[i + 1]) ? i + 1 : 0;
}

/* The length of a tag such as [abi:cxx11]; 0 without a tag. */
static size_t
tag_length(struct text t, size_t at)
{
	size_t i = at + strlen("[abi:");

	if (!name_has(t, at, "[abi:"))
		return 0;
	while (name_word_at(t, i))
		i++;
	return i > at + strlen("[abi:") && name_has(t, i, "]") ? i + 1 - at : 0;
}

static void
append_untagged(struct strbuf *out, struct text t)
{
	for (size_t i = 0; i < t.size;) {
		size_t n = tag_length(t, i);

		if (!n)
			strbuf_append_char(out, t.data[i++]);
		i += n;
	}
}

/* _name@8 and @name@8 of Win32's calling conventions. */
static struct text
without_stack_size(struct text t)
{
	size_t i = 1;
	size_t digits;

	if (t.size < 4 || !strchr("_@", t.data[0]) || char_is_digit(t.data[1]))
		return t;
	while (name_word_at(t, i))
		i++;
	digits = i + 1;
	while (digits < t.size && char_is_digit(t.data[digits]))
		digits++;
	if (i == 1 || !name_has(t, i, "@") || digits == i + 1 || digits != t.size)
		return t;
	return (struct text){ t.data + 1, i - 1 };
}

/* --- scopes ---------------------------------------------------------------------------------- */

/* Replaces dots between names by "::". Returns whether it replaced any dot. */
static bool
append_scoped(struct strbuf *out, struct text t)
{
	bool any = false;

	for (size_t i = 0; i < t.size; i++) {
		bool dot = t.data[i] == '.' && i && i + 1 < t.size &&
			   (char_is_word(t.data[i - 1]) || t.data[i - 1] == '>') &&
			   (char_is_letter(t.data[i + 1]) || strchr("_@", t.data[i + 1]));

		if (dot)
			strbuf_append_str(out, "::");
		else
			strbuf_append_char(out, t.data[i]);
		any |= dot;
	}
	return any;
}

/* Whether the name of a Pascal class begins here: T, E or I, then a capital letter, and "::" or "<"
 * after the name. */
static bool
is_class_at(struct text t, size_t at)
{
	size_t i = at;

	if (at + 2 > t.size || !strchr("TEI", t.data[at]) || t.data[at + 1] < 'A' ||
		t.data[at + 1] > 'Z')
		return false;
	while (name_word_at(t, i))
		i++;
	return name_has(t, i, "::") || name_has(t, i, "<");
}

/* The length of the unit at the start of a Pascal name, including its "::"; 0 without a unit. */
static size_t
unit_length(struct text t, bool last)
{
	size_t found = 0;

	if (is_class_at(t, 0))
		return 0;
	for (size_t i = 0; i < t.size && (char_is_word(t.data[i]) || t.data[i] == ':'); i++) {
		if (!i || !name_has(t, i, "::"))
			continue;
		if (is_class_at(t, i + 2))
			return i + 2;
		found = i + 2;
	}
	return last ? found : 0;
}

static void
append_lower(struct strbuf *out, struct text t)
{
	for (size_t i = 0; i < t.size; i++)
		strbuf_append_char(out, char_lower(t.data[i]));
}

/* --- joining --------------------------------------------------------------------------------- */

static bool
is_file(struct text unit)
{
	static const char *const endings[] = { "c", "cc", "cpp", "cxx", "h", "hpp", "pas", "pp",
		"inc", "dpr", "obj", "o", "asm", "s", "m", "mm", "f", "f90", "rs", "go" };
	size_t dot = unit.size;

	while (dot && unit.data[dot - 1] != '.')
		dot--;
	for (size_t i = 0; dot && i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t n = strlen(endings[i]);
		size_t same = 0;

		while (same < n && dot + same < unit.size &&
			char_lower(unit.data[dot + same]) == endings[i][same])
			same++;
		if (same == n && dot + n == unit.size)
			return true;
	}
	return false;
}

/* Whether the name begins with the scope. If `folded`, the scope is in lower case, and case is ignored. */
static bool
has_scope(struct text name, struct text scope, bool folded)
{
	if (name.size < scope.size + 2 || !name_has(name, scope.size, "::"))
		return false;
	for (size_t i = 0; i < scope.size; i++)
		if ((folded ? char_lower(name.data[i]) : name.data[i]) != scope.data[i])
			return false;
	return true;
}

static void
join(struct strbuf *out, struct text unit, struct text class_name, struct text name)
{
	if (unit.size) {
		size_t skipped = has_scope(name, unit, true) ? unit.size + 2 : 0;

		name = (struct text){ name.data + skipped, name.size - skipped };
		strbuf_append(out, unit.data, unit.size);
		strbuf_append_str(out, "::");
	}
	if (class_name.size && !has_scope(name, class_name, false)) {
		strbuf_append(out, class_name.data, class_name.size);
		strbuf_append_str(out, "::");
	}
	strbuf_append(out, name.data, name.size);
}

/* The normal form of one name, without unit and class. */
static void
append_name(struct strbuf *out, struct text t, bool unit_known)
{
	struct strbuf clean, undone, scoped;
	bool borland, method, dotted;
	size_t unit;

	strbuf_init(&clean, NAME_MAX_BYTES);
	strbuf_init(&undone, NAME_MAX_BYTES);
	strbuf_init(&scoped, NAME_MAX_BYTES);
	append_untagged(&clean, t);
	t = without_stack_size(strbuf_text(&clean));
	borland = name_undo_borland(&undone, t, unit_known, &method);
	dotted = append_scoped(&scoped, borland ? strbuf_text(&undone) : t);
	t = strbuf_text(&scoped);
	unit = borland || dotted ? unit_length(t, borland && !method) : 0;
	append_lower(out, (struct text){ t.data, unit });
	name_spell_cxx(out, (struct text){ t.data + unit, t.size - unit });
	strbuf_release(&clean);
	strbuf_release(&undone);
	strbuf_release(&scoped);
}

/* Removes extra blanks, the module and the suffixes, and appends the normal form; appends nothing
 * if the name is unknown. */
static void
append_trimmed(struct strbuf *out, struct text given, bool unit_known)
{
	struct strbuf plain;
	struct text t;
	size_t module;

	strbuf_init(&plain, NAME_MAX_BYTES);
	append_collapsed(&plain, given);
	t = strbuf_text(&plain);
	if (!is_unknown(t)) {
		module = module_length(t);
		t = (struct text){ t.data + module, t.size - module };
		t.size = name_without_suffixes(t);
		append_name(out, t, unit_known);
	}
	strbuf_release(&plain);
}

static void
append_unit(struct strbuf *out, struct text given)
{
	struct strbuf plain, lower;

	strbuf_init(&plain, NAME_MAX_BYTES);
	strbuf_init(&lower, NAME_MAX_BYTES);
	append_collapsed(&plain, given);
	if (!is_file(strbuf_text(&plain))) {
		append_lower(&lower, strbuf_text(&plain));
		append_scoped(out, strbuf_text(&lower));
	}
	strbuf_release(&plain);
	strbuf_release(&lower);
}

void
frame_name_normal(struct strbuf *out, struct text unit, struct text class_name, struct text routine)
{
	struct strbuf units, classes, name;

	strbuf_init(&units, NAME_MAX_BYTES);
	strbuf_init(&classes, NAME_MAX_BYTES);
	strbuf_init(&name, NAME_MAX_BYTES);
	append_unit(&units, unit);
	append_trimmed(&name, routine, strbuf_text(&units).size > 0);
	if (strbuf_text(&name).size) {
		append_trimmed(&classes, class_name, false);
		join(out, strbuf_text(&units), strbuf_text(&classes), strbuf_text(&name));
	}
	strbuf_release(&units);
	strbuf_release(&classes);
	strbuf_release(&name);
}
