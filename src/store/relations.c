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
