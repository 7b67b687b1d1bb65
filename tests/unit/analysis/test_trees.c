/* Tests cutting, filtering, inverting and comparing small handmade and large random call trees. */
#include "analysis/trees.h"
#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static wide_int
fixed(int64_t v)
{
	return fixed_from_wide(v);
}

/* --- small trees ----------------------------------------------------------------------------- */

enum {
	NAMES = 26
};

/* Returns the frames "a", "b", ... in the modules m.so and n.so. */
static const struct table_frame *
letters(struct arena *a)
{
	struct table_frame *names = arena_alloc_array(a, NAMES, sizeof(*names));

	for (int i = 0; i < NAMES; i++)
		names[i] = (struct table_frame){ .module_name = text_from(i % 2 ? "n.so" : "m.so"),
			.routine_name = text_from(arena_printf(a, "%c", 'a' + i)),
			.source_line = TABLE_NO_LINE };
	return names;
}

/* Makes a tree from a text such as "0:5 1a:3 2b:-1". It lists the nodes in preorder, each with depth, name and self
 * value. */
static struct tree *
make(struct arena *a, const char *text)
{
	char *s = arena_strdup(a, text);
	struct tree *t = tree_new(a, strlen(s) + 1);
	uint32_t path[64] = { 0 };

	t->names = letters(a);
	t->name_count = NAMES;
	t->metric = text_from("m");
	t->unit = text_from("count");
	t->set.inst_id = text_from("1");
	t->count = 0;
	while (*s) {
		struct tree_node *n = &t->nodes[t->count];

		n->depth = (uint32_t)strtoul(s, &s, 10);
		if (n->depth) {
			n->name = (uint32_t)(*s++ - 'a');
			n->parent = path[n->depth - 1];
		}
		path[n->depth] = (uint32_t)t->count++;
		n->self = fixed(strtol(s + 1, &s, 10));
		s += strspn(s, " ");
	}
	tree_sum(t);
	t->all_nodes = t->count;
	t->all_total = t->nodes[0].total;
	return t;
}

static void
put_value(struct strbuf *b, wide_int v)
{
	char digits[DECIMAL_FIXED_TEXT_MAX];

	strbuf_append(b, digits, fixed_format(v, digits));
}

/* Compares a tree with a text. The notation is that of `make`, with additions to each node: "=total", then '*' if the
 * node is folded, then "/self=total" with the values of the base. */
static void
check(const struct tree *t, const char *expected)
{
	struct strbuf b;

	strbuf_init(&b, 1 << 20);
	for (size_t i = 0; i < t->count; i++) {
		const struct tree_node *n = &t->nodes[i];

		strbuf_printf(&b, "%s%u", i ? " " : "", n->depth);
		if (i)
			tree_node_label(t, i, &b);
		strbuf_append_char(&b, ':');
		put_value(&b, n->self);
		strbuf_append_char(&b, '=');
		put_value(&b, n->total);
		if (tree_is_compared(t)) {
			strbuf_append_char(&b, '/');
			put_value(&b, n->base_self);
			strbuf_append_char(&b, '=');
			put_value(&b, n->base_total);
		}
		strbuf_append_str(&b, n->folded ? "*" : "");
		assert_true(i == 0 || (n->parent < i && t->nodes[n->parent].depth + 1 == n->depth));
	}
	assert_string_equal(strbuf_str(&b), expected);
	strbuf_release(&b);
}

static const char sample[] = "0:1 1a:10 2b:5 3a:4 2c:3 1c:7 2b:2 3d:0 4e:1";

static void
test_sums(void **state)
{
	struct arena a = ARENA_INIT;

	(void)state;
	check(make(&a, sample),
		"0:1=33 1a:10=22 2b:5=9 3a:4=4 2c:3=3 1c:7=10 2b:2=3 3d:0=1 4e:1=1");
	check(make(&a, "0:0"), "0:0=0");
	/* Negative self values reduce the total, but they increase the weight, which is the width in a picture. */
	assert_true(make(&a, "0:0 1a:-2 2b:5")->nodes[1].weight == fixed(7));
	assert_true(make(&a, "0:0 1a:-2 2b:5")->nodes[1].total == fixed(3));
	arena_release(&a);
}

static void
test_cut(void **state)
{
	struct arena a = ARENA_INIT;
	struct tree *t = make(&a, sample);

	(void)state;
	check(tree_cut(&a, t, 4), "0:1=33 1a:13=22* 2b:9=9* 1c:10=10*");
	check(tree_cut(&a, t, 1), "0:33=33*");
	check(tree_cut(&a, t, 0),
		"0:1=33 1a:10=22 2b:5=9 3a:4=4 2c:3=3 1c:7=10 2b:2=3 3d:0=1 4e:1=1");
	assert_int_equal(tree_cut(&a, t, 4)->all_nodes, 9);
	/* A child that is heavier than its parent's total stays below the parent. */
	check(tree_cut(&a, make(&a, "0:0 1a:-9 2b:10 1c:5"), 3), "0:5=6* 1a:-9=1 2b:10=10");
	/* The total is 33. Nodes with less than 10 % of it are folded. */
	check(tree_narrow(&a, t, 10), "0:1=33 1a:13=22* 2b:5=9 3a:4=4 1c:10=10*");
	check(tree_narrow(&a, t, 0),
		"0:1=33 1a:10=22 2b:5=9 3a:4=4 2c:3=3 1c:7=10 2b:2=3 3d:0=1 4e:1=1");
	arena_release(&a);
}

static struct option_list
globs(const char **items, size_t count)
{
	return (struct option_list){ items, count };
}

static void
test_filter(void **state)
{
	static const char *b[] = { "B" };
	static const char *n[] = { "n.*" };
	static const char *bc[] = { "b", "c" };
	static const char *none[] = { "nothing*" };
	const struct option_list all = globs(NULL, 0);
	struct option_list focus = globs(b, 1);
	struct option_list ignore = globs(n, 1);
	struct arena a = ARENA_INIT;
	struct tree *t = make(&a, sample);

	(void)state;
	check(tree_filter(&a, t, &focus, &all),
		"0:0=12 1a:0=9 2b:5=9 3a:4=4 1c:0=3 2b:2=3 3d:0=1 4e:1=1");
	check(tree_filter(&a, t, &all, &focus), "0:1=21 1a:10=13 2c:3=3 1c:7=7");
	check(tree_filter(&a, t, &all, &ignore), "0:1=21 1a:10=13 2c:3=3 1c:7=7");
	focus = globs(bc, 2);
	ignore = globs(b, 1);
	check(tree_filter(&a, t, &focus, &ignore), "0:0=10 1c:7=7 1a:0=3 2c:3=3");
	focus = globs(none, 1);
	check(tree_filter(&a, t, &focus, &all), "0:0=0");
	assert_true(tree_filter(&a, t, &focus, &all)->all_total == fixed(33));
	arena_release(&a);
}

static void
test_invert(void **state)
{
	struct arena a = ARENA_INIT;
	struct tree *t = make(&a, sample);

	(void)state;
	check(tree_invert(&a, t, 0, 0),
		"0:1=33 1a:10=14 2b:0=4 3a:4=4 1c:7=10 2a:3=3 1b:0=7 2a:5=5 "
		"2c:2=2 1e:0=1 2d:0=1 3b:0=1 4c:1=1");
	/* The heaviest nodes are expanded first, until the limit is reached. */
	check(tree_invert(&a, t, 5, 0), "0:1=33 1a:14=14* 1c:10=10* 1b:7=7* 1e:1=1*");
	check(tree_invert(&a, t, 3, 0), "0:12=33* 1a:14=14* 1b:7=7*");
	assert_true(tree_invert(&a, t, 0, 0)->inverted);
	check(tree_invert(&a, make(&a, "0:3"), 0, 0), "0:3=3");
	arena_release(&a);
}

static void
test_compare(void **state)
{
	struct arena a = ARENA_INIT;
	struct tree *t = make(&a, sample);
	struct tree *base = make(&a, "0:2 1c:1 2b:9 1a:10 2d:1");

	(void)state;
	base->set.inst_id = text_from("2");
	check(tree_compare(&a, t, base),
		"0:1=33/2=23 1a:10=22/10=11 2b:5=9/0=0 3a:4=4/0=0 2c:3=3/0=0 2d:0=0/1=1 "
		"1c:7=10/1=10 2b:2=3/9=9 3d:0=1/0=0 4e:1=1/0=0");
	arena_release(&a);
}

/* A call that one of the cut trees may omit stays only if the difference is certain. */
static void
test_compare_cut(void **state)
{
	struct arena a = ARENA_INIT;
	struct tree *t = make(&a, "0:0 1a:0 2b:100 2c:3 2d:1");
	struct tree *base = make(&a, "0:0 1a:0 2b:90 2e:60 2c:2 2d:2");
	struct tree *both;

	(void)state;
	base->set.inst_id = text_from("2");
	both = tree_compare(&a, tree_cut(&a, t, 4), tree_cut(&a, base, 4));
	check(both, "0:0=104/0=154 1a:4=104/4=154* 2b:100=100/90=90 2e:0=0/60=60");
	assert_true(both->more);
	/* The base is complete, so c and d are known in it. d of the other tree is unknown. */
	both = tree_compare(&a, tree_cut(&a, t, 4), base);
	check(both, "0:0=104/0=154 1a:1=104/2=154* 2b:100=100/90=90 2e:0=0/60=60 2c:3=3/2=2");
	assert_false(tree_compare(&a, t, base)->more);
	arena_release(&a);
}

static void
test_frames(void **state)
{
	struct arena a = ARENA_INIT;
	struct tree *t = make(&a, sample);
	size_t count;
	struct tree_frame *f = tree_frames(&a, t, &count);

	(void)state;
	assert_int_equal(count, 5);
	/* The self value of a is 14. A recursive call is counted only once in the total. */
	assert_int_equal(f[0].name, 0);
	assert_true(f[0].self == fixed(14) && f[0].total == fixed(22));
	assert_int_equal(f[1].name, 2);
	assert_true(f[1].self == fixed(10) && f[1].total == fixed(13));
	assert_int_equal(f[2].name, 1);
	assert_true(f[2].self == fixed(7) && f[2].total == fixed(12));
	assert_int_equal(f[4].name, 3);
	assert_true(f[4].self == 0 && f[4].total == fixed(1));
	arena_release(&a);
}

/* --- large trees ----------------------------------------------------------------------------- */

static uint64_t
next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Makes a tree whose depths are a random walk. If only_down is set, the tree is a chain. */
static struct tree *
grow(struct arena *a, uint64_t seed, size_t count, bool only_down)
{
	struct tree *t = tree_new(a, count);
	uint32_t *path = xcalloc(count + 1, sizeof(*path));

	t->names = letters(a);
	t->name_count = NAMES;
	t->set.inst_id = text_from("1");
	t->count = count;
	for (size_t i = 1; i < count; i++) {
		uint32_t above = t->nodes[i - 1].depth;
		struct tree_node *n = &t->nodes[i];

		n->depth = only_down ? above + 1 : (uint32_t)(next_random(&seed) % (above + 1)) + 1;
		if (!only_down && n->depth + 3 < above + 1)
			n->depth = above - 1;
		n->parent = path[n->depth - 1];
		n->name = (uint32_t)(next_random(&seed) % NAMES);
		n->self = fixed((int64_t)(next_random(&seed) % 100)) * (next_random(&seed) % 3 > 0);
		path[n->depth] = (uint32_t)i;
	}
	free(path);
	tree_sum(t);
	t->all_nodes = count;
	t->all_total = t->nodes[0].total;
	return t;
}

/* Checks that the total of each node at level 1 of the inverted tree is the self value of the frame with the
 * same name. */
static void
check_inverted(struct arena *a, const struct tree *t, size_t max_nodes)
{
	struct tree *v = tree_invert(a, t, max_nodes, 0);
	size_t count;
	struct tree_frame *frames = tree_frames(a, t, &count);
	wide_int *self = arena_alloc_array(a, t->name_count, sizeof(*self));

	assert_true(v->nodes[0].total == t->nodes[0].total);
	assert_true(max_nodes == 0 || v->count <= max_nodes);
	for (size_t i = 0; i < count; i++)
		self[frames[i].name] = frames[i].self;
	for (size_t i = 1; i < v->count; i++)
		if (v->nodes[i].depth == 1)
			assert_true(v->nodes[i].total == self[v->nodes[i].name]);
}

/* With a percentage, tree_invert may omit callers that tree_narrow would remove. Checks that the result of tree_narrow
 * is the same with and without these callers. */
static void
check_narrowed(struct arena *a, const struct tree *t, size_t max_nodes, double percent)
{
	struct tree *x = tree_narrow(a, tree_invert(a, t, max_nodes, 0), percent);
	struct tree *y = tree_narrow(a, tree_invert(a, t, max_nodes, percent), percent);

	assert_int_equal(x->count, y->count);
	for (size_t i = 0; i < x->count; i++) {
		assert_int_equal(x->nodes[i].parent, y->nodes[i].parent);
		assert_int_equal(x->nodes[i].name, y->nodes[i].name);
		assert_int_equal(x->nodes[i].folded, y->nodes[i].folded);
		assert_true(x->nodes[i].self == y->nodes[i].self);
		assert_true(x->nodes[i].base_self == y->nodes[i].base_self);
		assert_true(x->nodes[i].weight == y->nodes[i].weight);
	}
}

static void
test_narrow_inverted(void **state)
{
	static const double percents[] = { 0.1, 0.5, 2, 5, 30 };

	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct arena a = ARENA_INIT;
		struct tree *mixed = grow(&a, seed * 31, 2000, false);
		struct tree *positive = grow(&a, seed * 31, 2000, false);
		struct tree *both = tree_compare(&a, positive, grow(&a, seed * 57, 1500, false));

		for (size_t i = 0; i < mixed->count; i += 3)
			mixed->nodes[i].self = -mixed->nodes[i].self;
		tree_sum(mixed);
		for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
			check_narrowed(&a, mixed, 0, percents[i]);
			check_narrowed(&a, positive, 0, percents[i]);
			check_narrowed(&a, positive, 300, percents[i]);
			check_narrowed(&a, both, 0, percents[i]);
		}
		assert_true(tree_invert(&a, positive, 0, 5)->count <
			    tree_invert(&a, positive, 0, 0)->count);
		arena_release(&a);
	}
}

static void
test_random(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct arena a = ARENA_INIT;
		struct tree *t = grow(&a, seed * 77, 2000, false);
		struct tree *base = grow(&a, seed * 99, 1500, false);
		struct tree *both, *back;

		base->set.inst_id = text_from("2");
		check_inverted(&a, t, 0);
		check_inverted(&a, t, 300);
		both = tree_compare(&a, t, base);
		assert_true(both->nodes[0].total == t->nodes[0].total);
		assert_true(both->nodes[0].base_total == base->nodes[0].total);
		back = tree_compare(&a, base, t);
		assert_int_equal(both->count, back->count);
		for (size_t n = 1; n < 2000; n += 333) {
			struct tree *cut = tree_cut(&a, t, n);

			assert_int_equal(cut->count, n);
			assert_true(cut->nodes[0].total == t->nodes[0].total);
		}
		arena_release(&a);
	}
}

/* A stack of 200,000 frames shows that the functions are not recursive. */
static void
test_deep(void **state)
{
	struct arena a = ARENA_INIT;
	struct tree *t = grow(&a, 5, 200000, true);
	struct tree *v;
	size_t count;

	(void)state;
	assert_int_equal(tree_cut(&a, t, 150000)->count, 150000);
	assert_int_equal(tree_compare(&a, t, t)->count, 200000);
	tree_frames(&a, t, &count);
	assert_int_equal(count, NAMES);
	v = tree_invert(&a, t, 8192, 0);
	assert_true(v->nodes[0].total == t->nodes[0].total);
	assert_true(v->count <= 8192);
	arena_release(&a);
}

static void
test_labels(void **state)
{
	const struct table_frame frames[] = {
		{ .class_name = TEXT_LITERAL("C"), .routine_name = TEXT_LITERAL("f") },
		{ .class_name = TEXT_LITERAL(""), .routine_name = TEXT_LITERAL("f") },
		{ .module_name = TEXT_LITERAL("m"), .class_name = TEXT_LITERAL("C") },
		{ .class_name = TEXT_LITERAL("C") },
	};
	static const char *const labels[] = { "C.f", "f", "[m]", "(unknown)" };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct strbuf b;

		strbuf_init(&b, 100);
		tree_label(&frames[i], &b);
		assert_string_equal(strbuf_str(&b), labels[i]);
		strbuf_release(&b);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_invert),
		cmocka_unit_test(test_compare),
		cmocka_unit_test(test_compare_cut),
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_narrow_inverted),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_labels),
	};

	return cmocka_run_group_tests_name("trees", tests, NULL, NULL);
}
