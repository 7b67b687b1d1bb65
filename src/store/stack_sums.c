/* Reads the sums of samples or objects by stack, and the names of some stacks. */
#include "store/stack_sums.h"

#include "base/hash.h"
#include "base/number.h"
#include "binary_values.h"
#include "id_array_private.h"
#include "store_private.h"

#include <string.h>

enum {
	BLOCK_STACKS = 4096
};

/* Columns of store/stack_sums. */
enum {
	BLOCK_NUMBER,
	BLOCK_STACK_IDS,
	BLOCK_IDENTITIES,
	BLOCK_SUM_IDS,
	BLOCK_CLASSES,
	BLOCK_COUNTS,
	BLOCK_VALUES
};

/* Columns of store/stack_frame_names. */
enum {
	FRAME_STACK,
	FRAME_PLACE,
	FRAME_MODULE,
	FRAME_CLASS,
	FRAME_ROUTINE,
	FRAME_UNIT,
	FRAME_FILE,
	FRAME_LINE,
	FRAME_SYMBOL
};

struct sums {
	stack_sum_fn *each;
	void *self;
};

/* Stores the identity of each stack of the block at the stack's place in the block. */
static void
read_identities(const struct db_result *row, int64_t block, struct text *identities)
{
	struct text ids = db_result_value(row, 0, BLOCK_STACK_IDS);
	struct text values = db_result_value(row, 0, BLOCK_IDENTITIES);

	for (size_t i = 0; i < BLOCK_STACKS; i++)
		identities[i] = TEXT_NULL;
	for (size_t i = 0; i < ids.size / 4 && i < values.size / IDENTITY_BYTES; i++) {
		int64_t place = (int64_t)get_u32(ids.data + i * 4) - block * BLOCK_STACKS;

		if (place >= 0 && place < BLOCK_STACKS)
			identities[place] =
				(struct text){ values.data + i * IDENTITY_BYTES, IDENTITY_BYTES };
	}
}

/* Reads a value. A plus sign means that some objects have no size. */
static void
read_value(struct text word, struct stack_sum *sum)
{
	struct decimal value;

	sum->unknown = word.size && word.data[word.size - 1] == '+';
	word.size -= sum->unknown;
	sum->known = decimal_parse(word, &value) == DECIMAL_OK;
	if (sum->known)
		sum->value = decimal_to_fixed(value);
}

static bool
take_block(void *self, const struct db_result *row, struct error *err)
{
	const struct sums *s = self;
	int64_t block = binary_integer(db_result_value(row, 0, BLOCK_NUMBER));
	struct text ids = db_result_value(row, 0, BLOCK_SUM_IDS);
	struct text classes = db_result_value(row, 0, BLOCK_CLASSES);
	struct text counts = db_result_value(row, 0, BLOCK_COUNTS);
	struct text values = db_result_value(row, 0, BLOCK_VALUES);
	struct text identities[BLOCK_STACKS];

	(void)err;
	read_identities(row, block, identities);
	for (size_t i = 0; i < ids.size / 4 && i < counts.size / 8; i++) {
		struct stack_sum sum = { .stack = get_u32(ids.data + i * 4),
			.count = (int64_t)binary_unsigned(counts.data + i * 8, 8) };
		int64_t place = (int64_t)sum.stack - block * BLOCK_STACKS;

		if (i < classes.size / 8)
			sum.class_id = (int64_t)binary_unsigned(classes.data + i * 8, 8);
		read_value(binary_next_word(&values), &sum);
		if (place >= 0 && place < BLOCK_STACKS)
			sum.identity = identities[place];
		s->each(s->self, &sum);
	}
	return true;
}

bool
stack_sums_each(struct db *db, int64_t inst_id, const char *metric, bool lines, stack_sum_fn *each,
	void *self, struct error *err)
{
	return db_query_each_binary(db, store_sql("store/stack_sums"),
		SQL_VALUES(
			SQL_STORE_STACK_SUMS, [SQL_STORE_STACK_SUMS_INST_ID] = INT64_TEXT(inst_id),
			[SQL_STORE_STACK_SUMS_METRIC] = metric,
			[SQL_STORE_STACK_SUMS_LINES] = lines ? "t" : "f"),
		SQL_STORE_STACK_SUMS_PARAMS, take_block, &(struct sums){ each, self }, err);
}

static bool
take_class_sum(void *self, const struct db_result *row, struct error *err)
{
	const struct sums *s = self;
	struct stack_sum sum = { .class_id = db_result_int64(row, 0, 0, -1),
		.count = db_result_int64(row, 0, 1, 0) };

	(void)err;
	read_value(db_result_value(row, 0, 2), &sum);
	sum.unknown = db_result_bool(row, 0, 3);
	s->each(s->self, &sum);
	return true;
}

bool
stack_class_sums_each(
	struct db *db, int64_t inst_id, stack_sum_fn *each, void *self, struct error *err)
{
	return db_query_each(db, store_sql("store/stack_class_sums"),
		SQL_VALUES(SQL_STORE_STACK_CLASS_SUMS, [SQL_STORE_STACK_CLASS_SUMS_INST_ID] =
							       INT64_TEXT(inst_id)),
		SQL_STORE_STACK_CLASS_SUMS_PARAMS, take_class_sum, &(struct sums){ each, self },
		err);
}

struct classes {
	stack_class_fn *each;
	void *self;
};

static bool
take_class(void *self, const struct db_result *row, struct error *err)
{
	const struct classes *c = self;

	(void)err;
	c->each(c->self, db_result_int64(row, 0, 0, -1), db_result_value(row, 0, 1),
		db_result_value(row, 0, 2));
	return true;
}

bool
stack_classes_each(
	struct db *db, int64_t inst_id, stack_class_fn *each, void *self, struct error *err)
{
	return db_query_each(db, store_sql("store/stack_classes"),
		SQL_VALUES(SQL_STORE_STACK_CLASSES, [SQL_STORE_STACK_CLASSES_INST_ID] =
							    INT64_TEXT(inst_id)),
		SQL_STORE_STACK_CLASSES_PARAMS, take_class, &(struct classes){ each, self }, err);
}

bool
stack_identities_are_names(
	struct db *db, int64_t inst_id, int64_t base_id, bool lines, bool *equal, struct error *err)
{
	struct db_result *r =
		STORE_QUERY(db, "stack_identities_suffice", SQL_STORE_STACK_IDENTITIES_SUFFICE,
			err, [SQL_STORE_STACK_IDENTITIES_SUFFICE_INST_ID] = INT64_TEXT(inst_id),
			[SQL_STORE_STACK_IDENTITIES_SUFFICE_BASE_ID] = INT64_TEXT(base_id),
			[SQL_STORE_STACK_IDENTITIES_SUFFICE_LINES] = lines ? "t" : "f");

	*equal = r && db_result_bool(r, 0, 0);
	return db_done(r);
}

struct frames {
	stack_frame_fn *each;
	void *self;
	int64_t stack, place; /* of the last frame */
};

static bool
take_frame(void *self, const struct db_result *row, struct error *err)
{
	struct frames *f = self;
	int64_t stack = db_result_int64(row, 0, FRAME_STACK, 0);
	int64_t place = db_result_int64(row, 0, FRAME_PLACE, 0);
	const struct table_frame frame = {
		.module_name = db_result_value(row, 0, FRAME_MODULE),
		.class_name = db_result_value(row, 0, FRAME_CLASS),
		.routine_name = db_result_value(row, 0, FRAME_ROUTINE),
		.unit_name = db_result_value(row, 0, FRAME_UNIT),
		.source_file = db_result_value(row, 0, FRAME_FILE),
		.source_line = db_result_int64(row, 0, FRAME_LINE, TABLE_NO_LINE),
		.symbol = db_result_value(row, 0, FRAME_SYMBOL),
	};

	(void)err;
	if (stack != f->stack || place != f->place)
		f->each(f->self, (uint32_t)stack, &frame);
	f->stack = stack;
	f->place = place;
	return true;
}

bool
stack_frames_each(struct db *db, const struct stack_list *list, stack_frame_fn *each, void *self,
	struct error *err)
{
	return db_query_each(db, store_sql("store/stack_frame_names"),
		SQL_VALUES(SQL_STORE_STACK_FRAME_NAMES,
			[SQL_STORE_STACK_FRAME_NAMES_INST_ID] = INT64_TEXT(list->inst_id),
			[SQL_STORE_STACK_FRAME_NAMES_STACKS] = list->stacks),
		SQL_STORE_STACK_FRAME_NAMES_PARAMS, take_frame,
		&(struct frames){ each, self, -1, 0 }, err);
}

struct ranks {
	stack_rank_fn *each;
	void *self;
};

static bool
take_rank(void *self, const struct db_result *row, struct error *err)
{
	const struct ranks *r = self;

	(void)err;
	r->each(r->self, (int)db_result_int64(row, 0, 0, 0),
		(uint32_t)db_result_int64(row, 0, 1, 0), (uint32_t)db_result_int64(row, 0, 2, 0));
	return true;
}

bool
stack_ranks_each(struct db *db, const struct stack_list lists[2], stack_rank_fn *each, void *self,
	struct error *err)
{
	return db_query_each(db, store_sql("store/stack_innermost_ranks"),
		SQL_VALUES(SQL_STORE_STACK_INNERMOST_RANKS,
			[SQL_STORE_STACK_INNERMOST_RANKS_INST_ID] = INT64_TEXT(lists[0].inst_id),
			[SQL_STORE_STACK_INNERMOST_RANKS_BASE_ID] = INT64_TEXT(lists[1].inst_id),
			[SQL_STORE_STACK_INNERMOST_RANKS_STACKS] = lists[0].stacks,
			[SQL_STORE_STACK_INNERMOST_RANKS_BASE_STACKS] = lists[1].stacks),
		SQL_STORE_STACK_INNERMOST_RANKS_PARAMS, take_rank, &(struct ranks){ each, self },
		err);
}
