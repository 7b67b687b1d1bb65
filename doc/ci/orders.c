/* A program with a leak, for the job in this folder; -DFIXED fixes the leak. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct order {
	char *name;
	int amount;
};

static struct order *
order_new(const char *name, int amount)
{
	struct order *o = malloc(sizeof(*o));

	o->name = malloc(strlen(name) + 1);
	memcpy(o->name, name, strlen(name) + 1);
	o->amount = amount;
	return o;
}

static void
order_free(struct order *o)
{
	free(o->name);
	free(o);
}

static int
total_of(int count)
{
	int total = 0;

	for (int i = 0; i < count; i++) {
		struct order *o = order_new("tea", i);

		total += o->amount;
#ifdef FIXED
		order_free(o);
#else
		if (i % 2)
			order_free(o);
#endif
	}
	return total;
}

int
main(void)
{
	printf("%d\n", total_of(6));
	return 0;
}
