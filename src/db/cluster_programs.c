/* Finds a PostgreSQL server's programs. */
#define _XOPEN_SOURCE 700 /* for realpath and glob */

#include "cluster_private.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	PROGRAMS_MAX = 32
};

struct found {
	struct arena *arena;
	struct server_programs items[PROGRAMS_MAX];
	size_t count;
};

/* Runs a program from this directory with one option. Returns its output, or NULL if it fails. */
static const char *
ask_program(struct arena *arena, const char *dir, const char *program, const char *option)
{
	const char *argv[] = { arena_printf(arena, "%s/%s", dir, program), option, NULL };
	struct account self = { .name = "profdepot", .directory = "/" };
	struct error ignored = ERROR_INIT;
	struct child child;

	if (access(argv[0], X_OK) != 0 ||
		!account_exec(&self, arena, argv, NULL, &child, &ignored) || child.status != 0)
		return NULL;
	return child.output;
}

/* "postgres (PostgreSQL) 15.20 (Debian ...)" */
static int
ask_major(struct arena *arena, const char *bin)
{
	const char *version = ask_program(arena, bin, "postgres", "--version");
	const char *number = version ? strstr(version, "PostgreSQL) ") : NULL;

	if (number)
		number += 11;
	else if (version)
		number = strrchr(version, ')');
	return number ? (int)strtol(number + 1, NULL, 10) : 0;
}

static bool
is_known(const struct found *f, const char *bin)
{
	for (size_t i = 0; i < f->count; i++)
		if (strcmp(f->items[i].bin, bin) == 0)
			return true;
	return false;
}

/* Resolves the links in dir/postgres. Adds the directory of the result if it also contains initdb. */
static void
add_bin(struct found *f, const char *dir)
{
	char *real = realpath(arena_printf(f->arena, "%s/postgres", dir), NULL);
	const char *bin;

	if (!real)
		return;
	*strrchr(real, '/') = '\0';
	bin = arena_strdup(f->arena, real);
	free(real);
	if (f->count == PROGRAMS_MAX || is_known(f, bin))
		return;
	if (access(arena_printf(f->arena, "%s/postgres", bin), X_OK) != 0 ||
		access(arena_printf(f->arena, "%s/initdb", bin), X_OK) != 0)
		return;
	f->items[f->count] = (struct server_programs){ bin, ask_major(f->arena, bin) };
	f->count++;
}

static void
add_pattern(struct found *f, const char *pattern)
{
	glob_t g;

	if (glob(pattern, 0, NULL, &g) != 0)
		return;
	for (size_t i = 0; i < g.gl_pathc; i++)
		add_bin(f, g.gl_pathv[i]);
	globfree(&g);
}

/* Asks this directory's pg_config where the server's programs are. */
static void
add_pg_config(struct found *f, const char *dir)
{
	const char *output = ask_program(f->arena, dir, "pg_config", "--bindir");

	if (output)
		add_bin(f, arena_strndup(f->arena, output, strcspn(output, "\r\n")));
}

static void
add_path(struct found *f)
{
	const char *path = getenv("PATH");

	while (path && *path) {
		size_t n = strcspn(path, ":");

		if (n && path[0] == '/') {
			const char *dir = arena_strndup(f->arena, path, n);

			add_bin(f, dir);
			add_pg_config(f, dir);
		}
		path += n + (path[n] == ':');
	}
}

static void
find_all(struct found *f)
{
	add_pattern(f, "/usr/lib/postgresql/*/bin");
	add_pattern(f, "/usr/pgsql-*/bin");
	add_pattern(f, "/usr/local/pgsql/bin");
	add_path(f);
}

static const struct server_programs *
pick(const struct found *f, int major)
{
	const struct server_programs *best = NULL;

	for (size_t i = 0; i < f->count; i++) {
		const struct server_programs *p = &f->items[i];

		if (p->major < CLUSTER_MIN_MAJOR || (major && p->major != major))
			continue;
		if (!best || p->major > best->major)
			best = p;
	}
	return best;
}

const char *
programs_list(struct arena *arena)
{
	struct found f = { .arena = arena };
	const char *list = "none";

	find_all(&f);
	for (size_t i = 0; i < f.count; i++)
		list = i ? arena_printf(arena, "%s, %d", list, f.items[i].major)
			 : arena_printf(arena, "%d", f.items[i].major);
	return list;
}

bool
programs_find(struct server_programs *p, struct arena *arena, int major, struct error *err)
{
	struct found f = { .arena = arena };
	const struct server_programs *best;

	find_all(&f);
	best = pick(&f, major);
	if (!best) {
		error_set(err, ERROR_DATABASE,
			"PostgreSQL's server programs (initdb, postgres; version %d or newer) were not "
			"found",
			CLUSTER_MIN_MAJOR);
		return error_hint(
			err, "install the package postgresql, or name a server with --db");
	}
	*p = *best;
	return true;
}
