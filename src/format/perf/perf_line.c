/* Parses perf script lines. perf_private.h describes their format. */
#include "perf_private.h"

#include "base/number.h"
#include "format/common/text_scan.h"
#include "model/rows.h"

static size_t
count_digits(struct text t)
{
	size_t n = 0;

	while (n < t.size && char_is_digit(t.data[n]))
		n++;
	return n;
}

static bool
parse_int(struct text t, int64_t *out)
{
	struct number n;

	return number_parse(t, &n) == NUMBER_OK && number_to_int64(n, out);
}

/* Parses "PID/TID", or "TID" alone. */
static bool
parse_pid(struct text word, struct perf_header *out)
{
	size_t first = count_digits(word);
	struct text second;

	if (!first)
		return false;
	out->pid = MODEL_NULL;
	if (first == word.size)
		return parse_int(word, &out->tid);
	second = text_from_at(word, first + 1);
	return word.data[first] == '/' && second.size && count_digits(second) == second.size &&
	       parse_int(text_up_to(word, first), &out->pid) && parse_int(second, &out->tid);
}

/* "[003]" */
static bool
parse_cpu(struct text word, int64_t *cpu)
{
	struct text inner;

	if (word.size < 3 || *word.data != '[' || word.data[word.size - 1] != ']')
		return false;
	inner = (struct text){ word.data + 1, word.size - 2 };
	return count_digits(inner) == inner.size && parse_int(inner, cpu);
}

/* "123.456789:" */
static bool
parse_time(struct text word, struct decimal *time)
{
	size_t whole = count_digits(word);
	struct text t = { word.data, word.size - 1 };

	if (!whole || word.size < whole + 3 || word.data[whole] != '.' ||
		word.data[word.size - 1] != ':')
		return false;
	while (t.size > 1 && *t.data == '0' && char_is_digit(t.data[1]))
		t = text_from_at(t, 1);
	if (decimal_parse(t, time) == DECIMAL_OK && time->kind == DECIMAL_COMPACT)
		return true;
	*time = (struct decimal){ 0 };
	return false;
}

/* Parses "PERIOD EVENT:" or "EVENT:", and the rest of the line. */
static void
parse_event(struct text rest, struct perf_header *out)
{
	struct text at = rest;
	struct text word = scan_token(&at);
	struct decimal ignored;

	out->rest = text_trim(rest);
	if (word.size && count_digits(word) == word.size &&
		decimal_parse(word, &out->period) == DECIMAL_OK &&
		out->period.kind == DECIMAL_COMPACT)
		word = scan_token(&at);
	if (word.size > 1 && word.data[word.size - 1] == ':' && !parse_time(word, &ignored)) {
		out->event = (struct text){ word.data, word.size - 1 };
		out->rest = text_trim(at);
	} else {
		out->period = (struct decimal){ 0 };
	}
}

/* Whether the word is perf's code for the CPU mode of the sample, such as "K", "U" or "KH". */
static bool
is_misc(struct text word)
{
	for (size_t i = 0; i < word.size; i++)
		if (!strchr("KUHGgMESFXpb", word.data[i]))
			return false;
	return word.size > 0 && word.size <= 5;
}

/* Parses the part of a header after COMM and PID. */
static bool
parse_after_pid(struct text rest, struct perf_header *out)
{
	struct text at = rest;

	out->cpu = MODEL_NULL;
	out->time = out->period = (struct decimal){ 0 };
	out->event = TEXT_NULL;
	if (parse_cpu(scan_token(&at), &out->cpu))
		rest = at;
	else
		at = rest;
	if (is_misc(scan_token(&at)))
		rest = at;
	else
		at = rest;
	if (parse_time(scan_token(&at), &out->time))
		rest = at;
	parse_event(rest, out);
	return out->time.kind != DECIMAL_NULL || out->event.size;
}

static struct text
before(struct text line, struct text word)
{
	return text_trim((struct text){ line.data, (size_t)(word.data - line.data) });
}

bool
perf_parse_header(struct text line, struct perf_header *out)
{
	struct text at = line;

	for (;;) {
		struct text word = scan_token(&at);

		/* Stop at the time, because a number after it is not a pid. */
		if (!word.size || parse_time(word, &out->time))
			break;
		if (parse_pid(word, out) && parse_after_pid(at, out)) {
			out->comm = before(line, word);
			return true;
		}
	}
	/* A header without a pid must have a time. */
	at = line;
	out->pid = out->tid = MODEL_NULL;
	for (;;) {
		struct text here = at;
		struct text word = scan_token(&at);

		if (!word.size)
			return false;
		if ((parse_time(word, &out->time) || parse_cpu(word, &out->cpu)) &&
			parse_after_pid(here, out) && out->time.kind != DECIMAL_NULL) {
			out->comm = before(line, word);
			return true;
		}
	}
}

bool
perf_parse_bare_header(struct text line, struct perf_header *out)
{
	struct text at = line;
	int64_t cpu;

	for (;;) {
		struct text word = scan_token(&at);
		struct text rest = at;

		if (!word.size)
			return false;
		if (!parse_pid(word, out))
			continue;
		out->cpu = MODEL_NULL;
		if (parse_cpu(scan_token(&rest), &cpu))
			out->cpu = cpu;
		else
			rest = at;
		if (text_trim(rest).size)
			continue;
		out->comm = before(line, word);
		out->time = out->period = (struct decimal){ 0 };
		out->event = out->rest = TEXT_NULL;
		return true;
	}
}

/* Removes an offset such as "+0x1f" from the end. */
static struct text
without_offset(struct text t)
{
	size_t at = t.size;

	while (at && char_hex_value(t.data[at - 1]) >= 0)
		at--;
	if (at < t.size && at >= 3 && memcmp(t.data + at - 3, "+0x", 3) == 0)
		t.size = at - 3;
	return t;
}

bool
perf_parse_frame(struct text line, struct perf_frame *out)
{
	struct text t = text_trim(line);
	struct text address = scan_token(&t);
	size_t open;

	if (!address.size)
		return false;
	for (size_t i = 0; i < address.size; i++)
		if (char_hex_value(address.data[i]) < 0)
			return false;
	t = text_trim(t);
	/* A DSO may itself have brackets, as in "/x (deleted)". */
	open = text_ends(t, ")") ? text_opening_bracket(t) : TEXT_NOT_FOUND;
	if (open == TEXT_NOT_FOUND || (open && !char_is_blank(t.data[open - 1]))) {
		/* The output has no DSOs; the symbol may be "main()". */
		*out = (struct perf_frame){ .symbol = without_offset(t) };
		return t.size > 0;
	}
	out->address = out->offset = 0;
	scan_hex(&address, &out->address);
	out->dso = (struct text){ t.data + open + 1, t.size - open - 2 };
	scan_last_offset(&out->dso, &out->offset);
	out->symbol = without_offset(text_trim((struct text){ t.data, open }));
	return true;
}

/* Whether the text is perf's replacement for an unknown source line: "[libc.so.6][29d90]",
 * "libc.so.6[29d90]", "main+0x1f", "??:0", ":0". */
static bool
is_no_source(struct text t)
{
	size_t at = t.size - 1;

	if (t.data[at] != ']')
		return without_offset(t).size < t.size;
	while (at && char_hex_value(t.data[at - 1]) >= 0)
		at--;
	return at > 1 && at < t.size - 1 && t.data[at - 1] == '[';
}

bool
perf_parse_source(struct text line, struct perf_source *out)
{
	static const char inlined[] = "(inlined)";
	struct text t = text_trim(line);
	size_t at;

	*out = (struct perf_source){ .inlined = text_ends(t, inlined) };
	if (out->inlined)
		t = text_trim(text_up_to(t, t.size - strlen(inlined)));
	if (!t.size)
		return false;
	for (at = t.size; at && char_is_digit(t.data[at - 1]);)
		at--;
	if (!at || at == t.size || t.data[at - 1] != ':')
		return is_no_source(t);
	if (!parse_int(text_from_at(t, at), &out->line))
		return false;
	t.size = at - 1;
	if (t.size && !text_equal(t, TEXT_LITERAL("??")))
		out->file = t;
	else
		out->line = 0;
	return true;
}
