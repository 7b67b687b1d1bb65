/* What is told of a log as a whole: suppressions and metadata. */
#include "sanitizer_state.h"

#include <stdlib.h>

void
sanitizer_add_suppression(struct sanitizer *s, const struct suppressed *row)
{
	struct hash128 h;
	struct suppressed *known;
	bool added;
	uint32_t i;

	strbuf_reset(&s->scratch);
	strbuf_append_text(&s->scratch, row->kind);
	strbuf_append_char(&s->scratch, ':');
	strbuf_append_text(&s->scratch, row->name);
	h = hash128_seeded(s->scratch.data, s->scratch.size, s->seed);
	if (s->suppressed_count >= SUPPRESSIONS_MAX)
		return;
	i = pair_map_add(&s->suppressed_keys, (int64_t)h.low, (int64_t)h.high,
		(uint32_t)s->suppressed_count, &added);
	if (added) {
		if (s->suppressed_count == s->suppressed_room) {
			s->suppressed_room = s->suppressed_room ? 2 * s->suppressed_room : 16;
			s->suppressed = xrealloc(
				s->suppressed, s->suppressed_room * sizeof(*s->suppressed));
		}
		s->suppressed[s->suppressed_count++] =
			(struct suppressed){ .name = arena_text(&s->arena, row->name),
				.kind = arena_text(&s->arena, row->kind),
				.has_bytes = row->has_bytes };
	}
	known = &s->suppressed[i];
	known->count += row->count;
	known->bytes += row->bytes;
}

static int64_t
bounded(uint64_t v)
{
	return v > INT64_MAX ? INT64_MAX : (int64_t)v;
}

bool
sanitizer_tell_suppressions(struct sanitizer *s)
{
	for (size_t i = 0; i < s->suppressed_count; i++) {
		const struct suppressed *p = &s->suppressed[i];
		struct suppression_row row = { .id = (int64_t)i + 1,
			.name = p->name,
			.syntax = TEXT_LITERAL("lsan"),
			.kind = p->kind,
			.count = bounded(p->count),
			.bytes = p->has_bytes ? bounded(p->bytes) : MODEL_NULL,
			.blocks = p->has_bytes ? bounded(p->count) : MODEL_NULL };

		strbuf_reset(&s->scratch);
		strbuf_append_text(&s->scratch, p->kind);
		strbuf_append_char(&s->scratch, ':');
		strbuf_append_text(&s->scratch, p->name);
		row.pattern = strbuf_text(&s->scratch);
		if (!s->sink->suppression(s->sink, s->set, &row, s->err))
			return false;
	}
	return true;
}

static bool
metadata(struct sanitizer *s, const char *key, struct text value)
{
	return text_is_empty(value) || s->sink->metadata(s->sink, s->set, key, value, s->err);
}

bool
sanitizer_tell_metadata(struct sanitizer *s, struct text caption)
{
	struct strbuf *b = &s->attributes;

	strbuf_reset(b);
	members_number(b, "reports", s->reports);
	members_array(b, "processes", strbuf_text(&s->pid_list));
	return metadata(s, "tool", strbuf_text(&s->tools)) &&
	       metadata(s, "application", s->application) && metadata(s, "caption", caption) &&
	       metadata(s, "attributes", members_end(b));
}
