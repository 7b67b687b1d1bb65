#include <stdio.h>
#include <stdlib.h>
int
fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
int odd(int n);
int
even(int n)
{
	return n == 0 ? 1 : odd(n - 1);
}
int
odd(int n)
{
	return n == 0 ? 0 : even(n - 1);
}
static inline __attribute__((always_inline)) int
sq(int x)
{
	int s = 0;
	for (int i = 0; i < x; i++)
		s += i * x;
	return s;
}
static int
cmp(const void *a, const void *b)
{
	return *(int *)a - *(int *)b;
}
int
work(int n)
{
	int *v = malloc(n * sizeof *v);
	for (int i = 0; i < n; i++)
		v[i] = (i * 7919) % 1000;
	qsort(v, n, sizeof *v, cmp);
	int r = sq(v[n / 2]);
	free(v);
	return r;
}
int
main()
{
	printf("%d %d %d\n", fib(12), even(20), work(300) + work(50));
	return 0;
}
