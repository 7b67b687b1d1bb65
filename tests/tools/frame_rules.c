/*
 * frame_rules: reads lines in PostgreSQL's COPY text format with module, class, routine, file and
 * unit. For each line it prints the owner (own, system or allocator), a tab, and the routine's
 * normal form, escaped as in COPY.
 */
#include "model/frame_name.h"
#include "model/frame_owner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NAME_LIMIT_BYTES = 16 * 1024 * 1024
};

/* Replaces the escapes \\, \t, \n and \r by their characters; returns the new size. */
static size_t
unescape(char *s, size_t size)
{
	size_t out = 0;

	for (size_t i = 0; i < size; i++) {
		if (s[i] != '\\' || i + 1 == size) {
			s[out++] = s[i];
			continue;
		}
		i++;
		s[out++] = s[i] == 't' ? '\t' : s[i] == 'n' ? '\n' : s[i] == 'r' ? '\r' : s[i];
	}
	return out;
}

static void
print_escaped(struct text t)
{
	for (size_t i = 0; i < t.size; i++) {
		if (t.data[i] == '\\')
			putchar('\\');
		putchar(t.data[i]);
	}
	putchar('\n');
}

int
main(void)
{
	static const char *const owners[] = { "own", "system", "allocator" };
	char *line = NULL;
	size_t room = 0;
	ssize_t size;

	while ((size = getline(&line, &room, stdin)) > 0) {
		struct text columns[5] = { { NULL, 0 } };
		struct strbuf name;
		char *at = line;

		if (line[size - 1] == '\n')
			line[--size] = '\0';
		for (int i = 0; i < 5; i++) {
			size_t n = strcspn(at, "\t");
			char *next = at + n + (at[n] == '\t');

			columns[i] = (struct text){ at, unescape(at, n) };
			at = next;
		}
		strbuf_init(&name, NAME_LIMIT_BYTES);
		frame_name_normal(&name, columns[4], columns[1], columns[2]);
		printf("%s\t", owners[frame_owner_of(columns[0], columns[1], columns[2], columns[3],
				       columns[4])]);
		print_escaped(strbuf_text(&name));
		strbuf_release(&name);
	}
	free(line);
	return 0;
}
