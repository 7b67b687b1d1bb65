/* Emits a pprof profile's sample types as metrics, and its scalars as metadata. */
#include "pprof_private.h"

#include "base/json_string.h"
#include "format/common/json_members.h"
#include "format/common/text_scan.h"

#include <inttypes.h>

enum {
	METRIC_NAME_BYTES = 64,
	SUFFIX_BYTES = 8
};

/* Makes a metric name from the type's name. Unlike metric_name(), it keeps repeated underscores. */
static void
make_name(struct text type, char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < type.size && n < METRIC_NAME_BYTES - SUFFIX_BYTES - 1; i++) {
		const char c = type.data[i];

		if (n == 0 && !char_is_letter(c))
			name[n++] = 'm';
		name[n++] = char_is_letter(c) || char_is_digit(c) ? char_lower(c) : '_';
	}
	name[n] = '\0';
	if (!n)
		snprintf(name, METRIC_NAME_BYTES, "value");
}

static bool
is_taken(const char *name, char names[][METRIC_NAME_BYTES], size_t count)
{
	static const char *const reserved[] = { "live_count", "live_size", "errors" };

	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (strcmp(name, reserved[i]) == 0)
			return true;
	for (size_t i = 0; i < count; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static struct text
unit_of(struct text name)
{
	static const struct {
		const char *name, *unit;
	} units[] = { { "count", "count" }, { "bytes", "bytes" }, { "byte", "bytes" },
		{ "nanoseconds", "nanoseconds" }, { "nanosecond", "nanoseconds" },
		{ "ns", "nanoseconds" }, { "microseconds", "microseconds" },
		{ "microsecond", "microseconds" }, { "us", "microseconds" },
		{ "milliseconds", "milliseconds" }, { "millisecond", "milliseconds" },
		{ "ms", "milliseconds" }, { "seconds", "seconds" }, { "second", "seconds" },
		{ "s", "seconds" } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (text_equal_nocase(name, text_from(units[i].name)))
			return text_from(units[i].unit);
	return TEXT_LITERAL("none");
}

/* Sets p->order: the default type, then the other types. The default type is default_sample_type or,
 * if the file has none, the last type. */
static bool
find_order(struct pprof *p)
{
	const int64_t wanted = (int64_t)p->scalars[PPROF_DEFAULT_SAMPLE_TYPE];
	size_t first = p->type_count - 1;
	bool found = false;

	for (size_t i = 0; wanted && i < p->type_count && !found; i++) {
		found = text_equal(pprof_string(p, wanted), pprof_string(p, p->types[i].type));
		if (found)
			first = i;
	}
	p->order[0] = first;
	for (size_t i = 0, n = 1; i < p->type_count; i++)
		if (i != first)
			p->order[n++] = i;
	return found || !wanted ||
	       reader_issue_at(p->in, ISSUE_ODD_VALUE, p->scalar_offsets[PPROF_DEFAULT_SAMPLE_TYPE],
		       "default_sample_type is not a sample type");
}

bool
pprof_add_metrics(struct pprof *p)
{
	char names[PPROF_MAX_SAMPLE_TYPES][METRIC_NAME_BYTES];

	if (!find_order(p))
		return false;
	for (size_t i = 0; i < p->type_count; i++) {
		const struct pprof_value_type *type = &p->types[p->order[i]];
		const struct text name = pprof_string(p, type->type),
				  unit = pprof_string(p, type->unit);
		struct metric_row row = { .family = METRIC_OF_SAMPLES, .unit = unit_of(unit) };
		metric_number number;
		size_t size;

		make_name(name, names[i]);
		size = strlen(names[i]);
		for (unsigned n = 2; is_taken(names[i], names, i); n++)
			snprintf(names[i] + size, METRIC_NAME_BYTES - size, "_%u", n);
		row.name = text_from(names[i]);
		strbuf_reset(&p->attributes);
		strbuf_append_text(&p->attributes, name);
		if (unit.size)
			strbuf_printf(
				&p->attributes, " (%.*s)", text_precision(unit, 80), unit.data);
		row.title = strbuf_text(&p->attributes);
		if (!emit_metric(p->in, &row, &number))
			return false;
		if (i == 0)
			p->metric = number;
	}
	return true;
}

static void
append_string(struct pprof *p, const char *key, int64_t index)
{
	if (!index)
		return;
	members_key(&p->attributes, key);
	json_append_text(&p->attributes, pprof_string(p, index));
}

static void
append_mapping(struct pprof *p, const struct pprof_mapping *m)
{
	static const char *const has[] = { "has_functions", "has_filenames", "has_line_numbers",
		"has_inline_frames" };
	struct strbuf *b = &p->attributes;

	strbuf_printf(b,
		"{\"memory_start\":%" PRIu64 ",\"memory_limit\":%" PRIu64
		",\"file_offset\":%" PRIu64 ",\"filename\":",
		m->start, m->limit, m->file_offset);
	json_append_text(b, pprof_string(p, m->filename));
	if (m->build_id) {
		strbuf_append_str(b, ",\"build_id\":");
		json_append_text(b, pprof_string(p, m->build_id));
	}
	for (unsigned i = 0; i < 4; i++)
		if (m->has & 1u << i)
			strbuf_printf(b, ",\"%s\":true", has[i]);
	strbuf_append_char(b, '}');
}

static void
append_lists(struct pprof *p)
{
	struct strbuf *b = &p->attributes;

	if (p->comment_count) {
		members_key(b, "comments");
		for (size_t i = 0; i < p->comment_count; i++) {
			strbuf_append_char(b, i ? ',' : '[');
			json_append_text(b, pprof_string(p, p->comments[i]));
		}
		strbuf_append_char(b, ']');
	}
	if (p->mapping_count) {
		members_key(b, "mappings");
		for (size_t i = 0; i < p->mapping_count && i < PPROF_MAX_MAPPINGS_KEPT; i++) {
			strbuf_append_char(b, i ? ',' : '[');
			append_mapping(p, &p->mappings[i]);
		}
		strbuf_append_char(b, ']');
	}
	if (p->folded)
		members_int(b, "folded_locations", (int64_t)p->folded);
}

static void
append_integer(struct pprof *p, const char *key, enum pprof_field field)
{
	if (p->scalars[field])
		members_int(&p->attributes, key, (int64_t)p->scalars[field]);
}

bool
pprof_add_metadata(struct pprof *p)
{
	/* The first mapping is the profiled program. */
	const struct text program =
		p->mapping_count ? text_basename(pprof_string(p, p->mappings[0].filename))
				 : TEXT_NULL;

	strbuf_reset(&p->attributes);
	append_string(p, "default_sample_type", (int64_t)p->scalars[PPROF_DEFAULT_SAMPLE_TYPE]);
	append_string(p, "period_type", p->period_type.type);
	append_string(p, "period_unit", p->period_type.unit);
	append_integer(p, "period", PPROF_PERIOD);
	append_integer(p, "time_nanos", PPROF_TIME_NANOS);
	append_integer(p, "duration_nanos", PPROF_DURATION_NANOS);
	append_string(p, "drop_frames", (int64_t)p->scalars[PPROF_DROP_FRAMES]);
	append_string(p, "keep_frames", (int64_t)p->scalars[PPROF_KEEP_FRAMES]);
	append_string(p, "doc_url", (int64_t)p->scalars[PPROF_DOC_URL]);
	append_lists(p);
	if (p->attributes.size) {
		strbuf_append_char(&p->attributes, '}');
		if (p->attributes.failed) {
			if (!reader_issue_at(p->in, ISSUE_ODD_LEFT_OUT, 0,
				    "attributes of the profile left out: too many"))
				return false;
		} else if (!emit_metadata(p->in, "attributes", strbuf_text(&p->attributes))) {
			return false;
		}
	}
	return !program.size || emit_metadata(p->in, "application", program);
}
