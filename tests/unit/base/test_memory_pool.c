/* Tests leases on a memory pool. The tests take all memory explicitly, because sanitizers replace malloc. */
#include "base/memory_pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum {
	LIMIT = 16 * 1024 * 1024,
	STEP = 64 * 1024 /* a lease takes up to this much more than it needs */
};

#define MIB INT64_C(1048576)

static struct memory_pool *
new_pool(void)
{
	struct error err = ERROR_INIT;
	struct memory_pool *p = memory_pool_new(LIMIT, 2, &err);

	assert_non_null(p);
	return p;
}

static void
end(struct memory_lease *l)
{
	memory_lease_leave(l);
	memory_lease_end(l);
}

static void
test_half(void **state)
{
	struct memory_pool *p = new_pool();
	struct memory_lease l;

	(void)state;
	memory_lease_begin(&l, p);
	assert_ptr_equal(memory_budget_in_use(), &l.budget);
	assert_true(memory_budget_fits(5 * MIB));
	assert_in_range(memory_pool_used(p), 5 * MIB, 5 * MIB + STEP);
	assert_true(memory_budget_fits(1 * MIB));
	assert_in_range(memory_pool_used(p), 5 * MIB, 5 * MIB + STEP);
	assert_false(memory_budget_fits(9 * MIB));
	assert_true(l.too_large);
	assert_in_range(memory_pool_used(p), 5 * MIB, 5 * MIB + STEP);
	end(&l);
	assert_null(memory_budget_in_use());
	assert_int_equal(memory_pool_used(p), 0);
	memory_pool_free(p);
}

static void
test_others(void **state)
{
	struct memory_pool *p = new_pool();
	struct memory_lease first;
	struct memory_lease second;

	(void)state;
	memory_lease_begin(&first, p);
	assert_true(memory_budget_fits(5 * MIB));
	memory_lease_begin(&second, p);
	assert_false(memory_budget_fits(4 * MIB));
	assert_false(second.too_large);
	assert_true(memory_budget_fits(2 * MIB));
	second.force = true;
	assert_true(memory_budget_fits(4 * MIB));
	end(&second);
	memory_lease_end(&first);
	atomic_store(&p->shares[1].used, 12 * MIB);
	memory_lease_begin(&second, p);
	assert_false(memory_budget_fits(5 * MIB));
	assert_false(second.too_large);
	assert_true(memory_budget_fits(3 * MIB));
	end(&second);
	assert_int_equal(memory_pool_used(p), 12 * MIB);
	memory_pool_free(p);
}

static void
test_keeps_what_is_used(void **state)
{
	struct memory_pool *p = new_pool();
	struct memory_lease l;

	(void)state;
	memory_lease_begin(&l, p);
	assert_true(memory_budget_fits(6 * MIB));
	atomic_store(&l.budget.used, 2 * MIB);
	memory_lease_leave(&l);
	assert_int_equal(memory_pool_used(p), 2 * MIB);
	memory_lease_end(&l);
	assert_int_equal(memory_pool_used(p), 0);
	memory_pool_free(p);
}

static void
test_buffers(void **state)
{
	struct memory_pool *p = new_pool();

	(void)state;
	assert_true(memory_pool_take_buffer(p, 2 * MIB));
	assert_false(memory_pool_take_buffer(p, 1)); /* an eighth of the limit is used */
	assert_int_equal(memory_pool_used(p), 2 * MIB);
	memory_pool_end_buffer(p, 1 * MIB);
	atomic_store(&p->shares[0].used, 15 * MIB);
	assert_false(memory_pool_take_buffer(p, 1));
	atomic_store(&p->shares[0].used, 14 * MIB);
	assert_true(memory_pool_take_buffer(p, 1 * MIB));
	memory_pool_end_buffer(p, 2 * MIB);
	assert_int_equal(memory_pool_used(p), 14 * MIB);
	memory_pool_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_half),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_keeps_what_is_used),
		cmocka_unit_test(test_buffers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
