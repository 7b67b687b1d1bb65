/* Leaks in functions of different kinds: members, overloads, templates, lambdas, local functions. */
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define NOINLINE __attribute__((noinline))

void *volatile sink;

namespace shop
{
template <typename T> struct box {
	NOINLINE void
	fill(int n)
	{
		sink = malloc(sizeof(T) * (size_t)n);
	}
};

struct basket {
	NOINLINE void add(const std::string &s);
	NOINLINE void add(int n);
};

NOINLINE void
basket::add(const std::string &s)
{
	sink = strdup(s.c_str());
}

NOINLINE void
basket::add(int n)
{
	sink = malloc((size_t)n);
}
}

namespace
{
NOINLINE void
hidden(int n)
{
	sink = new int[n];
}
}

/* Two lines with the same finding. */
NOINLINE void
two_lines(int n)
{
	sink = malloc((size_t)n);
	sink = malloc((size_t)n + 1);
}

/* One finding at any depth of recursion. */
NOINLINE int
recurse(int n)
{
	if (n == 0) {
		sink = malloc(77);
		return 1;
	}
	return 1 + recurse(n - 1);
}

template <int N>
NOINLINE void *
numbered()
{
	return calloc(N, 3);
}

template <typename F>
NOINLINE void
call(F f)
{
	f();
}

NOINLINE void
many()
{
	sink = new std::vector<int>(100);
}

int
main(int argc, char **)
{
	shop::box<int> a;
	shop::box<double> b;
	shop::basket basket;

	a.fill(10);
	b.fill(11);
	basket.add("abc");
	basket.add(5 * argc);
	hidden(3);
	two_lines(9);
	recurse(4 * argc);
	recurse(6 * argc);
	sink = numbered<4>();
	sink = numbered<5>();
	call([] { sink = malloc(33); });
	call([] { sink = malloc(34); });
	many();
	for (int i = 0; i < 3; i++)
		two_lines(1); /* overwrites other pointers that are still on the stack */
	sink = nullptr;
	return 0;
}
