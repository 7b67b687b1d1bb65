/*
 * Recognises pprof profiles. They have no magic number. Therefore the tag and the length of every
 * member are checked, and the first members are parsed. Arbitrary bytes fail this check within a
 * few members.
 */
#include "pprof_private.h"

#include "format/pprof/pprof.pb-c.h"

enum {
	PARSED_MEMBERS = 1000,
	MIN_MEMBERS = 8, /* a truncated profile must have this many */
	FIELD_MAX = 127, /* large, because later versions may add fields */
	BITS_WHOLE = 8 * 24,
	BITS_CUT = 8 * 12,
};

struct verdict {
	size_t members, sample_types, strings;
	bool wrong;
};

static const ProtobufCMessageDescriptor *
type_of(uint32_t field)
{
	switch (field) {
	case PPROF_SAMPLE_TYPE:
	case PPROF_PERIOD_TYPE:
		return &pprof__value_type__descriptor;
	case PPROF_SAMPLE:
		return &pprof__sample__descriptor;
	case PPROF_MAPPING:
		return &pprof__mapping__descriptor;
	case PPROF_LOCATION:
		return &pprof__location__descriptor;
	case PPROF_FUNCTION:
		return &pprof__function__descriptor;
	default:
		return NULL;
	}
}

/* Known fields must have the types of profile.proto. Unknown fields may come from a later version. */
static bool
is_of_type(struct wire_reader *wire, const struct wire_field *f,
	const ProtobufCMessageDescriptor *type)
{
	struct error err = ERROR_INIT;
	const uint8_t *bytes;
	ProtobufCMessage *m;
	bool ok;

	if (f->size > PPROF_MAX_MEMBER_BYTES)
		return false;
	if (!wire_take(wire, f, PPROF_MAX_MEMBER_BYTES, &bytes, &err))
		return false;
	m = protobuf_c_message_unpack(type, NULL, (size_t)f->size, bytes);
	ok = m != NULL;
	for (unsigned i = 0; ok && i < m->n_unknown_fields; i++)
		ok = m->unknown_fields[i].tag <= FIELD_MAX;
	if (m)
		protobuf_c_message_free_unpacked(m, NULL);
	return ok;
}

bool
pprof_may_begin(struct text head)
{
	unsigned tag = head.size ? (unsigned char)*head.data : 0;
	unsigned type = tag & 7;

	return tag >= 0x80 || (tag >> 3 && type != WIRE_GROUP && type != WIRE_GROUP_END &&
				      pprof_has_wire_type(tag >> 3, (enum wire_type)type));
}

static void
judge(struct wire_reader *wire, const struct wire_field *f, struct verdict *v)
{
	const ProtobufCMessageDescriptor *type;

	v->members++;
	if (f->number > FIELD_MAX || !pprof_has_wire_type(f->number, f->type))
		v->wrong = true;
	if (f->number == PPROF_STRING_TABLE && v->strings++ == 0 && f->size != 0)
		v->wrong = true;
	v->sample_types += f->number == PPROF_SAMPLE_TYPE;
	type = type_of(f->number);
	if (type && v->members <= PARSED_MEMBERS && !v->wrong)
		v->wrong = !is_of_type(wire, f, type);
}

int
pprof_verify(int fd, uint64_t size)
{
	struct wire_reader *wire = wire_reader_new(fd, size, "");
	struct verdict v = { 0 };
	struct error err = ERROR_INIT;
	struct wire_field f;
	bool more = true;

	while (!v.wrong && wire_next(wire, &f, &more, &err) && more)
		judge(wire, &f, &v);
	wire_reader_free(wire);
	if (v.wrong || !v.sample_types)
		return 0;
	if (err.code == ERROR_NONE)
		return v.strings ? BITS_WHOLE : 0;
	return v.members >= MIN_MEMBERS ? BITS_CUT : 0;
}
