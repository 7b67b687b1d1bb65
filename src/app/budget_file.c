#include "app/budget_file.h"

#include "base/strbuf.h"
#include "input/json/json_reader.h"
#include "store/tree/span_times.h"

#include <errno.h>
#include <stdlib.h>

enum {
	MAX_DEPTH = 16,
	MAX_STRING_BYTES = 64 * 1024
};

struct reading {
	struct arena *arena;
	const char *source;
	struct text json;
	struct json_reader *json_reader;
	struct budget_list *list;
};

/* --- errors with their place ----------------------------------------------------------------- */

static unsigned long long
line_at(const struct reading *r, uint64_t offset)
{
	unsigned long long line = 1;

	for (size_t i = 0; i < r->json.size && i < offset; i++)
		line += r->json.data[i] == '\n';
	return line;
}

/* "FILE: line 3: ..." of the value or key that was read last. */
static bool
refuse(const struct reading *r, const char *what, struct text name, struct error *err)
{
	return error_set(err, ERROR_INPUT, "%.200s: line %llu: %s \"%.*s\"", r->source,
		line_at(r, json_value_offset(r->json_reader)), what, text_precision(name, 100),
		name.data ? name.data : "");
}

static bool
refuse_budget(const struct reading *r, const struct budget *b, const char *what, struct error *err)
{
	return error_set(err, ERROR_INPUT, "%.200s: line %llu: budget \"%.100s\" %s", r->source,
		line_at(r, json_value_offset(r->json_reader)), b->name ? b->name : "", what);
}

static bool
expect(const struct reading *r, enum json_type type, const char *key, struct error *err)
{
	enum json_type found;

	if (!json_peek(r->json_reader, &found, err))
		return false;
	if (found == type)
		return true;
	return error_set(err, ERROR_INPUT, "%.200s: line %llu: %s must be %s, not %s", r->source,
		line_at(r, json_offset(r->json_reader)), key, json_type_name(type),
		json_type_name(found));
}

/* --- values ---------------------------------------------------------------------------------- */

static bool
read_string(struct reading *r, const char *key, const char **out, struct error *err)
{
	struct text t;

	if (!expect(r, JSON_STRING, key, err) || !json_read_string(r->json_reader, &t, err))
		return false;
	if (t.size == 0)
		return error_set(err, ERROR_INPUT, "%.200s: line %llu: %s is empty", r->source,
			line_at(r, json_value_offset(r->json_reader)), key);
	*out = arena_strndup(r->arena, t.data, t.size);
	return true;
}

static bool
add_glob(struct reading *r, const char *key, struct option_list *out, struct error *err)
{
	if (out->count == OPTION_LIST_MAX)
		return error_set(err, ERROR_LIMIT, "%.200s: %s has more than %d members", r->source,
			key, OPTION_LIST_MAX);
	return read_string(r, key, &out->items[out->count++], err);
}

/* A glob, or an array of them. */
static bool
read_globs(struct reading *r, const char *key, struct option_list *out, struct error *err)
{
	enum json_type type;
	bool more = true;

	if (!json_peek(r->json_reader, &type, err))
		return false;
	out->items = arena_alloc_array(
		r->arena, type == JSON_ARRAY ? OPTION_LIST_MAX : 1, sizeof(*out->items));
	if (type != JSON_ARRAY)
		return add_glob(r, key, out, err);
	if (!json_enter(r->json_reader, err))
		return false;
	for (;;) {
		if (!json_next_item(r->json_reader, &more, err))
			return false;
		if (!more)
			break;
		if (!add_glob(r, key, out, err))
			return false;
	}
	if (out->count)
		return true;
	return error_set(err, ERROR_INPUT, "%.200s: line %llu: %s names nothing", r->source,
		line_at(r, json_offset(r->json_reader)), key);
}

/* "64K", "250 ms": a number with a unit behind it. */
static bool
parse_quantity(const struct reading *r, const char *key, struct text t, bool bytes,
	struct budget_limit *out, struct error *err)
{
	static const struct {
		const char *suffix, *unit;
	} times[] = { { "ns", "nanoseconds" }, { "us", "microseconds" }, { "ms", "milliseconds" },
		{ "s", "seconds" } };
	const char *s = arena_strndup(r->arena, t.data, t.size);
	size_t digits = strspn(s, "0123456789.");
	const char *suffix = s + digits + strspn(s + digits, " ");
	struct decimal d;
	int64_t n;

	if (bytes && option_parse_bytes(s, &n)) {
		out->value = fixed_from_wide(n);
		return true;
	}
	for (size_t i = 0; !bytes && digits && i < sizeof(times) / sizeof(times[0]); i++) {
		if (strcmp(suffix, times[i].suffix) != 0 ||
			decimal_parse((struct text){ s, digits }, &d) != DECIMAL_OK)
			continue;
		out->value = decimal_to_fixed(d);
		out->unit = times[i].unit;
		return true;
	}
	refuse(r, arena_printf(r->arena, "%s: not a quantity:", key), t, err);
	return error_hint(
		err, bytes ? "write bytes, or \"64K\", \"10M\", \"2G\""
			   : "write a number in the metric's unit, or \"250ms\", \"1.5s\"");
}

static bool
read_limit(
	struct reading *r, enum budget_limit_code code, struct budget_limit *out, struct error *err)
{
	const char *key = budget_limit_key(code);
	enum budget_figure figure = budget_limit_figure(code);
	bool percent = budget_limit_mode(code) == BUDGET_PERCENT;
	enum json_type type;
	struct decimal d;
	struct text t;
	bool ok;

	out->set = true;
	if (!json_peek(r->json_reader, &type, err))
		return false;
	if (type == JSON_STRING && !percent && (figure == BUDGET_SIZE || figure == BUDGET_VALUE))
		return json_read_string(r->json_reader, &t, err) &&
		       parse_quantity(r, key, t, figure == BUDGET_SIZE, out, err);
	if (!expect(r, JSON_NUMBER, key, err) || !json_read_decimal(r->json_reader, &d, &ok, err))
		return false;
	if (!ok || decimal_to_double(d) < 0 || decimal_to_double(d) > 1e18)
		return error_set(err, ERROR_INPUT, "%.200s: line %llu: %s must be from 0 to 1e18",
			r->source, line_at(r, json_value_offset(r->json_reader)), key);
	out->value = decimal_to_fixed(d);
	return true;
}

/* --- a budget -------------------------------------------------------------------------------- */

static bool
read_word(struct reading *r, const char *key, const char *const *words, int *out, struct error *err)
{
	struct strbuf all;
	const char *word;

	if (!read_string(r, key, &word, err))
		return false;
	for (int i = 0; words[i]; i++) {
		if (strcmp(word, words[i]) != 0)
			continue;
		*out = i;
		return true;
	}
	strbuf_init(&all, 1024);
	for (int i = 0; words[i]; i++)
		strbuf_printf(&all, "%s%s", i ? ", " : "", words[i]);
	refuse(r, arena_printf(r->arena, "%s cannot be", key), text_from(word), err);
	error_hint(err, "use one of: %s", strbuf_str(&all));
	strbuf_release(&all);
	return false;
}

static bool
read_flag(struct reading *r, const char *key, bool *out, struct error *err)
{
	enum json_type type;

	if (!json_peek(r->json_reader, &type, err))
		return false;
	if (type != JSON_TRUE && type != JSON_FALSE)
		return error_set(err, ERROR_INPUT, "%.200s: line %llu: %s must be true or false",
			r->source, line_at(r, json_offset(r->json_reader)), key);
	*out = type == JSON_TRUE;
	return json_read_literal(r->json_reader, err);
}

static const char budget_keys[] =
	"name, of, metric, span, statistic, each, class, module, routine, own, kind, optional,"
	" max_count, max_size, max_value, max_new and those of growth, such as"
	" max_count_growth and max_count_growth_percent";

static bool
read_of(struct reading *r, struct budget *b, struct error *err)
{
	static const char *const words[] = { "leaks", "errors", "metric", "duration", NULL };
	int of = 0;

	if (!read_word(r, "of", words, &of, err))
		return false;
	b->of = (enum budget_of)of;
	return true;
}

static bool
read_statistic(struct reading *r, struct budget *b, struct error *err)
{
	enum span_time t;

	if (!read_string(r, "statistic", &b->statistic, err))
		return false;
	if (span_time_parse(b->statistic, &t))
		return true;
	refuse(r, "statistic cannot be", text_from(b->statistic), err);
	return error_hint(err, "use one of " SPAN_TIME_CHOICES);
}

static bool
read_each(struct reading *r, struct budget *b, struct error *err)
{
	/* As enum compare_by numbers them. */
	static const char *const words[] = { "stack", "class", "routine", "module", "own", NULL };

	return read_word(r, "each", words, &b->each, err);
}

static bool
read_member(struct reading *r, struct budget *b, struct text key, struct error *err)
{
	const struct {
		const char *key;
		struct option_list *globs;
	} globs[] = { { "class", &b->classes }, { "module", &b->modules },
		{ "routine", &b->routines }, { "own", &b->own }, { "kind", &b->kinds },
		{ "span", &b->spans } };

	for (size_t i = 0; i < sizeof(globs) / sizeof(globs[0]); i++)
		if (text_equal(key, text_from(globs[i].key)))
			return read_globs(r, globs[i].key, globs[i].globs, err);
	for (int i = 0; i < BUDGET_LIMITS; i++)
		if (text_equal(key, text_from(budget_limit_key((enum budget_limit_code)i))))
			return read_limit(r, (enum budget_limit_code)i, &b->limits[i], err);
	if (text_equal(key, TEXT_LITERAL("name")))
		return read_string(r, "name", &b->name, err);
	if (text_equal(key, TEXT_LITERAL("of")))
		return read_of(r, b, err);
	if (text_equal(key, TEXT_LITERAL("metric")))
		return read_string(r, "metric", &b->metric, err);
	if (text_equal(key, TEXT_LITERAL("statistic")))
		return read_statistic(r, b, err);
	if (text_equal(key, TEXT_LITERAL("each")))
		return read_each(r, b, err);
	if (text_equal(key, TEXT_LITERAL("optional")))
		return read_flag(r, "optional", &b->optional, err);
	refuse(r, "unknown key", key, err);
	return error_hint(err, "a budget has %s", budget_keys);
}

/* --- what goes together ---------------------------------------------------------------------- */

static const char *
wrong_limit(const struct budget *b, enum budget_limit_code code)
{
	enum budget_figure figure = budget_limit_figure(code);
	bool measured = b->of == BUDGET_OF_METRIC || b->of == BUDGET_OF_DURATION;

	if (figure == BUDGET_VALUE && !measured)
		return "has no value: limit its count or size";
	if (figure == BUDGET_SIZE && b->of != BUDGET_OF_LEAKS)
		return "has no size: only leaks have one";
	if (figure == BUDGET_COUNT && measured)
		return "has no count: limit its value";
	if (figure == BUDGET_NEW && b->of == BUDGET_OF_DURATION)
		return "has no stacks: max_new says nothing about it";
	if (figure == BUDGET_NEW && b->each == COMPARE_BY_STACK)
		return "counts new stacks of each stack: leave out each";
	return NULL;
}

static const char *
wrong_choice(const struct budget *b)
{
	bool chosen = b->classes.count || b->modules.count || b->routines.count || b->own.count ||
		      b->kinds.count;

	if (b->of == BUDGET_OF_METRIC && !b->metric)
		return "is of a metric: say which, with the key metric";
	if (b->of != BUDGET_OF_METRIC && b->metric)
		return "is of no metric: leave out the key metric, or say \"of\": \"metric\"";
	if (b->of == BUDGET_OF_DURATION && !b->spans.count)
		return "is of a duration: name its spans, with the key span";
	if (b->of != BUDGET_OF_DURATION && (b->spans.count || b->statistic))
		return "is of no duration: leave out span and statistic";
	if (b->of == BUDGET_OF_DURATION && (chosen || b->each != BUDGET_TOTAL))
		return "is of a duration: it can choose spans only";
	if (b->of == BUDGET_OF_METRIC && b->kinds.count)
		return "is of a metric, which has no kind";
	return NULL;
}

static bool
check_budget(const struct reading *r, const struct budget *b, struct error *err)
{
	const char *wrong = wrong_choice(b);
	bool any = wrong != NULL; /* what is wrong already needs no limit */

	for (int i = 0; i < BUDGET_LIMITS && !wrong; i++) {
		if (!b->limits[i].set)
			continue;
		any = true;
		wrong = wrong_limit(b, (enum budget_limit_code)i);
	}
	if (!wrong && !any)
		wrong = "limits nothing";
	for (size_t i = 0; i + 1 < r->list->count && !wrong; i++)
		if (strcmp(r->list->budgets[i].name, b->name) == 0)
			wrong = "has the name of another";
	if (!wrong)
		return true;
	refuse_budget(r, b, wrong, err);
	return any ? false : error_hint(err, "add a limit, such as \"max_count\": 0");
}

static bool
read_budget(struct reading *r, struct error *err)
{
	struct budget *b = &r->list->budgets[r->list->count++];
	struct text key;
	bool more, has_of = false;

	b->each = BUDGET_TOTAL;
	if (!expect(r, JSON_OBJECT, "a budget", err) || !json_enter(r->json_reader, err))
		return false;
	for (;;) {
		if (!json_next_key(r->json_reader, &key, &more, err))
			return false;
		if (!more)
			break;
		has_of |= text_equal(key, TEXT_LITERAL("of"));
		if (!read_member(r, b, key, err))
			return false;
	}
	if (!b->name)
		b->name = arena_printf(r->arena, "budget %zu", r->list->count);
	if (!has_of) {
		refuse_budget(r, b, "does not say of what it is", err);
		return error_hint(
			err, "add \"of\": \"leaks\", \"errors\", \"metric\" or \"duration\"");
	}
	return check_budget(r, b, err);
}

static bool
read_budgets(struct reading *r, struct error *err)
{
	bool more;

	if (!expect(r, JSON_ARRAY, "budgets", err) || !json_enter(r->json_reader, err))
		return false;
	for (;;) {
		if (!json_next_item(r->json_reader, &more, err))
			return false;
		if (!more)
			return true;
		if (r->list->count == BUDGET_FILE_MAX_BUDGETS)
			return error_set(err, ERROR_LIMIT, "%.200s: more than %d budgets",
				r->source, BUDGET_FILE_MAX_BUDGETS);
		if (!read_budget(r, err))
			return false;
	}
}

static bool
read_top(struct reading *r, struct text key, struct error *err)
{
	static const char *const words[] = { "names", "lines", NULL };
	int match = 0;

	if (text_equal(key, TEXT_LITERAL("budgets")))
		return read_budgets(r, err);
	if (text_equal(key, TEXT_LITERAL("own")))
		return read_globs(r, "own", &r->list->own, err);
	if (text_equal(key, TEXT_LITERAL("match"))) {
		if (!read_word(r, "match", words, &match, err))
			return false;
		r->list->match = match ? MATCH_LINES : MATCH_NAMES;
		return true;
	}
	if (text_equal(key, TEXT_LITERAL("$schema")) || text_equal(key, TEXT_LITERAL("comment")))
		return json_skip(r->json_reader, err);
	refuse(r, "unknown key", key, err);
	return error_hint(err, "a budget file has budgets, own, match, comment and $schema");
}

static bool
read_file(struct reading *r, struct error *err)
{
	struct text key;
	bool more, end = false;

	if (!expect(r, JSON_OBJECT, "a budget file", err) || !json_enter(r->json_reader, err))
		return false;
	for (;;) {
		if (!json_next_key(r->json_reader, &key, &more, err))
			return false;
		if (!more)
			break;
		if (!read_top(r, key, err))
			return false;
	}
	if (!json_at_end(r->json_reader, &end, err))
		return false;
	if (!end)
		return error_set(
			err, ERROR_INPUT, "%.200s: something stands behind the budgets", r->source);
	if (r->list->count)
		return true;
	error_set(err, ERROR_INPUT, "%.200s holds no budget", r->source);
	return error_hint(err, "it needs an array \"budgets\"; profdepot-check(1) shows one");
}

const struct budget_list *
budget_file_parse(struct arena *a, const char *source, struct text json, struct error *err)
{
	const struct json_options options = { .source = source,
		.max_depth = MAX_DEPTH,
		.max_string_bytes = MAX_STRING_BYTES,
		.duplicate_keys = true };
	struct reading r = { .arena = a, .source = source, .json = json };
	bool ok;

	r.list = arena_alloc(a, sizeof(*r.list));
	r.list->budgets = arena_alloc_array(a, BUDGET_FILE_MAX_BUDGETS, sizeof(*r.list->budgets));
	r.json_reader = json_reader_new_memory(json.data, json.size, 0, &options);
	ok = read_file(&r, err);
	json_reader_free(r.json_reader);
	return ok ? r.list : NULL;
}

const struct budget_list *
budget_file_read(struct arena *a, const char *path, struct error *err)
{
	bool is_input = strcmp(path, "-") == 0;
	FILE *in = is_input ? stdin : fopen(path, "rb");
	const struct budget_list *list = NULL;
	struct strbuf b;
	char chunk[8192];
	size_t n;

	if (!in) {
		error_set_errno(err, ERROR_FILE, "budget file %.500s", path);
		error_hint(err, "profdepot-check(1) tells how to write one");
		return NULL;
	}
	strbuf_init(&b, BUDGET_FILE_MAX_BYTES);
	errno = 0;
	while (!b.failed && (n = fread(chunk, 1, sizeof(chunk), in)) > 0)
		strbuf_append(&b, chunk, n);
	if (ferror(in))
		error_set_errno(err, ERROR_FILE, "budget file %.500s", path);
	else if (b.failed)
		error_set(err, ERROR_LIMIT, "budget file %.500s has more than %d bytes", path,
			BUDGET_FILE_MAX_BYTES);
	else
		list = budget_file_parse(a, path, strbuf_text(&b), err);
	strbuf_release(&b);
	if (!is_input)
		fclose(in);
	return list;
}
