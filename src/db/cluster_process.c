/* Finds, starts and stops the private cluster's server process. */
#include "base/clock.h"
#include "cluster_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	STEP_MS = 20,
	START_MS = 300000, /* long, because crash recovery can replay WAL of up to max_wal_size */
	STOP_MS = 120000,
	FILL_MS = 2000,
	RETRY_MS = 15000, /* enough for all processes of a killed server to end */
	LOG_MAX_BYTES = 10 * 1024 * 1024,
	LINE_BYTES = 1024,
};

/* No process has this pid, because Linux uses pids up to 4194304. */
#define DEAD_PID "2147483646"

/* --- finding the server's process ------------------------------------------------------------ */

static bool
pid_answers(long pid)
{
	return pid > 0 && (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}

/* Returns whether the process runs. A zombie is dead, even if its parent has not reaped it yet. */
static bool
is_alive(long pid)
{
	char path[64];
	char line[LINE_BYTES];
	char *state;
	FILE *f;
	size_t n;

	if (!pid_answers(pid))
		return false;
	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return access("/proc/self/stat", R_OK) != 0;
	n = fread(line, 1, sizeof(line) - 1, f);
	fclose(f);
	line[n] = '\0';
	state = strrchr(line, ')');
	return state && n > (size_t)(state - line) + 2 && state[2] != 'Z' && state[2] != 'X';
}

static bool
is_postgres(const char *path)
{
	const char *base = strrchr(path, '/');
	size_t n;

	base = base ? base + 1 : path;
	n = strcspn(base, " "); /* after an upgrade, base is "postgres (deleted)" */
	return (n == 8 && strncmp(base, "postgres", n) == 0) ||
	       (n == 10 && strncmp(base, "postmaster", n) == 0);
}

/* Checks the process's command line, because some systems hide /proc/PID/exe and cwd even from
 * root. */
static bool
command_line_matches(const struct cluster *c, long pid)
{
	char path[64];
	char line[LINE_BYTES * 8];
	size_t n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/cmdline", pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	n = fread(line, 1, sizeof(line) - 1, f);
	fclose(f);
	line[n] = '\0';
	if (!is_postgres(line))
		return false;
	for (size_t i = 0; i < n; i += strlen(line + i) + 1)
		if (strcmp(line + i, c->data) == 0)
			return true;
	return false;
}

static bool
same_directory(const char *a, const char *b)
{
	struct stat x;
	struct stat y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Returns whether the process is a server of this data directory. A server's working directory is its
 * data directory. */
static bool
is_our_server(const struct cluster *c, long pid)
{
	char path[64];
	char exe[LINE_BYTES];
	ssize_t n;

	if (!is_alive(pid))
		return false;
	snprintf(path, sizeof(path), "/proc/%ld/exe", pid);
	n = readlink(path, exe, sizeof(exe) - 1);
	if (n < 0 && access("/proc/self/stat", R_OK) != 0)
		return true; /* the system has no /proc, so trust the pid file */
	if (n < 0)
		return command_line_matches(c, pid);
	exe[n] = '\0';
	snprintf(path, sizeof(path), "/proc/%ld/cwd", pid);
	return is_postgres(exe) && same_directory(path, c->data);
}

/* --- the pid file ---------------------------------------------------------------------------- */

enum {
	PID_LINE_PID = 1,
	PID_LINE_RUN = 5,
	PID_LINE_STATUS = 8
};

struct pid_file {
	bool there;
	long pid;
	char run[LINE_BYTES];
	bool ready;
};

static const char *
pid_path(const struct cluster *c)
{
	return arena_printf(c->arena, "%s/postmaster.pid", c->data);
}

static void
read_pid_file(const char *path, struct pid_file *p)
{
	char line[LINE_BYTES];
	FILE *f = fopen(path, "re");

	*p = (struct pid_file){ .there = f != NULL };
	for (int number = 1; f && fgets(line, sizeof(line), f); number++) {
		line[strcspn(line, "\n")] = '\0';
		if (number == PID_LINE_PID)
			p->pid = strtol(line, NULL, 10);
		else if (number == PID_LINE_RUN)
			memcpy(p->run, line, sizeof(line));
		else if (number == PID_LINE_STATUS)
			p->ready = strncmp(line, "ready", 5) == 0;
	}
	if (f)
		fclose(f);
}

void
process_find(const struct cluster *c, struct server_process *p)
{
	struct pid_file file;

	*p = (struct server_process){ 0, false, c->run };
	read_pid_file(pid_path(c), &file);
	if (!file.there || !is_our_server(c, file.pid))
		return;
	p->pid = file.pid;
	p->ready = file.ready;
	if (file.run[0])
		p->run = arena_strdup(c->arena, file.run);
}

/* --- files that a dead server left ----------------------------------------------------------- */

struct stale {
	const char *pid_file; /* NULL if the file is not stale */
	const char *lock_file;
};

/*
 * Replaces the pid in the file with a pid that no process has. Keeps the file, because a starting
 * server reads the file's last lines to check whether an old backend still uses the data.
 */
static bool
disarm_pid_file(const char *path)
{
	struct strbuf text;
	char line[LINE_BYTES];
	FILE *f = fopen(path, "re");
	bool ok;

	if (!f)
		return errno == ENOENT;
	strbuf_init(&text, CLUSTER_OUTPUT_MAX_BYTES);
	strbuf_append_str(&text, DEAD_PID "\n");
	if (!fgets(line, sizeof(line), f)) {
		fclose(f);
		strbuf_release(&text);
		return unlink(path) == 0; /* the file is empty, because the disk was full */
	}
	while (fgets(line, sizeof(line), f))
		strbuf_append_str(&text, line);
	fclose(f);
	ok = settings_replace(path, &text);
	strbuf_release(&text);
	return ok;
}

static int
disarm(void *self)
{
	const struct stale *s = self;
	bool ok = true;

	if (s->pid_file)
		ok = disarm_pid_file(s->pid_file);
	if (s->lock_file && unlink(s->lock_file) != 0 && errno != ENOENT) {
		dprintf(2, "cannot remove %s: %s", s->lock_file, strerror(errno));
		ok = false;
	}
	return ok ? 0 : 1;
}

/* Returns whether the pid file would prevent the start although no server of this data directory runs. First waits
 * if the file is empty, because a server creates the file empty and fills it later. */
static bool
is_stale(const struct cluster *c, const char *path)
{
	struct pid_file file;

	read_pid_file(path, &file);
	for (int waited = 0; file.there && file.pid <= 0 && waited < FILL_MS; waited += STEP_MS) {
		clock_sleep_ms(STEP_MS);
		read_pid_file(path, &file);
	}
	return file.there &&
	       (file.pid <= 0 || (pid_answers(file.pid) && !is_our_server(c, file.pid)));
}

/* If no server is running, changes pid files that would prevent the start. */
static bool
clear_stale(const struct cluster *c, struct error *err)
{
	const char *lock = arena_printf(c->arena, "%s/.s.PGSQL.%d.lock", c->run, CLUSTER_PORT);
	struct stale s = { NULL, NULL };
	struct child child;

	if (is_stale(c, pid_path(c)))
		s.pid_file = pid_path(c);
	if (is_stale(c, lock))
		s.lock_file = lock;
	if (!s.pid_file && !s.lock_file)
		return true;
	if (!account_run(&c->account, c->arena, disarm, &s, &child, err))
		return false;
	return child.status == 0 ||
	       error_set(err, ERROR_DATABASE,
		       "cannot replace the pid file of a server that has ended: %s", child.output);
}

/* --- start ----------------------------------------------------------------------------------- */

struct launch {
	const struct cluster *cluster;
	const char *const *argv;
};

static void
rotate_log(const char *path)
{
	char old[LINE_BYTES * 4];
	struct stat st;

	if (stat(path, &st) != 0 || st.st_size < LOG_MAX_BYTES)
		return;
	if ((size_t)snprintf(old, sizeof(old), "%s.1", path) < sizeof(old))
		rename(path, old);
}

/* Turns this process into the server, whose stdout and stderr go to the log. */
static int
run_server(const struct launch *l)
{
	int log = open(l->cluster->log, O_WRONLY | O_CREAT | O_APPEND, 0600);

	if (log < 0) {
		dprintf(2, "error: cannot write %s: %s\n", l->cluster->log, strerror(errno));
		return 1;
	}
	setsid();
	/* profdepot can run as a service with a higher priority, which the database must not inherit. */
	if (getpriority(PRIO_PROCESS, 0) < 0)
		setpriority(PRIO_PROCESS, 0, 0);
	dup2(log, 1);
	dup2(log, 2);
	close(log);
	return account_become(&l->cluster->account, l->argv);
}

/* Starts the server and writes its pid to stdout. Process 1 inherits and reaps the server. */
static int
launch(void *self)
{
	pid_t pid;

	rotate_log(((const struct launch *)self)->cluster->log);
	pid = fork();
	if (pid == 0)
		_exit(run_server(self));
	if (pid < 0)
		dprintf(2, "error: cannot start a process: %s\n", strerror(errno));
	dprintf(1, "%ld\n", (long)pid);
	return pid < 0;
}

static off_t
log_size(const struct cluster *c)
{
	struct stat st;

	return stat(c->log, &st) == 0 ? st.st_size : 0;
}

/* Returns the log's last FATAL or PANIC line after offset `from`, or else its last line. */
static const char *
log_reason(const struct cluster *c, off_t from)
{
	char line[LINE_BYTES];
	char reason[LINE_BYTES] = "";
	bool fatal = false;
	FILE *f = fopen(c->log, "re");

	if (f && log_size(c) >= from)
		fseeko(f, from, SEEK_SET);
	while (f && fgets(line, sizeof(line), f)) {
		const char *mark = strstr(line, "FATAL:");

		line[strcspn(line, "\n")] = '\0';
		if (!mark)
			mark = strstr(line, "PANIC:");
		if (mark) {
			snprintf(reason, sizeof(reason), "%s", mark + strspn(mark + 6, " ") + 6);
			fatal = true;
		} else if (!fatal && line[0]) {
			memcpy(reason, line, sizeof(line));
		}
	}
	if (f)
		fclose(f);
	return arena_strdup(c->arena, reason[0] ? reason : "no message in the log");
}

int64_t
cluster_log_size(const struct cluster *c)
{
	return log_size(c);
}

const char *
cluster_end_reason(const struct cluster *c, int64_t from)
{
	char line[LINE_BYTES];
	char reason[LINE_BYTES] = "";
	FILE *f = fopen(c->log, "re");

	if (f && log_size(c) >= from)
		fseeko(f, from, SEEK_SET);
	while (f && fgets(line, sizeof(line), f)) {
		const char *mark = strstr(line, "PANIC:  ");

		line[strcspn(line, "\n")] = '\0';
		if (mark)
			snprintf(reason, sizeof(reason), "%s", mark + strlen("PANIC:  "));
		mark = strstr(line, "LOG:  ");
		if (!reason[0] && mark && strstr(mark, "was terminated by signal"))
			snprintf(reason, sizeof(reason), "%s", mark + strlen("LOG:  "));
	}
	if (f)
		fclose(f);
	return reason[0] ? arena_strdup(c->arena, reason) : NULL;
}

static bool
start_failed(const struct cluster *c, const char *reason, struct error *err)
{
	error_set(err, ERROR_DATABASE, "the private PostgreSQL server did not start: %s", reason);
	if (strstr(reason, "No space left"))
		return cluster_hint_full(c, err);
	if (strstr(reason, "shared memory block"))
		return error_hint(err,
			"a process of the previous server still uses %s; end that process",
			c->data);
	return error_hint(err, "the server's log is %s", c->log);
}

static bool
still_starting(const struct cluster *c, struct error *err)
{
	error_set(err, ERROR_DATABASE,
		"the private PostgreSQL server is still starting up after %d s", START_MS / 1000);
	return error_hint(err, "try again later; the server's log is %s", c->log);
}

static bool
wait_until_ready(const struct cluster *c, long pid, off_t log_from, struct error *err)
{
	struct pid_file file;

	for (int waited = 0; waited < START_MS; waited += STEP_MS) {
		read_pid_file(pid_path(c), &file);
		if (file.pid == pid && file.ready)
			return true;
		if (!is_alive(pid))
			return start_failed(c, log_reason(c, log_from), err);
		clock_sleep_ms(STEP_MS);
	}
	return still_starting(c, err);
}

static bool
start_once(const struct cluster *c, const struct server_programs *p, struct error *err)
{
	const char *argv[] = { arena_printf(c->arena, "%s/postgres", p->bin), "-D", c->data, NULL };
	struct launch l = { c, argv };
	off_t log_from = log_size(c) < LOG_MAX_BYTES ? log_size(c) : 0;
	struct child child;
	const char *reason;

	if (!account_run(&c->account, c->arena, launch, &l, &child, err))
		return false;
	reason = strstr(child.output, "error: ");
	if (child.status != 0 || reason)
		return start_failed(c, reason ? reason + 7 : child.output, err);
	return wait_until_ready(c, strtol(child.output, NULL, 10), log_from, err);
}

/* Returns whether the next attempt can succeed. A killed server's processes end within about two
 * seconds. If another process is starting a server, the server's lock file is empty for a moment. */
static bool
may_pass(const struct error *err)
{
	return strstr(err->message, "pre-existing shared memory block") ||
	       (strstr(err->message, "lock file") && (strstr(err->message, "already exists") ||
							     strstr(err->message, "is empty")));
}

/* Waits for a server that another process is starting. The server continues to start even if that
 * process ends. *ready is false if there is no server or if the server ended. */
static bool
wait_for_other(const struct cluster *c, bool *ready, struct error *err)
{
	struct server_process p;

	process_find(c, &p);
	for (int waited = 0; p.pid && !p.ready; waited += STEP_MS) {
		if (waited >= START_MS)
			return still_starting(c, err);
		clock_sleep_ms(STEP_MS);
		process_find(c, &p);
	}
	*ready = p.pid != 0;
	return true;
}

/*
 * Two processes can start a server at the same time, before a pid file exists. One of the two
 * servers then ends. If it is the one that this process started, this function tries again.
 */
bool
process_start(const struct cluster *c, const struct server_programs *p, struct error *err)
{
	enum {
		PAUSE_MS = 250
	};
	bool ready = false;

	for (int waited = 0;; waited += PAUSE_MS) {
		if (!wait_for_other(c, &ready, err) || ready)
			return ready;
		if (!clear_stale(c, err))
			return false;
		if (start_once(c, p, err))
			return true;
		if (waited >= RETRY_MS || !may_pass(err))
			return false;
		clock_sleep_ms(PAUSE_MS);
	}
}

bool
process_stop(const struct cluster *c, struct error *err)
{
	struct server_process p;

	process_find(c, &p);
	if (!p.pid)
		return true;
	if (kill((pid_t)p.pid, SIGINT) != 0 && errno != ESRCH)
		return error_set_errno(
			err, ERROR_DATABASE, "cannot stop the server (process %ld)", p.pid);
	for (int waited = 0; waited < STOP_MS; waited += STEP_MS) {
		if (!is_alive(p.pid))
			return true;
		clock_sleep_ms(STEP_MS);
	}
	error_set(err, ERROR_DATABASE, "the server (process %ld) is still shutting down after %d s",
		p.pid, STOP_MS / 1000);
	return error_hint(err, "try again later; the server's log is %s", c->log);
}
