#include "base/memory.h"
#include "model/call_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum {
	LONG_TEXT = 2000
};

/* Returns the node of a path such as "abc". Each letter is a routine; the outermost routine is first. */
static uint32_t
path(struct call_tree *t, const char *routines)
{
	uint32_t node = 0;

	for (; *routines; routines++)
		node = call_tree_child(t, node, *routines == '?' ? CALL_TREE_UNKNOWN : *routines);
	return node;
}

static void
self(struct call_tree *t, const char *routines, int value)
{
	call_tree_add_self(t, 0, path(t, routines), value);
}

static void
total(struct call_tree *t, const char *routines, int value)
{
	call_tree_add_total(t, 0, path(t, routines), value);
}

/* Checks that with any limit n, exactly the n nodes with the lowest ranks are kept. */
static void
assert_ranks(struct call_tree *t, const struct call_node *nodes, size_t count)
{
	for (size_t limit = 1; limit <= count; limit++) {
		size_t fewer_count;
		size_t found = 0;
		struct call_node *fewer = call_tree_nodes(t, 0, limit, &fewer_count);

		assert_int_equal(fewer_count, limit);
		for (size_t i = 0; i < count; i++) {
			if (nodes[i].rank >= limit)
				continue;
			assert_true(nodes[i].routine == fewer[found].routine);
			assert_int_equal(nodes[i].depth, fewer[found].depth);
			assert_int_equal(nodes[i].rank, fewer[found].rank);
			assert_true(!i || nodes[nodes[i].parent].rank < nodes[i].rank);
			found++;
		}
		assert_int_equal(found, limit);
		free(fewer);
	}
}

/* Checks the nodes of a tree. In `expected`, a node such as "0a:2/10*" is parent, routine, self/total, and * if
 * folded. */
static void
assert_tree(struct call_tree *t, size_t max_nodes, const char *expected)
{
	char got[LONG_TEXT] = "";
	size_t size = 0;
	size_t count;
	struct call_node *nodes = call_tree_nodes(t, 0, max_nodes, &count);

	for (size_t i = 0; i < count; i++) {
		const struct call_node *n = &nodes[i];

		assert_int_equal(n->depth, i ? nodes[n->parent].depth + 1 : 0);
		size += (size_t)snprintf(got + size, sizeof(got) - size, "%s%u%c:%lld/%lld%s",
			i ? " " : "", n->parent,
			i == 0 ? '-' : (n->routine < 0 ? '?' : (char)n->routine),
			(long long)n->self, (long long)n->total, n->folded ? "*" : "");
	}
	if (max_nodes)
		assert_ranks(t, nodes, count);
	free(nodes);
	assert_string_equal(got, expected);
}

static void
assert_routines(struct call_tree *t, const char *expected)
{
	char got[LONG_TEXT] = "";
	size_t size = 0;
	size_t count;
	struct routine_total *rows = call_tree_routines(t, 0, &count);

	for (size_t i = 0; i < count; i++)
		size += (size_t)snprintf(got + size, sizeof(got) - size, "%s%c:%lld/%lld",
			i ? " " : "", rows[i].routine < 0 ? '?' : (char)rows[i].routine,
			(long long)rows[i].self, (long long)rows[i].total);
	free(rows);
	assert_string_equal(got, expected);
}

static void
test_interning(void **state)
{
	struct call_tree *t = call_tree_new();
	uint32_t ab = path(t, "ab");

	(void)state;
	assert_int_equal(call_tree_size(t), 3);
	assert_int_equal(path(t, "ab"), ab);
	assert_int_not_equal(path(t, "ba"), ab);
	assert_int_equal(call_tree_size(t), 5);
	/* a node with so many children that the table of nodes must grow */
	for (int64_t i = 0; i < 100000; i++)
		assert_int_equal(call_tree_child(t, ab, i * 4096), 5 + i);
	for (int64_t i = 0; i < 100000; i++)
		assert_int_equal(call_tree_child(t, ab, i * 4096), 5 + i);
	call_tree_free(t);
	call_tree_free(NULL);
}

static void
test_by_self(void **state)
{
	struct call_tree *t = call_tree_new();

	(void)state;
	self(t, "abc", 3);
	self(t, "ab", 2);
	self(t, "ad", 4);
	self(t, "e", 1);
	self(t, "abc", 3);
	self(t, "zz", 0);
	assert_tree(t, 0, "0-:0/13 0a:0/12 1b:2/8 2c:6/6 1d:4/4 0e:1/1");
	assert_routines(t, "a:0/12 b:2/8 c:6/6 d:4/4 e:1/1");
	call_tree_free(t);
}

static void
test_by_total(void **state)
{
	struct call_tree *t = call_tree_new();

	(void)state;
	total(t, "ab", 4);
	total(t, "ab", 1);
	total(t, "ac", 2);
	total(t, "a", 10);
	/* a parent without its own total has the total of its children */
	total(t, "xy", 3);
	/* calls that overlap */
	total(t, "pq", 5);
	total(t, "pr", 5);
	total(t, "p", 7);
	assert_tree(t, 0, "0-:0/20 0a:3/10 1b:5/5 1c:2/2 0p:-3/7 4q:5/5 4r:5/5 0x:0/3 7y:3/3");
	assert_routines(t, "a:3/10 b:5/5 c:2/2 p:-3/7 q:5/5 r:5/5 x:0/3 y:3/3");
	call_tree_free(t);
}

static void
test_recursion(void **state)
{
	struct call_tree *t = call_tree_new();

	(void)state;
	self(t, "aba", 1);
	self(t, "abab", 2);
	self(t, "a", 4);
	self(t, "ba", 8);
	self(t, "??", 16);
	assert_routines(t, "?:16/16 a:13/15 b:2/11");
	call_tree_free(t);
}

static void
test_negative(void **state)
{
	struct call_tree *t = call_tree_new();

	(void)state;
	self(t, "ab", 5);
	self(t, "ac", -7);
	self(t, "de", 4);
	self(t, "df", -4);
	/* the total of d is 0, but d is as wide as its children together */
	assert_tree(t, 0, "0-:0/-2 0a:0/-2 1c:-7/-7 1b:5/5 0d:0/0 4e:4/4 4f:-4/-4");
	assert_tree(t, 4, "0-:0/-2* 0a:0/-2 1c:-7/-7 1b:5/5");
	assert_tree(t, 6, "0-:0/-2 0a:0/-2 1c:-7/-7 1b:5/5 0d:-4/0* 4e:4/4");
	assert_routines(t, "a:0/-2 b:5/5 c:-7/-7 d:0/0 e:4/4 f:-4/-4");
	call_tree_free(t);
}

/* The result must not depend on the order in which the nodes are created. */
static void
test_cut(void **state)
{
	static const char *const orders[][5] = {
		{ "ab", "ac", "de", "df", "ab" },
		{ "df", "de", "ac", "ab", "ab" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(orders); i++) {
		struct call_tree *t = call_tree_new();

		for (size_t k = 0; k < 5; k++)
			self(t, orders[i][k], 2);
		assert_tree(t, 7, "0-:0/10 0a:0/6 1b:4/4 1c:2/2 0d:0/4 4e:2/2 4f:2/2");
		assert_tree(t, 6, "0-:0/10 0a:0/6 1b:4/4 1c:2/2 0d:2/4* 4e:2/2");
		assert_tree(t, 4, "0-:0/10 0a:2/6* 1b:4/4 0d:4/4*");
		assert_tree(t, 3, "0-:4/10* 0a:2/6* 1b:4/4");
		assert_tree(t, 1, "0-:10/10*");
		call_tree_free(t);
	}
}

static void
test_nothing(void **state)
{
	struct call_tree *t = call_tree_new();
	size_t count = 7;

	(void)state;
	path(t, "abc");
	assert_null(call_tree_nodes(t, 3, 0, &count));
	assert_int_equal(count, 0);
	assert_null(call_tree_routines(t, 3, &count));
	assert_int_equal(count, 0);
	/* if the only value is 0, the tree has only a root */
	self(t, "abc", 0);
	assert_tree(t, 0, "0-:0/0");
	assert_tree(t, 2, "0-:0/0");
	assert_routines(t, "");
	call_tree_free(t);
}

static void
test_metrics_are_apart(void **state)
{
	struct call_tree *t = call_tree_new();
	size_t count;
	struct call_node *nodes;

	(void)state;
	self(t, "ab", 1);
	call_tree_add_self(t, CALL_TREE_MAX_METRICS - 1, path(t, "ac"), 5);
	nodes = call_tree_nodes(t, CALL_TREE_MAX_METRICS - 1, 0, &count);
	assert_int_equal(count, 3);
	assert_int_equal(nodes[2].routine, 'c');
	free(nodes);
	assert_tree(t, 0, "0-:0/1 0a:0/1 1b:1/1");
	call_tree_free(t);
}

/* Dense and sparse routine numbers, and nodes that are added after a call to call_tree_routines. */
static void
test_routine_numbers(void **state)
{
	static const int64_t far[] = { INT64_MIN, INT64_MAX, -7, 1000000, 0 };

	(void)state;
	for (size_t metrics = 1; metrics < 3; metrics++) {
		struct call_tree *t = call_tree_new();

		for (int64_t n = 1; n <= 5; n++) {
			struct routine_total *rows;
			size_t count;
			uint32_t outer = call_tree_child(t, 0, 3);
			int64_t routine = metrics == 1 ? 3 + n : far[n - 1];
			uint32_t inner = call_tree_child(t, outer, routine);

			/* Routine 3 calls itself, but the value is counted only once in its total. */
			call_tree_add_self(t, metrics, call_tree_child(t, inner, 3), n);
			rows = call_tree_routines(t, metrics, &count);
			assert_int_equal(count, n + 1);
			for (size_t i = 0; i < count; i++) {
				assert_true(!i || rows[i - 1].routine < rows[i].routine);
				if (rows[i].routine == routine)
					assert_true(rows[i].self == 0 && rows[i].total == n);
				if (rows[i].routine == 3)
					assert_true(rows[i].self == n * (n + 1) / 2 &&
						    rows[i].total == n * (n + 1) / 2);
			}
			free(rows);
			/* Metric 0 has a value in only one node. */
			if (n == 1)
				call_tree_add_self(t, 0, inner, 1);
			rows = call_tree_routines(t, 0, &count);
			assert_int_equal(count, 2);
			free(rows);
		}
		call_tree_free(t);
	}
}

static void
test_sums_saturate(void **state)
{
	static const wide_int most = (wide_int)(~(wide_bits)0 >> 1);
	struct call_tree *t = call_tree_new();
	size_t count;
	struct call_node *nodes;

	(void)state;
	for (int i = 0; i < 3; i++) {
		call_tree_add_self(t, 0, path(t, "a"), most);
		call_tree_add_self(t, 0, path(t, "b"), -most - 1);
	}
	nodes = call_tree_nodes(t, 0, 0, &count);
	assert_int_equal(count, 3);
	assert_true(nodes[1].self == -most - 1 && nodes[1].routine == 'b');
	assert_true(nodes[2].self == most && nodes[2].routine == 'a');
	free(nodes);
	call_tree_free(t);
}

/* Tests a chain of a million calls, and a tree with the maximum number of nodes. */
static void
test_depth_and_limit(void **state)
{
	struct call_tree *t = call_tree_new();
	uint32_t node = 0;
	size_t count;
	struct routine_total *rows;
	struct call_node *nodes;

	(void)state;
	for (int i = 0; i < 1000000; i++)
		node = call_tree_child(t, node, i & 1);
	call_tree_add_self(t, 0, node, 7);
	rows = call_tree_routines(t, 0, &count);
	assert_int_equal(count, 2);
	assert_true(rows[0].self == 0 && rows[0].total == 7);
	assert_true(rows[1].self == 7 && rows[1].total == 7);
	free(rows);
	nodes = call_tree_nodes(t, 0, CALL_TREE_STORED_NODES, &count);
	assert_int_equal(count, CALL_TREE_STORED_NODES);
	assert_true(nodes[count - 1].self == 7 && nodes[count - 1].folded);
	assert_int_equal(nodes[count - 1].depth, count - 1);
	free(nodes);
	while (call_tree_size(t) < CALL_TREE_MAX_NODES)
		call_tree_child(t, 0, (int64_t)call_tree_size(t));
	assert_int_equal(call_tree_child(t, 1, 5), 1);
	assert_int_equal(call_tree_child(t, 0, 0), 1);
	call_tree_add_self(t, 0, call_tree_child(t, 1, 5), 100);
	nodes = call_tree_nodes(t, 0, 2, &count);
	assert_int_equal(count, 2);
	assert_true(nodes[1].routine == 0 && nodes[1].self == 107 && nodes[1].folded);
	free(nodes);
	call_tree_free(t);
}

/* Checks the memory per node, because a load keeps all nodes of the call tree in memory. No two of the 50,000 stacks
 * share a node. */
static void
test_memory(void **state)
{
	enum {
		STACKS = 50000,
		FRAMES = 20,
		NODE_MAX_BYTES = 12, /* includes the node's sums */
	};
	struct memory_budget budget = { .limit = INT64_MAX };
	struct call_tree *t;
	size_t count;

	(void)state;
	memory_budget_use(&budget);
	t = call_tree_new();
	for (int64_t i = 0; i < STACKS; i++) {
		uint32_t node = 0;

		for (int64_t frame = 0; frame < FRAMES; frame++)
			node = call_tree_child(t, node, (i + 13 * frame) % STACKS);
		call_tree_add_self(t, 0, node, 1);
	}
	free(call_tree_nodes(t, 0, CALL_TREE_STORED_NODES, &count));
	assert_int_equal(count, CALL_TREE_STORED_NODES);
	free(call_tree_routines(t, 0, &count));
	assert_int_equal(count, STACKS);
	assert_int_equal(call_tree_size(t), STACKS * FRAMES + 1);
	/* In builds with sanitizers, the budget counts no memory. */
	assert_true(atomic_load(&budget.used) <= (long long)NODE_MAX_BYTES * STACKS * FRAMES);
	call_tree_free(t);
	memory_budget_use(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interning),
		cmocka_unit_test(test_by_self),
		cmocka_unit_test(test_by_total),
		cmocka_unit_test(test_recursion),
		cmocka_unit_test(test_negative),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_metrics_are_apart),
		cmocka_unit_test(test_routine_numbers),
		cmocka_unit_test(test_sums_saturate),
		cmocka_unit_test(test_depth_and_limit),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
