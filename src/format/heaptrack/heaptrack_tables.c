/* Tables of a heaptrack recording: strings, instructions, traces, allocation kinds. */
#include "base/array.h"
#include "heaptrack_private.h"

#include <inttypes.h>

enum {
	MAX_NUMBER_DIGITS = 16,
};

bool
heaptrack_take(struct text *rest, uint64_t *value)
{
	uint64_t v = 0;
	size_t i = 0;

	for (; i < rest->size && rest->data[i] != ' '; i++) {
		int digit = char_hex_value(rest->data[i]);

		if (digit < 0 || (rest->data[i] >= 'A' && rest->data[i] <= 'F'))
			return false;
		v = v << 4 | (uint64_t)digit;
	}
	if (i == 0 || i > MAX_NUMBER_DIGITS)
		return false;
	*value = v;
	i += i < rest->size;
	*rest = text_from_at(*rest, i);
	return true;
}

static bool
within(struct heaptrack *h, size_t count, const char *what)
{
	return count < INT32_MAX || reader_refuse(h->in, "more than %d %s", INT32_MAX, what);
}

bool
heaptrack_add_string(struct heaptrack *h, struct text raw, uint32_t *number)
{
	bool bad = false;
	struct text t = heap_clean_text(&h->text, raw, &bad);

	if (!within(h, h->string_count, "strings"))
		return false;
	if (bad && !reader_issue(h->in, ISSUE_BAD_UTF8, "invalid UTF-8 replaced by U+FFFD"))
		return false;
	*ARRAY_ADD(h->strings, h->string_count, h->string_room) =
		(struct heaptrack_string){ arena_text(&h->arena, t), is_allocator(t) };
	*number = (uint32_t)h->string_count;
	return true;
}

bool
heaptrack_add_frame(struct heaptrack *h, const struct frame *frame, uint32_t function)
{
	struct heaptrack_frame f = { .function = function };

	if (!frame_intern(h->dictionary, frame, &f.numbers, h->in->err))
		return false;
	*ARRAY_ADD(h->frames, h->frame_count, h->frame_room) = f;
	h->ips[h->ip_count - 1].frame_count++;
	return true;
}

bool
heaptrack_add_ip(struct heaptrack *h, uint32_t module)
{
	if (!within(h, h->ip_count, "instructions"))
		return false;
	*ARRAY_ADD(h->ips, h->ip_count, h->ip_room) =
		(struct heaptrack_ip){ .first_frame = h->frame_count, .module = module };
	return true;
}

bool
heaptrack_add_trace(struct heaptrack *h, uint64_t ip, uint64_t parent)
{
	if (!within(h, h->trace_count, "calls"))
		return false;
	if (ip > h->ip_count)
		return reader_refuse(h->in, "instruction %" PRIu64 " of %zu", ip, h->ip_count);
	/* Callers must precede their callees; therefore no call can be its own caller. */
	if (parent > h->trace_count)
		return reader_refuse(h->in,
			"the caller of call %zu is call %" PRIu64 ", which does not precede it",
			h->trace_count + 1, parent);
	*ARRAY_ADD(h->traces, h->trace_count, h->trace_room) =
		(struct heaptrack_trace){ (uint32_t)ip, (uint32_t)parent };
	return true;
}

bool
heaptrack_add_info(struct heaptrack *h, uint64_t size, uint64_t trace)
{
	if (!within(h, h->info_count, "kinds of allocations"))
		return false;
	if (trace > h->trace_count)
		return reader_refuse(h->in, "call %" PRIu64 " of %zu", trace, h->trace_count);
	*ARRAY_ADD(h->infos, h->info_count, h->info_room) =
		(struct heaptrack_info){ .size = size, .trace = (uint32_t)trace };
	return true;
}
