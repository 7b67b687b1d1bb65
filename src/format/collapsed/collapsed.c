/*
 * Collapsed stacks, as stackcollapse-*.pl, py-spy, async-profiler, inferno, bpftrace and heaptrack
 * write them.
 *
 * Format: frame1;frame2 count, one stack per line, outermost frame first; '#' starts a comment.
 * Other lines are skipped with an issue; speedscope skips the same lines. difffolded.pl compares
 * two profiles. Each line of its output has two counts, the old one and the new one. A file with two
 * counts on every line is read as such a comparison.
 */
#include "base/array.h"
#include "format/common/frame_dictionary.h"
#include "format/common/heap_facts.h"
#include "format/formats.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	PLAN_BITS = 32, /* one bit per file; it is set if a line turns out to have only one count */
	LINE_MAX_BYTES = 4 * 1024 * 1024,
	LOOK_LINES = 1000,
	DIFFERENCE_MIN_LINES = 2, /* in a shorter file the first number may be part of a name */
	PROBE_BITS = 4,           /* few bits, so that any other text format takes precedence */
};

struct counted {
	struct text stack;
	struct text count;
};

struct collapsed_frame {
	size_t end; /* offset of the frame's end in the line */
	uint32_t routine;
};

struct collapsed {
	struct reader *in;
	metric_number metric;
	bool difference;
	uint64_t samples;

	struct frame_dictionary *dictionary;
	/* The previous line: its stack, and its frames, outermost first. */
	struct strbuf last;
	struct collapsed_frame *frames;
	size_t depth, room;
};

static unsigned
plan_bit(const struct collapsed *c)
{
	return 1U << c->in->member % PLAN_BITS;
}

/* --- lines --------------------------------------------------------------------------- */

/* Splits "STACK COUNT". As in speedscope, COUNT must consist of digits. */
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

/* Like split_count, for --lenient. Also accepts counts such as 1.5, +7, -3 and 1e3, a tab before the
 * count, and blanks after the count. */
static bool
split_loosely(struct text line, struct counted *out)
{
	struct decimal ignored;
	struct text whole = text_trim(line);
	size_t at = whole.size;

	while (at && !char_is_blank(whole.data[at - 1]))
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
is_named(const char *name)
{
	static const char *const ends[] = { ".collapsedstack.txt", ".collapsed", ".collapsed.txt",
		".folded", ".folded.txt" };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (text_ends(text_from(name), ends[i]))
			return true;
	return false;
}

struct looked {
	size_t lines, stacks, nested, pairs, comments;
	size_t doubtful; /* stacks of one frame that look like prose */
};

/* Returns whether the text is a stack of several frames. In prose, unlike in a stack, a blank follows
 * each semicolon. */
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

/* Returns whether the name is probably not a frame: it has several words, has no letter, or ends with a colon, a comma
 * or an equals sign. Names of frames have blanks only within brackets, as in "run(unsigned int)" or "[vdso page]". */
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
		letter |= char_is_letter(c) || (unsigned char)c >= 0x80;
	}
	return !letter || is_one_of(name.data[name.size - 1], ":,=");
}

static struct looked
look_at(struct line_reader *head)
{
	struct error ignored = ERROR_INIT;
	struct looked l = { 0 };
	struct counted c, before;
	struct line line;
	bool more;

	while (l.lines < LOOK_LINES && line_next(head, &line, &more, &ignored) && more) {
		line.text = text_up_to(line.text, text_find(line.text, "\r"));
		if (split_count(line.text, &c)) {
			bool nested = is_nested(c.stack);
			bool pair = split_count(c.stack, &before);

			l.stacks++;
			l.nested += nested;
			l.doubtful += !nested && is_doubtful(pair ? before.stack : c.stack);
			l.pairs += pair;
		} else if (is_comment(line.text)) {
			l.comments += text_trim(line.text).size != 0;
			continue;
		}
		l.lines++;
	}
	return l;
}

/* Reads beyond the file's head, because the line of a deep stack can be longer than the head. */
static struct looked
look_at_long_lines(const struct format_source *source, size_t member)
{
	const struct line_options options = { .source = bundle_member(source->bundle, member)->name,
		.max_line_bytes = LINE_MAX_BYTES };
	char *data = xmalloc(LINE_MAX_BYTES);
	size_t size = bundle_read_head(source->bundle, member, data, LINE_MAX_BYTES);
	const bool whole = size < LINE_MAX_BYTES;
	struct looked l;
	struct line_reader *lines;

	/* The last line may be incomplete. */
	while (!whole && size && data[size - 1] != '\n')
		size--;
	lines = line_reader_new_memory(data, size, 0, &options);
	l = look_at(lines);
	line_reader_free(lines);
	free(data);
	return l;
}

static struct looked
look_at_head(const struct format_source *source, size_t member)
{
	const struct text head = bundle_head(source->bundle, member);
	struct line_reader *lines;
	struct looked l;

	if (head.size == BUNDLE_HEAD_BYTES && text_find(head, "\n") == TEXT_NOT_FOUND &&
		is_nested(head))
		return look_at_long_lines(source, member);
	lines = member_head_lines(source, member);
	l = look_at(lines);
	line_reader_free(lines);
	return l;
}

/* Returns whether a file with these lines contains collapsed stacks. At least half of the lines must
 * have a count, and most of these lines must look like stacks. If no line has a semicolon, the file may
 * be a mere list of names with numbers, so every line must look like a stack. */
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
look(const struct format_source *source, size_t member)
{
	struct looked l;

	if (is_named(bundle_member(source->bundle, member)->name))
		return PROBE_BITS;
	l = look_at_head(source, member);
	return is_convincing(&l) ? PROBE_BITS : 0;
}

static int
look_for_counts(const struct format_source *source, size_t member)
{
	struct looked l = look_at_head(source, member);

	return l.stacks && 2 * l.stacks >= l.lines ? PROBE_BITS : 0;
}

/* --- frames -------------------------------------------------------------------------- */

/* Returns the kind of code, which a suffix such as "_[k]" denotes. */
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

/* Finds the number of the routine. Its name is the whole frame, which may be empty. */
static bool
intern(struct collapsed *c, struct text name, uint32_t *number)
{
	struct routine_row row;
	bool added;

	if (!routine_number(c->dictionary, &name, 1, number, &added, c->in->err))
		return false;
	if (!added)
		return true;
	row = blank_routine(*number);
	row.routine_name = name;
	row.code_type = code_of(name);
	return emit_routine(c->in, &row);
}

/* Returns how many outer frames the stack shares with the previous line. In a sorted file, most
 * frames are shared. Stores in *at the offset of the first frame that is not shared. */
static size_t
keep_shared(struct collapsed *c, struct text stack, size_t *at)
{
	struct text last = strbuf_text(&c->last);
	size_t most = last.size < stack.size ? last.size : stack.size;
	size_t same = 0;
	size_t depth = 0;

	while (same < most && last.data[same] == stack.data[same])
		same++;
	*at = 0;
	while (depth < c->depth && c->frames[depth].end < same)
		*at = c->frames[depth++].end + 1;
	return depth;
}

static bool
read_frames(struct collapsed *c, struct text stack)
{
	size_t at;

	c->depth = keep_shared(c, stack, &at);
	for (;;) {
		const char *end = memchr(stack.data + at, ';', stack.size - at);
		struct collapsed_frame f = { .end = end ? (size_t)(end - stack.data) : stack.size };

		if (!intern(c, (struct text){ stack.data + at, f.end - at }, &f.routine))
			return false;
		*ARRAY_ADD(c->frames, c->depth, c->room) = f;
		at = f.end + 1;
		if (!end)
			break;
	}
	strbuf_reset(&c->last);
	strbuf_append_text(&c->last, stack);
	return true;
}

/* --- samples ------------------------------------------------------------------------- */

static bool
add_stack(struct collapsed *c, stack_number *number)
{
	int64_t *routines = stack_begin_routines(c->dictionary, c->depth);

	for (size_t i = 0; i < c->depth && i < STACK_MAX_FRAMES; i++)
		routines[i] = c->frames[c->depth - 1 - i].routine;
	return stack_end_reported(c->dictionary, c->in, number);
}

/* Parses a count, which may have leading zeros, unlike a number in JSON. */
static bool
parse_count(struct text t, struct decimal *out)
{
	while (t.size > 1 && t.data[0] == '0' && char_is_digit(t.data[1]))
		t = text_from_at(t, 1);
	return decimal_parse(t, out) == DECIMAL_OK;
}

static bool
add_sample(struct collapsed *c, struct counted line, struct text before)
{
	struct decimal values[2];
	struct sample_row row = {
		.track = 1, .metric = c->metric, .values = values, .value_count = 1 + c->difference
	};

	if (!parse_count(line.count, &values[0]) ||
		(c->difference && !parse_count(before, &values[1])))
		return reader_issue(c->in, ISSUE_NUMBER_RANGE,
			"line left out: count of more than %d digits", DECIMAL_MAX_DIGITS);
	c->samples++;
	return read_frames(c, line.stack) && add_stack(c, &row.stack) && emit_sample(c->in, &row);
}

static bool
leave_out(struct collapsed *c)
{
	struct line *l = &c->in->line;

	if (l->cut)
		return reader_issue(c->in, ISSUE_LEFT_OUT, "line left out: more than %d bytes",
			(int)LINE_MAX_BYTES);
	if (!text_trim(l->text).size)
		return true;
	if (is_comment(l->text))
		return reader_issue(c->in, ISSUE_COMMENT, "comment left out");
	return reader_issue(
		c->in, ISSUE_LEFT_OUT, "line left out: it does not end in a blank and a count");
}

static bool
read_line(struct collapsed *c)
{
	struct reader *in = c->in;
	size_t cr = text_find(in->line.text, "\r");
	struct counted line, first;

	if (cr != TEXT_NOT_FOUND) {
		/* speedscope also ignores this text. */
		if (!reader_issue(
			    in, ISSUE_LEFT_OUT, "text left out: it follows a carriage return"))
			return false;
		in->line.text.size = cr;
	}
	if (!reader_check_utf8(in))
		return false;
	if (in->line.cut)
		return leave_out(c);
	if (!split_count(in->line.text, &line)) {
		if (!in->lenient || is_comment(in->line.text) ||
			!split_loosely(in->line.text, &line))
			return leave_out(c);
		if (!reader_issue(in, ISSUE_ODD_VALUE, "count is not a plain number"))
			return false;
	}
	if (!c->difference)
		return add_sample(c, line, TEXT_NULL);
	if (split_count(line.stack, &first)) {
		first.count.size = (size_t)(line.stack.data + line.stack.size - first.count.data);
		line.stack = first.stack;
		return add_sample(c, line, first.count);
	}
	/* This line has only one count, so the first of the two numbers in the earlier lines was part of a name. Read
	 * the file again. */
	in->source->plan |= plan_bit(c);
	in->again = true;
	return false;
}

/* --- a file -------------------------------------------------------------------------- */

/* Returns whether all lines seem to have two counts, judging by the first lines. If a later line has only one count,
 * the file is read again. */
static bool
find_difference(struct collapsed *c)
{
	struct looked l;

	if (c->in->source->plan & plan_bit(c))
		return true;
	if (!reader_open_lines(c->in, LINE_MAX_BYTES))
		return false;
	l = look_at(c->in->lines);
	c->difference = l.stacks >= DIFFERENCE_MIN_LINES && l.pairs == l.stacks;
	return true;
}

static bool
add_head(struct collapsed *c)
{
	static const struct heap_metric metrics[] = {
		{ "samples", "none", "Samples" },
		{ "samples_before", "none", "Samples before" },
	};
	struct track_row track = { .id = 1,
		.kind = "profile",
		.name = text_from(c->in->name),
		.process_id = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.started_us = MODEL_NULL };

	if (!heap_emit_metrics(c->in, metrics, c->difference ? 2 : 1, &c->metric))
		return false;
	track.metric = c->metric;
	return emit_track(c->in, &track);
}

static bool
read_lines(struct collapsed *c)
{
	bool ok = find_difference(c) && add_head(c) && reader_open_lines(c->in, LINE_MAX_BYTES);

	while (reader_line(c->in, &ok))
		ok = read_line(c);
	if (!ok || c->samples)
		return ok;
	error_set(c->in->err, ERROR_INPUT, "%s: no line is a stack with a count", c->in->name);
	return error_hint(c->in->err, "a line is FRAME;FRAME;FRAME COUNT, outermost frame first");
}

static bool
read_member(struct reader *r)
{
	struct collapsed c = { .in = r, .dictionary = frame_dictionary_new(r->sink, r->set) };
	bool ok;

	strbuf_init(&c.last, LINE_MAX_BYTES + 1);
	ok = read_lines(&c);
	frame_dictionary_free(c.dictionary);
	strbuf_release(&c.last);
	free(c.frames);
	return ok;
}

static const struct member_kind kind = {
	.noun = "collapsed stacks", .look = look, .read = read_member, .captioned = true
};

/* The hint for a file whose lines end in a number but do not look like stacks. */
static const char *
nearly(const struct format_source *source)
{
	static const struct member_kind counts = { .look = look_for_counts };

	if (!members_probe(source, &counts))
		return NULL;
	return "its lines end in a number, but too few look like FRAME;FRAME NUMBER; --format "
	       "collapsed reads them as collapsed stacks";
}

const struct format format_collapsed = {
	.name = "collapsed",
	.title = "collapsed stacks from FlameGraph's tools and many profilers",
	.profiler = "collapsed stacks",
	.known_by = "lines FRAME;FRAME;FRAME COUNT",
	.covers = { [COVERAGE_SAMPLES] = COVERAGE_UNKNOWN, [COVERAGE_HEAP] = COVERAGE_UNKNOWN },
	.reads = true,
	.several = true,
	.nearly = nearly,
	.members = &kind,
};
