/* Runs child processes under the private cluster's account. */
#define _DEFAULT_SOURCE /* for initgroups */

#include "base/fd.h"
#include "cluster_private.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	EXIT_NO_ACCOUNT = 126,
	EXIT_NO_PROGRAM = 127,
	MAX_FILES = 65536,
	ENTRY_BYTES = 16384, /* room for one account's entry in /etc/passwd */
};

static bool
fill_account(struct account *a, struct arena *arena, const struct passwd *pw)
{
	int count = CLUSTER_GROUPS_MAX;

	a->name = arena_strdup(arena, pw->pw_name);
	a->directory = arena_strdup(arena, pw->pw_dir);
	a->uid = pw->pw_uid;
	a->gid = pw->pw_gid;
	a->is_other = pw->pw_uid != geteuid();
	/* If the account is in too many groups, the child belongs only to the first ones. */
	if (getgrouplist(pw->pw_name, pw->pw_gid, a->groups, &count) < 0)
		count = CLUSTER_GROUPS_MAX;
	a->group_count = (size_t)count;
	return true;
}

bool
account_find(struct account *a, struct arena *arena, uid_t uid, struct error *err)
{
	struct passwd entry;
	struct passwd *pw = NULL;
	char *strings = arena_alloc(arena, ENTRY_BYTES);

	if (getpwuid_r(uid, &entry, strings, ENTRY_BYTES, &pw) == 0 && pw)
		return fill_account(a, arena, pw);
	error_set(err, ERROR_DATABASE, "user id %ld has no account name", (long)uid);
	return error_hint(err,
		"the private cluster needs the name of its owner: add the id to /etc/passwd, or "
		"name a server with --db");
}

bool
account_find_name(struct account *a, struct arena *arena, const char *name, struct error *err)
{
	struct passwd entry;
	struct passwd *pw = NULL;
	char *strings = arena_alloc(arena, ENTRY_BYTES);

	if (getpwnam_r(name, &entry, strings, ENTRY_BYTES, &pw) == 0 && pw)
		return fill_account(a, arena, pw);
	error_set(err, ERROR_DATABASE, "there is no account %s to run PostgreSQL as", name);
	return error_hint(err,
		"PostgreSQL refuses to run as root: install the package postgresql (it creates "
		"the account), run profdepot as another user, or name a server with --db");
}

static void
close_others(void)
{
	long max = sysconf(_SC_OPEN_MAX);

	if (max < 0 || max > MAX_FILES)
		max = MAX_FILES;
	for (int fd = 3; fd < max; fd++)
		close(fd);
}

static void
reset_signals(void)
{
	static const int handled[] = { SIGPIPE, SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (size_t i = 0; i < sizeof(handled) / sizeof(*handled); i++)
		sigaction(handled[i], &usual, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static bool
become(const struct account *a)
{
	if (chdir("/") != 0)
		return false;
	if (!a->is_other)
		return true;
	return setgroups(a->group_count, a->groups) == 0 && setgid(a->gid) == 0 &&
	       setuid(a->uid) == 0;
}

static void
become_child(const struct account *a, int (*work)(void *), void *self, int in, int out)
{
	reset_signals();
	if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
		_exit(EXIT_NO_ACCOUNT);
	close_others();
	umask(077);
	if (!become(a)) {
		dprintf(2, "error: cannot become %s: %s\n", a->name, strerror(errno));
		_exit(EXIT_NO_ACCOUNT);
	}
	_exit(work(self));
}

int
account_become(const struct account *a, const char *const *argv)
{
	enum {
		ENV_MAX = 512
	};
	char home[ENV_MAX];
	char user[ENV_MAX];
	char zone[ENV_MAX];
	char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
	char locale[] = "LC_ALL=C";
	char *env[] = { path, locale, home, user, NULL, NULL };
	const char *tz = getenv("TZ");
	union {
		const char *const *in;
		char *const *out;
	} args = { argv }; /* for historical reasons, execve's prototype lacks a const */

	snprintf(home, sizeof(home), "HOME=%s", a->directory);
	snprintf(user, sizeof(user), "USER=%s", a->name);
	if (tz && (size_t)snprintf(zone, sizeof(zone), "TZ=%s", tz) < sizeof(zone))
		env[4] = zone;
	execve(argv[0], args.out, env);
	dprintf(2, "error: cannot run %s: %s\n", argv[0], strerror(errno));
	return EXIT_NO_PROGRAM;
}

/* Returns a descriptor from which the child can read the input. The input is only a few lines,
 * which fit into a pipe's buffer, so writing them does not wait for the child. */
static int
open_input(const char *input, struct error *err)
{
	int ends[2];
	size_t size;

	if (!input) {
		ends[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
		if (ends[0] < 0)
			error_set_errno(err, ERROR_FILE, "cannot open /dev/null");
		return ends[0];
	}
	size = strlen(input);
	if (pipe(ends) != 0) {
		error_set_errno(err, ERROR_FILE, "cannot make a pipe");
		return -1;
	}
	if (size > 4096 || write(ends[1], input, size) != (ssize_t)size) {
		error_set(err, ERROR_INTERNAL, "too much input for a child process");
		close(ends[0]);
		ends[0] = -1;
	}
	close(ends[1]);
	return ends[0];
}

/* Reads the whole output, but keeps no more than the maximum. */
static const char *
read_all(int fd, struct arena *arena)
{
	char *output = arena_alloc(arena, CLUSTER_OUTPUT_MAX_BYTES);
	char block[4096];
	ssize_t n;

	fd_read_up_to(fd, output, CLUSTER_OUTPUT_MAX_BYTES - 1);
	do
		n = fd_read(fd, block, sizeof(block));
	while (n > 0);
	return output;
}

static int
wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return EXIT_NO_ACCOUNT;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static bool
run(const struct account *a, struct arena *arena, int (*work)(void *self), void *self,
	const char *input, struct child *end, struct error *err)
{
	int out[2];
	int in = open_input(input, err);
	pid_t pid;

	if (in < 0)
		return false;
	if (pipe(out) != 0) {
		close(in);
		return error_set_errno(err, ERROR_FILE, "cannot make a pipe");
	}
	pid = fork();
	if (pid == 0)
		become_child(a, work, self, in, out[1]);
	close(in);
	close(out[1]);
	if (pid > 0) {
		end->output = read_all(out[0], arena);
		end->status = wait_for(pid);
	}
	close(out[0]);
	return pid > 0 || error_set_errno(err, ERROR_DATABASE, "cannot start a process");
}

bool
account_run(const struct account *a, struct arena *arena, int (*work)(void *self), void *self,
	struct child *child, struct error *err)
{
	return run(a, arena, work, self, NULL, child, err);
}

struct program {
	const struct account *account;
	const char *const *argv;
};

static int
run_program(void *self)
{
	const struct program *p = self;

	/* If the process that started initdb is killed, initdb must end, too, because the next
	 * start removes the directory that initdb fills. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return account_become(p->account, p->argv);
}

bool
account_exec(const struct account *a, struct arena *arena, const char *const *argv,
	const char *input, struct child *child, struct error *err)
{
	struct program p = { a, argv };

	return run(a, arena, run_program, &p, input, child, err);
}
