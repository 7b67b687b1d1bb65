/* Builds the whole tree from totals by stack or from spans. */
#include "model/call_tree.h"
#include "store/id_array_private.h"
#include "store/store_private.h"
#include "tree_private.h"

#include <stdlib.h>

/* Takes one stack, innermost frame first, with its sum. */
static bool
take_stack(void *self, const struct db_result *row, struct error *err)
{
	struct call_tree *tree = self;
	struct text ids = db_result_value(row, 0, 0);
	uint32_t node = 0;
	int64_t *path;
	size_t count = 0;

	(void)err;
	if (!text_is_null(ids)) {
		struct id_array array = array_open(ids);

		path = xmalloc(((size_t)array.left + 1) * sizeof(*path));
		while (array_next(&array, &path[count]))
			count++;
		while (count > 0)
			node = call_tree_child(tree, node, path[--count]);
		free(path);
	}
	call_tree_add_self(tree, 0, node, tree_fixed(db_result_value(row, 0, 1)));
	return true;
}

static void
take_nodes(struct arena *a, struct call_tree *tree, struct plain_tree *out)
{
	size_t count;
	struct call_node *nodes = call_tree_nodes(tree, 0, 0, &count);

	out->nodes = arena_alloc_array(a, count, sizeof(*out->nodes));
	out->count = out->all_nodes = count;
	for (size_t i = 0; i < count; i++)
		out->nodes[i] = (struct plain_node){ .parent = nodes[i].parent,
			.depth = nodes[i].depth,
			.routine = nodes[i].routine == CALL_TREE_UNKNOWN ? INT64_MIN
									 : nodes[i].routine,
			.self = nodes[i].self,
			.total = nodes[i].total,
			.folded = nodes[i].folded };
	free(nodes);
}

bool
tree_read_facts(struct db *db, struct arena *a, const struct tree_metric *m, struct plain_tree *out,
	struct error *err)
{
	static const char *const files[] = {
		[METRIC_OF_OBJECTS] = "store/tree_live",
		[METRIC_OF_ERRORS] = "store/tree_errors",
		[METRIC_OF_SAMPLES] = "store/tree_samples",
	};
	const int32_t number = (int32_t)m->number;
	struct call_tree *tree = call_tree_new();
	bool ok;

	if (m->family == METRIC_OF_SPANS)
		ok = tree_add_spans(db, m->inst_id, &number, 1, tree, err);
	else
		ok = db_query_each_binary(db, store_sql(files[m->family]),
			SQL_VALUES(SQL_STORE_TREE_LIVE, [SQL_STORE_TREE_LIVE_INST_ID] = m->inst_id,
				[SQL_STORE_TREE_LIVE_METRIC] =
					arena_strndup(a, m->name.data, m->name.size)),
			SQL_STORE_TREE_LIVE_PARAMS, take_stack, tree, err);
	if (ok)
		take_nodes(a, tree, out);
	call_tree_free(tree);
	return ok;
}
