/* Makes blocks that are still reachable, definitely lost, indirectly lost, or freed at the end. */
#include <stdlib.h>
#include <string.h>

struct node {
	struct node *next;
	char *name;
};

static void *volatile kept;
static void *volatile passing;

static void *
make(size_t size)
{
	return malloc(size);
}

static struct node *
make_chain(int length)
{
	struct node *first = NULL;

	for (int i = 0; i < length; i++) {
		struct node *n = make(sizeof(*n));

		n->next = first;
		n->name = strdup("name");
		first = n;
	}
	return first;
}

static void
lose(int count)
{
	for (int i = 0; i < count; i++)
		passing = make(100);
	passing = NULL;
}

static void
use_and_free(int count)
{
	for (int i = 0; i < count; i++)
		free(make(1000));
}

int
main(void)
{
	passing = make_chain(5);
	passing = NULL;
	lose(3);
	use_and_free(10);
	kept = make(64);
	return 0;
}
