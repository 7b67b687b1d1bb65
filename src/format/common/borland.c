/* Splits the names of Delphi routines; see borland.h. */
#include "borland.h"

#include "format/common/demangle.h"
#include "model/frame_name.h"

/* Whether the text begins with the name of a Pascal class. */
static bool
is_class(struct text t)
{
	return t.size > 1 && (t.data[0] == 'T' || t.data[0] == 'E' || t.data[0] == 'I') &&
	       t.data[1] >= 'A' && t.data[1] <= 'Z';
}

/* The offset of the dot that ends the first part, or t.size. Dots between angle brackets and in
 * operators do not count. */
static size_t
part_end(struct text t)
{
	size_t depth = 0;

	if (text_begins(t, "operator"))
		return t.size;
	for (size_t i = 0; i < t.size; i++) {
		if (t.data[i] == '<')
			depth++;
		else if (t.data[i] == '>' && depth)
			depth--;
		else if (t.data[i] == '.' && !depth && i && i + 1 < t.size)
			return i;
	}
	return t.size;
}

/* The offset of the last part. */
static size_t
last_part(struct text t)
{
	size_t at = 0;

	for (;;) {
		struct text rest = text_from_at(t, at);
		size_t end = part_end(rest);

		if (end == rest.size)
			return at;
		at += end + 1;
	}
}

/* Returns the offset of the first part that is a class. The last part does not count, because it is the
 * routine. Returns t.size if no part is a class. */
static size_t
class_part(struct text t)
{
	size_t at = 0;

	for (;;) {
		struct text rest = text_from_at(t, at);
		size_t end = part_end(rest);

		if (end == rest.size)
			return t.size;
		if (is_class(rest))
			return at;
		at += end + 1;
	}
}

/* Removes "UNIT." from the front, ignoring case. */
static struct text
without_unit(struct text t, struct text unit)
{
	if (unit.size && t.size > unit.size + 1 && t.data[unit.size] == '.' &&
		text_equal_nocase(text_up_to(t, unit.size), unit))
		return text_from_at(t, unit.size + 1);
	return t;
}

/* The text before the part at offset `at`, without the dot between the two. */
static struct text
before(struct text t, size_t at)
{
	return text_up_to(t, at ? at - 1 : 0);
}

/* Splits "Unit.TClass.Routine". If no part looks like a class, the other parameters decide what the parts before the
 * routine are. They are the class if `unit` is known, or if `scoped` and `method` are both true. They are the unit if
 * only `scoped` is true. Otherwise they stay in the routine's name. */
static void
split(struct text t, struct text unit, bool scoped, bool method, struct borland_name *out)
{
	struct text rest = without_unit(t, unit);
	size_t class_at = class_part(rest);
	size_t last = last_part(rest);

	out->unit = unit;
	out->routine = text_from_at(rest, last);
	if (class_at < rest.size) {
		if (!unit.size)
			out->unit = before(rest, class_at);
		out->class_name = before(text_from_at(rest, class_at), last - class_at);
	} else if (last && (unit.size || (scoped && method))) {
		out->class_name = before(rest, last);
	} else if (scoped && !unit.size) {
		out->unit = before(rest, last);
	} else {
		out->routine = rest;
	}
}

/* --- decorations -------------------------------------------------------------------------------- */

/* Writes "a::b::c(int)" as "a.b.c". A constructor, whose name repeats the name of its class, becomes "Create". A
 * destructor becomes "Destroy". */
static void
undo_itanium(struct strbuf *out, struct text plain)
{
	size_t name = 0;
	size_t begin = 0;
	bool same;

	for (size_t i = 0; i < plain.size && plain.data[i] != '('; i++) {
		if (plain.data[i] != ':' || i + 1 == plain.size || plain.data[i + 1] != ':') {
			strbuf_append_char(out, plain.data[i]);
			continue;
		}
		begin = name;
		strbuf_append_char(out, '.');
		name = out->size;
		i++;
	}
	if (!name)
		return;
	if (out->size > name && out->data[name] == '~') {
		out->size = name;
		strbuf_append_str(out, "Destroy");
		return;
	}
	same = out->size - name == name - 1 - begin &&
	       memcmp(out->data + name, out->data + begin, out->size - name) == 0;
	if (same) {
		out->size = name;
		strbuf_append_str(out, "Create");
	}
}

/* Writes "Shop.Basket.total" as "Shop::Basket.total", because a const method belongs to a C++
 * class. */
static void
scope_class(struct strbuf *out, struct strbuf *scratch)
{
	struct text t = strbuf_text(out);
	size_t last = last_part(t);

	strbuf_reset(scratch);
	for (size_t i = 0; i < t.size; i++)
		if (t.data[i] == '.' && i + 1 < last)
			strbuf_append_str(scratch, "::");
		else
			strbuf_append_char(scratch, t.data[i]);
	strbuf_reset(out);
	strbuf_append_text(out, strbuf_text(scratch));
}

/* Returns whether removing the decoration led to a valid name. Such a name begins with @ or a character
 * of a word, and contains no $, which stays in the name of an unknown operator. */
static bool
is_well_formed(struct text name, struct text undone, struct text unit)
{
	bool is_operator = text_begins(undone, "operator");

	if (memchr(undone.data, '$', undone.size) || !undone.size ||
		!(char_is_word(undone.data[0]) || undone.data[0] == '@'))
		return false;
	/* A single name after @ is a unit and not a routine, unless the report states the unit. */
	return name.data[0] != '@' || unit.size || is_operator ||
	       memchr(undone.data, '.', undone.size);
}

void
borland_split(struct text name, struct text unit, struct strbuf *buffer, struct borland_name *out)
{
	struct strbuf plain = STRBUF_INIT(DEMANGLE_MAX_BYTES);
	struct text demangled;
	bool method = false;

	*out = (struct borland_name){ .unit = unit, .routine = name };
	if (!name.size)
		return;
	strbuf_reset(buffer);
	if (demangle(name, &plain, &demangled)) {
		undo_itanium(buffer, demangled);
		out->decorated = true;
	} else if (name_undo_borland(buffer, name, unit.size > 0, &method) &&
		   is_well_formed(name, strbuf_text(buffer), unit)) {
		out->decorated = true;
	}
	if (out->decorated && method)
		scope_class(buffer, &plain);
	if (out->decorated && !buffer->failed)
		split(strbuf_text(buffer), unit, true, method, out);
	else if (name.data[0] != '@' && !memchr(name.data, '$', name.size))
		split(name, unit, false, false, out);
	strbuf_release(&plain);
}

void
borland_name_frame(struct frame *f, struct text name, struct text unit, struct strbuf *buffer)
{
	struct borland_name parts;

	borland_split(name, unit, buffer, &parts);
	f->function = parts.routine;
	f->class_name = parts.class_name;
	f->unit = parts.unit;
	if (parts.decorated)
		f->symbol = name;
}

void
borland_find_unit(struct frame *f)
{
	struct text name = f->function;
	size_t dot = name.size;

	while (dot && name.data[dot - 1] != '.')
		dot--;
	if (dot < 2 || f->unit.size || f->class_name.size)
		return;
	f->unit = text_up_to(name, dot - 1);
	f->function = text_from_at(name, dot);
}
