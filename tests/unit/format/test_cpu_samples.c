/* Compares the calls and samples of random CPU profiles with those of a simple implementation, which only
 * walks lists. */
#include "base/strbuf.h"
#include "format/common/cpu_samples.h"
#include "tests/lib/random.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
	NODES = 12,
	SAMPLES = 40,
	PROFILES = 4000
};

/* A sink that writes the routines of each stack, and the samples with their stacks. */
struct taker {
	struct sink sink;
	struct strbuf said;
	char stacks[NODES * SAMPLES + 1][8 * NODES];
	stack_number count;
	size_t cycles;
};

static bool
take_routine(struct sink *s, uint32_t set, const struct routine_row *row, struct error *err)
{
	(void)s;
	(void)set;
	(void)row;
	(void)err;
	return true;
}

static bool
take_stack(struct sink *s, uint32_t set, const struct stack_row *row, stack_number *number,
	struct error *err)
{
	struct taker *t = (struct taker *)s;
	struct strbuf b = STRBUF_INIT(sizeof(t->stacks[0]));

	(void)set;
	(void)err;
	*number = ++t->count;
	for (size_t i = 0; i < row->count; i++)
		strbuf_printf(&b, " %" PRId64, row->routine_ids[i]);
	assert_false(b.failed);
	snprintf(t->stacks[*number], sizeof(t->stacks[0]), "%s", strbuf_str(&b));
	strbuf_release(&b);
	return true;
}

static bool
take_sample(struct sink *s, uint32_t set, const struct sample_row *row, struct error *err)
{
	struct taker *t = (struct taker *)s;

	(void)set;
	(void)err;
	strbuf_printf(&t->said, "%" PRId64 "+%" PRId64 ":%s\n", row->at.mantissa,
		row->values[0].mantissa, t->stacks[row->stack]);
	return true;
}

static bool
take_issue(struct sink *s, uint32_t set, const struct issue *issue, struct error *err)
{
	struct taker *t = (struct taker *)s;

	(void)set;
	(void)err;
	t->cycles += issue->code == ISSUE_PARENT_CYCLE;
	return true;
}

/* A random profile. parent is -1 for a node without a caller. */
struct profile {
	int count, parent[NODES];
	enum cpu_kind kind[NODES];
	int sampled[SAMPLES]; /* -1: a node that does not exist */
	int64_t at[SAMPLES], total;
};

static void
make(struct profile *p, uint64_t *seed)
{
	int64_t at = 0;

	p->count = 1 + (int)random_below(seed, NODES);
	for (int i = 0; i < p->count; i++) {
		/* Most callers precede the nodes that they call; the other callers can form cycles. */
		p->parent[i] = random_below(seed, 4) && i ? (int)random_below(seed, (unsigned)i)
							  : (int)random_below(seed, NODES + 1) - 1;
		if (p->parent[i] >= p->count)
			p->parent[i] = -1;
		p->kind[i] =
			random_below(seed, 2) ? CPU_CALL : (enum cpu_kind)random_below(seed, 5);
	}
	for (int i = 0; i < SAMPLES; i++) {
		at += (int64_t)random_below(seed, 8) - 1;
		p->at[i] = at;
		p->sampled[i] = random_below(seed, 3) && i
					? p->sampled[i - 1]
					: (int)random_below(seed, (unsigned)p->count + 1) - 1;
	}
	p->total = (int64_t)random_below(seed, 300);
}

/* --- the reference --------------------------------------------------------------------- */

/* Returns whether a walk from the node through its callers comes back to the node. */
static bool
in_cycle(const struct profile *p, int node)
{
	int at = p->parent[node];

	for (int i = 0; i < NODES && at >= 0; i++, at = p->parent[at])
		if (at == node)
			return true;
	return false;
}

/* The frames of a sample, innermost first: the attached nodes, then the node `base` and its callers. */
struct reference {
	const struct cpu_node *nodes; /* after the cycles were cut */
	int attached[SAMPLES], attached_count;
	int base;
};

static void
reference_switch(struct reference *r, const struct profile *p, int node)
{
	if (node < 0 || p->kind[node] != CPU_ATTACHED) {
		r->attached_count = 0;
		r->base = node;
		return;
	}
	for (int i = 0; i < r->attached_count; i++)
		if (r->attached[i] == node) {
			r->attached_count = i + 1;
			return;
		}
	r->attached[r->attached_count++] = node;
}

static void
reference_stack(const struct reference *r, const struct profile *p, struct strbuf *b)
{
	for (int i = r->attached_count; i-- > 0;)
		strbuf_printf(b, " %" PRIu32, r->nodes[r->attached[i]].routine);
	for (int at = r->base; at >= 0; at = (int)r->nodes[at].parent) {
		if (p->kind[at] != CPU_CALL && p->kind[at] != CPU_ATTACHED)
			break;
		strbuf_printf(b, " %" PRIu32, r->nodes[at].routine);
		if (r->nodes[at].parent == CPU_NONE)
			break;
	}
}

/* Writes the start and duration of each sample. A sample starts at its time, but not before the
 * previous sample. It lasts until another node is sampled. */
static void
reference_write(const struct profile *p, const struct cpu_node *nodes, struct strbuf *b)
{
	struct reference r = { .nodes = nodes, .base = -1 };
	struct strbuf stack = STRBUF_INIT(4096);
	int64_t since = 0, until;
	bool met = false;

	for (int i = 0; i <= SAMPLES; i++) {
		if (i > 0 && i < SAMPLES && p->sampled[i] == p->sampled[i - 1])
			continue;
		until = p->at[i < SAMPLES ? i : SAMPLES - 1];
		until = until < since ? since : until;
		if (met || until > since)
			strbuf_printf(b, "%" PRId64 "+%" PRId64 ":%s\n", 1000 + since,
				until - since, strbuf_str(&stack));
		strbuf_reset(&stack);
		since = until;
		met = true;
		if (i == SAMPLES)
			break;
		reference_switch(&r, p, p->sampled[i]);
		reference_stack(&r, p, &stack);
	}
	if (p->total > since)
		strbuf_printf(b, "%" PRId64 "+%" PRId64 ":\n", 1000 + since, p->total - since);
	strbuf_release(&stack);
}

/* --- the comparison -------------------------------------------------------------------- */

static void
add_nodes(struct cpu_calls *calls, const struct profile *p, uint64_t *seed)
{
	static const char *const names[] = {
		[CPU_ROOT] = "(root)", [CPU_IDLE] = "(idle)", [CPU_ATTACHED] = "(program)"
	};

	for (int i = 0; i < p->count; i++) {
		const uint32_t n = cpu_add(calls, CPU_NONE);
		char name[16];
		const char *special = names[p->kind[i]];
		struct cpu_function f = { .line = i, .column = -1 };

		snprintf(name, sizeof(name), "f%d", i);
		f.name = text_from(special ? special : name);
		if (p->kind[i] == CPU_NATIVE)
			f.url = TEXT_LITERAL("native dummy.js");
		calls->nodes[n].id = 100 + i;
		if (p->parent[i] >= 0 && random_below(seed, 2))
			calls->nodes[n].parent_id = 100 + p->parent[i];
		else if (p->parent[i] >= 0)
			cpu_set_child(calls, (uint32_t)p->parent[i], 100 + i);
		assert_true(cpu_set_function(calls, n, &f));
		assert_true(cpu_set_id(calls, n, 0));
	}
}

/* Checks that in each cycle one node loses its caller, and that nothing else changes. */
static void
check_callers(const struct cpu_calls *calls, const struct profile *p, size_t issues)
{
	size_t cut = 0, cycles = 0;

	for (int i = 0; i < p->count; i++) {
		uint32_t at = (uint32_t)i;

		if (calls->nodes[i].parent == CPU_NONE && p->parent[i] >= 0) {
			assert_true(in_cycle(p, i));
			cut++;
		} else {
			assert_int_equal((int)calls->nodes[i].parent, p->parent[i]);
		}
		for (int steps = 0; at != CPU_NONE; steps++, at = calls->nodes[at].parent)
			assert_true(steps < p->count);
		if (in_cycle(p, i)) { /* count each cycle once, at its smallest node */
			int smallest = i;

			for (int next = p->parent[i]; next != i; next = p->parent[next])
				smallest = next < smallest ? next : smallest;
			cycles += smallest == i;
		}
	}
	assert_int_equal(cut, cycles);
	assert_int_equal(calls->cycles, cycles);
	assert_int_equal(issues, cycles > 0);
}

static void
check_profile(const struct profile *p, uint64_t *seed)
{
	struct taker *t = calloc(1, sizeof(*t));
	struct error err = ERROR_INIT;
	struct reader in = { .err = &err };
	struct cpu_calls calls = { .in = &in };
	struct cpu_samples s = { .calls = &calls, .start = decimal_from_int64(1000) };
	struct strbuf expected;

	t->sink = (struct sink){ .routine = take_routine,
		.stack = take_stack,
		.sample = take_sample,
		.issue = take_issue };
	strbuf_init(&t->said, 1 << 20);
	strbuf_init(&expected, 1 << 20);
	in.sink = &t->sink;
	calls.frames = frame_dictionary_new(in.sink, 0);
	add_nodes(&calls, p, seed);
	assert_true(cpu_link(&calls));
	check_callers(&calls, p, t->cycles);
	reference_write(p, calls.nodes, &expected);
	for (int i = 0; i < SAMPLES; i++)
		assert_true(cpu_sample(
			&s, cpu_find(&calls, 100 + p->sampled[i]), decimal_from_int64(p->at[i])));
	assert_true(cpu_samples_end(
		&s, decimal_from_int64(p->at[SAMPLES - 1]), decimal_from_int64(p->total)));
	assert_string_equal(strbuf_str(&t->said), strbuf_str(&expected));
	cpu_samples_release(&s);
	cpu_calls_release(&calls);
	frame_dictionary_free(calls.frames);
	strbuf_release(&expected);
	strbuf_release(&t->said);
	free(t);
}

static void
test_random(void **state)
{
	uint64_t seed = 15;
	struct profile p;

	(void)state;
	for (int i = 0; i < PROFILES; i++) {
		make(&p, &seed);
		check_profile(&p, &seed);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_random) };

	return cmocka_run_group_tests_name("cpu_samples", tests, NULL, NULL);
}
