/*
 * Reads callgrind profiles, as written by valgrind, Xdebug and other tools.
 *
 * Format: valgrind's manual, "Callgrind Format Specification". A cost line has positions, absolute
 * or relative, then one number per event; trailing zeros may be missing. The numbers are the
 * routine's own costs on that line or, after "calls=", the costs of its calls. The line after "jump="
 * has only positions. A routine is identified by its object, its name, and the file that is named
 * before its "fn=" line; "fi=" and "fe=" name the files of inlined code. The parts of a process are
 * added up. Each process in the file becomes a result set.
 */
#include "callgrind_private.h"

#include "format/formats.h"

#include <inttypes.h>
#include <stdlib.h>

#define NO_ROUTINE UINT32_MAX

enum {
	LOOK_LINES = 500,
	PROBE_BITS = 8 * 18, /* "# callgrind format" */
};

/* --- the head ------------------------------------------------------------------------ */

static bool
read_positions(struct callgrind *c, struct text words)
{
	struct text word;

	c->position_count = 0;
	c->line_position = SIZE_MAX;
	while ((word = scan_token(&words)).size) {
		if (c->position_count == CALLGRIND_MAX_POSITIONS)
			return reader_refuse(
				c->in, "more than %d positions", (int)CALLGRIND_MAX_POSITIONS);
		if (text_equal(word, TEXT_LITERAL("line")))
			c->line_position = c->position_count;
		c->positions[c->position_count++] = 0;
	}
	if (!c->position_count)
		return reader_refuse(c->in, "\"positions:\" names no position");
	return true;
}

/* Reads the costs of all events. Trailing costs may be missing. */
static bool
read_costs(struct callgrind *c, struct text rest, uint64_t *costs)
{
	struct text word;
	size_t count = 0;

	while ((word = scan_token(&rest)).size) {
		if (count == c->event_count)
			return reader_refuse(
				c->in, "more costs than the %zu events", c->event_count);
		if (!callgrind_number(word, &costs[count++]))
			return reader_refuse(c->in,
				"cost is not a number of up to 64 bits: \"%.*s\"",
				text_precision(word, 40), word.data);
	}
	while (count < c->event_count)
		costs[count++] = 0;
	return true;
}

/* "totals:" overrides "summary:". */
static bool
read_totals(struct callgrind *c, struct text value, bool totals)
{
	if (!c->event_count)
		return true;
	if (!totals && c->has_totals)
		return true;
	c->totals_line = c->in->line;
	c->has_totals = c->has_totals || totals;
	c->has_summary = c->any_totals = true;
	return read_costs(c, value, c->part_stated);
}

static bool
keep_event(struct callgrind *c, struct text value)
{
	/* The definition is parsed later, when all events are known. */
	strbuf_append_text(&c->scratch, value);
	strbuf_append_char(&c->scratch, '\n');
	return true;
}

static bool
is(struct text key, const char *word)
{
	return text_equal(key, text_from(word));
}

static bool
read_head(struct callgrind *c, struct text key, struct text value)
{
	uint64_t version;

	if (is(key, "version") || !c->part_count || (is(key, "part") && c->has_totals))
		if (!callgrind_begin_part(c))
			return false;
	callgrind_note(c, key, value);
	if (is(key, "version"))
		return (callgrind_number(value, &version) && version == 1) ||
		       reader_refuse(c->in, "format version %.*s is not supported, expected 1",
			       text_precision(value, 20), value.data);
	if (is(key, "events"))
		return callgrind_read_events(c, value);
	if (is(key, "event"))
		return keep_event(c, value);
	if (is(key, "positions"))
		return read_positions(c, value);
	if (is(key, "totals"))
		return read_totals(c, value, true);
	if (is(key, "summary"))
		return read_totals(c, value, false);
	if (is(key, "cmd") && !c->command.size)
		c->command = arena_text(&c->arena, value);
	else if (is(key, "creator") && !c->creator.size)
		c->creator = arena_text(&c->arena, value);
	else if (is(key, "pid") && c->pid == MODEL_NULL)
		c->pid = callgrind_integer(value);
	else if (is(key, "thread") && c->thread == MODEL_NULL)
		c->thread = callgrind_integer(value);
	return true;
}

/* --- costs --------------------------------------------------------------------------- */

/* Reads one position. It is absolute (12, 0x1f), or relative to the last position of the same kind
 * (+3, -3, *). */
static bool
read_position(struct callgrind *c, struct text word, int64_t last, int64_t *out)
{
	bool relative = word.size && (*word.data == '+' || *word.data == '-');
	uint64_t v;
	bool ok;

	*out = last;
	if (text_equal(word, TEXT_LITERAL("*")))
		return true;
	/* The sum may wrap around, as 64-bit addresses do. */
	ok = callgrind_number(relative ? text_from_at(word, 1) : word, &v);
	if (ok && relative)
		v = *word.data == '+' ? (uint64_t)last + v : (uint64_t)last - v;
	*out = (int64_t)v;
	return ok || reader_refuse(c->in, "invalid position: \"%.*s\"", text_precision(word, 40),
			     word.data);
}

/* Reads the positions at the start of *rest; *line is 0 if the positions include no line. */
static bool
read_place(struct callgrind *c, struct text *rest, bool keep, int64_t *line)
{
	*line = 0;
	for (size_t i = 0; i < c->position_count; i++) {
		struct text word = scan_token(rest);
		int64_t at = c->positions[i];

		/* Some tools write no positions for the target of a call. */
		if (!word.size && !keep)
			break;
		if (!read_position(c, word, at, &at))
			return false;
		if (keep)
			c->positions[i] = at;
		if (i == c->line_position)
			*line = at;
	}
	if (*line >= 0)
		return true;
	return reader_refuse(c->in, "line number below 0");
}

static bool
called_routine(struct callgrind *c, uint32_t *out)
{
	callgrind_text object = c->has_called_object ? c->called_object : c->object;
	callgrind_text file = c->has_called_file ? c->called_file : c->here_file;

	/* Without a "cfn=" line, "calls=" means the routine that was called last. */
	if (c->has_called && !callgrind_routine(c, object, file, c->called_name, &c->last_called))
		return false;
	c->has_called_object = c->has_called_file = c->has_called = false;
	*out = c->last_called;
	return true;
}

static bool
jump_routine(struct callgrind *c, uint32_t *out)
{
	const struct callgrind_routine *here = &c->routines[c->routine];
	callgrind_text name = c->jump_name;

	*out = c->routine;
	if (!name || name == here->name)
		return true;
	return callgrind_routine(
		c, here->object, c->jump_file ? c->jump_file : c->here_file, name, out);
}

static bool
read_cost_line(struct callgrind *c, struct text line)
{
	struct callgrind_row row = { .kind = c->pending, .routine = c->routine };
	uint64_t costs[CALLGRIND_MAX_METRICS];

	if (!c->event_count)
		return reader_refuse(c->in, "costs before any \"events:\"");
	if (c->routine == NO_ROUTINE)
		return reader_refuse(c->in, "costs before any \"fn=\"");
	if (!read_place(c, &line, true, &row.line) || !read_costs(c, line, costs))
		return false;
	row.file = c->here_file;
	row.count = c->pending_count;
	row.followed = c->pending_followed;
	row.target_line = row.kind == KIND_SELF ? 0 : c->pending_line;
	c->pending = KIND_SELF;
	c->pending_count = c->pending_followed = 0;
	if (row.kind == KIND_CALL && !called_routine(c, &row.target))
		return false;
	if (row.kind > KIND_CALL && !jump_routine(c, &row.target))
		return false;
	if (row.kind > KIND_CALL)
		c->jump_file = c->jump_name = 0;
	return callgrind_add(c, &row, costs);
}

/* --- lines before costs ------------------------------------------------------------------ */

/* "COUNT TARGET" */
static bool
read_calls(struct callgrind *c, struct text value)
{
	struct text word = scan_token(&value);

	if (!c->has_called && c->last_called == NO_ROUTINE)
		return reader_refuse(c->in, "\"calls=\" before any \"cfn=\"");
	if (!callgrind_number(word, &c->pending_count))
		return reader_refuse(
			c->in, "invalid call count: \"%.*s\"", text_precision(word, 40), word.data);
	c->pending = KIND_CALL;
	return read_place(c, &value, false, &c->pending_line);
}

/* Reads "COUNT TARGET" or, if conditional, "FOLLOWED/COUNT TARGET". */
static bool
read_jump(struct callgrind *c, struct text value, bool conditional)
{
	struct text word = scan_token(&value);
	size_t slash = text_find(word, "/");
	struct text count = slash == TEXT_NOT_FOUND ? word : text_from_at(word, slash + 1);

	c->pending_followed = 0;
	if ((slash != TEXT_NOT_FOUND &&
		    !callgrind_number(text_up_to(word, slash), &c->pending_followed)) ||
		!callgrind_number(count, &c->pending_count))
		return reader_refuse(
			c->in, "invalid jump count: \"%.*s\"", text_precision(word, 40), word.data);
	c->pending = conditional ? KIND_CONDITIONAL : KIND_JUMP;
	return read_place(c, &value, false, &c->pending_line);
}

static bool
read_function(struct callgrind *c, struct text value)
{
	callgrind_text name;

	c->here_file = c->function_file;
	return callgrind_name(c, SPACE_FUNCTION, value, &name) &&
	       callgrind_routine(c, c->object, c->function_file, name, &c->routine);
}

/* Reads the object, file or name of a called routine. If the value is empty, *has becomes false. For example, an
 * empty "cfl=" means the caller's file. */
static bool
read_called(struct callgrind *c, enum callgrind_space space, struct text value, callgrind_text *out,
	bool *has)
{
	*has = value.size > 0;
	return callgrind_name(c, space, value, out);
}

static bool
read_spec(struct callgrind *c, struct text key, struct text value)
{
	if (is(key, "fn"))
		return read_function(c, value);
	if (is(key, "fl")) {
		if (!callgrind_name(c, SPACE_FILE, value, &c->function_file))
			return false;
		c->here_file = c->function_file;
		return true;
	}
	if (is(key, "fi") || is(key, "fe"))
		return callgrind_name(c, SPACE_FILE, value, &c->here_file);
	if (is(key, "ob"))
		return callgrind_name(c, SPACE_OBJECT, value, &c->object);
	if (is(key, "cob"))
		return read_called(
			c, SPACE_OBJECT, value, &c->called_object, &c->has_called_object);
	if (is(key, "cfi") || is(key, "cfl"))
		return read_called(c, SPACE_FILE, value, &c->called_file, &c->has_called_file);
	if (is(key, "cfn"))
		return read_called(c, SPACE_FUNCTION, value, &c->called_name, &c->has_called);
	if (is(key, "calls"))
		return read_calls(c, value);
	if (is(key, "jump") || is(key, "jcnd"))
		return read_jump(c, value, *key.data == 'j' && key.data[1] == 'c');
	if (is(key, "jfi"))
		return callgrind_name(c, SPACE_FILE, value, &c->jump_file);
	if (is(key, "jfn"))
		return callgrind_name(c, SPACE_FUNCTION, value, &c->jump_name);
	return reader_tolerate(c->in, ISSUE_LEFT_OUT, "line left out: unknown key \"%.*s=\"",
		text_precision(key, 40), key.data);
}

/* --- lines --------------------------------------------------------------------------- */

/* Returns the length of the key in "key=value" or "key: value". A key consists of letters. */
static size_t
count_letters(struct text line)
{
	size_t n = 0;

	while (n < line.size && char_is_letter(line.data[n]))
		n++;
	return n;
}

static bool
read_line(struct callgrind *c)
{
	struct text line = text_trim(c->in->line.text);
	struct text key = text_up_to(line, count_letters(line));
	struct text rest = text_trim(text_from_at(line, key.size));

	if (!reader_check_utf8(c->in))
		return false;
	if (!line.size || *line.data == '#')
		return true;
	if (char_is_digit(*line.data) || strchr("+-*", *line.data))
		return read_cost_line(c, line);
	if (key.size && rest.size && *rest.data == '=')
		return read_spec(c, key, text_trim(text_from_at(rest, 1)));
	if (key.size && rest.size && *rest.data == ':')
		return read_head(c, key, text_trim(text_from_at(rest, 1)));
	return reader_tolerate(c->in, ISSUE_LEFT_OUT, "line left out: not of the format: \"%.*s\"",
		text_precision(line, 80), line.data);
}

/* Reads titles and formulas from c->scratch, one per line. */
static bool
read_definitions(struct callgrind *c)
{
	struct text rest = arena_text(&c->arena, strbuf_text(&c->scratch));

	while (rest.size) {
		struct text line = text_up_to(rest, text_find(rest, "\n"));

		if (!callgrind_read_event(c, line))
			return false;
		rest = text_from_at(rest, line.size + 1);
	}
	return true;
}

/* Reads one document. Sets *last to true if no document follows. */
static bool
read_lines(struct callgrind *c, struct callgrind_documents *d, bool *last)
{
	enum callgrind_next next;

	while ((next = callgrind_next_line(d)) == CALLGRIND_LINE)
		if (!read_line(c))
			return false;
	*last = next == CALLGRIND_END;
	if (next == CALLGRIND_FAILED)
		return false;
	if (!c->event_count)
		return error_set(c->in->err, ERROR_INPUT, "%s: no \"events:\" line", c->in->name);
	if (c->pending != KIND_SELF && !reader_issue(c->in, ISSUE_LEFT_OUT,
					       "call left out: the file ends before its costs"))
		return false;
	if (!callgrind_end_part(c) || !read_definitions(c))
		return false;
	c->in->line = (struct line){ .text = TEXT_NULL };
	return (c->any_totals || callgrind_explain(c)) && callgrind_emit(c);
}

/* --- a member -------------------------------------------------------------------------- */

static bool
read_document(struct reader *f, struct callgrind_documents *d, bool *last)
{
	struct callgrind c = { .in = f,
		.arena = ARENA_INIT,
		.routine = NO_ROUTINE,
		.last_called = NO_ROUTINE,
		.position_count = 1,
		.pid = MODEL_NULL,
		.thread = MODEL_NULL,
		.dictionary = frame_dictionary_new(f->sink, f->set) };
	struct pair_map *maps[] = { &c.texts.map, &c.text_by_id, &c.routine_by_names,
		&c.row_by_key };
	struct strbuf *buffers[] = { &c.parts, &c.scratch };
	bool ok;

	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
		strbuf_init(buffers[i], CALLGRIND_MAX_ATTRIBUTES);
	strbuf_append_char(&c.parts, '[');
	c.events = arena_alloc_array(&c.arena, CALLGRIND_MAX_METRICS, sizeof(*c.events));
	ok = read_lines(&c, d, last);
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		pair_map_release(maps[i]);
	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
		strbuf_release(buffers[i]);
	frame_dictionary_free(c.dictionary);
	free(c.texts.items);
	free(c.routines);
	free(c.rows);
	free(c.cells);
	arena_release(&c.arena);
	return ok;
}

/* Skips a document whose result set the depot already has. */
static bool
skip_document(struct callgrind_documents *d, bool *last)
{
	enum callgrind_next next;

	while ((next = callgrind_next_line(d)) == CALLGRIND_LINE)
		;
	*last = next == CALLGRIND_END;
	return next != CALLGRIND_FAILED;
}

static bool
begin_document(struct reader *f, int64_t pid)
{
	struct arena a = ARENA_INIT;
	bool ok = reader_set(
		f, arena_printf(&a, "%s, process %" PRId64, f->name, pid == MODEL_NULL ? 0 : pid));

	arena_release(&a);
	return ok;
}

static bool
read_member(struct reader *f)
{
	struct callgrind_documents d = { .in = f, .pid = MODEL_NULL };
	bool last = false;
	bool ok = reader_open_lines(f, CALLGRIND_LINE_MAX_BYTES);

	strbuf_init(&d.held, 4UL * CALLGRIND_LINE_MAX_BYTES);
	for (bool first = true; ok && !last; first = false)
		ok = (first || begin_document(f, d.pid)) &&
		     (f->wanted ? read_document(f, &d, &last) : skip_document(&d, &last));
	strbuf_release(&d.held);
	return ok;
}

/* --- detection ----------------------------------------------------------------------- */

static bool
is_callgrind(struct line_reader *head)
{
	struct error ignored = ERROR_INIT;
	bool events = false;
	bool functions = false;
	struct line line;
	bool more;

	for (int n = 0; n < LOOK_LINES && line_next(head, &line, &more, &ignored) && more; n++) {
		if (n == 0 && text_begins(line.text, "# callgrind format"))
			return true;
		events = events || text_begins(line.text, "events:");
		functions = functions || text_begins(line.text, "fn=") ||
			    text_begins(line.text, "fl=") || text_begins(line.text, "ob=");
		if (events && functions)
			return true;
	}
	return false;
}

static int
look(const struct format_source *source, size_t member)
{
	struct line_reader *head;
	bool ours;

	if (text_begins(text_from(bundle_member(source->bundle, member)->name), "callgrind."))
		return PROBE_BITS;
	head = member_head_lines(source, member);
	ours = is_callgrind(head);
	line_reader_free(head);
	return ours ? PROBE_BITS : 0;
}

static const struct member_kind kind = { .noun = "callgrind profile",
	.look = look,
	.read = read_member,
	.captioned = true,
	.further = true };

const struct format format_callgrind = {
	.name = "callgrind",
	.title = "callgrind, cachegrind and Xdebug profiles",
	.profiler = "callgrind",
	.known_by = "a first line \"# callgrind format\", or lines \"events:\" and \"fn=\"",
	.covers = { [COVERAGE_SAMPLES] = COVERAGE_FULL },
	.reads = true,
	.several = true,
	.members = &kind,
};
