/*
 * Collapsed stacks, as stackcollapse-*.pl, py-spy, async-profiler, inferno,
 * bpftrace's and heaptrack's exports write them: a line a stack, frames from the
 * outermost to the innermost between semicolons, a blank and a count.
 *
 * What is no such line is left out with an issue, as speedscope leaves it out
 * without. difffolded.pl writes two counts, before and after: a file whose
 * lines all have two is taken as that.
 */
#include "format/common/demangle.h"
#include "format/common/text_file.h"
#include "format/formats.h"

#include "base/hash.h"
#include "base/pair_map.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	PLAN_BITS = 32, /* one a file: its lines have one count */
	LINE_MAX_BYTES = 4 * 1024 * 1024,
	LOOK_LINES = 1000,
	DIFFERENCE_MIN_LINES = 2, /* fewer do not tell it from names that end in a number */
	PROBE_BITS = 4,           /* any other text format is better known */
};

struct counted {
	struct text stack;
	struct text count;
};

struct collapsed {
	struct text_file *file;
	metric_number metric;
	bool difference;
	uint64_t samples;

	/* Frames by their bytes; those of the line before, outermost first. */
	struct pair_map routines;
	uint64_t seed;
	struct strbuf last, plain;
	size_t *ends;
	int64_t *ids, *inner;
	size_t depth, room;
};

static unsigned
plan_bit(const struct collapsed *c)
{
	return 1U << c->file->member % PLAN_BITS;
}

/* --- lines --------------------------------------------------------------------------- */

/* "STACK COUNT", COUNT of digits alone: what speedscope takes. */
static bool
split_count(struct text line, struct counted *out)
{
	size_t at = line.size;

	while (at && char_is_digit(line.data[at - 1]))
		at--;
	if (at == line.size || !at || line.data[at - 1] != ' ')
		return false;
	*out = (struct counted){ { line.data, at - 1 }, { line.data + at, line.size - at } };
	return true;
}

/* Also 1.5, +7, -3, 1e3, behind a tab or before blanks: what --lenient takes. */
static bool
split_loosely(struct text line, struct counted *out)
{
	struct decimal ignored;
	struct text whole = text_trim(line);
	size_t at = whole.size;

	while (at && whole.data[at - 1] != ' ' && whole.data[at - 1] != '\t')
		at--;
	if (!at)
		return false;
	out->count = (struct text){ whole.data + at, whole.size - at };
	if (out->count.size > 1 && *out->count.data == '+')
		out->count = (struct text){ out->count.data + 1, out->count.size - 1 };
	out->stack = text_trim((struct text){ whole.data, at });
	return decimal_parse(out->count, &ignored) == DECIMAL_OK;
}

static bool
is_comment(struct text line)
{
	struct text t = text_trim(line);

	return t.size == 0 || *t.data == '#';
}

static bool
ends_with(const char *name, const char *end)
{
	size_t size = strlen(name);
	size_t tail = strlen(end);

	return size >= tail && strcmp(name + size - tail, end) == 0;
}

static bool
is_named(const char *name)
{
	static const char *const ends[] = { ".collapsedstack.txt", ".collapsed", ".collapsed.txt",
		".folded", ".folded.txt" };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (ends_with(name, ends[i]))
			return true;
	return false;
}

struct looked {
	size_t lines, stacks, nested, pairs, comments;
	size_t doubtful; /* stacks of one frame that reads like words of a sentence */
};

/* A blank follows each semicolon of prose; between frames none does. */
static bool
is_nested(struct text stack)
{
	for (size_t at = 0; at + 1 < stack.size; at++)
		if (stack.data[at] == ';' && stack.data[at + 1] != ' ')
			return true;
	return false;
}

static bool
is_one_of(char c, const char *these)
{
	return c && strchr(these, c);
}

/* Several words, a label, or no letter: names of frames have blanks within brackets, as in
 * "run(unsigned int)" or "[vdso page]". */
static bool
is_doubtful(struct text name)
{
	int depth = 0;
	bool letter = false;

	for (size_t i = 0; i < name.size; i++) {
		char c = name.data[i];

		if (is_one_of(c, "([{<"))
			depth++;
		else if (is_one_of(c, ")]}>"))
			depth -= depth > 0;
		else if (c == ' ' && !depth)
			return true;
		letter |= (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
		letter |= (unsigned char)c >= 0x80;
	}
	return !letter || is_one_of(name.data[name.size - 1], ":,=");
}

static void
look_at(struct line_reader *head, struct looked *out)
{
	struct error ignored = ERROR_INIT;
	struct counted c, before;
	struct line line;
	bool more;

	*out = (struct looked){ 0 };
	while (out->lines < LOOK_LINES && line_next(head, &line, &more, &ignored) && more) {
		const char *cr = memchr(line.text.data, '\r', line.text.size);

		if (cr)
			line.text.size = (size_t)(cr - line.text.data);
		if (split_count(line.text, &c)) {
			bool nested = is_nested(c.stack);
			bool pair = split_count(c.stack, &before);

			out->stacks++;
			out->nested += nested;
			out->doubtful += !nested && is_doubtful(pair ? before.stack : c.stack);
			out->pairs += pair;
		} else if (is_comment(line.text)) {
			out->comments += text_trim(line.text).size != 0;
			continue;
		}
		out->lines++;
	}
}

/* Half of the lines at least are stacks, and most of these look like some. Without a
 * semicolon every line has to, and nothing else may be there: a list of names with numbers
 * is the weakest sign of a profile. */
static bool
is_convincing(const struct looked *l)
{
	if (!l->stacks || 2 * l->stacks < l->lines)
		return false;
	if (l->nested)
		return l->doubtful <= l->stacks / 2;
	return l->stacks == l->lines && !l->doubtful && !l->comments;
}

static int
look(struct line_reader *head, const char *name)
{
	struct looked l;

	look_at(head, &l);
	if (is_named(name))
		return PROBE_BITS;
	return is_convincing(&l) ? PROBE_BITS : 0;
}

static int
look_for_counts(struct line_reader *head, const char *name)
{
	struct looked l;

	(void)name;
	look_at(head, &l);
	return l.stacks && 2 * l.stacks >= l.lines ? PROBE_BITS : 0;
}

/* --- frames -------------------------------------------------------------------------- */

/* "_[k]" and the like say what code a frame is. */
static struct text
code_of(struct text name)
{
	static const char codes[][2][12] = { { "_[k]", "kernel" }, { "_[j]", "jit" },
		{ "_[i]", "inlined" }, { "_[0]", "interpreted" }, { "_[1]", "c1" } };

	if (name.size < 4 || name.data[name.size - 1] != ']')
		return TEXT_NULL;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (memcmp(name.data + name.size - 4, codes[i][0], 4) == 0)
			return text_from(codes[i][1]);
	return TEXT_NULL;
}

static bool
intern(struct collapsed *c, struct text name, int64_t *id)
{
	struct hash128 key = hash128_seeded(name.data, name.size, c->seed);
	struct routine_row row;
	uint32_t number;
	bool added;

	if (c->routines.count == INT32_MAX)
		return error_set(
			c->file->err, ERROR_LIMIT, "%s: more than 2^31 frames", c->file->name);
	number = pair_map_add(&c->routines, (int64_t)key.low, (int64_t)key.high,
		(uint32_t)c->routines.count, &added);
	*id = number;
	if (!added)
		return true;
	row = text_routine(number);
	row.routine_name = name;
	row.code_type = code_of(name);
	if (demangle(name, &c->plain, &row.routine_name))
		row.symbol_moniker = name;
	return c->file->sink->routine(c->file->sink, c->file->set, &row, c->file->err);
}

/* Frames that stand at the start of the line before stand there again: sorted
 * files share most of them. Returns how many; *at: where the next one begins. */
static size_t
take_shared(struct collapsed *c, struct text stack, size_t *at)
{
	struct text last = strbuf_text(&c->last);
	size_t most = last.size < stack.size ? last.size : stack.size;
	size_t same = 0;
	size_t depth = 0;

	while (same < most && last.data[same] == stack.data[same])
		same++;
	*at = 0;
	while (depth < c->depth && c->ends[depth] < same) {
		*at = c->ends[depth] + 1;
		depth++;
	}
	return depth;
}

static bool
read_frames(struct collapsed *c, struct text stack)
{
	size_t at;
	size_t depth = take_shared(c, stack, &at);

	for (;; depth++) {
		const char *end = memchr(stack.data + at, ';', stack.size - at);
		size_t stop = end ? (size_t)(end - stack.data) : stack.size;

		if (depth == c->room) {
			c->room = c->room ? c->room * 2 : 256;
			c->ends = xrealloc(c->ends, c->room * sizeof(*c->ends));
			c->ids = xrealloc(c->ids, c->room * sizeof(*c->ids));
			c->inner = xrealloc(c->inner, c->room * sizeof(*c->inner));
		}
		if (!intern(c, (struct text){ stack.data + at, stop - at }, &c->ids[depth]))
			return false;
		c->ends[depth] = stop;
		at = stop + 1;
		if (!end)
			break;
	}
	c->depth = depth + 1;
	strbuf_reset(&c->last);
	strbuf_append_text(&c->last, stack);
	return true;
}

/* --- samples ------------------------------------------------------------------------- */

static bool
tell_stack(struct collapsed *c, stack_number *number)
{
	struct stack_row row = { .count = c->depth, .routine_ids = c->inner };

	if (row.count > STACK_MAX_FRAMES) {
		row.count = STACK_MAX_FRAMES;
		if (!text_file_issue(c->file, ISSUE_STACK_TOO_DEEP,
			    "a stack of %zu frames lost its outermost %zu", c->depth,
			    c->depth - row.count))
			return false;
	}
	for (size_t i = 0; i < row.count; i++)
		c->inner[i] = c->ids[c->depth - 1 - i];
	return c->file->sink->stack(c->file->sink, c->file->set, &row, number, c->file->err);
}

/* Digits may have zeros before them, which a number of JSON has not. */
static bool
parse_count(struct text t, struct decimal *out)
{
	while (t.size > 1 && t.data[0] == '0' && char_is_digit(t.data[1]))
		t = (struct text){ t.data + 1, t.size - 1 };
	return decimal_parse(t, out) == DECIMAL_OK;
}

static bool
tell_sample(struct collapsed *c, struct counted told, struct text before)
{
	struct decimal values[2];
	struct sample_row row = {
		.track = 1, .metric = c->metric, .values = values, .value_count = 1 + c->difference
	};

	if (!parse_count(told.count, &values[0]) ||
		(c->difference && !parse_count(before, &values[1])))
		return text_file_issue(c->file, ISSUE_NUMBER_RANGE,
			"a count of more than %d digits: the line was left out",
			DECIMAL_MAX_DIGITS);
	c->samples++;
	return read_frames(c, told.stack) && tell_stack(c, &row.stack) &&
	       c->file->sink->sample(c->file->sink, c->file->set, &row, c->file->err);
}

static bool
leave_out(struct collapsed *c)
{
	struct line *l = &c->file->line;

	if (l->cut)
		return text_file_issue(c->file, ISSUE_LEFT_OUT,
			"a line of more than %d bytes was left out", (int)LINE_MAX_BYTES);
	if (!text_trim(l->text).size)
		return true;
	if (is_comment(l->text))
		return text_file_issue(c->file, ISSUE_COMMENT, "a comment was passed over");
	return text_file_issue(c->file, ISSUE_LEFT_OUT,
		"no stack with a count behind a blank: the line was left out");
}

static bool
read_line(struct collapsed *c)
{
	struct text_file *f = c->file;
	const char *cr = memchr(f->line.text.data, '\r', f->line.text.size);
	struct counted told, first;

	if (cr) {
		/* As speedscope: what follows a carriage return is not read. */
		if (!text_file_issue(f, ISSUE_LEFT_OUT,
			    "what follows a carriage return inside a line was left out"))
			return false;
		f->line.text.size = (size_t)(cr - f->line.text.data);
	}
	if (f->line.bad_utf8 &&
		!text_file_issue(f, ISSUE_BAD_UTF8, "bytes that are no UTF-8 became U+FFFD"))
		return false;
	if (f->line.cut)
		return leave_out(c);
	if (!split_count(f->line.text, &told)) {
		if (!f->lenient || is_comment(f->line.text) || !split_loosely(f->line.text, &told))
			return leave_out(c);
		if (!text_file_issue(f, ISSUE_ODD_VALUE, "a count that is no plain number"))
			return false;
	}
	if (!c->difference)
		return tell_sample(c, told, TEXT_NULL);
	if (split_count(told.stack, &first)) {
		first.count.size = (size_t)(told.stack.data + told.stack.size - first.count.data);
		told.stack = first.stack;
		return tell_sample(c, told, first.count);
	}
	/* One count alone: the pairs before were names that end in a number. */
	f->source->plan |= plan_bit(c);
	f->again = true;
	return false;
}

/* --- a file -------------------------------------------------------------------------- */

/* Have all lines two counts? What the first ones say holds until one has not. */
static bool
find_difference(struct collapsed *c)
{
	struct looked l;

	if (c->file->source->plan & plan_bit(c))
		return true;
	if (!text_file_open(c->file, LINE_MAX_BYTES))
		return false;
	look_at(c->file->lines, &l);
	c->difference = l.stacks >= DIFFERENCE_MIN_LINES && l.pairs == l.stacks;
	return true;
}

static bool
tell_head(struct collapsed *c)
{
	const struct metric_row metrics[] = {
		{ METRIC_OF_SAMPLES, TEXT_LITERAL("samples"), TEXT_LITERAL("none"),
			TEXT_LITERAL("Samples") },
		{ METRIC_OF_SAMPLES, TEXT_LITERAL("samples_before"), TEXT_LITERAL("none"),
			TEXT_LITERAL("Samples before") },
	};
	struct text_file *f = c->file;
	struct track_row track = { .id = 1,
		.kind = "profile",
		.name = text_from(f->name),
		.process_id = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.started_us = MODEL_NULL };
	metric_number second;

	if (!f->sink->metric(f->sink, f->set, &metrics[0], &c->metric, f->err) ||
		(c->difference && !f->sink->metric(f->sink, f->set, &metrics[1], &second, f->err)))
		return false;
	track.metric = c->metric;
	return f->sink->track(f->sink, f->set, &track, f->err);
}

static bool
read_lines(struct collapsed *c)
{
	bool more;

	if (!find_difference(c) || !tell_head(c) || !text_file_open(c->file, LINE_MAX_BYTES))
		return false;
	for (;;) {
		if (!text_file_next(c->file, &more))
			return false;
		if (!more)
			break;
		if (!read_line(c))
			return false;
	}
	if (c->samples)
		return true;
	error_set(c->file->err, ERROR_INPUT, "%s: no line is a stack with a count", c->file->name);
	return error_hint(c->file->err, "a line is FRAME;FRAME;FRAME COUNT, the outermost first");
}

static bool
read_collapsed_file(struct text_file *f)
{
	struct collapsed c = { .file = f, .seed = process_seed() };
	bool ok;

	pair_map_init(&c.routines);
	strbuf_init(&c.last, LINE_MAX_BYTES + 1);
	strbuf_init(&c.plain, DEMANGLE_MAX_BYTES);
	ok = read_lines(&c);
	pair_map_release(&c.routines);
	strbuf_release(&c.last);
	strbuf_release(&c.plain);
	free(c.ends);
	free(c.ids);
	free(c.inner);
	return ok;
}

static const struct text_kind kind = {
	.noun = "file of collapsed stacks", .look = look, .read = read_collapsed_file
};

static int
probe(const struct format_source *source)
{
	return text_files_probe(source, &kind);
}

/* Lines that end in a number, of which none shows that it is a stack. */
static const char *
nearly(const struct format_source *source)
{
	static const struct text_kind counts = { .look = look_for_counts };

	if (!text_files_probe(source, &counts))
		return NULL;
	return "its lines end in a number, but too few are FRAME;FRAME NUMBER: --format collapsed "
	       "takes them for collapsed stacks";
}

static enum format_result
read_collapsed(struct format_source *source, struct sink *sink, struct error *err)
{
	return text_files_read(source, sink, &kind, err);
}

const struct format format_collapsed = {
	.name = "collapsed",
	.title = "collapsed stacks, of FlameGraph's tools and many profilers",
	.profiler = "collapsed stacks",
	.known_by = "lines FRAME;FRAME;FRAME COUNT",
	.reads = true,
	.several = true,
	.probe = probe,
	.nearly = nearly,
	.read = read_collapsed,
};
