#include "base/number.h"
#include "source_private.h"

/* AQTime's relations. The columns of a query stand in the order of the calls
 * here: initialisers are taken one after the other. */

bool
source_tell_routine(struct telling *t, struct error *err)
{
	struct routine_row r = { 0 };

	r.id = source_int64(t);
	r.parent_id = source_int64(t);
	r.rec_id = source_int64(t);
	r.hit_count = source_int64(t);
	r.compiler = source_int64(t);
	r.profile_lines = source_int64(t);
	r.source_line = source_int64(t);
	r.token = source_int64(t);
	r.address = source_number(t);
	r.analysis_result = source_text(t);
	r.class_name = source_text(t);
	r.code_type = source_text(t);
	r.module_name = source_text(t);
	r.name_space = source_text(t);
	r.routine_name = source_text(t);
	r.source_file = source_text(t);
	r.symbol_moniker = source_text(t);
	r.unit_name = source_text(t);
	r.attributes = source_text(t);
	return !t->to->routine || t->to->routine(t->to, t->set, &r, err);
}

bool
source_tell_line(struct telling *t, struct error *err)
{
	struct line_row r = { 0 };

	r.id = source_int64(t);
	r.rec_id = source_int64(t);
	r.source_line = source_int64(t);
	r.parent_id = source_int64(t);
	return !t->to->line || t->to->line(t->to, t->set, &r, err);
}

bool
source_tell_thread(struct telling *t, struct error *err)
{
	struct thread_row r = { 0 };

	r.id = source_int64(t);
	r.parent_id = source_int64(t);
	r.rec_id = source_int64(t);
	r.size = source_int64(t);
	r.os_thread_id = source_int64(t);
	r.name = source_text(t);
	return !t->to->thread || t->to->thread(t->to, t->set, &r, err);
}

bool
source_tell_class_meta(struct telling *t, struct error *err)
{
	struct class_row r = { 0 };

	r.id = source_int64(t);
	r.parent_id = source_int64(t);
	r.rec_id = source_int64(t);
	r.class_name = source_text(t);
	r.module_name = source_text(t);
	r.symbol_moniker = source_text(t);
	return !t->to->class_meta || t->to->class_meta(t->to, t->set, &r, err);
}

bool
source_tell_class_data(struct telling *t, struct error *err)
{
	struct class_data_row r = { 0 };

	r.id = source_int64(t);
	r.parent_id = source_int64(t);
	r.rec_id = source_int64(t);
	r.class_name = source_text(t);
	r.module_name = source_text(t);
	r.live_count = source_number(t);
	r.live_size = source_number(t);
	r.peak_created = source_number(t);
	r.peak_size = source_number(t);
	r.total_created = source_number(t);
	r.total_size = source_number(t);
	return !t->to->class_data || t->to->class_data(t->to, t->set, &r, err);
}

bool
source_tell_object(struct telling *t, struct error *err)
{
	struct object_row r = { 0 };

	r.id = source_int64(t);
	r.parent_id = source_int64(t);
	r.rec_id = source_int64(t);
	r.number = source_number(t);
	r.address = source_number(t);
	r.size = source_number(t);
	r.class_id = source_int64(t);
	r.get_number = source_int64(t);
	r.thread_id = source_int64(t);
	r.block_count = source_int64(t);
	r.stack = source_int32(t);
	r.stack_first_id = source_int64(t);
	r.leak_kind = source_text(t);
	r.attributes = source_text(t);
	return !t->to->object || t->to->object(t->to, t->set, &r, err);
}

bool
source_tell_error(struct telling *t, struct error *err)
{
	struct error_row r = { 0 };

	r.id = source_int64(t);
	r.parent_id = source_int64(t);
	r.rec_id = source_int64(t);
	r.number = source_int64(t);
	r.error_code = source_int64(t);
	r.kind = source_int64(t);
	r.description = source_text(t);
	r.name = source_text(t);
	r.stack = source_int32(t);
	r.stack_first_id = source_int64(t);
	r.count = source_int64(t);
	r.attributes = source_text(t);
	return !t->to->error || t->to->error(t->to, t->set, &r, err);
}

static enum stack_owner
owner_from(struct text name)
{
	for (int i = 0; i < STACK_OWNERS; i++)
		if (text_equal(name, text_from(stack_owner_name((enum stack_owner)i))))
			return (enum stack_owner)i;
	return OWNER_ERROR; /* the table's CHECK lets no other name pass */
}

bool
source_tell_further(struct telling *t, struct error *err)
{
	struct further_stack_row r = { 0 };

	r.owner = owner_from(source_text(t));
	r.owner_id = source_int64(t);
	r.position = source_int64(t);
	r.role = source_text(t);
	r.description = source_text(t);
	r.thread_id = source_int64(t);
	r.stack = source_int32(t);
	return !t->to->further_stack || t->to->further_stack(t->to, t->set, &r, err);
}

bool
source_tell_suppression(struct telling *t, struct error *err)
{
	struct suppression_row r = { 0 };

	r.id = source_int64(t);
	r.name = source_text(t);
	r.syntax = source_text(t);
	r.kind = source_text(t);
	r.pattern = source_text(t);
	r.file = source_text(t);
	r.count = source_int64(t);
	r.bytes = source_int64(t);
	r.blocks = source_int64(t);
	return !t->to->suppression || t->to->suppression(t->to, t->set, &r, err);
}
