/* Reads a block after it was freed. */
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

volatile char *volatile block;
volatile int zero;

NOINLINE void
make(size_t n)
{
	block = malloc(n);
}

NOINLINE void
drop(void)
{
	free((void *)block);
}

NOINLINE int
use(void)
{
	return block[zero];
}

int
main(int argc, char **argv)
{
	(void)argv;
	make(8 * (size_t)argc);
	drop();
	return use() == 77;
}
