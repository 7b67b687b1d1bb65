/*
 * Reads event blocks. PostgreSQL's array_send (src/backend/utils/adt/arrayfuncs.c) defines the
 * format of binary arrays.
 */
#include "event_blocks.h"

#include "base/number.h"
#include "base/sql_file.h"
#include "db/connection.h"

enum {
	ARRAY_HEADER_BYTES = 20,
};

static uint64_t
big_endian(const char *p, size_t bytes)
{
	uint64_t v = 0;

	for (size_t i = 0; i < bytes; i++)
		v = v << 8 | (unsigned char)p[i];
	return v;
}

int64_t
event_binary_int(struct text t)
{
	if (t.size == sizeof(int64_t))
		return (int64_t)big_endian(t.data, 8);
	return t.size == sizeof(int32_t) ? (int32_t)big_endian(t.data, 4) : 0;
}

int64_t
event_text_int(struct text t)
{
	struct number n;
	int64_t v = 0;

	if (number_parse(t, &n) == NUMBER_OK)
		number_to_int64(n, &v);
	return v;
}

struct event_array
event_array_open(struct text t)
{
	struct event_array a = { t.data, t.data + t.size, 0 };

	if (!t.data || t.size < ARRAY_HEADER_BYTES || big_endian(t.data, 4) != 1)
		return a;
	a.count = (size_t)big_endian(t.data + 12, 4);
	a.at += ARRAY_HEADER_BYTES;
	return a;
}

bool
event_array_next(struct event_array *a, int64_t *v)
{
	uint32_t size;

	if (a->end - a->at < 4)
		return false;
	size = (uint32_t)big_endian(a->at, 4);
	a->at += 4;
	if (size != 4 && size != 8)
		return false;
	if ((size_t)(a->end - a->at) < size) {
		a->at = a->end;
		return false;
	}
	*v = event_binary_int((struct text){ a->at, size });
	a->at += size;
	return true;
}

struct reading {
	event_block_fn *each;
	void *self;
};

static bool
take_block(void *self, const struct db_result *row, struct error *err)
{
	const struct reading *r = self;
	struct text plain = db_result_value(row, 0, 3);
	struct event_block b = {
		.inst_id = event_binary_int(db_result_value(row, 0, 0)),
		.first_id = event_binary_int(db_result_value(row, 0, 1)),
		.count = (size_t)event_binary_int(db_result_value(row, 0, 2)),
		.plain = plain.data && plain.data[0],
		.stacks = event_array_open(db_result_value(row, 0, 4)),
		.weights = event_array_open(db_result_value(row, 0, 5)),
		.tracks = event_array_open(db_result_value(row, 0, 6)),
	};

	return r->each(r->self, &b, err);
}

static const char *
flag(unsigned bit)
{
	return bit ? "t" : "f";
}

bool
event_blocks_each(struct db *db, const struct event_sets *sets, unsigned parts,
	event_block_fn *each, void *self, struct error *err)
{
	struct reading r = { each, self };

	return db_query_each_binary(db, sql_file_find("events/event_block_arrays")->text,
		SQL_VALUES(SQL_EVENTS_EVENT_BLOCK_ARRAYS,
			[SQL_EVENTS_EVENT_BLOCK_ARRAYS_INST_IDS] = sets->ids,
			[SQL_EVENTS_EVENT_BLOCK_ARRAYS_WITH_STACKS] = flag(parts & EVENT_STACKS),
			[SQL_EVENTS_EVENT_BLOCK_ARRAYS_WITH_WEIGHTS] = flag(parts & EVENT_WEIGHTS),
			[SQL_EVENTS_EVENT_BLOCK_ARRAYS_WITH_TRACKS] = flag(parts & EVENT_TRACKS)),
		SQL_EVENTS_EVENT_BLOCK_ARRAYS_PARAMS, take_block, &r, err);
}
