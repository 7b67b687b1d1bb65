/* Creates the private cluster's data directory. */
#include "base/clock.h"
#include "base/sql_file.h"
#include "cluster_private.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	LEFTOVER_TRIES = 20,
	LEFTOVER_STEP_MS = 50,
};

/*
 * A data directory is created under a temporary name and renamed when it is complete. Even after an
 * interrupted start, the data directory is therefore either absent or complete.
 */

int
init_major(const struct cluster *c)
{
	FILE *f = fopen(arena_printf(c->arena, "%s/PG_VERSION", c->data), "re");
	char line[32] = "";
	long major;
	struct stat st;

	if (!f)
		return stat(c->data, &st) == 0 ? -1 : 0;
	if (!fgets(line, sizeof(line), f))
		line[0] = '\0';
	fclose(f);
	major = strtol(line, NULL, 10);
	return major > 0 && major < 1000 ? (int)major : -1;
}

static bool
has_error(const char *line)
{
	return strstr(line, "error:") || strstr(line, "FATAL:") || strstr(line, "PANIC:");
}

/* Finds the last error line, or else the last line. A line about a full disk takes priority,
 * because it explains all later errors. */
static const char *
program_reason(struct arena *a, const char *output)
{
	const char *reason = "no message";
	bool is_error = false;

	for (const char *s = output; *s;) {
		size_t n = strcspn(s, "\n");
		const char *line = arena_strndup(a, s, n);

		if (strstr(line, "No space left"))
			return line;
		if (n && (has_error(line) || !is_error)) {
			reason = line;
			is_error = has_error(line);
		}
		s += n + (s[n] == '\n');
	}
	return reason;
}

static bool
check_step(const struct cluster *c, const char *what, const struct child *child, struct error *err)
{
	if (child->status == 0)
		return true;
	error_set(err, ERROR_DATABASE, "cannot make a private PostgreSQL cluster in %s: %s: %s",
		c->home, what, program_reason(c->arena, child->output));
	if (strstr(child->output, "No space left"))
		return error_hint(err, "free space on its disk, or set PROFDEPOT_HOME");
	if (strstr(child->output, "ermission denied"))
		return error_hint(err, "the account %s must be able to enter and write there",
			c->account.name);
	return false;
}

static bool
run_initdb(const struct cluster *c, const struct server_programs *p, const char *dir,
	struct error *err)
{
	const char *argv[] = { arena_printf(c->arena, "%s/initdb", p->bin), "-D", dir, "-U",
		db_role_name(DB_ROLE_OWNER), "-E", "UTF8", "--locale=C.UTF-8", "-A", "peer",
		"--data-checksums", "--no-instructions", NULL };
	struct child child;

	return account_exec(&c->account, c->arena, argv, NULL, &child, err) &&
	       check_step(c, "initdb", &child, err);
}

/* Creates the database and the roles with a server in single-user mode, which opens no socket. */
static bool
run_bootstrap(const struct cluster *c, const struct server_programs *p, const char *dir,
	struct error *err)
{
	const char *argv[] = { arena_printf(c->arena, "%s/postgres", p->bin), "--single", "-D", dir,
		"-c", "exit_on_error=on", "-c", "log_checkpoints=off", "postgres", NULL };
	const char *sql = sql_file_find("db/bootstrap")->text;
	struct child child;

	return account_exec(&c->account, c->arena, argv, sql, &child, err) &&
	       check_step(c, "postgres --single", &child, err);
}

struct configure {
	const struct cluster *cluster;
	const char *dir;
};

static bool
append_include(const struct configure *conf)
{
	FILE *f = fopen(arena_printf(conf->cluster->arena, "%s/postgresql.conf", conf->dir), "ae");
	bool ok = f && fputs("\n# profdepot's settings; settings after this line override them.\n"
			     "include 'profdepot.conf'\n",
			       f) >= 0;

	if (f)
		ok = fclose(f) == 0 && ok;
	if (!ok)
		dprintf(2, "error: cannot write %s/postgresql.conf: %s\n", conf->dir,
			strerror(errno));
	return ok;
}

/* Writes the new cluster's configuration, in a child process that runs as the account. */
static int
configure(void *self)
{
	const struct configure *conf = self;

	return settings_create(conf->cluster, conf->dir) && append_include(conf) ? 0 : 1;
}

static bool
run_configure(const struct cluster *c, const char *dir, struct error *err)
{
	struct configure conf = { c, dir };
	struct child child;

	return account_run(&c->account, c->arena, configure, &conf, &child, err) &&
	       check_step(c, "its settings", &child, err);
}

/* Removes the directory. A child process under the account removes the files. Then this process,
 * which owns the parent directory, removes the empty directory. A directory that cannot be removed
 * does no harm, because the next attempt uses another name. */
static void
remove_tree(const struct cluster *c, const char *dir)
{
	const char *argv[] = { "/bin/rm", "-rf", "--", dir, NULL };
	struct error ignored = ERROR_INIT;
	struct child child;

	account_exec(&c->account, c->arena, argv, NULL, &child, &ignored);
	rmdir(dir);
}

static const char *
glob_escape(struct arena *a, const char *path)
{
	char *out = arena_alloc(a, strlen(path) * 2 + 1);
	char *to = out;

	for (; *path; path++) {
		if (strchr("*?[\\", *path))
			*to++ = '\\';
		*to++ = *path;
	}
	return out;
}

/* Removes the directories that match the pattern; returns true if no such directory remains. */
static bool
remove_once(const struct cluster *c, const char *pattern)
{
	glob_t g;

	if (glob(pattern, 0, NULL, &g) != 0)
		return true;
	for (size_t i = 0; i < g.gl_pathc; i++)
		remove_tree(c, g.gl_pathv[i]);
	globfree(&g);
	return false;
}

void
init_remove_leftovers(const struct cluster *c)
{
	const char *pattern =
		arena_printf(c->arena, "%s/init.??????", glob_escape(c->arena, c->home));

	/* If initdb was killed, its server process can continue to write for a moment. */
	for (int i = 0; i < LEFTOVER_TRIES && !remove_once(c, pattern); i++)
		clock_sleep_ms(LEFTOVER_STEP_MS);
}

static bool
make_in(struct cluster *c, const struct server_programs *p, const char *dir, struct error *err)
{
	if (c->account.is_other && chown(dir, c->account.uid, c->account.gid) != 0)
		return error_set_errno(
			err, ERROR_FILE, "cannot make %s the owner of %s", c->account.name, dir);
	if (!run_initdb(c, p, dir, err) || !run_configure(c, dir, err) ||
		!run_bootstrap(c, p, dir, err))
		return false;
	if (rename(dir, c->data) != 0)
		return error_set_errno(err, ERROR_FILE, "cannot rename %s to %s", dir, c->data);
	return true;
}

bool
init_cluster(struct cluster *c, struct error *err)
{
	char *dir = arena_printf(c->arena, "%s/init.XXXXXX", c->home);
	struct server_programs p;

	if (!programs_find(&p, c->arena, 0, err))
		return false;
	if (!mkdtemp(dir))
		return error_set_errno(err, ERROR_FILE, "cannot make a directory in %s", c->home);
	if (make_in(c, &p, dir, err))
		return true;
	remove_tree(c, dir);
	return false;
}
