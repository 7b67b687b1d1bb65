/*
 * compare_json [--profiles] A B: checks that two files contain the same JSON value. The order of keys does
 * not matter. If a key is repeated, its last value is compared. Numbers are compared by value.
 *
 * With --profiles, the MiniProfiler profiles in the files are compared, and numbers are compared as
 * text. A file can be one profile, an array, one profile per line, Ruby's envelope or a share page.
 */
#include "input/json/json_tree.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	MAX_BYTES = 1 << 30,
	PATH_SIZE = 200
};

static struct json_node *
read_tree(struct arena *a, const char *path)
{
	const struct json_options options = { .source = path, .tolerate = 1 << JSON_BAD_UTF8 };
	struct error err = ERROR_INIT;
	FILE *f = fopen(path, "rb");
	struct json_node *n = NULL;
	struct json_reader *r;

	if (!f) {
		perror(path);
		return NULL;
	}
	r = json_reader_new_fd(fileno(f), &options);
	n = json_tree_read(r, a, MAX_BYTES, &err);
	json_reader_free(r);
	fclose(f);
	if (!n)
		fprintf(stderr, "%s\n", err.message);
	return n;
}

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

/* Returns a file's profiles as one array. */
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

/* If true, numbers are compared as text, and a repeated key differs from a single key. */
static bool exact;

static bool
same_scalar(const struct json_node *a, const struct json_node *b)
{
	struct decimal x, y;

	if (exact || a->type != JSON_NUMBER || text_equal(a->text, b->text))
		return text_equal(a->text, b->text);
	return decimal_parse(a->text, &x) == DECIMAL_OK &&
	       decimal_parse(b->text, &y) == DECIMAL_OK && decimal_compare(x, y) == 0;
}

static bool
differ(const char *path, const struct json_node *n)
{
	printf("%s: differs at offset %llu (%s)\n", path, (unsigned long long)n->offset,
		json_type_name(n->type));
	return false;
}

/* Checks that every member of a is also in b, with an equal value. The recursion is as deep as the
 * documents; tests use thousands of levels. */
static bool
within(const struct json_node *a, const struct json_node *b, const char *path)
{
	const struct json_node *y = b->first;
	size_t items = 0;

	if (a->type != b->type || (exact && a->count != b->count) || !same_scalar(a, b))
		return differ(path, a);
	for (const struct json_node *x = a->first; x; x = x->next, items++) {
		char below[PATH_SIZE];
		const struct json_node *other = y;

		if (a->type == JSON_OBJECT) {
			if (json_tree_member(a, x->key) != x)
				continue;
			other = json_tree_member(b, x->key);
			snprintf(below, sizeof(below), "%.150s/%.*s", path,
				text_precision(x->key, 40), x->key.data);
		} else {
			snprintf(below, sizeof(below), "%.150s/%zu", path, items);
		}
		if (!other)
			return differ(below, x);
		if (!within(x, other, below))
			return false;
		y = y ? y->next : NULL;
	}
	return a->type != JSON_ARRAY || !y ? true : differ(path, b);
}

int
main(int argc, char **argv)
{
	struct arena a = ARENA_INIT;
	struct json_node *first, *second;
	int status = 1;

	exact = argc == 4 && strcmp(argv[1], "--profiles") == 0;
	if (argc != (exact ? 4 : 3))
		return 2;
	first = (exact ? profiles_of : read_tree)(&a, argv[argc - 2]);
	second = (exact ? profiles_of : read_tree)(&a, argv[argc - 1]);
	if (first && second && (!exact || first->count))
		status = within(first, second, "") && within(second, first, "") ? 0 : 1;
	arena_release(&a);
	return status;
}
