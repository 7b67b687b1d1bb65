/*
 * The private cluster: profdepot's own PostgreSQL server, created and started when needed. It
 * listens only on a UNIX socket.
 *
 *	HOME/data	the data directory, made by initdb
 *	HOME/run	the socket; if this path is too long, the socket is in a directory with a shorter path
 *	HOME/log	postgresql.log and the previous log file
 *	HOME/lock	held while the server is created, started or stopped
 *	HOME/reserve	space that a removal can use if the disk is full
 *
 * HOME is PROFDEPOT_HOME, else /var/lib/profdepot for root, else profdepot in the XDG data
 * directory. PostgreSQL refuses to run as root. If root starts the server, the server runs as the
 * account that owns HOME/data. A new HOME/data belongs to `postgres`.
 */
#ifndef PROFDEPOT_DB_CLUSTER_H
#define PROFDEPOT_DB_CLUSTER_H

#include "base/arena.h"
#include "base/error.h"
#include "db/connection.h"

struct cluster;

/* Finds the cluster's directories and account without changing anything. The cluster need not
 * exist. The result is in the arena. Returns NULL on error, such as an invalid HOME, or if no
 * account can run the server. */
struct cluster *cluster_describe(struct arena *a, struct error *err);

/* Creates the cluster if needed, starts the server if it is not running, and returns when the
 * server accepts connections. Several processes may call this at the same time. */
bool cluster_start(struct cluster *c, struct error *err);

/* Stops the server, which rolls back open transactions. Also succeeds if no server is running. */
bool cluster_stop(struct cluster *c, struct error *err);

enum cluster_state {
	CLUSTER_ABSENT,  /* not created yet */
	CLUSTER_STOPPED, /* not running, possibly after a crash */
	CLUSTER_RUNNING,
};

struct cluster_status {
	enum cluster_state state;
	int major;        /* PostgreSQL's major version; 0 if there is no cluster */
	long pid;         /* the server's process; 0 if it is not running */
	const char *home; /* this and the following members are borrowed from the cluster */
	const char *data;
	const char *socket; /* the socket's directory */
	const char *log;
	const char *account; /* the account under which the server runs */
};

bool cluster_status(struct cluster *c, struct cluster_status *status, struct error *err);

enum cluster_uri_kind {
	CLUSTER_URI_PLAIN,  /* for other programs: unqualified names resolve in the depot */
	CLUSTER_URI_STRICT, /* for this process: PG variables cannot override it */
};

/* The URI is in the cluster's arena. */
const char *cluster_uri(struct cluster *c, enum db_role role, enum cluster_uri_kind kind);

/* Returns the current size of the server's log in bytes. */
int64_t cluster_log_size(const struct cluster *c);

/* Returns the reason why the server or one of its processes ended, from the part of the log after
 * `from`; NULL if the log gives no reason. */
const char *cluster_end_reason(const struct cluster *c, int64_t from);

/* Returns whether the file system of the data has less free space than the server needs. */
bool cluster_disk_is_full(const struct cluster *c);

/* Sets the hint for a full disk. The hint names the file system of the data and its free space. */
bool cluster_hint_full(const struct cluster *c, struct error *err);

/* Creates the reserve if it does not exist and the disk has much more free space than the reserve
 * needs. */
void cluster_keep_reserve(const struct cluster *c);

/* If the disk is full, removes the reserve, so that the server can use its space. Returns whether a
 * reserve was removed. */
bool cluster_use_reserve(const struct cluster *c);

/* "stopped", "running", ... */
const char *cluster_state_name(enum cluster_state state);

#endif
