/* The relations that a load writes or counts. Their columns are generated from schema/. */
#include "store/relations.h"

#include "store/columns.h"
#include "store/result_sets.h"

const struct copy_relation store_relations[] = {
#define RELATION_ROW(id, name) [id] = { #name, COLUMNS_##name },
	RELATION_TABLE(RELATION_ROW)
#undef RELATION_ROW
};

const char *
relation_name(size_t relation)
{
	static const char *const views[] = {
		[REL_CREATION_FRAMES] = "resource_profiler_creation_call_stack",
		[REL_ERROR_FRAMES] = "resource_profiler_call_stack",
		[REL_SAMPLES] = "samples",
		[REL_SPANS] = "spans",
	};

	return relation < RELATIONS_WRITTEN ? store_relations[relation].name : views[relation];
}

size_t
relation_count(void)
{
	return RELATIONS_COUNTED;
}

bool
relation_is_large(enum relation r)
{
	static const bool large[RELATIONS_WRITTEN] = {
		[REL_META_CLASSES] = true,
		[REL_CLASSES] = true,
		[REL_META_ROUTINES] = true,
		[REL_META_LINES] = true,
		[REL_OBJECTS] = true,
		[REL_ERRORS] = true,
		[REL_STACKS] = true,
		[REL_FURTHER_STACKS] = true,
		[REL_CALL_GRAPH] = true,
		[REL_SAMPLE_BLOCKS] = true,
		[REL_SAMPLE_ROWS] = true,
		[REL_SPAN_BLOCKS] = true,
		[REL_SPAN_ROWS] = true,
		[REL_CALL_TREE] = true,
		[REL_ROUTINE_TOTALS] = true,
		[REL_TOTALS] = true,
		[REL_ROUTINE_IDENTITIES] = true,
	};

	return large[r];
}
