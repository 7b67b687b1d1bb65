/* Functions that all parts of the speedscope reader use: messages that name the profile, and
 * lists of values that no column stores. */
#include "speedscope_private.h"

#include <inttypes.h>

enum {
	NAME_IN_MESSAGE_BYTES = 80
};

#define SPEEDSCOPE_UNIT_NAME(name) #name,
const char *const speedscope_units[SPEEDSCOPE_UNIT_COUNT] = { SPEEDSCOPE_UNITS(
	SPEEDSCOPE_UNIT_NAME) };
#undef SPEEDSCOPE_UNIT_NAME

#define SPEEDSCOPE_KEY_NAME(id, name) name,
const char *const speedscope_keys[SPEEDSCOPE_KEY_COUNT] = { SPEEDSCOPE_KEYS(SPEEDSCOPE_KEY_NAME) };
#undef SPEEDSCOPE_KEY_NAME

void
speedscope_name_profile(struct speedscope_file *f)
{
	const struct text name = f->head.name;

	if (name.size)
		snprintf(f->part, sizeof(f->part), "profile %zu (\"%.*s\"): ", f->profile + 1,
			text_precision(name, NAME_IN_MESSAGE_BYTES), name.data);
	else
		snprintf(f->part, sizeof(f->part), "profile %zu: ", f->profile + 1);
	f->in->part = f->part;
}

bool
speedscope_enter(struct speedscope_file *f, enum json_type want, const char *noun, int64_t number)
{
	const char *article = want == JSON_ARRAY ? "an array" : "an object";
	const uint64_t offset = json_offset(f->json);
	enum json_type type;

	if (!json_peek(f->json, &type, f->in->err))
		return false;
	if (type == want)
		return json_enter(f->json, f->in->err);
	if (number < 0)
		return reader_refuse_at(
			f->in, offset, "%s is %s, not %s", noun, json_type_name(type), article);
	return reader_refuse_at(f->in, offset, "%s %" PRId64 " is %s, not %s", noun, number,
		json_type_name(type), article);
}

/* Returns whether the list has room for `size` more bytes. Reports a full list only once. */
static bool
odd_room(struct speedscope_file *f, struct speedscope_odd *o, size_t size, bool *ok)
{
	*ok = true;
	if (o->text.size + size + 64 <= SPEEDSCOPE_MAX_ODD_BYTES)
		return true;
	if (!o->reported)
		*ok = reader_issue_at(f->in, ISSUE_ODD_LEFT_OUT, json_offset(f->json),
			"more than %d MiB of odd and unknown values: an export will lack the rest",
			SPEEDSCOPE_MAX_ODD_BYTES / 1024 / 1024);
	o->reported = true;
	return false;
}

static void
append_member(struct strbuf *b, struct text key, struct text raw)
{
	strbuf_append_char(b, b->size ? ',' : '{');
	json_append_depot_text(b, key);
	strbuf_append_char(b, ':');
	strbuf_append_text(b, raw);
}

void
speedscope_item_member(struct speedscope_file *f, struct text key)
{
	append_member(&f->item, key, strbuf_text(&f->scratch));
}

bool
speedscope_odd_member(struct speedscope_file *f, struct speedscope_odd *o, struct text key)
{
	bool ok;

	if (odd_room(f, o, key.size * 6 + f->scratch.size, &ok))
		append_member(&o->text, key, strbuf_text(&f->scratch));
	return ok;
}

bool
speedscope_odd_item(struct speedscope_file *f, struct speedscope_odd *o, uint64_t index,
	struct text raw, enum speedscope_mark mark)
{
	bool ok;

	if (!odd_room(f, o, raw.size, &ok))
		return ok;
	strbuf_append_char(&o->text, o->text.size ? ',' : '[');
	strbuf_printf(&o->text, "[%" PRIu64 ",", index);
	strbuf_append_text(&o->text, raw);
	if (mark)
		strbuf_printf(&o->text, ",%u", (unsigned)mark);
	strbuf_append_char(&o->text, ']');
	return true;
}
