/*
 * Reads a recording's lines except allocations and releases; heaptrack_private.h has the grammar.
 * The lines of some kinds, such as strings, are numbered, and later lines refer to these numbers.
 * If such a line is damaged, the load fails. Other damaged lines are skipped.
 */
#include "heaptrack_private.h"

#include <inttypes.h>

enum {
	NEWEST_FORMAT = 3,
	SIZED_STRINGS_FORMAT = 3,
	/* Before 1.0, heaptrack's version was also the format version. */
	VERSION_OF_FORMAT_1 = 0x010200,
	MAX_LINE_NUMBER = INT32_MAX,
};

/* Reads a string. Since format 3, the length in bytes precedes the string. */
static bool
read_string(struct heaptrack *h, struct text rest)
{
	uint64_t size;
	uint32_t number;

	if (h->format_version >= SIZED_STRINGS_FORMAT) {
		if (!heaptrack_take(&rest, &size))
			return reader_refuse(h->in, "a string has no length");
		if (size > rest.size)
			return reader_refuse(h->in,
				"a string has %" PRIu64 " bytes, but its line has only %zu more",
				size, rest.size);
		rest.size = (size_t)size;
	}
	return heaptrack_add_string(h, rest, &number);
}

static struct text
string_at(const struct heaptrack *h, uint32_t number)
{
	return number ? h->strings[number - 1].text : TEXT_NULL;
}

static bool
take_string_number(struct heaptrack *h, struct text *rest, uint32_t *number)
{
	uint64_t value;

	if (!heaptrack_take(rest, &value))
		return reader_refuse(h->in, "expected the number of a string");
	if (value > h->string_count)
		return reader_refuse(h->in, "string %" PRIu64 " of %zu", value, h->string_count);
	*number = (uint32_t)value;
	return true;
}

/* FUNCTION [FILE [LINE]] */
static bool
read_frame(struct heaptrack *h, struct text *rest, struct frame *frame)
{
	uint64_t line = 0;
	uint32_t function = 0;
	uint32_t file = 0;

	if (!take_string_number(h, rest, &function))
		return false;
	if (rest->size && !take_string_number(h, rest, &file))
		return false;
	if (rest->size && (!heaptrack_take(rest, &line) || line > MAX_LINE_NUMBER))
		return reader_refuse(h->in, "expected the number of a source line");
	frame->function = string_at(h, function);
	frame->file = string_at(h, file);
	frame->line = (int64_t)line;
	return heaptrack_add_frame(h, frame, function);
}

static bool
read_ip(struct heaptrack *h, struct text rest)
{
	struct frame frame = { .line = 0 };
	uint32_t module = 0;

	if (!heaptrack_take(&rest, &frame.address))
		return reader_refuse(h->in, "an instruction has no address");
	if ((rest.size && !take_string_number(h, &rest, &module)) || !heaptrack_add_ip(h, module))
		return false;
	frame.module = string_at(h, module);
	if (!rest.size)
		return heaptrack_add_frame(h, &frame, 0);
	while (rest.size)
		if (!read_frame(h, &rest, &frame))
			return false;
	return true;
}

static bool
read_trace(struct heaptrack *h, struct text rest)
{
	uint64_t ip;
	uint64_t parent;

	if (!heaptrack_take(&rest, &ip) || !heaptrack_take(&rest, &parent))
		return reader_refuse(h->in, "a call needs two numbers");
	return h->raw ? heaptrack_raw_trace(h, ip, parent) : heaptrack_add_trace(h, ip, parent);
}

static bool
read_info(struct heaptrack *h, struct text rest)
{
	uint64_t size;
	uint64_t trace;

	if (!heaptrack_take(&rest, &size) || !heaptrack_take(&rest, &trace))
		return reader_refuse(
			h->in, "a line that defines an allocation kind needs two numbers");
	return heaptrack_add_info(h, size, trace);
}

static bool
read_version(struct heaptrack *h, struct text rest)
{
	if (h->versioned)
		return reader_refuse(h->in, "another recording begins here");
	h->versioned = true;
	if (!heaptrack_take(&rest, &h->tool_version))
		return reader_refuse(h->in, "no version");
	if (!heaptrack_take(&rest, &h->format_version) && h->tool_version == VERSION_OF_FORMAT_1)
		h->format_version = 1;
	if (h->format_version < 1 || h->format_version > NEWEST_FORMAT) {
		reader_refuse(h->in,
			"format version %" PRIu64
			" is not supported; supported versions are 1 to %d",
			h->format_version, NEWEST_FORMAT);
		return error_hint(h->in->err,
			"use the heaptrack_print of the release that wrote the recording");
	}
	return true;
}

static bool
read_command(struct heaptrack *h, struct text rest)
{
	bool bad = false;

	if (h->has_command)
		return reader_refuse(h->in, "a second command: another recording begins here");
	h->has_command = true;
	h->command = arena_text(&h->arena, heap_clean_text(&h->text, rest, &bad));
	return true;
}

static bool
read_suppression(struct heaptrack *h, struct text rest)
{
	bool bad = false;
	struct text pattern = text_trim(heap_clean_text(&h->text, rest, &bad));
	struct suppression_row row = { .id = h->suppressions + 1,
		.syntax = TEXT_LITERAL("lsan"),
		.kind = TEXT_LITERAL("leak"),
		.pattern = pattern,
		.count = MODEL_NULL,
		.bytes = MODEL_NULL,
		.blocks = MODEL_NULL };

	if (!pattern.size || pattern.data[0] == '#')
		return true;
	if (pattern.size <= 5 || !text_begins(pattern, "leak:"))
		return reader_issue(h->in, ISSUE_ODD_VALUE,
			"suppression left out: it does not begin with \"leak:\"");
	row.name = text_from_at(pattern, 5);
	h->suppressions++;
	return emit_suppression(h->in, &row);
}

static bool
read_system(struct heaptrack *h, struct text rest)
{
	uint64_t page;
	uint64_t pages;

	if (!heaptrack_take(&rest, &page) || !heaptrack_take(&rest, &pages) || page > INT32_MAX ||
		pages > INT64_MAX)
		return reader_issue(
			h->in, ISSUE_ODD_VALUE, "line left out: no page size and number of pages");
	h->page_size = page;
	h->pages = pages;
	return true;
}

static bool
read_time(struct heaptrack *h, struct text rest)
{
	uint64_t ms;

	if (!heaptrack_take(&rest, &ms) || ms > INT64_MAX)
		return reader_issue(h->in, ISSUE_BAD_NUMBER, "time left out: not a number");
	if (ms < h->now_ms)
		return reader_issue(h->in, ISSUE_TIME_BACKWARD,
			"time left out: it decreases from %" PRIu64 " to %" PRIu64 " ms", h->now_ms,
			ms);
	h->now_ms = ms;
	return heaptrack_emit_time(h);
}

static bool
read_rss(struct heaptrack *h, struct text rest)
{
	uint64_t pages;

	if (!heaptrack_take(&rest, &pages) || pages > INT32_MAX)
		return reader_issue(h->in, ISSUE_BAD_NUMBER, "resident set left out: not a number");
	if (pages > h->peak_rss_pages)
		h->peak_rss_pages = pages;
	return heaptrack_emit_rss(h, pages);
}

/* Reads a "+" or "-" line. In a raw recording, this function reads all such lines; in an interpreted
 * recording, it gets only damaged ones. */
static bool
read_odd_event(struct heaptrack *h, struct text rest)
{
	const char *what = h->in->line.text.data[0] == '+' ? "allocation" : "release";
	uint64_t number;

	if (h->raw)
		return heaptrack_raw_event(h, rest);
	if (!heaptrack_take(&rest, &number))
		return reader_issue(h->in, ISSUE_BAD_NUMBER, "%s left out: no number", what);
	return reader_issue(h->in, ISSUE_LEFT_OUT, "%s left out: kind %" PRIu64 " of %zu", what,
		number, h->info_count);
}

static bool
read_attached(struct heaptrack *h, struct text rest)
{
	(void)rest;
	h->attached = true;
	return true;
}

bool
heaptrack_line(struct heaptrack *h)
{
	static bool (*const readers[128])(struct heaptrack * h, struct text rest) = {
		['s'] = read_string,
		['t'] = read_trace,
		['i'] = read_ip,
		['a'] = read_info,
		['+'] = read_odd_event,
		['-'] = read_odd_event,
		['c'] = read_time,
		['R'] = read_rss,
		['X'] = read_command,
		['A'] = read_attached,
		['v'] = read_version,
		['I'] = read_system,
		['S'] = read_suppression,
		['x'] = heaptrack_raw_executable,
		['m'] = heaptrack_raw_module,
	};
	struct text line = h->in->line.text;
	unsigned char letter = line.size ? (unsigned char)line.data[0] : '\0';

	/* A recording ends with comments that state how many strings and instructions it has. */
	if (letter == '#')
		h->ended |= text_begins(line, "# strings: ");
	if (!line.size || letter == '#')
		return true;
	if ((line.size > 1 && line.data[1] != ' ') ||
		(h->versioned && (letter >= 128 || !readers[letter])))
		return reader_issue(
			h->in, ISSUE_LEFT_OUT, "line left out: not written by heaptrack");
	if (!h->versioned && letter != 'v')
		return reader_refuse(h->in, "no version: a recording begins with \"v\"");
	return readers[letter](h, text_from_at(line, 2));
}
