/*
 * Shared by the files that implement the private cluster: cluster.c (the public functions),
 * cluster_account.c (child processes under another account), cluster_programs.c (finds PostgreSQL's
 * programs), cluster_process.c (the server's process and pid file), cluster_settings.c (its
 * configuration), cluster_disk.c (free room) and cluster_init.c (creates the data directory).
 */
#ifndef PROFDEPOT_SRC_CLUSTER_PRIVATE_H
#define PROFDEPOT_SRC_CLUSTER_PRIVATE_H

#include "base/strbuf.h"
#include "db/cluster.h"

#include <sys/types.h>

enum {
	CLUSTER_MIN_MAJOR = 15,
	CLUSTER_PORT = 5432, /* part of the socket's name; the server does not listen on TCP */
	CLUSTER_RUN_MAX_BYTES =
		93, /* limit for the socket's directory; the socket's path can have 107 bytes */
	CLUSTER_GROUPS_MAX = 64,
	CLUSTER_OUTPUT_MAX_BYTES = 64 * 1024,
};

struct account {
	const char *name;
	const char *directory;
	uid_t uid;
	gid_t gid;
	gid_t groups[CLUSTER_GROUPS_MAX];
	size_t group_count;
	bool is_other; /* whether this process runs under a different account */
};

/* How a child process ended. */
struct child {
	int status;         /* its exit status, or 128 + n if signal n ended it */
	const char *output; /* stdout and stderr, at most CLUSTER_OUTPUT_MAX_BYTES; in the arena */
};

struct server_process {
	long pid;        /* 0 if the server is not running */
	bool ready;      /* whether the server accepts connections */
	const char *run; /* the socket's directory, according to the pid file */
};

struct cluster {
	struct arena *arena;
	const char *home;
	const char *data;
	const char *run;
	const char *log_dir;
	const char *log;
	const char *lock;
	bool run_is_elsewhere; /* `run` is not HOME/run, so clients must check the server's account */
	struct account account;
};

/* --- cluster.c */

/* Appends s, percent-encoded for use in a URI; slashes are kept. */
void uri_append_encoded(struct strbuf *out, const char *s);

/* --- cluster_account.c */

bool account_find(struct account *a, struct arena *arena, uid_t uid, struct error *err);
bool account_find_name(struct account *a, struct arena *arena, const char *name, struct error *err);

/* Runs work(self) in a child process under the account, in directory /. Only stdin (which is
 * empty), stdout and stderr are open. Returns false if no child could be started. */
bool account_run(const struct account *a, struct arena *arena, int (*work)(void *self), void *self,
	struct child *child, struct error *err);

/* Runs a program in a clean environment. argv[0] is its absolute path; input is its stdin, or NULL. */
bool account_exec(const struct account *a, struct arena *arena, const char *const *argv,
	const char *input, struct child *child, struct error *err);

/* Call it in a child process. It replaces the process by the program argv[0], and returns only if that
 * fails. */
int account_become(const struct account *a, const char *const *argv);

/* --- cluster_programs.c */

struct server_programs {
	const char *bin; /* directory that contains initdb and postgres */
	int major;
};

/* Finds the server programs of this major version, or the newest ones if major is 0. Fails with
 * ERROR_DATABASE. */
bool programs_find(struct server_programs *p, struct arena *arena, int major, struct error *err);

/* Lists all versions that were found, such as "15, 16", for messages. */
const char *programs_list(struct arena *arena);

/* --- cluster_process.c */

/* Finds the running server of this data directory. Ignores a pid file whose process is dead, is a
 * zombie or runs another program. */
void process_find(const struct cluster *c, struct server_process *p);

/* The caller must hold the cluster's lock. */
bool process_start(const struct cluster *c, const struct server_programs *p, struct error *err);
bool process_stop(const struct cluster *c, struct error *err);

/* --- cluster_settings.c */

/* Call these in a child process that runs as the account. They report errors on stderr.
 * settings_refresh, which every start calls, writes profdepot.conf; settings_create writes all files. */
bool settings_refresh(const struct cluster *c, const char *dir);
bool settings_create(const struct cluster *c, const char *dir);
/* Writes the content to a new file with mode 0600, and renames that file to path. */
bool settings_replace(const char *path, const struct strbuf *content);

/* --- cluster_init.c */

/* The major version of the data directory; 0 if it does not exist, -1 if it is not a data
 * directory. */
int init_major(const struct cluster *c);
bool init_cluster(struct cluster *c, struct error *err);

/* Removes incomplete data directories that remain from killed processes. Call it only under the
 * lock. */
void init_remove_leftovers(const struct cluster *c);

#endif
