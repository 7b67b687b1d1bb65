/*
 * compare_profiles A B: do two files contain the same MiniProfiler profiles, in the same order,
 * as JSON values? The order of keys does not matter; numbers are compared as text. A file can be one
 * profile, an array, lines, Ruby's envelope or a share page.
 */
#include "input/json/json_tree.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	MAX_BYTES = 1 << 30,
	PATH_SIZE = 200
};

static char *
read_file(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	char *data = NULL;

	*size = 0;
	if (!f)
		return NULL;
	data = xmalloc((size_t)1 << 28);
	*size = fread(data, 1, ((size_t)1 << 28) - 1, f);
	data[*size] = '\0';
	fclose(f);
	return data;
}

/* Returns the profiles of a file as one array. */
static struct json_node *
profiles_of(struct arena *a, const char *path)
{
	struct error err = ERROR_INIT;
	size_t size;
	char *data = read_file(path, &size);
	const char *page = data && data[0] == '<' ? strstr(data, "var profiler = ") : NULL;
	const char *start = page ? page + 15 : data;
	const struct json_options options = { .source = path };
	struct json_node *all = json_tree_new(a, JSON_ARRAY, 0);
	struct json_reader *r;
	enum json_type type;

	if (!data)
		return NULL;
	r = json_reader_new_memory(start, size - (size_t)(start - data), 0, &options);
	while (json_peek(r, &type, &err) && type != JSON_END) {
		struct json_node *n = json_tree_read(r, a, MAX_BYTES, &err);
		struct json_node *list = n;

		if (!n)
			break;
		if (n->type == JSON_OBJECT && json_tree_member(n, TEXT_LITERAL("snapshots")))
			list = json_tree_member(n, TEXT_LITERAL("snapshots"));
		if (list->type == JSON_ARRAY) {
			for (struct json_node *i = list->first; i;) {
				struct json_node *next = i->next;

				i->next = NULL;
				json_tree_attach(all, i);
				i = next;
			}
		} else {
			json_tree_attach(all, n);
		}
		if (page)
			break;
	}
	json_reader_free(r);
	free(data);
	if (err.code == ERROR_NONE)
		return all;
	fprintf(stderr, "%s: %s\n", path, err.message);
	return NULL;
}

static bool
differ(const char *path, const struct json_node *n)
{
	printf("%s: differs at offset %llu of the first (%s)\n", path,
		(unsigned long long)n->offset, json_type_name(n->type));
	return false;
}

/* Recurses as deep as the documents; tests use thousands of levels. */
static bool
same(const struct json_node *a, const struct json_node *b, const char *path)
{
	const struct json_node *y = b->first;

	if (a->type != b->type || a->count != b->count || !text_equal(a->text, b->text))
		return differ(path, a);
	for (const struct json_node *x = a->first; x; x = x->next) {
		char below[PATH_SIZE];
		const struct json_node *other =
			a->type == JSON_OBJECT ? json_tree_member(b, x->key) : y;

		snprintf(below, sizeof(below), "%.150s/%.*s", path,
			text_precision(x->key.data ? x->key : TEXT_LITERAL("#"), 40),
			x->key.data ? x->key.data : "#");
		if (!other)
			return differ(below, x);
		if (!same(x, other, below))
			return false;
		if (y)
			y = y->next;
	}
	return true;
}

int
main(int argc, char **argv)
{
	struct arena a = ARENA_INIT;
	struct json_node *first, *second;
	int status = 1;

	if (argc != 3)
		return 2;
	first = profiles_of(&a, argv[1]);
	second = profiles_of(&a, argv[2]);
	if (first && second && first->count)
		status = same(first, second, "") ? 0 : 1;
	arena_release(&a);
	return status;
}
