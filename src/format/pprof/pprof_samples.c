/* Reads the samples of a pprof profile: stacks, values, labels. */
#include "pprof_private.h"

#include "base/hash.h"
#include "base/json_string.h"
#include "format/pprof/pprof.pb-c.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	TRACK = 1
};

/* "text", 48, or {"value":48,"unit":"bytes"}. */
static void
append_label(struct pprof *p, const Pprof__Label *l)
{
	struct strbuf *b = &p->attributes;

	if (l->str) {
		json_append_text(b, pprof_string(p, l->str));
	} else if (l->num_unit) {
		strbuf_printf(b, "{\"value\":%" PRId64 ",\"unit\":", l->num);
		json_append_text(b, pprof_string(p, l->num_unit));
		strbuf_append_char(b, '}');
	} else {
		strbuf_append_int(b, l->num);
	}
}

/* Appends the key of a label, and its value. If the key is repeated, its values become an array. */
static void
append_key(struct pprof *p, Pprof__Label **labels, size_t count, size_t first)
{
	struct strbuf *b = &p->attributes;
	size_t same = 0;

	for (size_t i = first; i < count; i++)
		same += labels[i]->key == labels[first]->key;
	json_append_text(b, pprof_string(p, labels[first]->key));
	strbuf_append_str(b, same > 1 ? ":[" : ":");
	for (size_t i = first, n = 0; i < count; i++) {
		if (labels[i]->key != labels[first]->key)
			continue;
		if (n++)
			strbuf_append_char(b, ',');
		append_label(p, labels[i]);
	}
	if (same > 1)
		strbuf_append_char(b, ']');
}

static bool
check_label(struct pprof *p, const Pprof__Label *l, uint64_t offset)
{
	return pprof_check_string(p, l->key, offset, "the key of a label") &&
	       pprof_check_string(p, l->str, offset, "the value of a label") &&
	       pprof_check_string(p, l->num_unit, offset, "the unit of a label");
}

/* The labels become attributes of the sample. */
static bool
put_labels(struct pprof *p, const Pprof__Sample *s, uint64_t offset, struct text *attributes)
{
	size_t count = s->n_label, keys = 0;

	if (!count)
		return true;
	if (count > PPROF_MAX_LABELS) {
		p->labels_left += count - PPROF_MAX_LABELS;
		count = PPROF_MAX_LABELS;
	}
	strbuf_reset(&p->attributes);
	strbuf_append_str(&p->attributes, "{\"labels\":{");
	for (size_t i = 0; i < count; i++) {
		bool seen = false;

		if (!check_label(p, s->label[i], offset))
			return false;
		for (size_t k = 0; k < i && !seen; k++)
			seen = s->label[k]->key == s->label[i]->key;
		if (seen)
			continue;
		if (keys++)
			strbuf_append_char(&p->attributes, ',');
		append_key(p, s->label, count, i);
	}
	strbuf_append_str(&p->attributes, "}}");
	if (p->attributes.failed)
		p->labels_left += count;
	else
		*attributes = strbuf_text(&p->attributes);
	return true;
}

static bool
emit_frames(struct pprof *p, const Pprof__Sample *s, stack_number *stack)
{
	size_t cut;

	stack_begin(p->frames);
	for (size_t i = 0; i < s->n_location_id; i++) {
		const uint32_t location = id_table_find(&p->location_ids, s->location_id[i]);

		if (location == PAIR_MAP_NONE)
			p->no_location++;
		else if (!pprof_push_location(p, location))
			return false;
	}
	if (!stack_end(p->frames, false, stack, &cut, p->in->err))
		return false;
	p->cut_stacks += cut > 0;
	return true;
}

/* Finds the sample's stack, and emits the stack on its first use. Many samples have the same stack and differ only in
 * their labels. */
static bool
put_stack(struct pprof *p, const Pprof__Sample *s, stack_number *stack)
{
	struct hash128 h;
	uint32_t known;

	*stack = 0;
	if (!s->n_location_id)
		return true;
	h = hash128_seeded(
		s->location_id, s->n_location_id * sizeof(*s->location_id), process_seed());
	known = pair_map_get(&p->stacks, (int64_t)h.low, (int64_t)h.high);
	if (known != PAIR_MAP_NONE) {
		*stack = (stack_number)known;
		return true;
	}
	if (!emit_frames(p, s, stack))
		return false;
	pair_map_add(&p->stacks, (int64_t)h.low, (int64_t)h.high, (uint32_t)*stack, NULL);
	return true;
}

static bool
sample_field(struct pprof *p, const struct wire_field *f)
{
	struct decimal values[PPROF_MAX_SAMPLE_TYPES];
	struct sample_row row = {
		.track = TRACK, .metric = p->metric, .values = values, .value_count = p->type_count
	};
	ProtobufCMessage *m;
	const Pprof__Sample *s;

	if (f->number != PPROF_SAMPLE)
		return true;
	if (!pprof_unpack(p, f, &pprof__sample__descriptor, "a sample", &m))
		return false;
	s = (const Pprof__Sample *)m;
	if (s->n_value != p->type_count) {
		reader_refuse_at(p->in, f->offset, "sample has %zu %s for %zu sample %s",
			s->n_value, by_count(s->n_value, "value", "values"), p->type_count,
			by_count(p->type_count, "type", "types"));
		return error_hint(p->in->err, PPROF_MERGE_HINT);
	}
	for (size_t i = 0; i < s->n_value; i++)
		values[i] = decimal_from_int64(s->value[p->order[i]]);
	row.values = values;
	return put_stack(p, s, &row.stack) && put_labels(p, s, f->offset, &row.attributes) &&
	       emit_sample(p->in, &row);
}

static bool
is_memory(const struct pprof *p)
{
	for (size_t i = 0; i < p->type_count; i++)
		if (text_equal_nocase(pprof_string(p, p->types[i].unit), TEXT_LITERAL("bytes")))
			return true;
	return false;
}

static bool
add_track(struct pprof *p)
{
	const int64_t nanos = (int64_t)p->scalars[PPROF_TIME_NANOS];
	const struct track_row track = { .id = TRACK,
		.kind = is_memory(p) ? "heap" : "profile",
		.name = text_from(p->in->name),
		.process_id = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.metric = p->metric,
		.started_us = nanos > 0 ? nanos / 1000 : MODEL_NULL };

	return emit_track(p->in, &track);
}

static bool
report_counts(struct pprof *p)
{
	const struct {
		uint64_t count;
		enum issue_code code;
		uint64_t offset;
		const char *one, *many;
	} issues[] = {
		{ p->no_location, ISSUE_DANGLING_ROUTINE, 0,
			"frame left out: its location is missing",
			"frames left out: their locations are missing" },
		{ p->no_function, ISSUE_DANGLING_ROUTINE, 0,
			"line has only an address: its function is missing",
			"lines have only addresses: their functions are missing" },
		{ p->cut_stacks, ISSUE_STACK_CUT, 0,
			"stack has too many frames: the outermost were left out",
			"stacks have too many frames: the outermost were left out" },
		{ p->labels_left, ISSUE_ODD_LEFT_OUT, 0, "label left out: too many",
			"labels left out: too many" },
		{ p->comments_left, ISSUE_ODD_LEFT_OUT, 0, "comment left out: too many",
			"comments left out: too many" },
		{ p->strings.bad_texts, ISSUE_BAD_UTF8, p->strings.bad_text_offset,
			"string has bytes that are not UTF-8, which became U+FFFD",
			"strings have bytes that are not UTF-8, which became U+FFFD" },
	};

	for (size_t i = 0; i < sizeof(issues) / sizeof(issues[0]); i++)
		if (!reader_issue_count(p->in, issues[i].code, issues[i].offset, issues[i].count,
			    issues[i].one, issues[i].many))
			return false;
	return true;
}

bool
pprof_read_samples(struct pprof *p)
{
	return add_track(p) && pprof_walk(p, sample_field) && report_counts(p);
}
