/* A check as JSON for programs; render/check.h describes the format. */
#include "check_private.h"

/* Writes a number unchanged; NULL becomes null. */
static void
put_number(struct json_writer *w, const char *key, struct text value)
{
	if (text_is_null(value))
		json_key_null(w, key);
	else
		json_key_raw(w, key, value);
}

static void
put_breach(struct json_writer *w, const struct check_breach *breach)
{
	json_begin_object(w);
	json_key_string(w, "limit", breach->limit);
	json_key_string(w, "what", breach->what);
	json_key_string(w, "text", breach->text);
	json_key_array(w, "stacks");
	for (size_t i = 0; i < breach->stack_count; i++)
		json_int(w, (int64_t)breach->stacks[i]);
	json_end_array(w);
	json_end_object(w);
}

static void
put_budget(struct json_writer *w, const struct check_budget *b)
{
	json_begin_object(w);
	json_key_string(w, "name", b->name);
	json_key_string(w, "verdict", check_verdict_name(b->verdict));
	json_key_string(w, "reason", b->reason);
	json_key_array(w, "breaches");
	for (size_t i = 0; i < b->breach_count; i++)
		put_breach(w, &b->breaches[i]);
	json_end_array(w);
	json_end_object(w);
}

static void
put_stack(struct json_writer *w, const struct check_stack *s)
{
	static const char *const facts[] = { "leak", "error", "measure" };

	json_begin_object(w);
	json_key_string(w, "fact", facts[s->fact]);
	json_key_string(w, "rule", s->rule);
	json_key_text(w, "class", s->class_name);
	json_key_text(w, "module", s->module_name);
	json_key_text(w, "description", s->description);
	json_key_string(w, "identity", s->identity);
	if (*s->finding)
		json_key_string(w, "finding", s->finding);
	if (!text_is_empty(s->owner))
		json_key_text(w, "owner", s->owner);
	json_key_string(w, "state", check_state_word(s));
	put_number(w, "count", s->count);
	put_number(w, "count_change", s->count_change);
	put_number(w, "value", s->value);
	put_number(w, "value_change", s->value_change);
	json_key_text(w, "unit", s->unit);
	json_key_bool(w, "breaks", s->breaks);
	json_key(w, "stack");
	render_frames_json(w, s->frames, s->frame_count);
	json_end_object(w);
}

bool
check_write_json(FILE *out, const struct check *c, const struct check_options *o, struct error *err)
{
	struct json_writer w;

	(void)o;
	json_writer_init_answer(&w, out, true);
	json_begin_object(&w);
	put_number(&w, "inst_id", c->set.inst_id);
	json_key_text(&w, "caption", c->set.caption);
	put_number(&w, "base_inst_id", c->set.base_inst_id);
	json_key_text(&w, "base_caption", c->set.base_caption);
	for (int i = 0; i < CHECK_VERDICTS; i++) {
		json_key_int(
			&w, check_verdict_name((enum check_verdict)i), (int64_t)c->verdicts[i]);
	}
	json_key_array(&w, "budgets");
	for (size_t i = 0; i < c->budget_count; i++)
		put_budget(&w, &c->budgets[i]);
	json_end_array(&w);
	json_key_array(&w, "stacks");
	for (size_t i = 0; i < c->stack_count; i++)
		put_stack(&w, &c->stacks[i]);
	json_end_array(&w);
	json_end_object(&w);
	putc('\n', out);
	return render_check(out, err);
}
