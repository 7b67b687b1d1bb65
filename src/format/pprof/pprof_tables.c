/* The first two passes over a pprof profile: strings and scalars, then the tables. */
#include "pprof_private.h"

#include "format/pprof/pprof.pb-c.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- strings and scalars ---------------------------------------------------------- */

static bool
read_string(struct pprof *p, const struct wire_field *f)
{
	const uint8_t *bytes;

	if (!wire_take(p->wire, f, PPROF_MAX_STRING_BYTES, &bytes, p->in->err))
		return false;
	pprof_strings_add(p, bytes, (size_t)f->size, f->offset);
	return true;
}

static bool
read_value_type(struct pprof *p, const struct wire_field *f, struct pprof_value_type *type)
{
	ProtobufCMessage *m;
	const Pprof__ValueType *v;

	if (!pprof_unpack(p, f, &pprof__value_type__descriptor, "a value type", &m))
		return false;
	v = (const Pprof__ValueType *)m;
	*type = (struct pprof_value_type){ v->type, v->unit, f->offset };
	return true;
}

static bool
read_sample_type(struct pprof *p, const struct wire_field *f)
{
	if (p->type_count < PPROF_MAX_SAMPLE_TYPES)
		return read_value_type(p, f, &p->types[p->type_count++]);
	reader_refuse_at(p->in, f->offset, "more than %d sample types", PPROF_MAX_SAMPLE_TYPES);
	p->in->err->code = ERROR_LIMIT;
	return false;
}

static void
add_comment(struct pprof *p, uint64_t index)
{
	if (p->comment_count < PPROF_MAX_COMMENTS)
		p->comments[p->comment_count++] = (int64_t)index;
	else
		p->comments_left++;
}

/* Comments may be packed or separate fields. */
static bool
read_comments(struct pprof *p, const struct wire_field *f)
{
	const uint8_t *bytes;
	uint64_t value = 0;
	unsigned shift = 0;

	if (f->type == WIRE_VARINT) {
		add_comment(p, f->value);
		return true;
	}
	if (!wire_take(p->wire, f, PPROF_MAX_MEMBER_BYTES, &bytes, p->in->err))
		return false;
	for (uint64_t i = 0; i < f->size; i++) {
		if (shift > 63)
			return reader_refuse_at(
				p->in, f->start + i, "varint of more than 10 bytes");
		value |= (uint64_t)(bytes[i] & 0x7F) << shift;
		shift += 7;
		if (bytes[i] & 0x80)
			continue;
		add_comment(p, value);
		value = 0;
		shift = 0;
	}
	return shift == 0 ||
	       reader_refuse_at(p->in, f->start + f->size, "the comments end inside a varint");
}

bool
pprof_has_wire_type(uint32_t field, enum wire_type type)
{
	if (field >= PPROF_FIELDS)
		return true;
	if (field == PPROF_COMMENT)
		return type == WIRE_VARINT || type == WIRE_BYTES;
	return type == (field <= PPROF_STRING_TABLE || field == PPROF_PERIOD_TYPE ? WIRE_BYTES
										  : WIRE_VARINT);
}

static bool
string_field(struct pprof *p, const struct wire_field *f)
{
	if (!pprof_has_wire_type(f->number, f->type))
		return reader_refuse_at(p->in, f->offset,
			"field %" PRIu32 " of a profile has wire type %d", f->number, (int)f->type);
	if (f->number >= PPROF_FIELDS)
		return true;
	switch (f->number) {
	case PPROF_STRING_TABLE:
		return read_string(p, f);
	case PPROF_SAMPLE_TYPE:
		return read_sample_type(p, f);
	case PPROF_PERIOD_TYPE:
		return read_value_type(p, f, &p->period_type);
	case PPROF_COMMENT:
		return read_comments(p, f);
	default:
		p->scalars[f->number] = f->value;
		p->scalar_offsets[f->number] = f->offset;
		return true;
	}
}

/* Checks the string numbers in the profile's scalars. */
static bool
check_strings(struct pprof *p)
{
	static const struct {
		enum pprof_field field;
		const char *what;
	} scalars[] = { { PPROF_DROP_FRAMES, "drop_frames" }, { PPROF_KEEP_FRAMES, "keep_frames" },
		{ PPROF_DEFAULT_SAMPLE_TYPE, "default_sample_type" },
		{ PPROF_DOC_URL, "doc_url" } };

	for (size_t i = 0; i < p->type_count; i++)
		if (!pprof_check_string(
			    p, p->types[i].type, p->types[i].offset, "the name of a sample type") ||
			!pprof_check_string(p, p->types[i].unit, p->types[i].offset,
				"the unit of a sample type"))
			return false;
	if (!pprof_check_string(
		    p, p->period_type.type, p->period_type.offset, "the period's type") ||
		!pprof_check_string(
			p, p->period_type.unit, p->period_type.offset, "the period's unit"))
		return false;
	for (size_t i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++)
		if (!pprof_check_string(p, (int64_t)p->scalars[scalars[i].field],
			    p->scalar_offsets[scalars[i].field], scalars[i].what))
			return false;
	for (size_t i = 0; i < p->comment_count; i++)
		if (!pprof_check_string(p, p->comments[i], 0, "a comment"))
			return false;
	return true;
}

bool
pprof_read_strings(struct pprof *p)
{
	const uint64_t end = (uint64_t)p->in->size;

	if (!pprof_walk(p, string_field))
		return false;
	if (!p->strings.count)
		return reader_refuse_at(p->in, end, "\"string_table\" is missing");
	if (pprof_string(p, 0).size)
		return reader_refuse_at(p->in, 0, "first string of the table is not empty");
	if (!p->type_count)
		return reader_refuse_at(p->in, end, "\"sample_type\" is missing");
	return check_strings(p);
}

/* --- tables -------------------------------------------------------------------------- */

/* Adds the ID to the table if it is new. Sets *number to the ID's number in the table, and *added
 * to whether the ID was new. */
static bool
add_id(struct pprof *p, struct id_table *ids, uint64_t id, uint64_t offset, uint32_t *number,
	bool *added)
{
	if (ids->count >= INT32_MAX)
		return reader_refuse_at(p->in, offset, "table of more than %d entries", INT32_MAX);
	*number = id_table_add(ids, id, added);
	return true;
}

static bool
repeated(struct pprof *p, bool same, const char *what, uint64_t id, uint64_t offset)
{
	if (same)
		return p->duplicates++ ||
		       reader_issue_at(p->in, ISSUE_DUPLICATE_ID, offset,
			       "the %s with id %" PRIu64 " is repeated", what, id);
	reader_refuse_at(p->in, offset, "two %ss have the id %" PRIu64, what, id);
	return error_hint(p->in->err, PPROF_MERGE_HINT);
}

static bool
read_function(struct pprof *p, const struct wire_field *f)
{
	ProtobufCMessage *message;
	const Pprof__Function *m;
	struct pprof_function function;
	uint32_t number = 0;
	bool added = false;

	if (!pprof_unpack(p, f, &pprof__function__descriptor, "a function", &message))
		return false;
	m = (const Pprof__Function *)message;
	function = (struct pprof_function){ m->name, m->system_name, m->filename, m->start_line };
	if (!pprof_check_string(p, m->name, f->offset, "the name of a function") ||
		!pprof_check_string(p, m->system_name, f->offset, "the system name") ||
		!pprof_check_string(p, m->filename, f->offset, "the file of a function") ||
		!add_id(p, &p->function_ids, m->id, f->offset, &number, &added))
		return false;
	if (!added) {
		const struct pprof_function *first = &p->functions[number];

		return repeated(p,
			first->name == function.name && first->filename == function.filename &&
				first->start_line == function.start_line,
			"function", m->id, f->offset);
	}
	*ARRAY_ADD(p->functions, p->function_count, p->function_room) = function;
	return true;
}

static bool
read_mapping(struct pprof *p, const struct wire_field *f)
{
	ProtobufCMessage *message;
	const Pprof__Mapping *m;
	uint32_t number = 0;
	bool added = false;

	if (!pprof_unpack(p, f, &pprof__mapping__descriptor, "a mapping", &message))
		return false;
	m = (const Pprof__Mapping *)message;
	if (!pprof_check_string(p, m->filename, f->offset, "the file of a mapping") ||
		!pprof_check_string(p, m->build_id, f->offset, "a build id") ||
		!add_id(p, &p->mapping_ids, m->id, f->offset, &number, &added))
		return false;
	if (!added)
		return repeated(p,
			p->mappings[number].start == m->memory_start &&
				p->mappings[number].limit == m->memory_limit &&
				p->mappings[number].filename == m->filename,
			"mapping", m->id, f->offset);
	*ARRAY_ADD(p->mappings, p->mapping_count, p->mapping_room) =
		(struct pprof_mapping){ m->memory_start, m->memory_limit, m->file_offset,
			m->filename, m->build_id,
			(m->has_functions ? 1u : 0) | (m->has_filenames ? 2u : 0) |
				(m->has_line_numbers ? 4u : 0) | (m->has_inline_frames ? 8u : 0) };
	return true;
}

static bool
same_location(const struct pprof *p, const struct pprof_location *l, const Pprof__Location *m)
{
	bool same = l->address == m->address && l->mapping_id == m->mapping_id &&
		    l->line_count == m->n_line;

	for (size_t i = 0; same && i < m->n_line; i++)
		same = p->lines[l->first_line + i].source.function_id == m->line[i]->function_id &&
		       p->lines[l->first_line + i].source.line == m->line[i]->line;
	return same;
}

static void
add_line(struct pprof *p, uint64_t function_id, int64_t line)
{
	*ARRAY_ADD(p->lines, p->line_count, p->line_room) =
		(union pprof_line){ .source = { function_id, line } };
}

static bool
read_location(struct pprof *p, const struct wire_field *f)
{
	ProtobufCMessage *message;
	const Pprof__Location *m;
	uint32_t number = 0;
	bool added = false;

	if (!pprof_unpack(p, f, &pprof__location__descriptor, "a location", &message))
		return false;
	m = (const Pprof__Location *)message;
	if (!add_id(p, &p->location_ids, m->id, f->offset, &number, &added))
		return false;
	if (!added)
		return repeated(p, same_location(p, &p->locations[number], m), "location", m->id,
			f->offset);
	*ARRAY_ADD(p->locations, p->location_count, p->location_room) =
		(struct pprof_location){ .address = m->address,
			.mapping_id = m->mapping_id,
			.first_line = p->line_count,
			.line_count = (uint32_t)m->n_line,
			.folded = m->is_folded };
	p->folded += m->is_folded ? 1 : 0;
	for (size_t i = 0; i < m->n_line; i++)
		add_line(p, m->line[i]->function_id, m->line[i]->line);
	if (!m->n_line)
		add_line(p, 0, 0);
	return true;
}

static bool
table_field(struct pprof *p, const struct wire_field *f)
{
	switch (f->number) {
	case PPROF_FUNCTION:
		return read_function(p, f);
	case PPROF_MAPPING:
		return read_mapping(p, f);
	case PPROF_LOCATION:
		return read_location(p, f);
	default:
		return true;
	}
}

bool
pprof_read_tables(struct pprof *p)
{
	return pprof_walk(p, table_field);
}

/* --- frames ---------------------------------------------------------------------------- */

static void
name_function(struct pprof *p, uint64_t function_id, struct frame *frame)
{
	const uint32_t number = id_table_find(&p->function_ids, function_id);
	const struct pprof_function *f;

	if (number == PAIR_MAP_NONE) {
		p->no_function += function_id != 0;
		return;
	}
	f = &p->functions[number];
	frame->function = pprof_string(p, f->name);
	frame->symbol = pprof_string(p, f->system_name);
	if (!frame->function.size)
		frame->function = frame->symbol;
	frame->file = pprof_string(p, f->filename);
	frame->start_line = f->start_line;
}

static void
place_address(const struct pprof *p, const struct pprof_location *l, struct frame *frame)
{
	const uint32_t number =
		l->mapping_id ? id_table_find(&p->mapping_ids, l->mapping_id) : PAIR_MAP_NONE;
	const struct pprof_mapping *m;

	frame->address = l->address;
	if (number == PAIR_MAP_NONE)
		return;
	m = &p->mappings[number];
	frame->module = pprof_string(p, m->filename);
	if (l->address >= m->start && (!m->limit || l->address < m->limit))
		frame_place(frame, frame->module, l->address, m->start - m->file_offset);
}

static bool
intern_location(struct pprof *p, struct pprof_location *l)
{
	const size_t count = l->line_count ? l->line_count : 1;

	for (size_t i = 0; i < count; i++) {
		union pprof_line *line = &p->lines[l->first_line + i];
		struct frame frame = { .line = line->source.line };
		struct frame_numbers numbers;

		place_address(p, l, &frame);
		name_function(p, line->source.function_id, &frame);
		if (!frame_intern(p->frames, &frame, &numbers, p->in->err))
			return false;
		line->numbers = numbers;
	}
	l->interned = true;
	return true;
}

bool
pprof_push_location(struct pprof *p, uint32_t location)
{
	struct pprof_location *l = &p->locations[location];
	const size_t count = l->line_count ? l->line_count : 1;

	if (!l->interned && !intern_location(p, l))
		return false;
	for (size_t i = 0; i < count; i++)
		stack_push_numbers(p->frames, p->lines[l->first_line + i].numbers);
	return true;
}
