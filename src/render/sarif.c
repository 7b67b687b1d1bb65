/*
 * SARIF 2.1.0 (OASIS Static Analysis Results Interchange Format): one run, with one result for each
 * leak and error. The rule is the finding's kind. The code flow is its stack from the outermost
 * call inwards. The fingerprints are the identities of the stack and of the finding. baselineState
 * shows the comparison with the base. Budgets that are exceeded or cannot be judged are results of
 * the rule "budget".
 */
#include "check_private.h"

#include <stdlib.h>

enum {
	MESSAGE_MAX_BYTES = 64 * 1024
};

struct sarif {
	struct json_writer w;
	const struct check *check;
	const struct check_options *options;
	const char **rules; /* distinct rules, ordered by their first result */
	size_t rule_count;
	struct strbuf text;
};

static const char budget_rule[] = "budget";

static void
put_message(struct sarif *s, struct text t)
{
	json_key_object(&s->w, "message");
	json_key_text(&s->w, "text", t);
	json_end_object(&s->w);
}

/* --- rules ----------------------------------------------------------------------------------- */

static size_t
rule_number(const struct sarif *s, const char *rule)
{
	size_t i = 0;

	while (i < s->rule_count && strcmp(s->rules[i], rule) != 0)
		i++;
	return i;
}

static void
gather_rules(struct sarif *s)
{
	s->rules = xcalloc(s->check->stack_count + 1, sizeof(*s->rules));
	for (size_t i = 0; i < s->check->stack_count; i++) {
		const struct check_stack *stack = &s->check->stacks[i];

		if (stack->fact != CHECK_MEASURE && rule_number(s, stack->rule) == s->rule_count)
			s->rules[s->rule_count++] = stack->rule;
	}
	if (rule_number(s, budget_rule) == s->rule_count)
		s->rules[s->rule_count++] = budget_rule;
}

static const char *
describe_rule(const struct sarif *s, const char *rule)
{
	if (strcmp(rule, budget_rule) == 0)
		return "A budget that is exceeded, or cannot be judged";
	for (size_t i = 0; i < s->check->stack_count; i++)
		if (strcmp(s->check->stacks[i].rule, rule) == 0)
			return s->check->stacks[i].fact == CHECK_LEAK
				       ? "Objects or memory that were not released"
				       : "An error that a detector reported";
	return "";
}

static void
put_rules(struct sarif *s)
{
	json_key_array(&s->w, "rules");
	for (size_t i = 0; i < s->rule_count; i++) {
		json_begin_object(&s->w);
		json_key_string(&s->w, "id", s->rules[i]);
		json_key_object(&s->w, "shortDescription");
		json_key_string(&s->w, "text", describe_rule(s, s->rules[i]));
		json_end_object(&s->w);
		json_end_object(&s->w);
	}
	json_end_array(&s->w);
}

/* --- places ---------------------------------------------------------------------------------- */

static bool
is_drive(const char *path, size_t size)
{
	return size > 2 && char_is_letter(path[0]) && path[1] == ':' && path[2] == '/';
}

/* Percent-encodes the characters that a path must not contain (RFC 3986). Absolute paths become
 * file: URIs. */
static void
append_uri(struct sarif *s, struct text file)
{
	struct strbuf path = STRBUF_INIT(MESSAGE_MAX_BYTES);

	check_source_path(&path, file, s->options);
	strbuf_reset(&s->text);
	if (path.size && path.data[0] == '/')
		strbuf_append_str(
			&s->text, path.size > 1 && path.data[1] == '/' ? "file:" : "file://");
	else if (is_drive(strbuf_str(&path), path.size))
		strbuf_append_str(&s->text, "file:///");
	for (size_t i = 0; i < path.size; i++) {
		unsigned char c = (unsigned char)path.data[i];
		bool plain = char_is_word((char)c) || (c && strchr("-.~/!$&'()*+,;=@", c)) ||
			     (c == ':' && i == 1 && is_drive(path.data, path.size));

		if (plain)
			strbuf_append_char(&s->text, (char)c);
		else
			strbuf_printf(&s->text, "%%%02X", c);
	}
	strbuf_release(&path);
}

static void
put_physical(struct sarif *s, const struct table_frame *f)
{
	json_key_object(&s->w, "physicalLocation");
	json_key_object(&s->w, "artifactLocation");
	append_uri(s, f->source_file);
	json_key_text(&s->w, "uri", strbuf_text(&s->text));
	json_end_object(&s->w);
	if (f->source_line > 0 && f->source_line <= INT32_MAX) {
		json_key_object(&s->w, "region");
		json_key_int(&s->w, "startLine", f->source_line);
		json_end_object(&s->w);
	}
	json_end_object(&s->w);
}

static void
put_visible(struct sarif *s, const char *key, struct text t)
{
	strbuf_reset(&s->text);
	render_visible(&s->text, t);
	json_key_text(&s->w, key, strbuf_text(&s->text));
}

static void
put_logical(struct sarif *s, const struct table_frame *f)
{
	json_key_array(&s->w, "logicalLocations");
	json_begin_object(&s->w);
	if (!text_is_empty(f->routine_name))
		put_visible(s, "name", f->routine_name);
	strbuf_reset(&s->text);
	if (!text_is_empty(f->class_name)) {
		render_visible(&s->text, f->class_name);
		strbuf_append_char(&s->text, '.');
	}
	render_visible(&s->text,
		text_is_empty(f->routine_name) ? TEXT_LITERAL("(unknown)") : f->routine_name);
	json_key_text(&s->w, "fullyQualifiedName", strbuf_text(&s->text));
	json_key_string(&s->w, "kind", "function");
	json_end_object(&s->w);
	json_end_array(&s->w);
}

/* Writes a location; if `in_words`, also describes the frame in words. */
static void
put_location(struct sarif *s, const struct table_frame *f, bool in_words)
{
	json_begin_object(&s->w);
	if (!text_is_empty(f->source_file))
		put_physical(s, f);
	put_logical(s, f);
	if (in_words) {
		strbuf_reset(&s->text);
		render_frame(&s->text, f);
		put_message(s, strbuf_text(&s->text));
	}
	json_end_object(&s->w);
}

/* Writes the frames from the outermost frame inwards, in the order of execution. */
static void
put_code_flow(struct sarif *s, const struct check_stack *stack)
{
	json_key_array(&s->w, "codeFlows");
	json_begin_object(&s->w);
	json_key_array(&s->w, "threadFlows");
	json_begin_object(&s->w);
	json_key_array(&s->w, "locations");
	for (size_t i = stack->frame_count; i-- > 0;) {
		json_begin_object(&s->w);
		if (!text_is_empty(stack->frames[i].module_name))
			put_visible(s, "module", stack->frames[i].module_name);
		json_key(&s->w, "location");
		put_location(s, &stack->frames[i], true);
		json_key_int(&s->w, "nestingLevel", (int64_t)(stack->frame_count - 1 - i));
		json_end_object(&s->w);
	}
	json_end_array(&s->w);
	json_end_object(&s->w);
	json_end_array(&s->w);
	json_end_object(&s->w);
	json_end_array(&s->w);
}

/* --- results --------------------------------------------------------------------------------- */

static const char *
level_of(const struct check_stack *stack)
{
	if (stack->breaks)
		return "error";
	if (stack->fact == CHECK_LEAK && text_equal(stack->kind, TEXT_LITERAL("reachable")))
		return "note";
	return "warning";
}

static void
begin_result(struct sarif *s, const char *rule, const char *level)
{
	json_begin_object(&s->w);
	json_key_string(&s->w, "ruleId", rule);
	json_key_int(&s->w, "ruleIndex", (int64_t)rule_number(s, rule));
	json_key_string(&s->w, "level", level);
}

static void
put_figure(struct sarif *s, const char *key, struct text digits)
{
	if (text_is_null(digits))
		return;
	json_key_raw(&s->w, key, digits);
}

static void
put_identity(struct sarif *s, const struct check_stack *stack)
{
	static const char *const states[] = { NULL, "new", "updated", "unchanged", "absent" };

	json_key_object(&s->w, "fingerprints");
	json_key_string(&s->w, "stackIdentity/v1", stack->identity);
	json_key_string(&s->w, "findingIdentity/v1", stack->finding);
	json_end_object(&s->w);
	/* Viewers use this value to match a result whose stack has changed. Several results may
	 * have the same value. */
	json_key_object(&s->w, "partialFingerprints");
	json_key_string(&s->w, "findingIdentity/v1", stack->finding);
	json_end_object(&s->w);
	if (states[stack->state])
		json_key_string(&s->w, "baselineState", states[stack->state]);
	json_key_object(&s->w, "properties");
	put_figure(s, "count", stack->count);
	put_figure(s, "countChange", stack->count_change);
	put_figure(s, "bytes", stack->value);
	put_figure(s, "bytesChange", stack->value_change);
	if (!text_is_empty(stack->owner))
		put_visible(s, "owner", stack->owner);
	json_end_object(&s->w);
}

static void
put_stack(struct sarif *s, const struct check_stack *stack)
{
	begin_result(s, stack->rule, level_of(stack));
	strbuf_reset(&s->text);
	check_stack_message(&s->text, stack);
	put_message(s, strbuf_text(&s->text));
	json_key_array(&s->w, "locations");
	if (stack->place < stack->frame_count)
		put_location(s, &stack->frames[stack->place], false);
	else if (stack->frame_count)
		put_location(s, &stack->frames[0], false);
	json_end_array(&s->w);
	if (stack->frame_count)
		put_code_flow(s, stack);
	put_identity(s, stack);
	json_end_object(&s->w);
}

static void
put_budget(struct sarif *s, const struct check_budget *b, const char *text)
{
	begin_result(s, budget_rule, b->verdict == CHECK_SKIPPED ? "note" : "error");
	strbuf_reset(&s->text);
	strbuf_append_str(&s->text, "Budget \"");
	render_visible(&s->text, text_from(b->name));
	strbuf_append_str(&s->text, "\": ");
	render_visible(&s->text, text_from(text));
	put_message(s, strbuf_text(&s->text));
	if (!text_is_null(s->check->set.base_inst_id))
		json_key_string(&s->w, "baselineState", "new");
	json_end_object(&s->w);
}

static void
put_results(struct sarif *s)
{
	json_key_array(&s->w, "results");
	for (size_t i = 0; i < s->check->stack_count; i++)
		if (s->check->stacks[i].fact != CHECK_MEASURE)
			put_stack(s, &s->check->stacks[i]);
	for (size_t i = 0; i < s->check->budget_count; i++) {
		const struct check_budget *b = &s->check->budgets[i];

		if (b->reason)
			put_budget(s, b, b->reason);
		for (size_t n = 0; n < b->breach_count; n++)
			put_budget(s, b, b->breaches[n].text);
	}
	json_end_array(&s->w);
}

/* --- the run --------------------------------------------------------------------------------- */

static void
put_tool(struct sarif *s)
{
	json_key_object(&s->w, "tool");
	json_key_object(&s->w, "driver");
	json_key_string(&s->w, "name", "profdepot");
	json_key_string(&s->w, "version", s->check->tool_version);
	put_rules(s);
	json_end_object(&s->w);
	json_end_object(&s->w);
	json_key_array(&s->w, "invocations");
	json_begin_object(&s->w);
	json_key_bool(&s->w, "executionSuccessful", s->check->verdicts[CHECK_UNJUDGED] == 0);
	json_end_object(&s->w);
	json_end_array(&s->w);
}

bool
check_write_sarif(
	FILE *out, const struct check *c, const struct check_options *o, struct error *err)
{
	struct sarif s = { .check = c, .options = o };

	json_writer_init(&s.w, out, true);
	strbuf_init(&s.text, RENDER_CELL_MAX_BYTES);
	gather_rules(&s);
	json_begin_object(&s.w);
	json_key_string(&s.w, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	json_key_string(&s.w, "version", "2.1.0");
	json_key_array(&s.w, "runs");
	json_begin_object(&s.w);
	put_tool(&s);
	json_key_string(&s.w, "columnKind", "utf16CodeUnits");
	put_results(&s);
	json_end_object(&s.w);
	json_end_array(&s.w);
	json_end_object(&s.w);
	putc('\n', out);
	free(s.rules);
	strbuf_release(&s.text);
	return render_check(out, err);
}
