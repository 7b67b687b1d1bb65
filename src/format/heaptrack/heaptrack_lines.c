/*
 * Lines that build the dictionaries, and those of the head. One that is damaged and would
 * shift the numbers of all that follow is refused; another is left out.
 */
#include "heaptrack_private.h"
#include "heaptrack_raw.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

enum {
	MESSAGE_MAX = 512,
	SHOWN_BYTES = 60,
	NEWEST_FORMAT = 3,
	SIZED_STRINGS_FORMAT = 3,
	/* What heaptrack called itself before 1.0, when that was the format's version. */
	VERSION_OF_FORMAT_1 = 0x010200,
	MAX_NUMBER_DIGITS = 16,
	MAX_LINE_NUMBER = INT32_MAX,
};

bool
heaptrack_refuse(struct heaptrack *h, const char *format, ...)
{
	char message[MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return error_set(
		h->err, ERROR_INPUT, "%s: line %" PRIu64 ": %s", h->name, h->line, message);
}

bool
heaptrack_issue(struct heaptrack *h, enum issue_code code, struct text raw, const char *format, ...)
{
	char message[MESSAGE_MAX];
	const struct issue issue = { .code = code,
		.source = h->name,
		.line = h->line,
		.offset = h->offset,
		.message = message,
		.raw = raw };
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return h->sink->issue(h->sink, h->set, &issue, h->err);
}

bool
heaptrack_take(struct text *rest, uint64_t *value)
{
	uint64_t v = 0;
	size_t i = 0;

	for (; i < rest->size && rest->data[i] != ' '; i++) {
		char c = rest->data[i];

		if (c >= '0' && c <= '9')
			v = v << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			v = v << 4 | (uint64_t)(c - 'a' + 10);
		else
			return false;
	}
	if (i == 0 || i > MAX_NUMBER_DIGITS)
		return false;
	*value = v;
	i += i < rest->size;
	rest->data += i;
	rest->size -= i;
	return true;
}

/* --- dictionaries -------------------------------------------------------------------------- */

static void *
room_for(void *items, size_t count, size_t *room, size_t item_bytes)
{
	if (count < *room)
		return items;
	*room = *room ? *room + *room / 2 : 1024;
	return xrealloc(items, *room * item_bytes);
}

static bool
within(struct heaptrack *h, size_t count, const char *what)
{
	return count < INT32_MAX || heaptrack_refuse(h, "more than %d %s", INT32_MAX, what);
}

bool
heaptrack_add_string(struct heaptrack *h, struct text raw, uint32_t *number)
{
	bool bad = false;
	struct text t = heap_clean_text(&h->text, raw, &bad);

	if (!within(h, h->string_count, "strings"))
		return false;
	if (bad &&
		!heaptrack_issue(h, ISSUE_BAD_UTF8, raw, "bytes that are no UTF-8 became U+FFFD"))
		return false;
	h->strings = room_for(h->strings, h->string_count, &h->string_room, sizeof(*h->strings));
	h->strings[h->string_count++] =
		(struct heaptrack_string){ arena_text(&h->arena, t), is_allocator(t) };
	*number = (uint32_t)h->string_count;
	return true;
}

/* In format 3 with its length in bytes before it. */
static bool
read_string(struct heaptrack *h, struct text rest)
{
	uint64_t size;
	uint32_t number;

	if (h->format_version >= SIZED_STRINGS_FORMAT) {
		if (!heaptrack_take(&rest, &size))
			return heaptrack_refuse(h, "a string without its length");
		if (size > rest.size)
			return heaptrack_refuse(h,
				"a string of %" PRIu64 " bytes in a line that has %zu for it", size,
				rest.size);
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
		return heaptrack_refuse(h, "no number where a string's is due");
	if (value > h->string_count)
		return heaptrack_refuse(h, "string %" PRIu64 " of %zu", value, h->string_count);
	*number = (uint32_t)value;
	return true;
}

bool
heaptrack_add_frame(struct heaptrack *h, const struct frame *frame, uint32_t function)
{
	struct heaptrack_frame told = { .function = function };

	if (!frame_intern(h->frames_told, frame, &told.numbers, h->err))
		return false;
	h->frames = room_for(h->frames, h->frame_count, &h->frame_room, sizeof(*h->frames));
	h->frames[h->frame_count++] = told;
	h->ips[h->ip_count - 1].frame_count++;
	return true;
}

/* FUNCTION FILE LINE, of which the first may stand alone. */
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
		return heaptrack_refuse(h, "no number where a source line's is due");
	frame->function = string_at(h, function);
	frame->file = string_at(h, file);
	frame->line = (int64_t)line;
	return heaptrack_add_frame(h, frame, function);
}

bool
heaptrack_add_ip(struct heaptrack *h, uint32_t module)
{
	if (!within(h, h->ip_count, "instructions"))
		return false;
	h->ips = room_for(h->ips, h->ip_count, &h->ip_room, sizeof(*h->ips));
	h->ips[h->ip_count++] =
		(struct heaptrack_ip){ .first_frame = h->frame_count, .module = module };
	return true;
}

static bool
read_ip(struct heaptrack *h, struct text rest)
{
	struct frame frame = { .line = 0 };
	uint32_t module = 0;

	if (!heaptrack_take(&rest, &frame.address))
		return heaptrack_refuse(h, "an instruction without its address");
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

bool
heaptrack_add_trace(struct heaptrack *h, uint64_t ip, uint64_t parent)
{
	if (!within(h, h->trace_count, "calls"))
		return false;
	if (ip > h->ip_count)
		return heaptrack_refuse(h, "instruction %" PRIu64 " of %zu", ip, h->ip_count);
	/* Callers come before what they call, so that no call is its own. */
	if (parent > h->trace_count)
		return heaptrack_refuse(h, "call %zu has call %" PRIu64 " as its caller",
			h->trace_count + 1, parent);
	h->traces = room_for(h->traces, h->trace_count, &h->trace_room, sizeof(*h->traces));
	h->traces[h->trace_count++] = (struct heaptrack_trace){ (uint32_t)ip, (uint32_t)parent };
	return true;
}

bool
heaptrack_add_info(struct heaptrack *h, uint64_t size, uint64_t trace)
{
	if (!within(h, h->info_count, "kinds of allocations"))
		return false;
	if (trace > h->trace_count)
		return heaptrack_refuse(h, "call %" PRIu64 " of %zu", trace, h->trace_count);
	h->infos = room_for(h->infos, h->info_count, &h->info_room, sizeof(*h->infos));
	h->infos[h->info_count++] =
		(struct heaptrack_info){ .size = size, .trace = (uint32_t)trace };
	return true;
}

static bool
read_trace(struct heaptrack *h, struct text rest)
{
	uint64_t ip;
	uint64_t parent;

	if (!heaptrack_take(&rest, &ip) || !heaptrack_take(&rest, &parent))
		return heaptrack_refuse(h, "a call has two numbers");
	return h->raw ? heaptrack_raw_trace(h, ip, parent) : heaptrack_add_trace(h, ip, parent);
}

static bool
read_info(struct heaptrack *h, struct text rest)
{
	uint64_t size;
	uint64_t trace;

	if (!heaptrack_take(&rest, &size) || !heaptrack_take(&rest, &trace))
		return heaptrack_refuse(h, "a kind of allocations has two numbers");
	return heaptrack_add_info(h, size, trace);
}

/* --- the head -------------------------------------------------------------------------------- */

static bool
read_version(struct heaptrack *h, struct text rest)
{
	if (h->versioned)
		return heaptrack_refuse(h, "another recording begins here");
	h->versioned = true;
	if (!heaptrack_take(&rest, &h->tool_version))
		return heaptrack_refuse(h, "no version");
	if (!heaptrack_take(&rest, &h->format_version) && h->tool_version == VERSION_OF_FORMAT_1)
		h->format_version = 1;
	if (h->format_version < 1 || h->format_version > NEWEST_FORMAT) {
		heaptrack_refuse(h, "format version %" PRIu64 "; 1 to %d are read",
			h->format_version, NEWEST_FORMAT);
		return error_hint(h->err, "heaptrack_print reads what its own release wrote");
	}
	return true;
}

static bool
read_command(struct heaptrack *h, struct text rest)
{
	bool bad = false;

	if (h->has_command)
		return heaptrack_refuse(h, "a second command: another recording begins here");
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
	if (pattern.size <= 5 || memcmp(pattern.data, "leak:", 5) != 0)
		return heaptrack_issue(h, ISSUE_ODD_VALUE, rest,
			"a suppression that is none: it begins with \"leak:\"");
	row.name = (struct text){ pattern.data + 5, pattern.size - 5 };
	h->suppressions++;
	return h->sink->suppression(h->sink, h->set, &row, h->err);
}

static bool
read_system(struct heaptrack *h, struct text rest, struct text line)
{
	uint64_t page;
	uint64_t pages;

	if (!heaptrack_take(&rest, &page) || !heaptrack_take(&rest, &pages) || page > INT32_MAX ||
		pages > INT64_MAX)
		return heaptrack_issue(h, ISSUE_ODD_VALUE, line, "no page size and pages");
	h->page_size = page;
	h->pages = pages;
	return true;
}

/* --- time ---------------------------------------------------------------------------------------
 */

static bool
read_time(struct heaptrack *h, struct text rest, struct text line)
{
	uint64_t ms;

	if (!heaptrack_take(&rest, &ms) || ms > INT64_MAX)
		return heaptrack_issue(
			h, ISSUE_BAD_NUMBER, line, "a time that is no number was left out");
	if (ms < h->now_ms)
		return heaptrack_issue(h, ISSUE_TIME_BACKWARD, line,
			"the time goes back from %" PRIu64 " to %" PRIu64 " ms: it was left out",
			h->now_ms, ms);
	h->now_ms = ms;
	return heaptrack_tell_time(h);
}

static bool
read_rss(struct heaptrack *h, struct text rest, struct text line)
{
	uint64_t pages;

	if (!heaptrack_take(&rest, &pages) || pages > INT32_MAX)
		return heaptrack_issue(
			h, ISSUE_BAD_NUMBER, line, "a resident set that is no number was left out");
	if (pages > h->peak_rss_pages)
		h->peak_rss_pages = pages;
	return heaptrack_tell_rss(h, pages);
}

/* An allocation or release that is not as it should be: the rest stays right. */
static bool
read_odd_event(struct heaptrack *h, struct text rest, struct text line)
{
	const char *what = line.data[0] == '+' ? "an allocation" : "a release";
	uint64_t number;

	if (h->raw)
		return heaptrack_raw_event(h, rest, line);
	if (!heaptrack_take(&rest, &number))
		return heaptrack_issue(
			h, ISSUE_BAD_NUMBER, line, "%s without a number was left out", what);
	return heaptrack_issue(h, ISSUE_LEFT_OUT, line,
		"%s of kind %" PRIu64 " of %zu was left out", what, number, h->info_count);
}

static bool
read_unknown(struct heaptrack *h, struct text line)
{
	return heaptrack_issue(
		h, ISSUE_LEFT_OUT, line, "a line that heaptrack does not write was left out");
}

/* A comment: those at the end tell how many strings and instructions there are. */
static bool
read_comment(struct heaptrack *h, struct text line)
{
	static const char strings[] = "# strings: ";

	if (line.size >= sizeof(strings) && memcmp(line.data, strings, sizeof(strings) - 1) == 0)
		h->ended = true;
	return true;
}

bool
heaptrack_line(struct heaptrack *h, struct text line)
{
	struct text rest = line;

	if (!line.size)
		return true;
	if (line.data[0] == '#')
		return read_comment(h, line);
	if (line.size > 1 && line.data[1] != ' ')
		return read_unknown(h, line);
	rest.data += line.size > 1 ? 2 : 1;
	rest.size -= line.size > 1 ? 2 : 1;
	if (!h->versioned && line.data[0] != 'v')
		return heaptrack_refuse(h, "no version: a recording begins with \"v\"");
	switch (line.data[0]) {
	case 's':
		return read_string(h, rest);
	case 't':
		return read_trace(h, rest);
	case 'i':
		return read_ip(h, rest);
	case 'a':
		return read_info(h, rest);
	case '+':
	case '-':
		return read_odd_event(h, rest, line);
	case 'c':
		return read_time(h, rest, line);
	case 'R':
		return read_rss(h, rest, line);
	case 'X':
		return read_command(h, rest);
	case 'A':
		h->attached = true;
		return true;
	case 'v':
		return read_version(h, rest);
	case 'I':
		return read_system(h, rest, line);
	case 'S':
		return read_suppression(h, rest);
	case 'x':
		return heaptrack_raw_executable(h, rest);
	case 'm':
		return heaptrack_raw_module(h, rest);
	default:
		return read_unknown(h, line);
	}
}
