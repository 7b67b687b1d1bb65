/*
 * Shared by the files that implement the private cluster: cluster.c (the public functions),
 * cluster_account.c (child processes under another account), cluster_programs.c (finds PostgreSQL's
 * programs), cluster_process.c (the server's process and pid file), cluster_settings.c (its
 * configuration) and cluster_init.c (creates the data directory).
 */
#ifndef PROFDEPOT_SRC_CLUSTER_PRIVATE_H
#define PROFDEPOT_SRC_CLUSTER_PRIVATE_H

#include "base/strbuf.h"
#include "db/cluster.h"

#include <sys/types.h>

enum {
	CLUSTER_PORT = 5432,        /* only names the socket: there is no TCP */
	CLUSTER_RUN_MAX_BYTES = 93, /* of the socket's directory: the path's limit is 107 */
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
	bool is_other; /* not the one this process runs as */
};

struct server_process {
	long pid;        /* 0 if the server is not running */
	bool ready;      /* accepts connections */
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
	bool run_is_elsewhere; /* not HOME/run, so clients check that the server runs as the account */
	struct account account;
};

/* --- cluster.c */

/* Appends s, percent-encoded for use in a URI; slashes are kept. */
void uri_append_encoded(struct strbuf *out, const char *s);

/* --- cluster_account.c */

bool account_find(struct account *a, struct arena *arena, uid_t uid, struct error *err);
bool account_find_name(struct account *a, struct arena *arena, const char *name, struct error *err);

/*
 * Runs work(self) in a child process as the account, in directory /. Only
 * stdin (the text `input`, or nothing), stdout and stderr are open; the last
 * two go to *output. True if the child ended: its exit status is *status,
 * 128 + n if signal n ended it.
 */
bool account_run(const struct account *a, int (*work)(void *self), void *self, const char *input,
	struct strbuf *output, int *status, struct error *err);

/* The same for a program, found by its absolute path argv[0], in a clean
 * environment. */
bool account_exec(const struct account *a, const char *const *argv, const char *input,
	struct strbuf *output, int *status, struct error *err);

/* Called in a child, which becomes the program. Returns only if that fails. */
int account_become(const struct account *a, const char *const *argv);

/* --- cluster_programs.c */

struct server_programs {
	const char *bin; /* directory that contains initdb and postgres */
	int major;
};

/* Finds the server programs of that major version, or the newest ones if major is 0. Fails with
 * ERROR_DATABASE. */
bool programs_find(struct server_programs *p, struct arena *arena, int major, struct error *err);

/* All versions that were found, such as "15, 16", for messages. */
const char *programs_list(struct arena *arena);

/* --- cluster_process.c */

/* Finds the live server of this data directory. Ignores a pid file whose
 * process is dead, a zombie or another program. */
void process_find(const struct cluster *c, struct server_process *p);

/* Call these only under the lock. */
bool process_start(const struct cluster *c, const struct server_programs *p, struct error *err);
bool process_stop(const struct cluster *c, struct error *err);
bool process_is_alive(long pid);

/* --- cluster_settings.c */

/* The text of profdepot.conf, which depends on `run` and this machine's memory. */
void settings_write(const struct cluster *c, struct strbuf *out);

/* The texts of pg_hba.conf and pg_ident.conf. */
void settings_write_hba(struct strbuf *out);
void settings_write_ident(const struct cluster *c, struct strbuf *out);

/* For a child that runs as the account: writes a new file and renames it; mode 0600.
 * Reports errors on stderr. */
bool settings_replace(const char *path, const struct strbuf *content);

/* --- cluster_init.c */

/* The major version of the data directory; 0 if it does not exist, -1 if it is not a data
 * directory. */
int init_major(const struct cluster *c);
bool init_cluster(struct cluster *c, struct error *err);

/* Removes incomplete data directories that killed processes have left. Call it only under the
 * lock. */
void init_remove_leftovers(const struct cluster *c);

#endif
